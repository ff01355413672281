"""Methods of lists, texts and objects whose result the code itself tells. Anything else is unknown."""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key
from typing import Final

from mass_pipeline.extraction.code.dom import property_of
from mass_pipeline.extraction.code.texts import of_text
from mass_pipeline.extraction.code.values import (
    NOTHING,
    UNKNOWN,
    Absent,
    Element,
    Function,
    Many,
    Markup,
    Native,
    Value,
    as_number,
    is_false,
    is_true,
    joined,
    number,
)

Call = Callable[[Function | Native, list[Value]], Value]
_MOST_ITEMS: Final = 2000  # of one list that are looked at
_MOST_SORTED: Final = 200  # items of a list that a function of the code compares
_SAME: Final = frozenset({"values", "toString", "normalize", "freeze", "from", "toArray", "flat", "json", "catch", "finally"})
_LANGUAGES: Final = frozenset({"en", "de", "uk", "ua", "it", "fr", "es", "la", "cs", "pl"})
# Keys under which a visitor or the date chooses one of several orders: each is shown with its season.
_SEASONS: Final = {
    "lato": "latem", "letni": "latem", "letnie": "latem", "letnia": "latem", "summer": "latem", "zima": "zimą", "zimowy": "zimą",
    "zimowe": "zimą", "zimowa": "zimą", "winter": "zimą", "wakacje": "w wakacje", "vacation": "w wakacje",
    "holidays": "w wakacje",
    "rok": "w roku szkolnym", "szkolny": "w roku szkolnym", "school": "w roku szkolnym", "rokszkolny": "w roku szkolnym",
    "schoolyear": "w roku szkolnym",
}  # fmt: skip


def member(value: Value, name: str) -> Value:
    """A property of a value."""
    if isinstance(value, Many):
        return Many(tuple(member(one, name) for one in value.values), value.labels)
    if isinstance(value, Element):
        return property_of(value, name)
    if isinstance(value, Native):
        return value.members.get(name, UNKNOWN)
    if isinstance(value, dict):
        if name == "value" and name not in value and value:
            return value  # `ref(x).value` of Vue
        return value.get(name, NOTHING)
    if isinstance(value, (list, str)):
        if name == "length":
            return number(len(value))
        if isinstance(value, list) and name.isdecimal() and len(name) < 5:
            return value[int(name)] if int(name) < len(value) else NOTHING
        if name.isdecimal() and len(name) < 5:
            return value[int(name) : int(name) + 1] or NOTHING
    return value if name == "value" and not isinstance(value, Absent) else UNKNOWN


def element(value: Value, index: Value) -> Value:
    """A value by a computed name; by an unknown one it is any of them, of several languages Polish.

    >>> element({"lato": "18.00", "zima": "17.00"}, UNKNOWN).labels
    ('latem', 'zimą')
    """
    if isinstance(index, str):
        return member(value, index)
    if index is NOTHING:
        return NOTHING
    if isinstance(value, dict):
        if "pl" in value and value.keys() <= _LANGUAGES:
            return value["pl"]
        words = tuple(_SEASONS.get(key.lower(), "") for key in value)
        return Many(tuple(value.values())[:_MOST_ITEMS], words if words and all(words) else ())
    return Many(tuple(value[:_MOST_ITEMS])) if isinstance(value, list) else UNKNOWN


def call_method(value: Value, method: str, arguments: list[Value], call: Call) -> Value:
    """The result of a method of a value.

    Args:
        call: calls a function of the code.
    """
    if method in ("then", "subscribe"):
        first = arguments[0] if arguments else UNKNOWN
        return call(first, [value]) if isinstance(first, (Function, Native)) else UNKNOWN
    if isinstance(value, Many):
        return Many(tuple(call_method(one, method, arguments, call) for one in value.values), value.labels)
    if isinstance(value, list):
        return _of_list(value[:_MOST_ITEMS], method, arguments, call)
    if isinstance(value, str):
        return of_text(value, method, arguments, call)
    if isinstance(value, dict):
        if method in ("get", "has") and arguments and isinstance(arguments[0], str):  # of a Map
            return value.get(arguments[0], NOTHING) if method == "get" else arguments[0] in value
        if method == "entries":
            return [[key, one] for key, one in value.items()]
        return list(value.values()) if method == "values" else value if method in _SAME else UNKNOWN
    return UNKNOWN


def _of_list(items: list[Value], method: str, arguments: list[Value], call: Call) -> Value:
    first = arguments[0] if arguments else UNKNOWN
    if method in _CALLING and isinstance(first, (Function, Native)):
        return _CALLING[method](items, first, call)
    if method in ("sort", "toSorted"):
        return _sorted(items, first, call)
    if method == "reduce":
        return _reduced(items, arguments, call)
    if method in _OF_ITEMS:
        return _OF_ITEMS[method](items, arguments)
    return list(items) if method in _SAME else UNKNOWN


def _slice(items: list[Value], arguments: list[Value]) -> Value:
    bounds = [int(one) for one in arguments if isinstance(one, str) and one.lstrip("-").isdecimal() and len(one) < 6]
    return items[slice(*(([*bounds, len(items)])[:2]))] if len(bounds) == len(arguments) and bounds else items


