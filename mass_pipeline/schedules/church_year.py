"""The calendar by which Polish parishes order their Masses: holy days, abolished feasts, liturgical seasons.

Source of the days: Code of Canon Law, can. 1246, with the decree of the Polish bishops of 2003 (holy days of obligation);
abolished feasts as parishes name them ("święta zniesione"). Days themselves: reading.words.church_calendar.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache
from typing import Final, Literal

from mass_pipeline.model.dates_of_year import dates_of_season, holds
from mass_pipeline.model.records import WEEKDAYS, Day
from mass_pipeline.reading.words.church_calendar import ASH_WEDNESDAY, CORPUS_CHRISTI, easter, kept_on
from mass_pipeline.reading.words.periods import period_of

_FIXED_HOLY_DAYS: Final = ((1, 1), (1, 6), (8, 15), (11, 1), (12, 25))
_FIXED_ABOLISHED: Final = ((2, 2), (6, 29), (11, 2), (12, 26))  # stay on a Sunday
_DISPLACED: Final = ((3, 19), (5, 3), (12, 8))  # abolished feasts that give way to a Sunday or to Holy Week
_WHIT_MONDAY: Final = timedelta(50)
_VISITS: Final = ((12, 27), (2, 2))  # pastoral visits: from the day after Christmas to Candlemas
_ABOUT_VISITS: Final = ((12, 27), (2, 14))  # large parishes need longer, small ones less
# The last day of school moves from year to year (Friday after 20 June), and so do the habits of parishes around it.
_ABOUT_HOLIDAYS: Final = (((6, 20), (7, 5)), ((8, 25), (9, 5)))
_EVE_FROM: Final = "15:00"  # of Christmas Eve: families sit down to supper at the first star
_WEEK: Final = timedelta(7)

Certainty = Literal["sure", "approximate", "unknown"]


def is_holy_day(day: date) -> bool:
    """Whether it is a holy day of obligation besides the Sundays.

    >>> is_holy_day(date(2026, 6, 4))
    True
    """
    return (day.month, day.day) in _FIXED_HOLY_DAYS or day - easter(day.year) == CORPUS_CHRISTI


def is_abolished_feast(day: date) -> bool:
    """Whether a feast that once was a holy day of obligation is kept on the day.

    >>> is_abolished_feast(date(2024, 12, 8)), is_abolished_feast(date(2024, 12, 9))
    (False, True)
    """
    return day in _abolished_feasts(day.year)


def is_transferred_feast(day: date) -> bool:
    """Whether the abolished feast of the day is kept there because its own day belongs to a Sunday or to Holy Week."""
    return _abolished_feasts(day.year).get(day, False)


@cache
def _abolished_feasts(year: int) -> Mapping[date, bool]:
    """Days of the abolished feasts -> whether the feast was moved there."""
    of_easter = easter(year)
    moved = {kept_on(day): day for day in (date(year, *month_day) for month_day in _DISPLACED)}
    fixed = [date(year, month, day) for month, day in _FIXED_ABOLISHED]
    movable = [of_easter + days for days in (ASH_WEDNESDAY, timedelta(1), _WHIT_MONDAY)]
    return {day: day != own for day, own in moved.items()} | dict.fromkeys((*fixed, *movable), False)


def is_kept_as_sunday(day: date) -> bool:
    """Whether it is an abolished feast that is a public holiday: the second days of Christmas and Easter."""
    return (day.month, day.day) == (12, 26) or day - easter(day.year) == timedelta(1)


def is_without_mass(day: date) -> bool:
    """Whether the standing order never holds: Good Friday and Holy Saturday (Roman Missal, Paschal Triduum)."""
    return (day - easter(day.year)).days in (-2, -1)


def has_own_order(day: date, time: str) -> bool:
    """Whether nearly every parish orders a time of the day otherwise than usual, so that a usual hour is only assumed.

    On Christmas Eve the evening before midnight Mass; on Holy Thursday the morning, which has no Mass, and the evening, which
    has one (Roman Missal, Paschal Triduum); on Easter Sunday, which begins with the Mass of the Resurrection.

    >>> has_own_order(date(2026, 12, 24), "07:00"), has_own_order(date(2026, 12, 24), "18:00")
    (False, True)
    """
    if (day.month, day.day) == (12, 24):
        return time >= _EVE_FROM
    return (day - easter(day.year)).days in (-3, 0)


def weekday_of(day: date) -> Day:
    """`Mo` to `Su`."""
    return WEEKDAYS[day.weekday()]


def is_nth(day: date, nth: tuple[int, ...] | None) -> bool:
    """Whether the day is one of these ordinals of its weekday in the month (-1: the last); None admits every week.

    >>> is_nth(date(2026, 11, 6), (1,)), is_nth(date(2026, 11, 27), (-1,))
    (True, True)
    """
    if nth is None:
        return True
    from_end = -1 if (day + timedelta(7)).month != day.month else 0
    return (day.day - 1) // 7 + 1 in nth or from_end in nth


def is_in_season(day: date, season: str) -> bool | None:
    """Whether the day lies in a season, a `Mass.when`; None when the record does not say when it is ("custom")."""
    dates = dates_of_season(season)
    if dates is not None:
        return holds(dates, (day.month, day.day))
    if (told := period_of(season, day)) is not None:
        return told[0] <= day <= told[1]
    if season == "christmasvisits":
        return (day.month, day.day) >= _VISITS[0] or (day.month, day.day) <= _VISITS[1]
    return None


def season_certainty(day: date, season: str) -> Certainty:
    """How surely `is_in_season` says of a day whether it lies in a season.

    Returns:
        `unknown`: the record does not say when the season is; `approximate`: its border is a habit (holidays, the two halves
        of the year, pastoral visits) and the day lies near it; else `sure`.

    >>> season_certainty(date(2026, 6, 28), "vacation"), season_certainty(date(2026, 7, 28), "vacation")
    ('approximate', 'sure')
    """
    if season == "custom":
        return "unknown"
    near = False
    if season in ("school", "vacation"):
        near = any(first <= (day.month, day.day) <= last for first, last in _ABOUT_HOLIDAYS)
    elif season in ("summer", "winter"):
        near = any(_clock_change(day.year, month) - _WEEK <= day <= date(day.year, month + 1, 7) for month in (3, 10))
    elif season == "christmasvisits":
        near = (day.month, day.day) >= _ABOUT_VISITS[0] or (day.month, day.day) <= _ABOUT_VISITS[1]
    return "approximate" if near else "sure"


def _clock_change(year: int, month: int) -> date:
    """Last Sunday of March or October (Directive 2000/84/EC); parishes change their hours then or with the month."""
    last = date(year, month, 31)
    return last - timedelta((last.weekday() + 1) % 7)
