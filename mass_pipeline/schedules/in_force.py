"""Whether a published order holds on a day: what its rows alone tell. Not here: what their words say (site_reading)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Final

from mass_pipeline.schedules.rows import ScheduleRow

MOST_A_DAY: Final = 40  # Masses of one parish on one day; a site that states more does not state an order


def why_not_in_force(order: Sequence[ScheduleRow], today: date) -> str:
    """Why an order is none of today, in words; "" when nothing tells it.

    Args:
        order: rows of a standing order; exceptions among them are left out.
        today: the day of which it is asked.

    >>> why_not_in_force([], date(2026, 11, 22))
    ''
    """
    standing = [row for row in order if row.exception is None]
    ends = [row.valid_to for row in standing if row.valid_to is not None]
    if standing and len(ends) == len(standing) and max(ends) < today:
        return f"The order was said to hold until {max(ends)}."
    every_week = [row for row in standing if row.mass.season == "all" and row.mass.nth is None and row.holds_on(today)]
    counts = Counter(day for row in every_week for day in row.mass.days)
    day, most = max(counts.items(), key=lambda one: one[1], default=("", 0))
    return f"The site states {most} Masses for one day ({day})." if most > MOST_A_DAY else ""
