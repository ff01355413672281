"""A reading position in a list of tokens, shared by the small parsers of days, seasons and places."""

from __future__ import annotations

from collections.abc import Sequence

from mass_pipeline.language.lexer import Token


class Cursor:
    """Tokens with look-ahead; positions are plain integers so that a parser can give up without side effects.

    Attributes:
        tokens: what is read.
        months_begun: all months of "od maja ..., od października ...", None until they were looked for (`seasons_grammar`).
    """

    __slots__ = ("_count", "months_begun", "tokens")

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self._count = len(tokens)
        self.months_begun: frozenset[int] | None = None

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
