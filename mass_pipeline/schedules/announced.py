"""What announced changes make of the standing order of a parish: what it settles of them, and the rows they give.

A change says in words what it does ("nie będzie Mszy wieczornej", "jak w niedzielę"); beside the usual Masses of its days it
becomes hours, a doubt vanishes, or one appears. What cannot be turned into hours is returned as unresolved. Lasting changes
give no rows; of them the whole new order is only proposed where the words and the present order leave one reading.

Not here: doubts by the words alone (reading.changes.certainty), decisions of people (publication).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Final

from mass_pipeline.model.records import DAYS, WEEKDAYS, Day, Mass
from mass_pipeline.reading.changes import Doubt, ScheduleChange
from mass_pipeline.reading.changes.change import Change, without_days
from mass_pipeline.reading.changes.details import places_named
from mass_pipeline.reading.words.parts_of_day import AFTERNOON
from mass_pipeline.reading.words.remarks import AS_ON_SUNDAY, AS_ON_WORKING_DAY
from mass_pipeline.schedules.church_year import is_holy_day, weekday_of
from mass_pipeline.schedules.day import day_schedule, is_said, standing_rows
from mass_pipeline.schedules.reviews import Proposal
from mass_pipeline.schedules.rows import Exception_, ScheduleRow
from mass_pipeline.schedules.trust import trust_in

_LONGEST: Final = 190  # days; half a year at most: what holds longer is no exception
_FEW_DAYS: Final = timedelta(10)
_EVE: Final = (12, 24)
_LATE: Final = "20:00"  # a Mass of Christmas Eve at this hour or later is the midnight one
_ROW_OF: Final[Mapping[Change, tuple[Exception_, str]]] = {
    "added": ("added", "dodatkowo"),
    "cancelled": ("cancelled", "odwołana"),
    "order": ("only", "tylko tego dnia"),
    "as_sunday": ("only", AS_ON_SUNDAY),
    "as_weekday": ("only", AS_ON_WORKING_DAY),
}
_TAKES: Final = ("order", "cancelled", "moved")
_TELLS: Final = ("order", "added")


@dataclass(frozen=True, slots=True)
class Announced:
    """A change with where it stands.

    Attributes:
        change: what was read.
        issued: day of the announcement; later ones win.
        source_url, page_sha256, fetched_at: the page.
    """

    change: ScheduleChange
    issued: date
    source_url: str
    page_sha256: str
    fetched_at: datetime | None

    @property
    def page_and_days(self) -> tuple[str, date, date | None]:
        """What changes share that one page tells of the same days."""
        return self.source_url, self.change.valid_from, self.change.valid_to


@dataclass(frozen=True, slots=True)
class Exceptions:
    """Rows of the dated changes, and the changes that gave none."""

    rows: tuple[ScheduleRow, ...]
    unresolved: tuple[Announced, ...]


@dataclass(frozen=True)
class Effect:
    """A dated change beside a standing order: its days, its place, and the usual Masses that it speaks of."""

    change: ScheduleChange
    standing: Sequence[ScheduleRow]

    @cached_property
    def dates(self) -> list[date]:
        """Days of the change; none of what holds for longer than an exception can.

        "W dni powszednie" beside a period of several days leaves its Sundays out, "w niedziele", "w soboty" all others.
        """
        first, last = self.change.valid_from, self.change.valid_to or self.change.valid_from
        length = (last - first).days + 1
        every = [first + timedelta(step) for step in range(length)] if length <= _LONGEST else []
        chosen = [day for day in every if weekday_of(day) in self.change.details.weekdays]
        return chosen if length > 1 and chosen else every

    @cached_property
    def days(self) -> tuple[Day, ...]:
        """Days of the week of its dates, in order."""
        return _in_order(map(weekday_of, self.dates))

    @cached_property
    def place(self) -> str:
        """The place of the standing order that its words name ("w Zagórzu" for Zagórze); "" for none or several."""
        named = places_named(self.change, (row.mass.place for row in self.standing), before_hours=True)
        return named[0] if len(named) == 1 and not self.change.details.is_here else ""

    @cached_property
    def _typical(self) -> list[Sequence[ScheduleRow]]:
        """The usual rows of each of its days; a holy day among weekdays does not count."""
        every = len(self.days) == 1 or "Su" in self.days
        return [standing_rows(self.standing, day)[1] for day in self.dates if every or not is_holy_day(day)]

    @cached_property
    def usual(self) -> list[set[str]]:
        """The usual hours of each of these days."""
        return [{row.mass.time for row in rows} for rows in self._typical]

    @cached_property
    def has_one_mass(self) -> bool:
        """Whether each day usually has one Mass at its place, so that nobody asks which one is meant."""
        return {sum(not self.place or row.mass.place == self.place for row in rows) for rows in self._typical} == {1}

    @cached_property
    def hour_nearby(self) -> tuple[str, ...]:
        """The old hour of a move that does not name it: the only usual one of that half of the day; () for several."""
        change = self.change
        evening = {change.part == "evening"} if change.part else {time >= AFTERNOON for time in change.new_times}
        hours = {mass.time for _, mass in self._masses(change.part) if {mass.time >= AFTERNOON} == evening}
        return tuple(hours) if len(hours) == 1 else ()

    def _masses(self, part: str) -> Iterator[tuple[Day, Mass]]:
        """(weekday, standing Mass) of its dates, of that part of the day, at the place that it names."""
        here = self.change.details.is_here
        for day in self.dates:
            for row in standing_rows(self.standing, day)[1]:
                another = row.mass.place if here else self.place and row.mass.place != self.place
                if not another and _of_part((row.mass.time,), part):
                    yield weekday_of(day), row.mass

    def _other_list(self) -> Iterator[tuple[Day, Mass]]:
        """(weekday, Mass) of the list of Sundays, or that of the weekday itself: of Monday on Sundays."""
        for day in self.dates:
            weekday = weekday_of(day)
            listed = "Su" if self.change.kind == "as_sunday" else "Mo" if weekday == "Su" else weekday
            yield from ((weekday, row.mass) for row in self.standing if listed in row.mass.days and is_said(row.mass, day))

    def masses(self) -> Iterator[tuple[Exception_, Mass]]:
        """Masses that come, fall out, or are all of the day; none where the words leave open which."""
        change, days = self.change, self.days
        if not days:
            return
        if change.kind == "moved":
            old = change.times or self.hour_nearby
            new = change.new_times if old else ()
            # "Od 1 do 31 października o 17.30 zamiast o 18.00" is said of the days that have a Mass at 18.00.
            days = _in_order(weekday for weekday, mass in self._masses("") if mass.time in old) or days
            yield from (("cancelled", Mass(days, time, note=f"przeniesiona na {', '.join(new)}")) for time in old)
            yield from (("added", Mass(days, time, note=f"przeniesiona z {', '.join(old)}")) for time in new)
        elif change.kind in _ROW_OF:
            kind, note = _ROW_OF[change.kind]
            if change.times or kind == "added":
                yield from ((kind, Mass(days, time, place=self.place, note=note)) for time in change.times)
                return
            grouped: dict[tuple[str, str], set[Day]] = {}
            listed = self._other_list() if change.kind in ("as_sunday", "as_weekday") else self._masses(change.part)
            for weekday, mass in listed:
                grouped.setdefault((mass.time, mass.place), set()).add(weekday)
            for (time, place), present in sorted(grouped.items()):
                yield kind, Mass(_in_order(present), time, place=place, note=note)

    def taken(self, day: date) -> set[str]:
        """Usual hours of a day that the change takes away."""
        change, usual = self.change, _usual(day, self.standing)
        if change.kind == "order":
            return usual - set(change.times)
        return usual & set(change.times) if change.times or change.kind == "moved" else _of_part(usual, change.part)


def _in_order(days: Iterable[Day]) -> tuple[Day, ...]:
    present = set(days)
    return tuple(day for day in WEEKDAYS if day in present)


def _usual(day: date, standing: Sequence[ScheduleRow]) -> set[str]:
    return {row.mass.time for row in standing_rows(standing, day)[1]}


def _of_part(hours: Iterable[str], part: str) -> set[str]:
    """The hours of a half of the day; all of them for ""."""
    return {hour for hour in hours if not part or (hour >= AFTERNOON) == (part == "evening")}


# --- rows


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
        made = _rows(one, standing)
        if not made:
            unresolved.append(one)
        rows = [row for row in rows if not _is_overruled(row, made)] + made
    return Exceptions(with_approved(rows, ()), tuple(unresolved))


def with_approved(rows: Iterable[ScheduleRow], approved: Iterable[ScheduleRow]) -> tuple[ScheduleRow, ...]:
    """Rows of dated changes with those a person approved, each once, sorted; an approved row stands for the same one read."""
    unique = {(row.mass, row.exception, row.valid_from, row.valid_to): row for row in (*rows, *approved)}
    return tuple(sorted(unique.values(), key=_by_days))


def _rows(one: Announced, standing: Sequence[ScheduleRow]) -> list[ScheduleRow]:
    """Rows of a dated change, each with how probably it is right."""
    change = one.change
    masses = list(Effect(change, standing).masses())
    confidence = round(trust_in(change, standing), 3) if masses else 0.0
    return [
        ScheduleRow(
            mass,
            one.source_url,
            change.quote,
            one.page_sha256,
            one.fetched_at,
            confidence=confidence,
            exception=kind,
            valid_from=change.valid_from,
            valid_to=change.valid_to,
            checked_at=one.fetched_at,
        )
        for kind, mass in masses
    ]


def _is_overruled(row: ScheduleRow, later: Sequence[ScheduleRow]) -> bool:
    """Whether a later announcement replaces the row: another list of the same days, or another word on the same hour."""
    for other in later:
        if row.source_url == other.source_url and row.page_sha256 == other.page_sha256:
            continue  # one page does not contradict itself: its changes belong together
        again = other.exception == "only" or (row.mass.time == other.mass.time and row.exception != other.exception)
        if again and _covers(other, row):
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


# --- what the usual Masses settle


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
    fallen: dict[tuple[str, date, date | None], set[str]] = {}  # hours that a page cancels on certain days
    for one in known:
        if one.change.kind == "cancelled":
            fallen.setdefault(one.page_and_days, set()).update(one.change.times)
    every = [replace(one, change=_settled(Effect(one.change, standing), fallen.get(one.page_and_days, set()))) for one in known]
    every = with_clashes([one for one in every if "intention" not in one.change.doubts], standing)
    return [*every, *_evenings_of_christmas_eve(every, standing)]


def _without_days_off(announced: Sequence[Announced]) -> list[Announced]:
    """The changes, roraty without the days on which the page tells that there are none, and nothing falls out for them then."""
    off = [one for one in announced if one.change.kind == "no_roraty"]
    found = [one for one in announced if one.change.kind != "no_roraty"]
    series: set[tuple[str, date, date | None]] = set()
    for day in off:
        series |= {one.page_and_days for one in found if one.change.kind == "added" and one.change.details.is_of_roraty}
        found = [part for one in found for part in (_cut(one, day) if one.page_and_days in series else [one])]
    return found


def _cut(one: Announced, off: Announced) -> list[Announced]:
    """What a page says of several days, without those on which it does not hold."""
    first, ends, weekdays = off.change.valid_from, off.change.valid_to, set(Effect(one.change, ()).days)
    if one.source_url != off.source_url or one.change.kind not in ("added", "cancelled") or ends is None:
        return [one]
    parts = without_days(one.change, first, ends)
    return [replace(one, change=part) for part in parts if weekdays.intersection(Effect(part, ()).days)]


def _settled(effect: Effect, fallen: set[str]) -> ScheduleChange:
    change, words = effect.change, effect.change.details
    if change.valid_to is None or not effect.dates:
        return change
    lasts = change.valid_to != change.valid_from
    left = (*(doubt for doubt in change.doubts if not _is_clear(doubt, effect, fallen)), *_left_open(effect))
    if change.kind != "added" or len(change.times) != 1 or words.is_beside:
        return replace(change, doubts=left)
    # "W środę Msza wieczorna o 17.00": where one Mass is said in the evening this is its hour
    old = _the_hour(_of_part(hours, words.mass_of) for hours in effect.usual) if words.mass_of else ()
    if old and old != change.times and _of_part(change.times, words.mass_of):
        return replace(change, kind="moved", times=old, new_times=change.times, doubts=_without(left, "no_end"))
    # "Jutro Msza św. wyjątkowo o 7.00", "o 16.00, bo o 17.00 mam pogrzeb": where one Mass is said a day this is its hour
    old = _the_hour(effect.usual) if (words.is_exceptional or words.hindered) and effect.has_one_mass else ()
    if old and old != change.times and (words.is_exceptional or words.hindered == old):
        return replace(change, kind="moved", times=old, new_times=change.times, doubts=_without(left, "shift"))
    # "Od 1 lipca do 31 sierpnia Msza w dni powszednie o 19.00": the same
    if lasts and words.is_general and effect.has_one_mass:
        return replace(change, kind="order", doubts=_without(left, "no_end"))
    return replace(change, doubts=left)


def _left_open(effect: Effect) -> Iterator[Doubt]:
    """Doubts that only the usual Masses raise, or that nobody knows them."""
    change, words = effect.change, effect.change.details
    if not effect.standing and change.kind == "added" and change.valid_to != change.valid_from and max(change.times) >= AFTERNOON:
        yield "no_end"  # an evening of every week beside an order that nobody knows may be of that order
    of_any = change.kind == "cancelled" and change.part and not change.times and not words.is_of_several
    if of_any and any(len(_of_part(hours, change.part)) > 1 for hours in effect.usual):
        yield "whole_day"  # which of the morning Masses falls out?
    of_part = [(hours, _of_part(hours, words.mass_of)) for hours in effect.usual] if words.mass_of else []
    if change.kind == "order" and len(change.times) == 1 and any(1 < len(part) < len(hours) for hours, part in of_part):
        yield "kind"  # "tylko jedna poranna Msza o 7.00" may leave the Masses of the other half of the day as they are


def _the_hour(hours_of_days: Iterable[set[str]]) -> tuple[str, ...]:
    """The one hour of each of the days; () where they have several, none or different ones."""
    found = set(map(frozenset, hours_of_days))
    return tuple(found.pop()) if len(found) == 1 and all(len(hours) == 1 for hours in found) else ()


def _is_clear(doubt: Doubt, effect: Effect, fallen: set[str]) -> bool:
    """Whether the usual Masses leave nothing of a doubt; those about kinds and hours only where there is no other."""
    change, times = effect.change, set(effect.change.times)
    if doubt == "whole_day":
        return effect.has_one_mass
    if doubt == "elsewhere":
        return bool(places_named(change, (row.mass.place for row in effect.standing)))
    if len(change.doubts) > 1:
        return False
    usual = effect.usual
    if doubt == "intention":  # an hour that is none of the usual ones of its day
        return all(hours and not hours & times for hours in usual)
    if doubt == "hours_left":  # "w piątek o 8.00 nie ma Mszy, zapraszamy na 18.00": that is there anyway
        left = set(change.details.hours) - times
        return change.kind in ("added", "cancelled") and all(left <= hours for hours in usual)
    if doubt != "kind":
        return False
    if change.kind == "moved":  # "7.30, 9.00 i suma o 12.30 zamiast o 12.00": one of several is new
        new = set(change.new_times)
        one = len(times) == 1 and all(times <= hours and len(new - hours) == 1 for hours in usual)
        return one or (len(new) == 1 and bool(effect.hour_nearby))
    if change.kind == "added" and not effect.standing:  # where nobody knows the usual Masses the day is the same either way
        return change.details.lists_hours
    # said besides the usual Masses or instead of them, the day has the same ones
    every = bool(times and effect.standing) and all(hours - fallen <= times for hours in usual)
    return change.kind in ("added", "order") and every


def _without(doubts: Sequence[Doubt], gone: Doubt) -> tuple[Doubt, ...]:
    return tuple(doubt for doubt in doubts if doubt != gone)


def _evenings_of_christmas_eve(announced: Sequence[Announced], standing: Sequence[ScheduleRow]) -> Iterator[Announced]:
    """Programmes of Christmas Eve that tell the Masses of the day and the midnight one: there is none in the evening.

    Parishes say it of themselves only now and then; one that has an evening Mass beside those tells it.
    """
    pages: dict[tuple[str, str], list[Announced]] = {}
    for one in announced:
        pages.setdefault((one.source_url, one.page_sha256), []).append(one)
    for found in pages.values():
        eve = [one for one in found if (one.change.valid_from.month, one.change.valid_from.day) == _EVE]
        if not eve or not any(one.change.details.is_midnight_mass for one in found):
            continue
        added = all(one.change.kind == "added" and one.change.times for one in eve)
        by_day = [one for one in eve if min(one.change.times or (AFTERNOON,)) < AFTERNOON and not one.change.doubts]
        day = eve[0].change.valid_from
        christmas = {one.change.valid_from - timedelta(1) for one in found if one.change.kind == "order"}
        evening = any(min(one.change.times or (_LATE,)) < _LATE for one in eve)
        if added and (by_day or (evening and christmas.intersection(one.change.valid_from for one in eve))):
            left = _usual(day, standing).difference(*(one.change.times for one in eve))
            if gone := tuple(sorted(_of_part(left, "evening"))):
                yield replace(eve[0], change=replace(eve[0].change, kind="cancelled", times=gone))


def with_clashes(announced: Sequence[Announced], standing: Sequence[ScheduleRow]) -> list[Announced]:
    """The changes, those doubtful that take away what the page tells as said on one of the days, or perhaps said on that day.

    "W tym tygodniu Msza tylko o 8.00" beside "W środę Msza św. o 18.00", where 18.00 is a usual hour: one of them speaks of
    other days or of another church. A date with an order of its own within an order of some weeks is left out of these.

    Args:
        announced: changes of one parish, settled.
        standing: its usual order; with none nothing is taken away.
    """
    told: dict[tuple[str, str, date], list[ScheduleChange]] = {}
    for one in announced:
        if one.change.kind in _TELLS and one.change.valid_from == one.change.valid_to:
            told.setdefault((one.source_url, one.page_sha256, one.change.valid_from), []).append(one.change)
    clashes = {id(one): list(_clashes(one, told, standing)) for one in announced}
    doubted = {
        one.change.quote for one in announced if any(not _is_date_of_season(one.change, other) for _, other in clashes[id(one)])
    }
    found: list[Announced] = []
    for one in announced:
        parts = [one.change]
        if one.change.quote in doubted and one.change.kind in _TAKES and one.change.valid_to is not None:
            parts = [replace(one.change, doubts=tuple(dict.fromkeys((*one.change.doubts, "contradiction"))))]
        else:
            for day, _ in clashes[id(one)]:
                parts = [part for change in parts for part in without_days(change, day, day)]
        found += [replace(one, change=part) for part in parts]
    return found


def _is_date_of_season(change: ScheduleChange, other: ScheduleChange) -> bool:
    return (change.valid_to or date.max) - change.valid_from > _FEW_DAYS and other.details.days_told == "date"


def _clashes(
    one: Announced, told: Mapping[tuple[str, str, date], Sequence[ScheduleChange]], standing: Sequence[ScheduleRow]
) -> Iterator[tuple[date, ScheduleChange]]:
    """Days of which a change takes a Mass away that another one tells as said, each with that one."""
    change, effect = one.change, Effect(one.change, standing)
    if change.kind not in _TAKES or change.valid_to is None:
        return
    lasts = change.valid_to != change.valid_from
    for day in effect.dates:
        for other in told.get((one.source_url, one.page_sha256, day), ()):
            differs = other.quote != change.quote and (lasts or other.doubts)  # of one day both hold, unless the other Mass waits
            if differs and effect.taken(day) & set(other.times):
                yield day, other


# --- proposals


def is_for_review(one: Announced, standing: Sequence[ScheduleRow]) -> bool:
    """Whether a person has to look at a change: it lasts, or is doubtful, was not over when its page was fetched, and matters.

    A change matters where some day has other Masses with it than without, or where it gives no hours.
    """
    change = one.change
    if change.valid_to is None:
        return True
    is_over = one.fetched_at is not None and change.valid_to < one.fetched_at.date()
    if not change.doubts or is_over:
        return False
    rows = _rows(one, standing)
    return not rows or any(_hours([*standing, *rows], day) != _hours(standing, day) for day in Effect(change, standing).dates)


def _hours(rows: Sequence[ScheduleRow], day: date) -> list[tuple[str, str]]:
    return sorted((row.mass.time, row.mass.place) for row in day_schedule(rows, day).masses)


def proposal_of(parish_id: str, one: Announced, standing: Sequence[ScheduleRow]) -> Proposal:
    """The proposal that a lasting or doubtful change makes: what was read, its doubts, and the rows it would give.

    Args:
        parish_id: whose.
        one: the change.
        standing: the order it changes.
    """
    change, page = one.change, one.page_sha256
    says, first = in_words(change), change.valid_from
    if change.valid_to is None:
        rows = tuple(_new_order(one, standing))
        return Proposal(parish_id, "announcement", says, first, rows, one.source_url, change.quote, page)
    says += f" on {first}" if change.valid_to == first else f" on {first}..{change.valid_to}"
    rows = tuple(sorted(_rows(one, standing), key=_by_days))
    return Proposal(parish_id, "exception", says, first, rows, one.source_url, change.quote, page, change.doubts)


def in_words(change: ScheduleChange) -> str:
    """What a change says, in words of the reader, for proposals."""
    move = ("->", *change.new_times) if change.new_times else ()
    return " ".join(word for word in (change.kind, *change.times, *move, change.part) if word)


def _new_order(one: Announced, standing: Sequence[ScheduleRow]) -> Sequence[ScheduleRow]:
    """The whole order that a lasting change makes: the list of some days replaced, or the only hour of a part of the day.

    Masses at other places and of certain weeks stay; () where more than one reading is left.
    """
    change, words = one.change, one.change.details
    if change.kind != "new_order" or not change.times or not standing or words.is_seasonal:
        return ()
    lists = [tuple(day for day in DAYS if day in named.split(",")) for named in words.lists]
    if len({days[0] for days in lists}) > 1:  # hours of two lists in one sentence: which belongs to which is not stated
        return ()
    days = lists[0] if lists else DAYS
    replaced = [row for row in standing if not (row.mass.place or row.mass.nth) and set(row.mass.days) & set(days)]
    if part := words.list_part:
        replaced = [row for row in replaced if _of_part((row.mass.time,), part)]
        per_day = [sum(day in row.mass.days for row in replaced) for day in days]
        if len(change.times) > 1 or not replaced or max(per_day) > 1:
            return ()
        new_days = tuple(day for day, count in zip(days, per_day, strict=True) if count)
    elif lists:
        new_days = days
    else:
        return ()
    left = [replace(row, mass=replace(row.mass, days=tuple(day for day in row.mass.days if day not in days))) for row in replaced]
    page = (one.source_url, change.quote, one.page_sha256, one.fetched_at)
    new = [ScheduleRow(Mass(new_days, time), *page) for time in change.times]
    return [*(row for row in standing if row not in replaced), *(row for row in left if row.mass.days), *new]
