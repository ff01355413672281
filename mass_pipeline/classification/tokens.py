"""Words of a context as numbers, fast: each distinct word is folded, cut and hashed once per process.

Belongs: tokens, their hashes and sub-words. Not here: positions and features (features).
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from typing import Final

import numpy as np
import numpy.typing as npt

TOKEN: Final = re.compile(r"\n|[^\W\d_]+|\d{1,2}[:.]\d\d(?!\d|[.:]\d)|\d+(?:[.\-/ ]\d+)+|\d+|[^\w\s]|_")
TIME: Final = re.compile(r"\d{1,2}[:.]\d\d")

# Kinds of tokens
NEWLINE, WORD, CLOCK, NUMBER, MARK = range(5)

_STROKES: Final = str.maketrans({"ł": "l", "Ł": "L", "–": "-", "—": "-", "‑": "-", "−": "-", "„": '"', "”": '"', "“": '"'})
_PREFIXES: Final = (4, 6)
_GRAM: Final = 4
_MONTH_SHORT: Final = 12

Hashes = npt.NDArray[np.uint64]


def fold_case(text: str) -> str:
    """Lower case without accents; newlines stay. Pages without Polish letters then read like the others.

    >>> fold_case("Święta\\nŁódź – 8:00")
    'swieta\\nlodz - 8:00'
    """
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.translate(_STROKES))
    return plain.encode("ascii", "ignore").decode("ascii").lower()


class Lexicon:
    """Numbers for tokens in the order of their first sight, with kind, hash and sub-word hashes of each."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._kinds: list[int] = []
        self._hashes: list[int] = []
        self._parts: list[tuple[int, ...]] = []

    def __len__(self) -> int:
        return len(self._kinds)

    def numbers(self, folded: str) -> list[int]:
        """Numbers of the tokens of a folded text, in order; [] for no token."""
        known = self._numbers
        return [known[t] if t in known else self._add(t) for t in TOKEN.findall(folded)]

    def _add(self, token: str) -> int:
        kind, shape = _kind_and_shape(token)
        number = len(self._kinds)
        self._numbers[token] = number
        self._kinds.append(kind)
        self._hashes.append(hash_text(shape))
        self._parts.append(tuple(hash_text(part) for part in sub_words(shape)) if kind == WORD else ())
        return number

    def tables(self) -> tuple[npt.NDArray[np.int64], Hashes, npt.NDArray[np.int64], Hashes]:
        """Kind and hash of each number, then the sub-word hashes of all numbers with their borders (length + 1)."""
        borders = np.zeros(len(self) + 1, dtype=np.int64)
        np.cumsum([len(parts) for parts in self._parts], out=borders[1:])
        flat = np.fromiter((part for parts in self._parts for part in parts), dtype=np.uint64, count=int(borders[-1]))
        return np.array(self._kinds, dtype=np.int64), np.array(self._hashes, dtype=np.uint64), borders, flat


def _kind_and_shape(piece: str) -> tuple[int, str]:
    if piece == "\n":
        return NEWLINE, "\n"
    if piece[0].isalpha():
        return WORD, piece
    if not piece[0].isdigit():
        return MARK, piece
    if TIME.fullmatch(piece):
        hour, minute = int(re.split("[:.]", piece)[0]), int(piece[-2:])
        if minute < 60 and 5 <= hour <= 23:
            # 9.10 may be a date or a time; the mark tells the network which separator it was.
            return CLOCK, f"#clock{':' if ':' in piece else '.'}{'short' if 1 <= minute <= _MONTH_SHORT else ''}"
    return NUMBER, "#" + re.sub(r"\d", "0", piece)[:12]


def hash_text(text: str) -> int:
    """A 32-bit hash that is the same on every machine and in every process.

    >>> hash_text("msza")
    1373300345
    """
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


def sub_words(word: str) -> list[str]:
    """Prefixes and character n-grams with word borders, so that inflected and misspelt forms share features.

    >>> sub_words("mszy")
    ['<msz', 'mszy', 'szy>']
    >>> sub_words("w")
    []
    """
    if len(word) < 3:
        return []
    marked = f"<{word}>"
    grams = [marked[i : i + _GRAM] for i in range(len(marked) - _GRAM + 1)]
    return grams + [f"^{word[:n]}" for n in _PREFIXES if len(word) > n]
