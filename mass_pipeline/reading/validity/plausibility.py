"""Which hours of a list count: bare hours, lost superscripts and slips need siblings (field guide A); those joined by "lub"."""

from __future__ import annotations

from collections.abc import Sequence

from mass_pipeline.reading.doubts import EITHER, Doubts, Question
from mass_pipeline.reading.grammar.time_groups import TimeEntry, TimeGroup
from mass_pipeline.reading.words.clock import ClockKind, ClockToken

_NEEDS_SIBLINGS = frozenset({ClockKind.BARE, ClockKind.COMPACT, ClockKind.SPACED, ClockKind.SLIP})
_EARLIEST, _LATEST = "05:00", "23:59"


def drop_implausible(runs: Sequence[TimeGroup]) -> None:
    """Take the numbers out of the runs that are no hours."""
    forms = [item.clock.kind for run in runs for item in run.items]
    # Who writes "8, 9.30" leaves full hours without minutes; who writes "8.00" does not, and his "czynny do 17" is no list.
    all_bare = any(map(_is_list_of_hours, runs)) and not any(_has_zero_minutes(item.clock) for run in runs for item in run.items)
    for run in runs:
        run.items[:] = [item for item in run.items if _is_hour(item, run, forms, all_bare=all_bare)]


def _is_hour(item: TimeEntry, run: TimeGroup, forms: Sequence[ClockKind], *, all_bare: bool) -> bool:
    clock = item.clock
    if not _EARLIEST <= clock.time <= _LATEST and clock.kind is not ClockKind.RANGE:
        return False
    if clock.kind not in _NEEDS_SIBLINGS:
        return True
    if any(other.clock.kind is ClockKind.TIME for other in run.items):
        return True
    if run.siblings is not None and run.scope != run.siblings.scope:
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


def chosen_hours(run: TimeGroup, doubts: Doubts) -> list[TimeEntry]:
    """The hours that count: of `17.00 lub 18.00` both, unless the readings with one of them are asked for."""
    items = [item for item in run.items if item.is_live]
    for item in items[1:]:
        other = item.either
        if other is None or item.restrictions != other.restrictions or not any(one is other for one in items):
            continue
        answer = doubts.answer(Question("either", f"{other.clock.time}, {item.clock.time}"), EITHER)
        if answer != "both":
            items = [one for one in items if one is not (item if answer == "first" else other)]
    return items
