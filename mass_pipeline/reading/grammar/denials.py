"""What a negation or a swap takes away from the hours read so far: "w soboty bez Mszy", "17.00 zamiast 18.00"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from mass_pipeline.reading.grammar.outline import Said
from mass_pipeline.reading.grammar.time_groups import Removes, Scope, TimeEntry, TimeGroup
from mass_pipeline.reading.phrases.chunker import ONE
from mass_pipeline.reading.phrases.nodes import (
    NARROWING,
    AtPlace,
    Cond,
    InList,
    InSeason,
    Node,
    OfKind,
    OnDays,
    OnNth,
    Op,
    Remark,
    Sep,
    Time,
    When,
    Word,
)
from mass_pipeline.reading.phrases.predicates import half_named, has_time, rest_of_clause
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.parts_of_day import NOON

_NEAR: Final = 6  # nodes after a negation
_FARTHEST: Final = 80  # nodes and hours looked back on
_MAIN: Final = re.compile(r"sum[aey]\b")  # folded
_BEFORE_NOON, _BEHIND_NOON = "11:00", "13:00"  # between which the main Mass of a Sunday begins


def drop_days(pending: Sequence[Said], run: TimeGroup | None, nodes: Sequence[Node], index: int) -> list[Said]:
    """`w soboty bez Mszy (wieczornej)`: the days and seasons that wait lose the hours of their list; the rest waits on.

    A season that a list follows within the clause holds for that list too: `zimą w tygodniu bez porannej, w niedziele o 7.30`.
    """
    by_run = removal_of_days(pending, run, nodes, index)
    elsewhere = place_denied(by_run, run)
    conds = [item.cond for item in pending if isinstance(item.cond, NARROWING) or item.cond in elsewhere]
    half = half_denied(nodes, index)
    if run is not None and not (by_run and half) and not elsewhere:
        op = nodes[index]
        single = isinstance(op, Op) and op.says == ONE and not half
        items = _main_of(run) if main_mass_denied(nodes, index) else run.items[-1:] if single else run.items
        for item in items:
            if not half or (item.clock.time < NOON) == (half == "morning"):
                item.restrictions.extend(replace(cond, excluded=not cond.excluded) for cond in conds)
    clause = rest_of_clause(nodes, index)
    goes_on = has_time(clause) and any(isinstance(node, InList) for node in clause)
    return [item for item in pending if item.cond not in conds or (goes_on and isinstance(item.cond, InSeason))]


def place_denied(removed: Sequence[TimeGroup], run: TimeGroup | None) -> tuple[Cond, ...]:
    """The place of a removal that is another one than that of the hours before: `W wakacje nie ma Mszy w kaplicy`."""
    places = (one.scope[AtPlace] for one in removed if AtPlace in one.scope)
    return tuple(place for place in places if run is None or str(place.value) != run.place())


def half_denied(nodes: Sequence[Node], index: int) -> str:
    """Which half of the day the words after a negation name, or those before it: `morning`, `evening` or neither.

    `W soboty nie ma Mszy wieczornej`, `Sobotniej wieczornej u nas nie ma`.
    """
    before = takewhile(lambda node: not isinstance(node, (Time, Sep)), reversed(nodes[max(0, index - _NEAR) : index]))
    return half_named(nodes[index + 1 : index + _NEAR]) or half_named(list(before))


def main_mass_denied(nodes: Sequence[Node], index: int) -> tuple[Remark, ...]:
    """The word for the main Mass right after a negation, as in `w wakacje bez sumy`; empty where another word stands there."""
    said = takewhile(lambda node: not isinstance(node, (Time, Sep)), nodes[index + 1 : index + _NEAR])
    behind = next((node for node in said if isinstance(node, Remark)), None)
    return (behind,) if behind is not None and _MAIN.match(fold(str(behind.value))) else ()


def _main_of(run: TimeGroup) -> list[TimeEntry]:
    """The hour that is called the main Mass, or the only one about noon; [] where neither tells."""
    named = [item for item in run.items if any(_MAIN.match(fold(note)) for note in item.notes)]
    about_noon = [item for item in run.items if _BEFORE_NOON <= item.clock.time <= _BEHIND_NOON]
    return named or (about_noon if len(about_noon) == 1 else [])


def hours_before(run: TimeGroup, nodes: Sequence[Node], index: int) -> list[TimeEntry]:
    """The last hours of a run that a negation after them means.

    `W wakacje Msze o 10.00 i 12.00 nie są odprawiane` means both; `8.00, 10.00, 12.00 nie ma w lipcu` the last one.
    """
    last = run.items[-1]
    before = nodes[max(0, index - _FARTHEST) : index]
    names_list = any(isinstance(node, InList) for node in before)
    if InSeason not in run.scope or not (last.joined or not names_list):
        return [last]
    return list(reversed(list(takewhile(lambda item: item.line == last.line, reversed(run.items[-_FARTHEST:])))))


def conditions_after(nodes: Sequence[Node], index: int) -> tuple[Cond, ...]:
    """Seasons and days right after a negation: those of `8.30 - nie ma w wakacje`; empty when there are none."""
    found: list[Cond] = []
    for node in nodes[index + 1 :]:
        if isinstance(node, When):
            found.append(node)
        elif not (isinstance(node, (Word, OfKind)) or (found and isinstance(node, Sep) and node.name == "and")):
            break
    return tuple(found)


def removal_of_days(pending: Sequence[Said], run: TimeGroup | None, nodes: Sequence[Node], index: int) -> list[TimeGroup]:
    """`W poniedziałki nie ma Mszy (wieczornej)`: a run that takes the days out of every list of the place."""
    conds: Scope = {type(item.cond): item.cond for item in pending if isinstance(item.cond, (*NARROWING, AtPlace))}
    if InSeason in conds and AtPlace not in conds:
        behind = [node for node in nodes[index + 1 : index + _NEAR] if isinstance(node, AtPlace)]
        conds |= {AtPlace: behind[0]} if behind else {}
    named = conds.keys() & {OnDays, OnNth} or conds.keys() >= {InSeason, AtPlace}
    if not named or any(cond.excluded for cond in conds.values()) or main_mass_denied(nodes, index):
        return []
    if run is not None and AtPlace in run.scope:
        conds.setdefault(AtPlace, run.scope[AtPlace])
    return [TimeGroup(conds, effect=Removes(whole_days=True, half=half_denied(nodes, index)))]
