"""Fit the model of published confidence to rows whose truth is known."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from scipy.optimize import minimize

from mass_pipeline.classification.calibration import sigmoid
from mass_pipeline.classification.confidence import PRIOR, TERMS, ConfidenceModel
from mass_pipeline.classification.schema import Bools, Floats
from mass_pipeline.model.records import Mass

_NEVER_AGAINST: Final = frozenset({"rules", "hour", "pages"})
_STIFFNESS: Final = 1.0  # variance of a coefficient before anything is seen
_LEAST_ROWS: Final = 50


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
