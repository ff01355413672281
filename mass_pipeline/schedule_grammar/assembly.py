"""Turn resolved runs into Masses with evidence, and give every hour its verdict."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from mass_pipeline.model.document import Document
from mass_pipeline.model.records import DAYS, Evidence, Mass, ReadMass
from mass_pipeline.schedule_grammar.chunker import VIGIL
from mass_pipeline.schedule_grammar.clock import ClockKind
from mass_pipeline.schedule_grammar.doubts import Doubts
from mass_pipeline.schedule_grammar.entries import Entry
from mass_pipeline.schedule_grammar.merging import merge
from mass_pipeline.schedule_grammar.nodes import NTH, Days
from mass_pipeline.schedule_grammar.plausibility import drop_implausible
from mass_pipeline.schedule_grammar.regions import days_of, season_tokens
from mass_pipeline.schedule_grammar.resolver import Resolver
from mass_pipeline.schedule_grammar.runs import Run
from mass_pipeline.schedule_grammar.where import end_academic_year_with_vacation

_EVENING: Final = "15:00"
_WITHOUT_HOLY_DAYS: Final = frozenset({"advent", "lent"})  # no holy day of obligation falls into them
_LONGEST_QUOTE: Final = 300  # model.records.Evidence
_CONFIDENT: Final = 0.95
_UNCERTAIN: Final = 0.5


@dataclass(slots=True, init=False, unsafe_hash=True)
class HourVerdict:
    """What an hour on a page is.

    Attributes:
        kind: `mass`, `dated`, `cancelled`, `unclear`, `office`, `confession`, `devotion`, `adoration`, `range`, ...
        mass: the record when it is a standing Mass, else None.
        reason: why, in a few words.
    """

    kind: str
    mass: Mass | None
    reason: str

    def __init__(self, kind: str, mass: Mass | None, reason: str) -> None:
        self.kind = kind
        self.mass = mass
        self.reason = reason


def assemble(
    document: Document, runs: Sequence[Run], doubts: Doubts
) -> tuple[tuple[ReadMass, ...], dict[tuple[int, int], HourVerdict]]:
    """Resolve runs: the Masses that stand, with evidence, and the verdict of every hour by (line, start).

    Args:
        document: where the hours stand.
        runs: hours with their conditions, in the order of the text.
        doubts: answers to what the text leaves open; further questions are asked of it.
    """
    drop_implausible(runs)
    end_academic_year_with_vacation(runs)
    resolver = Resolver(
        doubts, has_sunday_list=_has(runs, "Su"), has_weekday_list=_has(runs, "Mo"), has_holy_days=_has(runs, "PH")
    )
    resolver.adds_sundays = any(run.mode == "also" and _names(run, "Su") for run in runs)
    for run in sorted(runs, key=_turn):
        resolver.apply(run)
    standing = [(entry, _masses_of(entry)) for entry in resolver.entries]
    masses = merge(read for entry, found in standing for read in _readings_of(entry, found, document))
    return tuple(masses), _verdicts(runs, standing)


def _turn(run: Run) -> int:
    """What refers to other lists comes after them: hours put in the place of others anywhere, removals, copies of what is left.

    Last of all comes what is taken from the copies: "w święta bez Mszy o 7.00".
    """
    label = run.label()
    if run.removal:
        return 4 if label is not None and label.days <= {"PH", "AF"} else 2
    if run.copy_of is not None:
        return 3
    return 1 if run.mode == "instead" and not run.scope.keys() & {"list", "days", "nth"} else 0


def _has(runs: Iterable[Run], day: str) -> bool:
    """Whether a list of its own exists for the day; "w niedziele także" only adds to another one."""
    return any(_lists(run, day) and any(item.is_live for item in run.items) for run in runs)


def _lists(run: Run, day: str) -> bool:
    return _names(run, day) and run.mode != "also"


def _names(run: Run, day: str) -> bool:
    label = run.label()
    return label is not None and day in label.days and not label.daily and not label.feasts


def _readings_of(entry: Entry, masses: Iterable[Mass], document: Document) -> list[ReadMass]:
    """The records of one entry with confidence and evidence."""
    evidence = (_evidence(entry, document),)
    return [ReadMass(mass, _UNCERTAIN if entry.uncertain else _CONFIDENT, evidence) for mass in masses]


def _masses_of(entry: Entry) -> list[Mass]:
    """The records of one entry: one per set of days that share weeks and months."""
    groups: dict[tuple[tuple[int, ...] | None, frozenset[int]], set[str]] = {}
    named = days_of(entry.area)
    for day in (day for day in DAYS if day in named):  # in calendar order, so that every run gives the same records
        by_months: dict[frozenset[int], list[int]] = {}
        for week in (*NTH, -1):
            months = entry.area.get((day, week))
            if months:
                by_months.setdefault(months, []).append(week)
        for months, weeks in by_months.items():
            nth = None if set(weeks) >= set(NTH) else tuple(sorted(weeks, key=lambda n: (n < 0, n)))
            groups.setdefault((nth, months), set()).add(day)
    found: list[Mass] = []
    notes = dict.fromkeys(entry.notes)
    if _is_vigil(entry) and VIGIL not in notes:
        notes[VIGIL] = None
    for (nth, months), days in groups.items():
        if entry.overlay and _WITHOUT_HOLY_DAYS.issuperset(entry.overlay.split("+")) and days - {"PH"}:
            days -= {"PH"}
        seasons = entry.overlay.split("+") if entry.overlay else season_tokens(months, summer_named=entry.named_season)
        ordered = tuple(day for day in DAYS if day in days)
        found.extend(Mass(ordered, entry.time, season, nth, entry.place, ", ".join(notes)) for season in seasons)
    return found


def _is_vigil(entry: Entry) -> bool:
    """Saturday's Mass in the list of Sunday is the Sunday Mass."""
    label = entry.label.value if entry.label is not None else None
    return (
        isinstance(label, Days)
        and "Su" in label.days
        and not label.daily
        and days_of(entry.area) == {"Sa"}
        and entry.time >= _EVENING
    )


def _evidence(entry: Entry, document: Document) -> Evidence:
    line = document.lines[entry.item.line]
    clock = entry.item.clock
    known = clock.end <= len(line.offsets)
    first, last = (line.offsets[clock.start], line.offsets[clock.end - 1]) if known else (-1, -1)
    return Evidence(document.url, line.text[:_LONGEST_QUOTE], first, last + 1 if last >= 0 else -1)


def _verdicts(runs: Sequence[Run], entries: Iterable[tuple[Entry, Sequence[Mass]]]) -> dict[tuple[int, int], HourVerdict]:
    standing = {id(entry.item): masses for entry, masses in entries}
    verdicts: dict[tuple[int, int], HourVerdict] = {}
    for run in runs:
        for item in run.items:
            key = (item.line, item.clock.start)
            masses = standing.get(id(item))
            if masses is not None:
                verdicts[key] = HourVerdict("mass", masses[0] if masses else None, "standing order")
            elif run.removal:
                verdicts[key] = HourVerdict("cancelled", None, "does not take place")
            elif item.clock.kind is ClockKind.RANGE:
                verdicts[key] = HourVerdict("range", None, "a clock range is never a Mass")
            elif item.dated:
                verdicts[key] = HourVerdict("dated", None, "holds for single dates")
            elif item.kind != "mass":
                verdicts[key] = HourVerdict(item.kind, None, "said to be so")
            else:
                verdicts[key] = HourVerdict("unclear", None, "no days are named")
    return verdicts
