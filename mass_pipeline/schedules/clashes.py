"""What a sheet says of one day against what it says of several.

Belongs here: changes that take away Masses which another announcement of the same page tells as said; they wait for a person.
Not here: contradictions within one announcement (reading.changes.certainty); which of two pages counts (exceptions).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from mass_pipeline.reading.changes import ScheduleChange
from mass_pipeline.reading.words.parts_of_day import AFTERNOON
from mass_pipeline.schedules.church_year import weekday_of
from mass_pipeline.schedules.day import standing_rows
from mass_pipeline.schedules.exceptions import Announced, days_of, each_day
from mass_pipeline.schedules.rows import ScheduleRow

_TAKES: tuple[str, ...] = ("order", "cancelled", "moved")
_TELLS: tuple[str, ...] = ("order", "added")


def with_clashes(announced: Sequence[Announced], standing: Sequence[ScheduleRow]) -> list[Announced]:
    """The changes, those over several days doubtful that take away what the page tells as said on one of the days.

    "W tym tygodniu Msza tylko o 8.00" beside "W środę Msza św. o 18.00", where 18.00 is a usual hour: one of them speaks of
    other days or of another church.

    Args:
        announced: changes of one parish, settled.
        standing: its usual order; with none nothing is taken away.
    """
    told: dict[tuple[str, str, date], list[ScheduleChange]] = {}
    for one in announced:
        if one.change.kind in _TELLS and one.change.valid_from == one.change.valid_to:
            told.setdefault((one.source_url, one.page_sha256, one.change.valid_from), []).append(one.change)
    clashing = {one.change.quote for one in announced if _clashes(one, told, standing)}
    return [_doubted(one) if one.change.quote in clashing and one.change.kind in _TAKES else one for one in announced]


def _doubted(one: Announced) -> Announced:
    doubts = tuple(dict.fromkeys((*one.change.doubts, "contradiction")))
    return replace(one, change=replace(one.change, doubts=doubts)) if one.change.valid_to is not None else one


def _clashes(one: Announced, told: dict[tuple[str, str, date], list[ScheduleChange]], standing: Sequence[ScheduleRow]) -> bool:
    change = one.change
    if change.kind not in _TAKES or change.valid_to in (None, change.valid_from):
        return False
    return any(
        _taken(change, day, standing) & set(other.times)
        for day in _days(change)
        for other in _of_others(change, told.get((one.source_url, one.page_sha256, day), ()))
    )


def _of_others(change: ScheduleChange, told: Iterable[ScheduleChange]) -> Iterator[ScheduleChange]:
    yield from (other for other in told if other.quote != change.quote)


def _days(change: ScheduleChange) -> Iterator[date]:
    wanted = days_of(change)
    yield from (day for day in each_day(change) if weekday_of(day) in wanted)


def _taken(change: ScheduleChange, day: date, standing: Sequence[ScheduleRow]) -> set[str]:
    """Usual hours of a day that a change takes away."""
    usual = {row.mass.time for row in standing_rows(standing, day)[1]}
    if change.kind == "order":
        return usual - set(change.times)
    if change.times or change.kind == "moved":
        return usual & set(change.times)
    return {hour for hour in usual if not change.part or (hour >= AFTERNOON) == (change.part == "evening")}
