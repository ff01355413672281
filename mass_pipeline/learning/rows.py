"""Is this row of a schedule right? The classifier's word on rows: a logistic model over the evidence and the words of a row.

It begins with what the rules think (`RowSample.prior`) and learns from answers of people what they do not know: which unexplained
words are villages, which headings stand above orders, how far the word of the network on the hour is to be believed. A model is
fitted to answers *from* another one: each weight keeps its value as far as the rows that taught it outweigh the new ones (the
diagonal Laplace approximation), so that fifty answers mend a model and do not replace it.

Belongs: what is measured of a row, fitting, the probability. Not here: the evidence (site_reading.ownership), what is published.
Source: Spiegelhalter and Lauritzen 1990, section 4; Chapelle and Li 2011, algorithm 3; MacKay 1992, "The evidence framework
applied to classification networks".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy import sparse

from mass_pipeline.learning.calibration import logit, sigmoid
from mass_pipeline.learning.schema import Floats, Ints
from mass_pipeline.learning.tokens import fold_case, hash_text

PRIOR: Final = "prior"
OWN: Final = "§"  # stands in texts for a name of the parish itself
_SURE: Final = 0.005  # from 0 and 1, of what is taken for a number
_WIDTH: Final = 1 << 16
_LETTERS: Final = 6  # of a word that are compared: cases and numbers share them
_ENDING: Final = 3
_MOST_WORDS: Final = 60  # of one text
_PIECE: Final = re.compile(r"[^\W\d_]{2,}|\d+[.:]\d\d|[:()\-–§]")
_LOOSE: Final = 0.5  # precision of the weight of a value before anything is seen
_LOOSE_PRIOR: Final = 4.0  # and of that of the rules' word, which is 1
_LOOSE_WORD: Final = 1.0
_LEAST_PARISHES: Final = 2  # what one parish alone shows is its priest's name or its street
_MOST_STEPS: Final = 200


@dataclass(frozen=True, slots=True)
class RowSample:
    """One row as the classifier sees it.

    Attributes:
        prior: 0..1, how probably it is right by the evidence of the rules.
        values: named numbers, about -1 to 3; one that is missing is 0.
        words: hashed, ascending, each once (`hashed_words`).
        common: hashed unexplained words that are no names (`hashed_common`): a name is like other names, but what "w czasie żniw"
            means no other word tells.
    """

    prior: float
    values: Mapping[str, float] = field(default_factory=dict)
    words: tuple[int, ...] = ()
    common: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RowModel:
    """Weights of the log-odds, and how firmly each is known.

    Attributes:
        names: of the values, `PRIOR` first.
        weights, precisions: `(n_names,)`.
        columns: hashed words it knows, ascending.
        word_weights, word_precisions: `(n_columns,)`.
    """

    names: tuple[str, ...] = (PRIOR,)
    weights: Floats = field(default_factory=lambda: np.ones(1))
    precisions: Floats = field(default_factory=lambda: np.full(1, _LOOSE_PRIOR))
    columns: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    word_weights: Floats = field(default_factory=lambda: np.zeros(0))
    word_precisions: Floats = field(default_factory=lambda: np.zeros(0))

    def probabilities(self, samples: Sequence[RowSample]) -> Floats:
        """How probably each row is right: `(n_samples,)`; by a common word unknown here too, no more than by the rules.

        What few answers taught counts less, by the variance of the log-odds (MacKay 1992, "moderated outputs"), and the more so
        the nearer to a half: of rows that it is sure of, more are right than it says.
        """
        if not samples:
            return np.zeros(0)
        values, words = _values(samples, self.names), _words(samples, self.columns)
        odds = values @ self.weights + words @ self.word_weights
        variance = values[:, 1:] ** 2 @ (1 / self.precisions[1:]) + words.multiply(words) @ (1 / self.word_precisions)
        doubt = 4 * sigmoid(odds) * sigmoid(-odds)  # 1 at a half, 0 at certainty
        chances = sigmoid(odds / np.sqrt(1 + np.pi / 8 * variance * doubt))
        known = np.array([not one.common or bool(np.isin(one.common, self.columns).all()) for one in samples])
        return np.where(known, chances, np.minimum(chances, [one.prior for one in samples]))


BY_RULES: Final = RowModel()  # believes the rules


def fit_rows(
    samples: Sequence[RowSample],
    right: npt.ArrayLike,
    weights: npt.ArrayLike,
    parishes: Sequence[str],
    start: RowModel = BY_RULES,
) -> RowModel:
    """Learn from rows whose truth is known.

    Args:
        samples: `n` rows.
        right: `(n,)`, how probably each is right, 0..1; 0.5 teaches nothing.
        weights: `(n,)`, how much each counts.
        parishes: `(n,)`; words of one parish alone are not learnt.
        start: what is known already; the same rows twice count twice.

    Returns:
        The model; `start` for no rows.
    """
    if not samples:
        return start
    names = tuple(dict.fromkeys((*start.names, *sorted({name for one in samples for name in one.values}))))
    columns = np.union1d(start.columns, _widespread(samples, parishes))
    x = sparse.hstack([sparse.csr_matrix(_values(samples, names)), _words(samples, columns)], format="csr")
    mean = np.concatenate([_placed(start.weights, len(names)), _spread(start.columns, start.word_weights, columns, 0.0)])
    precision = np.concatenate(
        [
            _placed(start.precisions, len(names), _LOOSE),
            _spread(start.columns, start.word_precisions, columns, _LOOSE_WORD),
        ]
    )
    y, w = np.asarray(right, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    found = _most_probable(x, y, w, mean, precision)
    chance = sigmoid(x @ found)
    precision = precision + x.multiply(x).T @ (w * chance * (1 - chance))
    n = len(names)
    return RowModel(names, found[:n], precision[:n], columns, found[n:], precision[n:])


def _most_probable(x: sparse.csr_matrix, y: Floats, w: Floats, mean: Floats, precision: Floats) -> Floats:
    """The weights that maximise likelihood times prior."""
    from scipy.optimize import minimize

    def loss(weights: Floats) -> tuple[float, Floats]:
        odds, away = x @ weights, weights - mean
        value = float(w @ (np.logaddexp(0.0, odds) - y * odds) + precision @ (away * away) / 2)
        return value, x.T @ (w * (sigmoid(odds) - y)) + precision * away

    return np.asarray(minimize(loss, mean, jac=True, method="L-BFGS-B", options={"maxiter": _MOST_STEPS}).x)


def _values(samples: Sequence[RowSample], names: Sequence[str]) -> Floats:
    """`(n_samples, n_names)`."""
    prior = logit(np.clip([one.prior for one in samples], _SURE, 1 - _SURE))
    table = np.array([[one.values.get(name, 0.0) for name in names] for one in samples], dtype=np.float64)
    table[:, names.index(PRIOR)] = prior
    return table


def _words(samples: Sequence[RowSample], columns: Ints) -> sparse.csr_matrix:
    """`(n_samples, n_columns)`; the words of a row are of length 1 together."""
    indices, sizes, data = [], [0], []
    for one in samples:
        known = np.array(one.words, dtype=np.int64)
        at = np.searchsorted(columns, known)
        at = at[(at < len(columns)) & (columns[np.minimum(at, max(0, len(columns) - 1))] == known)] if len(columns) else at[:0]
        indices.append(at)
        data.append(np.full(len(at), len(known) ** -0.5 if len(known) else 0.0))
        sizes.append(len(at))
    return sparse.csr_matrix(
        (np.concatenate(data), np.concatenate(indices), np.cumsum(sizes)), shape=(len(samples), len(columns))
    )


def hashed_words(texts: Mapping[str, str], unexplained: Sequence[str] = ()) -> tuple[int, ...]:
    """The words of a row as numbers.

    Args:
        texts: where they stand -> words of the page, the parish's own names as `OWN`.
        unexplained: words that no rule accounts for, as written.

    >>> hashed_words({"line": "niedziela 8.00"}) == hashed_words({"line": "Niedziela: 10.30".replace(":", "")})
    True
    """
    return tuple(sorted(set(_hashes(texts, unexplained))))


def hashed_common(unexplained: Sequence[str]) -> tuple[int, ...]:
    """Unexplained words without a capital, as numbers.

    >>> len(hashed_common(["żniw", "Lipowiec"]))
    1
    """
    return tuple(_hash_of_unexplained(fold_case(word)) for word in unexplained if not word[:1].isupper())


def _hashes(texts: Mapping[str, str], unexplained: Sequence[str]) -> Iterator[int]:
    for place, text in texts.items():
        for piece in _PIECE.findall(text)[:_MOST_WORDS]:
            yield hash_text(f"{place} {'#' if piece[0].isdigit() else fold_case(piece)[:_LETTERS]}") % _WIDTH
    for word in unexplained:
        folded = fold_case(word)
        yield _hash_of_unexplained(folded)
        for said in (f"unexplained …{folded[-_ENDING:]}", f"capital {word[:1].isupper()}"):
            yield hash_text(said) % _WIDTH


def _hash_of_unexplained(folded: str) -> int:
    return hash_text(f"unexplained {folded[:_LETTERS]}") % _WIDTH


def _widespread(samples: Sequence[RowSample], parishes: Sequence[str]) -> Ints:
    """Hashed words that several parishes show."""
    seen = {(column, parish) for one, parish in zip(samples, parishes, strict=True) for column in one.words}
    columns, counts = np.unique(np.array([column for column, _ in seen], dtype=np.int64), return_counts=True)
    return columns[counts >= _LEAST_PARISHES]


def _placed(values: Floats, size: int, other: float = 0.0) -> Floats:
    """The values, and for names that come after them another."""
    return np.concatenate([values, np.full(size - len(values), other)])


def _spread(columns: Ints, values: Floats, among: Ints, other: float) -> Floats:
    """The values at their columns among more of them."""
    found = np.full(len(among), other)
    found[np.searchsorted(among, columns)] = values
    return found
