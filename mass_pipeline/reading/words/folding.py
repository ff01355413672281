"""Compare words without accents, capitals and the commonest mojibake of accents, keeping every offset.

Unlike `model.identifiers.fold` the result has exactly as many characters as the text, so spans stay valid.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

# Latin-2 read as Windows-1250/1252 and the other way round: ¶w. = św., œroda = środa, pi±tek = piątek
_MOJIBAKE: Final = dict(zip("¶œ¦Œ±¹æêñ¿¼Ÿ¯", "ssssaacenzzzz", strict=True))
_STROKES: Final = {"ł": "l", "Ł": "l", "ø": "o", "đ": "d", "ß": "s", "’": "'", "\u00a0": " ", "\u00ad": " "}


def _plain(character: str) -> str:
    if character in _STROKES:
        return _STROKES[character]
    if character in _MOJIBAKE:
        return _MOJIBAKE[character]
    base = unicodedata.normalize("NFKD", character)[:1]
    lower = base.lower() or " "
    return lower[:1]


class _Table(dict[int, str]):
    """Translation table that learns characters as they occur (there are only so many in Unicode)."""

    def __missing__(self, code: int) -> str:
        self[code] = plain = _plain(chr(code))
        return plain


_TABLE: Final = _Table()
_POLISH: Final = tuple(zip("ąćęłńóśźż", "acelnoszz", strict=True))
_SHORT: Final = 200  # characters; headings, titles and lines near hours are asked about again and again


def fold(text: str) -> str:
    """Lower case without accents, of the same length.

    >>> fold("Święta ZNIESIONE, ¶roda"), len(fold("½ ŚĆ"))
    ('swieta zniesione, sroda', 4)
    """
    if text.isascii():
        return text.lower()
    return _remembered(text) if len(text) <= _SHORT else _folded(text)


def _folded(text: str) -> str:
    """Most lines have no letters but those of Polish: replacing these takes half the time of a look at every character."""
    plain = text.lower()
    for letter, base in _POLISH:
        plain = plain.replace(letter, base)
    return plain if plain.isascii() else text.translate(_TABLE)


_remembered = lru_cache(maxsize=4096)(_folded)
