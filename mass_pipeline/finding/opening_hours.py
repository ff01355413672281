"""The hours that a value of `service_times` means, by an evaluator of OpenStreetMap's opening_hours (opening-hours-py)."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Final

from mass_pipeline.model.errors import UsageError

OWN_ORDER_NOTE: Final = "24 grudnia od 15:00, w Wielki Czwartek i w Wielkanoc prawie każda parafia ma inny porządek"


def evaluated(value: str, first: date, days: int) -> frozenset[str] | None:
    """Local starts of a value; None when it cannot be read. Open-ended hours and points of time count by their start.

    Raises:
        UsageError: the evaluator is not installed.
    """
    try:
        from opening_hours import OpeningHours, ParserError  # type: ignore[attr-defined]
    except ImportError as error:
        raise UsageError(
            "Tasks for mappers need opening-hours-py of the extra `public` (pip install 'mass_pipeline[public]')."
        ) from error
    # A point of time is no span to an evaluator: one minute stands for it.
    spans = re.sub(r"(?<![-\d:])(\d\d):(\d\d)\+?(?![-:\d+])", lambda m: f"{m[1]}:{m[2]}-{_a_minute_later(m[1], m[2])}", value)
    try:
        hours = OpeningHours(spans)
    except ParserError:
        return None
    start = datetime(first.year, first.month, first.day)  # noqa: DTZ001 - local wall clock throughout
    found = hours.intervals(start, start + timedelta(days=days))
    return frozenset(f"{one[0]:%Y-%m-%dT%H:%M}" for one in found if str(one[2]) == "open")


def _a_minute_later(hour: str, minute: str) -> str:
    total = int(hour) * 60 + int(minute) + 1
    return f"{total // 60:02d}:{total % 60:02d}"
