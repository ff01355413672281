"""Every hour of a page with its context: what annotators are asked about and the classifier decides (P13).

A context is the words around the hour and what stands over it: headings, and the day words that seem to govern it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final

from mass_pipeline.model.columns import CANDIDATE_HOURS
from mass_pipeline.model.digits import has_digit
from mass_pipeline.model.document import Document, Line, LineKind
from mass_pipeline.model.identifiers import content_id
from mass_pipeline.model.records import Mass
from mass_pipeline.reading.words.clock import ClockKind, ClockToken, find_clock_tokens
from mass_pipeline.reading.words.masking.lines import blanked, collapsed, masked_line
from mass_pipeline.reading.words.weekday_patterns import SHORT_WEEKDAY_TYPED, SUNDAY_SHORT, WEEKDAY_TYPED

MOST_CANDIDATES: Final = 3000  # of one page that are told; archives of a year's intentions have 1,100
_LEFT_WORDS: Final = 40  # kept before an hour
_RIGHT_WORDS: Final = 25  # and after it
_LONG_LINE: Final = 200  # characters: longer ones hardly repeat
_ALWAYS: Final = frozenset({ClockKind.TIME})
_IN_LISTS: Final = frozenset({ClockKind.COMPACT, ClockKind.SPACED, ClockKind.SLIP, ClockKind.BARE})


@dataclass(frozen=True, slots=True)
class CandidateHour:
    """One hour in its context, and where it stands.

    Attributes:
        reading: the Mass that the rules took it for.
        line: index of its line in the document.
        start, end: offsets in that line.
    """

    candidate_id: str
    parish_id: str
    url: str
    time: str
    raw: str
    left: str
    right: str
    heading: str | None
    day_scope: str | None
    block: str
    list_index: int
    page_score: float
    reading: Mass | None
    line: int
    start: int
    end: int

    def as_row(self) -> dict[str, object]:
        """The columns of `columns.CANDIDATE_HOURS`; `rule_reading` is written for people and never read back."""
        told = None if self.reading is None else json.dumps(self.reading.as_dict(), ensure_ascii=False, sort_keys=True)
        return {name: told if name == "rule_reading" else getattr(self, name) for name in CANDIDATE_HOURS.names}


@dataclass(frozen=True, slots=True)
class _Hour:
    start: int
    end: int
    raw: str
    time: str


def find_candidates(
    document: Document,
    *,
    parish_id: str,
    page_score: float = 0.0,
    readings: Mapping[tuple[int, int], Mass] | None = None,
) -> list[CandidateHour]:
    """Every candidate hour of a page, in reading order.

    Args:
        document: the page.
        parish_id: parish whose site it belongs to.
        page_score: 0..1, how likely the page states the standing schedule.
        readings: (line, start) -> Mass the rules read there.

    Returns:
        One candidate per hour, at most `MOST_CANDIDATES`; both ends of a range count, as annotators must see that they
        are no Masses. Bare and compact numbers count only where the rules read a Mass or another hour stands in their line.
        Empty for a page without hours. Identifiers are distinct and do not change when the page is read again.
        Left, right, heading and day_scope are masked: names, illnesses and numbers of persons never leave the page
        (`reading.words.masking`).
    """
    texts = [line.text for line in document.lines]
    contexts = Contexts(texts)
    scopes = Scopes(document.lines)
    shown = Contexts(texts, blanked)
    rules = readings or {}
    equals: Counter[tuple[str, str, str]] = Counter()
    found: list[CandidateHour] = []
    for index, line, position, hour in islice(_all_hours(document.lines, rules), MOST_CANDIDATES):
        left, right = contexts.left(index, hour.start), contexts.right(index, hour.end)
        equals[hour.time, left, right] += 1
        ordinal = str(equals[hour.time, left, right])
        found.append(
            CandidateHour(
                content_id(parish_id, document.url, hour.time, left, right, ordinal),
                parish_id,
                document.url,
                hour.time,
                hour.raw,
                collapsed(shown.left(index, hour.start)),
                collapsed(shown.right(index, hour.end)),
                _masked(scopes.heading(index)),
                _masked(scopes.day_scope(index, hour.start)),
                f"{line.kind.value}/{line.region.value}",
                position,
                page_score,
                rules.get((index, hour.start)),
                index,
                hour.start,
                hour.end,
            )
        )
    return found


def _masked(text: str | None) -> str | None:
    return None if text is None else masked_line(text)


def _all_hours(lines: Sequence[Line], rules: Mapping[tuple[int, int], Mass]) -> Iterator[tuple[int, Line, int, _Hour]]:
    """Line number, line, position in the line and hour, in reading order."""
    for index, line in enumerate(lines):
        if has_digit(line.text):
            for position, hour in enumerate(_hours(line, index, rules)):
                yield index, line, position, hour


def _hours(line: Line, index: int, rules: Mapping[tuple[int, int], Mass]) -> Iterator[_Hour]:
    tokens = _tokens_in_short(line.text) if len(line.text) <= _LONG_LINE else find_clock_tokens(line.text)
    has_time = any(token.kind in _ALWAYS for token in tokens)
    for token in tokens:
        if token.kind is ClockKind.RANGE:
            yield from _ends_of_range(token)
        elif token.kind in _ALWAYS or (index, token.start) in rules or (token.kind in _IN_LISTS and has_time):
            yield _Hour(token.start, token.end, token.raw, token.time)


_tokens_in_short = lru_cache(maxsize=4096)(find_clock_tokens)  # dates and numbers of menus repeat on every page of a site


def _ends_of_range(token: ClockToken) -> Iterator[_Hour]:
    """Start and end of a range as hours of their own."""
    parts = [part for part in find_clock_tokens(token.raw.replace("–", " ").replace("-", " ")) if part.time]
    if len(parts) >= 2:
        for part in (parts[0], parts[-1]):
            yield _Hour(token.start + part.start, token.start + part.end, part.raw, part.time)
    elif token.time:
        yield _Hour(token.start, token.end, token.raw, token.time)


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
        texts: of the document's lines.
        shown: what of a line is shown; its offsets stay.
    """

    def __init__(self, texts: Sequence[str], shown: Callable[[str], str] = str) -> None:
        self._texts = texts
        self._shown = shown
        # Of each line that was looked at: what may stand in a context, and how many words that is. Hours share their neighbours.
        self._ends: dict[int, tuple[str, int]] = {}
        self._beginnings: dict[int, tuple[str, int]] = {}

    def left(self, line: int, start: int) -> str:
        """About 40 words before the hour, lines parted by newlines; "" at the top of the page."""
        part = self._shown(self._texts[line])[max(0, start - _WINDOW) : start]
        parts, missing = [_last_words(part, _LEFT_WORDS)], _LEFT_WORDS - _count(part)
        above = line - 1
        while missing > 0 and above >= 0:
            if above not in self._ends:
                text = self._shown(self._texts[above])[-_WINDOW:]
                self._ends[above] = text, _count(text)
            text, words = self._ends[above]
            parts.append(_last_words(text, missing))
            missing -= words
            above -= 1
        return "\n".join(reversed(parts))

    def right(self, line: int, end: int) -> str:
        """About 25 words after the hour; "" at the end of the page."""
        part = self._shown(self._texts[line])[end : end + _WINDOW]
        parts, missing = [_first_words(part, _RIGHT_WORDS)], _RIGHT_WORDS - _count(part)
        below = line + 1
        while missing > 0 and below < len(self._texts):
            if below not in self._beginnings:
                text = self._shown(self._texts[below])[:_WINDOW]
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
