"""From what was asked to what is answered: places, days and filters in, lists of Masses and of what is not known out.

Nothing is guessed: without a place nothing is searched unless a language or kind is asked for, and parishes without an order are
listed, not left out.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Final

from mass_pipeline.finding.expansion import MINUTES_A_DAY, SEASON_DOUBTS
from mass_pipeline.finding.freshness import IN_TIME_SEARCH
from mass_pipeline.finding.gazetteer import Point
from mass_pipeline.finding.index import queries
from mass_pipeline.finding.index.library import OpenIndex
from mass_pipeline.finding.index.queries import Town
from mass_pipeline.finding.index.records import Found, ParishRecord
from mass_pipeline.finding.nearby import Filters, near
from mass_pipeline.finding.order import OrderList, Standing, order_lists

NO_FILTERS: Final = Filters()
PAGE: Final = 20  # Masses on a page of results
NEARBY_M: Final = 10_000.0  # "also within": round a town
NEAR_WINDOW_MINUTES: Final = 180
_SATURDAY: Final = 5
_SUNDAY_TOO_FROM: Final = time(15)  # on Saturday from then on tomorrow's Sunday is listed too
_FARTHEST_DAYS: Final = 400  # days ahead that are worked out on request, for the parishes of one town
_MOST_PARISHES: Final = 400  # of one town, for such days
_WHOLE_DAY: Final = MINUTES_A_DAY - 1
_EVENING: Final = time(20)  # an open window from then on lasts into the night: Midnight Mass begins on the next date
_NIGHT_LASTS: Final = MINUTES_A_DAY + 2 * 60


@dataclass(frozen=True, slots=True)
class Asked:
    """What is searched for.

    Attributes:
        town_key, parish_ids: where; or point: from where, with radius_m.
        days: local dates; () for the default: today from now, on Saturday afternoon Sunday too.
        start, end: local clock, inclusive; end before start passes midnight.
        standing: the standing order is asked for, not dates.
        pick: first, last, or next of what is found.
        offset: how many Masses earlier pages have shown.
    """

    town_key: str | None = None
    parish_ids: tuple[str, ...] = ()
    point: Point | None = None
    radius_m: float | None = None
    days: tuple[date, ...] = ()
    start: time | None = None
    end: time | None = None
    standing: Standing | None = None
    pick: str | None = None
    filters: Filters = NO_FILTERS
    offset: int = 0

    @property
    def has_place(self) -> bool:
        """Whether it says where."""
        return bool(self.town_key or self.parish_ids or self.point)


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


def search(index: OpenIndex, connection: sqlite3.Connection, asked: Asked, now: datetime) -> Answer:
    """Answer what is asked.

    Args:
        index, connection: the generation in force and a connection of it.
        asked: what is searched for.
        now: local wall clock, without zone.
    """
    if asked.point is not None and not asked.town_key and not asked.parish_ids:
        return _near_point(index, connection, asked, now)
    if not asked.has_place:
        return _everywhere(index, connection, asked, now)
    town = queries.town_of(connection, asked.town_key) if asked.town_key else None
    parishes = _parishes(connection, asked)
    stale = tuple(one for one in parishes if one.state == "stale")
    unknown = tuple(one for one in parishes if not one.is_known)
    base = Answer(stale=stale, unknown=unknown, town=town, total=len(parishes), known=len(parishes) - len(unknown))
    if asked.standing is not None:
        return _with_orders(connection, base, parishes, asked.standing)
    return _of_place(index, connection, asked, now, base, parishes)


def default_days(now: datetime) -> tuple[date, ...]:
    """The days of a question that names none: today, on Saturday afternoon tomorrow's Sunday too."""
    today = now.date()
    if today.weekday() == _SATURDAY and now.time() >= _SUNDAY_TOO_FROM:
        return (today, today + timedelta(1))
    return (today,)


def _parishes(connection: sqlite3.Connection, asked: Asked) -> list[ParishRecord]:
    if asked.parish_ids:
        return [one for key in asked.parish_ids if (one := queries.parish(connection, key)) is not None]
    return queries.parishes_of(connection, "town_key", asked.town_key or "")


def _with_orders(connection: sqlite3.Connection, base: Answer, parishes: Sequence[ParishRecord], standing: Standing) -> Answer:
    orders = []
    for one in parishes:
        lists = tuple(order_lists(queries.rules_of(connection, one.pk), standing)) if one.state in IN_TIME_SEARCH else ()
        if lists:
            orders.append(ParishOrder(one, lists))
    return replace(base, orders=tuple(orders))


def _of_place(
    index: OpenIndex, connection: sqlite3.Connection, asked: Asked, now: datetime, base: Answer, parishes: Sequence[ParishRecord]
) -> Answer:
    days = asked.days or default_days(now)
    found = _of_days(index, connection, parishes, days, asked, now)
    tomorrow = (now.date() + timedelta(1),)
    may_be_next_day = not found and not asked.days and asked.start is None
    later = _of_days(index, connection, parishes, tomorrow, asked, now) if may_be_next_day else []
    is_next_day = bool(later) or (may_be_next_day and not asked.filters.are_set)
    if is_next_day:
        days, found = tomorrow, later
    picked = _picked(found, asked.pick)
    shown = picked[asked.offset : asked.offset + PAGE]
    centre = base.town.centre if base.town else None
    nearby = _round_town(index, connection, asked, days, now, centre) if centre and not asked.offset else ()
    return replace(
        base,
        days=tuple(sorted({*days, *(one.start.date() for one in shown)})),
        exact=tuple(shown),
        nearby=nearby,
        more=len(picked) > asked.offset + PAGE,
        is_next_day=is_next_day,
        beyond=any(day > queries.last_day(index) for day in days),
    )


