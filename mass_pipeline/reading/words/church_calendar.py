"""The one calendar of the church's year: movable days, and the day on which a displaced solemnity is kept.

Belongs here: dates, by year. Not here: words that name them (feasts), what parishes do on them (schedules.church_year).
Source: Universal Norms on the Liturgical Year 5, 56 and 60, with the custom of Poland for 3 May.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

ASH_WEDNESDAY: Final = timedelta(-46)  # from Easter, as all below
PALM_SUNDAY: Final = timedelta(-7)
CORPUS_CHRISTI: Final = timedelta(60)
_AFTER_OCTAVE: Final = timedelta(8)
_DAY: Final = timedelta(1)
_SUNDAY: Final = 6


def advent(year: int) -> date:
    """First Sunday of Advent: the fourth before Christmas Day.

    >>> advent(2026)
    datetime.date(2026, 11, 29)
    """
    christmas = date(year, 12, 25)
    return christmas - timedelta((christmas.weekday() + 1) % 7 or 7) - timedelta(21)


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar (Meeus, Jones, Butcher).

    >>> easter(2026)
    datetime.date(2026, 4, 5)
    """
    a, b, c = year % 19, year // 100, year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    ell = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    m = (a + 11 * h + 22 * ell) // 451
    month, day = divmod(h + ell - 7 * m + 114, 31)
    return date(year, month, day + 1)


def kept_on(day: date) -> date:
    """The day on which the feast of a fixed day is kept: its own, but for solemnities that Lent, Easter or Advent displace.

    St Joseph, the Annunciation, the Queen of Poland (3 May) and the Immaculate Conception; any other day is returned as it is.

    >>> kept_on(date(2024, 12, 8)), kept_on(date(2026, 5, 3)), kept_on(date(2027, 3, 25))
    (datetime.date(2024, 12, 9), datetime.date(2026, 5, 2), datetime.date(2027, 4, 5))
    """
    of_easter = easter(day.year)
    palm_sunday, after_octave = of_easter + PALM_SUNDAY, of_easter + _AFTER_OCTAVE
    match (day.month, day.day):
        case (3, 19) if day >= palm_sunday:
            return palm_sunday - _DAY
        case (3, 25) if palm_sunday <= day < after_octave:
            return after_octave
        case (5, 3) if day.weekday() == _SUNDAY:
            return day - _DAY
        case (3, 19) | (3, 25) | (12, 8) if day.weekday() == _SUNDAY:
            return day + _DAY
    return day
