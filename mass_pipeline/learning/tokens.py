"""Words of a context: folding, tokens, and their sub-words. Not here: positions and features."""

from __future__ import annotations

import re
import unicodedata
import zlib
from functools import lru_cache
from typing import Final

# Of folded text, so ASCII is enough.
_TOKEN: Final = re.compile(r"[a-z]+|\n|\d{1,2}[:.]\d\d(?!\d|[.:]\d)|\d+(?:[.\-/ ]\d+)*|[^a-z\d\s]", re.ASCII)
_TIME: Final = re.compile(r"(\d{1,2})[:.](\d\d)")
_LETTER: Final = re.compile(r"[^\W\d_]")
_DIGIT: Final = re.compile("[0-9]")

NEWLINE, WORD, CLOCK, NUMBER, MARK = "newline", "word", "clock", "number", "mark"
Token = tuple[str, str, tuple[str, ...]]  # kind, text with digits as zeros, sub-words of a word or the time of a clock

_PLAIN: Final = str.maketrans({"ł": "l", "Ł": "L", "–": "-", "—": "-", "‑": "-", "−": "-", "„": '"', "”": '"', "“": '"'})
_PREFIXES: Final = (4, 6)
_GRAM: Final = 4
_MONTHS: Final = 12


def fold_case(text: str) -> str:
    """Lower case without accents; newlines stay. Pages without Polish letters then read like the others.

    >>> fold_case("Święta\\nŁódź – 8:00")
    'swieta\\nlodz - 8:00'
    """
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKD", text.translate(_PLAIN)).encode("ascii", "ignore").decode("ascii").lower()


def tokens_of(text: str) -> list[Token]:
    """The tokens of a text, in order."""
    return [_token(piece) for piece in _TOKEN.findall(fold_case(text))]


@lru_cache(maxsize=50_000)
def _token(piece: str) -> Token:
    """Words are their own shape, digits become zeros.

    >>> _token("mszy"), _token("18.30"), _token("12.05.2018")
    (('word', 'mszy', ('<msz', 'mszy', 'szy>')), ('clock', '#clock.', ('18.30',)), ('number', '#00.00.0000', ()))
    """
    if piece == "\n":
        return NEWLINE, piece, ()
    if piece[0].isalpha():
        return WORD, piece, _sub_words(piece)
    if not piece[0].isdigit():
        return MARK, piece, ()
    clock = _TIME.fullmatch(piece)
    if clock and int(clock[2]) < 60 and 5 <= int(clock[1]) <= 23:
        # 9.10 may be a date or a time: the separator and a month-like end tell them apart.
        month = "month" if 1 <= int(clock[2]) <= _MONTHS else ""
        return CLOCK, f"#clock{piece[-3]}{month}", (piece,)
    return NUMBER, "#" + _DIGIT.sub("0", piece)[:12], ()


def _sub_words(word: str) -> tuple[str, ...]:
    """Prefixes and character n-grams with word borders, so that inflected and misspelt forms share features."""
    if len(word) < 3:
        return ()
    marked = f"<{word}>"
    grams = [marked[i : i + _GRAM] for i in range(len(marked) - _GRAM + 1)]
    return (*grams, *(f"^{word[:n]}" for n in _PREFIXES if len(word) > n))


@lru_cache(maxsize=4096)  # a day has 1,440 of them
def minutes_of(time: str) -> int:
    """Minutes of the day of `HH:MM` or `H.MM`; 0 of anything else."""
    clock = _TIME.fullmatch(time)
    return int(clock[1]) * 60 + int(clock[2]) if clock else 0


@lru_cache(maxsize=4096)  # the neighbours of an hour are few: a pair of marks, a space and a letter
def shape(text: str) -> str:
    """Letters as `a`, digits as `0`, the rest as it stands."""
    return _DIGIT.sub("0", _LETTER.sub("a", text.translate(_PLAIN))).encode("ascii", "replace").decode("ascii")


def hash_text(text: str) -> int:
    """A 32-bit hash that is the same on every machine and in every process.

    >>> hash_text("msza")
    1373300345
    """
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))
