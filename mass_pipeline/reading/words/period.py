"""A stretch of days that a text names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Final

_DIGIT: Final = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Period:
    """Days, inclusive, and where they stand in the text.

    Attributes:
        left_out: named after "z wyjątkiem".
        is_weekly: left out in every week, as it is a weekday without a date.
        is_mass: shown by the name of a Mass ("Pasterka"), whose hours are its own.
        is_month: whole months ("w lipcu i sierpniu"), which may as well mean those of every year.
    """

    start: int
    end: int
    first: date
    last: date
    left_out: bool = False
    is_weekly: bool = False
    is_mass: bool = False
    is_month: bool = False

    @property
    def is_day(self) -> bool:
        """Whether it is a single day."""
        return self.first == self.last

    def is_dated(self, text: str) -> bool:
        """Whether the text names it with a number: "w środę 7 maja", not "w środę"."""
        return _DIGIT.search(text, self.start, self.end) is not None


def existing_day(year: int, month: int, day: int) -> date | None:
    """The day, None where the calendar has none of these numbers.

    >>> existing_day(2026, 9, 31), existing_day(2026, 9, 30)
    (None, datetime.date(2026, 9, 30))
    """
    try:
        return date(year, month, day)
    except ValueError:
        return None


def without_periods(text: str, periods: Iterable[Period]) -> str:
    """The text with blanks in the place of the periods."""
    for one in periods:
        text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
    return text


def gap(one: Period, other: Period) -> int:
    """Characters between two periods, negative when they overlap."""
    return max(one.start, other.start) - min(one.end, other.end)
