"""Whole months an announcement speaks of: "w lipcu i sierpniu", "przez całe wakacje", "w październiku". Folded text.

Belongs here: months. Not here: single days and their ranges (dates).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from mass_pipeline.reading.words.period import Period
from mass_pipeline.reading.words.weekday_patterns import OF_MONTH, month_number

_NOMINATIVE: Final = "styczen|luty|marzec|kwiecien|maj|czerwiec|lipiec|sierpien|wrzesien|pazdziernik|listopad|grudzien"
_MONTH_STEM: Final = "(?:styczn|lut|marc|kwietn|maj|czerwc|lipc|sierpn|wrzesn|pazdziernik|listopad|grudn)"
_WHOLE_MONTH: Final = re.compile(
    rf"\b(?:w|we|przez(?: caly)?)(?: miesiacu| miesiac)? ({_NOMINATIVE}|{_MONTH_STEM}(?:iu|u|ym|zie|ien|ec|y|ad)?)(?: 20\d\d)?"
    rf"(?: (?:i|oraz) (?:w )?({_MONTH_STEM}(?:iu|u|ym|zie)))?\b(?! \d)"
)
_SUMMER: Final = re.compile(
    r"\b(?:lip(?:iec|ca|cu) ?(?:i|oraz|-|–|,|do) ?(?:w )?sierp(?:ien|niu|nia)"
    r"|(?:we? |na |przez |podczas )(?:(?:cal\w+ |tegoroczn\w+ |letni\w+ )*(?:okres\w* |czas\w* |miesiac\w+ )?)wakac\w+)\b"
)
_FROM_MONTH: Final = re.compile(
    rf"(?<=\bod )(?:(?:poczatku|miesiaca) )*({OF_MONTH})\b(?!(?: 20\d\d)? (?:az )?do\b(?! odwolania))"
)
_BEGUN: Final = timedelta(7)  # a month that began longer ago is that of next year
_SUMMER_MONTHS: Final = (7, 8)  # field guide H 10: "wakacje" are July and August
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
