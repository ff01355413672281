"""Words of many contexts as numbers, fast: texts are folded and cut in one go, each distinct word is hashed once.

Belongs: tokens, their hashes and sub-words. Not here: positions and features (features).
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from mass_pipeline.classification.schema import Ints

# Of folded text, so ASCII is enough.
TOKEN: Final = re.compile(r"[a-z]+|[\n\x00]|\d{1,2}[:.]\d\d(?!\d|[.:]\d)|\d+(?:[.\-/ ]\d+)*|[^a-z\d\s]", re.ASCII)
TIME: Final = re.compile(r"(\d{1,2})[:.](\d\d)")

# Kinds of tokens
NEWLINE, WORD, CLOCK, NUMBER, MARK, BORDER = range(6)
NO_MINUTES: Final = -1

_STROKES: Final = (("ł", "l"), ("Ł", "L"), ("–", "-"), ("—", "-"), ("‑", "-"), ("−", "-"), ("„", '"'), ("”", '"'), ("“", '"'))
_PREFIXES: Final = (4, 6)
_GRAM: Final = 4
_MONTHS: Final = 12
_BORDER: Final = "\x00"

Hashes = npt.NDArray[np.uint64]


def fold_case(text: str) -> str:
    """Lower case without accents; newlines stay. Pages without Polish letters then read like the others.

    >>> fold_case("Święta\\nŁódź – 8:00")
    'swieta\\nlodz - 8:00'
    """
    if text.isascii():
        return text.lower()
    for stroke, plain in _STROKES:
        text = text.replace(stroke, plain)
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii").lower()


@dataclass(frozen=True, slots=True)
class Tables:
    """What is known of each token number: kind, hash, minutes of the day of a clock (-1 else), and its sub-words.

    The sub-words of number `i` are `parts[borders[i]:borders[i + 1]]`.
    """

    kind: Ints
    hash: Hashes
    minutes: Ints
    borders: Ints
    parts: Hashes


class Lexicon(dict[str, int]):
    """Numbers for tokens in the order of their first sight."""

    def __init__(self) -> None:
        super().__init__()
        self._kinds: list[int] = []
        self._hashes: list[int] = []
        self._minutes: list[int] = []
        self._parts: list[int] = []
        self._borders: list[int] = [0]

    def __missing__(self, piece: str) -> int:
        number = len(self._kinds)
        self[piece] = number
        kind, shape, minutes = describe(piece)
        self._kinds.append(kind)
        self._hashes.append(hash_text(shape))
        self._minutes.append(minutes)
        if kind == WORD:
            self._parts.extend(hash_text(part) for part in sub_words(shape))
        self._borders.append(len(self._parts))
        return number

    def numbers(self, texts: Sequence[str]) -> Ints:
        """Numbers of the tokens of all texts in order, with one BORDER token between text and text."""
        folded = fold_case(_BORDER.join(text.replace(_BORDER, " ") if _BORDER in text else text for text in texts))
        return np.fromiter(map(self.__getitem__, TOKEN.findall(folded)), dtype=np.int64)

    def tables(self) -> Tables:
        """What is known of every number given so far."""
        return Tables(
            np.array(self._kinds, dtype=np.int64),
            np.array(self._hashes, dtype=np.uint64),
            np.array(self._minutes, dtype=np.int64),
            np.array(self._borders, dtype=np.int64),
            np.array(self._parts, dtype=np.uint64),
        )


def describe(piece: str) -> tuple[int, str, int]:
    """Kind, shape and minutes of a token; words are their own shape, digits become zeros.

    >>> describe("msza"), describe("18.30"), describe("12.05.2018")
    ((1, 'msza', -1), (2, '#clock.', 1110), (3, '#00.00.0000', -1))
    """
    if piece in ("\n", _BORDER):
        return (NEWLINE if piece == "\n" else BORDER), piece, NO_MINUTES
    if piece[0].isalpha():
        return WORD, piece, NO_MINUTES
    if not piece[0].isdigit():
        return MARK, piece, NO_MINUTES
    clock = TIME.fullmatch(piece)
    if clock and int(clock[2]) < 60 and 5 <= int(clock[1]) <= 23:
        # 9.10 may be a date or a time: the separator and a month-like end tell them apart.
        month = "month" if 1 <= int(clock[2]) <= _MONTHS else ""
        return CLOCK, f"#clock{piece[-3]}{month}", int(clock[1]) * 60 + int(clock[2])
    return NUMBER, "#" + re.sub(r"\d", "0", piece)[:12], NO_MINUTES


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
