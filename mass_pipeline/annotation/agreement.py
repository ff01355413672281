"""Agreement between annotators: Krippendorff's alpha for nominal answers.

Source: Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011.
"""

from __future__ import annotations

import numpy as np
import pandas as pd


def krippendorff_alpha(votes: pd.DataFrame) -> float | None:
    """Agreement beyond chance: 1 perfect, 0 as by chance, negative below.

    Args:
        votes: columns candidate_id and answer, one row per vote; items with a single vote say nothing and are left out.

    Returns:
        alpha, or None when no item has two votes or all votes are equal (nothing to disagree on).
    """
    if votes.empty:
        return None
    counts = pd.crosstab(votes["candidate_id"], votes["answer"]).to_numpy(dtype=float)
    per_item = counts.sum(axis=1)
    counts, per_item = counts[per_item > 1], per_item[per_item > 1]
    total = per_item.sum()
    if not len(counts):
        return None
    by_answer = counts.sum(axis=0)
    expected = total**2 - np.square(by_answer).sum()
    if expected == 0:
        return None
    disagreeing = ((np.square(per_item) - np.square(counts).sum(axis=1)) / (per_item - 1)).sum()
    return float(1.0 - (total - 1) * disagreeing / expected)
