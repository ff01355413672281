"""From scores to probabilities one can believe: a monotone map fitted on dev, and the threshold chosen there.

Belongs: calibration of one binary question and thresholds. Not here: plots and tables of it (evaluation, plots).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from mass_pipeline.learning.schema import Bools, Floats

_EDGE: Final = 1e-6
_ISOTONIC_LEAST: Final = 1000  # of either class; below, isotonic steps overfit (Niculescu-Mizil and Caruana 2005, figure 6)
_LEAST_RECALL: Final = 0.5
_SAMPLES: Final = 400
_SAMPLE_SEED: Final = 1
_SAMPLES_THAT_HOLD: Final = 0.9
_MOST_PLACES: Final = 500  # thresholds looked at
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


def choose_threshold(
    probabilities: Floats,
    truth: Bools,
    target: float,
    weights: Floats | None = None,
    parishes: npt.NDArray[np.str_] | None = None,
) -> Threshold:
    """The least threshold from which on precision stays at the target.

    With `parishes` it must stay there for nine of ten samples of parishes drawn anew (bootstrap over clusters): errors come by
    the page, and a dev part of a dozen parishes tells more about these than about the next ones. Where the samples cannot
    reach it, the part as it is decides. Where that would give up more than half of the true hours (wrong labels on dev make
    any target unreachable), the threshold of the greatest F1 is taken instead, and `reached` says so: one bad voter must not
    silence the model.

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
    last_of_tie = np.append(score[1:] < score[:-1], True)
    allowed = last_of_tie & (hits >= _LEAST_RECALL * total) & (total > 0)
    good = allowed & (hits >= target * said)
    if parishes is not None and good.any():
        places = np.flatnonzero(good)
        places = places[np.unique(np.linspace(0, len(places) - 1, _MOST_PLACES).astype(int))]
        firm = places[_holds_for_other_parishes(weight * hit, weight, parishes[order], places, target)]
        last = int(firm[-1]) if len(firm) else int(places[-1])
    elif good.any():
        last = int(np.flatnonzero(good)[-1])
    else:
        last = int(np.argmax(np.where(last_of_tie, hits / (said + total), -1.0)))
    below = float(score[last + 1]) if last + 1 < len(score) else 0.0
    return Threshold(float(np.clip(round((float(score[last]) + below) / 2, 6), 0.5, 1.0)), bool(good.any()))


def _holds_for_other_parishes(
    hits: Floats, said: Floats, parishes: npt.NDArray[np.str_], places: npt.NDArray[np.int64], target: float
) -> Bools:
    """Whether precision at each place of the ranking reaches the target in nine of ten samples of parishes.

    Args:
        hits, said: `(n,)` weights of right answers and of all answers, most probable first.
        places: ascending positions in them.
    """
    names, parish = np.unique(parishes, return_inverse=True)
    columns = np.searchsorted(places, np.arange(len(hits)))
    shape = (len(names), len(places) + 1)
    right, given = np.zeros(shape), np.zeros(shape)
    np.add.at(right, (parish, columns), hits)
    np.add.at(given, (parish, columns), said)
    drawn = np.random.default_rng(_SAMPLE_SEED).multinomial(len(names), np.full(len(names), 1 / len(names)), size=_SAMPLES)
    right, given = (drawn @ np.cumsum(table, axis=1)[:, :-1] for table in (right, given))
    holds: Bools = np.mean(right >= target * given, axis=0) >= _SAMPLES_THAT_HOLD
    return holds
