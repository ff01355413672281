"""Makers of inputs that repeat a piece until they are large enough."""

from __future__ import annotations

from collections.abc import Callable

_LETTERS = str.maketrans("0123456789", "abcdefghij")

Maker = Callable[[int], bytes]


def repeated(unit: str, before: str = "", after: str = "") -> Maker:
    """`before`, the unit again and again with `{i}` as its number, `after`.

    The unit may hold `{i}` (0, 1, ...), `{h}` (an hour, 6 to 20), `{m}` (minutes, 00 to 55) and `{w}` (a word of its own).
    """

    def make(size: int) -> bytes:
        pieces = [before]
        length, number = len(before) + len(after), 0
        while length < size:
            piece = unit if "{" not in unit else filled(unit, number)
            pieces.append(piece)
            length += len(piece.encode("utf-8", "surrogatepass"))
            number += 1
        pieces.append(after)
        return "".join(pieces).encode("utf-8", "surrogatepass")

    return make


def filled(unit: str, number: int) -> str:
    """The unit with its number, an hour and a word made of it."""
    if "{w}" in unit:
        unit = unit.replace("{w}", str(number).translate(_LETTERS))
    return unit.replace("{i}", str(number)).replace("{h}", str(6 + number % 15)).replace("{m}", f"{number * 5 % 60:02d}")


def halves(first: str, second: str, between: str = "", before: str = "") -> Maker:
    """Half of the bytes of one repeated piece, half of another one."""

    def make(size: int) -> bytes:
        half = (size - len(before) - len(between)) // 2
        return before.encode() + repeated(first)(half) + between.encode() + repeated(second)(half)

    return make


def nested(opening: str, inside: str, closing: str = "") -> Maker:
    """Elements within elements, as deep as the size allows."""

    def make(size: int) -> bytes:
        depth = max(1, (size - len(inside)) // (len(opening) + len(closing)))
        return "".join([*(filled(opening, i) for i in range(depth)), inside, closing * depth]).encode()

    return make
