"""Which hours of a list count, and for which part of the year: before anything replaces anything.

Bare hours, lost superscripts and slips need siblings; of hours joined by "lub" one may be meant;
`17.00, 18.00 (latem)` is one evening Mass. Not here: brackets that hold an hour (`overrides`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from mass_pipeline.model.dates_of_year import NO_DATES, YEAR, DatesOfYear, dates_of_months, joined, months_in
from mass_pipeline.reading.doubts import EITHER, EVENING_PAIR, Doubts, Question
from mass_pipeline.reading.grammar.time_groups import (
    ElsewhereOn,
    ForIntention,
    ItsHours,
    Joined,
    OnlyOn,
    OrElse,
    Removes,
    TimeEntry,
    TimeGroup,
    Unread,
)
from mass_pipeline.reading.phrases.nodes import DAYS_OF_LIST, WORKING_WEEK, Cond, Dated, InList, InSeason, OnDays, OnNth, Season
from mass_pipeline.reading.words.clock import ClockKind, ClockToken
from mass_pipeline.reading.words.parts_of_day import EVENING, may_be_one_mass, may_be_seasonal_pair

DARK_MONTHS: Final = dates_of_months((1, 2, 11, 12))
LIGHT_MONTHS: Final = dates_of_months((7, 8))
_NEEDS_SIBLINGS: Final = frozenset({ClockKind.BARE, ClockKind.COMPACT, ClockKind.SPACED, ClockKind.SLIP})
_EARLIEST, _LATEST = "05:00", "23:59"
_LEAST_DAYS: Final = 3  # of a list: "od poniedziałku do piątku"
_MOST_PARTS: Final = 60  # of hours in seasons of one block, each of which is compared with each
_MOST_OF_THE_YEAR: Final = 8  # months: "15.45 (IX-VI), 17.45" leaves the vacation no hour of its own


def with_hours(runs: Sequence[TimeGroup], judged: Callable[[TimeEntry, TimeGroup], TimeEntry | None]) -> Sequence[TimeGroup]:
    """New groups with each hour as it is judged; whatever refers to an hour or a group refers to the new one.

    Args:
        runs: of one text, in order; they stay as they are.
        judged: gives the hour of a group itself, another in its place, or None where it is no hour.
    """
    found = {id(item): judged(item, run) for run in runs for item in run.items}
    if all(found[id(item)] is item for run in runs for item in run.items):
        return runs
    items = {at: replace(item) for at, item in found.items() if item is not None}
    groups = {id(run): replace(run, items=[items[id(item)] for item in run.items if id(item) in items]) for run in runs}
    for item in items.values():
        pairs = [OrElse(items.get(id(one.other), one.other)) if isinstance(one, OrElse) else one for one in item.qualifiers]
        item.qualifiers = tuple(pairs)
    for run in groups.values():
        bracket, effect = run.bracket, run.effect
        if bracket is not None:
            hour, group = items.get(id(bracket.hour), bracket.hour), groups.get(id(bracket.group), bracket.group)
            run.bracket = replace(bracket, hour=hour, group=group)
        if isinstance(effect, (Removes, Unread)) and isinstance(effect.what, ItsHours) and effect.what.of is not None:
            run.effect = replace(effect, what=ItsHours(items.get(id(effect.what.of), effect.what.of)))
    return list(groups.values())


def standing_hours(runs: Sequence[TimeGroup], doubts: Doubts) -> Sequence[TimeGroup]:
    """The groups with the hours that count: whether an hour is a Mass of the order (`TimeEntry.is_live`) is settled here.

    Args:
        runs: of one text, in order; they stay as they are.
        doubts: answers to what the text leaves open.
    """
    return _with_paired_evenings(_plausible_hours(runs), doubts)


def _plausible_hours(runs: Sequence[TimeGroup]) -> Sequence[TimeGroup]:
    """The groups without numbers that are no hours; an intention beside one hour of a list takes it from no other week."""
    forms = [item.clock.kind for run in runs for item in run.items]
    # Who writes "8, 9.30" leaves full hours without minutes; who writes "8.00" does not, and his "czynny do 17" is no list.
    all_bare = any(map(_is_list_of_hours, runs)) and not any(_has_zero_minutes(item.clock) for run in runs for item in run.items)
    runs = with_hours(runs, lambda item, run: item if _is_hour(item, run, forms, all_bare=all_bare) else None)
    lists = {id(run) for run in runs if _is_list(run) and any(item.is_live for item in run.items)}

    def judged(item: TimeEntry, run: TimeGroup) -> TimeEntry:
        """`9.00, 11.00 (w intencji parafian)`: one of every week like the others."""
        if id(run) not in lists or not item.has(ForIntention):
            return item
        return replace(item, qualifiers=tuple(one for one in item.qualifiers if not isinstance(one, ForIntention)))

    return with_hours(runs, judged)


def _is_list(run: TimeGroup) -> bool:
    days = run.label() or run.days()
    return days is not None and (days.label or len(days.days) >= _LEAST_DAYS)


def _is_hour(item: TimeEntry, run: TimeGroup, forms: Sequence[ClockKind], *, all_bare: bool) -> bool:
    clock = item.clock
    if not _EARLIEST <= clock.time <= _LATEST and clock.kind is not ClockKind.RANGE:
        return False
    if clock.kind not in _NEEDS_SIBLINGS or any(other.clock.kind is ClockKind.TIME for other in run.items):
        return True
    if run.bracket is not None and run.scope != run.bracket.group.scope:
        return True  # "18 (latem 19)": the list around it is one of hours
    if clock.kind is ClockKind.BARE:
        return _is_list_of_hours(run) or (all_bare and (run.label() or run.days() or run.nth()) is not None)
    return forms.count(clock.kind) > 1 and (run.label() is not None or run.days() is not None)


def _has_zero_minutes(clock: ClockToken) -> bool:
    return clock.kind is ClockKind.TIME and clock.time.endswith(":00") and not clock.raw.isdigit()


def _is_list_of_hours(run: TimeGroup) -> bool:
    """`niedziela: 8, 10, 12`: at least two, ascending, on one line, under named days."""
    bare = [item for item in run.items if item.clock.kind is ClockKind.BARE]
    times = [item.clock.time for item in bare]
    one_line = len({item.line for item in bare}) == 1
    return len(bare) > 1 and one_line and times == sorted(set(times)) and (run.label() is not None or run.days() is not None)


def chosen_times(run: TimeGroup, doubts: Doubts) -> list[TimeEntry]:
    """The hours that count: of `17.00 lub 18.00` both, unless the readings with one of them are asked for."""
    items = [item for item in run.items if item.is_live]
    for item in items[1:]:
        other = next((said.other for said in item.said(OrElse)), None)
        if other is None or item.restrictions != other.restrictions:
            continue
        answer = doubts.answer(Question("either", f"{other.clock.time}, {item.clock.time}"), EITHER)
        if answer != "both":
            items = [one for one in items if one is not (item if answer == "first" else other)]
    return items


def _with_paired_evenings(runs: Sequence[TimeGroup], doubts: Doubts) -> Sequence[TimeGroup]:
    """`17.00, 18.00 (latem)` on weekdays: the hour that names no season has the rest of the year, if both are of one Mass."""
    rest_of_year: dict[int, Cond] = {}
    for run in runs:
        label = run.label()
        if label is None or not label.days <= WORKING_WEEK or not run.stands_beside or run.bracket is not None:
            continue
        if run.scope.keys() & {InSeason, OnNth, Dated}:
            continue
        evening = [item for item in run.items if item.is_live and item.clock.time >= EVENING and not _is_of_a_day(item)]
        pair = _pair(evening) if len(evening) == 2 else None
        if pair is None:
            continue
        plain, seasonal, cond, dates = pair
        question = Question("season", f"{plain.clock.time}, {seasonal.clock.time}")
        if doubts.answer(question, EVENING_PAIR) == "other half of the year":
            rest_of_year[id(plain)] = InSeason(Season(YEAR & ~dates), cond.start, cond.end)

    def judged(item: TimeEntry, _: TimeGroup) -> TimeEntry:
        cond = rest_of_year.get(id(item))
        return item if cond is None else replace(item, restrictions=[*item.restrictions, cond])

    return with_hours(runs, judged)


def _is_of_a_day(item: TimeEntry) -> bool:
    """`16.00 (sobota – Lipie)`, `19.00 (I piątek)`: an evening beside the pair."""
    split = any(isinstance(days, DAYS_OF_LIST) for days in (said.days for said in item.said(ElsewhereOn)))
    return split or any(isinstance(cond, DAYS_OF_LIST) and not cond.excluded for cond in item.restrictions)


def _pair(evening: Sequence[TimeEntry]) -> tuple[TimeEntry, TimeEntry, Cond, DatesOfYear] | None:
    """The hour that names no season, the one that does, its season and when that is; None when they are two Masses."""
    if any(item.has(ElsewhereOn, OnlyOn) for item in evening) or evening[1].has(Joined, OrElse):
        return None
    plain, seasonal = sorted(evening, key=lambda item: len(item.restrictions))
    cond = seasonal.restrictions[0] if not plain.restrictions and len(seasonal.restrictions) == 1 else None
    if not isinstance(cond, InSeason) or cond.excluded or plain.place != seasonal.place:
        return None
    dates = cond.value.dates if isinstance(cond.value, Season) else None
    if not dates or len(months_in(dates)) > _MOST_OF_THE_YEAR:
        return None
    hours = plain.clock.time, seasonal.clock.time
    fits = not dates & (DARK_MONTHS if hours[1] > hours[0] else LIGHT_MONTHS)
    return (plain, seasonal, cond, dates) if fits and may_be_seasonal_pair(*hours) else None


def times_of_parts_of_the_year(runs: Sequence[TimeGroup]) -> frozenset[int]:
    """`7.00, latem 18.00, zimą 17.00`: one Mass with its hour in each part of the year, which takes the place of no other.

    Returns:
        Identities of the groups of one hour that, with others of their list and place near that hour, cover the year.
    """
    lone = [run for run in runs if len(run.items) == 1 and run.bracket is None and run.stands_beside and _dates_of(run)]
    # "18.00, we wtorek 7.00 (latem)" is Tuesday's own
    parts = [(run, _scope_without_season(run)) for run in lone if not {InList, OnDays} <= run.scope.keys()][:_MOST_PARTS]
    found: set[int] = set()
    for run, besides in parts:
        time = run.items[0].clock.time
        of_one = [
            _dates_of(other) for other, said in parts if said == besides and may_be_one_mass(time, other.items[0].clock.time)
        ]
        if len(of_one) > 1 and joined(of_one) == YEAR:
            found.add(id(run))
    return frozenset(found)


def _dates_of(run: TimeGroup) -> DatesOfYear:
    season = run.season()
    return NO_DATES if season is None or run.scope[InSeason].excluded else season.dates or NO_DATES


def _scope_without_season(run: TimeGroup) -> frozenset[object]:
    """What governs a group besides the season."""
    return frozenset((dim, cond.value, cond.excluded) for dim, cond in run.scope.items() if dim is not InSeason)
