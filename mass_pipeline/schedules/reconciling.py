"""What the standing order of a parish settles of announced changes whose words alone leave it open.

Belongs here: doubts that vanish, and readings that become clear, once the usual Masses of the days are known; changes that take
away Masses which another announcement of the same page tells as said, and so wait for a person. Not here: doubts by the words
alone, contradictions within one announcement (reading.changes.certainty); rows, which of two pages counts (exceptions).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from mass_pipeline.reading.changes import Doubt, ScheduleChange
from mass_pipeline.reading.changes.change import without_days
from mass_pipeline.reading.words.parts_of_day import AFTERNOON
from mass_pipeline.schedules.church_year import is_holy_day, weekday_of
from mass_pipeline.schedules.day import standing_rows
from mass_pipeline.schedules.exceptions import Announced, days_of, each_day, names_places, only_hour_near, place_of
from mass_pipeline.schedules.rows import ScheduleRow

_EVE: Final = (12, 24)
_FEW_DAYS: Final = timedelta(10)
_LATE: Final = "20:00"  # a Mass of Christmas Eve at this hour or later is the midnight one


def settled(announced: Iterable[Announced], standing: Sequence[ScheduleRow]) -> list[Announced]:
    """The changes, each as the standing order of the parish makes it clear.

    Args:
        announced: changes of one parish, in any order.
        standing: its standing order; with none nothing is settled.

    Returns:
        In the same order, of lists of intentions only the hours that are unusual; after them the evening Masses of
        Christmas Eve that a programme leaves out.
    """
    known = _without_days_off(list(announced))
    fallen = _fallen(known)
    every = [replace(one, change=_settled(one.change, standing, fallen.get(_page_and_days(one), set()))) for one in known]
    every = with_clashes([one for one in every if "intention" not in one.change.doubts], standing)
    return [*every, *_evenings_of_christmas_eve(every, standing)]


def _without_days_off(announced: Sequence[Announced]) -> list[Announced]:
    """The changes, roraty without the days on which the page tells that there are none, and nothing falls out for them then."""
    off = [one for one in announced if one.change.kind == "no_roraty"]
    found = [one for one in announced if one.change.kind != "no_roraty"]
    series = {_page_and_days(one) for one in found if one.change.kind == "added" and one.change.details.is_of_roraty}
    for day in off:
        found = [part for one in found for part in (_cut(one, day) if _page_and_days(one) in series else [one])]
        series |= {_page_and_days(one) for one in found if one.change.kind == "added" and one.change.details.is_of_roraty}
    return found


def _cut(one: Announced, off: Announced) -> list[Announced]:
    """What a page says of several days, without those on which it does not hold."""
    ends = off.change.valid_to
    if one.source_url != off.source_url or one.change.kind not in ("added", "cancelled") or ends is None:
        return [one]
    wanted = days_of(one.change)
    parts = [replace(one, change=part) for part in without_days(one.change, off.change.valid_from, ends)]
    return [part for part in parts if any(weekday_of(day) in wanted for day in each_day(part.change))]


def _page_and_days(one: Announced) -> tuple[str, date, date | None]:
    return one.source_url, one.change.valid_from, one.change.valid_to


def _fallen(announced: Iterable[Announced]) -> dict[tuple[str, date, date | None], set[str]]:
    """Hours that a page cancels on certain days."""
    fallen: dict[tuple[str, date, date | None], set[str]] = {}
    for one in announced:
        if one.change.kind == "cancelled":
            fallen.setdefault(_page_and_days(one), set()).update(one.change.times)
    return fallen


def _settled(change: ScheduleChange, standing: Sequence[ScheduleRow], fallen: set[str]) -> ScheduleChange:
    if change.valid_to is None or not each_day(change):
        return change
    left = tuple(doubt for doubt in change.doubts if not _is_clear(doubt, change, standing, fallen))
    if not standing and change.kind == "added" and change.valid_to != change.valid_from and max(change.times) >= AFTERNOON:
        left = (*left, "no_end")  # an evening of every week beside an order that nobody knows may be of that order
    change = replace(change, doubts=left)
    if change.kind == "cancelled" and change.part and not change.times and _has_several(change, standing):
        return replace(change, doubts=(*change.doubts, "whole_day"))
    if change.kind == "order" and len(change.times) == 1 and change.details.mass_of and _is_one_of_part(change, standing):
        return replace(change, doubts=(*change.doubts, "kind"))
    moved = _moved_of_part(change, standing) or _moved_for_once(change, standing)
    if moved:
        return moved
    if _is_new_hour_of_weekdays(change) and _has_one_mass(change, standing):
        return replace(change, kind="order", doubts=_without(change.doubts, "no_end"))
    return change


def _is_clear(doubt: Doubt, change: ScheduleChange, standing: Sequence[ScheduleRow], fallen: set[str]) -> bool:
    """Whether the usual Masses leave nothing of a doubt; those about kinds and hours only where there is no other."""
    if doubt == "whole_day":
        return _has_one_mass(change, standing)
    if doubt == "elsewhere":
        return names_places(change, standing)
    if len(change.doubts) > 1:
        return False
    if doubt == "intention":
        return _is_unusual(change, standing)
    if doubt == "hours_left":
        return change.kind in ("added", "cancelled") and _are_usual(_hours_left(change), change, standing)
    return doubt == "kind" and _is_one_kind(change, standing, fallen)


def _is_one_kind(change: ScheduleChange, standing: Sequence[ScheduleRow], fallen: set[str]) -> bool:
    """Whether a list and an addition come to the same, or a move has one old and one new hour."""
    if change.kind == "moved":
        single = len(change.new_times) == 1 and bool(only_hour_near(change, standing))
        return single or _moves_one(change, standing)
    if change.kind == "added" and not standing:  # of a parish whose usual Masses nobody knows the day is the same either way
        return change.details.lists_hours
    return change.kind in ("added", "order") and _is_whole_day(change, standing, fallen)


def _without(doubts: Sequence[Doubt], gone: Doubt) -> tuple[Doubt, ...]:
    return tuple(doubt for doubt in doubts if doubt != gone)


def _days(change: ScheduleChange) -> Iterator[date]:
    wanted = days_of(change)
    for day in each_day(change):
        if weekday_of(day) in wanted and (len(wanted) == 1 or "Su" in wanted or not is_holy_day(day)):
            yield day


def _usual(day: date, standing: Sequence[ScheduleRow]) -> set[str]:
    return {row.mass.time for row in standing_rows(standing, day)[1]}


def _of_part(hours: Iterable[str], part: str) -> set[str]:
    """The hours of a half of the day; all of them for ""."""
    return {hour for hour in hours if not part or (hour >= AFTERNOON) == (part == "evening")}


def _is_unusual(change: ScheduleChange, standing: Sequence[ScheduleRow]) -> bool:
    """Whether an hour of a list of intentions is none of the usual ones of its day, which are known."""
    return all(usual and not usual & set(change.times) for usual in (_usual(day, standing) for day in _days(change)))


def _is_whole_day(change: ScheduleChange, standing: Sequence[ScheduleRow], fallen: set[str]) -> bool:
    """Whether the hours hold all usual ones: said besides them or instead of them, the day has the same Masses."""
    return (
        bool(change.times)
        and all(_usual(day, standing) - fallen <= set(change.times) for day in _days(change))
        and bool(standing)
    )


def _hours_left(change: ScheduleChange) -> frozenset[str]:
    """Hours of the sentence that the change does not take."""
    return frozenset(change.details.hours) - set(change.times)


def _are_usual(hours: frozenset[str], change: ScheduleChange, standing: Sequence[ScheduleRow]) -> bool:
    """Whether hours are those of usual Masses of all the days: "w piątek o 8.00 nie ma Mszy, zapraszamy na 18.00"."""
    return all(hours <= _usual(day, standing) for day in _days(change))


def _has_several(change: ScheduleChange, standing: Sequence[ScheduleRow]) -> bool:
    """Whether "Mszy porannej nie będzie" leaves open which of several morning Masses falls out."""
    if change.details.is_of_several:
        return False
    return any(len(_of_part(_usual(day, standing), change.part)) > 1 for day in _days(change))


def _is_one_of_part(change: ScheduleChange, standing: Sequence[ScheduleRow]) -> bool:
    """Whether "tylko jedna poranna Msza o 7.00" may leave the Masses of the other half of the day as they are."""
    usual = [_usual(day, standing) for day in _days(change)]
    return any(1 < len(_of_part(hours, change.details.mass_of)) < len(hours) for hours in usual)


def _moves_one(change: ScheduleChange, standing: Sequence[ScheduleRow]) -> bool:
    """Whether of several hours after a move one only is new: "7.30, 9.00 i suma o 12.30 zamiast o 12.00"."""
    usual = [_usual(day, standing) for day in _days(change)]
    return len(change.times) == 1 and all(
        set(change.times) <= hours and len(set(change.new_times) - hours) == 1 for hours in usual
    )


def _moved_of_part(change: ScheduleChange, standing: Sequence[ScheduleRow]) -> ScheduleChange | None:
    """ "W środę Msza wieczorna o 17.00": where one Mass is said in the evening this is its hour; None for anything else."""
    words = change.details
    if change.kind != "added" or len(change.times) != 1 or not words.mass_of or words.is_beside:
        return None
    usual = {tuple(sorted(_of_part(_usual(day, standing), words.mass_of))) for day in _days(change)}
    (old, *others) = usual or {()}
    if others or len(old) != 1 or old == change.times or not _of_part(change.times, words.mass_of):
        return None
    return replace(change, kind="moved", times=old, new_times=change.times, doubts=_without(change.doubts, "no_end"))


def _moved_for_once(change: ScheduleChange, standing: Sequence[ScheduleRow]) -> ScheduleChange | None:
    """ "Jutro Msza św. wyjątkowo o 7.00": where one Mass is said a day this is its hour; None for anything else."""
    words = change.details
    if change.kind != "added" or len(change.times) != 1 or words.is_beside:
        return None
    usual = {tuple(sorted(_usual(day, standing))) for day in _days(change)}
    if not (words.is_exceptional or (words.hindered and usual == {tuple(words.hindered)})):  # "o 16.00, bo o 17.00 mam pogrzeb"
        return None
    if len(usual) != 1 or not _has_one_mass(change, standing) or change.times in usual:
        return None
    return replace(change, kind="moved", times=next(iter(usual)), new_times=change.times, doubts=_without(change.doubts, "shift"))


def _has_one_mass(change: ScheduleChange, standing: Sequence[ScheduleRow]) -> bool:
    """Whether each day of a change usually has one Mass at its place, so that nobody asks which one is meant."""
    place = place_of(change, standing)
    counts = {
        len([row for row in standing_rows(standing, day)[1] if not place or row.mass.place == place]) for day in _days(change)
    }
    return counts == {1}


def _is_new_hour_of_weekdays(change: ScheduleChange) -> bool:
    """ "Od 1 lipca do 31 sierpnia Msza w dni powszednie o 19.00": where there is one Mass a day this is its hour."""
    several = change.valid_to != change.valid_from
    general = change.details.is_general and not change.details.is_beside
    return change.kind == "added" and several and general and len(change.times) == 1


def _evenings_of_christmas_eve(announced: Sequence[Announced], standing: Sequence[ScheduleRow]) -> Iterator[Announced]:
    """Programmes of Christmas Eve that tell the Masses of the day and the midnight one: there is none in the evening.

    Parishes say it of themselves only now and then; one that has an evening Mass beside those tells it.
    """
    pages: dict[tuple[str, str], list[Announced]] = {}
    for one in announced:
        pages.setdefault((one.source_url, one.page_sha256), []).append(one)
    for found in pages.values():
        eve = [one for one in found if (one.change.valid_from.month, one.change.valid_from.day) == _EVE]
        added = all(one.change.kind == "added" and one.change.times for one in eve)
        by_day = [one for one in eve if min(one.change.times or (AFTERNOON,)) < AFTERNOON and not one.change.doubts]
        programme = any(
            one.change.kind == "order" and one.change.valid_from - timedelta(1) == day.change.valid_from
            for day in eve
            for one in found
        )
        evening = any(min(one.change.times or (_LATE,)) < _LATE for one in eve)
        if not (by_day or (programme and evening)) or not added or not any(one.change.details.is_midnight_mass for one in found):
            continue
        day = eve[0].change.valid_from
        announced_hours = {time for one in eve for time in one.change.times}
        gone = tuple(sorted(_of_part(_usual(day, standing) - announced_hours, "evening")))
        if gone:
            yield replace(eve[0], change=replace(eve[0].change, kind="cancelled", times=gone))


_TAKES: tuple[str, ...] = ("order", "cancelled", "moved")
_TELLS: tuple[str, ...] = ("order", "added")


def with_clashes(announced: Sequence[Announced], standing: Sequence[ScheduleRow]) -> list[Announced]:
    """The changes, those doubtful that take away what the page tells as said on one of the days, or perhaps said on that day.

    "W tym tygodniu Msza tylko o 8.00" beside "W środę Msza św. o 18.00", where 18.00 is a usual hour: one of them speaks of
    other days or of another church.

    Args:
        announced: changes of one parish, settled.
        standing: its usual order; with none nothing is taken away.
    """
    told: dict[tuple[str, str, date], list[ScheduleChange]] = {}
    for one in announced:
        if one.change.kind in _TELLS and one.change.valid_from == one.change.valid_to:
            told.setdefault((one.source_url, one.page_sha256, one.change.valid_from), []).append(one.change)
    clashes = {id(one): list(_clashes(one, told, standing)) for one in announced}
    within = {id(one) for one in announced if all(_is_date_of_season(one.change, other) for _, other in clashes[id(one)])}
    clashing = {one.change.quote for one in announced if clashes[id(one)] and id(one) not in within}
    found = [_doubted(one) if one.change.quote in clashing and one.change.kind in _TAKES else one for one in announced]
    return [part for one in found for part in _apart_from(one, [day for day, _ in clashes.get(id(one), ())])]


def _is_date_of_season(change: ScheduleChange, other: ScheduleChange) -> bool:
    """Whether a date has an order of its own within an order of some weeks."""
    return (change.valid_to or date.max) - change.valid_from > _FEW_DAYS and other.details.days_told == "date"


def _apart_from(one: Announced, days: Sequence[date]) -> list[Announced]:
    """A change without single days, in order."""
    parts = [one.change]
    for day in days:
        parts = [part for change in parts for part in without_days(change, day, day)]
    return [replace(one, change=part) for part in parts] if days else [one]


def _doubted(one: Announced) -> Announced:
    doubts = tuple(dict.fromkeys((*one.change.doubts, "contradiction")))
    return replace(one, change=replace(one.change, doubts=doubts)) if one.change.valid_to is not None else one


def _clashes(
    one: Announced, told: Mapping[tuple[str, str, date], Sequence[ScheduleChange]], standing: Sequence[ScheduleRow]
) -> Iterator[tuple[date, ScheduleChange]]:
    """Days of which a change takes a Mass away that another one tells as said, each with that one."""
    change = one.change
    if change.kind not in _TAKES or change.valid_to is None:
        return
    lasts = change.valid_to != change.valid_from
    for day in each_day(change):
        for other in told.get((one.source_url, one.page_sha256, day), ()) if weekday_of(day) in days_of(change) else ():
            differs = other.quote != change.quote and (lasts or other.doubts)  # of one day both hold, unless the other Mass waits
            if differs and _taken(change, day, standing) & set(other.times):
                yield day, other


def _taken(change: ScheduleChange, day: date, standing: Sequence[ScheduleRow]) -> set[str]:
    """Usual hours of a day that a change takes away."""
    usual = _usual(day, standing)
    if change.kind == "order":
        return usual - set(change.times)
    if change.times or change.kind == "moved":
        return usual & set(change.times)
    return _of_part(usual, change.part)
