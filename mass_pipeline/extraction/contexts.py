"""The words around an hour, and what stands over it: headings, and the day words that seem to govern it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from mass_pipeline.extraction.masked_lines import MaskedLines
from mass_pipeline.language.day_words import SHORT_WEEKDAY_TYPED, SUNDAY_SHORT, WEEKDAY_TYPED
from mass_pipeline.model.document import Line, LineKind

_DAY_WORDS: Final = re.compile(
    rf"\b(?:(?:{WEEKDAY_TYPED}|powszedni|codzien|uroczysto[sś]c|tygodni)\w*|[sś]wi[eęą]t[aoy]?(?:ach)?"
    rf"|(?:{SHORT_WEEKDAY_TYPED}|cz|so|{SUNDAY_SHORT}|ndz)(?=[.:,\-–\s]|$))",
    re.I,
)
_WINDOW: Final = 600  # characters on each side that are looked at; one line may be megabytes long
_DAY_WINDOW: Final = 200  # characters before an hour in which its day is sought
_MOST_DAY_WORDS: Final = 4  # the last ones count
_LOOK_BACK_LINES: Final = 12  # lines above the hour in which its day may stand


class Contexts:
    """The words before and after hours in one document.

    Args:
        texts: of the document's lines, as they stand or masked.
        left_words, right_words: how many words a context holds.
    """

    def __init__(self, texts: Sequence[str] | MaskedLines, left_words: int, right_words: int) -> None:
        self._texts = texts
        self._left_words = left_words
        self._right_words = right_words
        # Of each line that was looked at: what may stand in a context, and how many words that is. Hours share their neighbours.
        self._ends: dict[int, tuple[str, int]] = {}
        self._beginnings: dict[int, tuple[str, int]] = {}

    def left(self, line: int, start: int) -> str:
        """About `left_words` words before the hour, lines parted by newlines; "" at the top of the page."""
        part = self._texts[line][max(0, start - _WINDOW) : start]
        parts, missing = [_last_words(part, self._left_words)], self._left_words - _count(part)
        above = line - 1
        while missing > 0 and above >= 0:
            if above not in self._ends:
                text = self._texts[above][-_WINDOW:]
                self._ends[above] = text, _count(text)
            text, words = self._ends[above]
            parts.append(_last_words(text, missing))
            missing -= words
            above -= 1
        return "\n".join(reversed(parts))

    def right(self, line: int, end: int) -> str:
        """About `right_words` words after the hour; "" at the end of the page."""
        part = self._texts[line][end : end + _WINDOW]
        parts, missing = [_first_words(part, self._right_words)], self._right_words - _count(part)
        below = line + 1
        while missing > 0 and below < len(self._texts):
            if below not in self._beginnings:
                text = self._texts[below][:_WINDOW]
                self._beginnings[below] = text, _count(text)
            text, words = self._beginnings[below]
            parts.append(_first_words(text, missing))
            missing -= words
            below += 1
        return "\n".join(parts)


class Scopes:
    """What stands over the hours of one document.

    Args:
        lines: the document's lines.
    """

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._headings = _headings_above(lines)
        self._days_named: dict[int, str] = {}  # by line, of those that were asked for

    def heading(self, line: int) -> str | None:
        """Nearest heading above the line, None when there is none."""
        return self._headings[line]

    def day_scope(self, line: int, start: int) -> str | None:
        """Day words that seem to govern the hour: before it in its line, in its headers, or in the lines above."""
        written = self._lines[line]
        for text in (written.text[max(0, start - _DAY_WINDOW) : start], written.row_header, written.column_header):
            found = _DAY_WORDS.findall(text)
            if found:
                return " ".join(found[-_MOST_DAY_WORDS:])
        nearest = range(line - 1, max(-1, line - 1 - _LOOK_BACK_LINES), -1)
        return next((days for above in nearest if (days := self._days_in(above))), None)

    def _days_in(self, line: int) -> str:
        """The last day words of a line, "" when there are none."""
        days = self._days_named.get(line)
        if days is None:
            found = _DAY_WORDS.findall(self._lines[line].text[-_WINDOW:])
            days = self._days_named[line] = " ".join(found[-_MOST_DAY_WORDS:])
        return days


def _count(text: str) -> int:
    return len(text.split())


def _last_words(text: str, number: int) -> str:
    """The last words of a line; between words there is one space."""
    if text.count(" ") < number:
        return text
    parts = text.rsplit(" ", number + text.endswith(" "))
    return text if len(parts) <= number else " ".join(parts[1:])


def _first_words(text: str, number: int) -> str:
    if text.count(" ") < number:
        return text
    parts = text.split(" ", number + text.startswith(" "))
    return text if len(parts) <= number else " ".join(parts[:-1])


def _headings_above(lines: Sequence[Line]) -> list[str | None]:
    found: list[str | None] = []
    heading: str | None = None
    for line in lines:
        found.append(heading)
        if line.kind is LineKind.HEADING:
            heading = line.text
    return found
