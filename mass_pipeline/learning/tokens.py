"""Words of many contexts as numbers, fast: each distinct line is folded and cut once, each distinct word is hashed once.

Hours of one page share most of their lines. Belongs: tokens, their hashes and sub-words. Not here: positions and features.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

import numpy as np
import numpy.typing as npt

from mass_pipeline.learning.schema import Ints

# Of folded text, so ASCII is enough. No token holds more of a line break than itself: lines can be cut apart.
TOKEN: Final = re.compile(r"[a-z]+|\n|\d{1,2}[:.]\d\d(?!\d|[.:]\d)|\d+(?:[.\-/ ]\d+)*|[^a-z\d\s]", re.ASCII)
TIME: Final = re.compile(r"(\d{1,2})[:.](\d\d)")

# Kinds of tokens
NEWLINE, WORD, CLOCK, NUMBER, MARK = range(5)
NO_MINUTES: Final = -1

_STROKES: Final = (("ł", "l"), ("Ł", "L"), ("–", "-"), ("—", "-"), ("‑", "-"), ("−", "-"), ("„", '"'), ("”", '"'), ("“", '"'))
_PREFIXES: Final = (4, 6)
_GRAM: Final = 4
_MONTHS: Final = 12

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
        self._kinds = array("q")
        self._hashes = array("Q")
        self._minutes = array("q")
        self._parts = array("Q")
        self._borders = array("q", [0])

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

    def cut(self, texts: Sequence[str]) -> tuple[Ints, Ints]:
        """Cut texts into tokens.

        Args:
            texts: at least one.

        Returns:
            `(n_tokens,)` numbers of the tokens of all texts in order, and `(n_texts,)` how many of them each text has.
        """
        lines = "\n".join(texts).split("\n")
        place: defaultdict[str, int] = defaultdict(count().__next__)  # distinct lines are numbered at first sight
        which = np.fromiter(map(place.__getitem__, lines), dtype=np.int64, count=len(lines))
        numbers, ends = self._cut_lines(place)
        sizes = np.diff(ends, prepend=0)
        last = np.cumsum([text.count("\n") + 1 for text in texts]) - 1
        wanted = sizes[which]
        wanted[last] -= 1  # a line break ends every line but the last of its text
        return numbers[ranges(ends[which] - sizes[which], wanted)], np.diff(np.cumsum(wanted)[last], prepend=0)

    def _cut_lines(self, lines: Iterable[str]) -> tuple[Ints, Ints]:
        """Numbers of the tokens of all lines, a line break after each, and where each line ends."""
        folded = fold_case("\n".join([*lines, ""]).replace("\x00", " "))
        numbers = np.fromiter(map(self.__getitem__, TOKEN.findall(folded)), dtype=np.int64)
        return numbers, np.flatnonzero(numbers == self["\n"]) + 1

    def tables(self) -> Tables:
        """What is known of every number given so far."""
        return Tables(
            np.array(self._kinds, dtype=np.int64),
            np.array(self._hashes, dtype=np.uint64),
            np.array(self._minutes, dtype=np.int64),
            np.array(self._borders, dtype=np.int64),
            np.array(self._parts, dtype=np.uint64),
        )


def ranges(begins: Ints, counts: Ints) -> Ints:
    """The indexes `begins[i], begins[i] + 1, ...`, `counts[i]` of them, for each i in turn.

    >>> ranges(np.array([5, 0]), np.array([3, 2])).tolist()
    [5, 6, 7, 0, 1]
    """
    before = np.cumsum(counts) - counts
    indexes: Ints = np.repeat(begins - before, counts)
    indexes += np.arange(len(indexes))
    return indexes


def describe(piece: str) -> tuple[int, str, int]:
    """Kind, shape and minutes of a token; words are their own shape, digits become zeros.

    >>> describe("msza"), describe("18.30"), describe("12.05.2018")
    ((1, 'msza', -1), (2, '#clock.', 1110), (3, '#00.00.0000', -1))
    """
    if piece == "\n":
        return NEWLINE, piece, NO_MINUTES
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
