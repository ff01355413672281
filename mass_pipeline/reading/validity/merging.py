"""Several readings of the same Masses as one: dates united, days with equal dates together, repetitions dropped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from mass_pipeline.model.dates_of_year import YEAR, DatesOfYear, dates_of_season, joined, seasons_of
from mass_pipeline.model.records import DAYS, Day, Mass, ReadMass

_SPECIAL: Final = frozenset({"advent", "lent", "christmasvisits", "custom", "may", "october"})
_HALVES: Final = frozenset({"summer", "winter"})
_Key = tuple[str, tuple[int, ...] | None, str]  # time, nth, place


def merge(masses: Iterable[ReadMass]) -> list[ReadMass]:
    """One record per (days, time, season, nth, place), sorted.

    Dates of the same Mass are united ("18.00 outside vacation" and "18.00 in vacation" is "18.00"); what a Mass of the
    whole year says already is dropped. The first reading lends evidence and remark.
    """
    seasonal: dict[_Key, dict[str, list[ReadMass]]] = {}
    overlays: dict[tuple[_Key, str], dict[str, ReadMass]] = {}
    for read in masses:
        mass = read.mass
        key = (mass.time, mass.nth, mass.place)
        for day in mass.days:
            if dates_of_season(mass.when) is None:
                overlays.setdefault((key, mass.season), {}).setdefault(day, read)
            else:
                seasonal.setdefault(key, {}).setdefault(day, []).append(read)
    merged = [row for key, days in seasonal.items() for row in _united(key, days)]
    merged.extend(
        row for (_, season), by_day in overlays.items() for row in _regrouped({d: [r] for d, r in by_day.items()}, [(season, "")])
    )
    whole: set[tuple[str, str]] = {
        (d, r.mass.time) for r in merged if r.mass.season == "all" and r.mass.nth is None for d in r.mass.days
    }
    kept = [read for read in merged if not _covered(read.mass, whole)]
    return sorted(kept, key=lambda read: read.mass.sort_key())


def _united(key: _Key, days: dict[str, list[ReadMass]]) -> list[ReadMass]:
    """The rows of one Mass: days that share their dates together."""
    by_dates: dict[DatesOfYear, dict[str, list[ReadMass]]] = {}
    for day, reads in days.items():
        dates = joined(dates_of_season(read.mass.when) or YEAR for read in reads)
        by_dates.setdefault(dates, {})[day] = reads
    rows: list[ReadMass] = []
    for dates, group in by_dates.items():
        named = not _HALVES.isdisjoint([read.mass.season for reads in group.values() for read in reads])
        rows.extend(_regrouped(group, seasons_of(dates, summer_named=named)))
    return rows


def _regrouped(days: dict[str, list[ReadMass]], seasons: Sequence[tuple[str, str]]) -> list[ReadMass]:
    """One row per season and remark; days whose readings carry different remarks, or are less sure, stay apart."""
    alike: dict[tuple[str, float, tuple[str, ...], float], dict[str, list[ReadMass]]] = {}
    for day, reads in days.items():
        against = min(read.contradicted for read in reads)
        alike.setdefault((_remarks(reads), reads[0].confidence, _unexplained(reads), against), {})[day] = reads
    rows: list[ReadMass] = []
    for (note, confidence, unexplained, against), group in alike.items():
        distinct = list({id(read): read for reads in group.values() for read in reads}.values())  # one read has several days
        first = distinct[0]
        evidence = tuple(dict.fromkeys([e for read in distinct for e in read.evidence]))
        ordered: tuple[Day, ...] = tuple(day for day in DAYS if day in group)
        for season, span in seasons:
            mass = Mass(ordered, first.mass.time, season, first.mass.nth, first.mass.place, note, span)
            rows.append(ReadMass(mass, confidence, evidence, first.method, unexplained, against))
    return rows


def _remarks(reads: Sequence[ReadMass]) -> str:
    """The remarks of all, each once."""
    if not any(read.mass.note for read in reads):
        return ""
    return ", ".join(dict.fromkeys(note for read in reads for note in read.mass.note.split(", ") if note))


def _unexplained(reads: list[ReadMass]) -> tuple[str, ...]:
    """What every one of several readings leaves unexplained: a line without such words proves the Mass by itself."""
    if not all(read.unexplained for read in reads):
        return ()
    return tuple(dict.fromkeys(word for read in reads for word in read.unexplained))


def _covered(mass: Mass, whole: set[tuple[str, str]]) -> bool:
    """Whether a Mass of the whole year says the same already."""
    special = mass.nth is not None or mass.season in _SPECIAL
    return special and all((day, mass.time) in whole for day in mass.days)
