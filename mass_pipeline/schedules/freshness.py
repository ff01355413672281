"""How old what is known of a parish is, as one of three states. Pure; the ages are settings."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final, Literal

from mass_pipeline.schedules.config import FreshnessConfig
from mass_pipeline.schedules.rows import ScheduleRow

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
