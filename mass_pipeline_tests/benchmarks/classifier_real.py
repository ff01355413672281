"""Quality on the labelled real pages: rules, classifier, both, and the 2018 set-up, on hours and on schedules.

    python -m mass_pipeline_tests.benchmarks.classifier_real

Real pages only measure: no model, threshold or calibration is fitted on them. Needs ../shared/gold.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from mass_pipeline.laboratory.classifier_rivals import set_up_of_2018
from mass_pipeline.laboratory.pretraining import CONFIG, SEED, demo_sites, labelled_rows
from mass_pipeline.learning.bundled import load_model
from mass_pipeline.learning.evaluation import Answers, reliability, truths_of
from mass_pipeline.learning.model import Trained
from mass_pipeline.learning.schema import frame_of, standing_probability
from mass_pipeline.learning.training import with_phrases
from mass_pipeline.model.records import SiteSchedule
from mass_pipeline.reading.regular.reading import PageReading, read_page
from mass_pipeline.reading.regular.sites import read_site
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline.site_reading.combine import decided_schedule
from mass_pipeline.site_reading.hours import JudgedHour, candidates_of, judge_hours, with_classifier
from mass_pipeline_tests.evaluation.hours import load_hours, match
from mass_pipeline_tests.evaluation.sets import GOLD

SETS = ("sites", "directory")
Decide = Callable[[list[list[JudgedHour]]], list[list[JudgedHour]]]


@dataclass(frozen=True)
class RealSite:
    """A labelled record, read."""

    id: str
    files: tuple[str, ...]
    readings: tuple[PageReading, ...]
    schedule: SiteSchedule
    truth: list[dict[str, object]] | None

    def candidates(self) -> pd.DataFrame:
        """Its candidate hours."""
        return frame_of(hour for reading in self.readings for hour in candidates_of(reading, self.id))


def sites(name: str) -> Iterator[RealSite]:
    """Records of one set."""
    for line in (GOLD / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        files = tuple(page["file"] for page in record["pages"]) if "pages" in record else (record["file"],)
        readings = tuple(read_page(read_document((GOLD / file).read_bytes(), url=file)) for file in files)
        yield RealSite(record["id"], files, readings, read_site(readings), record["masses"])


def alone(predict: Callable[[pd.DataFrame], np.ndarray], threshold: float) -> Decide:
    """Decisions of a model that is not told what the rules think."""

    def decide(decided: list[list[JudgedHour]]) -> list[list[JudgedHour]]:
        flat = [one.hour for page in decided for one in page]
        if not flat:
            return decided
        chances = iter(predict(frame_of(flat)))
        return [[replace(d, is_mass=bool(next(chances) >= threshold)) for d in page] for page in decided]

    return decide


def share(part: int, whole: int) -> str:
    """A share for a table; a dash where there is nothing to have a share in: a classifier alone may say nothing at all."""
    return f"{part / whole:.4f}" if whole else "     -"


def hours_table(records: Sequence[RealSite], ways: dict[str, Decide]) -> None:
    """Precision, recall and F1 of m against all other labels."""
    labels = {**load_hours(GOLD / "sites_hours.jsonl"), **load_hours(GOLD / "directory_hours.jsonl")}
    for name, way in ways.items():
        results = []
        for record in records:
            decided = way(judge_hours(record.readings, record.schedule, parish_id=record.id))
            for file, decisions in zip(record.files, decided, strict=True):
                results += match(labels.get(file, []), decisions)
        said = sum(r.is_accepted for r in results)
        right = sum(r.is_accepted and r.label["label"] == "m" for r in results)
        wanted = sum(r.label["label"] == "m" for r in results)
        f1 = share(2 * right, said + wanted)
        print(f"  {name:24} P {share(right, said)}  R {share(right, wanted)}  F1 {f1}  ({len(results)} hours)")


def schedules_table(name: str, records: Sequence[RealSite], model: Trained) -> list[tuple[float, bool]]:
    """Precision and recall of (day, time) cells of the week, per way; returns confidence and truth of published rows."""
    ways: dict[str, Callable[[RealSite], SiteSchedule]] = {
        "rules alone": lambda r: r.schedule,
        "final": lambda r: decided_schedule(r.schedule, r.readings, r.id, model),
    }
    published: list[tuple[float, bool]] = []
    for way, schedule in ways.items():
        hits = said = wanted = 0
        for record in records:
            if record.truth is None:
                continue
            need = {(d, m["time"]) for m in record.truth for d in m["days"] if not m.get("optional")}  # type: ignore[attr-defined]
            may = {(d, m["time"]) for m in record.truth for d in m["days"]}  # type: ignore[attr-defined]
            rows = schedule(record).masses
            got = {(d, read.mass.time) for read in rows for d in read.mass.days}
            hits, said, wanted = hits + len(got & need), said + len(got - (may - need)), wanted + len(need)
            if way == "final":
                published += [(read.confidence, all((d, read.mass.time) in may for d in read.mass.days)) for read in rows]
        print(f"  {name:10} {way:18} P {share(hits, said)}  R {share(hits, wanted)}  ({wanted} cells, all days)")
    return published


def main() -> None:
    """Print the tables."""
    if not GOLD.is_dir():
        print(f"needs the labelled real pages beside the checkout ({Path('..') / 'shared' / 'gold'}); nothing measured")
        return
    model = load_model(None)
    assert model is not None
    records = {name: list(sites(name)) for name in SETS}
    rows = labelled_rows(list(demo_sites()), CONFIG)
    learned = with_phrases(rows[rows["split"] == "train"], CONFIG)
    old = set_up_of_2018(learned, truths_of(learned)["standing"], np.ones(len(learned)), CONFIG, SEED)
    print(f"hours, m against the rest (model {model.model_id})")
    ways: dict[str, Decide] = {
        "2018 set-up": alone(old, 0.5),
        "classifier alone": alone(lambda f: standing_probability(model.predict_proba(f)), model.threshold),
        "rules alone": lambda decided: decided,
        "rules and classifier": lambda decided: with_classifier(decided, model),
    }
    hours_table([record for group in records.values() for record in group], ways)
    print("schedules")
    published = [pair for name in SETS for pair in schedules_table(name, records[name], model)]
    confidence, right = np.array([c for c, _ in published]), np.array([r for _, r in published], dtype=bool)
    print("published confidence")
    print(reliability(Answers(right, confidence, 0.5)).round(4).to_string(index=False))


if __name__ == "__main__":
    main()
