"""The network beside the set-up of 2018 and the rules, trained on the same parishes and measured on the same unseen ones.

On demo sites cross-validated by parish, and on labelled hours of saved pages. Belongs: the set-up of 2018 and the tables. Not
here: the network itself (network, training).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from mass_pipeline.laboratory.labelled_hours import HourResult, load_hours, saved_sites
from mass_pipeline.learning.calibration import choose_threshold, fit_calibration
from mass_pipeline.learning.config import LearningConfig
from mass_pipeline.learning.evaluation import Answers, measured_rows, scores, truths_of
from mass_pipeline.learning.model import Trained
from mass_pipeline.learning.schema import Bools, Floats, frame_of, is_mass_probability, standing_probability, texts_of
from mass_pipeline.learning.training import train, with_phrases
from mass_pipeline.site_reading.hours import ACCEPT, REJECT, with_classifier

_ITERATIONS: Final = 1000
_SHOWN: Final = ("precision", "recall", "f1", "accuracy", "mcc", "average_precision")
_HEADS: Final = ("precision", "recall", "F1", "accuracy", "MCC", "average precision")
SETS: Final = ("sites", "directory")  # of saved pages with labelled hours

Fitted = Callable[[pd.DataFrame], Floats]


def unmarked_text(rows: pd.DataFrame) -> list[str]:
    """The line fastText was given in 2018: left, hour and right glued, newline as a token, the hour not marked."""
    columns = (texts_of(rows[name]) for name in ("left", "raw", "right"))
    return [" ".join(f"{left} {raw} {right}".replace("\n", " \\n ").split()) for left, raw, right in zip(*columns, strict=True)]


def set_up_of_2018(rows: pd.DataFrame, seed: int) -> Fitted:
    """fastText at its defaults is a linear model over the average of word vectors: a normalised bag of words; 2018 knew no
    weights."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import Normalizer

    words = CountVectorizer(token_pattern=None, tokenizer=str.split, lowercase=False)
    model = make_pipeline(words, Normalizer("l1"), LogisticRegression(C=1000.0, max_iter=_ITERATIONS, random_state=seed))
    model.fit(unmarked_text(rows), truths_of(rows)["standing"])

    def fitted(new: pd.DataFrame) -> Floats:
        chance: Floats = model.predict_proba(unmarked_text(new))[:, 1]
        return chance

    return fitted


@dataclass(frozen=True, slots=True)
class Judge:
    """A fitted model: calibrated probability of a Mass of the standing order, and from which on it says yes; of the network also
    the probability of any Mass."""

    probability: Fitted
    threshold: float
    mass: Fitted | None = None

    def answers(self, rows: pd.DataFrame, truth: Bools) -> Answers:
        """Its answers, with probabilities moved so that all judges say yes from one half on: folds can be put together."""
        chance = self.probability(rows)
        above = 0.5 + 0.5 * (chance - self.threshold) / max(1 - self.threshold, 1e-9)
        return Answers(truth, np.where(chance >= self.threshold, above, 0.5 * chance / self.threshold), 0.5)


def judges(rows: pd.DataFrame, *, seed: int, config: LearningConfig, network: Trained | None = None) -> dict[str, Judge]:
    """The network and the set-up of 2018, from the same rows.

    Args:
        rows: labelled hours as `training_rows` gives them: models learn from `train` and the phrase book, get calibration and
            threshold on `dev`; `test` is not looked at.
        network: one trained already.
    """
    parts = {name: rows[rows["split"] == name] for name in ("train", "dev")}
    model = network or train(rows, seed=seed, config=config)
    with threadpool_limits(limits=1):
        fitted = set_up_of_2018(with_phrases(parts["train"], config), seed)  # the network has them too
        dev = fitted(parts["dev"])
    truth, weights = truths_of(parts["dev"])["standing"], parts["dev"]["weight"].to_numpy(dtype=np.float64)
    calibration = fit_calibration(dev, truth, weights)
    least = choose_threshold(calibration.apply(dev), truth, config.precision_target, weights)
    return {
        "network": Judge(
            lambda new: standing_probability(model.predict_proba(new)),
            model.threshold,
            lambda new: is_mass_probability(model.predict_proba(new)),
        ),
        "2018 set-up": Judge(lambda new: calibration.apply(fitted(new)), least.value),
    }


