"""Times of the year by name, for orders, announcements and days alike: Advent, Lent, the Holy Week, holidays, the school year.

Belongs here: which days they are in a year, and the words that take all of one, its end, or a weekday of it. Not here: single
feasts (feasts), months (dates_of_months), what parishes do then (schedules).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from mass_pipeline.reading.words.church_calendar import day_of
from mass_pipeline.reading.words.expressions import any_of
from mass_pipeline.reading.words.lexicon import table_of_periods
from mass_pipeline.reading.words.period import Period
from mass_pipeline.reading.words.weekday_patterns import WEEKDAY

_TABLE: Final = table_of_periods("pl")
_RULES: Final = {row["name"]: (str(row["first"]), str(row["last"])) for row in _TABLE}
_NAMED: Final = tuple((re.compile(any_of(row["forms"])), str(row["name"])) for row in _TABLE)
PERIOD: Final = re.compile(any_of([form for row in _TABLE for form in row["forms"]]))
_WHOLE: Final = r"(?:(?:cal|tegoroczn|najblizsz|trwajac|obecn)\w+ )*"
_UNTIL_ITS_END: Final = re.compile(rf"\bdo (?:konca|zakonczenia) {_WHOLE}$")
_UNTIL: Final = re.compile(rf"\bdo (?:rozpoczecia |poczatku |czasu )?{_WHOLE}$")
_WITHIN: Final = re.compile(
    rf"\b(?:we?|na|przez|podczas|w (?:czasie|okresie|trakcie|ciagu|dniach)) {_WHOLE}(?:okres\w* |czas\w* )?$"
)
_EACH_DAY_OF: Final = re.compile(
    rf"(?:\b(?:kazd\w+|wszystki\w+) (?:{WEEKDAY})\w*|\b(?:poniedzialki|wtorki|srody|czwartki|piatki|soboty|niedziele)) (?:w )?$"
)
_REACH: Final = 60  # characters before a name
_NEXT: Final = timedelta(120)  # what begins later is not spoken of yet


def period_of(name: str, day: date) -> tuple[date, date] | None:
    """First and last day of the time of the year that holds a day or comes next; None of an unknown name.

    >>> period_of("lent", date(2026, 3, 1)), period_of("school", date(2026, 2, 1))
    ((datetime.date(2026, 2, 18), datetime.date(2026, 4, 4)), (datetime.date(2025, 9, 1), datetime.date(2026, 6, 25)))
    """
    if name not in _RULES:
        return None
    first, last = _RULES[name]
    for year in range(day.year - 1, day.year + 2):
        begins, ends = day_of(first, year), day_of(last, year)
        ends = ends if begins <= ends else day_of(last, year + 1)
        if ends >= day:
            return begins, ends
    return None


def periods(text: str, issued: date) -> Iterator[Period]:
    """The times of the year a text takes as a whole, or up to their beginning or end, in the order of the table.

    Args:
        text: folded.
        issued: day of the announcement, before which nothing begins.
    """
    if not PERIOD.search(text):
        return
    for pattern, name in _NAMED:
        for match in pattern.finditer(text):
            told = period_of(name, issued)
            before = text[max(0, match.start() - _REACH) : match.start()]
            begun = told is not None and told[0] - issued <= _NEXT
            if told is None or not begun:
                continue
            first, last = max(told[0], issued), told[1]
            if lead := _UNTIL_ITS_END.search(before):
                yield Period(match.start() - len(lead[0]), match.end(), issued, last)
            elif (lead := _UNTIL.search(before)) and told[0] > issued:
                yield Period(match.start() - len(lead[0]), match.end(), issued, told[0] - timedelta(1))
            elif lead := _WITHIN.search(before):
                yield Period(match.start() - len(lead[0]), match.end(), first, last, is_month=True)
            elif _EACH_DAY_OF.search(before):
                yield Period(match.start(), match.end(), first, last)
