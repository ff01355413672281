"""Lines of a text as programmes are read from them, and what a programme is.

Belongs here: lines without their marks, the form of a programme. Not here: which lines make one (programmes, series).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mass_pipeline.announcement_grammar.hours import folded_sentence
from mass_pipeline.language.day_words import OF_MONTH_TYPED
from mass_pipeline.language.period import Period
from mass_pipeline.language.spoken_hours import in_digits

_PICTURES: Final = "\u2190-\u21ff\u25a0-\u27bf\u2b00-\u2bff\ufe0f\U0001f000-\U0001faff"  # arrows, shapes, emoji: "➡ 19:00 Msza"
_MARK: Final = re.compile(
    rf"^\s*(?:\d{{1,2}}[.)/]\s+(?!(?:{OF_MONTH_TYPED}))|[a-z]\)\s+|[-–—•*·{_PICTURES}]\s*)*",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text.

    Attributes:
        start, end: where it stands in the text, its mark left out.
        text: as written.
        words: folded, hours in digits, of the same length.
    """

    start: int
    end: int
    text: str
    words: str


@dataclass(frozen=True, slots=True)
class Programme:
    """A day and its lines.

    Attributes:
        days: of the heading.
        lines: heading first.
        is_list: whether all Masses of the day are listed: a heading before says so.
        is_series: the heading tells the hour, the lines the days.
    """

    days: tuple[Period, ...]
    lines: tuple[Line, ...]
    is_list: bool
    is_series: bool = False


def lines_of(text: str) -> list[Line]:
    """Lines that are not blank, in order, without marks of lists."""
    found, start = [], 0
    for raw in text.splitlines(keepends=True):
        body = raw.rstrip()
        mark = _MARK.match(body)
        begins = start + (mark.end() if mark else 0)
        if body[begins - start :].strip():
            written = body[begins - start :]
            found.append(Line(begins, start + len(body), written, in_digits(folded_sentence(written))))
        start += len(raw)
    return found


def without_days(words: str, days: Sequence[Period]) -> str:
    """The words with blanks in the place of the days."""
    for day in days:
        words = words[: day.start] + " " * (day.end - day.start) + words[day.end :]
    return words
