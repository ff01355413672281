"""What speaks against the days of a change: which days are meant, and whether it ends.

Belongs here: doubts `day`, `days_left` and `no_end`. Not here: those about hours and kinds (certainty).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Final

from mass_pipeline.announcement_grammar import phrases
from mass_pipeline.announcement_grammar.change import Doubt, ScheduleChange
from mass_pipeline.announcement_grammar.scene import Scene
from mass_pipeline.language.day_words import WEEKDAY, WEEKDAY_STEMS
from mass_pipeline.language.expressions import expression
from mass_pipeline.language.period import Period

_DAY: Final = timedelta(1)
_WEEK: Final = timedelta(7)
_FAR: Final = timedelta(60)  # a feast further away is more likely a misread name
_SUNDAY: Final = 6
_MIDNIGHT: Final = "00:00"
_MIDNIGHTS: Final = ((12, 25), (1, 1))  # month and day on which a Mass begins at midnight
_WEEKDAY: Final = re.compile(WEEKDAY)
_THOSE_DAYS: Final = re.compile(phrases.THOSE_DAYS)
_THOSE_NUMBERS: Final = ("dwie", "trzy", "cztery")
_THIS_SUNDAY: Final = expression(r"\btej <sunday>")
_MONTH: Final = expression(r"<month>")
_BESIDE: Final = expression(r"<advent_mass>|\bdodatkow")
# "W sobotę wspomnienie św. Marka." beside a day with its Mass: no hour, no Mass, nothing left.
_FEAST_ALONE: Final = expression(
    r",? (?:jest |przypada |obchodzi\w+ )?(?:<feast_called>|<holy>|bl\.) [^,;.\d]*(?:[.,;]|$)(?![^.;]*(?:<the_mass>|\d))"
)
_BUT: Final = expression(r"^wyjat|<exception>|<besides> <weekday>")
_NO_END: Final = expression(
    r"\bod(?: dnia)? (?:<weekday>|<beginning_of_time>)|(?<!konca )(?<!koniec )<holidays>|<lasting>|\bw <in_month>"
    r"|(?<!jak )<daily>|(?<!\bna )<every>(?! (?:z nich|<the_mass>))"
)
_FOR_GOOD: Final = expression("<for_good>")
_WINTER_HOLIDAYS: Final = expression("<winter_holidays>")  # days, and no order of the winter
_FROM_WEEKDAY: Final = expression(r"\bod(?: dnia)? <of_weekday>,? $")
_MONTH_NAMED: Final = expression(r"\bw <in_month>")
_LASTS: Final = expression(
    r"<changing> <timetable>|\bzmian\w* czasu|<new> (?:<timetable>|por)|<renouncing>|\b(?:odtad|na stale)\b|\bod <of_month>"
)


def of_days(change: ScheduleChange, scene: Scene, earlier: Sequence[Sequence[Period]], issued: date) -> Iterator[Doubt]:
    """Doubts about which days are meant.

    Args:
        change: whose.
        scene: its sentence.
        earlier: days of the sentences before.
        issued: day of the announcement.
    """
    last = change.valid_to or change.valid_from
    own = [day for day in scene.days if day.first <= change.valid_from <= day.last + _DAY]
    if (scene.days and not own) or _is_of_season(scene, earlier) or _is_weekday_order_of_sunday(scene):
        yield "day"
    named = [scene.words[day.start : day.end] for day in own]
    by_weekday = [name for name in named if _WEEKDAY.search(name) and not re.search(r"\d", name)]
    before = [*(day for days in earlier for day in days), *(day for day in scene.days if own and day.start < own[0].start)]
    if (
        by_weekday
        and len(by_weekday) == len(named)
        and any(_is_other_week(day, change, scene, issued) for day in before if day.first > change.valid_from)
    ):
        yield "day"  # days are named in their order: one that goes back may belong to another week
    meant = next((days for days in reversed(earlier) if days), ())
    those = _are_those(scene.words, meant)
    back = those or any(one.search(scene.words) for one in (phrases.SAME_DAY, phrases.SAME_DAYS))
    several = len(meant) > 1 and not back
    one_day = _THOSE_DAYS.search(scene.words) and _is_one_day(meant)
    unlisted = not scene.days and not scene.is_listed
    if unlisted and (several or one_day or (_are_apart(meant) and not those)):
        yield "day"
    if _is_unlikely(change, issued, named, scene) or any(_is_vague(day, scene) for day in own):
        yield "day"
    if last > change.valid_from and _BUT.search(scene.after) and not _are_left_out(scene):
        yield "days_left"
    told = [(one.valid_from, one.valid_to or one.valid_from) for one in scene.changes]
    left = [day for day in scene.days if not any(first <= day.last + _DAY and day.first <= until for first, until in told)]
    if any(not _FEAST_ALONE.match(scene.folded[day.end :]) for day in left):
        yield "days_left"
    if change.kind == "added" and last > change.valid_from and not _is_bounded(change, scene):
        yield "no_end"


def _are_those(words: str, meant: Sequence[Period]) -> bool:
    """Whether "w te dwie niedziele" points back to as many Sundays and nothing else."""
    said = phrases.THOSE.search(words)
    weekdays = {day.first.weekday() for day in meant if day.first == day.last}
    number = next((at for at, word in enumerate(_THOSE_NUMBERS, 2) if said and word in said[0]), len(meant))
    named = said is not None and any(WEEKDAY_STEMS[weekday] in said[0] for weekday in weekdays)
    return named and len(weekdays) == 1 and number == len(meant) == len({day.first for day in meant})


def _is_bounded(change: ScheduleChange, scene: Scene) -> bool:
    """Whether what is added for several days ends with them: said besides the usual, or instead of what falls out then."""
    within_week = (change.valid_to or change.valid_from) - change.valid_from < _WEEK
    instead = any(
        one.kind == "cancelled" and (one.valid_from, one.valid_to) == (change.valid_from, change.valid_to)
        for one in scene.changes
    )
    beside = any(one.search(scene.words) for one in (_BESIDE, phrases.BESIDES))
    return (within_week and (beside or instead)) or (beside and _has_last_day(change, scene))


def _has_last_day(change: ScheduleChange, scene: Scene) -> bool:
    """Whether its last day is given as a date: "Od jutra do 23 grudnia"."""
    ends = (scene.words[day.start : day.end] for day in scene.days if day.last == change.valid_to and day.first < day.last)
    return any(re.search(r"\d|wigili", words) for words in ends)


def _is_other_week(day: Period, change: ScheduleChange, scene: Scene, issued: date) -> bool:
    """Whether a day named before is far away, a stretch of days, named in the same sentence, or followed by that weekday.

    "Niedziela Zmartwychwstania: ... Poniedziałek: ..." on Palm Sunday means the Monday after.
    """
    followed = day.first - change.valid_from == _WEEK - _DAY
    return followed or day.first - issued > _WEEK or day.first < day.last or day in scene.days


def _is_of_season(scene: Scene, earlier: Sequence[Sequence[Period]]) -> bool:
    """Whether no sentence names the days: they are those of a season, as of roraty."""
    return not scene.days and not scene.is_listed and not any(earlier)


def _are_left_out(scene: Scene) -> bool:
    """Whether the exceptions that the next sentence names lie between the days of the changes: "Wyjątkiem jest środa"."""
    told = [(one.valid_from, one.valid_to or one.valid_from) for one in scene.changes]
    first, last = min(one[0] for one in told) - _DAY, max(one[1] for one in told) + _DAY
    return bool(scene.days_after) and all(
        first <= day.first <= day.last <= last and not any(one[0] <= day.last and day.first <= one[1] for one in told)
        for day in scene.days_after
    )


def _is_weekday_order_of_sunday(scene: Scene) -> bool:
    """Whether a Sunday is said to have the order of weekdays: a feast that is kept on another day."""
    as_weekday = [one.valid_from for one in scene.changes if one.kind == "as_weekday" and one.valid_from == one.valid_to]
    return any(day.weekday() == _SUNDAY for day in as_weekday)


def _is_unlikely(change: ScheduleChange, issued: date, named: Sequence[str], scene: Scene) -> bool:
    """Whether a day is an odd midnight, far away without a date, over, or a Sunday that may be today."""
    may_be_today = issued.weekday() == _SUNDAY and change.valid_from - issued <= _WEEK
    if (change.valid_to or issued) < issued or (may_be_today and _THIS_SUNDAY.search(scene.words)):
        return True
    midnight = _MIDNIGHT in change.times and (change.valid_from.month, change.valid_from.day) not in _MIDNIGHTS
    return midnight or (change.valid_from - issued > _FAR and not any(re.search(r"\d", name) for name in named))


def _is_vague(day: Period, scene: Scene) -> bool:
    """Whether a season is given by its name: "w wakacje", which are the last days of June, too."""
    return day.is_month and _MONTH.search(scene.words) is None


def _is_date(day: Period, words: str) -> bool:
    has_digit = re.search(r"\d", words[day.start : day.end]) is not None
    return day.first == day.last and (has_digit or day.end - day.start == 1)  # one of "10, 17 i 24 maja"


def _is_one_day(days: Sequence[Period]) -> bool:
    return len(days) == 1 and days[0].first == days[0].last


def _are_apart(days: Sequence[Period]) -> bool:
    """Whether other days lie between the days: "wyjeżdża w poniedziałek, wraca w czwartek. W tych dniach ..."."""
    ordered = sorted(days, key=lambda day: day.first)
    return any(other.first - one.last > _DAY for one, other in pairwise(ordered))


def _without_days_that_end(scene: Scene) -> str:
    """The words without "od poniedziałku" before a date whose end is given, too: "od poniedziałku 8 do piątku 12 marca"."""
    words = scene.folded
    for day in scene.days:
        if day.first < day.last and re.search(r"\d", scene.words[day.start : day.end]):
            words = _FROM_WEEKDAY.sub(lambda match: " " * len(match[0]), words[: day.start]) + words[day.start :]
    return words


def of_end(change: ScheduleChange, scene: Scene) -> Iterator[Doubt]:
    """Doubts whether a change ends with the day it names."""
    dated = (
        change.kind == "moved" and change.valid_to == change.valid_from and any(_is_date(day, scene.words) for day in scene.days)
    )
    if _LASTS.search(scene.before) and not dated:  # "Zmiana godziny Mszy św. W czwartek 17 września zamiast o 18.00 ..."
        yield "no_end"
    words = _WINTER_HOLIDAYS.sub("", phrases.AS_SUNDAY.sub("", _without_days_that_end(scene)))
    if change.valid_to is not None and change.valid_to > change.valid_from:
        words = phrases.MEANWHILE.sub("", words)  # "Od 10 do 28 sierpnia remont. W tym czasie ..."
    if change.valid_to == change.valid_from and scene.days and all(_is_date(day, scene.words) for day in scene.days):
        words = _MONTH_NAMED.sub("", words)  # "W maju ... 10, 17 i 24 maja o 16.00": the dates are given
    if change.valid_to is not None and _NO_END.search(words):
        within = any(day.first < day.last and day.first <= change.valid_from <= day.last for day in scene.days)
        ranged = (within or change.valid_to > change.valid_from) and not _FOR_GOOD.search(words)
        weekly = change.kind == "order" and phrases.DAYS_OF_WEEK.search(change.words) is not None
        if not (
            ranged
            and scene.days
            and (weekly or change.kind in ("cancelled", "moved") or phrases.ONLY.search(words) or _is_bounded(change, scene))
        ):
            yield "no_end"
