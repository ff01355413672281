"""Every hour of a page with its context: what annotators are asked about and the classifier decides (P13)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final

from mass_pipeline.extraction.config import DEFAULT, ExtractionConfig
from mass_pipeline.extraction.contexts import Contexts, Scopes
from mass_pipeline.extraction.masked_lines import MaskedLines
from mass_pipeline.language.clock import ClockKind, ClockToken, find_clock_tokens
from mass_pipeline.language.masking.lines import collapsed, masked_line
from mass_pipeline.model.columns import CANDIDATE_HOURS
from mass_pipeline.model.digits import has_digit
from mass_pipeline.model.document import Document, Line
from mass_pipeline.model.identifiers import content_id
from mass_pipeline.model.records import Mass

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
    config: ExtractionConfig = DEFAULT,
) -> list[CandidateHour]:
    """Every candidate hour of a page, in reading order.

    Args:
        document: the page.
        parish_id: parish whose site it belongs to.
        page_score: 0..1, how likely the page states the standing schedule.
        readings: (line, start) -> Mass the rules read there.
        config: sizes of the contexts.

    Returns:
        One candidate per hour, at most `config.most_candidates`; both ends of a range count, as annotators must see that they
        are no Masses. Bare and compact numbers count only where the rules read a Mass or another hour stands in their line.
        Empty for a page without hours. Identifiers are distinct and do not change when the page is read again.
        Left, right, heading and day_scope are masked: names, illnesses and numbers of persons never leave the page
        (`language.masking`).
    """
    texts = [line.text for line in document.lines]
    contexts = Contexts(texts, config.left_words, config.right_words)
    scopes = Scopes(document.lines)
    shown = Contexts(MaskedLines(texts), config.left_words, config.right_words)
    rules = readings or {}
    equals: Counter[tuple[str, str, str]] = Counter()
    found: list[CandidateHour] = []
    for index, line, position, hour in islice(_all_hours(document.lines, rules), config.most_candidates):
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
