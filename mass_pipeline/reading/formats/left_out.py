"""Hours of a schedule that are in none of its Masses, each with the reason: what was read is reported with what was not.

For strings of a directory and texts that are a schedule, in which every hour should be a Mass; a page is full of other hours.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mass_pipeline.reading.regular.reading import FEAST_FIELD, PageReading
from mass_pipeline.reading.validity.assembly import HourVerdict
from mass_pipeline.reading.words.clock import ClockKind, find_clock_tokens

_FEASTS: Final = frozenset({"PH", "AF"})
_NOT_UNDERSTOOD: Final = "not understood"
_OF_READING: Final = frozenset({"dated", "cancelled", "unclear", "range"})


def hours_left_out(reading: PageReading) -> list[str]:
    """A note for each hour that is no Mass, in the order of the text; none for a schedule that was read whole."""
    times = {found.mass.time for found in reading.masses}
    of_feasts = {found.mass.time for found in reading.masses if not _FEASTS.isdisjoint(found.mass.days)}
    return list(dict.fromkeys(_notes(reading, times, of_feasts)))


def _reason(verdict: HourVerdict | None) -> str:
    """Why an hour is no Mass: what it is said to be, else what the reading made of it."""
    if verdict is None:
        return _NOT_UNDERSTOOD
    return verdict.reason if verdict.kind in _OF_READING else verdict.kind


def _notes(reading: PageReading, times: set[str], of_feasts: set[str]) -> Iterator[str]:
    hours = 0
    is_entry = len(reading.document.lines) == FEAST_FIELD + 1 and not reading.document.source
    for index, line in enumerate(reading.document.lines):
        for token in find_clock_tokens(line.text):
            if token.kind is not ClockKind.TIME:
                continue
            hours += 1
            verdict = reading.verdicts.get((index, token.start))
            if token.time not in (of_feasts if index == FEAST_FIELD and is_entry else times):
                yield f"left out: {token.raw} ({_reason(verdict)})"
    if not hours and any(line.text.strip(" -") for line in reading.document.lines):
        yield "no hour is named"
