"""What answers of people are worth: rows published after the first so many of them, on parishes that answered none of these.

Belongs: folds, points, what a point counts. Not here: the model (rows), its picture (plots).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mass_pipeline.learning.rows import RowModel, RowSample, fit_rows
from mass_pipeline.learning.schema import Bools, Floats, Ints

FOLDS: Final = 5
COUNTS: Final = (0, 50, 200, 1_000)


@dataclass(frozen=True, slots=True)
class LearningPoint:
    """What is published of rows whose truth is known, after so many answers about other parishes.

    Attributes:
        answers: asked for, at most; a fold may have fewer.
        waiting: right rows that wait as long as the rules alone judge.
        waiting_published: of these.
        waiting_wrong: wrong ones that wait then.
        waiting_wrong_published: of these.
        published, right: all rows that are published, and how many of them are right.
    """

    answers: int
    waiting: int
    waiting_published: int
    waiting_wrong: int
    waiting_wrong_published: int
    published: int
    right: int

    @property
    def share(self) -> float:
        """Of the right rows that wait, the share that is published; 1 where none waits."""
        return self.waiting_published / self.waiting if self.waiting else 1.0

    @property
    def precision(self) -> float:
        """Of the published rows, the share that is right; 1 where none is published."""
        return self.right / self.published if self.published else 1.0


@dataclass(frozen=True, slots=True)
class KnownRows:
    """Rows whose truth is known: samples, whether each is right `(n,)`, and its parish."""

    samples: Sequence[RowSample]
    right: Bools
    parishes: Sequence[str]

    @property
    def folds(self) -> Ints:
        """The fold of each row, by its parish: `(n,)`."""
        return np.array([fold_of(parish) for parish in self.parishes], dtype=np.int64)


def fold_of(parish: str) -> int:
    """The fold of a parish, the same for ever."""
    return hashlib.sha256(f"fold {parish}".encode()).digest()[0] % FOLDS


def learning_curve(
    rows: KnownRows,
    answers: Floats,
    order: Sequence[int],
    start: RowModel,
    *,
    publish_from: float,
    counts: Sequence[int] = COUNTS,
) -> Iterator[LearningPoint]:
    """The curve, cross-validated by parish.

    Args:
        rows: with their truth.
        answers: what people say of each, as a probability that it is right: `(n,)`.
        order: in which they are asked; the first of them whose parish is in no fold that is judged are the answers.
        start: what the model knows before.
        publish_from: least probability of what is published.

    Yields:
        A point for each count.
    """
    by_rules = np.array([one.prior for one in rows.samples]) >= publish_from
    folds = rows.folds
    for count in counts:
        chances = np.zeros(len(rows.samples))
        for fold in range(FOLDS):
            judged = np.flatnonzero(folds == fold).tolist()
            model = taught(rows, answers, [at for at in order if folds[at] != fold][:count], start)
            chances[judged] = model.probabilities([rows.samples[at] for at in judged])
        yield point_of(count, chances >= publish_from, by_rules, rows.right)


def taught(rows: KnownRows, answers: Floats, asked: Sequence[int], start: RowModel) -> RowModel:
    """A model that learnt from the answers about some rows."""
    return fit_rows(
        [rows.samples[at] for at in asked], answers[asked], np.ones(len(asked)), [rows.parishes[at] for at in asked], start
    )


def point_of(count: int, published: Bools, by_rules: Bools, right: Bools) -> LearningPoint:
    """A point out of what is published, what the rules alone publish, and what is right: `(n,)` each."""
    waiting, wrong = right & ~by_rules, ~right & ~by_rules
    found = (waiting, waiting & published, wrong, wrong & published, published, published & right)
    return LearningPoint(count, *(int(one.sum()) for one in found))
