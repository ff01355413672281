"""Which part a parish belongs to, for ever: a pure function of its identifier.

Belongs: placing parishes and keeping copied texts on one side. Not here: labels (annotated_set).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final, Literal

import numpy as np
import pandas as pd

from mass_pipeline.learning.config import LearningConfig
from mass_pipeline.learning.near_duplicates import duplicate_groups
from mass_pipeline.learning.schema import Bools

Split = Literal["train", "dev", "test"]
_UNIT: Final = float(1 << 64)
_RANK: Final = {"train": 0, "dev": 1, "test": 2}


def split_of(parish_id: str, config: LearningConfig) -> Split:
    """The part of a parish: the same today, tomorrow and on every machine; new parishes move no old one.

    >>> split_of("p1", LearningConfig()) == split_of("p1", LearningConfig())
    True
    """
    digest = hashlib.sha256(f"{config.split_salt}\x1f{parish_id}".encode("utf-8", "surrogatepass")).digest()
    position = int.from_bytes(digest[:8]) / _UNIT
    if position < config.test_share:
        return "test"
    return "dev" if position < config.test_share + config.dev_share else "train"


def crossing_copies(texts: Sequence[str], splits: Sequence[str], config: LearningConfig) -> Bools:
    """Which rows must go because their text also stands in a part that outranks theirs (test, then dev, then train).

    The test part never loses a row, so it stays as it was frozen whatever is crawled later.

    Returns:
        `(n,)`, True for rows to leave out.
    """
    if not len(texts):
        return np.zeros(0, dtype=np.bool_)
    groups = duplicate_groups(texts, config.near_duplicate_similarity)
    rank = pd.Series([_RANK[split] for split in splits])
    highest = rank.groupby(groups).transform("max")
    return (rank < highest).to_numpy(dtype=np.bool_)
