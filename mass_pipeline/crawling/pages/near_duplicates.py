"""Near-duplicate pages by 64-bit simhash over word shingles (C4; Charikar 2002, Manku et al. 2007). Pure."""

from __future__ import annotations

import re
import zlib
from typing import Final

_SHINGLE_WORDS: Final = 3
_WORDS_READ: Final = 1500  # enough to tell pages apart; keeps a huge page cheap
_DIGITS: Final = re.compile(r"\d+")
_MIXER: Final = 0x9E3779B97F4A7C15


def simhash(markup: bytes) -> int:
    """64-bit fingerprint of a page: similar pages differ in few bits; 0 for a page without words.

    Args:
        markup: bytes in any encoding; what stands between blanks is a word, markup included.
    """
    words = markup.split(None, _WORDS_READ)[:_WORDS_READ]
    if len(words) < _SHINGLE_WORDS:
        return 0
    import numpy as np  # only long series get here; a tenth of a second that most crawls save

    hashes = np.fromiter(map(zlib.crc32, words), np.uint64, len(words))
    with np.errstate(over="ignore"):
        mixed = np.zeros(len(hashes) - _SHINGLE_WORDS + 1, dtype=np.uint64)
        for i in range(_SHINGLE_WORDS):
            mixed = (mixed ^ hashes[i : len(mixed) + i]) * np.uint64(_MIXER)
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
    """Closes a series of pages that says the same again and again; only long series pay for fingerprints.

    Attributes:
        max_bits: fingerprints that differ in at most so many bits are repeats.
    """

    __slots__ = ("_counts", "_prints", "_repeats", "max_bits")

    _FREE: Final = 20  # a series is examined from its 21st page on
    _PATIENCE: Final = 10  # so many repeats close it

    def __init__(self, max_bits: int) -> None:
        self.max_bits = max_bits
        self._counts: dict[str, int] = {}
        self._prints: dict[str, list[int]] = {}
        self._repeats: dict[str, int] = {}

    def is_closed(self, path_and_query: str) -> bool:
        """Whether the URL belongs to a series that has repeated itself too often to be asked on."""
        return bool(self._repeats) and self._repeats.get(series_of(path_and_query), 0) >= self._PATIENCE

    def note_copy(self, path_and_query: str) -> None:
        """A page of the series had the very bytes of another page."""
        series = series_of(path_and_query)
        if series != path_and_query:
            self._repeats[series] = self._repeats.get(series, 0) + 1

    def repeats(self, path_and_query: str, markup: bytes) -> bool:
        """Whether the page repeats an earlier one of its series; remembers it."""
        series = series_of(path_and_query)
        if series == path_and_query:
            return False
        count = self._counts[series] = self._counts.get(series, 0) + 1
        if count <= self._FREE:
            return False
        mark = simhash(markup)
        if mark == 0:
            return False  # too few words to compare
        known = self._prints.setdefault(series, [])
        if any(distance(mark, other) <= self.max_bits for other in known):
            self._repeats[series] = self._repeats.get(series, 0) + 1
            return True
        known.append(mark)
        return False
