"""Brackets that speak of more than the hour before them, and seasons that are named in one breath: each hour gets its own.

Belongs here: rules over the nodes of a line (`rewording` tells when each is tried). Not here: what a bracket does to the hour
before it (`brackets_reader`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from mass_pipeline.language.parts_of_day import AFTERNOON
from mass_pipeline.schedule_grammar.attaching.rewording_days import JOINING, clauses, hour_of
from mass_pipeline.schedule_grammar.parsing.nodes import (
    AtPlace,
    Cond,
    Group,
    InSeason,
    Node,
    Nth,
    OnDays,
    Op,
    Remark,
    Season,
    Sep,
    Time,
    WhichDays,
    Word,
)

_EITHER_APART_MINUTES: Final = 120  # "7.00 lub 7.30": the same Mass, earlier or later


def brackets_of_a_pair(nodes: Sequence[Node]) -> Sequence[Node]:
    """`7.00 lub 7.30 (w środy)`, `17.00 - zimą, 18.00 - latem (w sobotę)`: the days are those of both hours."""
    found = list(nodes)
    for at in range(len(found) - 1, 1, -1):
        group = found[at]
        if not isinstance(group, Group) or not _says_days_alone(group):
            continue
        first = _first_of_alternatives(found, at) or _first_of_seasons(found, at)
        if first:
            found.insert(first, replace(group))
    return found


def _says_days_alone(group: Group) -> bool:
    """Whether a bracket names days, and nothing else but that it is on these alone."""
    conds = [node for node in group.nodes if isinstance(node, Cond)]
    others = [node for node in group.nodes if not isinstance(node, (Cond, Sep)) and not (isinstance(node, Word) and node.marker)]
    only = all(isinstance(node, Op) and node.name == "only" for node in others)
    return bool(conds) and only and all(isinstance(cond, WhichDays) and not cond.excluded for cond in conds)


def _first_of_alternatives(nodes: Sequence[Node], at: int) -> int:
    """The position after the first hour of `7.00 lub 7.30 (...)`, 0 of anything else."""
    said = [i for i in range(max(0, at - 6), at) if not (isinstance(nodes[i], Word) and nodes[i].marker)]  # type: ignore[union-attr]
    if len(said) < 3:
        return 0
    one, joint, other = (nodes[i] for i in said[-3:])
    if not (isinstance(one, Time) and isinstance(joint, Op) and joint.name == "or" and isinstance(other, Time)):
        return 0
    group = nodes[at]
    only = isinstance(group, Group) and any(isinstance(node, Op) for node in group.nodes)
    return said[-3] + 1 if only or _minutes_between(one, other) <= _EITHER_APART_MINUTES else 0


def _minutes_between(one: Node, other: Node) -> int:
    first, second = (int(hour[:2]) * 60 + int(hour[3:]) for hour in (hour_of(one), hour_of(other)))
    return abs(first - second)


def _first_of_seasons(nodes: Sequence[Node], at: int) -> int:
    """The position after the first season of `17.00 - zimą, 18.00 - latem (...)`, 0 of anything else."""
    second = _hour_and_season(nodes, at)
    before = second - 1
    if second <= 0 or not isinstance(nodes[before], Sep) or nodes[before].name not in ("comma", "semicolon", "and"):  # type: ignore[union-attr]
        return 0
    if _hour_and_season(nodes, before) < 0:
        return 0
    months = [_months_of(nodes[i - 1]) for i in (before, at)]
    return before if not months[0] & months[1] else 0


def _hour_and_season(nodes: Sequence[Node], end: int) -> int:
    """Where the hour of `17.00 - zimą` or `17.00 (zimą)` stands that ends before a position; -1 of anything else."""
    if end < 2 or not _months_of(nodes[end - 1]):
        return -1
    at = next((i for i in range(end - 2, -1, -1) if not _is_passed_over(nodes[i])), -1)
    return at if at >= 0 and isinstance(nodes[at], Time) else -1


def _is_passed_over(node: Node) -> bool:
    """A dash or a small word."""
    return (isinstance(node, Sep) and node.name == "dash") or (isinstance(node, Word) and node.marker != "")


def _months_of(node: Node) -> frozenset[int]:
    """The months of a season, in brackets or not."""
    if isinstance(node, Group):
        conds = [inner for inner in node.nodes if not (isinstance(inner, Word) and inner.marker)]
        return _months_of(conds[0]) if len(conds) == 1 else frozenset()
    named = isinstance(node, Cond) and not node.excluded and isinstance(node.value, Season)
    return (node.value.months or frozenset()) if named else frozenset()  # type: ignore[union-attr]


def movable_seasons_apart(nodes: Sequence[Node]) -> Sequence[Node]:
    """`w Wielkim Poście i w październiku 15.00`: the hour once for the season without months, once for the months.

    So are hours before them: `16.00 (Wielki Post, maj)`, `14.30 - Wielki Post, październik`.
    """
    found: list[Node] = []
    at = 0
    while at < len(nodes):
        node = nodes[at]
        if isinstance(node, Group):
            found += _bracket_apart(node, found)
            at += 1
            continue
        end, seasons = _seasons_in_a_row(nodes, at)
        hours = _hours_ahead(nodes, end) if seasons else 0
        behind = len(found) - 1 if seasons and not hours else -1
        if hours:
            also = [one for one in nodes[end:hours] if isinstance(one, Op)]
            found += _each_with_hours(seasons, [*also, *nodes[_hours_begin(nodes, end) : hours]])
            at = hours
        elif behind >= 0 and _ends_clause(nodes, end) and (time := _hour_behind(found)) is not None:
            found += _hours_of_seasons(time, seasons, found)
            at = end
        else:
            found.append(node)
            at += 1
    return found


def _bracket_apart(group: Group, before: Sequence[Node]) -> list[Node]:
    """The bracket once for each of its seasons; as it is where it says anything else."""
    end, seasons = _seasons_in_a_row(group.nodes, 0)
    lead = group.nodes[:end]
    if not seasons or (end < len(group.nodes) and not _hours_ahead(group.nodes, end)):
        inner = movable_seasons_apart(group.nodes) if any(isinstance(one, Time) for one in group.nodes) else group.nodes
        return [replace(group, nodes=tuple(inner))]
    if end < len(group.nodes):
        return [replace(group, nodes=tuple(movable_seasons_apart(group.nodes)))]
    time = before[-1] if before else None
    if not isinstance(time, Time):
        return [group]
    first, *rest = (Group((season,), lead[0].start, lead[-1].end, group.text) for season in seasons)
    found: list[Node] = [first]
    for one in rest:
        found += [Sep("comma", group.end, group.end), time, one]
    return found


def _seasons_in_a_row(nodes: Sequence[Node], at: int) -> tuple[int, list[Cond]]:
    """The next position and the seasons named in one breath, with months and without; none where all are of one sort."""
    seasons: list[Cond] = []
    end = at
    for index in range(at, len(nodes)):
        node = nodes[index]
        if _is_named_season(node):
            seasons.append(node)  # type: ignore[arg-type]
            end = index + 1
        elif not ((isinstance(node, Sep) and node.name in JOINING and seasons) or (isinstance(node, Word) and node.marker)):
            break
    movable = [season for season in seasons if not _months_of(season)]
    return (end, seasons) if movable and len(movable) < len(seasons) else (at, [])


def _is_named_season(node: Node) -> bool:
    if not isinstance(node, Cond) or not isinstance(node.value, Season) or node.excluded or node.value.rest:
        return False
    return bool(node.value.months) or node.value.name not in ("", "custom")


def _hours_begin(nodes: Sequence[Node], at: int) -> int:
    """The position of the hour that follows at once, after a mark at most."""
    while at < len(nodes):
        node = nodes[at]
        small = (isinstance(node, Word) and node.marker != "") or (isinstance(node, Op) and node.name == "also")
        if not ((isinstance(node, Sep) and not node.strong and node.name != "and") or small):
            break
        at += 1
    return at


def _hours_ahead(nodes: Sequence[Node], at: int) -> int:
    """The position after the hours that follow at once; 0 when none does."""
    end = 0
    for index in range(_hours_begin(nodes, at), len(nodes)):
        node = nodes[index]
        if isinstance(node, Time):
            end = index + 1
        elif not (end and isinstance(node, Sep) and node.name in JOINING) and not (isinstance(node, Word) and node.marker):
            break
    return end


def _each_with_hours(seasons: Sequence[Cond], hours: Sequence[Node]) -> list[Node]:
    found: list[Node] = []
    for season in seasons:
        found += [season, Sep("colon", season.end, season.end), *hours, Sep("semicolon", season.end, season.end)]
    return found[:-1]


def _ends_clause(nodes: Sequence[Node], at: int) -> bool:
    following = nodes[at] if at < len(nodes) else None
    return following is None or (isinstance(following, Sep) and following.strong)


def _hour_behind(nodes: Sequence[Node]) -> Time | None:
    """The hour before what comes next, with a dash or small words between at most."""
    for node in reversed(nodes):
        if isinstance(node, Time):
            return node
        if not _is_passed_over(node):
            return None
    return None


def _hours_of_seasons(time: Time, seasons: Sequence[Cond], before: list[Node]) -> list[Node]:
    while before[-1] is not time:
        before.pop()
    groups = [Group((season,), season.start, season.end, "") for season in seasons]
    found: list[Node] = [groups[0]]
    for group in groups[1:]:
        found += [Sep("comma", group.start, group.start), time, group]
    return found


def alternatives_in_brackets(nodes: Sequence[Node]) -> Sequence[Node]:
    """`7.30 - (lub 18.00) latem, (lub 17.00) zimą; 17.00 - (lub 7.30) zimą`: it is said when there is no other hour that day.

    A season of its own limits the hour, two of them are the whole year.
    """
    if not any(_is_alternative(node) for node in nodes):
        return nodes
    found: list[Node] = []
    for clause in clauses(nodes):
        groups = sum(_is_alternative(node) for node in clause)
        first = next((at for at, node in enumerate(clause) if _is_alternative(node)), 0)
        if not groups or not any(isinstance(node, Time) for node in clause[:first]) or _hours_ahead(clause, first + 1):
            found += clause
            continue
        seasons = [node for node in clause[first:] if isinstance(node, InSeason)]
        end = [clause[-1]] if isinstance(clause[-1], Sep) and clause[-1].strong else []
        at = clause[first].start
        lead = [node for node in clause[:first] if not (isinstance(node, Sep) and node.name == "dash")]
        found += [*lead, *(seasons if len(seasons) == 1 else ()), Op("sometimes", at, at), *end]
    return found


def _is_alternative(node: Node) -> bool:
    first = node.nodes[0] if isinstance(node, Group) and node.nodes else None
    return isinstance(first, Op) and first.name == "or"


def hours_of_a_split_bracket(nodes: Sequence[Node]) -> Sequence[Node]:
    """`7.00 (w środę, piątek oraz w Adwencie)` is `7.00 (w środę, piątek), 7.00 (w Adwencie)`."""
    found: list[Node] = []
    for before, node in pairwise([None, *nodes]):
        parts = _split_bracket(node) if isinstance(node, Group) and isinstance(before, Time) else None
        if node is not None:
            found += [node] if parts is None else [parts[0], Sep("comma", node.end, node.end), before, parts[1]]  # type: ignore[list-item]
    return found


def _split_bracket(group: Group) -> tuple[Group, Group] | None:
    said = [node for node in group.nodes if isinstance(node, (Cond, Op, Time, Group))]
    conds = [node for node in said if isinstance(node, Cond)]
    if (
        len(said) != 2
        or len(conds) != 2
        or not isinstance(conds[0], OnDays)
        or _months_of(conds[1])
        or not _is_named_season(conds[1])
    ):
        return None
    if conds[0].excluded or not any(isinstance(node, Sep) and node.name == "and" for node in group.nodes):
        return None
    return replace(group, nodes=(conds[0],)), replace(group, nodes=(conds[1],))


def churches_and_their_brackets(nodes: Sequence[Node]) -> Sequence[Node]:
    """`7.00, 18.00, w kościele filialnym (sobota 16.00)`: after a comma the hours in the bracket are those of that church."""
    found: list[Node] = []
    for at, node in enumerate(nodes):
        before = [one for one in nodes[max(0, at - 3) : at] if not (isinstance(one, Word) and one.marker)]
        led = len(before) > 1 and isinstance(before[-2], Sep) and before[-2].name == "comma"
        church = before[-1] if led else None
        days = node.nodes[0] if isinstance(node, Group) and node.nodes else None
        own = isinstance(church, AtPlace) and isinstance(days, OnDays)
        ends = at + 1 == len(nodes) or isinstance(nodes[at + 1], Sep)
        found += (
            node.nodes
            if own and ends and isinstance(node, Group) and any(isinstance(one, Time) for one in node.nodes)
            else [node]
        )
    return found


def hour_meant_by_a_pronoun(nodes: Sequence[Node]) -> Sequence[Node]:
    """`16.00 (w wakacje zamiast niej 20.00)` is `16.00 (w wakacje 20.00)`; after a comma the hour is said once more."""
    found: list[Node] = []
    last: Time | None = None
    for node in nodes:
        if isinstance(node, Time):
            last = node
        if isinstance(node, Group) and last is not None:
            found.append(replace(node, nodes=tuple(one for one in node.nodes if not _means_last(one))))
        elif _means_last(node) and last is not None:
            found += [Op("instead", node.start, node.end), replace(last, start=node.end, end=node.end)]
        else:
            found.append(node)
    return found


def _means_last(node: Node) -> bool:
    return isinstance(node, Op) and node.name == "insteadofit"


def hours_that_change_in_pairs(nodes: Sequence[Node]) -> Sequence[Node]:
    """`zamiast 10.00 i 18.00 – 11.00 i 20.00` is `zamiast 10.00 11.00, zamiast 18.00 20.00`."""
    found: list[Node] = []
    at = 0
    while at < len(nodes):
        swap, old_end = nodes[at], _hours_ahead(nodes, at + 1)
        dash = nodes[old_end] if 0 < old_end < len(nodes) else None
        if not (isinstance(swap, Op) and swap.name == "instead" and isinstance(dash, Sep) and dash.name in ("dash", "colon")):
            found.append(swap)
            at += 1
            continue
        end = _hours_ahead(nodes, old_end + 1)
        old, new = ([node for node in part if isinstance(node, Time)] for part in (nodes[at:old_end], nodes[old_end:end]))
        if len(old) < 2 or len(old) != len(new):
            found.append(swap)
            at += 1
            continue
        for one, other in zip(old, new, strict=True):
            found += [swap, one, other, Sep("comma", other.end, other.end)]
        found.pop()
        at = end
    return found


def weeks_of_one_hour(nodes: Sequence[Node]) -> Sequence[Node]:
    """`16.30 (w I piątek miesiąca z udziałem dzieci), 18.00`: beside the other evening Mass the bracket limits the hour.

    Of the only Mass of its half of the day it tells who takes part in it then.
    """
    hours = [(node, nodes[at + 1 : at + 2]) for at, node in enumerate(nodes) if isinstance(node, Time)]
    found: list[Node] = []
    for before, node in pairwise([None, *nodes]):
        weeks = _weeks_with_people(node) if isinstance(node, Group) and isinstance(before, Time) else None
        if weeks is None or not isinstance(before, Time) or not isinstance(node, Group):
            found += [node] if node is not None else []
            continue
        late = before.clock.time >= AFTERNOON
        plain = [one for one, behind in hours if not any(isinstance(other, Group) for other in behind)]
        beside = any((one.clock.time >= AFTERNOON) == late for one in plain)
        found.append(replace(node, nodes=(weeks,)) if beside else node)
    return found


def _weeks_with_people(group: Group) -> Cond | None:
    """The weekday of the month in a bracket that goes on with who takes part, None of another bracket."""
    said = [node for node in group.nodes if not (isinstance(node, Word) and node.marker)]
    weeks, people = said if len(said) == 2 else (None, None)
    if not (isinstance(weeks, Cond) and isinstance(people, Cond) and isinstance(weeks.value, Nth)):
        return None
    takes_part = isinstance(people, Remark) and str(people.value).startswith("z udział")
    return weeks if takes_part and "Su" not in weeks.value.days and not weeks.excluded else None
