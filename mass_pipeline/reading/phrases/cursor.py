"""The tokens of a line as the parsers of days, seasons and places read them: brackets in pairs, and with look-ahead.

Pairs come of unbalanced brackets, slashes instead of brackets, a 9 typed for an opening bracket.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mass_pipeline.model.dates_of_year import MonthDay
from mass_pipeline.reading.words.lexer import Token


class Cursor:
    """Tokens with look-ahead; positions are plain integers so that a parser can give up without side effects.

    Attributes:
        tokens: what is read.
        open_borders: days of "od 16 października ..." and of "do 15 maja ...", None until looked for (`seasons_grammar`).
    """

    __slots__ = ("_count", "open_borders", "tokens")

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self._count = len(tokens)
        self.open_borders: tuple[frozenset[MonthDay], frozenset[MonthDay]] | None = None

    def at(self, position: int) -> Token | None:
        """The token at a position, None after the end."""
        return self.tokens[position] if 0 <= position < self._count else None

    def is_kind(self, position: int, *kinds: str) -> bool:
        """Whether the token there is of one of the kinds."""
        return 0 <= position < self._count and self.tokens[position].kind in kinds

    def is_op(self, position: int, *names: str) -> bool:
        """Whether the token there is one of the operators."""
        if not 0 <= position < self._count:
            return False
        token = self.tokens[position]
        return token.kind == "op" and token.value in names

    def skip(self, position: int, *kinds: str) -> int:
        """The next position whose token is of none of the kinds."""
        while 0 <= position < self._count and self.tokens[position].kind in kinds:
            position += 1
        return position


_LIKE_BRACKETS: Final = frozenset({"open", "close", "slash"})  # a line without any of these has no brackets at all


def balance(tokens: Sequence[Token]) -> Sequence[Token]:
    """The tokens with brackets that are pairs, never nested; anything else that looked like one is a comma.

    Every `open` in the result is followed by its `close` before the next `open`.
    """
    if _LIKE_BRACKETS.isdisjoint([token.kind for token in tokens]):
        return tokens
    marked = _slashes_to_brackets(_nines_to_brackets(list(tokens)))
    brackets_ahead = _brackets_ahead(marked)
    result: list[Token] = []
    opened = has_time = False
    for index, token in enumerate(marked):
        following = marked[index + 1 : index + 3]
        if token.kind == "open":
            if opened:
                result.append(_close_at(token))
            result.append(token)
            opened, has_time = True, False
        elif token.kind == "close":
            result.append(token if opened else replace(token, kind="comma"))
            opened = False
        elif opened and brackets_ahead[index] != "close" and _ends_unclosed(token, following, has_time=has_time):
            result.append(_close_at(token))
            result.append(token)
            opened = False
        else:
            result.append(token)
        has_time = has_time or token.is_time
    if opened:
        last = marked[-1]
        result.append(Token("close", ")", last.end, last.end, ""))
    return result


def _close_at(token: Token) -> Token:
    return Token("close", ")", token.start, token.start, "")


def _ends_unclosed(token: Token, following: Sequence[Token], *, has_time: bool) -> bool:
    """`(dla dzieci, godz. 12.30, ...`: an open bracket that is never closed ends where the list of hours goes on.

    Args:
        token: within the bracket.
        following: the two tokens after it.
        has_time: an hour stands between the bracket and the token.
    """
    if token.kind == "semicolon":
        return True
    return token.kind == "comma" and not has_time and any(t.is_time or t.kind == "hour" for t in following)


def _brackets_ahead(tokens: Sequence[Token]) -> list[str]:
    """For every token the kind of the next bracket after it, "" where there is none."""
    found, ahead = [""] * len(tokens), ""
    for index in range(len(tokens) - 1, -1, -1):
        found[index] = ahead
        if tokens[index].kind in ("open", "close"):
            ahead = tokens[index].kind
    return found


def _nines_to_brackets(tokens: list[Token]) -> list[Token]:
    """`16.30 9dla młodzieży)`: shift was not held."""
    brackets_ahead = _brackets_ahead(tokens)
    for index, token in enumerate(tokens[:-1]):
        following = tokens[index + 1]
        glued = token.text == "9" and token.clock is not None and following.start == token.end and following.text[:1].isalpha()
        if glued and brackets_ahead[index] == "close":
            tokens[index] = Token("open", "(", token.start, token.end, token.text)
    return tokens


def _slashes_to_brackets(tokens: list[Token]) -> list[Token]:
    """`18.00 /w wakacje 20.00/`: slashes stand for brackets when they open before a word and close after one."""
    opened = -1
    for index, token in enumerate(tokens):
        if token.kind != "slash":
            continue
        before = tokens[index - 1].end if index else -1
        after = tokens[index + 1].start if index + 1 < len(tokens) else -1
        if opened >= 0 and before == token.start:
            tokens[opened] = replace(tokens[opened], kind="open")
            tokens[index] = replace(token, kind="close")
            opened = -1
        elif opened < 0 and (before < token.start or index == 0) and after >= token.end:
            opened = index
    return tokens
