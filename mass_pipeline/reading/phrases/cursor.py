"""A reading position in a list of tokens, shared by the small parsers of days, seasons and places."""

from __future__ import annotations

from collections.abc import Sequence

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