def _concat(items: list[Value], arguments: list[Value]) -> Value:
    return items + [one for other in arguments for one in (other if isinstance(other, list) else [other])]


def _at(items: list[Value], arguments: list[Value]) -> Value:
    place = as_number(arguments[0]) if arguments else None
    return items[int(place)] if place is not None and -len(items) <= place < len(items) else NOTHING


def _index_of(items: list[Value], arguments: list[Value]) -> Value:
    sought = arguments[0] if arguments else UNKNOWN
    if not isinstance(sought, str) or any(not isinstance(one, str) for one in items):
        return UNKNOWN
    return number(items.index(sought) if sought in items else -1)


def _includes(items: list[Value], arguments: list[Value]) -> Value:
    place = _index_of(items, arguments)
    return place if place is UNKNOWN else place != "-1"


def _flat(items: list[Value], arguments: list[Value]) -> Value:
    return [one for some in items for one in (some if isinstance(some, list) else [some])]


def _joined(items: list[Value], arguments: list[Value]) -> Value:
    mark = arguments[0] if arguments and isinstance(arguments[0], str) else ","
    if any(one is UNKNOWN for one in items):
        return UNKNOWN
    if all(isinstance(one, str) or is_false(one) for one in items):
        return joined([one if isinstance(one, str) else "" for one in items], mark)
    return Markup(
        joined([one.text if isinstance(one, Markup) else str(one) for one in items if isinstance(one, (str, Markup))], mark)
    )


def _mapped(items: list[Value], function: Function | Native, call: Call) -> list[Value]:
    return [call(function, [item, number(place), items]) for place, item in enumerate(items)]


def _flat_mapped(items: list[Value], function: Function | Native, call: Call) -> Value:
    return _flat(_mapped(items, function, call), [])


def _verdicts(items: list[Value], test: Function | Native, call: Call) -> list[bool] | None:
    """Whether each item fulfils a condition; None when it cannot be decided for one of them."""
    told = [call(test, [item, number(place)]) for place, item in enumerate(items)]
    return [is_true(one) for one in told] if all(is_true(one) or is_false(one) for one in told) else None


def _filtered(items: list[Value], test: Function | Native, call: Call) -> Value:
    verdicts = _verdicts(items, test, call)
    return [item for item, kept in zip(items, verdicts, strict=True) if kept] if verdicts is not None else UNKNOWN


def _found(items: list[Value], test: Function | Native, call: Call) -> Value:
    kept = _filtered(items, test, call)
    return kept if not isinstance(kept, list) else kept[0] if kept else NOTHING


def _found_index(items: list[Value], test: Function | Native, call: Call) -> Value:
    verdicts = _verdicts(items, test, call)
    return UNKNOWN if verdicts is None else number(verdicts.index(True) if True in verdicts else -1)


def _some(items: list[Value], test: Function | Native, call: Call) -> Value:
    verdicts = _verdicts(items, test, call)
    return UNKNOWN if verdicts is None else any(verdicts)


def _every(items: list[Value], test: Function | Native, call: Call) -> Value:
    verdicts = _verdicts(items, test, call)
    return UNKNOWN if verdicts is None else all(verdicts)


def _sorted(items: list[Value], comparison: Value, call: Call) -> Value:
    """Items in the order that a comparison of known results gives; as they are written where it is unknown."""
    if not isinstance(comparison, Function):
        return sorted(items, key=str) if all(isinstance(one, str) for one in items) else list(items)
    if len(items) > _MOST_SORTED:
        return list(items)

    def compared(one: Value, other: Value) -> int:
        verdict = as_number(call(comparison, [one, other])) or 0.0
        return (verdict > 0) - (verdict < 0)

    return sorted(items, key=cmp_to_key(compared))


def _reduced(items: list[Value], arguments: list[Value], call: Call) -> Value:
    function = arguments[0] if arguments else UNKNOWN
    if not isinstance(function, Function) or len(arguments) < 2:
        return UNKNOWN
    found = arguments[1]
    for place, item in enumerate(items):
        found = call(function, [found, item, number(place)])
        if found is UNKNOWN:
            return UNKNOWN
    return found


_CALLING: Final[dict[str, Callable[[list[Value], Function | Native, Call], Value]]] = {
    "map": _mapped,
    "forEach": _mapped,
    "flatMap": _flat_mapped,
    "filter": _filtered,
    "find": _found,
    "findIndex": _found_index,
    "some": _some,
    "every": _every,
}
_OF_ITEMS: Final[dict[str, Callable[[list[Value], list[Value]], Value]]] = {
    "join": _joined,
    "slice": _slice,
    "concat": _concat,
    "reverse": lambda items, _: items[::-1],
    "toReversed": lambda items, _: items[::-1],
    "includes": _includes,
    "has": _includes,
    "indexOf": _index_of,
    "at": _at,
    "flat": _flat,
    "entries": lambda items, _: [[number(place), one] for place, one in enumerate(items)],
    "keys": lambda items, _: [number(place) for place in range(len(items))],
}
