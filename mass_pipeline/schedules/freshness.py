"""Whether a published order is to be relied on: how old what is known of it is, and what its rows alone tell. Pure.

The ages are settings. Not here: what its words say (site_reading).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Final, Literal

from mass_pipeline.schedules.config import FreshnessConfig
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


Freshness = Literal["fresh", "aging", "stale"]
_CLOCKS_DIFFER: Final = timedelta(days=1)  # a later moment was written down by a clock that was wrong: it tells nothing


def freshness(confirmed_at: datetime | None, now: datetime, config: FreshnessConfig) -> Freshness:
    """The state of an order whose page was last confirmed at that moment; one of unknown age is stale.

    >>> from datetime import UTC
    >>> now = datetime(2026, 11, 22, tzinfo=UTC)
    >>> [freshness(now - timedelta(days), now, FreshnessConfig()) for days in (14, 15, 61)]
    ['fresh', 'aging', 'stale']
    """
    if confirmed_at is None or confirmed_at > now + _CLOCKS_DIFFER:
        return "stale"
    age = now - confirmed_at
    if age <= timedelta(config.fresh_days):
        return "fresh"
    return "aging" if age <= timedelta(config.stale_days) else "stale"


def confirmed_at(rows: Iterable[ScheduleRow]) -> datetime | None:
    """When the least recently confirmed page of some rows was confirmed; None without rows, or when one does not tell it."""
    moments = [row.checked_at or row.fetched_at for row in rows]
    known = [moment for moment in moments if moment is not None]
    return min(known) if known and len(known) == len(moments) else None
