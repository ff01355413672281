"""Lay the published rows of one parish out over dates: what the search, calendars and feeds show.

`schedules.day.day_schedule` alone decides which Masses a date has; here it is only asked day after day, and what is not
certain about an hour is flagged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import IntFlag
from typing import Final

from mass_pipeline.model.identifiers import fold
from mass_pipeline.reading.words.weekday_patterns import SUNDAY
from mass_pipeline.schedules.day import DaySchedule, day_schedule
from mass_pipeline.schedules.freshness import MOST_A_DAY
from mass_pipeline.schedules.rows import ScheduleRow

MINUTES_A_DAY: Final = 1440
DOUBTFUL_BELOW: Final = 0.8  # confidence under which an hour is called doubtful


class Flag(IntFlag):
    """What must be said beside an hour."""

    ASSUMED = 1  # a feast of which the parish says nothing: its Sunday order
    APPROXIMATE_SEASON = 2  # the season begins or ends about now
    SEASON_UNKNOWN = 4  # the words name a season without saying when it is
    ANNOUNCED = 8  # out of an announcement for this date
    VIGIL = 16  # an evening Mass that the words call that of the Sunday or feast
    DOUBT = 32  # confidence under DOUBTFUL_BELOW
    OTHER_PLACE = 64  # not in the parish church
    CANCELLED = 128  # announced not to take place; never in a search
    UNREAL_HOUR = 256  # an hour that the change of clocks leaves out
    TRANSFERRED = 512  # the list of a feast that another day has displaced
    OWN_ORDER = 1024  # the usual hour of a time that nearly every parish orders otherwise
    SCHOOL_BREAK = 2048  # a Mass of the school year while schools are closed
    SCHOOL_BREAK_UNKNOWN = 4096  # the same, perhaps: nobody has given the dates of these holidays


SEASON_DOUBTS: Final = Flag.APPROXIMATE_SEASON | Flag.SEASON_UNKNOWN | Flag.SCHOOL_BREAK | Flag.SCHOOL_BREAK_UNKNOWN
ASSUMED_ONLY: Final = Flag.ASSUMED | Flag.OWN_ORDER | Flag.UNREAL_HOUR | SEASON_DOUBTS  # held perhaps, perhaps not


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One Mass of one date.

    Attributes:
        minute: local clock minutes since the beginning of the first day.
        row: index of its row among the parish's rows.
        flags: what must be said beside it.
    """

    minute: int
    row: int
    flags: Flag


def occurrences(rows: Sequence[ScheduleRow], first: date, days: int, voivodeship: str = "") -> Iterator[Occurrence]:
    """Every Mass and every cancelled one of a parish from a day on, by day, hour and row.

    Args:
        rows: all rows of the parish.
        first: the first day.
        days: how many.
        voivodeship: of the parish, for its winter holidays; "" when it is not known.

    Returns:
        occurrences in order; days with more than `MOST_A_DAY` Masses give none.
    """
    index = {id(row): number for number, row in enumerate(rows)}
    for offset in range(days):
        day = first + timedelta(offset)
        schedule = day_schedule(rows, day, voivodeship)
        if len(schedule.masses) > MOST_A_DAY:
            continue
        found = [_occurrence(offset, index[id(row)], row, flags_of(row, schedule)) for row in schedule.masses]
        found += [
            _occurrence(offset, index[id(row)], row, flags_of(row, schedule) | Flag.CANCELLED) for row in schedule.cancelled
        ]
        yield from sorted(found, key=lambda one: (one.minute, one.row))


def flags_of(row: ScheduleRow, schedule: DaySchedule) -> Flag:
    """What must be said beside a Mass of this row on this date."""
    said = next((flags for one, flags in zip(schedule.masses, schedule.flags, strict=False) if one is row), ())
    flags = Flag(0)
    for name in said:
        flags |= Flag[name.upper()]
    if row.exception is not None:
        flags |= Flag.ANNOUNCED
    if row.confidence < DOUBTFUL_BELOW:
        flags |= Flag.DOUBT
    if row.mass.place:
        flags |= Flag.OTHER_PLACE
    if row.mass.time >= "16:00" and schedule.day.weekday() == _SATURDAY and f"{SUNDAY}n" in fold(row.mass.note):
        flags |= Flag.VIGIL
    is_end_of_march = schedule.day.month == 3 and schedule.day.day > 24
    if row.mass.time[:2] == "02" and is_end_of_march and schedule.day.weekday() == _SUNDAY:
        flags |= Flag.UNREAL_HOUR
    return flags


def minute_of(time: str) -> int:
    """Minutes of a clock time since midnight; 24:00 is the next day's beginning.

    >>> minute_of("18:30"), minute_of("24:00")
    (1110, 1440)
    """
    return int(time[:2]) * 60 + int(time[3:5])


_SATURDAY: Final = 5
_SUNDAY: Final = 6


def _occurrence(offset: int, row: int, mass: ScheduleRow, flags: Flag) -> Occurrence:
    return Occurrence(offset * MINUTES_A_DAY + minute_of(mass.mass.time), row, flags)
