"""When a Mass takes place: for every day and week of the month, the days of the year. The arithmetic of exceptions.

A region is a set of (day, week of the month, day of the year). Weeks are 1..5; -1 is the last one, which stands beside them. It
is written as one whole number, the days of the year of each day and week one after another, so that taking away (`& ~`), joining
(`|`) and comparing (`&`) are one operation each: a list of hundreds of hours compares each hour with all before it.

>>> from mass_pipeline.model.dates_of_year import SUMMER
>>> cells_of(region(["We"]) & ~region(["We"], SUMMER))[("We", 1)] == YEAR & ~SUMMER
True
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from mass_pipeline.model.dates_of_year import NO_DATES, YEAR, YEAR_LENGTH, DatesOfYear
from mass_pipeline.model.records import DAYS
from mass_pipeline.reading.phrases.nodes import NTH, Nth

Region = int

NOWHERE: Final[Region] = 0
_WEEKS: Final = (*NTH, -1)
_SHIFTS: Final[dict[tuple[str, int], int]] = {
    (day, week): YEAR_LENGTH * (row * len(_WEEKS) + column) for row, day in enumerate(DAYS) for column, week in enumerate(_WEEKS)
}
_EVERY_CELL: Final = sum(1 << shift for shift in _SHIFTS.values())  # 1 January of each
_OF_DAY: Final[dict[str, int]] = {day: sum(YEAR << _SHIFTS[day, week] for week in _WEEKS) for day in DAYS}
_BEGINNINGS: Final[dict[str, int]] = {day: sum(1 << _SHIFTS[day, week] for week in NTH) for day in DAYS}  # 1 January of each
_FIVE_WEEKS: Final = tuple(sum(YEAR << _SHIFTS[day, week] for day in DAYS) for week in NTH)
_MOST_KEPT: Final = 4096  # regions whose days and dates are remembered; few are ever met


def region(days: Iterable[str], dates: DatesOfYear = YEAR, weeks: Iterable[int] = NTH) -> Region:
    """The region of these days in these weeks and on these dates."""
    cells = 0
    if weeks is NTH:  # of most hours
        for day in days:
            cells |= _BEGINNINGS[day]
        return cells * dates
    weeks = tuple(weeks)
    for day in days:
        for week in weeks:
            cells |= 1 << _SHIFTS[day, week]
    return cells * dates


def region_of_nth(nth: Nth, dates: DatesOfYear = YEAR) -> Region:
    """The region of certain weekdays of the month.

    >>> cells_of(region_of_nth(Nth((1,), frozenset({"Fr"}), more=(Nth((2,), frozenset({"Su"})),)))) == {
    ...     ("Fr", 1): YEAR, ("Su", 2): YEAR}
    True
    """
    area = NOWHERE
    for part in (nth, *nth.more):
        area |= region(part.days, dates, part.ordinals)
    return area


def with_last_weeks(area: Region) -> Region:
    """The region with the last week of each day that it holds in every week.

    >>> on_weeks = region_of_nth(Nth((1, -1), frozenset({"Sa"})))
    >>> with_last_weeks(region(["Sa"])) & on_weeks == on_weeks
    True
    """
    for day in DAYS:
        dates = YEAR
        for week in NTH:
            dates &= area >> _SHIFTS[day, week]
        area |= dates << _SHIFTS[day, -1]
    return area


def on_dates(area: Region, dates: DatesOfYear) -> Region:
    """What lies on these days of the year."""
    return area & (_EVERY_CELL * dates)


def on_days(area: Region, days: Iterable[str]) -> Region:
    """What lies on these days."""
    return area & sum(_OF_DAY[day] for day in days)


def moved_to(area: Region, day: str, other: str) -> Region:
    """What lies on a day, on another day instead.

    >>> moved_to(region(["Su", "Mo"]), "Su", "PH") == region(["PH"])
    True
    """
    return ((area & _OF_DAY[day]) >> _SHIFTS[day, 1]) << _SHIFTS[other, 1]


@lru_cache(maxsize=_MOST_KEPT)
def days_of(area: Region) -> frozenset[str]:
    """Days on which anything is left."""
    return frozenset([day for day in DAYS if area & _OF_DAY[day]])


@lru_cache(maxsize=_MOST_KEPT)
def dates_of(area: Region) -> DatesOfYear:
    """Days of the year on which anything is left."""
    dates = NO_DATES
    for shift in _SHIFTS.values():
        dates |= area >> shift & YEAR
    return dates


def in_any_week(area: Region) -> Region:
    """What is left in any week, said of the first."""
    found = NOWHERE
    for (day, _), dates in cells_of(area).items():
        found |= dates << _SHIFTS[day, 1]
    return found


def holds_every_week(area: Region) -> bool:
    """Whether something is left in each of the five weeks: no Mass of first Fridays."""
    return all(area & week != 0 for week in _FIVE_WEEKS)


@lru_cache(maxsize=_MOST_KEPT)
def cells_of(area: Region) -> dict[tuple[str, int], DatesOfYear]:
    """(day, week) -> dates, of what is left, in the order of the calendar, the last week after the fifth. Not to be changed."""
    return {cell: dates for cell, shift in _SHIFTS.items() if (dates := area >> shift & YEAR)}


@lru_cache(maxsize=_MOST_KEPT)
def alike(area: Region) -> tuple[tuple[tuple[int, ...] | None, DatesOfYear, frozenset[str]], ...]:
    """Weeks (None for all five), dates and days of each set of days that share weeks and dates, in calendar order."""
    weeks_of: dict[tuple[str, DatesOfYear], list[int]] = {}
    for (day, week), dates in cells_of(area).items():
        weeks_of.setdefault((day, dates), []).append(week)
    groups: dict[tuple[tuple[int, ...] | None, DatesOfYear], set[str]] = {}
    for (day, dates), weeks in weeks_of.items():
        nth = None if set(weeks) >= set(NTH) else tuple(weeks)
        groups.setdefault((nth, dates), set()).add(day)
    return tuple((nth, dates, frozenset(days)) for (nth, dates), days in groups.items())
