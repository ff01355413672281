"""The Masses of one date: the standing order of that day, then what announcements change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from mass_pipeline.model.records import Day, Mass
from mass_pipeline.reading.words.remarks import left_out_seasons
from mass_pipeline.schedules import church_year
from mass_pipeline.schedules.rows import ScheduleRow
from mass_pipeline.schedules.school_breaks import school_break

Basis = Literal["weekday", "sunday", "holy_day", "abolished_feast", "assumed_sunday", "triduum", "announced"]
Flag = Literal[
    "approximate_season", "season_unknown", "assumed", "own_order", "transferred", "school_break", "school_break_unknown"
]


@dataclass(frozen=True, slots=True)
class DaySchedule:
    """What is known of a date.

    Attributes:
        basis: which list of the standing order was taken; `assumed_sunday`: a feast of which the parish says nothing;
            `announced`: announcements give all Masses of the day;
            `triduum`: Good Friday and Holy Saturday, to which no standing order applies.
        masses: rows that take place, by hour and place.
        cancelled: rows of the announcements that say what does not take place.
        flags: for each of `masses` what makes it less than sure: `approximate_season` (the day lies near a border of its
            season that is a habit), `season_unknown`, `assumed` (the list of Sundays, for want of a better one),
            `own_order` (the usual hour of a time that nearly every parish orders otherwise: Christmas Eve in the evening, Holy
            Thursday, Easter Sunday), `transferred` (the list of a feast that another one has displaced), `school_break`
            (a Mass of the school year while schools are closed), `school_break_unknown` (the same, perhaps).
        perhaps: rows of the standing order left out only because of such a border; they may take place all the same.
    """

    day: date
    basis: Basis
    masses: tuple[ScheduleRow, ...]
    cancelled: tuple[ScheduleRow, ...]
    flags: tuple[tuple[Flag, ...], ...] = ()
    perhaps: tuple[ScheduleRow, ...] = ()


def day_schedule(rows: Iterable[ScheduleRow], day: date, voivodeship: str = "") -> DaySchedule:
    """The Masses of a date.

    Args:
        rows: all rows of one parish: standing order and exceptions.
        day: the date.
        voivodeship: of the parish, for its winter holidays; "" when it is not known.

    Returns:
        The standing order of the day without what is cancelled, with what is added; where announcements give `only`
        certain Masses, these instead (Masses at other places stay).
    """
    holding = [row for row in rows if row.holds_on(day)]
    dated = [row for row in holding if row.exception is not None and church_year.weekday_of(day) in row.mass.days]
    if church_year.is_holy_day(day):
        dated = [row for row in dated if not _is_of_weekdays(row)]
    usual = [row for row in holding if row.exception is None]
    basis, standing = standing_rows(usual, day)
    only = _most_particular([row for row in dated if row.exception == "only"])
    cancelled = tuple(row for row in dated if row.exception == "cancelled")
    kept = [*only, *elsewhere(standing, only)] if only else list(standing)
    basis = "announced" if only else basis
    kept = [row for row in kept if not any(_is_same_hour(row.mass, gone.mass) for gone in cancelled)]
    added = [row for row in dated if row.exception == "added" and not any(_is_same_hour(row.mass, one.mass) for one in kept)]
    added = [row for row in added if not _gives_way(row, only, cancelled)]
    masses = tuple(sorted([*kept, *added], key=_by_hour))
    perhaps = () if only else _perhaps(usual, day, [*masses, *cancelled])
    flags = tuple(flags_of(row, day, basis, voivodeship) for row in masses)
    return DaySchedule(day, basis, masses, tuple(sorted(cancelled, key=_by_hour)), flags, perhaps)


def flags_of(row: ScheduleRow, day: date, basis: Basis, voivodeship: str = "") -> tuple[Flag, ...]:
    """What makes a Mass of the day less than sure; a row of an announcement is as sure as its words."""
    if row.exception is not None:
        return ()
    certainties = {church_year.season_certainty(day, season) for season in (row.mass.when, *left_out_seasons(row.mass.note))}
    closed = school_break(day, voivodeship) if row.mass.when == "school" else "no"
    found: dict[Flag, bool] = {
        "approximate_season": "approximate" in certainties,
        "season_unknown": "unknown" in certainties,
        "assumed": basis == "assumed_sunday",
        "own_order": church_year.has_own_order(day, row.mass.time),
        "transferred": basis == "abolished_feast" and church_year.is_transferred_feast(day),
        "school_break": closed == "yes",
        "school_break_unknown": closed == "unknown",
    }
    return tuple(flag for flag, holds in found.items() if holds)


def _perhaps(usual: Sequence[ScheduleRow], day: date, told: Sequence[ScheduleRow]) -> tuple[ScheduleRow, ...]:
    """Rows of the day's list that its season leaves out, though not for certain; hours that are listed anyway do not count."""
    _, wanted = _list_of(usual, day)
    rows = (row for row in usual if wanted in row.mass.days and church_year.is_nth(day, row.mass.nth))
    left_out = (row for row in rows if _may_be_said(row.mass, day) and not any(_is_same_hour(row.mass, one.mass) for one in told))
    return tuple(sorted(left_out, key=_by_hour))


