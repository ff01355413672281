"""What the words of a change say besides its kind, days and hours: weekdays, place, part of the day, what it is said beside.

A change travels with its words (a table keeps them); here they are read, once, into plain values. Which Masses of the standing
order these are, `schedules` works out of the values alone. Not here: the change itself (reading), doubts (certainty).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import Final, Literal

from mass_pipeline.announcement_grammar.change import ScheduleChange
from mass_pipeline.announcement_grammar.hours import clock_hours
from mass_pipeline.announcement_grammar.phrases import BECAUSE, BUT_SUNDAYS, INVITES, MIDNIGHT_MASS, RORATY, Part
from mass_pipeline.language.dates import find_periods
from mass_pipeline.language.day_words import EVENING, WEEKDAY, WEEKDAY_STEMS, WEEKDAYS_EVERY
from mass_pipeline.language.expressions import expression
from mass_pipeline.language.period import without_periods
from mass_pipeline.language.spoken_hours import in_digits
from mass_pipeline.model.identifiers import fold
from mass_pipeline.model.records import WEEKDAYS, Day

_REMEMBERED: Final = 4096  # changes; one is asked for several times while its parish is worked out
_WORKING_DAYS: Final = expression(rf"(?:<daily> )?\bwe? (?:<working_days>|tygodniu\b)|^\W*<working_days>|{BUT_SUNDAYS.pattern}")
_NOT_A_BORDER: Final = r"(?<!\bod )(?<!\bdo )"  # "od środy" is one Wednesday
_SUNDAYS: Final = (
    r"\bw (?:kazda |te )?<sunday_or_adjective>(?! \d)|^\W*<sunday_or_adjective>|<of_sunday> <the_mass>|<the_mass> <of_sunday>"
)
_DAYS: Final[tuple[tuple[re.Pattern[str], Day], ...]] = tuple(
    (expression(_SUNDAYS if day == "Su" else rf"{_NOT_A_BORDER if day in ('We', 'Sa') else ''}\b{name}\b"), day)
    for day, name in zip(WEEKDAYS, WEEKDAYS_EVERY, strict=True)
)
_BETWEEN_DAYS: Final = re.compile(rf"\bod ({WEEKDAY})\w* do ({WEEKDAY})\w*")
_GENERAL: Final = expression(r"<working_days>|<within_week>|<daily>|<weekdays_but_sunday>")
_DATED: Final = expression(r"\b\d{1,2}\.? ?(?:<month>|[ivx]+\b)|\b\d{1,2}\.(?:0[1-9]|1[0-2])\b(?!\d)")
_NAMES_DAY: Final = re.compile(rf"\b(?:{WEEKDAY})|\bdzis|\bjutr|\bpojutrze|\btygodni|\btydzien")
_HOUR: Final = re.compile(r"\d{1,2}[.:]\d\d")
_MAIN_CHURCH: Final = re.compile(r"\bkosci\w+ parafialn|\bparafialn\w+ kosciel|\bu nas\b|\bw parafii\b")
_STEM: Final = 4  # letters at least that two cases of a place have in common
_KINDS_OF_PLACE: Final = frozenset(("kosciol", "kaplica", "filialny", "filialna", "filia", "parafialny"))
_SEVERAL_OF_PART: Final = expression(r"(?=\w+ych\b)<of_part>|\bzadnych\b")
_MASS_OF_PART: Final = expression(r"<of_morning_or_evening> <the_mass>|<the_mass> <of_morning_or_evening>")
_MASS_BEFORE_HOURS: Final = expression(r"^[^\d]*(?:\d{1,2}(?:[. ]\w+)?[^\d]*)?<the_mass>[^:\d]*<hour>(?:,| i| oraz)")
_BESIDE: Final = expression(r"<said_besides>|\bdla (?:dziec|mlodz|szk|chor)")

_EXCEPTIONAL: Final = expression(
    r"<the_mass> (?:bedzie |jest )?(?:[a-z]+ )?<exceptional>|<exceptional> <the_mass>"
    r"|<the_mass> (?:bedzie |jest )?(?:juz|dopiero) o "
)


_EVENING_WORDS: Final = expression(r"<evening_word>")
_MORNING_WORDS: Final = expression(r"<morning>")
_LISTS: Final[tuple[tuple[re.Pattern[str], tuple[Day, ...]], ...]] = (
    (expression("<sunday> i <feast_of>"), ("Su", "PH")),
    (expression(r"\bw (?:kazda )?<sundays>(?! \d)|<of_sunday>"), ("Su",)),  # "od niedzieli" names a day
    (expression("<weekly_word>|<within_week>|<daily>"), WEEKDAYS[:6]),
    (expression("<saturdays>"), ("Sa",)),
)
_SEASONAL: Final = expression(r"<part_of_year>|\bdo \d|\bdo konca")


@dataclass(frozen=True, slots=True)
class Said:
    """What the words of a dated change say.

    Attributes:
        between: weekdays of "od poniedziałku do piątku"; () for those over the end of a week, None for none named.
        is_of_working_days: "w dni powszednie".
        weekdays: "w niedziele", "w soboty".
        is_general: it speaks of working days or of a weekday as of every week.
        is_here: of the parish church ("u nas", "w kościele parafialnym").
        mass_of: the part of the day of "Msza wieczorna", "" for none.
        is_of_several: "Mszy wieczornych", "żadnych".
        is_exceptional: "Msza św. wyjątkowo o 7.00".
        is_beside: what is added is said besides the usual Masses.
        lists_hours: the hours of the quote are introduced as those of Masses.
        invites: one is invited to the Mass, which may be there anyway.
        is_of_roraty: the change is one of roraty.
        is_midnight_mass: the quote tells the midnight Mass of Christmas.
        hours: of the whole quote, `HH:MM`.
        hindered: hours of a reason: "odprawię o 16.00, bo o 17.00 mam pogrzeb".
        days_told: by a date of the quote, by the name of a weekday alone, or in words before it.
    """

    between: tuple[Day, ...] | None
    is_of_working_days: bool
    weekdays: frozenset[Day]
    is_general: bool
    is_here: bool
    mass_of: Part
    is_of_several: bool
    is_beside: bool
    is_exceptional: bool
    lists_hours: bool
    invites: bool
    is_of_roraty: bool
    is_midnight_mass: bool
    hours: frozenset[str]
    hindered: frozenset[str]
    days_told: Literal["date", "weekday", "before"]


@dataclass(frozen=True, slots=True)
class SaidOfOrder:
    """What the words of a lasting change say.

    Attributes:
        lists: days of the lists that are named, in the order Sundays with feasts, Sundays, working days, Saturdays.
        part: of the day that is named first of evening and morning, "" for none.
        is_seasonal: it holds for a part of the year only.
    """

    lists: tuple[tuple[Day, ...], ...]
    part: Part
    is_seasonal: bool


def said(change: ScheduleChange) -> Said:
    """What the words of a change say.

    >>> said(ScheduleChange("added", date(2026, 7, 1), date(2026, 8, 31), words="w soboty o 18.00")).weekdays
    frozenset({'Sa'})
    """
    return _said(change.words, change.quote)


@lru_cache(maxsize=_REMEMBERED)
def _said(words: str, quote: str) -> Said:
    whole = fold(quote)
    names_days = any(pattern.search(words) for pattern in (_BETWEEN_DAYS, _WORKING_DAYS, *(pattern for pattern, _ in _DAYS)))
    days = words if names_days else whole
    between = _BETWEEN_DAYS.search(days)
    part = _MASS_OF_PART.search(words)
    return Said(
        between=WEEKDAYS[WEEKDAY_STEMS.index(between[1]) : WEEKDAY_STEMS.index(between[2]) + 1] if between else None,
        is_of_working_days=_WORKING_DAYS.search(days) is not None,
        weekdays=frozenset(day for pattern, day in _DAYS if pattern.search(days)),
        is_general=_GENERAL.search(words) is not None,
        is_here=_MAIN_CHURCH.search(words) is not None,
        mass_of="" if part is None else "evening" if EVENING in part[0] else "morning",
        is_of_several=_SEVERAL_OF_PART.search(words) is not None,
        is_beside=_BESIDE.search(words) is not None or _BESIDE.search(BECAUSE.sub("", whole)) is not None,
        is_exceptional=_EXCEPTIONAL.search(words) is not None,
        lists_hours=_MASS_BEFORE_HOURS.search(whole) is not None,
        invites=INVITES.search(whole) is not None,
        is_of_roraty=RORATY.search(whole) is not None or RORATY.search(words) is not None,
        is_midnight_mass=MIDNIGHT_MASS.search(whole) is not None,
        hours=_hours(whole),
        hindered=_hours(reason[0]) if (reason := BECAUSE.search(whole)) else frozenset(),
        days_told="date" if _DATED.search(whole) else "weekday" if _NAMES_DAY.search(whole) else "before",
    )


def with_weekdays_apart(changes: Sequence[ScheduleChange]) -> list[ScheduleChange]:
    """The changes, orders of working days without the weekdays that have an order of their own in the same period.

    "W dni powszednie o 18.00, w soboty o 8.00" has no 18.00 on Saturdays.
    """
    own: dict[tuple[date, date | None], set[Day]] = {}
    for one in changes:
        if one.kind == "order" and not _WORKING_DAYS.search(one.words):
            own.setdefault((one.valid_from, one.valid_to), set()).update(day for p, day in _DAYS if p.search(one.words))
    return [_without(one, own.get((one.valid_from, one.valid_to), set()) - {"Su"}) for one in changes]


def _without(change: ScheduleChange, taken: set[Day]) -> ScheduleChange:
    if change.kind != "order" or not taken or not _WORKING_DAYS.search(change.words):
        return change
    left = " ".join(f"w {name}" for day, name in zip(WEEKDAYS[:6], WEEKDAYS_EVERY, strict=False) if day not in taken)
    words = _WORKING_DAYS.sub("", change.words)
    for pattern, day in _DAYS:
        words = pattern.sub("", words) if day in taken else words
    return replace(change, words=f"{left}; {words}")


def _hours(words: str) -> frozenset[str]:
    return frozenset(hour.time for hour in clock_hours(in_digits(words)))


def places_named(change: ScheduleChange, places: Iterable[str], *, before_hours: bool = False) -> list[str]:
    """Places of a standing order that the words of a change name ("w Zagórzu" for Zagórze), sorted.

    Args:
        change: whose words.
        places: their names; "" is none.
        before_hours: only those named before the first hour, where the change has several: "8.00, 16.00, na Woli 12.00".
    """
    words = change.words
    hour = _HOUR.search(words) if before_hours and len(change.times) > 1 else None
    words = words[: hour.start()] if hour else words
    return [place for place in sorted({place for place in places if place}) if _named(place).search(words)]


@lru_cache(maxsize=_REMEMBERED)
def _named(place: str) -> re.Pattern[str]:
    """A pattern for a place in any case: the beginnings of its words; a short one ("Kąty") only after a preposition."""
    words = [word for word in re.findall(r"[a-z]{3,}", fold(place)) if word not in _KINDS_OF_PLACE]
    if len(words) == 1 and len(words[0]) <= _STEM:
        return re.compile(rf"\b(?:we?|na|do|z) {words[0][:-1]}\w{{1,4}}\b|\b{words[0]}\b")
    return re.compile(r"\w* (?:\w+ )?".join(rf"\b{word[: max(_STEM, len(word) - 2)]}" for word in words) if words else r"(?!)")


def said_of_order(change: ScheduleChange, issued: date) -> SaidOfOrder:
    """What the words of a lasting change say, the days they name left out: "od niedzieli" is no list of Sundays.

    Args:
        change: whose quote.
        issued: day of the announcement.
    """
    words = without_periods(fold(change.quote), find_periods(change.quote, issued))
    part: Part = "evening" if _EVENING_WORDS.search(words) else "morning" if _MORNING_WORDS.search(words) else ""
    lists = tuple(days for pattern, days in _LISTS if pattern.search(words))
    return SaidOfOrder(lists, part, _SEASONAL.search(words) is not None)
