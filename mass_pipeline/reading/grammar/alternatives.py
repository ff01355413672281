"""Conditions named in one breath of which any may hold: `wtorek i I piątek`, `w maju i w Wielkim Poście`, `latem, zimą`.

Belongs here: what such conditions come to. Not here: which hour they belong to (`sides`).
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace

from mass_pipeline.model.dates_of_year import YEAR
from mass_pipeline.reading.grammar.time_groups import TimeEntry, TimeGroup
from mass_pipeline.reading.phrases.nodes import (
    NTH,
    Cond,
    Days,
    Group,
    InList,
    InSeason,
    Node,
    Nth,
    OnNth,
    Op,
    Season,
    Sep,
    Time,
    When,
    ends_clause,
    has,
    select,
)


def either(one: Cond, other: Cond) -> Cond | None:
    """Two conditions named in one breath as the one that holds where any of them does; None where they do not go together.

    Days and weeks of the month of other days are both; of two seasons, one within the other, the inner is meant.

    >>> from mass_pipeline.reading.phrases.nodes import OnDays
    >>> tuesdays, fridays = OnDays(Days(frozenset({"Tu"})), 0, 6), OnNth(Nth((1,), frozenset({"Fr"})), 8, 16)
    >>> either(tuesdays, fridays).value.more == (Nth((1, 2, 3, 4, 5), frozenset({"Tu"})),)
    True
    """
    if one.excluded or other.excluded:
        return None
    match one.value, other.value:
        case (Days(rest=False) as days, Nth(rest=False) as weeks) | (Nth(rest=False) as weeks, Days(rest=False) as days):
            again = days.days & weeks.days.union(*(part.days for part in weeks.more))
            of_list = isinstance(one, InList) or isinstance(other, InList)
            joined = replace(weeks, more=(*weeks.more, Nth(NTH, days.days)))
            return None if again or of_list else OnNth(joined, one.start, other.end)
        case Days(rest=False) as days, Days(rest=False) as others if type(one) is type(other):
            return replace(one, value=replace(days, days=days.days | others.days), end=other.end)
        case Season(rest=False) as season, Season(rest=False) as further if season.dates and further.dates:
            inner = season.dates & further.dates
            nested = inner in (season.dates, further.dates)
            united = inner if nested else season.dates | further.dates
            return replace(one, value=Season(united), end=other.end) if nested or not inner else None
    return one if one.value == other.value else None


def either_of(conds: Sequence[Cond]) -> Cond | None:
    """The condition that holds where any of some of one dimension does, at least one; None where they do not go together."""
    united: Cond | None = conds[0]
    for cond in conds[1:]:
        united = either(united, cond) if united is not None else None
    return united


def is_movable(cond: Cond) -> bool:
    """Whether a condition is a season of the Church that has no dates of its own."""
    named = isinstance(cond.value, Season) and cond.value.name not in ("", "custom")
    return named and cond.has_no_dates and not (cond.is_rest or cond.excluded)


def is_dated(cond: Cond) -> bool:
    """Whether a condition is a season that is the same every year, and nothing is left out."""
    return bool(cond.dates) and not cond.is_rest and not cond.excluded


def add_season(run: TimeGroup, item: TimeEntry, cond: Cond) -> bool:
    """Tie a further season to an hour that has one: it holds in both. False where it has none, or none of that kind."""
    known = next((one for one in item.restrictions if isinstance(one, InSeason) and not one.excluded), None)
    if known is None:
        return False
    if is_dated(known) and is_dated(cond):
        united = either(known, cond)
        if united is not None:
            at = item.restrictions.index(known)
            item.restrictions[at : at + 1] = [united] if united.value != Season(YEAR) else []
        return united is not None
    if is_movable(known) + is_movable(cond) == 1 and is_dated(known) + is_dated(cond) == 1:
        said_again(run, item, [*(one for one in item.restrictions if one is not known), cond])
        return True
    return False


def said_again(run: TimeGroup, item: TimeEntry, restrictions: list[Cond]) -> None:
    """The hour once more in its run, under other conditions."""
    again = copied(item)
    again.restrictions = restrictions
    run.items.append(again)


def copied(item: TimeEntry) -> TimeEntry:
    """An hour with conditions and remarks of its own."""
    again = copy(item)
    again.restrictions, again.notes = list(item.restrictions), list(item.notes)
    return again


def in_season(run: TimeGroup, season: Cond) -> TimeGroup:
    """The hours of a run under another season."""
    again = copy(run)
    again.scope = {**run.scope, InSeason: season}
    again.items = [copied(item) for item in run.items]
    return again


def lists_by_season(nodes: Sequence[Node]) -> Sequence[Node]:
    """The nodes of a line, each of two lists that its half of the year closes as a clause headed by that.

    `7.00, 11.00, 18.00 (IV-X), 7.30, 11.00, 17.00 (XI-III)`; `18.00, w środę 8.00 (latem), 17.00, w środę 8.00 (zimą)`.
    """
    closing = [at for at, node in enumerate(nodes) if type(node) is Group and season_alone(node) is not None]
    if len(closing) != 2:
        return nodes
    first, second = closing
    seasons = [season for at in closing if (season := season_alone(nodes[at])) is not None]
    strong = [at for at, node in enumerate(nodes[:first]) if ends_clause(node)]
    opening = next((at for at in range(max(strong, default=0), first) if isinstance(nodes[at], Time)), first)
    lists = nodes[opening:first], nodes[first + 1 : second]
    if not are_halves(*seasons) or not _are_parallel(*lists):
        return nodes
    colons = [Sep("colon", season.start, season.start) for season in seasons]
    at = nodes[first].start
    begin = next(index for index, node in enumerate(lists[1]) if not isinstance(node, Sep))
    return [
        *nodes[:opening],
        *(seasons[0], colons[0], *lists[0]),
        Sep("semicolon", at, at),
        *(seasons[1], colons[1], *lists[1][begin:]),
        *nodes[second + 1 :],
    ]


def _are_parallel(one: Sequence[Node], other: Sequence[Node]) -> bool:
    """Whether two lists are made alike: several hours with the same days between them, or in order and again from the morning."""
    said = [select(part, (Time, When, Group)) for part in (one, other)]
    alike = [[node.value if isinstance(node, Cond) else type(node) for node in part] for part in said]
    times = [[node.clock.time for node in select(part, Time)] for part in said]
    if alike[0] != alike[1] or len(times[0]) < 2 or has(said[0], Group):
        return False
    if len(times[0]) < len(said[0]):
        return True
    return all(part == sorted(part) for part in times) and len(times[0]) > 2 and times[1][0] <= times[0][1]


def are_halves(one: Node, other: Node) -> bool:
    """Whether two conditions are seasons that make up the year."""
    if not (isinstance(one, Cond) and isinstance(other, Cond)) or one.excluded or other.excluded:
        return False
    return bool(one.dates and other.dates) and not one.dates & other.dates and one.dates | other.dates == YEAR


def season_alone(node: Node | None) -> Cond | None:
    """The season of a bracket that says nothing else; None of any other node."""
    if not isinstance(node, Group) or has(node.nodes, (Time, Op, Sep)):
        return None
    conds = select(node.nodes, Cond)
    return conds[0] if len(conds) == 1 and is_dated(conds[0]) else None
