"""What the words of a change say besides its kind, days and hours: weekdays, place, part of the day, what it is said beside.

They are read here, once, into plain values that travel with the change. Which Masses of the standing order these are, `schedules`
works out of the values alone. Not here: the change itself (reading), doubts (certainty).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from typing import Final

from mass_pipeline.model.identifiers import fold
from mass_pipeline.model.records import WEEKDAYS, Day
from mass_pipeline.reading.changes.change import ChangeDetails, ScheduleChange
from mass_pipeline.reading.changes.hours import clock_hours
from mass_pipeline.reading.changes.phrases import BECAUSE, BUT_SUNDAYS, DAYS_OF_WEEK, EXCEPTED, MIDNIGHT_MASS, RORATY
from mass_pipeline.reading.words.dates import find_periods
from mass_pipeline.reading.words.expressions import expression
from mass_pipeline.reading.words.period import without_periods
from mass_pipeline.reading.words.spoken_hours import in_digits
from mass_pipeline.reading.words.weekday_patterns import EVENING, WEEKDAY, WEEKDAY_STEMS, WEEKDAYS_EVERY

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
_ONE_DAY: Final = tuple(
    (re.compile(rf"\bwe? {name}(?:e?k|[ea])\b"), day) for name, day in zip(WEEKDAY_STEMS, WEEKDAYS, strict=True)
)
_BETWEEN_DAYS: Final = re.compile(rf"\bod ({WEEKDAY})\w* do ({WEEKDAY})\w*")
_GENERAL: Final = expression(r"<working_days>|<within_week>|<daily>|<weekdays_but_sunday>")
_DATED: Final = expression(r"\b\d{1,2}\.? ?(?:<month>|[ivx]+\b)|\b\d{1,2}\.(?:0[1-9]|1[0-2])\b(?!\d)")
_NAMES_DAY: Final = re.compile(rf"\b(?:{WEEKDAY})|\bdzis|\bjutr|\bpojutrze|\btygodni|\btydzien")
_HOUR: Final = re.compile(r"\d{1,2}[.:]\d\d")
_WORKING: Final = WEEKDAYS[:6]
# "w kaplicy w Zagórzu", "na Woli"; "Lipnik 10.00"
_PLACES: Final = expression(
    r"\b(?:we?|na|do|ze?|przy)(?: (?!nie\b|<will_be>|<mass>)[a-z]{3,}){1,4}"
    r"|(?:(?<=[;,(] )|^)[a-z]{3,}(?: [a-z]{3,}){0,2}(?=[ :–-]+<at>\d)"
)
_MAIN_CHURCH: Final = re.compile(  # "w parafii św. Anny" is another one
    r"\bkosci\w+ parafialn|\bparafialn\w+ kosciel|\bu nas\b"
    r"|\bw parafii\b(?! (?:sw|bl|pw|p\.w|[nm]mp|mb|naj|matki|w|na|[a-z]+sk\w+)\b)"
)
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


def details_of(words: str, quote: str, issued: date) -> ChangeDetails:
    """What the words of a change say.

    Args:
        words: folded, of its clause, with the weekdays spoken of; "" where the quote is all that is known.
        quote: its sentence or lines.
        issued: day of the announcement.

    >>> details_of("w soboty o 18.00", "", date(2026, 7, 1)).weekdays
    ('Sa',)
    """
    whole, words = (EXCEPTED.sub("", text) for text in (fold(quote), words))
    names_days = any(pattern.search(words) for pattern in (_BETWEEN_DAYS, _WORKING_DAYS, *(pattern for pattern, _ in _DAYS)))
    part = _MASS_OF_PART.search(words)
    first_hour = _HOUR.search(words)
    # The days a lasting change names are no lists: "od niedzieli" is no list of Sundays.
    of_order = without_periods(whole, find_periods(quote, issued))
    return ChangeDetails(
        weekdays=weekdays_of(words if names_days else whole) or weekdays_of(words, _ONE_DAY),
        is_weekly=DAYS_OF_WEEK.search(words) is not None,
        is_general=_GENERAL.search(words) is not None,
        is_here=_MAIN_CHURCH.search(words) is not None,
        places=tuple(_PLACES.findall(words)),
        places_first=tuple(_PLACES.findall(words[: first_hour.start()] if first_hour else words)),
        mass_of="" if part is None else "evening" if EVENING in part[0] else "morning",
        is_of_several=_SEVERAL_OF_PART.search(words) is not None,
        is_beside=_BESIDE.search(words) is not None or _BESIDE.search(BECAUSE.sub("", whole)) is not None,
        is_exceptional=_EXCEPTIONAL.search(words) is not None,
        lists_hours=_MASS_BEFORE_HOURS.search(whole) is not None,
        is_of_roraty=RORATY.search(whole) is not None or RORATY.search(words) is not None,
        is_midnight_mass=MIDNIGHT_MASS.search(whole) is not None,
        hours=_hours(whole),
        hindered=_hours(reason[0]) if (reason := BECAUSE.search(whole)) else (),
        days_told="date" if _DATED.search(whole) else "weekday" if _NAMES_DAY.search(whole) else "before",
        lists=tuple(",".join(days) for pattern, days in _LISTS if pattern.search(of_order)),
        list_part="evening" if _EVENING_WORDS.search(of_order) else "morning" if _MORNING_WORDS.search(of_order) else "",
        is_seasonal=_SEASONAL.search(of_order) is not None,
    )


def weekdays_of(words: str, patterns: Sequence[tuple[re.Pattern[str], Day]] = _DAYS) -> tuple[Day, ...]:
    """Days of the week that folded words name, in order; () for none."""
    between = _BETWEEN_DAYS.search(words)
    if between:
        first, last = (WEEKDAY_STEMS.index(stem) for stem in between.groups())
        return tuple(day for at, day in enumerate(WEEKDAYS) if (at - first) % 7 <= (last - first) % 7)
    if _WORKING_DAYS.search(words):
        return _WORKING
    return tuple(day for pattern, day in patterns if pattern.search(words))


def shown_in(change: ScheduleChange, quote: str) -> ScheduleChange:
    """The change with a masked quote, without names that it hides."""
    told = set(re.findall(r"\w+", fold(quote)))
    places, first = (
        tuple(place for place in names if told.issuperset(place.split()))
        for names in (change.details.places, change.details.places_first)
    )
    return replace(change, quote=quote, details=replace(change.details, places=places, places_first=first))


def with_weekdays_apart(changes: Sequence[ScheduleChange]) -> list[ScheduleChange]:
    """The changes, orders of working days without the weekdays that have an order of their own in the same period.

    "W dni powszednie o 18.00, w soboty o 8.00" has no 18.00 on Saturdays.
    """
    orders = [one for one in changes if one.kind == "order"]
    general = [one for one in orders if one.details.weekdays == _WORKING]
    found = list(changes)
    for one in general:
        others = (other for other in orders if (other.valid_from, other.valid_to) == (one.valid_from, one.valid_to))
        taken = {day for other in others if other not in general for day in other.details.weekdays}
        left = tuple(day for day in _WORKING if day not in taken)
        found[found.index(one)] = replace(one, details=replace(one.details, weekdays=left))
    return found


def _hours(words: str) -> tuple[str, ...]:
    return tuple(sorted({hour.time for hour in clock_hours(in_digits(words))}))


def places_named(change: ScheduleChange, places: Iterable[str], *, before_hours: bool = False) -> list[str]:
    """Places of a standing order that the words of a change name ("w Zagórzu" for Zagórze), sorted.

    Args:
        change: whose words.
        places: their names; "" is none.
        before_hours: only those named before the first hour, where the change has several: "8.00, 16.00, na Woli 12.00".
    """
    named = change.details.places_first if before_hours and len(change.times) > 1 else change.details.places
    return [place for place in sorted({place for place in places if place}) if _named(place).search("; ".join(named))]


@lru_cache(maxsize=_REMEMBERED)
def _named(place: str) -> re.Pattern[str]:
    """A pattern for a place in any case: the beginnings of its words; a short one ("Kąty") only after a preposition."""
    words = [word for word in re.findall(r"[a-z]{3,}", fold(place)) if word not in _KINDS_OF_PLACE]
    if len(words) == 1 and len(words[0]) <= _STEM:
        return re.compile(rf"\b(?:we?|na|do|z) {words[0][:-1]}\w{{1,4}}\b|\b{words[0]}\b")
    return re.compile(r"\w* (?:\w+ )?".join(rf"\b{word[: max(_STEM, len(word) - 2)]}" for word in words) if words else r"(?!)")