def _may_be_said(mass: Mass, day: date) -> bool:
    """Whether seasons leave a Mass out on a day, and each that does so has a border near it that is a habit."""
    against = [season for season in left_out_seasons(mass.note) if church_year.is_in_season(day, season)]
    against += [mass.when] if church_year.is_in_season(day, mass.when) is False else []
    return bool(against) and all(church_year.season_certainty(day, season) == "approximate" for season in against)


def standing_rows(rows: Sequence[ScheduleRow], day: date) -> tuple[Basis, tuple[ScheduleRow, ...]]:
    """The list of the standing order that holds on a date, and which one it is; seasons that are not stated count in."""
    basis, wanted = _list_of(rows, day)
    found = (row for row in rows if wanted in row.mass.days and is_said(row.mass, day))
    return basis, tuple(sorted(found, key=_by_hour))


def _list_of(rows: Sequence[ScheduleRow], day: date) -> tuple[Basis, Day | None]:
    """Which list of the standing order a date takes; None: no list at all."""
    weekday = church_year.weekday_of(day)
    named = {one for row in rows for one in row.mass.days}
    if church_year.is_without_mass(day):
        return "triduum", None
    if weekday == "Su":
        return "sunday", "Su"
    if church_year.is_holy_day(day):
        return ("holy_day", "PH") if "PH" in named else ("assumed_sunday", "Su")
    if church_year.is_abolished_feast(day) and "AF" in named:
        return "abolished_feast", "AF"
    return ("assumed_sunday", "Su") if church_year.is_kept_as_sunday(day) else ("weekday", weekday)


def is_said(mass: Mass, day: date) -> bool:
    """Whether season and ordinal of a Mass admit the date; its days are not looked at."""
    if any(church_year.is_in_season(day, season) for season in left_out_seasons(mass.note)):
        return False
    return church_year.is_in_season(day, mass.when) is not False and church_year.is_nth(day, mass.nth)


def elsewhere(standing: Iterable[ScheduleRow], only: Sequence[ScheduleRow]) -> list[ScheduleRow]:
    """Rows of the standing order at places of which the announcement says nothing.

    A list without a place is that of the church, or of all places where none of them is the church itself.
    """
    rows = list(standing)
    named = {row.mass.place for row in only}
    if "" in named and all(row.mass.place for row in rows):
        return []
    return [row for row in rows if row.mass.place not in named]


def _most_particular(only: Sequence[ScheduleRow]) -> list[ScheduleRow]:
    """Of lists for longer and shorter periods those of the shortest one."""
    shortest = min((_days_between(row) for row in only), default=0)
    return [row for row in only if _days_between(row) == shortest]


def _gives_way(added: ScheduleRow, only: Sequence[ScheduleRow], cancelled: Sequence[ScheduleRow]) -> bool:
    """Whether what is said of a day stands against a Mass that is added on more days.

    It falls out by its hour, or takes the place of one ("o 19.00 zamiast o 18.00") that this day has not: its own list lacks it,
    or says that it falls out.
    """
    length = _days_between(added)
    nearer = [row for row in cancelled if _days_between(row) < length]
    if any(_is_same_hour(added.mass, row.mass) for row in nearer):
        return True
    told = (added.quote, added.valid_from, added.valid_to)
    replaced = [row for row in cancelled if (row.quote, row.valid_from, row.valid_to) == told]
    listed = bool(only) and _days_between(only[0]) < length
    return bool(replaced) and all(
        any(_is_same_hour(old.mass, row.mass) for row in nearer)
        or (listed and not any(_is_same_hour(old.mass, row.mass) for row in only))
        for old in replaced
    )


def _days_between(row: ScheduleRow) -> int:
    return ((row.valid_to or date.max) - (row.valid_from or date.min)).days


def _is_of_weekdays(row: ScheduleRow) -> bool:
    """Whether a row of several days leaves out Sundays: what it says of weekdays it does not say of a holy day."""
    return _days_between(row) > 0 and "Su" not in row.mass.days


def _is_same_hour(one: Mass, other: Mass) -> bool:
    return one.time == other.time and (one.place == other.place or not other.place or not one.place)


def _by_hour(row: ScheduleRow) -> tuple[object, ...]:
    return (row.mass.time, row.mass.place, row.source_url, row.quote)
