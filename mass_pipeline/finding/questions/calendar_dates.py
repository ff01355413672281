"""Dates written as numbers or with the name of a month; impossible ones are reported. Rules over a draft."""

from __future__ import annotations

import itertools
import re
from datetime import date, timedelta
from functools import cache
from typing import Final

from mass_pipeline.finding.questions.draft import Draft
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
_MOST_DAYS: Final = 30
_DAY_AND_DOT: Final = re.compile(r"(?<![\d.:/])(\d{1,2})\.(?=\s|$)(?!\s*\d)")


@cache
def _named() -> tuple[re.Pattern[str], ...]:
    month = rf"(?P<month>{expression('|'.join((*mapping('months').values(), *short_months().values())))})"
    numerals = "|".join(sorted((one for one in _ROMAN if one != "i"), key=len, reverse=True))
    roman = rf"(?P<roman>{numerals}|i(?=[\s.]+20\d\d))"  # "i" is a word too
    year = r"(?:[,.]?\s*(?P<year>20\d\d)(?:\s?r(?:oku|\.)?)?(?![^\W_]))?"
    several = rf"(?P<first>\d{{1,2}}){_SUFFIX}\s?(?P<joint>-|–|do|to|i|oraz|lub|and|or)\s?"
    return (
        re.compile(rf"(?<![\d.:/])(?:{several})?(?P<day>\d{{1,2}}){_SUFFIX}\s*(?:of\s+)?(?:{month}|{roman})(?![^\W_]){year}"),
        re.compile(rf"(?<![^\W_]){month}\.?\s+(?:the\s+)?(?P<day>\d{{1,2}}){_SUFFIX}(?![\d:]|\s?(?:am|pm)\b){year}"),
    )


@cache
def _after_day() -> re.Pattern[str]:
    months = expression("|".join((*mapping("months").values(), *short_months().values(), *_ROMAN)))
    return re.compile(rf"[-/.]\d|{_SUFFIX}[\s.]*{months}(?![^\W_])")


def is_part_of_date(after: str) -> bool:
    """Whether what follows a number makes it the day of a month."""
    return _after_day().match(after) is not None


def dates(draft: Draft) -> None:
    """24.12, 24 grudnia, 24-26 December, 2026-12-24, 24 XII."""
    for pattern in (_ISO, _DASHED, *_named(), _RANGE, _NUMERIC, _SPACED):
        for match in pattern.finditer(draft.text.rest):
            is_of_hours = _OF_HOURS.get(pattern)
            if "ʘ" in match[0] or (is_of_hours is not None and is_of_hours(draft, match)):
                continue
            _add(draft, match)
    _join(draft)


def _is_hour(draft: Draft, match: re.Match[str]) -> bool:
    """18.30 and "o 7.12" are hours: no such month, or words of the clock before them."""
    if match["year"] is not None or match["mark"] == "/":
        return False
    day, month = int(match["day"]), int(match["month"])
    could_be_hour = day <= 24 and month < 60 and len(match["month"]) == 2
    if not could_be_hour:
        return False
    if _clock_words().search(draft.text.plain[: match.start()]):
        return True
    return _make(2024, month, day) is None  # no such day even in a leap year


def _is_pair_of_hours(draft: Draft, match: re.Match[str]) -> bool:
    """10-12 are hours, 24-12 is a date: hours go up."""
    first, last = int(match["day"]), int(match["month"])
    return match["year"] is None and (first < last or _make(2024, last, first) is None)


def _is_number_of_clock(draft: Draft, match: re.Match[str]) -> bool:
    """Without a year "10 12", "18 30" and "za 25 8" may be hours; no hour is 27."""
    before = draft.text.plain[: match.start()]
    return match["year"] is None and (int(match["day"]) < 24 or _clock_words().search(before) is not None)


def _join(draft: Draft) -> None:
    """ "26 grudnia - 29 grudnia", "od 26.12 do 29.12": all from one date to the other."""
    for (_, end, first), (start, _, last) in itertools.pairwise(sorted(draft.date_spans)):
        if _FROM_TO.fullmatch(draft.text.rest[end:start]) and first < last:
            draft.days.extend(first + timedelta(n) for n in range(1, min((last - first).days, _MOST_DAYS)))
            draft.text.take(end, start)


def _is_range_of_hours(_: Draft, match: re.Match[str]) -> bool:
    """8.00-9.30: no such months."""
    months = [int(match[name]) for name in ("first_month", "month") if match[name] is not None]
    return match["year"] is None and any(not 1 <= month <= 12 for month in months)


