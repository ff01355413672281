"""When a Mass takes place: for every day and week of the month, the months. The arithmetic of exceptions.

A region is a set of (day, week of the month, month). Weeks are 1..5; -1 is the last one, which stands beside them. It is
written as one whole number with a bit for each of the 648, so that taking away, comparing and joining are one operation
each: a list of hundreds of hours compares each hour with all before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from mass_pipeline.model.records import DAYS
from mass_pipeline.schedule_grammar.parsing.nodes import NTH, YEAR, Nth

Region = int

NOWHERE: Final[Region] = 0
_MONTHS: Final = 12
_CELL: Final = (1 << _MONTHS) - 1  # all months of one day in one week
_WEEKS: Final = (*NTH, -1)
_SHIFTS: Final[dict[tuple[str, int], int]] = {
    (day, week): _MONTHS * (row * len(_WEEKS) + column) for row, day in enumerate(DAYS) for column, week in enumerate(_WEEKS)
}
_EVERY_CELL: Final = sum(1 << shift for shift in _SHIFTS.values())  # January of each
_OF_DAY: Final[dict[str, int]] = {day: sum(_CELL << _SHIFTS[day, week] for week in _WEEKS) for day in DAYS}
_BEGINNINGS: Final[dict[str, int]] = {day: sum(1 << _SHIFTS[day, week] for week in NTH) for day in DAYS}  # January of each
_OF_WEEK: Final = {week: sum(_CELL << _SHIFTS[day, week] for day in DAYS) for week in _WEEKS}
_FIVE_WEEKS: Final = tuple(_OF_WEEK[week] for week in NTH)
_OF_MONTH: Final = {month: _EVERY_CELL << (month - 1) for month in range(1, _MONTHS + 1)}
_MOST_KEPT: Final = 4096  # regions whose days and months are remembered; few are ever met

_NAMES: Final = {
    YEAR: "all",
    frozenset({7, 8}): "vacation",
    YEAR - {7, 8}: "school",
    frozenset({5}): "may",
    frozenset({10}): "october",
}
SUMMER: Final = frozenset(range(4, 11))
_SEASONS: Final[Mapping[str, frozenset[int]]] = {
    **{token: months for months, token in _NAMES.items()},
    "summer": SUMMER,
    "winter": YEAR - SUMMER,
}
_OVERLAYS: Final = frozenset({"advent", "lent", "christmasvisits", "custom"})


def region(days: Iterable[str], months: frozenset[int] = YEAR, weeks: Iterable[int] = NTH) -> Region:
    """The region of these days in these weeks and months."""
    cells = 0
    if weeks is NTH:  # of most hours
        for day in days:
            cells |= _BEGINNINGS[day]
        return cells * _bits(months)
    weeks = tuple(weeks)
    for day in days:
        for week in weeks:
            cells |= 1 << _SHIFTS[day, week]
    return cells * _bits(months)


def _bits(months: frozenset[int]) -> int:
    return _CELL if months is YEAR else sum(1 << (month - 1) for month in months)


def region_of_nth(nth: Nth, months: frozenset[int] = YEAR) -> Region:
    """The region of certain weekdays of the month.

    >>> cells_of(region_of_nth(Nth((1,), frozenset({"Fr"}), more=(Nth((2,), frozenset({"Su"})),)))) == {
    ...     ("Fr", 1): YEAR, ("Su", 2): YEAR}
    True
    """
    area = NOWHERE
    for part in (nth, *nth.more):
        area |= region(part.days, months, part.ordinals)
    return area


def subtract(base: Region, other: Region) -> Region:
    """What is left of a region.

    >>> cells_of(subtract(region(["We"]), region(["We"], frozenset({7, 8}))))[("We", 1)] == YEAR - {7, 8}
    True
    """
    return base & ~other


def union_of(areas: Iterable[Region]) -> Region:
    """All that lies in any of the regions."""
    whole = NOWHERE
    for area in areas:
        whole |= area
    return whole


def with_last_weeks(area: Region) -> Region:
    """The region with the last week of each day that it holds in every week.

    >>> on_weeks = region_of_nth(Nth((1, -1), frozenset({"Sa"})))
    >>> with_last_weeks(region(["Sa"])) & on_weeks == on_weeks
    True
    """
    for day in DAYS:
        months = _CELL
        for week in NTH:
            months &= area >> _SHIFTS[day, week]
        area |= months << _SHIFTS[day, -1]
    return area


def is_within(area: Region, other: Region) -> bool:
    """Whether `subtract` would leave nothing.

    >>> is_within(region(["We"], frozenset({7, 8})), region(["We"])), is_within(region(["We", "Th"]), region(["We"]))
    (True, False)
    """
    return not area & ~other


def overlap(area: Region, other: Region) -> bool:
    """Whether the regions have anything in common.

    >>> overlap(region(["We", "Th"]), region(["We"])), overlap(region(["We"], frozenset({7})), region(["We"], frozenset({8})))
    (True, False)
    """
    return area & other != 0


def in_months(area: Region, months: frozenset[int]) -> Region:
    """What lies in these months."""
    return area & (_EVERY_CELL * _bits(months))


def on_days(area: Region, days: Iterable[str]) -> Region:
    """What lies on these days."""
    return area & sum(_OF_DAY[day] for day in days)


def moved_to(area: Region, day: str, other: str) -> Region:
    """What lies on a day, on another day instead.

    >>> moved_to(region(["Su", "Mo"]), "Su", "PH") == region(["PH"])
    True
    """
    return ((area & _OF_DAY[day]) >> _SHIFTS[day, 1]) << _SHIFTS[other, 1]


def likened(area: Region, day: str, other: str) -> Region:
    """The region with what it says of a day said of another day too, in each week in which it says anything of the first.

    >>> likened(region(["Su"], frozenset({7})) | region(["PH"]), "Su", "PH") == region(["Su", "PH"], frozenset({7}))
    True
    """
    for week in _WEEKS:
        months = (area >> _SHIFTS[day, week]) & _CELL
        if months:
            area = (area & ~(_CELL << _SHIFTS[other, week])) | (months << _SHIFTS[other, week])
    return area


@lru_cache(maxsize=_MOST_KEPT)
def days_of(area: Region) -> frozenset[str]:
    """Days on which anything is left."""
    return frozenset([day for day in DAYS if area & _OF_DAY[day]])


@lru_cache(maxsize=_MOST_KEPT)
def months_of(area: Region) -> frozenset[int]:
    """Months in which anything is left."""
    return frozenset([month for month, mask in _OF_MONTH.items() if area & mask])


def holds_every_week(area: Region) -> bool:
    """Whether something is left in each of the five weeks: no Mass of first Fridays."""
    return all(area & week != 0 for week in _FIVE_WEEKS)


@lru_cache(maxsize=_MOST_KEPT)
def cells_of(area: Region) -> dict[tuple[str, int], frozenset[int]]:
    """(day, week) -> months, of what is left, in the order of the calendar, the last week after the fifth. Not to be changed."""
    months = {cell: months_of(area & (_CELL << shift)) for cell, shift in _SHIFTS.items() if area & (_CELL << shift)}
    return {(day, week): months[day, week] for day in DAYS for week in _WEEKS if (day, week) in months}


@lru_cache(maxsize=_MOST_KEPT)
def alike(area: Region) -> tuple[tuple[tuple[int, ...] | None, frozenset[int], frozenset[str]], ...]:
    """Weeks (None for all five), months and days of each set of days that share weeks and months, in calendar order."""
    weeks_of: dict[tuple[str, frozenset[int]], list[int]] = {}
    for (day, week), months in cells_of(area).items():
        weeks_of.setdefault((day, months), []).append(week)
    groups: dict[tuple[tuple[int, ...] | None, frozenset[int]], set[str]] = {}
    for (day, months), weeks in weeks_of.items():
        nth = None if set(weeks) >= set(NTH) else tuple(weeks)
        groups.setdefault((nth, months), set()).add(day)
    return tuple((nth, months, frozenset(days)) for (nth, months), days in groups.items())


def season_tokens(months: frozenset[int], *, summer_named: bool = False) -> list[str]:
    """Season tokens that together make up these months, in calendar order.

    Args:
        months: not empty.
        summer_named: the source said summer or winter, so April to October is `summer` and not `04-10`.

    >>> season_tokens(frozenset({11, 12, 1, 2})), season_tokens(YEAR - {5}), season_tokens(frozenset({1, 3}))
    (['11-02'], ['06-04'], ['01-01', '03-03'])
    """
    if months in _NAMES:
        return [_NAMES[months]]
    if summer_named and months in (SUMMER, YEAR - SUMMER):
        return ["summer" if months == SUMMER else "winter"]
    starts = [m for m in sorted(months) if (m - 2) % 12 + 1 not in months]
    tokens: list[str] = []
    for start in starts:
        end = start
        while end % 12 + 1 in months:
            end = end % 12 + 1
        tokens.append(_NAMES.get(frozenset({start}), f"{start:02d}-{end:02d}") if start == end else f"{start:02d}-{end:02d}")
    return tokens


def months_of_season(season: str) -> frozenset[int] | None:
    """Months of a season token; None for overlays, which have none of their own.

    >>> sorted(months_of_season("10-03") or ())
    [1, 2, 3, 10, 11, 12]
    """
    if season in _SEASONS:
        return _SEASONS[season]
    if season in _OVERLAYS:
        return None
    first, last = (int(part) for part in season.split("-"))
    return frozenset((first - 1 + step) % 12 + 1 for step in range((last - first) % 12 + 1))
