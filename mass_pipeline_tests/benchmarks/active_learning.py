"""Labels needed for the same F1: hours drawn at random against the ones the classifier knows least about.

    python -m mass_pipeline_tests.benchmarks.active_learning [--seeds 4] [--nothing-seeds 12]

Labelled hours of real pages, folded by site: a classifier is trained on some labels of the other sites and judged on the fold.
The labels it asks for are those of `annotate load --uncertain`. First, how many that the shipped classifier misjudges stand
among the first that it asks for. Then the curves, twice: from nothing, and beside what the shipped classifier is trained on
(demo sites and the phrase book, 300 of its 2,500 pages to save time), which is where an operator begins. Real pages only measure;
no model is kept. Needs ../shared/gold.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
import pandas as pd

from mass_pipeline.laboratory.pretraining import CONFIG as PRETRAINING
from mass_pipeline.laboratory.pretraining import SEED as PRETRAINING_SEED
from mass_pipeline.laboratory.pretraining import demo_sites, labelled_rows
from mass_pipeline.learning.active import next_to_label
from mass_pipeline.learning.bundled import load_model
from mass_pipeline.learning.config import LearningConfig
from mass_pipeline.learning.model import Trained
from mass_pipeline.learning.schema import is_mass_probability
from mass_pipeline.learning.training import TrainingRefused, train
from mass_pipeline.site_reading.hours import judge_hours
from mass_pipeline_tests.benchmarks.classifier_real import SETS, sites
from mass_pipeline_tests.evaluation.hours import load_hours, match
from mass_pipeline_tests.evaluation.sets import GOLD

FOLDS: Final = 4


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


@dataclass(frozen=True)
class Start:
    """What a classifier knows before the first label.

    Attributes:
        rows: labelled rows it is always trained on, with their split; none from nothing.
        config: how it is trained.
        steps: numbers of labels at which it is judged.
    """

    rows: pd.DataFrame | None
    config: LearningConfig
    steps: tuple[int, ...]
    _without_labels: list[Trained] = field(default_factory=list)

    def trained(self, rows: pd.DataFrame, seed: int) -> Trained | None:
        """A model of these labels and the start; None when they are too few."""
        if self.rows is not None:
            if rows.empty and self._without_labels:
                return self._without_labels[0]  # the same for all folds
            made = train(
                pd.concat([self.rows, rows.assign(split="train")], ignore_index=True), seed=PRETRAINING_SEED, config=self.config
            )
            self._without_labels.extend([made] if rows.empty else [])
            return made
        # A fifth of the sites is kept for stopping and thresholds.
        dev = set(sorted(rows["parish_id"].unique())[seed % 5 :: 5])
        rows = rows.assign(split=np.where(rows["parish_id"].isin(dev), "dev", "train"))
        try:
            return train(rows, seed=seed, config=self.config)
        except TrainingRefused:
            return None


def shipped() -> Start:
    """What the shipped classifier is trained on, with fewer pages of the phrase book."""
    config = replace(PRETRAINING, phrase_pages=300)
    return Start(labelled_rows(list(demo_sites()), config), config, (0, 40, 120))


FROM_NOTHING: Final = Start(None, LearningConfig(phrase_pages=0), (40, 60, 80, 100, 120, 160, 200, 240))


def f1(model: Trained, held: pd.DataFrame) -> float:
    """F1 of m on the sites of the fold."""
    said = is_mass_probability(model.predict_proba(held)) >= 0.5
    true = (held["label"] == "mass").to_numpy()
    return 2 * float((said & true).sum()) / max(1, int(said.sum() + true.sum()))


def curve(start: Start, pool: pd.DataFrame, held: pd.DataFrame, seed: int, *, active: bool) -> list[float]:
    """F1 on `held` with so many labels of `pool` as the steps say; from nothing the first are drawn at random either way."""
    order = pool.sample(frac=1, random_state=seed)["candidate_id"].tolist()
    known, scores = order[: start.steps[0]], list[float]()
    model = start.trained(pool[pool["candidate_id"].isin(known)], seed)
    for step in start.steps:
        if step > len(known):
            if active and model is not None:
                known = [*known, *next_to_label(pool, set(known), model, step - len(known))["candidate_id"]]
            known = [*known, *[name for name in order if name not in set(known)][: step - len(known)]]
            model = start.trained(pool[pool["candidate_id"].isin(known)], seed)
        scores.append(float("nan") if model is None else f1(model, held))
    return scores


def compare(name: str, start: Start, rows: pd.DataFrame, seeds: Sequence[int]) -> None:
    """Print both curves, and what the second has above the first: mean and standard error over the seeds."""
    parishes = np.array(sorted(rows["parish_id"].unique()))
    found: dict[str, list[list[list[float]]]] = {"random": [], "active": []}
    for seed in seeds:
        shuffled = np.random.default_rng(seed).permutation(parishes)
        folds = [rows["parish_id"].isin(shuffled[fold::FOLDS]) for fold in range(FOLDS)]
        for way, curves in found.items():
            pairs = [(rows[~held].reset_index(drop=True), rows[held].reset_index(drop=True)) for held in folds]
            curves.append([curve(start, pool, held, seed, active=way == "active") for pool, held in pairs])
        print(f"{name}, seed {seed}", file=sys.stderr, flush=True)
    by_seed = {way: np.nanmean(np.array(curves), axis=1) for way, curves in found.items()}
    print(f"\n{name}, {len(seeds)} seeds of {FOLDS} folds\nlabels   " + "  ".join(f"{step:>6}" for step in start.steps))
    for way, scores in by_seed.items():
        print(f"{way:8} " + "  ".join(f"{score:6.3f}" for score in scores.mean(axis=0)))
    gain = by_seed["active"] - by_seed["random"]
    print("gain     " + "  ".join(f"{one:+6.3f}" for one in gain.mean(axis=0)))
    print("+-       " + "  ".join(f"{one:6.3f}" for one in gain.std(axis=0, ddof=1) / np.sqrt(len(seeds))))


def print_errors_found(rows: pd.DataFrame) -> None:
    """How many misjudged hours stand among the first that the shipped classifier asks for."""
    model = load_model(None)
    assert model is not None
    is_wrong = (is_mass_probability(model.predict_proba(rows)) >= 0.5) != (rows["label"] == "mass").to_numpy()
    wrong = set(rows.loc[is_wrong, "candidate_id"])
    print(f"\nthe shipped classifier alone misjudges {len(wrong)} of {len(rows)} hours; among the first it asks for")
    for count in (20, 40, 80):
        asked = next_to_label(rows, set(), model, count)["candidate_id"]
        expected = len(asked) * len(wrong) / len(rows)
        print(f"{len(asked):>4}: {len(wrong & set(asked))}; drawn at random {expected:.1f}", flush=True)


def main() -> None:
    """Print the curves and the errors found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=4, help="of the classifier that begins as the shipped one does")
    parser.add_argument("--nothing-seeds", type=int, default=12, help="of the one that begins with nothing")
    arguments = parser.parse_args()
    if not GOLD.is_dir():
        print(f"needs {GOLD}; nothing measured")
        return
    rows = labelled_hours()
    mass = (rows["label"] == "mass").mean()
    print(f"{len(rows)} labelled hours of {rows['parish_id'].nunique()} sites, {mass:.0%} Masses", flush=True)
    print_errors_found(rows)
    if arguments.nothing_seeds:
        compare("from nothing", FROM_NOTHING, rows, range(1, 1 + arguments.nothing_seeds))
    if arguments.seeds:
        compare("beside the shipped training set", shipped(), rows, range(1, 1 + arguments.seeds))


if __name__ == "__main__":
    main()
