"""Dates written as numbers, in words or with the name of a month; impossible ones are told. Rules as values."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from datetime import date, timedelta
from functools import cache
from typing import Final

from mass_pipeline.finding.questions.draft import TOLD_WHOLE, Draft, Match, Piece, Rule, each, pattern
from mass_pipeline.finding.questions.vocabulary import every, expression, joined, mapping, number_of, short_months

_YEAR: Final = r"(?P<year>20\d\d|\d\d)"
_ROMAN: Final = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10, "xi": 11, "xii": 12}
_YEARS_AHEAD: Final = 9  # 29 February comes within eight years
_ISO: Final = re.compile(r"\b(?P<year>20\d\d)[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})\b")
_SUFFIX: Final = r"(?:st|nd|rd|th|[-\s]?(?:ego|tego|go|stego)(?![^\W_]))?\.?"
_NUMERIC: Final = re.compile(
    rf"(?<![\d.:/])(?P<day>\d{{1,2}})\s?(?P<mark>[./])\s?(?P<month>\d{{1,2}})(?:\s?[./]\s?{_YEAR})?(?:\s?r(?![^\W_]))?\.?(?![\d:])"
)
_DASHED: Final = re.compile(r"(?<![\d.:/-])(?P<day>\d{1,2})-(?P<month>\d{1,2})(?:-(?P<year>20\d\d|\d\d))?(?![\d:.]|-\d)")
_SPACED: Final = re.compile(
    r"(?<![\d.:/-])(?<![\d.:/-]\s)(?P<day>\d{1,2})\s+(?P<month>\d{1,2})(?:\s+(?P<year>20\d\d|2[5-9]))?(?:\s?r(?:oku|\.)?)?(?![\d:]|[.,]\d|[^\W_])"
)
_RANGE: Final = re.compile(
    rf"(?<![\d.:/])(?P<first>\d{{1,2}})(?:\.(?P<first_month>\d\d))?\.?\s?(?:-|–|do|to)\s?(?P<day>\d{{1,2}})[./](?P<month>\d{{1,2}})(?:[./]{_YEAR})?(?![\d:])"
)
_YEAR_WORD: Final = re.compile(r"(?<![\d.:/-])(?:w )?(?P<year>20[2-9]\d)(?:\s?(?:r|roku|rok))?(?![\d:./-]\d|[^\W_])")
_DAY_SUFFIX: Final = r"(?:st|nd|rd|th|-?(?:ego|tego|go))"
_DAY_ONLY: Final = re.compile(
    rf"(?<![\d.:/])(?:(?:dnia|w dniu|on the)\W+(?P<a>\d{{1,2}}){_DAY_SUFFIX}?|(?P<b>\d{{1,2}}){_DAY_SUFFIX})(?![\d:.]\d|[^\W_])"
)
_DAY_BEFORE: Final = re.compile(r"\d\.?\s*(?:[ivx]+[\s.]*|\s\d{1,2}\s+)$")  # and its month, so that the year is theirs
_FROM_TO: Final = re.compile(r"\s*(?:-|–|—|do|to|till|until|through)\s*(?:dnia\s*)?")
_DAY_AND_DOT: Final = re.compile(r"(?<![\d.:/])(?P<a>\d{1,2})\.(?=\s|$)(?!\s*\d)")
_MOST_DAYS: Final = 30
_AND: Final = frozenset({"i", "oraz", "lub", "and", "or"})


@cache
def _month_names() -> str:
    return expression("|".join((*mapping("months").values(), *short_months().values())))


@cache
def _named_after() -> re.Pattern[str]:
    numerals = "|".join(sorted((one for one in _ROMAN if one != "i"), key=len, reverse=True))
    month = rf"(?:(?P<month>{_month_names()})|(?P<roman>{numerals}|i(?=[\s.]+20\d\d)))"  # "i" is a word too
    several = rf"(?P<first>\d{{1,2}}){_SUFFIX}\s?(?P<joint>-|–|do|to|i|oraz|lub|and|or)\s?"
    year = r"(?:[,.]?\s*(?P<year>20\d\d)(?:\s?r(?:oku|\.)?)?(?![^\W_]))?"
    return re.compile(rf"(?<![\d.:/])(?:{several})?(?P<day>\d{{1,2}}){_SUFFIX}\s*(?:of\s+)?{month}(?![^\W_]){year}")


@cache
def _named_before() -> re.Pattern[str]:
    year = r"(?:[,.]?\s*(?P<year>20\d\d)(?![^\W_]))?"
    month = rf"(?P<month>{_month_names()})"
    return re.compile(rf"(?<![^\W_]){month}\.?\s+(?:the\s+)?(?P<day>\d{{1,2}}){_SUFFIX}(?![\d:]|\s?(?:am|pm)\b){year}")


@cache
def _spoken() -> re.Pattern[str]:
    """ "Dwudziestego czwartego grudnia"."""
    days = rf"(?:(?P<tens>dwudziest|trzydziest)(?:ego|y)\s+)?(?P<in_words>{every('day_words')})"
    return re.compile(rf"(?<![^\W_]){days}\s+(?P<month>{every('months')})(?![^\W_])")


@cache
def _after_day() -> re.Pattern[str]:
    return re.compile(rf"[-/.]\d|{_SUFFIX}[\s.]*(?:{_month_names()}|{'|'.join(_ROMAN)})(?![^\W_])")


def is_part_of_date(after: str) -> bool:
    """Whether what follows a number makes it the day of a month."""
    return _after_day().match(after) is not None


def _is_hour(draft: Draft, match: Match) -> bool:
    """18.30 and "o 7.12" are hours: no such month, or words of the clock before them."""
    if match["year"] is not None or match["mark"] == "/" or int(match["day"]) > 24 or len(match["month"]) < 2:
        return False
    return _follows_clock(draft, match) or _make(2024, int(match["month"]), int(match["day"])) is None  # even in a leap year


def _is_pair_of_hours(_: Draft, match: Match) -> bool:
    """10-12 are hours, 24-12 is a date: hours go up."""
    first, last = int(match["day"]), int(match["month"])
    return match["year"] is None and (first < last or _make(2024, last, first) is None)


def _is_number_of_clock(draft: Draft, match: Match) -> bool:
    """Without a year "10 12", "18 30" and "za 25 8" may be hours; no hour is 27."""
    return match["year"] is None and (int(match["day"]) < 24 or _follows_clock(draft, match))


def _is_range_of_hours(_: Draft, match: Match) -> bool:
    """8.00-9.30: no such months."""
    months = [int(match[name]) for name in ("first_month", "month") if match[name] is not None]
    return match["year"] is None and any(not 1 <= month <= 12 for month in months)


def _follows_clock(draft: Draft, match: Match) -> bool:
    return _clock_words().search(draft.text.plain[: match.start()]) is not None


@cache
def _clock_words() -> re.Pattern[str]:
    phrases = "|".join(joined("clock", key) for key in ("exact", "about", "from", "to", "between", "short_of"))
    without_on = "|".join(one for one in phrases.split("|") if one not in {"na", "od", "do", "by"})
    return re.compile(rf"(?<![^\W_])(?:{expression(without_on)})\W*$")


def _make(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _next(draft: Draft, year: int | None, month: int | None, day: int) -> date | None:
    """The date, or the next one of that day and month; None when there is none."""
    if year is not None and month is not None:
        return _make(year, month, day)
    months = range(1, 13) if month is None else (month,)
    candidates = (_make(draft.today.year + ahead, one, day) for ahead in range(_YEARS_AHEAD) for one in months)
    return next((one for one in candidates if one is not None and one >= draft.today), None)


def _dates(is_of_hours: Callable[[Draft, Match], bool] = lambda *_: False) -> Callable[[Draft, str, Match], Piece | None]:
    """24.12, 24 grudnia, 24-26 December, 2026-12-24, 24 XII, where the numbers are no hours."""

    def read(draft: Draft, _: str, match: Match) -> Piece | None:
        if is_of_hours(draft, match):
            return None
        groups = match.groupdict()
        month, day = _month(groups), _day(groups)
        written = groups.get("year")
        year = (int(written) if len(written) == 4 else 2000 + int(written)) if written else draft.year and draft.year[0]
        last = first = _next(draft, year, month, day)
        if groups.get("first") and last is not None:
            first_month = int(groups.get("first_month") or month)
            first = _next(draft, last.year - (first_month > month), first_month, int(groups["first"]))
        if last is None or first is None:
            return TOLD_WHOLE
        first = min(first, last) if first.year == last.year else first
        count = min((last - first).days, _MOST_DAYS)
        between = (first, last) if groups.get("joint") in _AND else tuple(first + timedelta(n) for n in range(count + 1))
        return {"days": between, "is_dated": True, "date_spans": ((*match.span(), last),)}

    return read


def _month(groups: dict[str, str]) -> int:
    word = groups.get("roman") or groups["month"]
    if word.isdigit() or groups.get("roman"):
        return _ROMAN.get(word) or int(word)
    short = next((int(n) for n, phrases in short_months().items() if word in phrases.split("|")), 0)
    return short or number_of("months", word)


def _day(groups: dict[str, str]) -> int:
    if "in_words" not in groups:
        return int(groups["day"])
    return number_of("day_words", groups["in_words"]) + {"dwudziest": 20, "trzydziest": 30}.get(groups["tens"] or "", 0)


def joined_dates(draft: Draft) -> Draft:
    """ "26 grudnia - 29 grudnia", "od 26.12 do 29.12": all from one date to the other."""
    for (_, end, first), (start, _, last) in itertools.pairwise(sorted(draft.date_spans)):
        if _FROM_TO.fullmatch(draft.text.rest[end:start]) and first < last:
            between = range(1, min((last - first).days, _MOST_DAYS))
            draft = draft.plus((end, start), days=tuple(first + timedelta(n) for n in between))
    return draft


def _day_of_month(draft: Draft, _: str, match: Match) -> Piece | None:
    """ "24-go", "dnia 24": the next such day; "w sobotę 21." only where the coming 21st is that day of the week."""
    day = _next(draft, None, None, int(match["a"] or match["b"]))
    return TOLD_WHOLE if day is None else {"days": (day,), "is_dated": True}


def _day_of_week(draft: Draft, _: str, match: Match) -> Piece | None:
    day = _next(draft, None, None, int(match["a"]))
    return None if day is None or day.weekday() not in dict(draft.weekdays) else {"days": (day,), "is_dated": True}


def _year(draft: Draft, _: str, match: Match) -> Piece | None:
    """A year by itself goes with a feast; one of a date stays with it."""
    is_of_date = _DAY_BEFORE.search(draft.text.rest[: match.start()])
    return None if is_of_date else {"year": (int(match["year"]), match.span())}


years = each(pattern(_YEAR_WORD), _year)
dates: Final[tuple[Rule, ...]] = (
    each(pattern(_ISO), _dates()),
    each(pattern(_DASHED), _dates(_is_pair_of_hours)),
    each(pattern(_named_after), _dates()),
    each(pattern(_named_before), _dates()),
    each(pattern(_RANGE), _dates(_is_range_of_hours)),
    each(pattern(_NUMERIC), _dates(_is_hour)),
    each(pattern(_SPACED), _dates(_is_number_of_clock)),
    joined_dates,
    each(pattern(_spoken), _dates()),
)
days_of_month: Final[tuple[Rule, ...]] = (each(pattern(_DAY_AND_DOT), _day_of_week), each(pattern(_DAY_ONLY), _day_of_month))
