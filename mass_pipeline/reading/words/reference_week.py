"""Stretches of several days within which the weekdays of an announcement lie: "Rekolekcje 15-18 marca ... Poniedziałek: ...".

Belongs here: from which day weekdays are counted. Not here: the days themselves (dates).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from mass_pipeline.reading.words.dates import find_periods
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.period import Period
from mass_pipeline.reading.words.weekday_patterns import WEEKDAY

_DAY: Final = timedelta(1)
_LONGEST: Final = 9  # days: a mission lasts a week and two Sundays
_LONGEST_TEXT: Final = 1_200  # characters; finding days takes the square of their number
_OCCASION: Final = re.compile(
    r"rekolekc|\bmisj|triduum|wielki\w* tydz|nawiedzeni|nabozenstw\w+ (?:40|czterdziesto)|dni skupienia|tydzien modlitw|\bswiat"
)
_WEEKDAY: Final = re.compile(WEEKDAY)
_OF_SEVERAL_DAYS: Final = re.compile(rf"{_OCCASION.pattern}|wielk\w+ (?:czwart|piat|sobot)|wielkanoc|zmartwychwst|boze\w* narodz")
_BEGINS_WITH_DAY: Final = re.compile(rf"\W*(?:(?:we?|na) )?(?:(?:{WEEKDAY})|\d{{1,2}}[. ]|wielk|zmartwych|boze|swieto|uroczyst)")
_LABELS: Final = re.compile(r"\s*[:–-]")
_SUNDAY: Final = 6
_BEFORE_DAY: Final = re.compile(rf"\W*(?:(?:(?:we?|na|swieto|uroczystosc)\b|(?:{WEEKDAY})\w*)\W*)*")


def frame_of(sentence: str, issued: date, frame: Period | None) -> Period | None:
    """The days an occasion of several days takes, as a sentence names them; else those known before.

    Args:
        sentence: as written.
        issued: the day weekdays are counted from.
        frame: known before.
    """
    if len(sentence) > _LONGEST_TEXT or not _OCCASION.search(fold(sentence)):
        return frame
    ranges = [day for day in find_periods(sentence, issued) if 0 < (day.last - day.first).days < _LONGEST]
    return ranges[0] if len(ranges) == 1 and ranges[0].first > issued else frame


def counted_in(sentence: str, since: date, frame: Period | None) -> date:
    """The day from which the weekdays of a sentence are counted: the frame, where they all lie in it."""
    if frame is None or frame.first <= since or len(sentence) > _LONGEST_TEXT:
        return since
    own, folded = find_periods(sentence, since), fold(sentence)
    if not own or not all(_is_weekday(day, folded) for day in own):
        return since
    begins = frame.first - _DAY
    return begins if all(day.last <= frame.last for day in find_periods(sentence, begins)) else since


def _is_weekday(day: Period, folded: str) -> bool:
    words = folded[day.start : day.end]
    return day.last - day.first < timedelta(7) and re.search(r"\d", words) is None and _WEEKDAY.search(words) is not None


def _is_weekday_alone(day: Period, folded: str) -> bool:
    """Whether a day is named by its weekday and nothing else: not "Wielka Sobota", "Poniedziałek Wielkanocny"."""
    return re.fullmatch(rf"(?:{WEEKDAY})\w*", folded[day.start : day.end]) is not None


def counted_by_line(lines: Sequence[tuple[int, str]], issued: date) -> dict[int, date]:
    """For each line (offset, text) the day from which its weekdays are counted, by the frames and days named before it."""
    found: dict[int, date] = {}
    frame: Period | None = None
    before: date | None = None  # last day of the line before that begins with one, where there is no doubt about it
    of_occasion, told = False, set[date]()
    for start, text in lines:
        folded, since = fold(text), counted_in(text, issued, frame)
        days = _days_that_begin(text, since)
        if of_occasion and before is not None and _is_weekday_after(days, before, folded):
            since, days = before, _days_that_begin(text, before)
        found[start] = since
        frame = frame_of(text, issued, frame)
        if days:
            follows = (before is not None and days[0].first == before + _DAY) or days[0].first in told
            before = max(day.last for day in days) if follows or not _is_weekday_alone(days[0], folded) else None
        if len(text) <= _LONGEST_TEXT and _OF_SEVERAL_DAYS.search(folded) is not None:
            of_occasion = True
            told |= {day.first for day in find_periods(text, issued) if re.search(r"\d", folded[day.start : day.end])}
    return found


def _days_that_begin(text: str, since: date) -> list[Period]:
    """The days of a line that begins with one; [] of any other."""
    folded = fold(text)
    if len(text) > _LONGEST_TEXT or not _BEGINS_WITH_DAY.match(folded):
        return []
    days = find_periods(text, since)
    return days if days and _BEFORE_DAY.fullmatch(folded[: days[0].start]) else []


def _is_weekday_after(days: Sequence[Period], before: date, folded: str) -> bool:
    """Whether a line goes on with the weekday after a day that is further away: "Wielkanoc: ..." / "Poniedziałek: ...".

    A sentence ("We wtorek nie będzie Mszy") does so after a Sunday alone; what stands below another day may be said of any week.
    """
    if not days or not _is_weekday_alone(days[0], folded) or days[0].first > before:
        return False
    is_label = _LABELS.match(folded, days[0].end) is not None or folded.rstrip().endswith(":")
    return days[0].first.weekday() == (before + _DAY).weekday() and (is_label or before.weekday() == _SUNDAY)
