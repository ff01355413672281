"""Score the decision m against n of single hours in context (the hours files), and that cancelled hours stay out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mass_pipeline.laboratory.labelled_hours import HourResult
from mass_pipeline.site_reading.hours import JudgedHour, judge_hours
from mass_pipeline_tests.evaluation.reading import RecordReading


@dataclass(frozen=True)
class HourScore:
    """Precision and recall of m against n; `cancelled_accepted` must be 0."""

    precision: float
    recall: float
    cancelled_accepted: int
    hours: int


def decide_record(record_id: str, reading: RecordReading) -> dict[str, list[JudgedHour]]:
    """Decisions of one record, by file."""
    decided = judge_hours([page for _, page in reading.pages], reading.schedule, parish_id=record_id)
    return {name: decisions for (name, _), decisions in zip(reading.pages, decided, strict=True)}


def score_hours(results: Sequence[HourResult]) -> HourScore:
    """Precision and recall over labels m and n, and how many x were accepted."""
    hits = sum(r.is_accepted for r in results if r.label["label"] == "m")
    wrong = sum(r.is_accepted for r in results if r.label["label"] == "n")
    wanted = sum(r.label["label"] == "m" for r in results)
    cancelled = sum(r.is_accepted for r in results if r.label["label"] == "x")
    precision = hits / (hits + wrong) if hits + wrong else 0.0
    return HourScore(precision, hits / wanted if wanted else 0.0, cancelled, len(results))
