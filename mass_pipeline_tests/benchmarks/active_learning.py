"""Labels needed for the same F1: hours drawn at random against the ones the classifier knows least about.

    python -m mass_pipeline_tests.benchmarks.active_learning

Labelled hours of real pages, folded by site: of each fold a classifier is trained from nothing on some labels of the other sites
(no phrase book, no demo pages) and judged on the fold. The labels it asks for are those of `mass-pipeline annotate next`. Real
pages only measure; no model is kept. Needs ../shared/gold.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd

from mass_pipeline.classification import Trained
from mass_pipeline.classification.active import next_to_label
from mass_pipeline.classification.config import LearningConfig
from mass_pipeline.classification.schema import is_mass_probability
from mass_pipeline.classification.training import TrainingRefused, train
from mass_pipeline.site_reading.hours import judge_hours
from mass_pipeline_tests.benchmarks.classifier_real import SETS, sites
from mass_pipeline_tests.evaluation.hours import load_hours, match
from mass_pipeline_tests.evaluation.sets import GOLD

FOLDS: Final = 4
STEPS: Final = (40, 60, 80, 120, 160, 220)
SEEDS: Final = (1, 2, 3)
CONFIG: Final = LearningConfig(phrase_pages=0)


def labelled_hours() -> pd.DataFrame:
    """Columns of candidate_hours and label, of every labelled hour that is a candidate."""
    labels = {**load_hours(GOLD / "sites_hours.jsonl"), **load_hours(GOLD / "directory_hours.jsonl")}
    rows: dict[str, dict[str, object]] = {}
    for record in (one for name in SETS for one in sites(name)):
        frame = record.candidates().set_index("candidate_id", drop=False)
        for file, decisions in zip(record.files, judge_hours(record.readings, record.schedule, parish_id=record.id), strict=True):
            for result in match(labels.get(file, []), decisions):
                if result.decision is None or result.decision.hour.candidate_id not in frame.index:
                    continue
                found = frame.loc[[result.decision.hour.candidate_id]].iloc[0].to_dict()
                found["label"] = "mass" if result.label["label"] == "m" else "not_mass"
                rows[str(found["candidate_id"])] = {str(name): value for name, value in found.items()}
    table = pd.DataFrame(list(rows.values()))
    return table.assign(dated=pd.array([None] * len(table), dtype="boolean"), source="crowd", weight=1.0)


def trained(rows: pd.DataFrame, seed: int) -> Trained | None:
    """A model of these labels alone, a fifth of the sites kept for stopping and thresholds; None when they are too few."""
    parishes = sorted(rows["parish_id"].unique())
    dev = set(parishes[seed % 5 :: 5])
    try:
        return train(rows.assign(split=np.where(rows["parish_id"].isin(dev), "dev", "train")), seed=seed, config=CONFIG)
    except TrainingRefused:
        return None


def f1(model: Trained, held: pd.DataFrame) -> float:
    """F1 of m on the sites of the fold."""
    said = is_mass_probability(model.predict_proba(held)) >= 0.5
    true = (held["label"] == "mass").to_numpy()
    return 2 * float((said & true).sum()) / max(1, int(said.sum() + true.sum()))


def curve(pool: pd.DataFrame, held: pd.DataFrame, seed: int, *, active: bool) -> list[float]:
    """F1 on `held` with so many labels of `pool` as `STEPS` says; the first are drawn at random either way."""
    order = pool.sample(frac=1, random_state=seed)["candidate_id"].tolist()
    known, scores = order[: STEPS[0]], []
    for step in STEPS:
        if active and step > len(known) and (model := trained(pool[pool["candidate_id"].isin(known)], seed)) is not None:
            asked = next_to_label(pool, set(known), model, step - len(known))["candidate_id"].tolist()
            known = [*known, *asked]
        known = [*known, *[name for name in order if name not in set(known)][: step - len(known)]]
        model = trained(pool[pool["candidate_id"].isin(known)], seed)
        scores.append(float("nan") if model is None else f1(model, held))
    return scores


def needed(scores: Sequence[float], wanted: float) -> float:
    """Labels at which a curve reaches `wanted`, between its steps by straight lines; nan when it never does."""
    for n in range(len(STEPS)):
        if scores[n] >= wanted:
            if n == 0:
                return float(STEPS[0])
            share = (wanted - scores[n - 1]) / (scores[n] - scores[n - 1])
            return STEPS[n - 1] + share * (STEPS[n] - STEPS[n - 1])
    return float("nan")


def main() -> None:
    """Print both curves."""
    if not GOLD.is_dir():
        print(f"needs {GOLD}; nothing measured")
        return
    rows = labelled_hours()
    parishes = np.array(sorted(rows["parish_id"].unique()))
    print(f"{len(rows)} labelled hours of {len(parishes)} sites, {(rows['label'] == 'mass').mean():.0%} Masses", flush=True)
    found: dict[str, list[list[float]]] = {"random": [], "active": []}
    for seed in SEEDS:
        shuffled = np.random.default_rng(seed).permutation(parishes)
        for fold in range(FOLDS):
            is_held = rows["parish_id"].isin(shuffled[fold::FOLDS])
            pool, held = rows[~is_held].reset_index(drop=True), rows[is_held].reset_index(drop=True)
            for way, curves in found.items():
                curves.append(curve(pool, held, seed, active=way == "active"))
            print(f"seed {seed} fold {fold}: {len(pool)} in the pool, {len(held)} held", file=sys.stderr, flush=True)
    means = {way: [float(np.nanmean(column)) for column in zip(*curves, strict=True)] for way, curves in found.items()}
    print("labels   " + "  ".join(f"{step:>6}" for step in STEPS))
    for way, mean in means.items():
        spread = [float(np.nanstd(column)) for column in zip(*found[way], strict=True)]
        print(f"{way:8} " + "  ".join(f"{score:6.3f}" for score in mean) + "   +- " + " ".join(f"{one:.3f}" for one in spread))
    for wanted in (means["random"][-2], means["random"][-1]):
        print(f"F1 {wanted:.3f}: " + ", ".join(f"{way} {needed(mean, wanted):.0f} labels" for way, mean in means.items()))


if __name__ == "__main__":
    main()