def _of_days(
    index: OpenIndex,
    connection: sqlite3.Connection,
    parishes: Sequence[ParishRecord],
    days: Sequence[date],
    asked: Asked,
    now: datetime,
) -> list[Found]:
    found: list[Found] = []
    for day in days:
        first, last = _window(index, day, asked, now)
        if index.first_day <= day <= queries.last_day(index):
            found += queries.of_parishes(index, connection, parishes, first, last, asked.filters, asked.point)
        elif abs((day - now.date()).days) <= _FARTHEST_DAYS and len(parishes) <= _MOST_PARISHES:
            nights = (day, day + timedelta(1)) if last > queries.minutes_of(index, day, _WHOLE_DAY) else (day,)
            for one in (one for night in nights for one in _worked_out(index, connection, parishes, night, asked.filters)):
                if first <= one.minute <= last:
                    found.append(one)
    return list({(one.minute, one.mass.pk): one for one in found}.values())


def _worked_out(
    index: OpenIndex, connection: sqlite3.Connection, parishes: Sequence[ParishRecord], day: date, filters: Filters
) -> Iterator[Found]:
    """Masses of a day that is not laid out: the same rule, asked now."""
    for one in parishes:
        if one.state in IN_TIME_SEARCH:
            masses = queries.day_of_parish(index, one, queries.rules_of(connection, one.pk), day).masses
            yield from (found for found in masses if fits(found, filters))


def fits(found: Found, filters: Filters) -> bool:
    """Whether a Mass states what is asked for; the same as `Filters.sql` says to the index."""
    mass, parish = found.mass, found.parish
    return (
        (filters.language is None or mass.language == filters.language)
        and (filters.kind is None or filters.kind in mass.kinds)
        and (filters.rite is None or mass.rite == filters.rite)
        and (not filters.wheelchair or parish.wheelchair in ("yes", "limited"))
        and mass.row.confidence >= filters.min_confidence
        and not (filters.exact_season and found.flags & SEASON_DOUBTS)
    )


def _window(index: OpenIndex, day: date, asked: Asked, now: datetime) -> tuple[int, int]:
    """First and last minute of a day that is asked for; today without hours: from now."""
    start, end = asked.start, asked.end
    if start is None and day == now.date() and not (asked.days and asked.end is not None):
        start = now.time().replace(second=0, microsecond=0)
    first = 0 if start is None else start.hour * 60 + start.minute
    is_night = end is None and start is not None and start >= _EVENING
    last = _NIGHT_LASTS if is_night else _WHOLE_DAY if end is None else end.hour * 60 + end.minute
    if start is not None and end is not None and end < start:
        last += MINUTES_A_DAY
    return queries.minutes_of(index, day, first), queries.minutes_of(index, day, last)


def _picked(found: list[Found], pick: str | None) -> list[Found]:
    if not found or pick is None:
        return found
    if pick == "last":
        latest: dict[date, int] = {}
        for one in found:
            latest[one.start.date()] = one.minute
        return [one for one in found if one.minute == latest[one.start.date()]]
    return [one for one in found if one.minute == found[0].minute]


def _round_town(
    index: OpenIndex, connection: sqlite3.Connection, asked: Asked, days: Sequence[date], now: datetime, centre: Point
) -> tuple[Found, ...]:
    """Masses of the first day round a town, those of the town itself left out."""
    first, last = _window(index, days[0], asked, now)
    hits = near(connection, centre, first, last, limit=PAGE * 3, radius_m=NEARBY_M, filters=asked.filters)
    found = queries.of_hits(index, connection, hits)
    return tuple(one for one in found if one.parish.town_key != asked.town_key)[: PAGE // 2]


def _near_point(index: OpenIndex, connection: sqlite3.Connection, asked: Asked, now: datetime) -> Answer:
    assert asked.point is not None
    days = asked.days or (now.date(),)
    found: list[Found] = []
    for day in days:
        first, last = _window(index, day, asked, now)
        if not asked.days and asked.start is None and asked.end is None and not asked.filters.are_set:
            last = first + NEAR_WINDOW_MINUTES
        limit = asked.offset + PAGE + 1
        radius = asked.radius_m or 100_000.0
        hits = near(connection, asked.point, first, last, limit=limit, radius_m=radius, filters=asked.filters)
        found += queries.of_hits(index, connection, hits)
    shown = _picked(sorted(found, key=lambda one: one.minute), asked.pick) if asked.pick else found
    page = shown[asked.offset : asked.offset + PAGE]
    return Answer(
        days=days,
        exact=tuple(one for one in page if one.parish.is_exact),
        about=tuple(one for one in page if not one.parish.is_exact),
        more=len(shown) > asked.offset + PAGE,
        beyond=any(day > queries.last_day(index) for day in days),
    )


def _everywhere(index: OpenIndex, connection: sqlite3.Connection, asked: Asked, now: datetime) -> Answer:
    """Masses of the whole country with a language or kind that few have; without such a filter nothing."""
    filters = asked.filters
    if not (filters.language or filters.kind or filters.rite):
        return Answer(days=asked.days)
    days = asked.days or tuple(now.date() + timedelta(offset) for offset in range(7))
    first = _window(index, days[0], asked, now)[0]
    last = queries.minutes_of(index, days[-1], _WHOLE_DAY)
    found = queries.of_all(index, connection, first, last, filters, asked.offset + PAGE + 1)
    return Answer(days=days, exact=tuple(found[asked.offset : asked.offset + PAGE]), more=len(found) > asked.offset + PAGE)
