"""Collect hashed features group by group and lay them out as one sparse matrix, without sorting.

Belongs: hashing of codes and the layout. Not here: what the codes mean (features).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy import sparse

from mass_pipeline.learning.schema import Ints
from mass_pipeline.learning.tokens import Hashes, ranges

HASH_BITS: Final = 18
WIDTH: Final = 1 << HASH_BITS  # of the hashed space; a model keeps a part of it
_MULTIPLIER: Final = np.uint64(0x9E3779B97F4A7C15)  # golden ratio: spreads consecutive codes over the hashed space
_MIX: Final = np.uint64(0xBF58476D1CE4E5B9)  # SplitMix64, Steele, Lea, Flood 2014
_FOLD_BITS: Final = np.uint64(29)


Places = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Repeated:
    """Keys of which each occurs many times.

    Attributes:
        distinct: the keys that occur, ascending.
        place: of each occurrence among them.
    """

    distinct: Ints
    place: Ints

    @classmethod
    def of(cls, keys: Ints, size: int) -> Repeated:
        """Find the distinct ones among keys from 0 to below `size`, without sorting."""
        seen = np.zeros(size, dtype=np.bool_)
        seen[keys] = True
        distinct = np.flatnonzero(seen)
        place = np.empty(size, dtype=np.int64)
        place[distinct] = np.arange(len(distinct))
        return cls(distinct, place[keys])


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
        self._groups: list[tuple[Ints, Places, npt.NDArray[np.float32]]] = []

    def add(self, group: int, row: Ints, *codes: Hashes | Ints) -> None:
        """Add one feature per entry of `row` (ascending), hashed from group and codes.

        Its weight is 1 / root of the number of features the group gives that row, those not kept included.
        """
        self._add(row, self._columns(group, *codes))

    def add_repeated(self, group: int, row: Ints, keys: Repeated, *codes: Hashes | Ints) -> None:
        """The same where codes are a function of a key, each key hashed once: `codes` has one entry for each distinct one."""
        self._add(row, self._columns(group, *codes)[keys.place])

    def add_bundles(self, group: int, row: Ints, keys: Repeated, sizes: Ints, *codes: Hashes | Ints) -> None:
        """The same where a key has several features: distinct key i has the next `sizes[i]` entries of `codes`."""
        columns = self._columns(group, *codes)
        known = columns >= 0
        ends = np.cumsum(sizes)
        kept = np.diff(np.concatenate(([0], np.cumsum(known)))[ends], prepend=0)
        columns, begins = columns[known], np.cumsum(kept) - kept
        counts = kept[keys.place]
        self._append(self._sums(row, sizes[keys.place]), self._sums(row, counts), columns[ranges(begins[keys.place], counts)])

    def matrix(self) -> sparse.csr_matrix:
        """Rows by kept columns."""
        pointers = np.concatenate(([0], np.cumsum(np.sum([count for count, _, _ in self._groups], axis=0))))
        columns = np.empty(int(pointers[-1]), dtype=np.int32)
        weights = np.empty(int(pointers[-1]), dtype=np.float32)
        begin = pointers[:-1].copy()
        for count, column, weight in self._groups:
            target = ranges(begin, count)
            columns[target], weights[target] = column, np.repeat(weight, count)
            begin += count
        return sparse.csr_matrix((weights, columns, pointers.astype(np.int32)), shape=(self._rows, self._width))

    def _columns(self, group: int, *codes: Hashes | Ints) -> Places:
        """Kept columns of features, -1 where one is not kept."""
        hashed = hashed_columns(group, *codes)
        return hashed.astype(np.int32) if self._places is None else self._places[hashed.view(np.int64)]

    def _add(self, row: Ints, column: Places) -> None:
        counts = np.bincount(row, minlength=self._rows)
        known = np.flatnonzero(column >= 0)
        self._append(counts, np.bincount(row[known], minlength=self._rows), column[known])

    def _append(self, counts: Ints, kept: Ints, column: Places) -> None:
        self._groups.append((kept, column, (1.0 / np.sqrt(np.maximum(counts, 1))).astype(np.float32)))

    def _sums(self, row: Ints, counts: Ints) -> Ints:
        """Sum of counts in each row."""
        return np.bincount(row, weights=counts, minlength=self._rows).astype(np.int64)


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
