"""Weeks in which parishes announce more: before Advent, Christmas, Holy Week, July, September and clock changes (C2)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache

from mass_pipeline.reading.words.church_calendar import easter


@cache
def is_busy(day: date, days_before: int) -> bool:
    """Whether a day lies within so many days before (or on) one of the days on which schedules change.

    >>> is_busy(date(2026, 12, 20), 7), is_busy(date(2026, 2, 3), 7)
    (True, False)
    """
    return any(
        timedelta(0) <= event - day <= timedelta(days_before) for year in (day.year, day.year + 1) for event in _events(year)
    )


@cache
def _events(year: int) -> tuple[date, ...]:
    return tuple(_days(year))


def _days(year: int) -> Iterator[date]:
    christmas = date(year, 12, 25)
    yield christmas
    yield christmas - timedelta(christmas.isoweekday() % 7 or 7) - timedelta(weeks=3)  # first Sunday of Advent
    yield easter(year) - timedelta(7)
    yield date(year, 7, 1)
    yield date(year, 9, 1)
    for month in (3, 10):  # clocks change on the last Sundays of March and October
        last = date(year, month, 31)
        yield last - timedelta(last.isoweekday() % 7)
