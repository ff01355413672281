"""Seasons that close their lists: put before the hours they govern.

Belongs here: a rule over the nodes of a line (`rewording` tells when it is tried). Not here: what words mean (`parsing`).
"""

from __future__ import annotations

from collections.abc import Sequence

from mass_pipeline.schedule_grammar.parsing.nodes import YEAR, Cond, Group, InSeason, Node, OnDays, Op, Season, Sep, Time


def seasons_that_close_their_lists(nodes: Sequence[Node]) -> Sequence[Node]:
    """`18.00, w środę 8.00 (latem), 17.00, w środę 8.00 (zimą)`: seasons that close two equally long lists, put before them."""
    closing = [index for index, node in enumerate(nodes) if type(node) is Group and season_alone(node) is not None]
    if len(closing) != 2:
        return nodes
    first, second = closing
    seasons = [season for index in closing if (season := season_alone(nodes[index])) is not None]
    months = [cond.value.months or frozenset() for cond in seasons if isinstance(cond.value, Season)]
    strong = [index for index, node in enumerate(nodes[:first]) if isinstance(node, Sep) and node.strong]
    parts = (range(max(strong, default=0), first), range(first, second))
    hours = [[index for index in part if isinstance(nodes[index], Time)] for part in parts]
    if months[0] & months[1] or months[0] | months[1] != YEAR or len(hours[0]) != len(hours[1]) or len(hours[0]) < 2:
        return nodes
    names_days = any(isinstance(node, OnDays) for node in nodes[first:second])
    if not names_days and not _begins_anew([nodes[i] for i in hours[0]], [nodes[i] for i in hours[1]]):
        return nodes
    opening, behind = hours[0][0], first + 1
    while isinstance(nodes[behind], Sep):
        behind += 1
    at = nodes[first].start
    lead = [(season, Sep("colon", season.start, season.end)) for season in seasons]
    lists = (*nodes[:opening], *lead[0], *nodes[opening:first], Sep("semicolon", at, at), *lead[1], *nodes[behind:second])
    return (*lists, *nodes[second + 1 :])


def _begins_anew(first: Sequence[Node], second: Sequence[Node]) -> bool:
    """`7.00, 11.00, 18.00 (IV-X), 7.30, 11.00, 17.00 (XI-III)`: three hours in order, and again from the morning."""
    times = [[node.clock.time for node in part if isinstance(node, Time)] for part in (first, second)]
    ordered = all(part == sorted(part) for part in times)
    return ordered and len(times[0]) > 2 and times[1][0] <= times[0][1]


def season_alone(node: Node | None) -> Cond | None:
    """The season of a bracket that says nothing else; None of any other node."""
    if not isinstance(node, Group) or any(isinstance(inner, (Time, Op, Sep)) for inner in node.nodes):
        return None
    conds = [inner for inner in node.nodes if isinstance(inner, Cond)]
    alone = len(conds) == 1 and isinstance(conds[0], InSeason) and not conds[0].excluded
    return conds[0] if alone and isinstance(conds[0].value, Season) and conds[0].value.months else None
