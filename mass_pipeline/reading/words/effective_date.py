"""From when and until when an order holds, by the dates beside it: is it over, or still to come, on a given day?

Only years that are written count: "od 1 września" begins every year anew. A year a church was built in says nothing.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.period import existing_day
from mass_pipeline.reading.words.weekday_patterns import MONTH, WEEKDAY, month_number

_POLAND: Final = ZoneInfo("Europe/Warsaw")
_MONTH: Final = r"(?:(?P<m{0}>" + MONTH + r")\w*|(?P<n{0}>1[0-2]|0?[1-9]))"
_DATE: Final = r"(?:(?P<d{0}>[0-3]?\d)[ .]*)?(?:" + _MONTH + r"[ .]*)?(?P<y{0}>20\d\d|19\d\d)"
_UNTIL: Final = re.compile(
    r"(?<!\w)(?:(?P<since>od [^|.;]{0,30}?) )?(?:do|do dnia|wazn\w+ do|until|till)\s+" + _DATE.format("u") + r"(?!\d)"
)
_SINCE: Final = re.compile(
    rf"(?<!\w)(?:od|poczawszy od|z dniem|from|since|ab)(?: dnia)?(?: (?:{WEEKDAY})\w*)?,?\s*\(?" + _DATE.format("s") + r"(?!\d)"
)
_ENDS_AGAIN: Final = re.compile(r"\s*(?:r\.?|roku)?\s*(?:do\b|[-–])")
_FOR_A_WHILE: Final = re.compile(
    r"na czas\b|do odwolania|epidemi|pandemi|obostrz|remont|rekolekc|misji\b|wakac|feri(?:e|i|ach)\b|kolend|koled"
)
_YEARS: Final = re.compile(r"(?<![\d/.-])(?P<first>(?:19|20)\d\d)\s*[/–-]\s*(?P<last>(?:19|20)?\d\d)(?![\d.])")
_DAYS: Final = re.compile(r"\d{1,2}(?:[. ]*[a-z]*)\s*[–-]\s*\d{1,2}[. ]*" + _MONTH.format("w") + r"[ .]*(?P<yw>20\d\d|19\d\d)")
_YEAR: Final = re.compile(r"(?<![\d/.-])(?P<year>(?:19|20)\d\d)(?![\d/])")
_OF_A_THING: Final = re.compile(
    r"(?:\bz|od|od \w+|zbud\w*|erygow\w*|konsekr\w*|poswiec\w*|zaloz\w*|powst\w*|ur|zm|dekret\w*|aktualizac\w*:?|©|[(,])\s*"
    r"(?:roku |r\. |w |dnia |\d{1,2}[. ]\w*[. ]?)*\Z"
)
_OF_AN_ORDER: Final = re.compile(
    r"porzad|msz|naboz|godzin|rozklad|plan|harmonogr|kalend|archiw|oglosz|wakac|rok|rekol|epidem|remont"
)
_SEASON: Final = re.compile(r"(?:lato|zima|jesien|wiosna|wakacje|ferie|adwent|post|sezon|" + MONTH + r")\w* *\Z")
_SHORT: Final = re.compile(r"(?:\W*\w+){1,4}\W*")  # "Wielki Post 2016"
OLD_YEARS: Final = 2  # a year so far back or more is over; last year's order is mostly this year's too


def today_in_poland() -> date:
    """The day of which orders are asked, where nobody names another."""
    return datetime.now(UTC).astimezone(_POLAND).date()


def since(texts: Iterable[str]) -> date | None:
    """The latest day in some lines from which an order holds; None when none is named in full, or holds for a while only.

    >>> since(["Od niedzieli 1 września 2024 r. Msze św. o 8.00"])
    datetime.date(2024, 9, 1)
    >>> since(["od 1 lipca 2024 do 31 sierpnia 2024", "od 1 września"]) is None
    True
    """
    telling = [fold(text) for text in texts if "20" in text]
    if any(_FOR_A_WHILE.search(text) for text in telling):
        return None
    matches = (match for text in telling for match in _SINCE.finditer(text))
    whole = (
        match for match in matches if match["ds"] and _month(match, "s") and not _ENDS_AGAIN.match(match.string, match.end())
    )
    days = (existing_day(int(match["ys"]), _month(match, "s") or 0, int(match["ds"])) for match in whole)
    return max(filter(None, days), default=None)


def over_or_to_come(text: str, today: date, *, is_heading: bool) -> tuple[str, str] | None:
    """What the dates in folded words say of an order.

    Args:
        text: folded words that govern it.
        today: the day of which it is asked.
        is_heading: the words head it or title the page, so that a year alone tells when it held.

    Returns:
        `over` or `to_come` with the words that say so; None when nothing does.

    >>> over_or_to_come("porzadek wazny do 30 czerwca 2019", date(2026, 11, 22), is_heading=False)
    ('over', 'wazny do 30 czerwca 2019')
    """
    for match in _UNTIL.finditer(text):
        if _last_day(match, "u") < today:
            return "over", match.group().strip()
        return None
    for match in _YEARS.finditer(text):
        last = int(match["last"]) if len(match["last"]) == 4 else int(match["first"]) // 100 * 100 + int(match["last"])
        if int(match["first"]) < last < today.year - 1:
            return "over", match.group()
        return None
    if (week := _DAYS.search(text)) is not None and _last_day(week, "w") < today:
        return "over", week.group()
    for match in _SINCE.finditer(text):
        if _first_day(match, "s") > today:
            return "to_come", match.group()
        return _long_ago_in_a_crisis(text, match, today)
    return _year_alone(text, today, is_heading=is_heading)


def _long_ago_in_a_crisis(text: str, match: re.Match[str], today: date) -> tuple[str, str] | None:
    """`Od 25 marca 2020 obowiązuje limit 5 osób`: what began in an epidemic or a repair is over with it."""
    passing = re.search(r"epidemi|pandemi|covid|maseczk|sanitarn|koronawir|limit\w* \d|remont|na czas|obostrz", text)
    if passing and int(match["ys"]) <= today.year - OLD_YEARS:
        return "over", match.group()
    return None


def _year_alone(text: str, today: date, *, is_heading: bool) -> tuple[str, str] | None:
    for match in _YEAR.finditer(text):
        year, before = int(match["year"]), text[max(0, match.start() - 40) : match.start()]
        if _OF_A_THING.search(before):
            continue
        said = (
            (_OF_AN_ORDER.search(text) or _SHORT.fullmatch(text))
            if is_heading
            else re.search(r"(?:\bw|\bw roku|\bwe wrzesniu|\brok)\s*\Z", before)
            or (_SEASON.search(before) and text[match.end() :].lstrip()[:1] == ":")
        )
        if said and year <= today.year - OLD_YEARS:
            return "over", match.group()
        if said and is_heading and year > today.year:
            return "to_come", match.group()
    return None


def _month(match: re.Match[str], which: str) -> int | None:
    if match[f"m{which}"]:
        return month_number(match[f"m{which}"])
    return int(match[f"n{which}"]) if match[f"n{which}"] else None


def _last_day(match: re.Match[str], which: str) -> date:
    year, month = int(match[f"y{which}"]), _month(match, which) or 12
    last = calendar.monthrange(year, month)[1]
    day = int(match[f"d{which}"]) if f"d{which}" in match.re.groupindex and match[f"d{which}"] else last
    return date(year, month, max(1, min(day, last)))


def _first_day(match: re.Match[str], which: str) -> date:
    year, month = int(match[f"y{which}"]), _month(match, which) or 1
    day = int(match[f"d{which}"] or 1)
    return date(year, month, max(1, min(day, calendar.monthrange(year, month)[1])))
