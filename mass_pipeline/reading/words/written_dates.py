"""Days as they are written out with their year, in the usual notations of several languages: dates, stretches, lines of a date.

Not here: days of announcements without a year (dates), from when an order holds (effective_date), whose day it is (text.news).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.period import existing_day
from mass_pipeline.reading.words.weekday_patterns import WEEKDAY_NAMES, month_number, month_of

_ISO: Final = re.compile(r"\b(20\d\d|19\d\d)-(\d\d)-(\d\d)")
_DOTTED: Final = re.compile(r"(?<![\d.])(\d{1,2}) ?[./] ?(\d{1,2}) ?[./-] ?(20\d\d|19\d\d)(?!\d)")
_LONG: Final = re.compile(r"\b(\d{1,2})\.?\s+([^\W\d_]{3,12})\.?,?\s+(20\d\d|19\d\d)(?!\d)")
_MONTH_FIRST: Final = re.compile(r"\b([^\W\d_]{3,12})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(20\d\d|19\d\d)(?!\d)")
_EAST_ASIAN: Final = re.compile(r"(20\d\d|19\d\d)\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日号號일]")  # C6
_VIETNAMESE: Final = re.compile(r"\b(\d{1,2})\s+tháng\s+(\d{1,2}),?\s+(?:năm\s+)?(20\d\d|19\d\d)(?!\d)", re.I)
_WITH_ROMAN: Final = re.compile(r"\b(\d{1,2})[. ]\s?([IVX]{1,4})[. ]\s?(20\d\d|19\d\d)\b")
_NOTATIONS: Final = (_ISO, _DOTTED, _VIETNAMESE, _EAST_ASIAN, _LONG, _MONTH_FIRST, _WITH_ROMAN)
_WORD: Final = r"[a-ząćęłńóśźż]{3,12}"
_SPAN: Final = re.compile(  # "22-29.11.2026", "22.11 - 29.11.2026", "od 22 listopada do 5 grudnia 2026"
    rf"(?<![\d.])(?P<day>\d{{1,2}})(?:\.(?P<month>\d{{1,2}})|\s+(?P<name>{_WORD}))?\.? ?(?:[-–—]|do(?= )) ?"
    rf"(?P<last>\d{{1,2}})[. ] ?(?:(?P<until>\d{{1,2}})|(?P<roman>[IVX]{{1,4}})|(?P<word>{_WORD}))[. ]{{1,2}}"
    r"(?P<year>20\d\d)(?!\d)",
    re.I,
)
SAYS_PUBLISHED: Final = re.compile(
    r"(?i)\b(?:dodano|opublikowano|utworzono|wpisano|napisano|zamieszczono|data publikacji|data dodania)\b"
    r"|\b(?:published|posted|ngày đăng)\b|发布|發布|发表|發表"
)
_OTHER_WEEKDAYS: Final = "(?:星期|周|週)[一二三四五六日天]|ch[úủ]a? nhật|thứ (?:hai|ba|tư|năm|sáu|bảy)"  # Chinese, Vietnamese
_AROUND_A_DATE: Final = re.compile(
    rf"(?i){'|'.join(WEEKDAY_NAMES.values())}|godz\.?|dnia|\br\.|\d{{1,2}}:\d\d|{_OTHER_WEEKDAYS}|ngày|[\s,.:|–-]"
)


def read_date(text: str) -> date | None:
    """The first date in a text, in any of the usual notations; None for impossible ones.

    >>> read_date("niedziela, 4 października 2026 19:07"), read_date("04.10.2026 r."), read_date("4 X 2026")
    (datetime.date(2026, 10, 4), datetime.date(2026, 10, 4), datetime.date(2026, 10, 4))
    >>> read_date("2026年11月22日 星期日"), read_date("ngày 22 tháng 11 năm 2026"), read_date("November 22nd, 2026")
    (datetime.date(2026, 11, 22), datetime.date(2026, 11, 22), datetime.date(2026, 11, 22))
    """
    found = sorted(_dates(text), key=lambda item: item[0])
    return found[0][1] if found else None


def first_of_span(text: str) -> date | None:
    """The first day of the first stretch of days in a text that tells its year; None for none.

    >>> first_of_span("Ogłoszenia 22-29.11.2026"), first_of_span("od 28 grudnia do 3 stycznia 2027")
    (datetime.date(2026, 11, 22), datetime.date(2026, 12, 28))
    """
    match = _SPAN.search(text)
    return _first_day(match) if match else None


def _first_day(match: re.Match[str]) -> date | None:
    until = _month(match["until"], match["roman"], match["word"])
    month = _month(match["month"], None, match["name"]) if match["month"] or match["name"] else until
    year = int(match["year"]) - (month > until)
    first, last = existing_day(year, month, int(match["day"])), existing_day(int(match["year"]), until, int(match["last"]))
    return first if first and last and first < last else None


def _month(number: str | None, roman: str | None, name: str | None) -> int:
    """A month by one of its three notations, 0 for none."""
    return month_of(number or roman or "0") or month_number(fold(name or ""))


def _dates(text: str) -> Iterator[tuple[int, date]]:
    readings = [(m.start(), m[1], m[2], m[3]) for m in _ISO.finditer(text)]
    readings += [(m.start(), m[3], m[2], m[1]) for m in _DOTTED.finditer(text)]
    readings += [(m.start(), m[3], str(month_number(fold(m[2]))), m[1]) for m in _LONG.finditer(text)]
    readings += [(m.start(), m[3], str(month_number(fold(m[1]))), m[2]) for m in _MONTH_FIRST.finditer(text)]
    readings += [(m.start(), m[1], m[2], m[3]) for m in _EAST_ASIAN.finditer(text)]
    readings += [(m.start(), m[3], m[2], m[1]) for m in _VIETNAMESE.finditer(text)]
    spans = ((m.start(), _first_day(m)) for m in _SPAN.finditer(text))
    yield from ((start, day) for start, day in spans if day is not None)
    readings += [(m.start(), m[3], str(month_of(m[2])), m[1]) for m in _WITH_ROMAN.finditer(text)]
    for start, year, month, day in readings:
        if (found := existing_day(int(year), int(month), int(day))) is not None:
            yield start, found


def is_date_line(line: str) -> bool:
    """Whether a line is nothing but a date, perhaps with weekday and time.

    >>> is_date_line("Niedziela, 4 października 2026 r. 19:07"), is_date_line("Od 4 października 2026 nowy porządek")
    (True, False)
    >>> is_date_line("Chúa nhật, ngày 22 tháng 11 năm 2026")
    True
    """
    for pattern in _NOTATIONS:
        rest, count = pattern.subn("", line, count=1)
        if count:
            return not _AROUND_A_DATE.sub("", rest)
    return False
