"""Turn a line into tokens: clock tokens, phrases of the vocabulary, Roman numerals, marks and plain words, with their spans."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from mass_pipeline.schedule_grammar.clock import TIME_LIKE, ClockKind, ClockToken, find_clock_tokens
from mass_pipeline.schedule_grammar.folding import fold_word
from mass_pipeline.schedule_grammar.lexicon import Lexicon, Phrase

_MAY_BE_ORDINAL: Final = frozenset({ClockKind.NUMBER, ClockKind.BARE})  # "1-wsze", "2-gi"
_LONGEST_DAY: Final = 13  # letters: poniedziałkami
_GLUED_DAY: Final = re.compile(r"([a-z]{3,}?)(niedziel[aei]|poniedzialek|wtorek|sroda|czwartek|piatek|sobota|soboty|codziennie)")
_PIECE: Final = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")
_ROMAN: Final = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8, "IX": 9, "X": 10, "XI": 11, "XII": 12}
_MARKS: Final = {
    ",": "comma", ";": "semicolon", ".": "stop", ":": "colon", "(": "open", "[": "open", ")": "close", "]": "close",
    "-": "dash", "–": "dash", "—": "dash", "−": "dash", "‒": "dash", "/": "slash", "|": "bar", "•": "bar", "·": "comma",
    "!": "stop", "?": "stop", "…": "stop", "*": "bar", "&": "and", "→": "dash", "►": "bar", "●": "bar",
}  # fmt: skip


class Token(NamedTuple):
    """A piece of a line. A named tuple, because a page makes thousands of them.

    Attributes:
        kind: a vocabulary kind (`day`, `season`, `op`, ...), `clock`, `roman`, `word`, or a mark (`comma`, `open`, ...).
        value: the vocabulary value, the Roman number, the folded word or the kind of the clock token.
        start, end: offsets in the line.
        text: as written.
        clock: the clock token when `kind` is `clock`.
    """

    kind: str
    value: str
    start: int
    end: int
    text: str
    clock: ClockToken | None = None

    @property
    def is_time(self) -> bool:
        """Whether it can be the hour of something."""
        return self.clock is not None and self.clock.kind in TIME_LIKE


class _Piece(NamedTuple):
    start: int
    end: int
    folded: str
    clock: ClockToken | None = None


def tokenize(text: str, lexicon: Lexicon) -> list[Token]:
    """Tokens of one line in order; nothing but white space lies between them.

    >>> from mass_pipeline.schedule_grammar.lexicon import load_lexicon
    >>> [(t.kind, t.value) for t in tokenize("pn.–pt. 7.00", load_lexicon("pl"))]
    [('day', 'Mo'), ('dash', '–'), ('day', 'Fr'), ('clock', 'time')]
    """
    pieces = _pieces(text)
    tokens: list[Token] = []
    position = 0
    while position < len(pieces):
        piece = pieces[position]
        clock = piece.clock
        if clock is not None and clock.kind not in _MAY_BE_ORDINAL:
            tokens.append(Token("clock", clock.kind.value, piece.start, piece.end, clock.raw, clock))
            position += 1
            continue
        phrases = lexicon.starting_with(piece.folded)
        phrase, used = _longest_phrase(phrases, pieces, position, text) if phrases else (None, 0)
        if phrase is None:
            token = _plain_token(piece, text)
            if token.kind == "roman" and token.text == "I" and position and _is_capitals(pieces[position - 1], text):
                token = token._replace(kind="and", value="and")  # "NIEDZIELE I ŚWIĘTA"
            tokens.append(token)
            position += 1
            continue
        start, end = piece.start, pieces[position + used - 1].end
        tokens.append(Token(phrase.kind, phrase.value, start, end, text[start:end]))
        position += used
    return tokens


def _is_capitals(piece: _Piece, text: str) -> bool:
    written = text[piece.start : piece.end]
    return len(written) > 1 and written.isalpha() and written.isupper()


def _pieces(text: str) -> list[_Piece]:
    """Words and marks, with clock tokens as single pieces."""
    clocks = find_clock_tokens(text)
    pieces: list[_Piece] = []
    position = 0
    for clock in clocks:
        pieces.extend(_words(text, position, clock.start))
        pieces.append(_Piece(clock.start, clock.end, clock.raw, clock))
        position = clock.end
    pieces.extend(_words(text, position, len(text)))
    return pieces


def _words(text: str, start: int, end: int) -> list[_Piece]:
    pieces = [_Piece(m.start(), m.end(), fold_word(m.group())) for m in _PIECE.finditer(text, start, end)]
    if any(len(piece.folded) > _LONGEST_DAY for piece in pieces):
        return [part for piece in pieces for part in _unglued(piece)]
    return pieces


def _unglued(piece: _Piece) -> tuple[_Piece, ...]:
    """`powszednieponiedziałek`: markup that stood between two words was lost."""
    match = _GLUED_DAY.fullmatch(piece.folded) if len(piece.folded) > _LONGEST_DAY else None
    if match is None:
        return (piece,)
    cut = piece.start + match.end(1)
    return _Piece(piece.start, cut, match[1]), _Piece(cut, piece.end, match[2])


def _longest_phrase(phrases: Sequence[Phrase], pieces: list[_Piece], position: int, text: str) -> tuple[Phrase | None, int]:
    """The best phrase that starts here and the number of pieces it takes."""
    for phrase in phrases:
        if _is_roman_capital(phrase, pieces[position], text):
            continue
        used = _match(phrase, pieces, position)
        if used and not _is_village(phrase, pieces[position : position + used], text):
            return phrase, used
    return None, 0


def _is_roman_capital(phrase: Phrase, piece: _Piece, text: str) -> bool:
    """`I` is a numeral, `i` is "and"."""
    return phrase.kind == "and" and piece.end - piece.start == 1 and text[piece.start : piece.end] == "I"


def _is_village(phrase: Phrase, pieces: list[_Piece], text: str) -> bool:
    """`Łęka Wielka sobota 18.00` names a village and a day; the feast is written `Wielka Sobota` or `wielka sobota`."""
    if phrase.kind != "feast" or len(pieces) < 2:
        return False
    return text[pieces[0].start].isupper() and text[pieces[1].start].islower() and phrase.elements[0].stem.startswith("wielk")


def _match(phrase: Phrase, pieces: list[_Piece], position: int) -> int:
    """How many pieces the phrase takes from here, 0 when it does not match."""
    index = position
    for element in phrase.elements:
        if index >= len(pieces) or not element.matches(pieces[index].folded):
            return 0
        index += 1
        if element.dot:
            dotted = index < len(pieces) and pieces[index].folded == "." and pieces[index].start == pieces[index - 1].end
            if dotted:
                index += 1
            elif element.dot == 2 and not _glued_to_digit(pieces, index):
                return 0
    return index - position


def _glued_to_digit(pieces: list[_Piece], index: int) -> bool:
    """`g9` stands for `g. 9`."""
    return index < len(pieces) and pieces[index].clock is not None and pieces[index].start == pieces[index - 1].end


def _plain_token(piece: _Piece, text: str) -> Token:
    written = text[piece.start : piece.end]
    if piece.clock is not None:
        return Token("clock", piece.clock.kind.value, piece.start, piece.end, written, piece.clock)
    if written in _ROMAN:
        return Token("roman", str(_ROMAN[written]), piece.start, piece.end, written)
    if written in _MARKS:
        return Token(_MARKS[written], written, piece.start, piece.end, written)
    return Token("word", piece.folded, piece.start, piece.end, written)
