"""Collect hashed features group by group and lay them out as one sparse matrix, without sorting.

Belongs: hashing of codes and the layout. Not here: what the codes mean (features).
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
from scipy import sparse

from mass_pipeline.classification.schema import Ints
from mass_pipeline.classification.tokens import Hashes

HASH_BITS: Final = 18
WIDTH: Final = 1 << HASH_BITS  # of the hashed space; a model keeps a part of it
_MULTIPLIER: Final = np.uint64(0x9E3779B97F4A7C15)  # golden ratio: spreads consecutive codes over the hashed space
_MIX: Final = np.uint64(0xBF58476D1CE4E5B9)  # SplitMix64, Steele, Lea, Flood 2014
_FOLD_BITS: Final = np.uint64(29)


class RowBuilder:
    """Rows of features; every group must come sorted by row."""

    def __init__(self, rows: int) -> None:
        self._rows = rows
        self._groups: list[tuple[Ints, Ints, npt.NDArray[np.float32]]] = []

    def add(self, group: int, row: Ints, *codes: Hashes | Ints) -> None:
        """Add one feature per entry of `row` (ascending), hashed from group and codes.

        Its weight is 1 / root of the number of features the group gives that row.
        """
        mixed = np.full(len(row), group * 2 + 1, dtype=np.uint64)
        for code in codes:
            mixed = (mixed ^ code.astype(np.uint64)) * _MULTIPLIER
            mixed ^= mixed >> _FOLD_BITS
        mixed *= _MIX
        counts = np.bincount(row, minlength=self._rows)
        weight = (1.0 / np.sqrt(np.maximum(counts, 1))).astype(np.float32)[row]
        self._groups.append((row, (mixed >> np.uint64(64 - HASH_BITS)).astype(np.int64), weight))

    def matrix(self, keep: npt.NDArray[np.int64] | None) -> sparse.csr_matrix:
        """Rows by features; only the columns of `keep`, renumbered in its order, when given."""
        groups, width = self._groups, WIDTH
        if keep is not None:
            place = np.full(WIDTH, -1, dtype=np.int64)
            place[keep] = np.arange(len(keep))
            groups, width = [_kept(*group, place) for group in groups], len(keep)
        counts = [np.bincount(row, minlength=self._rows) for row, _, _ in groups]
        pointers = np.concatenate(([0], np.cumsum(np.sum(counts, axis=0))))
        columns = np.empty(int(pointers[-1]), dtype=np.int32)
        weights = np.empty(int(pointers[-1]), dtype=np.float32)
        begin = pointers[:-1].copy()
        for (row, column, weight), count in zip(groups, counts, strict=True):
            before = np.cumsum(count) - count
            target = begin[row] + np.arange(len(row)) - before[row]
            columns[target], weights[target] = column, weight
            begin += count
        return sparse.csr_matrix((weights, columns, pointers.astype(np.int32)), shape=(self._rows, width))


def _kept(
    row: Ints, column: Ints, weight: npt.NDArray[np.float32], place: npt.NDArray[np.int64]
) -> tuple[Ints, Ints, npt.NDArray[np.float32]]:
    new = place[column]
    known = new >= 0
    return row[known], new[known], weight[known]
