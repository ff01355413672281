"""What a line has, in one look, so that a rule is tried only where the line has what the rule is about."""

from __future__ import annotations

from collections.abc import Sequence

from mass_pipeline.schedule_grammar.parsing.nodes import Cond, Group, InSeason, Node, Op, Season, Time, WhichDays


def traits_of(nodes: Sequence[Node]) -> set[str]:
    """What a line has, in one look: kinds of nodes, names of operators, and "again" after what it has several of."""
    found: set[str] = set()
    for node in nodes:
        kind = type(node)
        if kind is Time:
            name = "time"
        elif isinstance(node, Cond):
            name = _trait_of(node)
        elif kind is Group:
            name = "group"
            if any(isinstance(inner, InSeason) and _trait_of(inner) == "movable season" for inner in node.nodes):  # type: ignore[union-attr]
                found.add("movable season in brackets")
            if any(type(inner) is Op and inner.name == "insteadofit" for inner in node.nodes):  # type: ignore[union-attr]
                found.add("insteadofit in brackets")
        elif kind is Op:
            name = node.name  # type: ignore[union-attr]
        else:
            continue
        found.add(f"{name} again" if name in found else name)
    if nodes and type(nodes[0]) is Time:
        found.add("begins with hour")
    return found


def _trait_of(cond: Cond) -> str:
    if isinstance(cond, WhichDays):
        return "days"
    if not isinstance(cond, InSeason) or not isinstance(cond.value, Season):
        return "other"
    return "season" if cond.value.months else "movable season"
