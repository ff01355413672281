"""Rows and changes in few words."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

from mass_pipeline.model.records import Mass
from mass_pipeline.reading.changes import ScheduleChange, read_changes
from mass_pipeline.reading.changes.details import details_of
from mass_pipeline.reading.regular.reading import read_text
from mass_pipeline.schedules.announced import Announced
from mass_pipeline.schedules.rows import ScheduleRow

FETCHED = datetime(2026, 11, 15, 3, tzinfo=UTC)
USUAL = "Niedziele: 8.00, 10.00, 18.00\nDni powszednie: 7.00, 18.00"


def row(mass: Mass) -> ScheduleRow:
    return ScheduleRow(mass, "http://a.example/msze", "Niedziele: 8.00", "d1", FETCHED)


def order(text: str = USUAL) -> list[ScheduleRow]:
    """The standing order a text states."""
    return [row(read.mass) for read in read_text(text).masses]


def detailed(change: ScheduleChange, words: str = "", quote: str = "") -> ScheduleChange:
    """The change as these words make it, or those of its quote."""
    quote = quote or change.quote
    return replace(change, quote=quote, details=details_of(words, quote, change.valid_from))


def announced(change: ScheduleChange, issued: date = date(2026, 11, 15), url: str = "http://a.example/news") -> Announced:
    return Announced(change, issued, url, f"sha of {url}", FETCHED)


def read(text: str, issued: date = date(2026, 11, 15), url: str = "http://a.example/news") -> list[Announced]:
    """The changes a text makes."""
    return [announced(change, issued, url) for change in read_changes(text, issued)]