def cross_validated(rows: pd.DataFrame, *, seed: int, config: LearningConfig, folds: int) -> dict[str, Answers]:
    """Answers of each model about every labelled hour, by models that never saw its parish; the rules' beside them.

    Each fold is the test part once; the next one is its dev part. A parish's fold depends on its id alone.
    """
    fold = np.array([int(hashlib.sha256(one.encode()).hexdigest(), 16) % folds for one in rows["parish_id"]])
    answers: dict[str, list[Answers]] = {}
    for number in range(folds):
        split = np.where(fold == number, "test", np.where(fold == (number + 1) % folds, "dev", "train"))
        parts = rows.assign(split=split)
        test, _ = measured_rows(parts[split == "test"])
        truth = truths_of(test)["standing"]
        models = judges(parts, seed=seed, config=config)
        for name, judge in models.items():
            answers.setdefault(name, []).append(judge.answers(test, truth))
        rules: Floats = np.asarray(test["rule_reading"].notna(), dtype=np.float64)
        answers.setdefault("rules alone", []).append(Answers(truth, rules, 0.5))
        answers.setdefault("rules and network", []).append(Answers(truth, _by_both(rules >= 0.5, models["network"], test), 0.5))
    return {name: _together(parts) for name, parts in answers.items()}


def _by_both(accepted: Bools, network: Judge, rows: pd.DataFrame) -> Floats:
    """The rules' word unless the network is as sure of the contrary as the product asks for: nothing is fitted."""
    assert network.mass is not None
    said = np.where(accepted, network.mass(rows) >= REJECT, network.probability(rows) >= ACCEPT)
    return said.astype(np.float64)


def on_saved_pages(folder: Path, models: Mapping[str, Judge], shipped: Trained) -> dict[str, Answers]:
    """Answers about labelled hours of real pages: of models that saw none, the rules, and both as the product asks them."""
    found: dict[str, list[Answers]] = {}
    for name in SETS:
        labels = load_hours(folder / f"{name}_hours.jsonl")
        for site in saved_sites(folder, name):
            judged = site.judged()
            results = list(site.results(labels, judged))
            if not results:
                continue
            truth = np.array([one.label["label"] == "m" for one in results])
            for model, judge in models.items():
                found.setdefault(model, []).append(_of_candidates(judge, results, truth))
            both = site.results(labels, with_classifier(judged, shipped))
            for way, decided in (("rules alone", results), ("rules and network", list(both))):
                said = np.array([float(one.is_accepted) for one in decided])
                found.setdefault(way, []).append(Answers(truth, said, 0.5))
    return {name: _together(parts) for name, parts in found.items()}


def table_of(answers: Mapping[str, Answers]) -> Iterator[str]:
    """Markdown: a row for each model."""
    yield "| standing? | " + " | ".join(_HEADS) + " | hours |"
    yield "|" + "---|" * (len(_HEADS) + 2)
    for name, one in answers.items():
        figures = scores(one)
        yield f"| {name} | " + " | ".join(f"{figures[key]:.3f}" for key in _SHOWN) + f" | {len(one.truth)} |"


def _of_candidates(judge: Judge, results: list[HourResult], truth: Bools) -> Answers:
    """An hour that is no candidate is rejected by every model."""
    there = [one.decision.hour for one in results if one.decision is not None]
    chances = iter(judge.answers(frame_of(there), np.zeros(len(there), dtype=bool)).probability if there else ())
    return Answers(truth, np.array([0.0 if one.decision is None else float(next(chances)) for one in results]), 0.5)


def _together(parts: list[Answers]) -> Answers:
    truth = np.concatenate([one.truth for one in parts])
    return Answers(truth, np.concatenate([one.probability for one in parts]), 0.5)
