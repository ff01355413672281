"""A reading position in a list of tokens, shared by the small parsers of days, seasons and places."""

from __future__ import annotations

from collections.abc import Sequence

from mass_pipeline.schedule_grammar.lexer import Token


class Cursor:
    """Tokens with look-ahead; positions are plain integers so that a parser can give up without side effects."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens

    def at(self, position: int) -> Token | None:
        """The token at a position, None behind the end."""
        return self.tokens[position] if 0 <= position < len(self.tokens) else None

    def is_kind(self, position: int, *kinds: str) -> bool:
        """Whether the token there is of one of the kinds."""
        token = self.at(position)
        return token is not None and token.kind in kinds

    def is_op(self, position: int, *names: str) -> bool:
        """Whether the token there is one of the operators."""
        token = self.at(position)
        return token is not None and token.kind == "op" and token.value in names

    def skip(self, position: int, *kinds: str) -> int:
        """The next position whose token is of none of the kinds."""
        while self.is_kind(position, *kinds):
            position += 1
        return position
