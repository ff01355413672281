"""Turn resolved runs into Masses with evidence, and give every hour its verdict."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from mass_pipeline.model.dates_of_year import seasons_of
from mass_pipeline.model.document import Document
from mass_pipeline.model.records import DAYS, WEEKDAYS, Evidence, Mass, ReadMass
from mass_pipeline.reading.doubts import Doubts
from mass_pipeline.reading.grammar.time_groups import (
    Adds,
    LeftOpen,
    Only,
    Replaces,
    SameAs,
    SingleDates,
    TimeEntry,
    TimeGroup,
    Unread,
)
from mass_pipeline.reading.phrases.chunker import VIGIL
from mass_pipeline.reading.phrases.lines import flatten
from mass_pipeline.reading.phrases.nodes import Days, InList, InSeason, Node, NodeLine, OfKind, OnDays, OnNth
from mass_pipeline.reading.validity.account import Account
from mass_pipeline.reading.validity.contradictions import contradicted_hours
from mass_pipeline.reading.validity.listed_times import times_of_parts_of_the_year
from mass_pipeline.reading.validity.merging import merge
from mass_pipeline.reading.validity.overrides import Entry, Resolver
from mass_pipeline.reading.validity.quotes import Quotes
from mass_pipeline.reading.validity.redactor import Redactor, told_note
from mass_pipeline.reading.validity.regions import alike, days_of
from mass_pipeline.reading.words.clock import ClockKind
from mass_pipeline.reading.words.parts_of_day import EVENING

_WITHOUT_HOLY_DAYS: Final = frozenset({"advent", "lent"})  # no holy day of obligation falls into them
_CONFIDENT: Final = 0.95
_UNCERTAIN: Final = 0.5
_AS_LIKELY: Final = 0.5  # weight of another list of the same text
# What an hour may be said to be that a person may take for a Mass all the same, and what its verdict says.
_OPEN: Final[Mapping[str, str]] = {
    "event": "its words tell of an event",
    "reference": "its words only refer to it",
    "dated": "holds for single dates",
    "unclear": "",
}

_NO_DAYS: Final = "no days are named"


@dataclass(frozen=True, slots=True)
class HourVerdict:
    """What an hour on a page is.

    Attributes:
        kind: `mass`, `dated`, `cancelled`, `unclear`, `office`, `confession`, `devotion`, `adoration`, `range`, ...
        mass: the record when it is a standing Mass, else None.
        reason: why, in a few words.
        may_be: the record, season and place aside, of an hour on a line of Masses that no rule takes for one nor for another
            service; a person decides.
    """

    kind: str
    mass: Mass | None
    reason: str
    may_be: Mass | None = None


def assemble(
    document: Document, lines: Sequence[NodeLine], runs: Sequence[TimeGroup], doubts: Doubts, told: Redactor | None = None
) -> tuple[tuple[ReadMass, ...], dict[tuple[int, int], HourVerdict]]:
    """Resolve runs: the Masses that stand, with evidence, and the verdict of every hour by (line, start).

    Args:
        document: where the hours stand.
        lines: its lines that were read, in order.
        runs: hours with their conditions, in the order of the text.
        doubts: answers to what the text leaves open; further questions are asked of it.
        told: places of the document as they may be shown; None works them out anew.
    """
    resolver = Resolver(doubts, _has(runs, "Su"), _has(runs, "PH"), times_of_parts_of_the_year(runs))
    for run in _in_turn(runs):
        resolver.apply(run)
    if not resolver.entries:
        return (), _verdicts(runs, (), frozenset(), resolver.days_of_run)
    told = told or Redactor(document)
    quotes = Quotes(document, lines, runs, told.place)
    account = Account(lines, told)
    named = {line.index for line in lines if any(map(_names_mass, flatten(line.nodes)))}
    unexplained = {id(entry.item) for entry in resolver.entries if entry.item.line not in named and account.of(entry)}
    contradicted = contradicted_hours(runs, resolver.days_of_run, unexplained)
    standing = [(entry, _masses_of(entry, told)) for entry in resolver.entries]
    masses = merge(
        read for entry, found in standing for read in _readings_of(entry, found, document, quotes, account, contradicted)
    )
    stated = {entry.item.line for entry, found in standing if found}
    return tuple(masses), _verdicts(runs, standing, stated | named, resolver.days_of_run)


def _names_mass(node: Node) -> bool:
    return isinstance(node, OfKind) and node.value == "mass"


def _in_turn(runs: Sequence[TimeGroup]) -> list[TimeGroup]:
    """The groups in the order in which they hold: what speaks of a list comes after it, though it stand above.

    "We wtorki o 8.00 zamiast o 7.00", "w tygodniu jest tylko Msza o 7.00, pozostałe są odwołane".
    """
    stated: set[str] = set()
    turns: list[int] = []
    for run in runs:
        whole = isinstance(run.effect, Only) and not run.scope.keys() & {InSeason, OnNth}
        ahead = whole or (isinstance(run.effect, Replaces) and run.effect.time not in stated)
        turns.append(1 if ahead else _turn(run))
        stated |= {item.clock.time for item in run.items}
    return [runs[at] for at in sorted(range(len(runs)), key=turns.__getitem__)]


def _turn(run: TimeGroup) -> int:
    """What refers to other lists comes after them: removals, then copies of what is left.

    Last of all comes what is taken from the copies: "w święta bez Mszy o 7.00".
    """
    label = run.label()
    if isinstance(run.effect, Unread):
        return 5
    if run.removes:
        return 4 if label is not None and label.days <= {"PH", "AF"} else 2
    return 3 if isinstance(run.effect, SameAs) else 0


def _has(runs: Iterable[TimeGroup], day: str) -> bool:
    """Whether a list of its own exists for the day; "w niedziele także" only adds to another one."""
    return any(
        day in label.days and not label.daily and not label.feasts and any(item.is_live for item in run.items)
        for run in runs
        if not isinstance(run.effect, Adds) and (label := run.label()) is not None
    )


def _readings_of(
    entry: Entry, masses: Iterable[Mass], document: Document, quotes: Quotes, account: Account, contradicted: Collection[int]
) -> list[ReadMass]:
    """The records of one entry with confidence, evidence and what of its line is unexplained; `contradicted`: of hours."""
    evidence = (Evidence(document.url, quotes.of(entry.item), entry.item.line, entry.item.clock.start),)
    confidence = _UNCERTAIN if entry.item.has(LeftOpen) or account.is_refuted(entry) else _CONFIDENT
    against = _AS_LIKELY if id(entry.item) in contradicted else 0.0
    return [ReadMass(mass, confidence, evidence, unexplained=account.of(entry), contradicted=against) for mass in masses]


def _masses_of(entry: Entry, told: Redactor) -> list[Mass]:
    """The records of one entry: one per set of days that share weeks and dates."""
    found: list[Mass] = []
    notes = dict.fromkeys(note for note in map(told_note, entry.notes) if note)
    if _is_vigil(entry) and VIGIL not in notes:
        notes[VIGIL] = None
    for nth, dates, days in alike(entry.area):
        if entry.overlay and _WITHOUT_HOLY_DAYS.issuperset(entry.overlay.split("+")) and days - {"PH"}:
            days = days - {"PH"}
        told_seasons = seasons_of(dates, summer_named=entry.named)
        seasons = [(season, "") for season in entry.overlay.split("+")] if entry.overlay else told_seasons
        ordered = tuple(day for day in DAYS if day in days)
        place, note = told.place(entry.place), ", ".join(notes)
        found.extend(Mass(ordered, entry.time, season, nth, place, note, span) for season, span in seasons)
    return found


def _is_vigil(entry: Entry) -> bool:
    """Saturday's Mass in the list of Sunday is the Sunday Mass."""
    label = entry.label.value if entry.label is not None else None
    return (
        isinstance(label, Days)
        and "Su" in label.days
        and not label.daily
        and days_of(entry.area) == {"Sa"}
        and entry.time >= EVENING
    )


