"""Speed of the classifier: training on 50,000 hours, prediction per core, and the cost of turned labels (issue 6).

    python -m mass_pipeline_tests.benchmarks.classifier [--hours 50000] [--poison]

Hours come from the phrase book, so no word about quality: that is what `classifier_real` measures.
"""

from __future__ import annotations

import argparse
import statistics
import time
from dataclasses import replace

import numpy as np
import pandas as pd

from mass_pipeline.learning.config import LearningConfig
from mass_pipeline.learning.evaluation import Answers, evaluate, scores
from mass_pipeline.learning.model import Trained
from mass_pipeline.learning.phrasebook.corpus import composed_hours
from mass_pipeline.learning.splits import split_of
from mass_pipeline.learning.storage import seal
from mass_pipeline.learning.training import train
from mass_pipeline_tests.benchmarks.extract_speed import SOUP_PAGES, corpora, slowness

HOURS_PER_PAGE = 13
TRAIN_TARGET_SECONDS = 60.0
PREDICT_TARGET = 20_000
CONFIG = LearningConfig(phrase_pages=0)


def labelled(hours: int) -> pd.DataFrame:
    """At least so many labelled hours."""
    frame = composed_hours(hours // HOURS_PER_PAGE + 200, seed=3)
    frame["split"] = [split_of(parish, CONFIG) for parish in frame["parish_id"]]
    return frame.assign(source="crowd", weight=1.0)


def macro_f1(model: Trained, test: pd.DataFrame) -> float:
    """Mean of F1 of yes and of no, question `mass`."""
    answers = evaluate(model, test).answers["mass"]
    no = Answers(~answers.truth, 1 - answers.probability, 1 - answers.threshold)
    return (scores(answers)["f1"] + scores(no)["f1"]) / 2


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=int, default=50_000)
    parser.add_argument("--poison", action="store_true", help="also turn 1, 5, 10 and 20 %% of the labels (hazards M3)")
    options = parser.parse_args()
    rows = labelled(options.hours)
    rows = rows.head(options.hours)
    wall, cpu = time.perf_counter(), time.process_time()
    model = train(rows, seed=1, config=CONFIG)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"training on {len(rows)} hours: {wall:.1f} s wall, {cpu:.1f} s CPU (target {TRAIN_TARGET_SECONDS:.0f} s on 2 cores)")
    rates = []
    for _ in range(3):
        begin = time.process_time()
        model.predict_proba(rows)
        rates.append(len(rows) / (time.process_time() - begin))
    name, pages = next(corpora(SOUP_PAGES))
    if name == "bench corpus":  # absent without the benchmark kit
        slowness(pages)
    print(f"prediction: {statistics.median(rates):.0f} hours per CPU second (target {PREDICT_TARGET})")
    print(f"model: {len(seal(model)[1])} bytes")
    if options.poison:
        poison(rows.head(15_000), model=None)


def poison(rows: pd.DataFrame, model: Trained | None) -> None:
    """Macro F1 on true labels after a share of the labels of train and dev was turned."""
    test = rows[rows["split"] == "test"]
    clean = macro_f1(model or train(rows, seed=1, config=CONFIG), test)
    print(f"turned labels: clean macro F1 {clean:.4f}")
    for share in (0.01, 0.05, 0.10, 0.20):
        turned = (rows["split"] != "test") & (np.random.default_rng(1).random(len(rows)) < share)
        bad = rows.copy()
        bad.loc[turned, "label"] = np.where(bad.loc[turned, "label"] == "mass", "not_mass", "mass")
        score = macro_f1(train(bad, seed=1, config=replace(CONFIG)), test)
        print(f"  {share:.0%} turned: {score:.4f}, loss {100 * (clean - score):.2f} points")


if __name__ == "__main__":
    main()
