"""Days an announcement speaks of, told against the day it was issued: dates, ranges, weekdays, feasts.

Not here: recurring days ("w każdy piątek"), which are no dates; what happens on the days (reading).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from mass_pipeline.model.identifiers import fold

_MONTH_STEMS: Final = ("stycz", "lut", "mar", "kwie", "maj", "czerw", "lip", "sierp", "wrze", "paz", "list", "grud")
_MONTH: Final = (
    r"(?:stycz\w+|lut(?:y|ego|ym)|mar(?:zec|ca|cu)|kwie\w+|maj(?:a|u)?|czerwc\w*|czerwiec|lip(?:iec|ca|cu)|sierp\w+|wrze\w+"
    r"|paz\w+|listopad\w*|grud\w+)"
)
_ROMAN: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
_WEEKDAY_STEMS: Final = ("poniedzial", "wtor", "srod", "czwart", "piat", "sobot", "niedziel")
_WEEKDAY: Final = r"(poniedzial(?:ek|ku|kiem)|wtor(?:ek|ku)|srod[aeyi]|czwart(?:ek|ku)|piat(?:ek|ku)|sobot[aeyi]|niedziel[aei])"
_YEAR: Final = r"(?:\s*(20\d\d)(?:\s*r(?:\.|oku)?)?)?"

_DAYS_OF_MONTH: Final = re.compile(rf"(?<![\d.])(\d{{1,2}})\.?\s*(?:(-|–|do|i|oraz)\s*(\d{{1,2}})\.?\s*)?({_MONTH}){_YEAR}\b")
_NUMERIC: Final = re.compile(r"(?<![\d.,:])(\d{1,2})\.(0[1-9]|1[0-2])(?:\.(20\d\d))?(?![\d.]*\d)")
_WITH_ROMAN: Final = re.compile(r"(?<![\d.])(\d{1,2})\s(xii|xi|x|ix|viii|vii|vi|v|iv|iii|ii|I)\b(?!\s*(?:niedziel|piat|sobot))")
_AFTER_NUMBER: Final = re.compile(r"\d $")
_RELATIVE_WEEKDAY: Final = re.compile(rf"(?<!kazd\w )\b(?:(przyszl\w+|nastepn\w+|za tydzien w)\s+)?{_WEEKDAY}\b")
_ORDINAL_WEEKDAY: Final = re.compile(rf"\b(pierwsz\w+|(?<=w )i)\s+{_WEEKDAY}\b")  # not "wtorek i środę"
_WORDS: Final = re.compile(r"\b(dzis(?:iaj)?|jutro|pojutrze|w tym tygodniu|za tydzien)\b")
_ORDINAL_BEFORE: Final = re.compile(r"\b(?:drug\w+|trzeci\w*|czwart[aąey]|ostatni\w*|kazd\w+|ii|iii|iv|v|(?<=\bw )i) $")
_AS_ANOTHER_DAY: Final = re.compile(r"\bjak w (?:kazda |zwykla )*(?:niedziel|sobot)\w+")
_MONTH_END: Final = re.compile(rf"\bkonca (?:tego |m)?(?:miesiaca|({_MONTH}))\b")
_UNTIL: Final = re.compile(rf"(?:do|az do|-|–)(?: dnia)?(?: {_WEEKDAY})?")
_FEASTS: Final[tuple[tuple[re.Pattern[str], Callable[[int], date]], ...]] = (
    (re.compile(r"nowy rok\b|nowego roku"), lambda year: date(year, 1, 1)),
    (re.compile(r"objawieni\w+ panski\w+|trzech kroli"), lambda year: date(year, 1, 6)),
    (re.compile(r"wszystkich swietych"), lambda year: date(year, 11, 1)),
    (re.compile(r"zaduszk\w+|dzien zaduszny"), lambda year: date(year, 11, 2)),
    (re.compile(r"\bwigili[aie]\b(?! paschal)(?: bozego narodzenia)?"), lambda year: date(year, 12, 24)),
    (re.compile(r"pasterk\w+"), lambda year: date(year, 12, 24)),
    (re.compile(r"\bboze narodzenie|bozego narodzenia|narodzenia panskiego"), lambda year: date(year, 12, 25)),
    (re.compile(r"sylwest\w+"), lambda year: date(year, 12, 31)),
    (re.compile(r"sroda popielcowa|srode popielcowa|popielec|popielcu"), lambda year: easter(year) - timedelta(46)),
    (re.compile(r"wielki\w* czwart\w+"), lambda year: easter(year) - timedelta(3)),
    (re.compile(r"wielki\w* piat\w+"), lambda year: easter(year) - timedelta(2)),
    (re.compile(r"wielk\w+ sobot\w+|wigili\w+ paschaln\w+"), lambda year: easter(year) - timedelta(1)),
    (re.compile(r"poniedzial\w+ wielkanocn\w+"), lambda year: easter(year) + timedelta(1)),
    (re.compile(r"zmartwychwstani\w+|rezurekc\w+|niedziel\w+ wielkanocn\w+"), lambda year: easter(year)),
    (re.compile(r"boz\w+ cial\w+"), lambda year: easter(year) + timedelta(60)),
)
_BETWEEN: Final = 20  # characters between a weekday and the date it belongs to: "w niedzielę za 2 tygodnie (12 listopada)"
_BESIDE: Final = 30  # characters between a feast and its date
_PAST_DAYS: Final = 30  # an announcement may still speak of last week; a date further back means next year


@dataclass(frozen=True, slots=True)
class Period:
    """Days, inclusive, and where they stand in the text."""

    start: int
    end: int
    first: date
    last: date


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


def find_periods(text: str, issued: date) -> list[Period]:
    """Periods a text names, in order, overlapping ones resolved for the more precise; "od ... do ..." joined.

    Args:
        text: one sentence or clause, white space folded.
        issued: day of the announcement, usually a Sunday.

    Returns:
        Each period once; offsets are those of the folded text (the same, but for exotic characters).
    """
    folded = _AS_ANOTHER_DAY.sub(lambda match: " " * len(match[0]), fold(text))
    # A small "i" joins hours ("o 7 i 18"); only the capital is January.
    dates = list(_dates(_with_capital_one(folded, text), issued))
    # "26 grudnia, drugi dzień świąt Bożego Narodzenia": the date beside a feast says which day is meant.
    feasts = [f for f in _feasts(folded, issued) if not any(_gap(f, d) <= _BESIDE for d in dates)]
    precise = sorted((*dates, *feasts), key=lambda period: period.start)
    vague = list(_relative(folded, text.lower() if len(text) == len(folded) else folded, issued))
    kept = _without_overlaps(precise)
    # A weekday beside a date only repeats it: "w czwartek, 19 czerwca".
    kept += [v for v in vague if not any(_touch(v, p, folded) for p in kept)]
    kept = [k for k in kept if not (_is_week(k) and any(k is not o and k.first <= o.first <= o.last <= k.last for o in kept))]
    ordered = _joined(sorted(_without_overlaps(kept), key=lambda period: period.start), folded)
    return [p for i, p in enumerate(ordered) if (p.first, p.last) not in {(o.first, o.last) for o in ordered[:i]}]


def _dates(text: str, issued: date) -> Iterator[Period]:
    for match in _DAYS_OF_MONTH.finditer(text):
        month = _month(match[4])
        first = _near(issued, month, int(match[1]), match[5])
        last = _near(issued, month, int(match[3]), match[5]) if match[3] else first
        if first and last and first <= last:
            if match[2] in ("i", "oraz") and last - first > timedelta(1):
                yield Period(match.start(), match.start(2), first, first)
                yield Period(match.start(3), match.end(), last, last)
            else:
                yield Period(match.start(), match.end(), first, last)
    for match in _NUMERIC.finditer(text):
        day = _near(issued, int(match[2]), int(match[1]), match[3])
        if day:
            yield Period(match.start(), match.end(), day, day)
    for match in _WITH_ROMAN.finditer(text):
        day = _near(issued, _ROMAN.index(match[2].lower()) + 1, int(match[1]), None)
        if day:
            yield Period(match.start(), match.end(), day, day)


def _month(word: str) -> int:
    return next(number for number, stem in enumerate(_MONTH_STEMS, 1) if word.startswith(stem))


def _near(issued: date, month: int, day: int, year: str | None) -> date | None:
    for candidate in (int(year),) if year else (issued.year, issued.year + 1):
        try:
            found = date(candidate, month, day)
        except ValueError:
            return None
        if year or found >= issued - timedelta(_PAST_DAYS):
            return found
    return None


def _feasts(text: str, issued: date) -> Iterator[Period]:
    for pattern, day_of in _FEASTS:  # day_of: year -> day
        for match in pattern.finditer(text):
            days = (day_of(year) for year in (issued.year, issued.year + 1))
            day = next(day for day in days if day >= issued - timedelta(7) or day.year > issued.year)
            yield Period(match.start(), match.end(), day, day)


def _relative(text: str, written: str, issued: date) -> Iterator[Period]:
    for match in _ORDINAL_WEEKDAY.finditer(text):
        day = issued + timedelta(1)
        while day.weekday() != _weekday(match[2]) or (day.day > 7):
            day += timedelta(1)
        yield Period(match.start(), match.end(), day, day)
    for match in _RELATIVE_WEEKDAY.finditer(text):
        if _is_every_week(match[2], written[match.start(2) : match.end(2)], match[1], text[: match.start()]):
            continue
        day = issued + timedelta((_weekday(match[2]) - issued.weekday() - 1) % 7 + 1)
        if match[1] and match[1].startswith("za ") and day - issued < timedelta(7):
            day += timedelta(7)
        yield Period(match.start(), match.end(), day, day)
    for match in _MONTH_END.finditer(text):
        month = _month(match[1]) if match[1] else issued.month
        first = _near(issued, month, 28, None) or issued
        day = (first.replace(day=28) + timedelta(4)).replace(day=1) - timedelta(1)
        yield Period(match.start(), match.end(), day, day)
    for match in _WORDS.finditer(text):
        after, until = {"jutro": (1, 1), "pojutrze": (2, 2), "w tym tygodniu": (1, 6), "za tydzien": (7, 7)}.get(match[1], (0, 0))
        yield Period(match.start(), match.end(), issued + timedelta(after), issued + timedelta(until))


def _is_every_week(folded: str, written: str, adjective: str | None, before: str) -> bool:
    """Whether a weekday is meant in general: "w niedziele" (not "w niedzielę"), "w środy", "w drugą sobotę miesiąca"."""
    if folded == "niedziele" and written == folded and not adjective:
        return True
    plural = folded in ("srody", "soboty") and re.search(r"\b(?:od|do|z|najblizszej|przyszlej|tej) $", before) is None
    return plural or _ORDINAL_BEFORE.search(before) is not None


def _weekday(word: str) -> int:
    return next(i for i, stem in enumerate(_WEEKDAY_STEMS) if word.startswith(stem))


def _without_overlaps(periods: list[Period]) -> list[Period]:
    kept: list[Period] = []
    for period in periods:
        if not any(period.start < other.end and other.start < period.end for other in kept):
            kept.append(period)
    return kept


def _with_capital_one(folded: str, text: str) -> str:
    """The folded text with each Roman one standing behind a number left in capitals, where offsets agree."""
    if len(folded) != len(text):
        return folded
    return "".join("I" if letter == "I" and _AFTER_NUMBER.search(folded[:i]) else folded[i] for i, letter in enumerate(text))


def _gap(one: Period, other: Period) -> int:
    return max(one.start, other.start) - min(one.end, other.end)


def _is_week(period: Period) -> bool:
    """Whether it is "w tym tygodniu", which a day named beside it makes precise."""
    return period.last - period.first == timedelta(5)


def _touch(vague: Period, precise: Period, text: str) -> bool:
    between = text[min(vague.end, precise.end) : max(vague.start, precise.start)]
    return precise.first.weekday() == vague.first.weekday() and len(between.strip(" ,(-–")) <= _BETWEEN


def _joined(periods: list[Period], text: str) -> list[Period]:
    """Join "od A do B" and "A – B"."""
    joined: list[Period] = []
    for period in periods:
        before = joined[-1] if joined else None
        between = text[before.end : period.start].strip(" ,") if before else ""
        is_range = bool(before) and _UNTIL.fullmatch(between) is not None
        if before and is_range and period.last >= before.first:
            joined[-1] = Period(before.start, period.end, before.first, period.last)
        else:
            joined.append(period)
    return joined
