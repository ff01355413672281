"""Dates given by their day and month, by words, numbers or Roman numbers, alone and in lists and ranges; and whole months ("w
lipcu i sierpniu", "przez całe wakacje"), in folded text.

Belongs here: which days these are. Not here: weekdays, feasts, "jutro" (dates).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from mass_pipeline.reading.words.period import Period, existing_day
from mass_pipeline.reading.words.weekday_patterns import (
    OF_MONTH,
    OF_WEEKDAY,
    ONE_WEEKDAY,
    SHORT_WEEKDAYS,
    month_number,
    month_of,
    weekday_number,
)

MONTH_NAMED: Final = (
    r"(?:stycz\w+|lut(?:y|ego|ym)|mar(?:zec|ca|cu)|kwie\w+|maj(?:a|u)?|czerwc\w*|czerwiec|lip(?:iec|ca|cu)|sierp\w+|wrze\w+"
    r"|paz\w+|listopad\w*|grud\w+)"
)
_YEAR: Final = r"(?:\s*(20\d\d)(?:\s*r(?:\.|oku)?)?)?"

# "5–9 II", "28, 29 i 30 X"; a small "i" joins numbers.
_NAMED_MONTH: Final = rf"(?:{MONTH_NAMED}|(?<=\s)(?:xii|xi|x|ix|viii|vii|vi|v|iv|iii|ii|I)\b(?!\s*(?:niedziel|piat|sobot)))"
_OF_DAY: Final = r"(?:-?(?:s?tego|ego|go))?\.?"  # "15tego", "13-go"
_DAYS_OF_MONTH: Final = re.compile(
    rf"(?<![\d.])(\d{{1,2}}){_OF_DAY}\s*(?:(-|–|do|i|oraz)\s*(?:(?:{OF_WEEKDAY})\s+)?(\d{{1,2}}){_OF_DAY}\s*)?"
    rf"({_NAMED_MONTH}){_YEAR}\b"
)
_SPOKEN_DAYS: Final = [f"{word}ego" for word in (  # "trzynastego grudnia"
    "pierwsz", "drugi", "trzeci", "czwart", "piat", "szost", "siodm", "osm", "dziewiat", "dziesiat", "jedenast", "dwunast",
    "trzynast", "czternast", "pietnast", "szesnast", "siedemnast", "osiemnast", "dziewietnast",
)]  # fmt: skip
_TENS: Final = {"dwudziestego": 20, "trzydziestego": 30}
_SPOKEN: Final = re.compile(
    rf"\b(?:({'|'.join(_TENS)})(?: ({'|'.join(_SPOKEN_DAYS[:9])}))?|({'|'.join(_SPOKEN_DAYS)}))(?= {MONTH_NAMED})"
)
_DAY_LIST: Final = re.compile(
    rf"(?<![\d.])(?<!\bo )(?<!godz\. )(\d{{1,2}}(?:, ?\d{{1,2}})+|(?<=\()\d{{1,2}})"
    rf"(?:,? (?:i|oraz)|,) (\d{{1,2}}) ({_NAMED_MONTH}){_YEAR}\b"
)
_WEEKDAY: Final = rf"(?:{ONE_WEEKDAY})"
_NUMERIC_LIST: Final = re.compile(  # "w poniedziałek, wtorek i środę (20, 21 i 22.10)"
    rf"(?:\(|\b(?:w )?dni(?:ach|a)? |{_WEEKDAY},? )(\d{{1,2}}(?:\.?, ?\d{{1,2}})*)\.?(?:,? (?:i|oraz)|,) "
    r"(\d{1,2})\.(0[1-9]|1[0-2])(?:\.(20\d\d))?(?![\d.]*\d)"
)
_NUMBERED: Final = re.compile(rf"({_WEEKDAY}),? (\d{{1,2}})")
_EACH_NUMBERED: Final = re.compile(  # "w poniedziałek 8, we wtorek 9 i w środę 10 kwietnia"
    rf"\b(?:{_WEEKDAY},? \d{{1,2}}\.?(?:,? (?:i|oraz|a takze)|,) (?:we? )?)+{_WEEKDAY},? \d{{1,2}}\.? ({_NAMED_MONTH}){_YEAR}\b"
)
_NUMERIC_RANGE: Final = re.compile(  # "14-16.11", "pon 22 – śr 24.12"
    rf"(?<![\d.,:])(\d{{1,2}})\.? ?[-–] ?(?:(?:{'|'.join(SHORT_WEEKDAYS)})\.? )?"
    r"(\d{1,2})\.(0[1-9]|1[0-2])(?:\.(20\d\d))?(?![\d.]*\d)"
)
_DASHED: Final = re.compile(r"(?<![\d.,:/-])(\d{1,2})([-/])(1[0-2]|0?[1-9])(?:\2(20\d\d))(?![\d/-])")
_NUMERIC: Final = re.compile(r"(?<![\d.,:])(\d{1,2})\.(0[1-9]|1[0-2])(?:\.(20\d\d)(?: ?r\.?(?!\w))?)?(?![\d.]*\d)")
_PAST_DAYS: Final = 30  # an announcement may still speak of last week; a date further back means next year


def dates_of_months(text: str, issued: date) -> Iterator[Period]:
    """The dates of a text, in no order.

    Args:
        text: folded, a Roman one in capitals.
        issued: day of the announcement; a date without a year is the one that follows, or at most 30 days past.
    """
    text = _SPOKEN.sub(_in_digits, text)
    listed = list(_listed(text, issued))
    yield from listed
    for period in listed:
        text = text[: period.start] + " " * (period.end - period.start) + text[period.end :]
    for match in _DAYS_OF_MONTH.finditer(text):
        month = month_of(match[4])
        first = near(issued, month, int(match[1]), match[5])
        last = near(issued, month, int(match[3]), match[5]) if match[3] else first
        if first and last and first <= last:
            if match[2] in ("i", "oraz"):
                yield Period(match.start(), match.start(2), first, first)
                yield Period(match.start(3), match.end(), last, last)
            else:
                yield Period(match.start(), match.end(), first, last)
    for match in _NUMERIC.finditer(text):
        day = near(issued, int(match[2]), int(match[1]), match[3])
        if day:
            yield Period(match.start(), match.end(), day, day)
    for match in _DASHED.finditer(text):
        day = near(issued, int(match[3]), int(match[1]), match[4])
        if day:
            yield Period(match.start(), match.end(), day, day)


def _in_digits(match: re.Match[str]) -> str:
    """A day in words, of the same length."""
    ones = match[2] or match[3]
    day = _TENS.get(match[1] or "", 0) + (_SPOKEN_DAYS.index(ones) + 1 if ones else 0)
    return str(day).ljust(len(match[0]))


def _listed(text: str, issued: date) -> Iterator[Period]:
    """Several days of one month: "18, 19 i 20 maja", "14-16.11"."""
    for match in _EACH_NUMBERED.finditer(text):
        yield from _each_numbered(match, issued)
    for pattern in (_DAY_LIST, _NUMERIC_LIST):
        for match in pattern.finditer(text):
            yield from _day_list(match, issued)
    for match in _NUMERIC_RANGE.finditer(text):
        first, last = (near(issued, int(match[3]), int(match[n]), match[4]) for n in (1, 2))
        if first and last and first < last:
            yield Period(match.start(), match.end(), first, last)


def _each_numbered(match: re.Match[str], issued: date) -> Iterator[Period]:
    """Days of their own, each with its weekday; none where one of these is that of another day."""
    named = list(_NUMBERED.finditer(match[0]))
    days = [near(issued, month_of(match[1]), int(one[2]), match[2]) for one in named]
    if [day.weekday() if day else None for day in days] != [weekday_number(one[1]) for one in named]:
        return
    ends = [*(one.end() for one in named[:-1]), len(match[0])]
    for one, day, end in zip(named, days, ends, strict=True):
        if day:
            yield Period(match.start() + one.start(), match.start() + end, day, day)


def _day_list(match: re.Match[str], issued: date) -> Iterator[Period]:
    """ "18, 19 i 20 maja", "18, 19 i 20.05": days of their own."""
    numbers = [int(number) for number in (*re.findall(r"\d+", match[1]), match[2])]
    days = [near(issued, month_of(match[3]), number, match[4]) for number in numbers]
    for i, day in enumerate(days):
        if day:
            start = match.start(1) + i
            yield Period(start, match.end() if i == len(days) - 1 else start + 1, day, day)


def near(issued: date, month: int, day: int, year: str | None) -> date | None:
    """The date given, in its year or the one that fits the day of issue; None for no such day."""
    for candidate in (int(year),) if year else (issued.year, issued.year + 1):
        found = existing_day(candidate, month, day)
        if found is None or year or found >= issued - timedelta(_PAST_DAYS):
            return found
    return None


_NOMINATIVE: Final = "styczen|luty|marzec|kwiecien|maj|czerwiec|lipiec|sierpien|wrzesien|pazdziernik|listopad|grudzien"
_MONTH_STEM: Final = "(?:styczn|lut|marc|kwietn|maj|czerwc|lipc|sierpn|wrzesn|pazdziernik|listopad|grudn)"
_WHOLE_MONTH: Final = re.compile(
    rf"\b(?:w|we|przez(?: caly)?)(?: miesiacu| miesiac)? ({_NOMINATIVE}|{_MONTH_STEM}(?:iu|u|ym|zie|ien|ec|y|ad)?)(?: 20\d\d)?"
    rf"(?: (?:i|oraz) (?:w )?({_MONTH_STEM}(?:iu|u|ym|zie)))?\b(?! \d)"
)
_SUMMER: Final = re.compile(r"\blip(?:iec|ca|cu) ?(?:i|oraz|-|–|,|do) ?(?:w )?sierp(?:ien|niu|nia)\b")
_FROM_MONTH: Final = re.compile(
    rf"(?<=\bod )(?:(?:poczatku|miesiaca) )*({OF_MONTH})\b(?!(?: 20\d\d)? (?:az )?do\b(?! odwolania))"
)
_BEGUN: Final = timedelta(7)  # a month that began longer ago is that of next year
_SUMMER_MONTHS: Final = (7, 8)  # "wakacje" are July and August
_NEXT_WEEKS: Final = 180  # days; a month further away is one that has passed
_LONGEST_CUT: Final = 62  # days until "wakacje" that are still spoken of as the coming ones


def whole_months(folded: str, issued: date) -> Iterator[Period]:
    """Whole months: "w lipcu i sierpniu", "w wakacje"; the present one from the day of issue on.

    Args:
        folded: the text.
        issued: day of the announcement.
    """
    summer = _SUMMER.search(folded)
    outside = summer and _WHOLE_MONTH.search(
        folded[: summer.start()] + " " * (summer.end() - summer.start()) + folded[summer.end() :]
    )
    if summer and not outside:
        july, august = date(issued.year, _SUMMER_MONTHS[0], 1), date(issued.year, _SUMMER_MONTHS[1], 31)
        if issued < august and july - issued <= timedelta(_LONGEST_CUT):
            yield Period(summer.start(), summer.end(), max(july, issued), august, is_month=True)
        return
    for match in _WHOLE_MONTH.finditer(folded):
        if summer and match.start() < summer.end() and summer.start() < match.end():
            continue  # "w lipcu i sierpniu ...: w lipcu o 7.00, w sierpniu o 19.00"
        first, last = (month_number(word) for word in (match[1], match[2] or match[1]))
        year = issued.year + (last < issued.month)
        ends = (date(year, last, 28) + timedelta(4)).replace(day=1) - timedelta(1)
        begins = date(year - (first > last), first, 1)
        if begins - issued <= timedelta(_NEXT_WEEKS):
            yield Period(match.start(), match.end(), max(begins, issued), ends, is_month=True)


def months_that_begin(folded: str, issued: date) -> Iterator[Period]:
    """The first day of a month from which something holds: "od września"; none of a month that passed or is far.

    Args:
        folded: the text.
        issued: day of the announcement.
    """
    for match in _FROM_MONTH.finditer(folded):
        month = month_number(match[1])
        days = (date(year, month, 1) for year in (issued.year, issued.year + 1))
        day = next((day for day in days if -_BEGUN <= day - issued <= timedelta(_LONGEST_CUT)), None)
        if day is not None:
            yield Period(match.start(), match.end(), day, day)
