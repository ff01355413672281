"""Rivals of the model of rows, on the same features: fewer of them, a shallow network, boosted trees."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.neural_network import MLPClassifier

from mass_pipeline.learning.rows import RowModel, RowSample, _values, _widespread, _words, fit_rows

Floats = npt.NDArray[np.float64]
Judge = Callable[[Sequence[RowSample]], Floats]
Learner = Callable[[Sequence[RowSample], Floats, Floats, Sequence[str]], Judge]


def logistic(samples: Sequence[RowSample], right: Floats, weights: Floats, parishes: Sequence[str]) -> Judge:
    """The model that is used."""
    return fit_rows(samples, right, weights, parishes).probabilities


def without_words(samples: Sequence[RowSample], right: Floats, weights: Floats, parishes: Sequence[str]) -> Judge:
    """The same of named values alone."""
    model = fit_rows([RowSample(one.prior, one.values) for one in samples], right, weights, parishes)
    return model.probabilities


def network(samples: Sequence[RowSample], right: Floats, weights: Floats, parishes: Sequence[str]) -> Judge:
    """One hidden layer of sixteen units over the same columns; each row once as right and once as wrong, by its probability."""
    names = _names(samples)
    columns = _widespread(samples, parishes)

    def measured(some: Sequence[RowSample]) -> sparse.csr_matrix:
        return sparse.hstack([sparse.csr_matrix(_values(some, names)), _words(some, columns)], format="csr")

    made = MLPClassifier((16,), alpha=0.01, max_iter=60, random_state=1)
    x = measured(samples)
    made.fit(
        sparse.vstack([x, x]),
        np.repeat([1, 0], len(samples)),
        sample_weight=np.maximum(1e-6, np.concatenate([weights * right, weights * (1 - right)])),
    )
    return lambda some: np.asarray(made.predict_proba(measured(some))[:, 1])


def boosted(samples: Sequence[RowSample], right: Floats, weights: Floats, parishes: Sequence[str]) -> Judge:
    """Histogram gradient boosting of named values."""
    names = _names(samples)
    made = HistGradientBoostingClassifier(max_iter=100, learning_rate=0.1, max_leaf_nodes=15, random_state=1)
    made.fit(_values(samples, names), right >= 0.5, sample_weight=weights)
    return lambda some: np.asarray(made.predict_proba(_values(some, names))[:, 1])


def _names(samples: Sequence[RowSample]) -> tuple[str, ...]:
    return (*RowModel().names, *sorted({name for one in samples for name in one.values}))


RIVALS: Final[Mapping[str, Learner]] = {
    "logistic, values and words (used)": logistic,
    "logistic, values alone": without_words,
    "network of 16 units": network,
    "gradient boosting, values": boosted,
}
