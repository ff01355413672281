"""Methods of lists, texts and objects whose result the code itself tells. Anything else is unknown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from mass_pipeline.extraction.code.values import (
    NOTHING,
    UNKNOWN,
    Absent,
    Function,
    Many,
    Markup,
    Value,
    is_false,
    is_true,
    joined,
)

Call = Callable[[Function, list[Value]], Value]
_MOST_ITEMS: Final = 2000  # of one list that are looked at
_SAME: Final = frozenset({"sort", "toSorted", "values", "toString", "trim", "normalize", "freeze", "from", "toArray", "flat"})
_TOLD: Final = frozenset({"entries", "keys", "values", "freeze", "from"})  # of Object and Array


def member(value: Value, name: str) -> Value:
    """A property of a value."""
    if isinstance(value, Many):
        return Many(tuple(member(one, name) for one in value.values))
    if isinstance(value, dict):
        return value.get(name, NOTHING if value else UNKNOWN)
    if isinstance(value, (list, str)):
        if name == "length":
            return str(len(value))
        if isinstance(value, list) and name.isdecimal() and len(name) < 5:
            return value[int(name)] if int(name) < len(value) else NOTHING
    return value if name == "value" and not isinstance(value, Absent) else UNKNOWN  # `ref(x).value` of Vue


def element(value: Value, index: Value) -> Value:
    """A value by a computed name; by an unknown one it is any of them."""
    if isinstance(index, str):
        return member(value, index)
    if isinstance(value, dict):
        return Many(tuple(value.values())[:_MOST_ITEMS])
    return Many(tuple(value[:_MOST_ITEMS])) if isinstance(value, list) else UNKNOWN


def told_by_library(owner: str, method: str, arguments: Sequence[Value]) -> Value | None:
    """`Object.entries(x)` and its like; None for other calls."""
    if owner not in ("Object", "Array") or method not in _TOLD or not arguments:
        return None
    value = arguments[0]
    if isinstance(value, dict):
        if method == "entries":
            return [[key, one] for key, one in value.items()]
        if method in ("keys", "values"):
            return list(value) if method == "keys" else list(value.values())
    return value if method in ("freeze", "from") else UNKNOWN


def call_method(value: Value, method: str, arguments: list[Value], call: Call) -> Value:
    """The result of a method of a value.

    Args:
        call: calls a function of the code.
    """
    if isinstance(value, Many):
        return Many(tuple(call_method(one, method, arguments, call) for one in value.values))
    if isinstance(value, list):
        return _of_list(value[:_MOST_ITEMS], method, arguments, call)
    if isinstance(value, str):
        return _of_text(value, method, arguments)
    return UNKNOWN


def _of_list(items: list[Value], method: str, arguments: list[Value], call: Call) -> Value:
    first = arguments[0] if arguments else UNKNOWN
    if method in ("map", "flatMap", "forEach") and isinstance(first, Function):
        found = [call(first, [item, str(number)]) for number, item in enumerate(items)]
        return [one for some in found for one in (some if isinstance(some, list) else [some])] if method == "flatMap" else found
    if method in ("filter", "find"):
        return _chosen(items, method, first, call)
    if method == "join":
        return _joined(items, first if isinstance(first, str) else ",")
    if method == "slice":
        bounds = [int(one) for one in arguments if isinstance(one, str) and one.lstrip("-").isdecimal() and len(one) < 6]
        return items[slice(*(([*bounds, len(items)])[:2]))] if len(bounds) == len(arguments) and bounds else items
    if method == "concat":
        return items + [one for other in arguments for one in (other if isinstance(other, list) else [other])]
    if method in ("reverse", "toReversed"):
        return items[::-1]
    return list(items) if method in _SAME else UNKNOWN


def _chosen(items: list[Value], method: str, test: Value, call: Call) -> Value:
    """Items that fulfil a condition; unknown as a whole when it cannot be decided for one of them."""
    verdicts = [call(test, [item]) if isinstance(test, Function) else item for item in items]
    if any(not is_true(one) and not is_false(one) for one in verdicts):
        return UNKNOWN
    kept = [item for item, verdict in zip(items, verdicts, strict=True) if is_true(verdict)]
    if method == "filter":
        return list(kept)
    return kept[0] if kept else NOTHING


def _joined(items: list[Value], mark: str) -> Value:
    if all(isinstance(one, str) for one in items):
        return joined([one for one in items if isinstance(one, str)], mark)
    if any(one is UNKNOWN for one in items):
        return UNKNOWN
    return Markup(
        joined([one.text if isinstance(one, Markup) else str(one) for one in items if isinstance(one, (str, Markup))], mark)
    )


def _of_text(text: str, method: str, arguments: list[Value]) -> Value:
    first = arguments[0] if arguments else UNKNOWN
    if method == "split" and isinstance(first, str):
        return list(text.split(first)[:_MOST_ITEMS]) if first else list(text[:_MOST_ITEMS])
    if method == "toUpperCase":
        return text.upper()
    if method == "toLowerCase":
        return text.lower()
    if method in ("includes", "startsWith") and isinstance(first, str):
        return first in text if method == "includes" else text.startswith(first)
    return text if method in _SAME else UNKNOWN
