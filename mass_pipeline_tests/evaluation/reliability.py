"""How far probabilities are from what came true: calibration errors over bins.

Not here: which rows are told, how weights are fitted (calibration, announcement_trust).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
BINS = (0.0, 0.2, 0.5, 0.8, 0.9, 0.95, 0.98, 1.001)


def binned_error(p: Floats, right: Floats, edges: tuple[float, ...] = BINS) -> float:
    """Calibration error (ECE) over fixed bins: the mean distance of probability and share of right, by rows.

    Args:
        p: probabilities `(rows,)`.
        right: how far each row is right `(rows,)`, 0 to 1.
        edges: of the bins, from 0 to above 1.
    """
    bins = np.digitize(p, edges) - 1
    parts = [bins == one for one in range(len(edges) - 1)]
    return float(sum(abs(p[own].mean() - right[own].mean()) * own.mean() for own in parts if own.any()))


def even_error(p: Floats, right: Floats, bins: int = 15) -> float:
    """The same over bins of as many rows each, in the order of their probability."""
    parts = [own for own in np.array_split(np.argsort(p, kind="stable"), bins) if len(own)]
    return float(sum(abs(p[own].mean() - right[own].mean()) * len(own) for own in parts) / len(p))


def by_chance(p: Floats, edges: tuple[float, ...] = BINS, times: int = 400) -> float:
    """The error over fixed bins that so many rows show on average, where each is right with just its probability."""
    if not len(p):
        return 0.0
    drawn = np.random.default_rng(0).random((times, len(p))) < p
    return float(np.mean([binned_error(p, right.astype(np.float64), edges) for right in drawn]))
