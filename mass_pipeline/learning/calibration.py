"""From scores to probabilities one can believe: a monotone map fitted on dev, and the threshold chosen there.

Belongs: calibration of one binary question and thresholds. Not here: plots and tables of it (evaluation, plots). Why not
scikit-learn's CalibratedClassifierCV: it calibrates each class against the rest, and what is asked are two sums of classes; its
folds split by row, and hours of a parish must stay together; it caps no certainty; and what predicts would keep an estimator,
where a model file holds arrays alone and predicting imports no scikit-learn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from mass_pipeline.learning.schema import Bools, Floats

_EDGE: Final = 1e-6
_ISOTONIC_LEAST: Final = 1000  # of either class; below, isotonic steps overfit (Niculescu-Mizil and Caruana 2005, figure 6)
_LEAST_RECALL: Final = 0.5
_STIFFNESS: Final = 10.0  # inverse penalty of the sigmoid: holds it near the raw scores when dev is tiny or separable


@dataclass(frozen=True, slots=True)
class Calibration:
    """A monotone, piecewise linear map from raw to calibrated log-odds."""

    raw: Floats
    calibrated: Floats
    method: str

    def apply(self, probabilities: Floats) -> Floats:
        """Calibrated probabilities, same shape; outside the fitted range the ends hold."""
        odds = logit(probabilities)
        return sigmoid(np.interp(odds, self.raw, self.calibrated))


IDENTITY: Final = Calibration(np.array([-14.0, 14.0]), np.array([-14.0, 14.0]), "none")


def logit(probabilities: Floats) -> Floats:
    """Log-odds, cut at about +-14."""
    clipped = np.clip(probabilities, _EDGE, 1 - _EDGE)
    odds: Floats = np.log(clipped / (1 - clipped))
    return odds


def sigmoid(odds: Floats) -> Floats:
    """Inverse of `logit`."""
    chance: Floats = 1.0 / (1.0 + np.exp(-odds))
    return chance


def fit_calibration(probabilities: Floats, truth: Bools, weights: Floats | None = None) -> Calibration:
    """Isotonic when both classes have a thousand rows, else a sigmoid; the identity when a class is missing.

    Args:
        probabilities: `(n,)` raw scores of the positive class.
        truth: `(n,)`.
        weights: `(n,)`, None for ones.
    """
    from sklearn.isotonic import IsotonicRegression  # a process that only predicts does without scikit-learn
    from sklearn.linear_model import LogisticRegression

    positives = int(truth.sum())
    if min(positives, len(truth) - positives) == 0:
        return IDENTITY
    odds = logit(probabilities)
    if min(positives, len(truth) - positives) >= _ISOTONIC_LEAST:
        steps = IsotonicRegression(y_min=_EDGE, y_max=1 - _EDGE).fit(probabilities, truth, weights)
        grid = np.unique(np.clip(steps.X_thresholds_, _EDGE, 1 - _EDGE))
        return Calibration(logit(grid), logit(_within(steps.predict(grid), len(truth))), "isotonic")
    line = LogisticRegression(C=_STIFFNESS).fit(odds[:, None], truth, weights)
    slope, offset = max(float(line.coef_[0, 0]), 0.05), float(line.intercept_[0])
    ends = np.array([-14.0, 14.0])
    return Calibration(ends, slope * ends + offset, "sigmoid")


def _within(probabilities: Floats, rows: int) -> Floats:
    """No bin of n rows proves more than 1 - 1/(n + 2): the rule of succession keeps certainty honest."""
    edge = 1.0 / (rows + 2)
    bounded: Floats = np.clip(probabilities, edge, 1 - edge)
    return bounded


@dataclass(frozen=True, slots=True)
class Threshold:
    """A chosen threshold and whether the precision asked for was reached with it."""

    value: float
    reached: bool


def choose_threshold(probabilities: Floats, truth: Bools, target: float, weights: Floats | None = None) -> Threshold:
    """Of the thresholds at which precision reaches the target the one of the greatest F1, in the middle of its gap.

    The least of them would stand at the edge: a single hour more on the next parishes, and the target is missed. Where reaching
    it would give up more than half of the true hours (wrong labels on dev make any target unreachable), the threshold of the
    greatest F1 is taken whatever its precision, and `reached` says so: one bad voter must not silence the model.

    Args:
        probabilities: `(n,)` of held-out rows. truth: `(n,)`. weights: `(n,)`, of labels that are believed less.

    Returns:
        A value in [0.5, 1]; 0.5 when there is nothing to choose from.

    >>> choose_threshold(np.array([0.6, 0.7, 0.8, 0.9]), np.array([False, True, True, True]), 0.98)
    Threshold(value=0.65, reached=True)
    """
    if not len(probabilities):
        return Threshold(0.5, False)
    order = np.argsort(-probabilities, kind="stable")
    score, hit = probabilities[order], truth[order]
    weight = np.ones(len(score)) if weights is None else weights[order]
    hits, said, total = np.cumsum(weight * hit), np.cumsum(weight), float(np.sum(weight * hit))
    f1 = np.where(np.append(score[1:] < score[:-1], True), hits / (said + total), -1.0)  # half of it; -1 within a tie
    good = (hits >= _LEAST_RECALL * total) & (hits >= target * said) & (total > 0) & (f1 >= 0)
    last = int(np.argmax(np.where(good, f1, -1.0) if good.any() else f1))
    below = float(score[last + 1]) if last + 1 < len(score) else 0.0
    return Threshold(float(np.clip(round((float(score[last]) + below) / 2, 6), 0.5, 1.0)), bool(good.any()))
