"""How probably a dated change of an announcement is right: a logistic model of what is known of it.

What is published its doubts decide: of changes without a doubt the model tells the wrong ones no better than chance does.

Fit and reliability: `python -m mass_pipeline_tests.evaluation.announcement_trust`, docs/confidence.md. Belongs here: the
evidence of one change beside the standing order. Not here: words (reading.changes.details), what is published (publication).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log1p
from types import MappingProxyType
from typing import Final

from mass_pipeline.reading.changes import ScheduleChange
from mass_pipeline.schedules.day import standing_rows
from mass_pipeline.schedules.rows import ScheduleRow

_MOST: Final = 0.99  # nothing read by a machine from prose is surer
_LEAST: Final = 0.01
_GRAVE: Final = ("whole_day", "negation", "no_end", "shift", "contradiction", "words")  # doubts that were right most often
_LISTS: Final = ("order", "as_sunday", "as_weekday")

# `python -m mass_pipeline_tests.evaluation.announcement_trust --weights`: one half of the written announcements.
WEIGHTS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "constant": 3.746,
        "doubts": -2.547,
        "grave_doubts": -4.76,
        "elsewhere": -4.567,
        "day_doubted": -2.215,
        "added": -0.151,
        "cancelled": -0.012,
        "moved": -1.071,
        "another_list": 0.122,
        "day_not_dated": -0.235,
        "day_told_before": 0.017,
        "days": 0.037,
        "standing_unknown": -1.319,
        "list_unusual": -0.778,
        "hours_taken": 0.261,
        "hours_beside": 0.306,
        "names_place": 0.2,
        "several_lines": 0.814,
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
    usual = {row.mass.time for row in standing_rows(standing, change.valid_from)[1]}
    named = set(change.times)
    taken = {"order": usual - named, "cancelled": named or usual, "moved": named}.get(change.kind, set())
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
        "days": log1p(((change.valid_to or change.valid_from) - change.valid_from).days),
        "standing_unknown": float(not standing),
        "list_unusual": float(bool(usual) and change.kind == "order" and not named & usual),
        "hours_taken": log1p(len(taken)),
        "hours_beside": log1p(len(set(change.details.hours) - named - set(change.new_times))),
        "names_place": float(bool(change.details.places)),
        "several_lines": float("\n" in change.quote or "|" in change.quote),
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
