"""Lists that loops of templates go through, with the filters that AngularJS writes after them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from mass_pipeline.extraction.code.values import NOTHING, UNKNOWN, Absent, Many, Number, Value, as_number, number

_MOST_ITEMS: Final = 2000  # of one loop


def listed(items: Value, *, is_angular: bool = False) -> Iterator[tuple[Value, Value]]:
    """Item and place, or value and name, of every round.

    Args:
        items: a list, an object, or one of several.
        is_angular: the name stands first.
    """
    if isinstance(items, Many):
        for one in items.values[:_MOST_ITEMS]:
            yield from listed(one, is_angular=is_angular)
    elif isinstance(items, dict):
        for key, value in list(items.items())[:_MOST_ITEMS]:
            yield (key, value) if is_angular else (value, key)
    elif isinstance(items, list):
        for place, value in enumerate(items[:_MOST_ITEMS]):
            yield value, number(place)
    elif isinstance(items, Number):
        for count in range(1, min(int(as_number(items) or 0), _MOST_ITEMS) + 1):
            yield number(count), number(count - 1)


def shown_of(written: str, value: Callable[[str], Value], *, is_angular: bool) -> tuple[Value, str]:
    """The items that a loop names, and their expression: of AngularJS without what follows `track by`, after its filters.

    Args:
        written: what stands after `in`.
        value: works out an expression.
        is_angular: whether `|` begins a filter.
    """
    if not is_angular:
        return value(written), written
    items, *filters = written.partition(" track by ")[0].partition(" as ")[0].replace("||", "\0").split("|")
    items = items.replace("\0", "||")
    found = value(items)
    for one in filters:
        name, _, argument = one.partition(":")
        if name.strip() == "filter":
            found = _filtered(found, value(argument.strip()), is_name=argument.strip().isidentifier())
        elif name.strip() == "limitTo" and isinstance(found, list):
            most = as_number(value(argument.strip()))
            found = found[: int(most)] if most is not None and most > 0 else found
    return found, items


def _filtered(items: Value, wanted: Value, *, is_name: bool) -> Value:
    """Items that hold what is wanted; all where a visitor has not yet written anything, none where it is unknown."""
    if not isinstance(items, list):
        return UNKNOWN
    if isinstance(wanted, dict):
        return [
            one for one in items if isinstance(one, dict) and all(_holds(one.get(key, NOTHING), wanted[key]) for key in wanted)
        ]
    if isinstance(wanted, Absent) or wanted == "":
        return items if is_name else UNKNOWN
    return items if not isinstance(wanted, str) else [one for one in items if _holds(one, wanted)]


def _holds(value: Value, wanted: Value) -> bool:
    if isinstance(value, dict):
        return any(_holds(one, wanted) for one in value.values() if not isinstance(one, (dict, list)))
    if isinstance(value, str) and isinstance(wanted, str):
        return wanted.lower() in value.lower()
    return value == wanted
