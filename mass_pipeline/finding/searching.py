"""From what was asked to what is answered: places, days and filters in, lists of Masses and of what is not known out.

Nothing is guessed: without a place nothing is searched unless a language or kind is asked for, and parishes without an order are
listed, not left out. Where a question finds nothing, the next best is found, and what it leaves out of the question is said.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from itertools import product
from typing import Any, Final, Literal

from mass_pipeline.finding.expansion import MINUTES_A_DAY, SEASON_DOUBTS
from mass_pipeline.finding.freshness import IN_TIME_SEARCH
from mass_pipeline.finding.gazetteer import Point, middle
from mass_pipeline.finding.index import queries
from mass_pipeline.finding.index.library import OpenIndex
from mass_pipeline.finding.index.queries import Town
from mass_pipeline.finding.index.records import Found, MassRecord, ParishRecord
from mass_pipeline.finding.nearby import Filters, near, nearest_parishes
from mass_pipeline.finding.order import OrderList, Standing, order_lists

NO_FILTERS: Final = Filters()
PAGE: Final = 15  # churches of a place, or Masses near a point, on a page of results
NEARBY_M: Final = 10_000.0  # "also within": round a town
AROUND_M: Final = 15_000.0  # "koło Nysy"
_SATURDAY: Final = 5
_SUNDAY: Final = 6
_SUNDAY_TOO_FROM: Final = time(15)  # on Saturday from then on tomorrow's Sunday is listed too
FARTHEST_DAYS: Final = 400  # days ahead that are worked out on request, for the parishes of one town
_MOST_PARISHES: Final = 400  # of one town, for such days
_WHOLE_DAY: Final = MINUTES_A_DAY - 1
_EVENING: Final = time(20)  # an open window from then on lasts into the night: Midnight Mass begins on the next date
_NIGHT_LASTS: Final = MINUTES_A_DAY + 2 * 60
_WEEK: Final = 7  # days in which Masses of a rare kind are looked for; one more for the next best: today's weekday comes again
_AROUND: Final = (timedelta(minutes=30), timedelta(minutes=59))  # before and after an hour: what is near it is the next best
_FARTHEST_M: Final = 100_000.0  # from a point, where no distance is asked for
_NEAREST: Final = 40  # churches near a point whose Masses are worked out for a day that is not laid out
_OF_A_CHURCH: Final = 3  # next Masses of each church near a point
_OF_A_DAY: Final = 8  # Masses that a church has at most, nearly everywhere
_FAR_M: Final = 800_000.0  # across Poland
_PART_M: Final = 5_000.0  # round the churches of a part of a town
_WISHES: Final = frozenset(("children", "youth", "students", "families", "sick"))  # kinds of Masses that nobody goes far for


@dataclass(frozen=True, slots=True)
class Asked:
    """What is searched for.

    Attributes:
        town_key, parish_ids: where; or point: from where. radius_m: how far from there; None: as far as the page thinks fit.
        part_ids: parishes of a part of the town; those of the town alone are the next best.
        days: local dates; () for the default: today from now, on Saturday afternoon Sunday too; with a language or kind a week.
        start, end: local clock, inclusive; end before start passes midnight.
        standing: the standing order is asked for, not dates.
        pick: first, last, or next of what is found.
        offset: how many churches of a place, or Masses near a point, earlier pages have shown.
        soonest: of the days only the first one that has such a Mass; of a rare kind all of them.
        is_of_feast: the days are those of a feast: no other day is as good, rather another kind of Mass.
        with_past: Masses that have begun are shown too: whoever names day and hour in an address wants that day as it was.
        again: the next day of the name that was said, where today has it too: it is meant once nothing is left today.
        closest_to: of each day only the Masses closest to this hour.
    """

    town_key: str | None = None
    parish_ids: tuple[str, ...] = ()
    part_ids: tuple[str, ...] = ()
    point: Point | None = None
    radius_m: float | None = None
    days: tuple[date, ...] = ()
    start: time | None = None
    end: time | None = None
    standing: Standing | None = None
    pick: str | None = None
    filters: Filters = NO_FILTERS
    offset: int = 0
    soonest: bool = False
    is_of_feast: bool = False
    with_past: bool = False
    again: date | None = None
    closest_to: time | None = None

    @property
    def has_place(self) -> bool:
        """Whether it says where."""
        return bool(self.town_key or self.parish_ids or self.point)

    @property
    def is_rare(self) -> bool:
        """Whether a language, kind or rite is asked for, that few Masses have."""
        return bool(self.filters.language or self.filters.kind or self.filters.rite)

    @property
    def is_wish(self) -> bool:
        """Whether the kind is one that nobody leaves the surroundings for."""
        return self.filters.kind in _WISHES


LeftOut = Literal["hours", "days", "order", "filters", "part", "parish", "town", "radius"]


@dataclass(frozen=True, slots=True)
class ParishOrder:
    """The standing order of a parish, as far as it was asked for."""

    parish: ParishRecord
    lists: tuple[OrderList, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What is found.

    Attributes:
        days: the dates searched.
        exact, about: Masses by hour (near a point: by distance); about: their place is known only roughly.
        nearby: Masses round the town, nearest first.
        orders: standing orders, when these were asked for.
        stale, unknown: parishes of the place whose hours are not given, and why.
        total, known: parishes of the place, and those with an order.
        more: whether a further page has more.
        is_next_day: nothing was left today, so the next day is shown.
        beyond: a date lies after the days laid out.
        left_out: parts of the question that what is shown does not keep, since nothing is known that keeps all of it.
        is_next_of_each: of every church near the point its next Masses are shown.
    """

    days: tuple[date, ...] = ()
    exact: tuple[Found, ...] = ()
    about: tuple[Found, ...] = ()
    nearby: tuple[Found, ...] = ()
    orders: tuple[ParishOrder, ...] = ()
    stale: tuple[ParishRecord, ...] = ()
    unknown: tuple[ParishRecord, ...] = ()
    town: Town | None = None
    total: int = 0
    known: int = 0
    more: bool = False
    is_next_day: bool = False
    beyond: bool = False
    left_out: tuple[LeftOut, ...] = ()
    is_next_of_each: bool = False

    @property
    def has_masses(self) -> bool:
        """Whether Masses or orders of the place itself are shown."""
        return bool(self.exact or self.about or self.orders)


