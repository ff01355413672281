"""What a negation or a swap takes away from the hours read so far: "w soboty bez Mszy", "17.00 zamiast 18.00"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from mass_pipeline.reading.grammar.effects import Removes
from mass_pipeline.reading.grammar.outline import Said
from mass_pipeline.reading.grammar.time_groups import Scope, TimeEntry, TimeGroup
from mass_pipeline.reading.phrases.chunker import ONE
from mass_pipeline.reading.phrases.nodes import (
    NARROWING,
    AtPlace,
    Cond,
    Dated,
    InList,
    InSeason,
    Node,
    Nth,
    OfKind,
    OnDays,
    OnNth,
    Op,
    Remark,
    Sep,
    Time,
    When,
    WhichDays,
    Word,
)
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.parts_of_day import NOON
from mass_pipeline.reading.words.weekday_patterns import EVENING

_NEAR: Final = 6  # nodes after a negation
_FARTHEST: Final = 80  # nodes and hours looked back on
_MAIN: Final = re.compile(r"sum[aey]\b")  # folded
_BEFORE_NOON, _BEHIND_NOON = "11:00", "13:00"  # between which the main Mass of a Sunday begins
_OF_REMOVALS: Final = (*NARROWING, AtPlace)


def drop_days(pending: Sequence[Said], run: TimeGroup | None, nodes: Sequence[Node], index: int) -> list[Said]:
    """`w soboty bez Mszy (wieczornej)`: the days and seasons that wait lose the hours of their list; the rest waits on.

    A season that a list follows within the clause holds for that list too: `zimą w tygodniu bez porannej, w niedziele o 7.30`.
    """
    pending = [item for item in pending if not _is_rest_of_weeks(item.cond)]
    by_run = removal_of_days(pending, run, nodes, index)
    elsewhere = place_denied(by_run, run)
    conds = [item.cond for item in pending if isinstance(item.cond, NARROWING) or item.cond in elsewhere]
    half = half_denied(nodes, index)
    if run is not None and not (by_run and half) and not elsewhere:
        op = nodes[index]
        single = isinstance(op, Op) and (op.says == ONE or _means_last(nodes[index + 1 : index + 3])) and not half
        items = _main_of(run) if main_mass_denied(nodes, index) else run.items[-1:] if single else run.items
        for item in items:
            if not half or (item.clock.time < NOON) == (half == "morning"):
                item.restrictions.extend(replace(cond, excluded=not cond.excluded) for cond in conds)
    goes_on = any(isinstance(node, InList) for node in _clause(nodes, index + 1))
    return [item for item in pending if item.cond not in conds or (goes_on and isinstance(item.cond, InSeason))]


def place_denied(removed: Sequence[TimeGroup], run: TimeGroup | None) -> tuple[Cond, ...]:
    """The place of a removal that is another one than that of the hours before: `W wakacje nie ma Mszy w kaplicy`."""
    places = (one.scope[AtPlace] for one in removed if AtPlace in one.scope)
    return tuple(place for place in places if run is None or str(place.value) != run.place())


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


def _means_last(behind: Sequence[Node]) -> bool:
    """`8.00, 10.00, 19.00, w lipcu bez ostatniej`: one hour of the list."""
    return any(isinstance(node, Word) and fold(node.text).startswith("ostatni") for node in behind)


def _is_rest_of_weeks(cond: Cond) -> bool:
    """`w drugą i ostatnią sobotę o 17.00; w inne soboty Mszy nie ma` takes nothing of what was said of certain weeks."""
    return isinstance(cond.value, Nth) and cond.value.rest


def half_denied(nodes: Sequence[Node], index: int) -> str:
    """Which half of the day the words after a negation name, or those before it: `morning`, `evening` or neither.

    `W soboty nie ma Mszy wieczornej`, `Sobotniej wieczornej u nas nie ma`.
    """
    before = list(takewhile(lambda node: not isinstance(node, (Time, Sep)), reversed(nodes[max(0, index - _NEAR) : index])))
    return _half_named(nodes[index + 1 : index + 6]) or _half_named(before)


def _half_named(nodes: Sequence[Node]) -> str:
    words = " ".join(fold(node.text) for node in nodes if isinstance(node, Word))
    evening = any(isinstance(node, Op) and node.name == "evening" for node in nodes)
    return "evening" if evening or f"{EVENING}n" in words else "morning" if "rann" in words or "rano" in words else ""


def _clause(nodes: Sequence[Node], index: int) -> Sequence[Node]:
    """The nodes from a position to the end of the clause, where an hour stands among them; else none."""
    clause = list(takewhile(lambda node: not (isinstance(node, Sep) and node.strong), nodes[index : index + _FARTHEST]))
    return clause if any(isinstance(node, Time) for node in clause) else ()


def take(run: TimeGroup, nodes: Sequence[Node], index: int) -> list[TimeEntry]:
    """Take the hours that a negation after them means out of their run.

    Args:
        run: the run of the last hour; it keeps the others.
        nodes: the line; `nodes[index]` is the negation.
        index: its position.

    Returns:
        `W wakacje Msze o 10.00 i 12.00 nie są odprawiane` gives both; `8.00, 10.00, 12.00 nie ma w lipcu` the last one.
    """
    denied = _denied(run, nodes, index)
    del run.items[len(run.items) - len(denied) :]
    return denied


def _denied(run: TimeGroup, nodes: Sequence[Node], index: int) -> list[TimeEntry]:
    """The last hours of a run that a negation after them means."""
    last = run.items[-1]
    before = nodes[max(0, index - _FARTHEST) : index]
    names_list = any(isinstance(node, InList) for node in before)
    if InSeason not in run.scope or not (last.joined or not names_list):
        return [last]
    return list(reversed(list(takewhile(lambda item: item.line == last.line, reversed(run.items[-_FARTHEST:])))))


def restrict(run: TimeGroup, cond: Cond) -> None:
    """`bez Mszy o 8.00 i 10.00 w niedziele`: the days hold for all hours since the last one that has its own."""
    for item in reversed(run.items):
        if item is not run.items[-1] and any(isinstance(own, WhichDays) for own in item.restrictions):
            break
        item.restrictions.append(cond)


def conditions_after(nodes: Sequence[Node], index: int) -> tuple[Cond, ...]:
    """Seasons and days right after a negation: those of `8.30 - nie ma w wakacje`; empty when there are none."""
    found: list[Cond] = []
    for node in nodes[index + 1 :]:
        if isinstance(node, When):
            found.append(node)
        elif not (isinstance(node, (Word, OfKind)) or _joins(node, found)):
            break
    return tuple(found)


def single_days_after(nodes: Sequence[Node], index: int) -> tuple[Cond, ...]:
    """Feasts and dates on which alone the hours before a negation do not take place, up to the end of its sentence.

    `Mszy o 20.00 nie ma w Boże Ciało` leaves the order of all other days as it is.
    """
    behind = list(takewhile(lambda node: not isinstance(node, Time), nodes[index + 1 : index + _FARTHEST]))
    if not any(isinstance(node, Dated) for node in behind):
        return ()
    return tuple(node for node in behind if isinstance(node, (Dated, When)))


def _joins(node: Node, found: Sequence[Cond]) -> bool:
    return bool(found) and isinstance(node, Sep) and node.name == "and"


def restrict_before(run: TimeGroup, nodes: Sequence[Node], index: int, conds: Sequence[Cond]) -> None:
    """The hours before a negation take place except under its conditions."""
    for item in _denied(run, nodes, index):
        item.restrictions.extend(replace(cond, excluded=not cond.excluded) for cond in conds)


def run_of_line(runs: Sequence[TimeGroup], run: TimeGroup | None, line: int) -> TimeGroup | None:
    """The run that is read, or the last one of an earlier sentence of the line."""
    last = runs[-1] if run is None and runs and runs[-1].items else None
    return last if last is not None and last.items[-1].line == line else run


def removal_of_days(pending: Sequence[Said], run: TimeGroup | None, nodes: Sequence[Node], index: int) -> list[TimeGroup]:
    """`W poniedziałki nie ma Mszy (wieczornej)`: a run that takes the days out of every list of the place."""
    said = [item.cond for item in pending if isinstance(item.cond, _OF_REMOVALS) and not _is_rest_of_weeks(item.cond)]
    conds: Scope = {type(cond): cond for cond in said}
    if InSeason in conds and AtPlace not in conds:
        behind = [node for node in nodes[index + 1 : index + _NEAR] if isinstance(node, AtPlace)]
        conds |= {AtPlace: behind[0]} if behind else {}
    named = conds.keys() & {OnDays, OnNth} or conds.keys() >= {InSeason, AtPlace}
    if not named or any(cond.excluded for cond in conds.values()) or main_mass_denied(nodes, index):
        return []
    if run is not None and AtPlace in run.scope:
        conds.setdefault(AtPlace, run.scope[AtPlace])
    return [TimeGroup(conds, effect=Removes(whole_days=True, half=half_denied(nodes, index)))]


def exclude_from(items: Sequence[TimeEntry], cond: Cond) -> None:
    """`8.00, 18.00, z wyjątkiem środy`: the condition holds for every hour of the run."""
    for item in items:
        item.restrictions.append(cond)
