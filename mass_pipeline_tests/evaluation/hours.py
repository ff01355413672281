"""Score the decision m against n of single hours in context (the hours files), and that cancelled hours stay out."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mass_pipeline.site_reading.hours import JudgedHour, judge_hours
from mass_pipeline_tests.evaluation.reading import RecordReading

_LEAST_LIKENESS: Final = 4  # characters of context that must agree
_DIGITS: Final = re.compile(r"\d+|[oO]{2}")
Label = Mapping[str, Any]


@dataclass(frozen=True)
class HourResult:
    """A labelled hour and what was decided about it (None: it is no candidate, so it is rejected)."""

    label: Label
    decision: JudgedHour | None

    @property
    def is_accepted(self) -> bool:
        return self.decision is not None and self.decision.is_mass


@dataclass(frozen=True)
class HourScore:
    """Precision and recall of m against n; `cancelled_accepted` must be 0."""

    precision: float
    recall: float
    cancelled_accepted: int
    hours: int


def load_hours(path: Path) -> dict[str, list[Label]]:
    """Labelled hours by file."""
    found: dict[str, list[Label]] = defaultdict(list)
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            label = json.loads(line)
            found[label["file"]].append(label)
    return dict(found)


def decide_record(record_id: str, reading: RecordReading) -> dict[str, list[JudgedHour]]:
    """Decisions of one record, by file."""
    decided = judge_hours([page for _, page in reading.pages], reading.schedule, parish_id=record_id)
    return {name: decisions for (name, _), decisions in zip(reading.pages, decided, strict=True)}


def match(labels: Sequence[Label], decisions: Sequence[JudgedHour]) -> list[HourResult]:
    """Pair each labelled hour with the candidate of the same time whose context agrees best, each candidate once.

    Contexts are compared by their ASCII letters and digits alone: labels were cut from other text conversions, some of
    them in a wrong charset.
    """
    pairs: list[tuple[int, int, int]] = []
    for i, label in enumerate(labels):
        time = _time(label["text"])
        for j, decision in enumerate(decisions):
            if decision.hour.time == time:
                likeness = _likeness(label, decision)
                if likeness >= _LEAST_LIKENESS:
                    pairs.append((-likeness, i, j))
    found: dict[int, JudgedHour] = {}
    taken: set[int] = set()
    for _, i, j in sorted(pairs):
        if i not in found and j not in taken:
            found[i] = decisions[j]
            taken.add(j)
    return [HourResult(label, found.get(i)) for i, label in enumerate(labels)]


def score_hours(results: Sequence[HourResult]) -> HourScore:
    """Precision and recall over labels m and n, and how many x were accepted."""
    hits = sum(r.is_accepted for r in results if r.label["label"] == "m")
    wrong = sum(r.is_accepted for r in results if r.label["label"] == "n")
    wanted = sum(r.label["label"] == "m" for r in results)
    cancelled = sum(r.is_accepted for r in results if r.label["label"] == "x")
    precision = hits / (hits + wrong) if hits + wrong else 0.0
    return HourScore(precision, hits / wanted if wanted else 0.0, cancelled, len(results))


def _time(written: str) -> str:
    parts = _DIGITS.findall(written)
    if len(parts) == 1 and len(parts[0]) > 2:
        parts = [parts[0][:-2], parts[0][-2:]]
    minutes = parts[1].replace("o", "0").replace("O", "0") if len(parts) > 1 else "00"
    return f"{int(parts[0]) % 24:02d}:{minutes[:2]}"


def _likeness(label: Label, decision: JudgedHour) -> int:
    before = _common(_bare(label["left"])[::-1], _bare(decision.hour.left)[::-1])
    after = _common(_bare(label["right"]), _bare(decision.hour.right))
    return before + after


def _bare(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", re.sub(r"<[^>]*>", "", text).lower())


def _common(a: str, b: str) -> int:
    for i, (x, y) in enumerate(zip(a, b, strict=False)):
        if x != y:
            return i
    return min(len(a), len(b))
