"""Saturdays within the list of Sunday: `17.30 w sobotę (w lipcu 20.00) 7.30, 9.00`, `19.00 (sobota, w maju; poza tym 18.00)`.

Belongs here: rules over the nodes of a line (`rewording` tells when each is tried).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mass_pipeline.language.parts_of_day import AFTERNOON
from mass_pipeline.schedule_grammar.attaching.rewording_days import hour_of
from mass_pipeline.schedule_grammar.parsing.nodes import (
    Cond,
    Days,
    Group,
    InList,
    InSeason,
    Node,
    OnDays,
    Season,
    Sep,
    Time,
    Word,
)


def saturdays_of_the_hour_before(nodes: Sequence[Node]) -> Sequence[Node]:
    """`Niedziele: 17.30 w sobotę (w lipcu 20.00) 7.30, 9.00` is `17.30 (w sobotę, w lipcu 20.00), 7.30, 9.00`."""
    listed = next((at for at, node in enumerate(nodes) if isinstance(node, InList)), -1)
    if listed < 0 or not _names(nodes[listed], "Su"):
        return nodes
    for at in range(listed + 1, len(nodes)):
        hour = hour_of(nodes[at])
        saturday = _said_after(nodes, at)
        if hour < AFTERNOON or saturday >= len(nodes) or not _is_saturday(nodes[saturday]):
            continue
        bracket = nodes[saturday + 1] if saturday + 1 < len(nodes) else None
        inner = bracket.nodes if isinstance(bracket, Group) else ()
        end = saturday + bool(inner)
        following = _said_after(nodes, end)
        if following < len(nodes) and "" < hour_of(nodes[following]) < AFTERNOON:
            said = nodes[saturday]
            group = Group((said, *((Sep("comma", said.end, said.end), *inner) if inner else ())), said.start, nodes[end].end)
            return [*nodes[: at + 1], group, Sep("comma", group.end, group.end), *nodes[end + 1 :]]
    return nodes


def other_hour_of_the_rest(nodes: Sequence[Node]) -> Sequence[Node]:
    """`19.00 (sobota, od maja do sierpnia; poza tym 18.00)`: the other hour is that of the other months of those days."""
    return [_with_rest_of_season(node) if isinstance(node, Group) else node for node in nodes]


def _with_rest_of_season(group: Group) -> Group:
    rest = next((at for at, node in enumerate(group.nodes) if _is_rest(node)), 0)
    before = group.nodes[:rest]
    seasons = [node for node in before if isinstance(node, InSeason)]
    if not rest or len(seasons) != 1 or not isinstance(seasons[0].value, Season) or not seasons[0].value.months:
        return group
    if any(isinstance(node, (Time, Group)) for node in before) or not any(isinstance(node, Time) for node in group.nodes[rest:]):
        return group
    said = group.nodes[rest]
    days = [replace(node, start=said.start, end=said.start) for node in before if isinstance(node, OnDays)]
    if not all(_is_saturday(day) for day in days):
        return group
    turned = InSeason(seasons[0].value, said.start, said.end, excluded=True)
    return replace(group, nodes=(*before, *days, turned, *group.nodes[rest + 1 :]))


def _is_rest(node: Node) -> bool:
    return isinstance(node, OnDays) and isinstance(node.value, Days) and node.value.rest


def _is_saturday(node: Node) -> bool:
    return isinstance(node, OnDays) and not node.excluded and _names(node, "Sa")


def _names(node: Node, day: str) -> bool:
    return isinstance(node, Cond) and isinstance(node.value, Days) and node.value.days - {"PH"} == {day}


def _said_after(nodes: Sequence[Node], at: int) -> int:
    """The next position that holds more than a small word."""
    return next((i for i in range(at + 1, len(nodes)) if not (isinstance(nodes[i], Word) and nodes[i].marker)), len(nodes))  # type: ignore[union-attr]
