"""The day a sheet was issued, where its page does not tell it: from its names without a year, and from the sheets beside it.

Belongs here: "ogloszenia-22-listopada", "XXXIV niedziela zwykła", the sheet between two dated ones. Not here: days that a page
tells in full (reading.words.written_dates, crawl_readers.articles). Better none than wrong: a name of an event is no day.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from mass_pipeline.model.identifiers import fold
from mass_pipeline.reading.words.church_calendar import church_sunday
from mass_pipeline.reading.words.expressions import expression
from mass_pipeline.reading.words.period import existing_day
from mass_pipeline.reading.words.weekday_patterns import OF_MONTH, SUNDAY, WEEKDAY, month_of, weekday_number

_AHEAD: Final = timedelta(8)  # a sheet stands on the site up to a week before its Sunday
_BEHIND: Final = timedelta(45)  # what was seen first so long after its Sunday may as well be of another year
_FORTNIGHT: Final = timedelta(14)
_SUNDAY: Final = 6
_ANY_YEAR: Final = 2026  # every named Sunday is in it
_MOST_TEXT: Final = 20_000  # characters in which agreement is looked for
_BEGINS_SHEET: Final = re.compile(r"(?:ogloszenia|komunikaty|intencje)\b(?! (?:o|dotycz)\b)")
_SHEET: Final = re.compile(rf"oglosze\w*|komunikat\w*|{SUNDAY}\w*|\bintencj\w*|\btydzien\b|\btygod\w+|gazetk\w*|biuletyn\w*")
_EVENT: Final = expression(r"<event_of_name>")
_DAY: Final = re.compile(
    rf"(?<![\d.])(?P<day>\d{{1,2}})(?: ?[-–] ?\d{{1,2}})?\.? ?"
    rf"(?:(?P<month>{OF_MONTH})|(?P<number>0?[1-9]|1[0-2])(?![\d.]*\d)|(?P<roman>[ivx]{{1,4}}))\b"
)
_PAIR: Final = re.compile(
    rf"\b(?P<weekday>{WEEKDAY})\w*,? (?:\()?(?P<day>\d{{1,2}})(?:\.? (?P<month>{OF_MONTH})|\.(?P<number>0[1-9]|1[0-2]))\b"
)
_GAPS: Final = re.compile(r"[-_/.+]+(?=[^\W\d])|(?<=[^\W\d])[-_/.+]+")  # between words of an address
_NUMBER: Final = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Sheet:
    """An article of a site, as its day is looked for.

    Attributes:
        url: its address.
        names: title and words of the link.
        text: all its words.
        issued: its day, None where nothing tells it.
        seen: the day it was first seen.
    """

    url: str
    names: tuple[str, ...]
    text: str
    issued: date | None
    seen: date


@dataclass(frozen=True, slots=True)
class InferredDay:
    """A day of issue that no page tells.

    Attributes:
        is_confirmed: whether weekdays beside dates in the text, or a second name, agree with its year.
    """

    day: date
    is_confirmed: bool


def is_name_of_sheet(name: str) -> bool:
    """Whether a name is that of a sheet of announcements, and no event's: "Koncert 12 grudnia 2026" tells no day of issue.

    >>> is_name_of_sheet("Ogłoszenia 22 listopada"), is_name_of_sheet("Koncert w niedzielę 12 grudnia")
    (True, False)
    """
    words = fold(name).strip()
    if _BEGINS_SHEET.match(words):
        return True
    is_sheet = _SHEET.search(words) is not None or church_sunday(words, _ANY_YEAR) is not None
    return is_sheet and _EVENT.search(words) is None


def is_name_of_event(name: str) -> bool:
    """Whether a title or address is that of an event, whose date is no day of issue."""
    return _EVENT.search(fold(name)) is not None


def inferred_days(sheets: Sequence[Sheet]) -> dict[str, InferredDay]:
    """By address, the days of the undated sheets of one site; none for what stays open.

    Args:
        sheets: all articles of the site; those with a day are the neighbours of the others.
    """
    found: dict[str, InferredDay] = {}
    for sheet in sheets:
        if sheet.issued is None:
            day = _named(sheet) or _between_neighbours(sheet, sheets)
            if day is not None:
                found[sheet.url] = day
    taken = [sheet.issued for sheet in sheets if sheet.issued is not None] + [one.day for one in found.values()]
    return {
        url: one for url, one in found.items() if taken.count(one.day) == 1
    }  # two sheets of one Sunday: one is of another year


def _named(sheet: Sheet) -> InferredDay | None:
    """The Sunday that its names tell without the year, the one nearest to the day it was seen."""
    address = _GAPS.sub(" ", sheet.url.rstrip("/").rpartition("/")[2])
    names = [fold(name) for name in (*sheet.names, address) if is_name_of_sheet(name)]
    years = range(sheet.seen.year - 1, sheet.seen.year + 2)
    days = {day for year in years for day in _days(names, year) if -_AHEAD <= sheet.seen - day <= _BEHIND}
    if len(days) != 1:
        return None
    [day] = days
    agreeing, contrary = _agreement(fold(sheet.text[:_MOST_TEXT]), day)
    twice = any(church_sunday(name, day.year) == day for name in names) and any(_date(name, day.year) == day for name in names)
    return None if contrary else InferredDay(day, agreeing or twice)


def _days(names: Iterable[str], year: int) -> set[date]:
    """Sundays, or Saturdays of a vigil, that all names agree on in a year; a name that tells nothing does not count."""
    told = [(church_sunday(name, year), _date(name, year)) for name in names]
    found = {day for pair in told for day in pair if day is not None}
    return {day for day in found if day.weekday() >= _SUNDAY - 1} if len(found) == 1 else set()


def _date(name: str, year: int) -> date | None:
    match = _DAY.search(name)
    return match and existing_day(year, month_of(match["month"] or match["number"] or match["roman"]), int(match["day"]))


def _agreement(text: str, issued: date) -> tuple[bool, bool]:
    """Whether a weekday beside a date of the text agrees with the year, and whether one contradicts it."""
    agreeing = contrary = False
    for match in _PAIR.finditer(text):
        month = month_of(match["month"] or match["number"])
        day = existing_day(issued.year + (month < issued.month - 1), month, int(match["day"]))
        if day is None:
            continue
        agrees = day.weekday() == weekday_number(match["weekday"])
        agreeing, contrary = agreeing or agrees, contrary or not agrees
    return agreeing, contrary


def _between_neighbours(sheet: Sheet, sheets: Sequence[Sheet]) -> InferredDay | None:
    """The Sunday between those of the two sheets whose addresses are numbered before and after it."""
    if not any(is_name_of_sheet(name) for name in sheet.names):
        return None
    number = _last_number(sheet.url)
    dated = [(_last_number(one.url), one.issued) for one in sheets if one.issued and _pattern(one.url) == _pattern(sheet.url)]
    before = max((pair for pair in dated if pair[0] < number), default=None)
    after = min((pair for pair in dated if pair[0] > number), default=None)
    if before is None or after is None or before[1].weekday() != _SUNDAY or after[1] - before[1] != _FORTNIGHT:
        return None
    day = before[1] + _FORTNIGHT / 2
    return None if _agreement(fold(sheet.text[:_MOST_TEXT]), day)[1] else InferredDay(day, True)


def _pattern(url: str) -> str:
    return _NUMBER.sub("#", url)


def _last_number(url: str) -> int:
    numbers = _NUMBER.findall(url)
    return int(numbers[-1]) if numbers else -1
