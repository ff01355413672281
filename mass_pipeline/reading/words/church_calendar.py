"""The one calendar of the church's year: movable days, the day on which a displaced solemnity is kept, and Sundays by their names
("II Niedziela Adwentu", "XV Niedziela zwykła").

Belongs here: dates, by year. Not here: feasts that announcements speak of (feasts), what parishes do (schedules.church_year).
Source: Universal Norms on the Liturgical Year 5, 56 and 60, with the custom of Poland for 3 May.
"""

from __future__ import annotations

import re
from collections.abc import Callable
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


def day_of(rule: str, year: int) -> date:
    """The date of a rule in a year: a month and day, days from Easter or from the first Sunday of Advent.

    >>> [day_of(rule, 2026) for rule in ("e60", "12-24", "advent+7")]
    [datetime.date(2026, 6, 4), datetime.date(2026, 12, 24), datetime.date(2026, 12, 6)]
    """
    if rule.startswith("e"):
        return easter(year) + timedelta(int(rule[1:]))
    if rule.startswith("advent"):
        return advent(year) + timedelta(int(rule[6:] or 0))
    return kept_on(date.fromisoformat(f"{year:04}-{rule}"))


_WEEK: Final = timedelta(7)
_ROMAN: Final = {"i": 1, "v": 5, "x": 10, "l": 50}
_WORDS: Final = ("pierwsz", "drug", "trzeci", "czwart", "piat", "szost", "siodm", "osm", "dziewiat", "dziesiat")
_NUMBER: Final = r"(?:(?P<number>[ivxl]{1,6}|\d{1,2}|" + "|".join(rf"{word}\w*" for word in _WORDS) + r")\.? )?"
_SUNDAY_NAMED: Final = r"niedziel\w+"
_LAST_ORDINARY: Final = 34


def _ordinary(year: int, number: int) -> date:
    """Counted from the Sunday of the Lord's Baptism to Lent, and back from Christ the King to Pentecost."""
    epiphany = date(year, 1, 6)
    first = epiphany + timedelta((6 - epiphany.weekday()) % 7 or 7)  # the Sunday after Epiphany is the first
    early = first + _WEEK * (number - 1)
    if early < easter(year) - timedelta(46):
        return early
    return advent(year) - _WEEK * (_LAST_ORDINARY + 1 - number)


_NAMED: Final[tuple[tuple[re.Pattern[str], Callable[[int, int], date]], ...]] = (
    (re.compile(rf"{_NUMBER}{_SUNDAY_NAMED} adwent\w*"), lambda year, n: advent(year) + _WEEK * (n - 1)),
    (re.compile(rf"{_NUMBER}{_SUNDAY_NAMED} (?:wielki\w+ postu|w\. ?postu)"), lambda year, n: easter(year) - _WEEK * (7 - n)),
    (re.compile(rf"{_NUMBER}{_SUNDAY_NAMED} wielkanoc\w*"), lambda year, n: easter(year) + _WEEK * (n - 1)),
    (re.compile(rf"{_NUMBER}{_SUNDAY_NAMED} (?:zwykl\w+|w ciagu roku|okresu zwyklego)"), _ordinary),
    (re.compile(rf"{_SUNDAY_NAMED} palmow\w+"), lambda year, _: easter(year) - _WEEK),
    (re.compile(rf"{_SUNDAY_NAMED} (?:bozego )?milosierdzia"), lambda year, _: easter(year) + _WEEK),
    (re.compile(r"(?:uroczystosc\w* )?wniebowstapieni\w+"), lambda year, _: easter(year) + _WEEK * 6),
    (re.compile(r"(?:uroczystosc\w* )?zeslani\w+ ducha"), lambda year, _: easter(year) + _WEEK * 7),
    (
        re.compile(r"(?:najswietszej )?trojcy (?:przenajswietsz|swiet)\w+|najswietsz\w+ trojc\w+"),
        lambda year, _: easter(year) + _WEEK * 8,
    ),
    (re.compile(r"chrystusa krola"), lambda year, _: advent(year) - _WEEK),
    (re.compile(rf"(?:{_SUNDAY_NAMED} )?chrztu panskiego"), lambda year, _: _ordinary(year, 1)),
)
_LEAST_NUMBERED: Final = 4  # the first entries of the table need a number


def church_sunday(folded: str, year: int) -> date | None:
    """The Sunday a text names, in a calendar year; None when it names none, or one that the year does not have.

    Args:
        folded: without accents, in lower case.
        year: calendar year.

    >>> church_sunday("ogloszenia - ii niedziela adwentu", 2026), church_sunday("xv niedziela zwykla", 2023)
    (datetime.date(2026, 12, 6), datetime.date(2023, 7, 16))
    """
    for at, (pattern, day_of) in enumerate(_NAMED):
        match = pattern.search(folded)
        if match is None:
            continue
        number = _number(match["number"]) if at < _LEAST_NUMBERED and match["number"] else 0
        if at < _LEAST_NUMBERED and not 0 < number <= _LAST_ORDINARY:
            continue
        return day_of(year, number)
    return None


def _number(text: str) -> int:
    """A number in digits, Roman numerals or words; 0 for none."""
    if text.isdigit():
        return int(text)
    for at, word in enumerate(_WORDS, 1):
        if text.startswith(word):
            return at
    values = [_ROMAN.get(letter, 0) for letter in text]
    total = sum(-value if value < max(values[at:], default=0) else value for at, value in enumerate(values))
    return total if all(values) else 0
