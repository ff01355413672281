"""How far what we know of a parish can be relied on today: states of an order, by the days since its page was confirmed.

The date that counts is when the page was last confirmed, also when its server answered that nothing had changed.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, Literal

from mass_pipeline.model.columns import KNOWN_STATES, UNKNOWN_STATES

STATES: Final = (*KNOWN_STATES, *UNKNOWN_STATES)
IN_TIME_SEARCH: Final = ("fresh", "aging")  # an order not checked for long is no answer to "now"
FRESH_FOR: Final = timedelta(days=14)
AGING_FOR: Final = timedelta(days=60)
UNRELIABLE_AFTER: Final = timedelta(days=365)
HIGH: Final = 0.95
GOOD: Final = 0.85


def state_of_order(checked_at: datetime | None, now: datetime) -> str:
    """State of an order by when its page was last confirmed; never confirmed counts as stale.

    >>> from datetime import UTC
    >>> state_of_order(datetime(2026, 11, 1, tzinfo=UTC), datetime(2026, 11, 22, tzinfo=UTC))
    'aging'
    """
    if checked_at is None:
        return "stale"
    age = now - checked_at
    return "fresh" if age <= FRESH_FOR else "aging" if age <= AGING_FOR else "stale"


def confidence_word(confidence: float) -> Literal["high", "good", "low"]:
    """The word for a confidence: of hours called high, at least 95 in 100 should be right."""
    return "high" if confidence >= HIGH else "good" if confidence >= GOOD else "low"
