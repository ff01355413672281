"""Notices of a change: which hours are old ones, and of which days those are that come or remain.

Belongs here: rules over the nodes of a line (`rewording` tells when each is tried).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mass_pipeline.language.folding import fold
from mass_pipeline.schedule_grammar.attaching.rewording_days import clauses
from mass_pipeline.schedule_grammar.parsing.nodes import (
    LISTS_AND_DAYS,
    Cond,
    InSeason,
    Node,
    Op,
    Sep,
    Time,
    WhichDays,
    Word,
)

_IS: Final = frozenset({"jest", "sa", "bedzie", "beda"})  # folded
_BUT: Final = frozenset({"lecz", "ale"})  # folded


def leads_is(node: Node) -> bool:
    """Whether a word says that something is so: `a jest o 20.30`."""
    return isinstance(node, Word) and fold(node.text).split()[0] in _IS


def hours_set_right(nodes: Sequence[Node]) -> Sequence[Node]:
    """`nie o 17.00, lecz o 18.00`: the hour that is denied is left out; in a season the other one takes its place."""
    for at, node in enumerate(nodes):
        if not isinstance(node, Op) or node.name != "not":
            continue
        time = next((i for i in range(at + 1, len(nodes)) if not (isinstance(nodes[i], Word) and nodes[i].marker)), at)  # type: ignore[union-attr]
        behind = next((one for one in nodes[time + 1 :] if not isinstance(one, Sep)), None)
        leads = isinstance(behind, Word) and fold(behind.text).split()[0] in _BUT
        if isinstance(nodes[time], Time) and (leads or (isinstance(behind, Op) and behind.name == "only")):
            return [*nodes[:at], *_left_out(nodes, time), *nodes[time + 1 :]]
    return nodes


def _left_out(nodes: Sequence[Node], time: int) -> list[Node]:
    """An old hour as it stays in its line: not at all, or as the one that another hour takes the place of in a season."""
    in_season = any(isinstance(node, InSeason) for node in nodes)
    return [Op("instead", nodes[time].start, nodes[time].start), nodes[time]] if in_season else []


def hours_moved(nodes: Sequence[Node]) -> Sequence[Node]:
    """`Msza z godz. 13.00 została przeniesiona na 12.30`, `8.00 i 10.00 zmieniają się na 9.00 i 11.00`: those before are old."""
    found: list[Node] = []
    for clause in clauses(nodes):
        verb = next((at for at, node in enumerate(clause) if isinstance(node, Op) and node.name == "moved"), 0)
        old = [at for at, node in enumerate(clause[:verb]) if isinstance(node, Time)]
        new = [at for at in range(verb, len(clause)) if isinstance(clause[at], Time)]
        leads = new and any(_leads_on(node) for node in clause[verb : new[0]])
        if leads and len(old) == len(new) == 1:
            found += [*clause[: old[0]], *_left_out(clause, old[0]), *clause[old[0] + 1 :]]
        elif leads and _are_moved(clause, old[-len(new) :], verb, len(new)):
            at = clause[verb].start
            found += [*clause[: old[-len(new)]], Sep("semicolon", at, at), *clause[verb:]]
        else:
            found += clause
    return found


def _are_moved(clause: Sequence[Node], old: Sequence[int], verb: int, number: int) -> bool:
    """Whether so many hours stand side by side before the verb, and nothing else between, and no season is named."""
    lasting = not any(isinstance(node, InSeason) for node in clause)
    between = clause[old[0] : verb] if lasting and len(old) == number else []
    return bool(between) and all(isinstance(node, (Time, Sep)) for node in between)


def _leads_on(node: Node) -> bool:
    return isinstance(node, Word) and fold(node.text).split()[-1] == "na"


def sentences_of_old_hours(nodes: Sequence[Node]) -> Sequence[Node]:
    """`Msze o 6.00 łączymy z 8.00`: all hours of the sentence are old ones."""
    found: list[Node] = []
    for clause in clauses(nodes):
        joins = next((node for node in clause if isinstance(node, Op) and node.name == "merged"), None)
        found += [Op("former", joins.start, joins.start), *clause] if joins is not None else clause
    return found


def hours_that_are_now(nodes: Sequence[Node]) -> Sequence[Node]:
    """`było 7.00, 8.30 - jest 8.00, 10.00`: after the former hours, and what is so now, stand the hours that hold."""
    former = next((at for at, node in enumerate(nodes) if isinstance(node, Op) and node.name == "former"), len(nodes))
    times = [at for at in range(former, len(nodes)) if isinstance(nodes[at], Time)]
    if not times or any(not isinstance(node, (Word, Sep)) for node in nodes[former + 1 : times[0]]):
        return nodes
    for at in range(times[0] + 1, times[-1]):
        if isinstance(nodes[at], Sep) and nodes[at].strong:  # type: ignore[union-attr]
            return nodes
        following = next((node for node in nodes[at + 1 :] if not isinstance(node, (Word, Sep))), None)
        if leads_is(nodes[at]) and isinstance(nodes[at - 1], Sep) and isinstance(following, Time):
            return [*nodes[:at], Op("neworder", nodes[at].start, nodes[at].end), *nodes[at + 1 :]]
    return nodes


def hours_that_remain(nodes: Sequence[Node]) -> Sequence[Node]:
    """`W niedziele rezygnujemy z Mszy o 8.00. Pozostają: 7.00, 9.00`: the hours that remain are those of the same days."""
    found: list[Node] = []
    named: list[Cond] = []
    for clause in clauses(nodes):
        denies = any(isinstance(node, Op) and node.name == "without" for node in clause)
        remain = next((at for at, node in enumerate(clause) if isinstance(node, Op) and node.name == "remain"), -1)
        if denies:
            named = [node for node in clause if isinstance(node, LISTS_AND_DAYS) and not node.excluded]
        first = next((at for at, node in enumerate(clause) if isinstance(node, Time)), 0)
        own = any(isinstance(node, WhichDays) for node in clause[:first])
        days = named if remain >= 0 and not denies and not own and len(named) == 1 else []
        found += [*clause[: remain + 1], *(replace(cond) for cond in days), *clause[remain + 1 :]]
    return found