_OF_HOURS: Final = {_NUMERIC: _is_hour, _RANGE: _is_range_of_hours, _DASHED: _is_pair_of_hours, _SPACED: _is_number_of_clock}


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


def _add(draft: Draft, match: re.Match[str]) -> None:
    groups = match.groupdict()
    month = _month(groups)
    year = _full_year(groups.get("year")) or draft.year
    last = _next(draft, year, month, int(groups["day"]))
    first = last
    if groups.get("first") and last is not None:
        first_month = int(groups.get("first_month") or month)
        first = _next(draft, last.year - (first_month > month), first_month, int(groups["first"]))
    if last is None or first is None:
        draft.report(*match.span(), whole=True)
        return
    draft.dated = True
    draft.text.take(*match.span())
    if groups.get("joint") in {"i", "oraz", "lub", "and", "or"}:
        draft.days.extend((first, last))
    else:
        first = min(first, last) if first.year == last.year else first
        draft.days.extend(first + timedelta(n) for n in range(min((last - first).days, _MOST_DAYS) + 1))
    draft.date_spans.append((*match.span(), last))


def _month(groups: dict[str, str | None]) -> int:
    if groups.get("roman"):
        return _ROMAN[str(groups["roman"])]
    word = str(groups["month"])
    if word.isdigit():
        return int(word)
    short = next((int(n) for n, phrases in short_months().items() if word in phrases.split("|")), 0)
    return short or number_of("months", word)


def _full_year(year: str | None) -> int | None:
    if year is None:
        return None
    return int(year) if len(year) == 4 else 2000 + int(year)


def _next(draft: Draft, year: int | None, month: int, day: int) -> date | None:
    """The date, or the next one of that day and month; None when there is none."""
    if year is not None:
        return _make(year, month, day)
    candidates = (_make(draft.today.year + ahead, month, day) for ahead in range(_YEARS_AHEAD))
    return next((one for one in candidates if one is not None and one >= draft.today), None)


@cache
def _spoken() -> re.Pattern[str]:
    month = rf"(?P<month>{every('months')})"
    days = "|".join(f"(?P<d{number}>{expression(words)})" for number, words in _day_words().items())
    return re.compile(rf"(?<![^\W_])(?:(?P<tens>dwudziest|trzydziest)(?:ego|y)\s+)?(?:{days})\s+{month}(?![^\W_])")


@cache
def _day_words() -> dict[int, str]:
    return {int(number): words for number, words in mapping("day_words").items()}


def spoken_dates(draft: Draft) -> None:
    """ "Dwudziestego czwartego grudnia"."""
    for match in _spoken().finditer(draft.text.rest):
        day = next(number for number in _day_words() if match[f"d{number}"])
        day += {"dwudziest": 20, "trzydziest": 30}.get(match["tens"] or "", 0)
        found = _next(draft, draft.year, _month({"month": match["month"]}), day)
        if found is None:
            draft.report(*match.span(), whole=True)
            continue
        draft.days.append(found)
        draft.dated = True
        draft.text.take(*match.span())


def days_of_month(draft: Draft) -> None:
    """ "24-go", "dnia 24": the next such day; "w sobotę 21." only where the coming 21st is that day of the week."""
    for match in _DAY_AND_DOT.finditer(draft.text.rest):
        day = next((one for n in range(31) if (one := draft.today + timedelta(n)).day == int(match[1])), None)
        if day is not None and day.weekday() in draft.weekdays:
            draft.days.append(day)
            draft.dated = True
            draft.text.take(*match.span())
    for match in _DAY_ONLY.finditer(draft.text.rest):
        number = int(match["a"] or match["b"])
        day = next((one for n in range(62) if (one := draft.today + timedelta(n)).day == number), None)
        if day is None:
            draft.report(*match.span())
            continue
        draft.days.append(day)
        draft.dated = True
        draft.text.take(*match.span())


def years(draft: Draft) -> None:
    """A year by itself goes with a feast or a month; one of a date stays with it."""
    for match in _YEAR_WORD.finditer(draft.text.rest):
        if _DAY_BEFORE.search(draft.text.rest[: match.start()]):
            continue
        draft.text.take(*match.span())
        draft.year, draft.year_span = int(match["year"]), match.span()


@cache
def _month_alone() -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:w|we|in|during|na|caly|przez caly)\W+(?P<month>{every('months')})(?![^\W_])")


def months(draft: Draft) -> None:
    """ "w grudniu", "in December": the days of the month that are left."""
    for match in draft.taken(_month_alone()):
        number = number_of("months", match["month"])
        draft.month = (draft.year or draft.today.year + (number < draft.today.month), number)
