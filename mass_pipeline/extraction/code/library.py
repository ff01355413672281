"""Functions of the language itself: `Object.entries(x)`, `Array.from(x)`, `Math.floor(x)`, `String(x)`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from mass_pipeline.extraction.code.arithmetic import parsed_number, rounded
from mass_pipeline.extraction.code.values import (
    UNKNOWN,
    Function,
    Native,
    Value,
    as_number,
    is_false,
    is_true,
    number,
)

Call = Callable[[Function | Native, list[Value]], Value]
_MOST_ITEMS: Final = 2000  # of a list that is made
_TOLD: Final = frozenset({"entries", "keys", "values", "freeze", "from", "fromEntries", "assign"})  # of Object and Array


def told_by_library(owner: str, method: str, arguments: Sequence[Value], call: Call) -> Value | None:
    """`Object.entries(x)` and its like; None for other calls."""
    if owner in ("Math", "Number") and arguments:
        return rounded(method, arguments[0]) if owner == "Math" else parsed_number(arguments[0])
    if owner not in ("Object", "Array") or method not in _TOLD or not arguments:
        return None
    value = arguments[0]
    if method == "fromEntries" and isinstance(value, list):
        return {one[0]: one[1] for one in value if isinstance(one, list) and len(one) > 1 and isinstance(one[0], str)}
    if method == "assign":
        return {key: one for given in arguments if isinstance(given, dict) for key, one in given.items()}
    if owner == "Array" and method == "from":
        return _list_from(value, arguments[1] if len(arguments) > 1 else UNKNOWN, call)
    if isinstance(value, (dict, list)) and method in ("entries", "keys", "values"):
        pairs = list(value.items()) if isinstance(value, dict) else [(number(n), one) for n, one in enumerate(value)]
        if method == "entries":
            return [[key, one] for key, one in pairs]
        return [key for key, _ in pairs] if method == "keys" else [one for _, one in pairs]
    return value if method == "freeze" else UNKNOWN


def _list_from(value: Value, function: Value, call: Call) -> Value:
    """`Array.from(list, f)`, `Array.from({length: 7}, f)`."""
    length = as_number(value.get("length", UNKNOWN)) if isinstance(value, dict) else None
    items = list[Value]([UNKNOWN] * min(int(length), _MOST_ITEMS)) if length is not None and length > 0 else value
    if isinstance(items, list) and isinstance(function, (Function, Native)):
        return [call(function, [item, number(place)]) for place, item in enumerate(items[:_MOST_ITEMS])]
    return items


def _text(arguments: list[Value]) -> Value:
    first = arguments[0] if arguments else UNKNOWN
    return str(first) if isinstance(first, str) else UNKNOWN


def _truth(arguments: list[Value]) -> Value:
    first = arguments[0] if arguments else UNKNOWN
    return is_true(first) if is_true(first) or is_false(first) else UNKNOWN


def _number(arguments: list[Value]) -> Value:
    return parsed_number(arguments[0]) if arguments else UNKNOWN


FUNCTIONS_OF_THE_LANGUAGE: Final = {
    "String": Native(_text),
    "Boolean": Native(_truth),
    "Number": Native(_number),
    "parseInt": Native(_number),
    "parseFloat": Native(_number),
    "structuredClone": Native(lambda arguments: arguments[0] if arguments else UNKNOWN),
}
