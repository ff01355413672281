"""Rivals of the model of rows, on the same features: fewer of them, a shallow network, boosted trees.

Compared in nested cross-validation by site: what a rival is set to is chosen on sites that it is not judged on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.neural_network import MLPClassifier

from mass_pipeline.learning.learning_curve import FOLDS, KnownRows
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


def network(
    samples: Sequence[RowSample], right: Floats, weights: Floats, parishes: Sequence[str], *, penalty: float = 0.01
) -> Judge:
    """One hidden layer of sixteen units over the same columns; each row once as right and once as wrong, by its probability."""
    names = _names(samples)
    columns = _widespread(samples, parishes)

    def measured(some: Sequence[RowSample]) -> sparse.csr_matrix:
        return sparse.hstack([sparse.csr_matrix(_values(some, names)), _words(some, columns)], format="csr")

    made = MLPClassifier((16,), alpha=penalty, max_iter=60, random_state=1)
    x = measured(samples)
    made.fit(
        sparse.vstack([x, x]),
        np.repeat([1, 0], len(samples)),
        sample_weight=np.maximum(1e-6, np.concatenate([weights * right, weights * (1 - right)])),
    )
    return lambda some: np.asarray(made.predict_proba(measured(some))[:, 1])


def boosted(samples: Sequence[RowSample], right: Floats, weights: Floats, parishes: Sequence[str], *, leaves: int = 15) -> Judge:
    """Histogram gradient boosting of named values."""
    names = _names(samples)
    made = HistGradientBoostingClassifier(max_iter=100, learning_rate=0.1, max_leaf_nodes=leaves, random_state=1)
    made.fit(_values(samples, names), right >= 0.5, sample_weight=weights)
    return lambda some: np.asarray(made.predict_proba(_values(some, names))[:, 1])


def _names(samples: Sequence[RowSample]) -> tuple[str, ...]:
    return (*RowModel().names, *sorted({name for one in samples for name in one.values}))


RIVALS: Final[Mapping[str, Sequence[Learner]]] = {  # each with the settings that it may choose from
    "logistic, values and words (used)": (logistic,),
    "logistic, values alone": (without_words,),
    "network of 16 units": (network, partial(network, penalty=0.3)),
    "gradient boosting, values": (boosted, partial(boosted, leaves=6)),
}


def nested(
    learners: Sequence[Learner], rows: KnownRows, answers: Floats, base: KnownRows, base_right: Floats, publish_from: float
) -> tuple[Floats, list[Judge]]:
    """How probably each row is right by a model that saw none of its sites, neither to learn nor to choose its settings.

    Args:
        answers: `(n,)`, of people about the rows.
        base, base_right: rows that every model learns besides, and how probably each is right.

    Returns:
        `(n,)`, and the model of each fold.
    """
    folds, chances, judges = rows.folds, np.zeros(len(rows.samples)), list[Judge]()

    def learnt(learner: Learner, among: Sequence[int]) -> Judge:
        chosen = np.flatnonzero(np.isin(folds, among))
        samples = [*base.samples, *(rows.samples[at] for at in chosen)]
        parishes = [*base.parishes, *(rows.parishes[at] for at in chosen)]
        return learner(samples, np.concatenate([base_right, answers[chosen]]), np.ones(len(samples)), parishes)

    def published(judge: Judge, fold: int) -> tuple[int, int]:
        """Of a fold, less the wrong rows that are published, and the right ones: more of either is better."""
        judged = np.flatnonzero(folds == fold)
        shown = judge([rows.samples[at] for at in judged]) >= publish_from
        return -int((shown & ~rows.right[judged]).sum()), int((shown & rows.right[judged]).sum())

    for fold in range(FOLDS):
        others = [one for one in range(FOLDS) if one != fold]
        best = learners[0]
        if len(learners) > 1:
            trial, kept = others[: len(others) // 2], others[len(others) // 2 :]
            tried = {learner: learnt(learner, trial) for learner in learners}
            best = max(learners, key=lambda one: tuple(np.sum([published(tried[one], held) for held in kept], axis=0)))
        judges.append(learnt(best, others))
        judged = np.flatnonzero(folds == fold)
        chances[judged] = judges[-1]([rows.samples[at] for at in judged])
    return chances, judges
