"""Which tokens stand in brackets: unbalanced ones, slashes instead of brackets, a 9 typed for an opening bracket."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mass_pipeline.schedule_grammar.lexer import Token

_LIKE_BRACKETS: Final = frozenset({"open", "close", "slash"})  # a line without any of these has no brackets at all


def balance(tokens: Sequence[Token]) -> list[Token]:
    """The tokens with brackets that are pairs, never nested; anything else that looked like one is a comma.

    Every `open` in the result is followed by its `close` before the next `open`.
    """
    if _LIKE_BRACKETS.isdisjoint([token.kind for token in tokens]):
        return list(tokens)
    marked = _slashes_to_brackets(_nines_to_brackets(list(tokens)))
    result: list[Token] = []
    opened = False
    for index, token in enumerate(marked):
        if token.kind == "open":
            if opened:
                result.append(_close_at(token))
            result.append(token)
            opened = True
        elif token.kind == "close":
            result.append(token if opened else replace(token, kind="comma"))
            opened = False
        elif opened and _ends_unclosed(marked, index):
            result.append(_close_at(token))
            result.append(token)
            opened = False
        else:
            result.append(token)
    if opened:
        last = marked[-1]
        result.append(Token("close", ")", last.end, last.end, ""))
    return result


def _close_at(token: Token) -> Token:
    return Token("close", ")", token.start, token.start, "")


def _ends_unclosed(tokens: Sequence[Token], index: int) -> bool:
    """`(dla dzieci, godz. 12.30, ...`: an open bracket that is never closed ends where the list of hours goes on."""
    token = tokens[index]
    if token.kind not in ("comma", "semicolon"):
        return False
    following = next((t for t in tokens[index + 1 :] if t.kind in ("open", "close")), None)
    if following is not None and following.kind == "close":
        return False
    start = max(i for i in range(index) if tokens[i].kind == "open")
    has_time = any(t.is_time for t in tokens[start:index])
    ahead = tokens[index + 1 : index + 3]
    return token.kind == "semicolon" or (not has_time and any(t.is_time or t.kind == "hour" for t in ahead))


def _nines_to_brackets(tokens: list[Token]) -> list[Token]:
    """`16.30 9dla młodzieży)`: shift was not held."""
    for index, token in enumerate(tokens[:-1]):
        following = tokens[index + 1]
        glued = token.text == "9" and token.clock is not None and following.start == token.end and following.text[:1].isalpha()
        if glued and _next_bracket(tokens, index) == "close":
            tokens[index] = Token("open", "(", token.start, token.end, token.text)
    return tokens


def _next_bracket(tokens: Sequence[Token], index: int) -> str:
    return next((t.kind for t in tokens[index + 1 :] if t.kind in ("open", "close")), "")


def _slashes_to_brackets(tokens: list[Token]) -> list[Token]:
    """`18.00 /w wakacje 20.00/`: slashes stand for brackets when they open before a word and close behind one."""
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
