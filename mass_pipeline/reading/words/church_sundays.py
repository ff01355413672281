"""Sundays by their names in the church's year: "II Niedziela Adwentu", "XV Niedziela zwykła", "Niedziela Palmowa".

Belongs here: the date of a named Sunday in a given year. Not here: feasts that announcements speak of (feasts).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

from mass_pipeline.reading.words.church_calendar import advent, easter

_WEEK: Final = timedelta(7)
_ROMAN: Final = {"i": 1, "v": 5, "x": 10, "l": 50}
_WORDS: Final = ("pierwsz", "drug", "trzeci", "czwart", "piat", "szost", "siodm", "osm", "dziewiat", "dziesiat")
_NUMBER: Final = r"(?:(?P<number>[ivxl]{1,6}|\d{1,2}|" + "|".join(rf"{word}\w*" for word in _WORDS) + r")\.? )?"
_SUNDAY: Final = r"niedziel\w+"
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
    (re.compile(rf"{_NUMBER}{_SUNDAY} adwent\w*"), lambda year, n: advent(year) + _WEEK * (n - 1)),
    (re.compile(rf"{_NUMBER}{_SUNDAY} (?:wielki\w+ postu|w\. ?postu)"), lambda year, n: easter(year) - _WEEK * (7 - n)),
    (re.compile(rf"{_NUMBER}{_SUNDAY} wielkanoc\w*"), lambda year, n: easter(year) + _WEEK * (n - 1)),
    (re.compile(rf"{_NUMBER}{_SUNDAY} (?:zwykl\w+|w ciagu roku|okresu zwyklego)"), _ordinary),
    (re.compile(rf"{_SUNDAY} palmow\w+"), lambda year, _: easter(year) - _WEEK),
    (re.compile(rf"{_SUNDAY} (?:bozego )?milosierdzia"), lambda year, _: easter(year) + _WEEK),
    (re.compile(r"(?:uroczystosc\w* )?wniebowstapieni\w+"), lambda year, _: easter(year) + _WEEK * 6),
    (re.compile(r"(?:uroczystosc\w* )?zeslani\w+ ducha"), lambda year, _: easter(year) + _WEEK * 7),
    (
        re.compile(r"(?:najswietszej )?trojcy (?:przenajswietsz|swiet)\w+|najswietsz\w+ trojc\w+"),
        lambda year, _: easter(year) + _WEEK * 8,
    ),
    (re.compile(r"chrystusa krola"), lambda year, _: advent(year) - _WEEK),
    (re.compile(rf"(?:{_SUNDAY} )?chrztu panskiego"), lambda year, _: _ordinary(year, 1)),
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
