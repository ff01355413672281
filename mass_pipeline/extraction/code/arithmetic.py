"""Operators between two known values: sums of numbers, comparisons, remainders. Whatever is not known makes an unknown result."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Final

from mass_pipeline.extraction.code.values import NOTHING, UNKNOWN, Many, Markup, Number, Value, as_number, markup_of, number

_COMPARED: Final[dict[str, Callable[[float, float], bool]]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
_EQUAL: Final = frozenset({"===", "==", "!==", "!="})
_ROUNDED: Final[dict[str, Callable[[float], float]]] = {
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
    "round": lambda value: math.floor(value + 0.5),
    "abs": abs,
}


def of_two(sign: str, left: Value, right: Value) -> Value:
    """The result of an operator other than `+`, `&&`, `||` and `??`.

    >>> of_two("%", Number("450"), Number("60")), of_two("<", Number("7"), Number("10")), of_two("-", "7", UNKNOWN)
    ('30', True, <Absent.UNKNOWN: 0>)
    """
    if sign in _EQUAL:
        return _equal(left, right, sign[0] == "=")
    if sign == "in" and isinstance(left, str) and isinstance(right, dict):
        return left in right
    first, second = as_number(left), as_number(right)
    if first is None or second is None:
        return UNKNOWN
    if sign in _COMPARED:
        return _COMPARED[sign](first, second)
    return _calculated(sign, first, second)


def _calculated(sign: str, first: float, second: float) -> Value:
    if sign == "-":
        return number(first - second)
    if sign == "*":
        return number(first * second)
    if sign in ("/", "%") and second:
        return number(first / second if sign == "/" else math.fmod(first, second))
    return UNKNOWN


def _equal(left: Value, right: Value, wanted: bool) -> Value:
    plain = [isinstance(one, (str, bool)) or one is NOTHING for one in (left, right)]
    if not all(plain):
        return UNKNOWN
    return (left == right) is wanted


def added(first: Value, second: Value) -> Value:
    """Numbers are summed, texts and markup put one after the other.

    >>> added(Number("7"), Number("1")), added("0", Number("7"))
    ('8', '07')
    """
    if isinstance(first, Number) and isinstance(second, Number):
        one, other = as_number(first), as_number(second)
        return number(one + other) if one is not None and other is not None else UNKNOWN
    pieces = []
    for value in (first, second):
        known = Markup(markup_of(value)) if isinstance(value, Many) else value
        if not isinstance(known, (str, Markup)):
            return UNKNOWN
        pieces.append(known if isinstance(known, str) else known.text)
    return "".join(pieces)


def rounded(name: str, value: Value) -> Value:
    """`Math.floor(x)` and its like; unknown for other functions."""
    known, function = as_number(value), _ROUNDED.get(name)
    return number(function(known)) if known is not None and function is not None else UNKNOWN


def parsed_number(value: Value) -> Value:
    """`parseInt(x)`, `Number(x)`: the number that a text begins with.

    >>> parsed_number("07"), parsed_number("8:30"), parsed_number("suma")
    ('7', '8', <Absent.UNKNOWN: 0>)
    """
    if not isinstance(value, str):
        return UNKNOWN
    text = value.strip()
    digits = len(text) - len(text.lstrip("0123456789"))
    whole = as_number(text)
    found = whole if whole is not None else as_number(text[:digits])
    return number(found) if found is not None else UNKNOWN
