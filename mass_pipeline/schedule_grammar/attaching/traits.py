"""What a line has, in one look, so that a rule is tried only where the line has what the rule is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mass_pipeline.schedule_grammar.parsing.nodes import (
    AtPlace,
    Cond,
    Dated,
    Group,
    InList,
    InSeason,
    Node,
    OfKind,
    OnDays,
    OnNth,
    Op,
    Remark,
    Season,
    Sep,
    Time,
    Word,
)

_OF_TYPES: Final[dict[type, tuple[str, ...]]] = {
    Time: ("time",),
    InList: ("days", "list"),
    OnDays: ("days",),
    OnNth: ("days", "weeks"),
    AtPlace: ("other", "place"),
    Remark: ("other", "remark"),
    Dated: ("other", "dated"),
    Word: (),
}
_OF_MARKS: Final = {"comma": ("comma",), "dash": ("mark",), "bar": ("mark",), "semicolon": ("stop",), "stop": ("stop",)}
_OF_KINDS: Final[dict[str, tuple[str, ...]]] = {"mass": ("other", "mass"), "person": ("other", "person")}
_OTHER: Final[tuple[str, ...]] = ("other",)
_DAYS: Final = frozenset({InList, OnDays, OnNth})


def traits_of(nodes: Sequence[Node]) -> set[str]:
    """What a line has: kinds of nodes and marks, names of operators, and "again" after what it has several of.

    `stop` is what ends a clause, `mark` a dash or a bar; what stands in brackets is followed by "in brackets".
    """
    found: set[str] = set()
    for node in nodes:
        names = _OF_TYPES.get(type(node))
        if names is None:
            names = _names_of(node)
        for name in names:
            found.add(f"{name} again" if name in found else name)
    if nodes and type(nodes[0]) is Time:
        found.add("begins with hour")
    return found


def _names_of(node: Node) -> tuple[str, ...]:
    """The traits of a node whose type does not tell them."""
    kind = type(node)
    if kind is Sep:
        return _OF_MARKS.get(node.name, ())  # type: ignore[union-attr]
    if kind is Group:
        return _names_of_bracket(node.nodes)  # type: ignore[union-attr]
    if kind is Op:
        return (node.name,)  # type: ignore[union-attr]
    if kind is OfKind:
        return _OF_KINDS.get(str(node.value), _OTHER)  # type: ignore[union-attr]
    return (_season(node),) if isinstance(node, InSeason) else ("days",) if isinstance(node, Cond) else ()


def _names_of_bracket(nodes: Sequence[Node]) -> tuple[str, ...]:
    found = ["group"]
    for node in nodes:
        kind = type(node)
        if kind is Time:
            found.append("hour in brackets")
        elif kind in _DAYS:
            found.append("days in brackets")
        elif kind is Op or kind is InSeason:
            found.append(f"{node.name if kind is Op else _season(node)} in brackets")  # type: ignore[union-attr, arg-type]
    return tuple(found)


def _season(cond: InSeason) -> str:
    if not isinstance(cond.value, Season):
        return "other"
    return "season" if cond.value.months else "movable season"
