"""Words typed without a gap are parted where each piece is a known word ("mszajutro", "po17tej", "niedziela18:00"). Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_LEAST_LETTERS: Final = 7  # of a word that may be several
_LEAST_PIECE: Final = 4
_MOST_PIECES: Final = 4
_SHORT: Final = frozenset(["w", "we", "o", "na", "do", "po", "od", "za", "in", "at", "by"])  # pieces shorter than others
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_BEFORE_DIGIT: Final = re.compile(r"(?<!\w)[^\W\d_]+(?=\d)")

Test = Callable[[str], bool]


def borders(text: str, is_word: Test, is_mistyped: Test) -> list[int]:
    """Where a gap is missing in folded text, ascending; [] when nothing is glued.

    Args:
        text: a folded question.
        is_word: whether letters are a word of the vocabulary or a form of a name.
        is_mistyped: whether they are nearly one: such a word is not parted, nor is one that is known.
    """
    found = {match.end() for match in _BEFORE_DIGIT.finditer(text) if _is_piece(match[0], is_word)}
    for match in _LETTERS.finditer(text):
        before_digit = text[match.end() : match.end() + 1].isdigit()
        pieces = _pieces(match[0], is_word, is_mistyped, before_digit)
        if pieces and match.start() and text[match.start() - 1].isdigit() and len(match[0]) >= _LEAST_PIECE:
            found.add(match.start())
        at = match.start()
        for piece in pieces[:-1]:
            at += len(piece)
            found.add(at)
    return sorted(found)


def _is_piece(word: str, is_word: Test) -> bool:
    return word in _SHORT or (len(word) >= _LEAST_PIECE and is_word(word))


def _pieces(word: str, is_word: Test, is_mistyped: Test, before_digit: bool) -> tuple[str, ...]:
    """The word in known pieces, as few as will do; () when it cannot be parted."""
    if _is_piece(word, is_word):
        return (word,)
    if len(word) < _LEAST_LETTERS:
        return ()
    found = next((found for count in range(2, _MOST_PIECES + 1) if (found := _parted(word, is_word, count, before_digit))), ())
    return () if found and is_mistyped(word) else found


def _parted(word: str, is_word: Test, count: int, before_digit: bool) -> tuple[str, ...]:
    """The word in so many known pieces, the first as long as it can be; the last is short only before a digit ("jutroo18")."""
    if count == 1:
        return (word,) if _is_piece(word, is_word) and (before_digit or len(word) >= _LEAST_PIECE) else ()
    for end in range(len(word) - 1, 0, -1):
        if _is_piece(word[:end], is_word) and (rest := _parted(word[end:], is_word, count - 1, before_digit)):
            return (word[:end], *rest)
    return ()
