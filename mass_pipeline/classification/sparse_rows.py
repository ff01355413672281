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


Places = npt.NDArray[np.int32]


def places_of(keep: npt.NDArray[np.int64]) -> Places:
    """Where each hashed column stands among those to keep: `(WIDTH,)`, -1 for the others."""
    places = np.full(WIDTH, -1, dtype=np.int32)
    places[keep] = np.arange(len(keep), dtype=np.int32)
    return places


class RowBuilder:
    """Rows of features; every group must come sorted by row.

    Args:
        rows: how many.
        places: new numbers of the columns to keep, as `places_of` gives them; None keeps all.
        width: number of columns kept.
    """

    def __init__(self, rows: int, places: Places | None = None, width: int = WIDTH) -> None:
        self._rows = rows
        self._places = places
        self._width = width
        self._groups: list[tuple[Ints, Ints | Places, npt.NDArray[np.float32]]] = []

    def add(self, group: int, row: Ints, *codes: Hashes | Ints) -> None:
        """Add one feature per entry of `row` (ascending), hashed from group and codes.

        Its weight is 1 / root of the number of features the group gives that row, those not kept included.
        """
        column: Ints | Places = hashed_columns(group, *codes).view(np.int64)
        counts = np.bincount(row, minlength=self._rows)
        if self._places is not None:
            column = self._places[column]
            known = np.flatnonzero(column >= 0)
            row, column = row[known], column[known]
        weight = (1.0 / np.sqrt(np.maximum(counts, 1))).astype(np.float32)[row]
        self._groups.append((row, column, weight))

    def matrix(self) -> sparse.csr_matrix:
        """Rows by kept columns."""
        groups = self._groups
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
        return sparse.csr_matrix((weights, columns, pointers.astype(np.int32)), shape=(self._rows, self._width))


def hashed_columns(group: int, *codes: Hashes | Ints) -> Hashes:
    """Columns below `WIDTH` of a group's features, each made of one entry of every code; at least one code."""
    mixed = np.full(len(codes[0]), group * 2 + 1, dtype=np.uint64)
    for code in codes:
        mixed ^= code.astype(np.uint64, copy=False)
        mixed *= _MULTIPLIER
        mixed ^= mixed >> _FOLD_BITS
    mixed *= _MIX
    mixed >>= np.uint64(64 - HASH_BITS)
    return mixed
