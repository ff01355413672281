"""Dated changes of announcements as rows beside the standing order.

What a change says in words ("nie będzie Mszy wieczornej", "jak w niedzielę") becomes hours here, by the standing order
of the days it speaks of. A change that cannot be turned into hours becomes no row: it is returned as unresolved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Final

from mass_pipeline.model.records import WEEKDAYS, Day, Mass
from mass_pipeline.reading.changes import ScheduleChange
from mass_pipeline.reading.changes.details import places_named
from mass_pipeline.reading.words.parts_of_day import AFTERNOON
from mass_pipeline.reading.words.remarks import AS_ON_SUNDAY, AS_ON_WORKING_DAY
from mass_pipeline.schedules.church_year import weekday_of
from mass_pipeline.schedules.day import DaySchedule, day_schedule, is_said, standing_rows
from mass_pipeline.schedules.reviews import Proposal
from mass_pipeline.schedules.rows import Exception_, ScheduleRow
from mass_pipeline.schedules.trust import trust_in

_LONGEST: Final = 190  # days; half a year at most: what holds longer is no exception
_NOTES: Final[dict[Exception_, str]] = {"added": "dodatkowo", "cancelled": "odwołana", "only": "tylko tego dnia"}


@dataclass(frozen=True, slots=True)
class Announced:
    """A change with where it stands.

    Attributes:
        change: what was read.
        issued: day of the announcement; later ones win.
        source_url, page_sha256, fetched_at: the page.
        confidence: how probably its rows are right, as the standing order shows (trust).
    """

    change: ScheduleChange
    issued: date
    source_url: str
    page_sha256: str
    fetched_at: datetime | None
    confidence: float = 0.0

    def row(self, kind: Exception_, mass: Mass, days: Iterable[Day], note: str = "") -> ScheduleRow:
        """A row of the table for this change."""
        ordered = tuple(day for day in WEEKDAYS if day in set(days))
        return ScheduleRow(
            Mass(ordered, mass.time, place=mass.place, note=note or _NOTES[kind]),
            self.source_url,
            self.change.quote,
            self.page_sha256,
            self.fetched_at,
            confidence=self.confidence,
            exception=kind,
            valid_from=self.change.valid_from,
            valid_to=self.change.valid_to,
            checked_at=self.fetched_at,
        )


@dataclass(frozen=True, slots=True)
class Exceptions:
    """Rows of the dated changes, and the changes that gave none."""

    rows: tuple[ScheduleRow, ...]
    unresolved: tuple[Announced, ...]


def exceptions_of(announced: Iterable[Announced], standing: Sequence[ScheduleRow]) -> Exceptions:
    """Turn dated changes of one parish into rows.

    Args:
        announced: changes in any order; lasting ones are left out (see proposals).
        standing: the standing order of the parish.

    Returns:
        Rows without duplicates, sorted. Where a later announcement says something else of the same days or hour, the
        earlier rows are dropped.
    """
    rows: list[ScheduleRow] = []
    unresolved: list[Announced] = []
    for one in sorted(announced, key=_by_issue):
        if one.change.valid_to is None:
            continue
        made = list(_rows(one, standing))
        if not made:
            unresolved.append(one)
        rows = [row for row in rows if not _is_overruled(row, made)] + made
    return Exceptions(with_approved(rows, ()), tuple(unresolved))


def is_for_review(one: Announced) -> bool:
    """Whether a person has to look at a dated change: it is doubtful, and was not over when its page was fetched."""
    change = one.change
    if not change.doubts or change.valid_to is None:
        return False
    return one.fetched_at is None or change.valid_to >= one.fetched_at.date()


def makes_a_difference(one: Announced, standing: Sequence[ScheduleRow]) -> bool:
    """Whether some day has other Masses with the change than without; True of one that gives no hours."""
    rows = list(_rows(one, standing))
    return not rows or any(
        _hours(day_schedule([*standing, *rows], day)) != _hours(day_schedule(standing, day)) for day in each_day(one.change)
    )


def _hours(schedule: DaySchedule) -> list[tuple[str, str]]:
    return sorted((row.mass.time, row.mass.place) for row in schedule.masses)


def exception_proposal(parish_id: str, one: Announced, standing: Sequence[ScheduleRow]) -> Proposal:
    """The proposal a doubtful dated change makes: what was read, its doubts, and the rows it would give.

    Args:
        parish_id: whose.
        one: the change.
        standing: the order it changes.
    """
    change = one.change
    until = f"..{change.valid_to}" if change.valid_to != change.valid_from else ""
    says = f"{in_words(change)} on {change.valid_from}{until}"
    rows = tuple(sorted(_rows(one, standing), key=_by_days))
    return Proposal(
        parish_id, "exception", says, change.valid_from, rows, one.source_url, change.quote, one.page_sha256, change.doubts
    )


def in_words(change: ScheduleChange) -> str:
    """What a change says, in words of the reader, for proposals."""
    move = ("->", *change.new_times) if change.new_times else ()
    return " ".join(word for word in (change.kind, *change.times, *move, change.part) if word)


def with_approved(rows: Iterable[ScheduleRow], approved: Iterable[ScheduleRow]) -> tuple[ScheduleRow, ...]:
    """Rows of dated changes with those a person approved, each once, sorted; an approved row stands for the same one read."""
    unique = {(row.mass, row.exception, row.valid_from, row.valid_to): row for row in (*rows, *approved)}
    return tuple(sorted(unique.values(), key=_by_days))


def _rows(one: Announced, standing: Sequence[ScheduleRow]) -> Iterator[ScheduleRow]:
    change = one.change
    days = days_of(change)
    if not days:
        return
    place = place_of(change, standing)
    one = replace(one, confidence=round(trust_in(change, standing), 3))
    if change.kind == "added":
        yield from (one.row("added", Mass(days, time, place=place), days) for time in change.times)
    elif change.kind == "order" and change.times:
        yield from (one.row("only", Mass(days, time, place=place), days) for time in change.times)
    elif change.kind == "order":
        yield from _expanded(one, "only", _on_each_day(change, standing), days)
    elif change.kind == "cancelled":
        yield from _cancelled(one, standing, days)
    elif change.kind == "moved":
        yield from _moved(one, standing, days)
    elif change.kind == "as_sunday":
        yield from _expanded(one, "only", _as_list(change, standing, "Su"), days, AS_ON_SUNDAY)
    elif change.kind == "as_weekday":
        yield from _expanded(one, "only", _as_list(change, standing, ""), days, AS_ON_WORKING_DAY)


def days_of(change: ScheduleChange) -> tuple[Day, ...]:
    """Days of the week within a dated change, in order; () for a period too long to be an exception.

    "W dni powszednie" beside a period of several days leaves its Sundays out, "w niedziele", "w soboty" all others.
    """
    present = {weekday_of(day) for day in each_day(change)}
    if len(present) > 1:
        present = present & set(change.details.weekdays) or present
    return tuple(day for day in WEEKDAYS if day in present)


def place_of(change: ScheduleChange, standing: Iterable[ScheduleRow]) -> str:
    """The place of the standing order that the words of a change name ("w Zagórzu" for Zagórze); "" for none or several."""
    named = places_named(change, (row.mass.place for row in standing), before_hours=True)
    return named[0] if len(named) == 1 and not change.details.is_here else ""


def names_places(change: ScheduleChange, standing: Iterable[ScheduleRow]) -> bool:
    """Whether the words of a change name any place of the standing order."""
    return bool(places_named(change, (row.mass.place for row in standing)))


def each_day(change: ScheduleChange) -> list[date]:
    """The days of a change; none of what holds for longer than an exception can."""
    last = change.valid_to or change.valid_from
    length = (last - change.valid_from).days + 1
    return [change.valid_from + timedelta(step) for step in range(length)] if length <= _LONGEST else []


def _on_each_day(change: ScheduleChange, standing: Sequence[ScheduleRow]) -> Iterator[tuple[Day, Mass]]:
    """(weekday, standing Mass) of the days of a change, of its part of the day and its place where it names one."""
    place, here = place_of(change, standing), change.details.is_here
    for day in each_day(change):
        for row in standing_rows(standing, day)[1]:
            if (place and row.mass.place != place) or (here and row.mass.place):
                continue
            if not change.part or (row.mass.time >= AFTERNOON) == (change.part == "evening"):
                yield weekday_of(day), row.mass


def _as_list(change: ScheduleChange, standing: Sequence[ScheduleRow], wanted: Day | str) -> Iterator[tuple[Day, Mass]]:
    """(weekday, Mass) of another list: that of Sundays, or that of the weekday itself ("" for it; of Monday on Sundays)."""
    for day in each_day(change):
        weekday = weekday_of(day)
        listed = wanted or ("Mo" if weekday == "Su" else weekday)
        yield from ((weekday, row.mass) for row in standing if listed in row.mass.days and is_said(row.mass, day))


def _expanded(
    one: Announced, kind: Exception_, found: Iterable[tuple[Day, Mass]], days: Sequence[Day], note: str = ""
) -> Iterator[ScheduleRow]:
    grouped: dict[tuple[str, str], set[Day]] = {}
    for weekday, mass in found:
        if weekday in days:
            grouped.setdefault((mass.time, mass.place), set()).add(weekday)
    for (time, place), present in sorted(grouped.items()):
        yield one.row(kind, Mass(tuple(present), time, place=place), present, note)


def _cancelled(one: Announced, standing: Sequence[ScheduleRow], days: Sequence[Day]) -> Iterator[ScheduleRow]:
    change = one.change
    if not change.times:
        yield from _expanded(one, "cancelled", _on_each_day(change, standing), days)
    place = place_of(change, standing)
    yield from (one.row("cancelled", Mass(tuple(days), time, place=place), days) for time in change.times)


def _moved(one: Announced, standing: Sequence[ScheduleRow], days: Sequence[Day]) -> Iterator[ScheduleRow]:
    """The old hour falls out, the new one is added; an old hour that is not named is the only one of that half of the day."""
    change = one.change
    old = change.times or only_hour_near(change, standing)
    if not old:
        return
    # "Od 1 do 31 października o 17.30 zamiast o 18.00" is said of the days that have a Mass at 18.00.
    usual = {weekday for weekday, mass in _on_each_day(replace(change, part=""), standing) if mass.time in old}
    days = [day for day in days if day in usual] or days
    to, of = ", ".join(change.new_times), ", ".join(old)
    yield from (one.row("cancelled", Mass(tuple(days), time), days, f"przeniesiona na {to}") for time in old)
    yield from (one.row("added", Mass(tuple(days), time), days, f"przeniesiona z {of}") for time in change.new_times)


def only_hour_near(change: ScheduleChange, standing: Sequence[ScheduleRow]) -> tuple[str, ...]:
    """The old hour of a move that does not name it: the only usual one of that half of the day; () for several."""
    evening = {change.part == "evening"} if change.part else {time >= AFTERNOON for time in change.new_times}
    hours = {mass.time for _, mass in _on_each_day(change, standing) if {mass.time >= AFTERNOON} == evening}
    return tuple(hours) if len(hours) == 1 else ()


def _is_overruled(row: ScheduleRow, later: Sequence[ScheduleRow]) -> bool:
    """Whether a later announcement replaces the row: another list of the same days, or another word on the same hour."""
    for other in later:
        if row.source_url == other.source_url and row.page_sha256 == other.page_sha256:
            continue  # one page does not contradict itself: its changes belong together
        within = _covers(other, row)
        if within and other.exception == "only":
            return True
        if within and row.mass.time == other.mass.time and row.exception != other.exception:
            return True
    return False


def _covers(later: ScheduleRow, row: ScheduleRow) -> bool:
    first, last = row.valid_from or date.min, row.valid_to or date.max
    return later.holds_on(first) and later.holds_on(last) and set(row.mass.days) <= set(later.mass.days)


def _by_issue(one: Announced) -> tuple[object, ...]:
    change = one.change
    return (one.issued, one.source_url, change.valid_from, change.kind, change.times, change.new_times, change.part, change.quote)


def _by_days(row: ScheduleRow) -> tuple[object, ...]:
    return (row.valid_from, row.valid_to, row.mass.sort_key(), row.exception, row.source_url)