def search(index: OpenIndex, connection: sqlite3.Connection, asked: Asked, now: datetime) -> Answer:
    """Answer what is asked; where nothing is known that keeps all of it, the next best.

    Args:
        index, connection: the generation in force and a connection of it.
        asked: what is searched for.
        now: local wall clock, without zone.

    Returns:
        the answer; one with `left_out` where it is the next best, and without Masses only where nothing is known anywhere near.
    """
    whole = _Search(index, connection, asked, now)
    first = whole.answer()
    if asked.again is not None and not first.has_masses:
        later = replace(asked, days=(asked.again,), again=None)
        first = replace(_Search(index, connection, later, now).answer(), is_next_day=True)
        both = replace(later, days=(*asked.days, asked.again), soonest=True)
        whole = _Search(index, connection, both, now)  # the next best is rather today's
    if first.has_masses or asked.offset or (asked.radius_m and first.nearby):
        return first
    for wider, left_out in whole.wider():
        answer = wider.answer()
        if answer.has_masses:
            place = replace(answer, stale=first.stale, unknown=first.unknown, total=first.total, known=first.known)
            return replace(place, town=first.town, nearby=first.nearby, beyond=first.beyond, left_out=left_out)
    return first


@dataclass(frozen=True, slots=True)
class _Search:
    """What is asked of a generation at a moment."""

    index: OpenIndex
    connection: sqlite3.Connection
    asked: Asked
    now: datetime

    def wider(self) -> Iterator[tuple[_Search, tuple[LeftOut, ...]]]:
        """What is asked with ever more left out: first hours and days, then the church, the town, last the language or kind.

        Of a church that is named the language or kind goes before the church, of a feast it goes before the days; a wish like
        "for children" goes before the surroundings of the place are left.
        """
        asked = self.asked
        without_filters: list[tuple[Filters, tuple[LeftOut, ...]]] = [(asked.filters, ())]
        fewer = [replace(asked.filters, kind=None)] if asked.is_wish else []
        without_filters += [(one, ("filters",)) for one in dict.fromkeys((*fewer, NO_FILTERS)) if asked.filters.are_set]
        places = list(self._wider_places())
        times = self._wider_times()
        steps = list(product(without_filters, places, times))
        if asked.parish_ids:
            steps.sort(key=lambda step: len(step[1][1]))
        if asked.is_of_feast:
            steps.sort(key=lambda step: "days" in step[2][1])
        for (filters, no_filter), (place, no_place), (time_asked, no_time) in steps:
            left_out = (*no_filter, *no_place, *no_time)
            if left_out and not (filters.kind in _WISHES and "radius" in no_place):
                yield replace(self, asked=replace(time_asked, filters=filters, **place)), left_out

    def _wider_times(self) -> list[tuple[Asked, tuple[LeftOut, ...]]]:
        """The days and hours asked for; the days at any hour; the soonest day of a week, with the hours and without.

        The week begins with the days asked for; last with today, since days far ahead are not laid out.
        """
        asked, now = self.asked, self.now
        has_hours = asked.start is not None or asked.end is not None
        days_left_out: tuple[LeftOut, ...] = ("order",) if asked.standing is not None else ("days",)
        today, first = now.date(), max([now.date(), *asked.days[:1]])
        found: list[tuple[Asked, tuple[LeftOut, ...]]] = [(asked, ())]
        if asked.start is not None and asked.start == asked.end:
            found.append((_around_hour(asked, asked.start), ("hours",)))
            found.append((replace(asked, start=None, end=None, closest_to=asked.start), ("hours",)))
        elif has_hours and not (asked.start and asked.end) and asked.pick is None and asked.standing is None:
            nearest = "last" if asked.start is not None else "first"  # of a day without a Mass after 21:00 the last one
            found.append((replace(asked, start=None, end=None, pick=nearest), ("hours",)))
        elif has_hours:
            found.append((replace(asked, start=None, end=None), ("hours",)))
        for begin in dict.fromkeys((first, today)):
            week = replace(asked, days=_week(begin, _WEEK + 1), standing=None, soonest=True)
            found.append((week, days_left_out))
            if has_hours:
                found.append((replace(week, start=None, end=None), ("hours", *days_left_out)))
        return found

    def _wider_places(self) -> Iterator[tuple[dict[str, Any], tuple[LeftOut, ...]]]:
        """The place asked for; round the part of the town; its whole town; what lies nearest."""
        asked = self.asked
        yield {}, ()
        of_part = self._parishes() if asked.part_ids else []
        points = [one.point for one in of_part if one.point]
        points = points or [one for parish in of_part for one in queries.points_of_postcodes(self.connection, parish.postcode)]
        if points:
            yield {"part_ids": (), "town_key": None, "point": middle(points), "radius_m": _PART_M}, ("part",)
        if asked.part_ids:
            yield {"part_ids": ()}, ("part",)
        parishes = self._parishes() if asked.parish_ids else []
        key = asked.town_key or next((one.town_key for one in parishes), None)
        town = queries.town_of(self.connection, key) if key else None
        if parishes and town is not None:
            yield {"parish_ids": (), "part_ids": (), "town_key": town.key}, ("parish",)
        centre = self._centre(parishes, town)
        if centre is not None:
            yield {"parish_ids": (), "part_ids": (), "town_key": None, "point": centre, "radius_m": None}, ("town",)
        elif asked.point is not None:
            yield {"parish_ids": (), "part_ids": (), "town_key": None, "radius_m": _FAR_M}, ("radius",)

    def _centre(self, parishes: Sequence[ParishRecord], town: Town | None) -> Point | None:
        """Where the parishes or their town lie; else the middle of their neighbours by postcode or deanery."""
        exact = next((one.point for one in parishes if one.point), None) or (town.centre if town else None)
        if exact is not None or town is None:
            return exact
        of_town = queries.parishes_of(self.connection, "town_key", town.key)
        points = next((found for one in of_town if (found := queries.points_of_postcodes(self.connection, one.postcode))), [])
        points = points or queries.points_of_deanery(self.connection, of_town[0])
        return middle(points) if points else None

    def answer(self) -> Answer:
        """What is known that keeps all that is asked."""
        asked = self.asked
        if asked.point is not None and not asked.town_key and not asked.parish_ids:
            return self._near_point()
        if not asked.has_place:
            return self._everywhere()
        town = queries.town_of(self.connection, asked.town_key) if asked.town_key else None
        parishes = self._parishes()
        stale = tuple(one for one in parishes if one.state == "stale")
        unknown = tuple(one for one in parishes if not one.is_known)
        total, known = (town.parishes, town.known) if town else (len(parishes), len(parishes) - len(unknown))
        base = Answer(stale=stale, unknown=unknown, town=town, total=total, known=known)
        if asked.standing is not None:
            return self._with_orders(base, parishes, asked.standing)
        return self._of_place(base, parishes)

    def _parishes(self) -> list[ParishRecord]:
        asked = self.asked
        if asked.parish_ids or asked.part_ids:
            ids = asked.parish_ids or asked.part_ids
            return [one for key in ids if (one := queries.parish(self.connection, key)) is not None]
        return queries.parishes_of(self.connection, "town_key", asked.town_key or "")

    def _with_orders(self, base: Answer, parishes: Sequence[ParishRecord], standing: Standing) -> Answer:
        """The standing orders, with the Masses of the hours, language and kind asked for."""
        asked = self.asked
        known = [one for one in parishes if one.state in IN_TIME_SEARCH and (one.is_accessible or not asked.filters.wheelchair)]
        rules = {one: [rule for rule in queries.rules_of(self.connection, one.pk) if _is_wanted(rule, asked)] for one in known}
        lists = {one: order_lists(found, standing) for one, found in rules.items()}
        if asked.pick in ("first", "last"):
            bound = min if asked.pick == "first" else max
            hours = [mass.row.mass.time for found in lists.values() for order in found for mass in order.masses]
            hour = bound(hours, default="")
            rules = {one: [rule for rule in found if rule.row.mass.time == hour] for one, found in rules.items()}
            lists = {one: order_lists(found, standing) for one, found in rules.items()}
        return replace(base, orders=tuple(ParishOrder(one, tuple(found)) for one, found in lists.items() if found))

    def _of_place(self, base: Answer, parishes: Sequence[ParishRecord]) -> Answer:
        asked, now = self.asked, self.now
        days = asked.days or (_week(now.date()) if asked.is_rare else default_days(now))
        found = self._of_days(parishes, days)
        tomorrow = (now.date() + timedelta(1),)
        later = self._of_days(parishes, tomorrow) if not found and not asked.days else []
        if later:
            days, found = tomorrow, later
        if asked.is_rare and not asked.days and asked.pick is None:
            found.sort(key=lambda one: one.start.weekday() != _SUNDAY)  # where few Masses are in a language, most are on Sunday
        is_around = (base.town or asked.radius_m) and not asked.offset
        nearby = self._round_town(days, base.town, parishes) if is_around else ()
        if asked.radius_m:  # the first or last of the whole surroundings
            both = _picked(sorted((*found, *nearby), key=lambda one: one.minute), asked)
            picked, nearby = [one for one in found if one in both], tuple(one for one in nearby if one in both)
        else:
            picked = _picked(found, asked)
        churches = list(dict.fromkeys(one.parish.pk for one in picked))
        on_page = set(churches[asked.offset : asked.offset + PAGE])
        shown = [one for one in picked if one.parish.pk in on_page]
        return replace(
            base,
            days=tuple(sorted({*days, *(one.start.date() for one in shown)})),
            exact=tuple(shown),
            nearby=nearby,
            more=len(churches) > asked.offset + PAGE,
            is_next_day=bool(later),
            beyond=any(day > queries.last_day(self.index) for day in days),
        )

    def _of_days(self, parishes: Sequence[ParishRecord], days: Sequence[date]) -> list[Found]:
        asked, now = self.asked, self.now
        orders: dict[int, list[MassRecord]] = {}
        found: list[Found] = []
        for day in days:
            if found and asked.soonest and not asked.is_rare:
                break
            first, last = self._window(day)
            if self.index.first_day <= day <= queries.last_day(self.index):
                found += queries.of_parishes(self.index, self.connection, parishes, first, last, asked.filters, asked.point)
            elif abs((day - now.date()).days) <= FARTHEST_DAYS and len(parishes) <= _MOST_PARISHES:
                nights = (day, day + timedelta(1)) if last > queries.minutes_of(self.index, day, _WHOLE_DAY) else (day,)
                for one in (one for night in nights for one in self._worked_out(parishes, night, orders)):
                    if first <= one.minute <= last:
                        found.append(one)
        return list({(one.minute, one.mass.pk): one for one in found}.values())

    def _worked_out(self, parishes: Sequence[ParishRecord], day: date, orders: dict[int, list[MassRecord]]) -> Iterator[Found]:
        """Masses of a day that is not laid out: the same rule, asked now.

        Args:
            orders: rows of parishes read before, by key of the index; filled. None of a parish that states nothing of the kind.
        """
        for one in parishes:
            if one.state in IN_TIME_SEARCH:
                if one.pk not in orders:
                    rules = queries.rules_of(self.connection, one.pk)
                    orders[one.pk] = rules if any(states(rule, self.asked.filters) for rule in rules) else []
                masses = queries.day_of_parish(self.index, one, orders[one.pk], day).masses if orders[one.pk] else ()
                yield from (found for found in masses if fits(found, self.asked.filters))

    def _window(self, day: date) -> tuple[int, int]:
        """First and last minute of a day that is asked for; nothing that has begun by now, unless that is wanted."""
        asked, now = self.asked, self.now
        start, end = asked.start, asked.end
        first = 0 if start is None else start.hour * 60 + start.minute
        is_night = end is None and start is not None and start >= _EVENING
        last = _NIGHT_LASTS if is_night else _WHOLE_DAY if end is None else end.hour * 60 + end.minute
        if start is not None and end is not None and end < start:
            last += MINUTES_A_DAY
        present = 0 if asked.with_past else queries.minutes_of(self.index, now.date(), now.hour * 60 + now.minute)
        return max(queries.minutes_of(self.index, day, first), present), queries.minutes_of(self.index, day, last)

    def _round_town(self, days: Sequence[date], town: Town | None, parishes: Sequence[ParishRecord]) -> tuple[Found, ...]:
        """Masses of the first day round a town, or round some of its churches; those of the place itself left out.

        A few, unless a distance is asked for: then of as many churches as a page has.
        """
        asked = self.asked
        points = [one.point for one in parishes if one.point] if asked.part_ids or asked.parish_ids else []
        centre = middle(points) if points else town.centre if town else None
        if centre is None:
            return ()
        first, last = self._window(days[0])
        limit = (PAGE + len(parishes)) * _OF_A_DAY if asked.radius_m else PAGE * 3
        hits = near(self.connection, centre, first, last, limit=limit, radius_m=asked.radius_m or NEARBY_M, filters=asked.filters)
        own = {one.pk for one in parishes}
        found = queries.of_hits(self.index, self.connection, [hit for hit in hits if hit.parish not in own])
        if not asked.radius_m:
            return tuple(found[: PAGE // 2])
        return tuple(one for masses in list(_by_church(found))[:PAGE] for one in masses)

    def _near_point(self) -> Answer:
        """Masses near a point: of the days and hours asked for; without any the next ones of each church, today and tomorrow."""
        asked, now = self.asked, self.now
        is_next_of_each = not (asked.days or asked.start or asked.end or asked.is_rare)
        days = asked.days or _week(now.date())[: _WEEK if asked.is_rare else 2]
        found = self._nearest(days)
        if is_next_of_each:
            found = [one for masses in _by_church(found) for one in masses[:_OF_A_CHURCH]]
        shown = _picked(sorted(found, key=lambda one: one.minute), asked) if asked.pick or asked.closest_to else found
        pages = _of_whole_churches(shown)
        at = asked.offset // PAGE
        page = pages[at] if at < len(pages) else []
        return Answer(
            days=days,
            exact=tuple(one for one in page if one.parish.is_exact),
            about=tuple(one for one in page if not one.parish.is_exact),
            more=at + 1 < len(pages),
            beyond=any(day > queries.last_day(self.index) for day in days),
            is_next_of_each=is_next_of_each,
        )

    def _nearest(self, days: Sequence[date]) -> list[Found]:
        """Masses by distance: day by day, or of all days where neither a day nor an hour is asked for."""
        asked = self.asked
        assert asked.point is not None
        radius = asked.radius_m or (AROUND_M if asked.is_wish else _FARTHEST_M)
        limit = asked.offset + PAGE + 1
        laid_out = [day for day in days if day <= queries.last_day(self.index)]
        windows = [self._window(day) for day in laid_out]
        if windows and not (asked.days or asked.start or asked.end):
            windows, limit = [(windows[0][0], windows[-1][1])], limit * _OF_A_CHURCH
        found: list[Found] = []
        for first, last in windows:
            if found and asked.soonest and not asked.is_rare:
                break
            hits = near(self.connection, asked.point, first, last, limit=limit, radius_m=radius, filters=asked.filters)
            found += queries.of_hits(self.index, self.connection, hits)
        later = [] if found else [day for day in days if day not in laid_out]
        found += self._worked_out_near(asked.point, radius, later)
        return list({(one.minute, one.mass.pk): one for one in found}.values())

    def _worked_out_near(self, point: Point, radius_m: float, days: Sequence[date]) -> list[Found]:
        """Masses by distance of days that are not laid out: of the nearest churches alone."""
        away = dict(nearest_parishes(self.connection, point, _NEAREST, radius_m)) if days else {}
        parishes = queries.parishes_by_key(self.connection, away)
        found = self._of_days([parishes[pk] for pk in away], days)
        with_distance = [replace(one, distance_m=away[one.parish.pk]) for one in found]
        return sorted(with_distance, key=lambda one: (away[one.parish.pk], one.minute))

    def _everywhere(self) -> Answer:
        """Masses of the whole country with a language or kind that few have; without such a filter nothing."""
        asked, now = self.asked, self.now
        filters = asked.filters
        if not asked.is_rare:
            return Answer(days=asked.days)
        days = asked.days or _week(now.date())
        first = self._window(days[0])[0]
        last = queries.minutes_of(self.index, days[-1], _WHOLE_DAY)
        found = queries.of_all(self.index, self.connection, first, last, filters, asked.offset + PAGE + 1)
        return Answer(days=days, exact=tuple(found[asked.offset : asked.offset + PAGE]), more=len(found) > asked.offset + PAGE)


def _around_hour(asked: Asked, hour: time) -> Asked:
    """A window about an exact hour, within its day."""
    moment = datetime.combine(date.min + timedelta(1), hour)
    start, end = moment - _AROUND[0], moment + _AROUND[1]
    return replace(
        asked,
        start=start.time() if start.date() == moment.date() else time(),
        end=end.time() if end.date() == moment.date() else time(23, 59),
    )


def _week(first: date, days: int = _WEEK) -> tuple[date, ...]:
    return tuple(first + timedelta(ahead) for ahead in range(days))


def default_days(now: datetime) -> tuple[date, ...]:
    """The days of a question that names none: today, on Saturday afternoon tomorrow's Sunday too."""
    today = now.date()
    if today.weekday() == _SATURDAY and now.time() >= _SUNDAY_TOO_FROM:
        return (today, today + timedelta(1))
    return (today,)


def _is_wanted(rule: MassRecord, asked: Asked) -> bool:
    """Whether a row of an order is of the hours, language and kind asked for."""
    hour = rule.row.mass.time
    first, last = f"{asked.start or time():%H:%M}", f"{asked.end:%H:%M}" if asked.end else "24:00"
    in_window = first <= hour <= last if first <= last else hour >= first or hour <= last
    return in_window and states(rule, asked.filters)


def states(mass: MassRecord, filters: Filters) -> bool:
    """Whether the words of a row state the language, kind and rite asked for."""
    return (
        (filters.language is None or mass.language == filters.language)
        and (filters.kind is None or filters.kind in mass.kinds)
        and (filters.rite is None or mass.rite == filters.rite)
    )


def fits(found: Found, filters: Filters) -> bool:
    """Whether a Mass states what is asked for; the same as `Filters.sql` says to the index."""
    mass, parish = found.mass, found.parish
    return (
        states(mass, filters)
        and (not filters.wheelchair or parish.is_accessible)
        and mass.row.confidence >= filters.min_confidence
        and not (filters.exact_season and found.flags & SEASON_DOUBTS)
    )


def _picked(found: list[Found], asked: Asked) -> list[Found]:
    """The first or last of what is found, or what is closest to an hour, day by day."""
    if asked.closest_to is not None:
        hour = asked.closest_to.hour * 60 + asked.closest_to.minute
        away = {one: abs(one.start.hour * 60 + one.start.minute - hour) for one in found}
        least = {day: min(away[one] for one in found if one.start.date() == day) for day in {one.start.date() for one in found}}
        return [one for one in found if away[one] == least[one.start.date()]]
    if not found or asked.pick is None:
        return found
    if asked.pick == "last":
        latest: dict[date, int] = {}
        for one in found:
            latest[one.start.date()] = one.minute
        return [one for one in found if one.minute == latest[one.start.date()]]
    return [one for one in found if one.minute == found[0].minute]


def _of_whole_churches(found: Sequence[Found]) -> list[list[Found]]:
    """Pages of at most `PAGE` Masses, a church on one of them: it has one card, whatever it has of hours."""
    pages: list[list[Found]] = []
    for masses in _by_church(found):
        if not pages or len(pages[-1]) + len(masses) > PAGE:
            pages.append([])
        pages[-1] += masses
    return pages


def _by_church(found: Iterable[Found]) -> Iterable[list[Found]]:
    """The Masses of each church, the churches in the order in which they come first."""
    of_church: dict[int, list[Found]] = {}
    for one in found:
        of_church.setdefault(one.parish.pk, []).append(one)
    return of_church.values()
