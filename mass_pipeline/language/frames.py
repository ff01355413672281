"""Stretches of several days within which the weekdays of an announcement lie: "Rekolekcje 15-18 marca ... Poniedziałek: ...".

Belongs here: from which day weekdays are counted. Not here: the days themselves (dates).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from mass_pipeline.language.dates import find_periods
from mass_pipeline.language.day_words import WEEKDAY
from mass_pipeline.language.period import Period
from mass_pipeline.model.identifiers import fold

_DAY: Final = timedelta(1)
_LONGEST: Final = 9  # days: a mission lasts a week and two Sundays
_LONGEST_TEXT: Final = 1_200  # characters; finding days takes the square of their number
_OCCASION: Final = re.compile(
    r"rekolekc|\bmisj|triduum|wielki\w* tydz|nawiedzeni|nabozenstw\w+ (?:40|czterdziesto)|dni skupienia|tydzien modlitw|\bswiat"
)
_WEEKDAY: Final = re.compile(WEEKDAY)


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


def counted_by_line(lines: Sequence[tuple[int, str]], issued: date) -> dict[int, date]:
    """For each line (offset, text) the day from which its weekdays are counted, by the frames named before it."""
    found: dict[int, date] = {}
    frame: Period | None = None
    for start, text in lines:
        found[start] = counted_in(text, issued, frame)
        frame = frame_of(text, issued, frame)
    return found
