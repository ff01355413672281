"""States of a parish that the site shows, and words for confidence. The ages of the states: `schedules.freshness`."""

from __future__ import annotations

from typing import Final, Literal

from mass_pipeline.model.states import KNOWN_STATES, UNKNOWN_STATES

STATES: Final = (*KNOWN_STATES, *UNKNOWN_STATES)
IN_TIME_SEARCH: Final = ("fresh", "aging")  # an order not checked for long is no answer to "now"
NOT_TO_RELY_ON: Final = ("stale", "not_said_current")  # hours are shown struck through, in no search, calendar or markup
HIGH: Final = 0.95
GOOD: Final = 0.85


def confidence_word(confidence: float) -> Literal["high", "good", "low"]:
    """The word for a confidence: of hours called high, at least 95 in 100 should be right."""
    return "high" if confidence >= HIGH else "good" if confidence >= GOOD else "low"
