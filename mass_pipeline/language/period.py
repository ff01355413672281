"""A stretch of days that a text names."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Period:
    """Days, inclusive, and where they stand in the text.

    Attributes:
        left_out: named after "z wyjątkiem".
        is_mass: shown by the name of a Mass ("Pasterka"), whose hours are its own.
        is_month: whole months ("w lipcu i sierpniu"), which may as well mean those of every year.
    """

    start: int
    end: int
    first: date
    last: date
    left_out: bool = False
    is_mass: bool = False
    is_month: bool = False


def gap(one: Period, other: Period) -> int:
    """Characters between two periods, negative when they overlap."""
    return max(one.start, other.start) - min(one.end, other.end)
