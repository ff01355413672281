"""How sure a published row of the schedule is: one logistic model over what speaks for it.

Published confidence 0.9 must mean right nine times in ten. Belongs: the model and its fit. Not here: which rows are
published (combine).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from mass_pipeline.classification.calibration import logit, sigmoid
from mass_pipeline.classification.schema import Bools, Floats
from mass_pipeline.model.records import Mass

# Order of the coefficients. `rules`: log-odds of the rules' own confidence, 0 when they were silent; `hour`: log-odds of
# the hour's probability, 0 when unknown; `pages`: log of the number of agreeing pages.
TERMS: Final = ("constant", "rules", "hour", "pages", "classifier_only", "hour_unknown")
_NEVER_AGAINST: Final = frozenset({"rules", "hour", "pages"})
_STIFFNESS: Final = 1.0  # variance of a coefficient before anything is seen
_LEAST_ROWS: Final = 50


@dataclass(frozen=True, slots=True)
class ConfidenceModel:
    """Coefficients `(6,)` of the log-odds, in the order of `TERMS`."""

    coefficients: npt.NDArray[np.float64]

    def confidence(self, terms: Floats) -> Floats:
        """Probability that each row is right: `(n,)` of `(n, 6)` as `terms_of` builds them."""
        return sigmoid(terms @ self.coefficients)


# `python -m mass_pipeline_tests.benchmarks.confidence`: fitted to golden pages, written schedules and demo sites, none of them a
# real page; what it means there and on real pages: docs/classifier.md.
PRIOR: Final = ConfidenceModel(np.array([1.391, 0.664, 0.01, 1.134, 1.021, 0.064]))


def terms_of(rule_confidence: float | None, hour_probability: float | None, pages: int) -> Floats:
    """The terms of one row: `(6,)`.

    Args:
        rule_confidence: 0..1 as the rules gave it, None when they did not read the row.
        hour_probability: greatest probability of `standing` among its hours, None when no candidate belongs to it.
        pages: how many pages say it, at least 1.
    """
    return np.array(
        [
            1.0,
            0.0 if rule_confidence is None else float(logit(np.array(rule_confidence))),
            0.0 if hour_probability is None else float(logit(np.array(hour_probability))),
            float(np.log(max(pages, 1))),
            float(rule_confidence is None),
            float(hour_probability is None),
        ]
    )


def fit_confidence(terms: Floats, right: Bools, weights: Floats | None = None) -> ConfidenceModel:
    """Fit to rows whose truth is known.

    Args:
        terms: `(n, 6)`.
        right: `(n,)` whether the row stands in the truth.
        weights: `(n,)`, None for ones.

    Returns:
        The fitted model, in which neither rules, hour nor pages speak against a row; the prior for fewer than 50 rows
        or rows that are all right or all wrong.
    """
    if len(right) < _LEAST_ROWS or right.all() or not right.any():
        return PRIOR
    from scipy.optimize import minimize  # slow to import, needed for training alone

    sign = np.where(right, 1.0, -1.0)
    weight = np.ones(len(right)) if weights is None else weights

    def loss(coefficients: Floats) -> tuple[float, Floats]:
        margin = sign * (terms @ coefficients)
        pull = -(weight * sign * sigmoid(-margin)) @ terms + coefficients / _STIFFNESS
        return float(weight @ np.logaddexp(0.0, -margin) + coefficients @ coefficients / (2 * _STIFFNESS)), pull

    bounds = [(0.0, None) if name in _NEVER_AGAINST else (None, None) for name in TERMS]
    fitted = minimize(loss, np.zeros(len(TERMS)), jac=True, method="L-BFGS-B", bounds=bounds)
    return ConfidenceModel(np.asarray(fitted.x, dtype=np.float64))


def stands_in(mass: Mass, truth: Iterable[Mass]) -> bool:
    """Whether every day of a row has, in the truth, a Mass of the same time, season and ordinals."""
    days = {day for t in truth if (t.time, t.season, t.nth) == (mass.time, mass.season, mass.nth) for day in t.days}
    return set(mass.days) <= days
