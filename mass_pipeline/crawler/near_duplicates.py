"""Near-duplicate pages by 64-bit simhash over word shingles (C4; Charikar 2002, Manku et al. 2007). Pure."""

from __future__ import annotations

import re
import zlib
from typing import Final

import numpy as np

_SHINGLE_WORDS: Final = 3
_WORDS_READ: Final = 3000  # enough to tell pages apart; keeps a huge page cheap
_WORD: Final = re.compile(rb"<[^>]*>|[^\s<>]+")
_DIGITS: Final = re.compile(r"\d+")
_MIXER: Final = np.uint64(0x9E3779B97F4A7C15)


def simhash(markup: bytes) -> int:
    """64-bit fingerprint of the words of a page: similar pages differ in few bits; 0 for a page without words.

    Args:
        markup: bytes in any encoding; tags do not count.
    """
    words = [zlib.crc32(word) for word in _WORD.findall(markup) if not word.startswith(b"<")][:_WORDS_READ]
    if len(words) < _SHINGLE_WORDS:
        return 0
    hashes = np.array(words, dtype=np.uint64)
    with np.errstate(over="ignore"):
        mixed = np.zeros(len(hashes) - _SHINGLE_WORDS + 1, dtype=np.uint64)
        for i in range(_SHINGLE_WORDS):
            mixed = (mixed ^ hashes[i : len(mixed) + i]) * _MIXER
            mixed ^= mixed >> np.uint64(29)
    bits = np.unpackbits(mixed.view(np.uint8).reshape(-1, 8), axis=1)
    majority = bits.sum(axis=0) * 2 > len(mixed)
    return int.from_bytes(np.packbits(majority).tobytes(), "big")


def distance(one: int, other: int) -> int:
    """Number of differing bits.

    >>> distance(0b1011, 0b0010)
    2
    """
    return (one ^ other).bit_count()


def series_of(path_and_query: str) -> str:
    """What pages of one machine-made series have in common: the address without its numbers.

    >>> series_of("/kalendarz/2026-11-03")
    '/kalendarz/0-0-0'
    """
    return _DIGITS.sub("0", path_and_query)


class SeriesGuard:
    """Notices when a series of pages says the same again and again; only such series pay for fingerprints.

    Attributes:
        max_bits: fingerprints that differ in at most so many bits are repeats.
    """

    __slots__ = ("_counts", "_prints", "max_bits")

    _FREE: Final = 8  # a series is examined from its ninth page on

    def __init__(self, max_bits: int) -> None:
        self.max_bits = max_bits
        self._counts: dict[str, int] = {}
        self._prints: dict[str, list[int]] = {}

    def repeats(self, path_and_query: str, markup: bytes) -> bool:
        """Whether the page repeats an earlier one of its series; remembers it."""
        series = series_of(path_and_query)
        if series == path_and_query:
            return False
        count = self._counts[series] = self._counts.get(series, 0) + 1
        if count <= self._FREE:
            return False
        mark = simhash(markup)
        known = self._prints.setdefault(series, [])
        if any(distance(mark, other) <= self.max_bits for other in known):
            return True
        known.append(mark)
        return False
