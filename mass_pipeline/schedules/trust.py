"""How probably a dated change of an announcement is right: a logistic model of what is known of it.

Fit and reliability: `python -m mass_pipeline_tests.benchmarks.announcement_calibration`, docs/confidence.md. Belongs here: the
evidence of one change beside the standing order. Not here: words (announcement_grammar.said), what is published (publication).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log1p
from types import MappingProxyType
from typing import Final

from mass_pipeline.announcement_grammar import ScheduleChange
from mass_pipeline.announcement_grammar.said import said
from mass_pipeline.schedules.rows import ScheduleRow

_MOST: Final = 0.99  # nothing read by a machine from prose is surer
_LEAST: Final = 0.01
_GRAVE: Final = ("day", "whole_day", "negation", "no_end", "shift", "contradiction", "words")  # doubts that were right most often
_LISTS: Final = ("order", "as_sunday", "as_weekday")

# `python -m mass_pipeline_tests.benchmarks.announcement_calibration --weights`: one half of the written announcements.
WEIGHTS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "constant": 2.898,
        "doubts": -2.334,
        "grave_doubts": -1.413,
        "added": -0.096,
        "cancelled": -0.185,
        "moved": -0.534,
        "another_list": 0.073,
        "day_not_dated": 0.115,
        "day_told_before": -0.124,
        "several_days": 0.643,
        "standing_unknown": 1.026,
        "list_unusual": -0.322,
    }
)


def terms_of(change: ScheduleChange, standing: Sequence[ScheduleRow]) -> dict[str, float]:
    """The terms of the log-odds, by name.

    Args:
        change: as settled by the standing order.
        standing: usual order of the parish; () where unknown.
    """
    grave = sum(doubt in _GRAVE for doubt in change.doubts)
    words = said(change)
    usual = {row.mass.time for row in standing}
    named = set(change.times)
    return {
        "constant": 1.0,
        "doubts": log1p(len(change.doubts) - grave),
        "grave_doubts": log1p(grave),
        "added": float(change.kind == "added"),
        "cancelled": float(change.kind == "cancelled"),
        "moved": float(change.kind == "moved"),
        "another_list": float(change.kind in _LISTS[1:]),
        "day_not_dated": float(words.days_told == "weekday"),
        "day_told_before": float(words.days_told == "before"),
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
