"""Evening Masses of a list that stand after what is said of some of its days: put back to the hours of the list.

Belongs here: rules over the nodes of a line. Not here: when each is tried (`rewording`), days after hours (`rewording_days`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mass_pipeline.language import day_words
from mass_pipeline.language.folding import fold
from mass_pipeline.language.parts_of_day import AFTERNOON
from mass_pipeline.schedule_grammar.attaching.rewording_days import (
    JOINING,
    clauses,
    end_of,
    hour_of,
    is_days,
    is_saturday,
    list_at_end,
)
from mass_pipeline.schedule_grammar.parsing.nodes import Cond, Days, InList, Node, Nth, Op, Remark, Sep, Time, Word

_LATE: Final = (day_words.EVENING, day_words.IN_THE_AFTERNOON, day_words.AFTERNOON)  # folded


def evenings_of_the_list(nodes: Sequence[Node]) -> Sequence[Node]:
    """`w dni powszednie o 7.00, w środy o 8.30, oraz wieczorem o 17.30`: the evening is that of the list, 8.30 comes beside.

    So is 18.00 in `o 7.00, w czwartki dodatkowo o 9.00, i o 18.00`, and in `7.00; w czwartki też 9.00; wieczorem 18.00`.
    """
    return [node for clause in _joined(clauses(nodes)) for node in _with_evening_of_list(clause)]


def _joined(parts: list[list[Node]]) -> list[list[Node]]:
    """The clauses, where semicolons cut one: a list, what some of its days have besides, and an evening without days."""
    found: list[list[Node]] = []
    while parts:
        first, rest = parts[0], parts[1:]
        if len(rest) > 1 and _goes_on(first, rest[0], rest[1]):
            commas = [Sep("comma", clause[-1].start, clause[-1].end) for clause in (first, rest[0])]
            found.append([*first[:-1], commas[0], *rest[0][:-1], commas[1], *rest[1]])
            parts = rest[2:]
        else:
            found.append(first)
            parts = rest
    return found


def _goes_on(label: Sequence[Node], some: Sequence[Node], evening: Sequence[Node]) -> bool:
    named = [[node for node in clause if is_days(node)] for clause in (label, some, evening)]
    if [len(days) for days in named] != [1, 1, 0]:
        return False
    of_list, within = named[0][0], named[1][0]
    adds = any(isinstance(node, Op) and node.name == "also" for node in some)
    return adds and _is_within(within, of_list) and _is_late(evening[0])  # type: ignore[arg-type]


def _is_late(node: Node) -> bool:
    if isinstance(node, Op):
        return node.name == "evening"
    return isinstance(node, Word) and fold(node.text).startswith(_LATE)


def _with_evening_of_list(clause: list[Node]) -> list[Node]:
    conds = [at for at, node in enumerate(clause) if is_days(node)]
    last = (list_at_end(clause) or _denial_at_end(clause)) if len(conds) == 3 else 0
    if last:
        weekdays, end = _with_evening_of_list(clause[:last]), clause[last].start
        return clause if weekdays == clause[:last] else [*weekdays, Sep("semicolon", end, end), *clause[last:]]
    times = [at for at, node in enumerate(clause) if isinstance(node, Time)]
    if len(conds) != 2 or len(times) < 3:
        return clause
    label, days = (clause[at] for at in conds)
    added = any(isinstance(node, Op) and node.name == "also" for node in clause[times[0] : times[-1]])
    joint = next((at for at in range(conds[1], len(clause) - 1) if _leads_evening(clause, at, conds[1], added=added)), 0)
    within = isinstance(label, Cond) and isinstance(days, Cond) and _is_within(days, label)
    inside = [at for at in times if conds[1] < at < joint]
    behind = [at for at in times if at > joint]
    before = [at for at in times if conds[0] < at < conds[1]]
    if not (joint and within and inside and before and behind and all(hour_of(clause[at]) >= AFTERNOON for at in behind)):
        return clause
    return _reordered(clause, before[-1], conds[1], joint, saturday=is_saturday([days]) and not added)


def _denial_at_end(clause: Sequence[Node]) -> int:
    """Where the comma stands before `z tym że w poniedziałek nie ma Mszy`, 0 when there is none."""
    denial = next((at for at, node in enumerate(clause) if isinstance(node, Op) and node.name == "without"), 0)
    days = max((at for at in range(denial) if is_days(clause[at])), default=0)
    if not days or any(isinstance(node, Time) for node in clause[days:]):
        return 0
    return max((at for at in range(days) if isinstance(clause[at], Sep)), default=0)


def _reordered(clause: list[Node], last: int, days: int, joint: int, *, saturday: bool) -> list[Node]:
    """The clause with its evening moved to the list.

    Args:
        clause: the clause.
        last: position of the last hour of the list before the days.
        days: position of the days within the list.
        joint: position of the word that leads to the evening.
        saturday: only the morning of Saturday is another ("w dni powszednie o 7.00, w soboty o 8.00 i wieczorem o 18.00").
    """
    comma = max((at for at in range(last, days) if isinstance(clause[at], Sep)), default=days)
    end = end_of(clause)
    evening = clause[joint : len(clause) - len(end)]
    at = clause[comma].start
    stop = Sep("semicolon", at, at)
    lone = [node for node in clause[comma:joint] if not isinstance(node, Sep)]
    kept = [*clause[:comma], Sep("comma", at, at), *evening, stop]
    if saturday:
        hours = [node for node in evening if isinstance(node, Time)]
        return [*kept, *lone, Sep("comma", 0, 0), *hours, *end]
    return [*kept, Op("also", at, at), *lone, *end]


def _leads_evening(clause: Sequence[Node], at: int, days: int, *, added: bool) -> bool:
    """Whether the words at a position go on with the hours of the list.

    Args:
        clause: the clause.
        at: the position.
        days: position of the days within the list.
        added: a word tells that these have their hours besides.
    """
    node = clause[at]
    before = [other.name for other in clause[max(0, at - 2) : at] if isinstance(other, Sep) and other.name in JOINING]
    goes_on = added and isinstance(node, Word) and node.marker == "hour" and before == ["comma", "and"]
    if isinstance(node, Op) and node.name == "also":  # "dla szkół w środę o 16.15, jak również o 18.00"
        goes_on = any(isinstance(other, Remark) for other in clause[max(0, days - 2) : days])
    return bool(before) and (goes_on or _is_late(node))


def _is_within(days: Cond, label: Cond) -> bool:
    inner, outer = days.value, label.value
    if not isinstance(inner, (Days, Nth)) or inner.rest or not isinstance(outer, Days) or not inner.days < outer.days:
        return False
    return isinstance(label, InList) or len(outer.days) > 2
