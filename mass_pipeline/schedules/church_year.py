"""The calendar by which Polish parishes order their Masses: holy days, abolished feasts, liturgical seasons.

Source of the days: Code of Canon Law, can. 1246, with the decree of the Polish bishops of 2003 (holy days of obligation);
abolished feasts as parishes name them ("święta zniesione").
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from mass_pipeline.extraction.changes.feasts import advent, easter
from mass_pipeline.model.records import WEEKDAYS, Day
from mass_pipeline.schedule_grammar.osm import months_of_season

_FIXED_HOLY_DAYS: Final = ((1, 1), (1, 6), (8, 15), (11, 1), (12, 25))
_FIXED_ABOLISHED: Final = ((2, 2), (3, 19), (5, 3), (6, 29), (11, 2), (12, 8), (12, 26))
_CORPUS_CHRISTI: Final = 60  # days after Easter
_WHIT_MONDAY: Final = 50
_ASH_WEDNESDAY: Final = -46
_VISITS: Final = ((12, 27), (2, 2))  # pastoral visits: from the day after Christmas to Candlemas


def is_holy_day(day: date) -> bool:
    """Whether it is a holy day of obligation besides the Sundays.

    >>> is_holy_day(date(2026, 6, 4))
    True
    """
    return (day.month, day.day) in _FIXED_HOLY_DAYS or day - easter(day.year) == timedelta(_CORPUS_CHRISTI)


def is_abolished_feast(day: date) -> bool:
    """Whether it is a feast that once was a holy day of obligation."""
    since_easter = (day - easter(day.year)).days
    return (day.month, day.day) in _FIXED_ABOLISHED or since_easter in (_ASH_WEDNESDAY, 1, _WHIT_MONDAY)


def is_kept_as_sunday(day: date) -> bool:
    """Whether it is an abolished feast that is a public holiday: the second days of Christmas and Easter."""
    return (day.month, day.day) == (12, 26) or day - easter(day.year) == timedelta(1)


def is_without_mass(day: date) -> bool:
    """Whether the standing order never holds: Good Friday and Holy Saturday (Roman Missal, Paschal Triduum)."""
    return (day - easter(day.year)).days in (-2, -1)


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
    """Whether the day lies in a season of `Mass.season`; None when the record does not say when it is ("custom")."""
    months = months_of_season(season)
    if months is not None:
        return day.month in months
    if season == "advent":
        return advent(day.year) <= day <= date(day.year, 12, 24)
    if season == "lent":
        return easter(day.year) + timedelta(_ASH_WEDNESDAY) <= day < easter(day.year)
    if season == "christmasvisits":
        return (day.month, day.day) >= _VISITS[0] or (day.month, day.day) <= _VISITS[1]
    return None
