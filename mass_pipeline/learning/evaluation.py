"""How good a model is on parishes it has never seen: figures, curves, calibration, and the errors.

Two questions are asked of every hour: is it a Mass that takes place (the annotator's question), and does it belong to the
standing schedule. Belongs: scores from probabilities. Not here: pictures (plots), rivals (laboratory).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from mass_pipeline.learning.model import Trained
from mass_pipeline.learning.schema import DATED, STANDING, Bools, Floats, is_mass_probability, standing_probability
from mass_pipeline.learning.training import classes_of

METRICS: Final = ("precision", "recall", "f1", "accuracy", "mcc", "average_precision", "brier", "calibration_error")
COUNTS: Final = ("n", "true_positive", "false_positive", "false_negative", "true_negative")
_BINS: Final = 10


@dataclass(frozen=True, slots=True)
class Answers:
    """One model's answers to one question.

    Attributes:
        truth: `(n,)`.
        probability: `(n,)`.
        threshold: from which on the model says yes.
    """

    truth: Bools
    probability: Floats
    threshold: float

    @property
    def said(self) -> Bools:
        """`(n,)`: whether the model says yes."""
        verdict: Bools = self.probability >= self.threshold
        return verdict


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What is known about a model on one set of hours.

    Attributes:
        metrics: one row per (model, question), columns `METRICS` and `COUNTS` and threshold.
        answers: question -> answers, for plots.
        errors: candidate_id, question, truth, probability of every wrong answer, worst first.
        basis: "crowd" when people labelled the hours, "all" when there were none and every source was used.
    """

    metrics: pd.DataFrame
    answers: dict[str, Answers]
    errors: pd.DataFrame
    basis: str


def truths_of(rows: pd.DataFrame) -> dict[str, Bools]:
    """Question -> `(n,)` truth of labelled hours."""
    classes = classes_of(rows)
    return {"mass": classes <= DATED, "standing": classes == STANDING}


def measured_rows(rows: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Hours fit to be measured on: those that people labelled.

    Hours that the rules labelled would flatter rules and whoever imitates them; sampled negatives are guesses; hours of answered
    rows are those that were in doubt, and no sample of all. Only when
    nobody has labelled anything are all of them used, and the basis says so.
    """
    crowd = rows[rows["source"] == "crowd"]
    return (crowd, "crowd") if len(crowd) else (rows, "all")


def evaluate(model: Trained, rows: pd.DataFrame) -> Evaluation:
    """Score a model.

    Args:
        model: any trained classifier.
        rows: labelled hours as `training_rows` gives them, of parishes the model has not seen (usually split == "test").

    Returns:
        The evaluation; for no rows every metric is NaN and the table of errors is empty.
    """
    rows, basis = measured_rows(rows)
    rows = rows.sort_values("candidate_id", kind="stable", ignore_index=True)
    chances = model.predict_proba(rows)
    truths = truths_of(rows)
    answers = {
        "mass": Answers(truths["mass"], is_mass_probability(chances), model.mass_threshold),
        "standing": Answers(truths["standing"], standing_probability(chances), model.threshold),
    }
    metrics = pd.DataFrame([{"model": "network", "question": q, **scores(a)} for q, a in answers.items()])
    return Evaluation(metrics, answers, _errors(rows, answers), basis)


def scores(answers: Answers) -> dict[str, float]:
    """All of `METRICS` and `COUNTS` for one question; a ratio without cases is NaN, never an exception."""
    from sklearn.metrics import average_precision_score  # what only loads the code location does without scikit-learn

    truth, said = answers.truth, answers.said
    tp, fp = int((truth & said).sum()), int((~truth & said).sum())
    fn, tn = int((truth & ~said).sum()), int((~truth & ~said).sum())
    figures = {
        "precision": _ratio(tp, tp + fp),
        "recall": _ratio(tp, tp + fn),
        "f1": _ratio(2 * tp, 2 * tp + fp + fn),
        "accuracy": _ratio(tp + tn, len(truth)),
        "mcc": _matthews(tp, fp, fn, tn),
        "average_precision": float(average_precision_score(truth, answers.probability)) if truth.any() else float("nan"),
        "brier": float(np.mean((answers.probability - truth) ** 2)) if len(truth) else float("nan"),
        "calibration_error": calibration_error(answers),
    }
    counts = {"n": len(truth), "true_positive": tp, "false_positive": fp, "false_negative": fn, "true_negative": tn}
    return {"threshold": answers.threshold, **figures, **counts}


def reliability(answers: Answers) -> pd.DataFrame:
    """Per tenth of probability: bin, n, mean probability, share that is true. Empty bins are left out."""
    bins = np.minimum((answers.probability * _BINS).astype(int), _BINS - 1)
    frame = pd.DataFrame({"bin": bins, "probability": answers.probability, "truth": answers.truth.astype(float)})
    table = frame.groupby("bin", as_index=False).agg(n=("truth", "size"), mean=("probability", "mean"), share=("truth", "mean"))
    return table.sort_values("bin", ignore_index=True)


def calibration_error(answers: Answers) -> float:
    """Expected calibration error over ten bins (Naeini, Cooper, Hauskrecht 2015); NaN for no rows."""
    table = reliability(answers)
    if not len(table):
        return float("nan")
    return float(np.average((table["mean"] - table["share"]).abs(), weights=table["n"]))


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def _matthews(tp: int, fp: int, fn: int, tn: int) -> float:
    root = float(np.sqrt(float(tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)))
    return (tp * tn - fp * fn) / root if root else float("nan")


def _errors(rows: pd.DataFrame, answers: dict[str, Answers]) -> pd.DataFrame:
    parts = []
    for question, a in answers.items():
        wrong, names = a.truth != a.said, rows["candidate_id"].to_numpy()
        frame = pd.DataFrame({"candidate_id": names, "question": question, "truth": a.truth, "probability": a.probability})
        parts.append(frame[wrong].assign(distance=np.abs(a.probability - a.truth)[wrong]))
    errors: pd.DataFrame = pd.concat(parts).sort_values(["distance", "candidate_id", "question"], ascending=[False, True, True])
    return errors.drop(columns="distance").reset_index(drop=True)
