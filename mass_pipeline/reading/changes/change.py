"""One change of the order of Masses, as an announcement makes it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date, timedelta
from typing import Any, Final, Literal

from mass_pipeline.model.records import Day

Change = Literal["cancelled", "moved", "added", "order", "as_sunday", "as_weekday", "new_order", "no_roraty"]
Part = Literal["", "morning", "evening"]
# What speaks against publishing a change unseen (certainty).
Doubt = Literal[
    "words",
    "day",
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
class ChangeDetails:
    """What the words of a change say besides its kind, days and hours.

    Attributes:
        weekdays: of its period that are meant ("w dni powszednie", "od poniedziałku do piątku"); () for all.
        is_weekly: it speaks of days of the week within its period.
        is_general: it speaks of working days or of a weekday as of every week.
        is_here: of the parish church ("u nas", "w kościele parafialnym").
        places: what may be names of places, folded, each with its preposition.
        places_first: those before the first hour.
        mass_of: the part of the day of "Msza wieczorna", "" for none.
        is_of_several: "Mszy wieczornych", "żadnych".
        is_exceptional: "Msza św. wyjątkowo o 7.00".
        is_beside: what is added is said besides the usual Masses.
        lists_hours: the hours of the quote are introduced as those of Masses.
        is_of_roraty: the change is one of roraty.
        is_midnight_mass: the quote tells the midnight Mass of Christmas.
        hours: of the whole quote, `HH:MM`, sorted.
        hindered: hours of a reason: "odprawię o 16.00, bo o 17.00 mam pogrzeb".
        days_told: by a `date` of the quote, by the name of a `weekday` alone, or in words `before` it.
        lists: of a lasting change, days of the lists that are named, joined: "Su,PH", "Su", "Mo,Tu,We,Th,Fr,Sa", "Sa".
        list_part: of a lasting change, the part of the day that is named, "" for none.
        is_seasonal: it holds for a part of the year only.
    """

    weekdays: tuple[Day, ...] = ()
    is_weekly: bool = False
    is_general: bool = False
    is_here: bool = False
    places: tuple[str, ...] = ()
    places_first: tuple[str, ...] = ()
    mass_of: Part = ""
    is_of_several: bool = False
    is_exceptional: bool = False
    is_beside: bool = False
    lists_hours: bool = False
    is_of_roraty: bool = False
    is_midnight_mass: bool = False
    hours: tuple[str, ...] = ()
    hindered: tuple[str, ...] = ()
    days_told: str = "before"
    lists: tuple[str, ...] = ()
    list_part: Part = ""
    is_seasonal: bool = False


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
        details: what else its words say; nothing reads them again.
    """

    kind: Change
    valid_from: date
    valid_to: date | None
    times: tuple[str, ...] = ()
    new_times: tuple[str, ...] = ()
    part: Part = ""
    quote: str = ""
    doubts: tuple[Doubt, ...] = ()
    details: ChangeDetails = field(default=ChangeDetails(), compare=False)


def change_of(values: Mapping[str, Any]) -> ScheduleChange:
    """The change whose fields a row of a table or an object of JSON holds, its lists as lists and its days as days.

    Details that a table of an earlier version lacks are those that say nothing.
    """
    given: dict[str, Any] = {one.name: values[one.name] for one in fields(ScheduleChange) if one.name in values}
    details: dict[str, Any] = values.get("details") or {}
    return ScheduleChange(**(_tuples(given) | {"details": ChangeDetails(**_tuples(details))}))


def _tuples(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}


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
