"""The shallow network: averaged n-gram features, one small hidden layer, softmax over the classes.

Trained with scikit-learn's MLPClassifier on sparse rows; kept as four plain arrays, so that a model file holds nothing but
numbers and predicting needs neither scikit-learn nor trust. Belongs: fitting and the forward pass. Not here: calibration.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
from scipy import sparse

from mass_pipeline.learning.config import LearningConfig
from mass_pipeline.learning.schema import CLASSES, Floats, Ints

if TYPE_CHECKING:
    from sklearn.neural_network import MLPClassifier

Weights = npt.NDArray[np.float32 | np.float64]
_BATCH: Final = 128
_TINY: Final = 1e-12
_LAYERS: Final = ("first", "first_bias", "second", "second_bias")


@dataclass(frozen=True, slots=True)
class Network:
    """Weights of the two layers: `(features, hidden)`, `(hidden,)`, `(hidden, classes)`, `(classes,)`; float32 when done."""

    first: Weights
    first_bias: Weights
    second: Weights
    second_bias: Weights

    def logits(self, features: sparse.csr_matrix) -> Floats:
        """Scores before the softmax: `(n, classes)` float64."""
        hidden = np.asarray(features @ self.first) + self.first_bias
        np.maximum(hidden, 0.0, out=hidden)
        scores: Floats = (hidden @ self.second + self.second_bias).astype(np.float64)
        return scores


@dataclass(frozen=True, slots=True)
class TrainingData:
    """Features, class numbers and weights of the rows of one part."""

    features: sparse.csr_matrix
    classes: Ints
    weights: Floats


def softmax(logits: Floats) -> Floats:
    """Probabilities that sum to 1 in each row.

    >>> softmax(np.zeros((1, 4))).tolist()
    [[0.25, 0.25, 0.25, 0.25]]
    """
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    total: Floats = shifted / shifted.sum(axis=1, keepdims=True)
    return total


def fit_network(train: TrainingData, dev: TrainingData, config: LearningConfig, seed: int) -> tuple[Network, list[float]]:
    """Fit with Adam; keep the mean of passes with the least loss on dev.

    The weights of all passes so far are averaged (Izmailov et al. 2018): a single pass swings with its last batches, and on
    unseen sites F1 swung by a point with it.

    Args:
        train: at least one row of two classes.
        dev: rows of other parishes; when empty the last pass is kept.
        seed: of initial weights and order of rows.

    Returns:
        The network and the loss on dev after each pass.
    """
    from sklearn.exceptions import ConvergenceWarning  # a process that only predicts does without scikit-learn
    from sklearn.neural_network import MLPClassifier

    estimator = MLPClassifier(
        hidden_layer_sizes=(config.hidden_units,),
        alpha=config.alpha,
        batch_size=min(_BATCH, train.features.shape[0]),
        learning_rate_init=config.learning_rate,
        random_state=seed,
    )
    best, mean, losses, waited = None, None, list[float](), 0
    for _ in range(config.epochs):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            estimator.partial_fit(
                train.features,
                train.classes,
                sample_weight=train.weights,
                classes=np.arange(len(CLASSES)),
            )
        mean = _mean(mean, _network(estimator), len(losses) + 1)
        network = _single(mean)
        losses.append(log_loss(network, dev))
        waited = 0 if losses[-1] <= min(losses) else waited + 1
        if waited == 0:
            best = network
        if waited >= config.patience:
            break
    assert best is not None
    return best, losses


def log_loss(network: Network, data: TrainingData) -> float:
    """Weighted mean of -log of the probability of the true class; 0 for no rows."""
    if not len(data.classes):
        return 0.0
    chances = softmax(network.logits(data.features))[np.arange(len(data.classes)), data.classes]
    return float(np.average(-np.log(np.maximum(chances, _TINY)), weights=data.weights))


def _network(estimator: MLPClassifier) -> Network:
    first, second = (np.ascontiguousarray(layer, dtype=np.float64) for layer in estimator.coefs_)
    first_bias, second_bias = (np.asarray(bias, dtype=np.float64) for bias in estimator.intercepts_)
    return Network(first, first_bias, second, second_bias)


def _mean(mean: Network | None, new: Network, count: int) -> Network:
    """Mean of `count` networks, of which `mean` holds the first ones; float64."""
    if mean is None:
        return Network(*(getattr(new, name).copy() for name in _LAYERS))
    return Network(*(getattr(mean, name) + (getattr(new, name) - getattr(mean, name)) / count for name in _LAYERS))


def _single(network: Network) -> Network:
    return Network(*(getattr(network, name).astype(np.float32) for name in _LAYERS))
