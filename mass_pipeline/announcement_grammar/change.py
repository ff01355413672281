"""One change of the order of Masses, as an announcement makes it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Final, Literal

from mass_pipeline.announcement_grammar.phrases import Change, Part

# What speaks against publishing a change unseen (certainty).
Doubt = Literal[
    "words",
    "day",
    "days_left",
    "no_end",
    "hours_left",
    "service",
    "negation",
    "shift",
    "elsewhere",
    "reference",
    "kind",
    "whole_day",
    "contradiction",
    "intention",
]

_MIDNIGHT: Final = "00:00"
# Month and day: "o północy Msza na rozpoczęcie Nowego Roku", "w Boże Narodzenie o 24.00, 9.00 i 11.00".
_BEGIN_AT_MIDNIGHT: Final = ((1, 1), (12, 25))


@dataclass(frozen=True, slots=True)
class ScheduleChange:
    """One change.

    Attributes:
        kind: `cancelled`; `moved` (times -> new_times); `added`; `order` (times are all Masses of the day, or the part that
            remains); `as_sunday`, `as_weekday`; `new_order` (a lasting change that a person should confirm); `no_roraty` (days
            without the roraty that the same page tells, no change by itself).
        valid_from, valid_to: days, inclusive; `valid_to` is None for a lasting change.
        times: hours concerned, `HH:MM`; () when none are named.
        new_times: hours after a move.
        part: part of the day where no hour is named.
        quote: the words, masked: the sentence, or the lines of a programme.
        doubts: what speaks against publishing it unseen.
        words: folded, those of the sentence that say it, with the weekdays and the place they speak of.
    """

    kind: Change
    valid_from: date
    valid_to: date | None
    times: tuple[str, ...] = ()
    new_times: tuple[str, ...] = ()
    part: Part = ""
    quote: str = ""
    doubts: tuple[Doubt, ...] = ()
    words: str = field(default="", compare=False)


def as_whole_order(found: Sequence[ScheduleChange], days: Collection[tuple[date, date]]) -> list[ScheduleChange]:
    """The changes with what is added on each of these days (first, last) made one `order`, in the order of the words.

    A list given before ("Jedna Msza o 8.00, druga o 10.00") is part of it. A day that has another change stays as it is: which
    Masses are all of it is not stated.
    """
    kept = list(found)
    for first, last in days:
        of_day = [change for change in found if (change.valid_from, change.valid_to) == (first, last)]
        if of_day and all(change.kind in ("added", "order") and change.times for change in of_day):
            times = tuple(sorted({time for change in of_day for time in change.times}))
            at = kept.index(of_day[0])
            kept = [change for change in kept if change not in of_day]
            kept.insert(at, replace(of_day[0], kind="order", times=times))
    return kept


def without_list_that_hours_replace(found: Sequence[ScheduleChange]) -> list[ScheduleChange]:
    """The changes of a sentence without "jak w niedzielę" of a day whose hours it names: "ale tylko o 8.00 i 10.00"."""
    named = {(one.valid_from, one.valid_to) for one in found if one.kind == "order" and one.times}
    return [one for one in found if one.kind != "as_sunday" or (one.valid_from, one.valid_to) not in named]


def without_days_of(found: Sequence[ScheduleChange], quote: str, gone: Collection[tuple[date, date]]) -> list[ScheduleChange]:
    """The changes, those with these words without the days (first, last) that the next sentence excepts."""
    kept = list(found)
    for first, last in gone:
        cut = [without_days(one, first, last) if one.quote == quote else [one] for one in kept]
        kept = [part for parts in cut for part in parts]
    return kept


def without_days(change: ScheduleChange, first: date, last: date) -> list[ScheduleChange]:
    """What is left of a dated change without the days from first to last, in order; a lasting one stays."""
    if change.valid_to is None or last < change.valid_from or first > change.valid_to:
        return [change]
    before, after = replace(change, valid_to=first - timedelta(1)), replace(change, valid_from=last + timedelta(1))
    return [one for one in (before, after) if one.valid_to is not None and one.valid_from <= one.valid_to]


def on_its_day(change: ScheduleChange) -> Iterator[ScheduleChange]:
    """The change with midnight, with which the day named ends ("Pasterka o 24.00"), on the day that it begins."""
    begins_there = (change.valid_from.month, change.valid_from.day) in _BEGIN_AT_MIDNIGHT
    moves = change.kind in ("added", "order", "cancelled") and not begins_there
    if _MIDNIGHT not in change.times or not moves or change.valid_to is None:
        yield change
        return
    rest = tuple(time for time in change.times if time != _MIDNIGHT)
    if rest:
        yield replace(change, times=rest)
    kind: Change = "cancelled" if change.kind == "cancelled" else "added"
    first, last = change.valid_from + timedelta(1), change.valid_to + timedelta(1)
    yield replace(change, kind=kind, times=(_MIDNIGHT,), valid_from=first, valid_to=last)
