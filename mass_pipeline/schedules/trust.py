"""How probably a dated change of an announcement is right: a logistic model of what is known of it.

Fit and reliability: `python -m mass_pipeline_tests.evaluation.announcement_trust`, docs/confidence.md. Belongs here: the
evidence of one change beside the standing order. Not here: words (reading.changes.details), what is published (publication).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log1p
from types import MappingProxyType
from typing import Final

from mass_pipeline.reading.changes import ScheduleChange
from mass_pipeline.schedules.rows import ScheduleRow

_MOST: Final = 0.99  # nothing read by a machine from prose is surer
_LEAST: Final = 0.01
_GRAVE: Final = ("whole_day", "negation", "no_end", "shift", "contradiction", "words")  # doubts that were right most often
_LISTS: Final = ("order", "as_sunday", "as_weekday")

# `python -m mass_pipeline_tests.evaluation.announcement_trust --weights`: one half of the written announcements.
WEIGHTS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "constant": 3.462,
        "doubts": -1.364,
        "grave_doubts": -1.876,
        "elsewhere": -4.849,
        "day_doubted": -2.91,
        "added": -0.301,
        "cancelled": -0.1,
        "moved": -0.843,
        "another_list": 0.0,
        "day_not_dated": 0.271,
        "day_told_before": -0.008,
        "several_days": 0.683,
        "standing_unknown": 0.575,
        "list_unusual": -0.818,
    }
)


def terms_of(change: ScheduleChange, standing: Sequence[ScheduleRow]) -> dict[str, float]:
    """The terms of the log-odds, by name.

    Args:
        change: as settled by the standing order.
        standing: usual order of the parish; () where unknown.
    """
    others = set(change.doubts) - {"elsewhere", "day"}
    grave = sum(doubt in _GRAVE for doubt in others)
    usual = {row.mass.time for row in standing}
    named = set(change.times)
    return {
        "constant": 1.0,
        "doubts": log1p(len(others) - grave),
        "grave_doubts": log1p(grave),
        "elsewhere": float("elsewhere" in change.doubts),
        "day_doubted": float("day" in change.doubts and "no_end" not in change.doubts),  # what goes on without end has no one day
        "added": float(change.kind == "added"),
        "cancelled": float(change.kind == "cancelled"),
        "moved": float(change.kind == "moved"),
        "another_list": float(change.kind in _LISTS[1:]),
        "day_not_dated": float(change.details.days_told == "weekday"),
        "day_told_before": float(change.details.days_told == "before"),
        "several_days": float(change.valid_to != change.valid_from),
        "standing_unknown": float(not standing),
        "list_unusual": float(bool(standing) and change.kind == "order" and not named & usual),
    }


def trust_in(change: ScheduleChange, standing: Sequence[ScheduleRow], weights: Mapping[str, float] = WEIGHTS) -> float:
    """How probably a dated change is right, 0.01 to 0.99.

    Args:
        change: as settled by the standing order.
        standing: usual order of the parish; () where unknown.
        weights: of the terms.
    """
    odds = sum(weights.get(name, 0.0) * value for name, value in terms_of(change, standing).items())
    return min(_MOST, max(_LEAST, 1 / (1 + exp(-max(-30.0, min(30.0, odds))))))
