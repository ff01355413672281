"""Find contexts that are the same text in different places: MinHash over word shingles, in bands.

A diocesan letter or a shared profile text on many sites must not stand in the training part and the test part at once.
Source: Broder 1997 (resemblance), Leskovec et al., Mining of Massive Datasets, 3.4 (bands).
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from mass_pipeline.learning.schema import Ints
from mass_pipeline.learning.tokens import fold_case

_WORD: Final = re.compile(r"[^\W\d_]+|\d[\d:.]*")
_SHINGLE: Final = 3
_BANDS: Final = 16
_ROWS: Final = 4  # bands x rows: two texts of similarity 0.8 share a band with probability 0.9998, of 0.4 with 0.34
_LEAST_WORDS: Final = 20  # shorter contexts are formulae that every schedule shares, not copies
_PRIME: Final = np.uint64((1 << 31) - 1)


def duplicate_groups(texts: Sequence[str], similarity: float) -> Ints:
    """Number of the group of near-duplicates of each text.

    Args:
        texts: contexts; those of fewer than 20 words stand alone, whatever they say.
        similarity: least estimated Jaccard similarity of word shingles, 0 to 1.

    Returns:
        `(n,)`: equal numbers mean near-duplicates.
    """
    if not len(texts):
        return np.zeros(0, dtype=np.int64)
    signatures, long_enough = _signatures(texts)
    pairs = [(0, 0)]
    for band in range(_BANDS):
        keys: dict[bytes, int] = {}
        part = signatures[:, band * _ROWS : (band + 1) * _ROWS]
        for i in np.flatnonzero(long_enough):
            first = keys.setdefault(part[i].tobytes(), int(i))
            if first != i and float((signatures[i] == signatures[first]).mean()) >= similarity:
                pairs.append((int(i), first))
    graph = sparse.coo_matrix((np.ones(len(pairs)), np.array(pairs).T), shape=(len(texts), len(texts)))
    groups: Ints = connected_components(graph, directed=False)[1].astype(np.int64)
    return groups


def _signatures(texts: Sequence[str]) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.bool_]]:
    random = np.random.default_rng(0)  # the hash functions: part of the definition, not of chance
    factor = random.integers(1, int(_PRIME), size=_BANDS * _ROWS, dtype=np.uint64)
    offset = random.integers(0, int(_PRIME), size=_BANDS * _ROWS, dtype=np.uint64)
    signatures = np.zeros((len(texts), _BANDS * _ROWS), dtype=np.uint32)  # all below the prime
    long_enough = np.zeros(len(texts), dtype=np.bool_)
    for i, text in enumerate(texts):
        words = _WORD.findall(fold_case(text))
        if len(words) < _LEAST_WORDS:
            continue
        long_enough[i] = True
        shingles = {" ".join(words[k : k + _SHINGLE]) for k in range(len(words) - _SHINGLE + 1)}
        hashes = np.fromiter((zlib.crc32(s.encode()) for s in shingles), dtype=np.uint64) % _PRIME
        signatures[i] = ((hashes[:, None] * factor + offset) % _PRIME).min(axis=0)
    return signatures, long_enough
