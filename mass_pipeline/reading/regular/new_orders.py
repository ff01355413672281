"""News of a new order on one page takes the place of what an older order on another says of the same days.

`Od niedzieli 1 września 2024 r. Msze św. w niedziele o 7.30, 9.30 i 11.00` against a list headed `od 1 lipca 2021`, or against
a list whose hours the news calls the former ones. What is no longer so is left out, whether the news is believed or not.
Not here: news of days to come, which are set aside before (`site_reading.ownership`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import islice
from typing import Final

from mass_pipeline.model.records import Mass, ReadMass
from mass_pipeline.reading.grammar.time_groups import Adds, ItsDays, Removes
from mass_pipeline.reading.phrases.nodes import AtPlace, Cond, Days, InList, OnDays
from mass_pipeline.reading.regular.readings import Reading
from mass_pipeline.reading.regular.schedule_blocks import ACCEPT_SCORE, NEIGHBOUR_SCORE, ScheduleBlock
from mass_pipeline.reading.words.parts_of_day import NOON

_MOST_NEWS: Final = 10  # of a site
_LIST: Final = 2  # hours of a day that are a list of their own; a single one may stand beside others

Pages = Sequence[Sequence[ScheduleBlock]]


def in_force(pages: Pages) -> list[list[ScheduleBlock]]:
    """The notices of the pages of a site, older orders without what newer ones of other pages replace.

    Args:
        pages: in any order; notices that are not believed only take away.
    """
    dated = [(at, notice) for at, notices in enumerate(pages) for notice in notices if notice.since is not None]
    news = [(at, notice) for at, notice in dated if notice.score >= NEIGHBOUR_SCORE]
    latest = sorted(islice(news, _MOST_NEWS), key=lambda one: one[1].since or date.min)
    kept = [list(notices) for notices in pages]
    for page, newer in latest:
        for at, notices in enumerate(kept):
            if at != page:
                kept[at] = [_after(old, newer) if _takes_the_place(newer, old) else old for old in notices]
    return kept


def _takes_the_place(newer: ScheduleBlock, old: ScheduleBlock) -> bool:
    """Whether an order is older than another one: by its date, or by its hours, which the other one calls former."""
    if newer.since is None or not old.masses or not newer.masses:
        return False
    if old.since is not None:
        return old.since < newer.since
    days = {day for read in newer.masses for day in read.mass.days}
    hours = {read.mass.time for read in old.masses if days.intersection(read.mass.days)}
    return bool(_former_hours(newer) & hours)


def named_by_former_hours(pages: Pages) -> set[tuple[int, int]]:
    """Page and first line of news that name two hours or more of an older order of the site: so it is that parish's own."""
    dated = [(at, notice) for at, notices in enumerate(pages) for notice in notices if notice.since is not None]
    found: set[tuple[int, int]] = set()
    for page, newer in islice((one for one in dated if one[1].score >= ACCEPT_SCORE), _MOST_NEWS):
        former = _former_hours(newer)
        for old in (old for at, notices in enumerate(pages) if at != page and len(former) >= _LIST for old in notices):
            hours = {read.mass.time for read in old.masses}
            if _takes_the_place(newer, old) and old.score >= ACCEPT_SCORE and len(former & hours) >= _LIST:
                found.add((page, newer.first))
    return found


def _former_hours(notice: ScheduleBlock) -> set[str]:
    return {item.clock.time for run in notice.reading.runs for item in run.items if item.kind == "former"}


def _after(old: ScheduleBlock, newer: ScheduleBlock) -> ScheduleBlock:
    """What is left of an older order, with the hours of the newer one where they are believed."""
    listed = [read for read in newer.masses if read.mass.nth is None and read.mass.season == "all"]
    hours: dict[str, set[str]] = {}
    for read in listed:
        for day in read.mass.days:
            hours.setdefault(day, set()).add(read.mass.time)
    adds = any(isinstance(run.effect, Adds) for run in newer.reading.runs)
    replaced = {day for day, times in hours.items() if len(times) >= _LIST and not adds}
    former = _former_hours(newer)
    places = {read.mass.place for read in newer.masses}

    def is_over(mass: Mass, day: str) -> bool:
        if mass.place in places and mass.nth is None and (day in replaced or (day in hours and mass.time in former)):
            return True
        return any(_takes_away(day, mass.time, gone) for gone in _days_without(newer))

    left = [kept for read in old.masses if (kept := _without_days(read, [d for d in read.mass.days if is_over(read.mass, d)]))]
    believed = newer.score >= ACCEPT_SCORE
    fresh = [read for read in newer.masses if believed and (former or not replaced.isdisjoint(read.mass.days))]
    masses = tuple(sorted((*left, *fresh), key=lambda read: read.mass.sort_key()))
    return replace(old, masses=masses, reading=Reading(masses, old.reading.verdicts, old.reading.runs))


def _days_without(newer: ScheduleBlock) -> list[tuple[frozenset[str], str]]:
    """`W poniedziałki i środy rezygnujemy z Mszy porannej`: days and the half of the day, "" for all of it."""
    found: list[tuple[frozenset[str], str]] = []
    for run in newer.reading.runs:
        cond: Cond | None = run.scope.get(OnDays)
        what = run.effect.what if isinstance(run.effect, Removes) and run.scope.keys() <= {OnDays, InList, AtPlace} else None
        if isinstance(what, ItsDays) and cond is not None and isinstance(cond.value, Days) and not cond.excluded:
            found.append((cond.value.days, what.half))
    return found


def _takes_away(day: str, time: str, gone: tuple[frozenset[str], str]) -> bool:
    days, half = gone
    return day in days and (not half or (time < NOON) == (half == "morning"))


def _without_days(read: ReadMass, over: Sequence[str]) -> ReadMass | None:
    days = tuple(day for day in read.mass.days if day not in over)
    return replace(read, mass=replace(read.mass, days=days)) if days else None