def _verdicts(
    runs: Sequence[TimeGroup],
    entries: Iterable[tuple[Entry, Sequence[Mass]]],
    of_masses: Collection[int],
    days_of_run: Callable[[TimeGroup], frozenset[str]],
) -> dict[tuple[int, int], HourVerdict]:
    """What every hour is, by (line, start); `of_masses` are the lines that state or name Masses."""
    standing = {id(entry.item): masses for entry, masses in entries}
    verdicts: dict[tuple[int, int], HourVerdict] = {}
    for run in runs:
        for item in run.items:
            masses = standing.get(id(item))
            verdict = HourVerdict("mass", masses[0], "standing order") if masses else _no_mass(run, item)
            if verdict.kind in _OPEN and (item.line in of_masses or verdict.reason == _NO_DAYS):
                named = days_of_run(run) or WEEKDAYS
                days = tuple(day for day in DAYS if day in named)
                verdict = replace(verdict, may_be=Mass(days, item.clock.time))
            verdicts[item.line, item.clock.start] = verdict
    return verdicts


def _no_mass(run: TimeGroup, item: TimeEntry) -> HourVerdict:
    if run.removes:
        return HourVerdict("cancelled", None, "does not take place")
    if item.clock.kind is ClockKind.RANGE:
        return HourVerdict("range", None, "a clock range is never a Mass")
    if item.has(SingleDates):
        return HourVerdict("dated", None, "holds for single dates")
    if item.kind != "mass":
        return HourVerdict(item.kind, None, _OPEN.get(item.kind, "said to be so"))
    has_days = run.scope.keys() & {InList, OnDays, OnNth}
    return HourVerdict("unclear", None, "other hours take its place on all its days" if has_days else _NO_DAYS)
