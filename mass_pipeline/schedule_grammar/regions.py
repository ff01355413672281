"""When a Mass takes place: for every day and week of the month, the months. The arithmetic of exceptions.

A region maps (day, week of the month) to months. Weeks are 1..5; -1 is the last one, which stands beside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from mass_pipeline.schedule_grammar.nodes import NTH, YEAR, Nth

Cell = tuple[str, int]
Region = dict[Cell, frozenset[int]]

_NAMES: Final = {
    YEAR: "all",
    frozenset({7, 8}): "vacation",
    YEAR - {7, 8}: "school",
    frozenset({5}): "may",
    frozenset({10}): "october",
}
SUMMER: Final = frozenset(range(4, 11))
_NO_MONTHS: Final[frozenset[int]] = frozenset()


def region(days: Iterable[str], months: frozenset[int] = YEAR, weeks: Iterable[int] = NTH) -> Region:
    """The region of these days in these weeks and months."""
    weeks = tuple(weeks)
    return {(day, week): months for day in days for week in weeks}


def region_of_nth(nth: Nth, months: frozenset[int] = YEAR) -> Region:
    """The region of certain weekdays of the month.

    >>> sorted(region_of_nth(Nth((1,), frozenset({"Fr"}), more=(Nth((2,), frozenset({"Su"})),))))
    [('Fr', 1), ('Su', 2)]
    """
    area: Region = {}
    for part in (nth, *nth.more):
        area = unite(area, region(part.days, months, part.ordinals))
    return area


def subtract(base: Region, other: Mapping[Cell, frozenset[int]]) -> Region:
    """What is left of a region.

    >>> subtract(region(["We"]), region(["We"], frozenset({7, 8})))[("We", 1)] == YEAR - {7, 8}
    True
    """
    left = {cell: months - other.get(cell, _NO_MONTHS) for cell, months in base.items()}
    return {cell: months for cell, months in left.items() if months}


def intersect(base: Region, other: Mapping[Cell, frozenset[int]]) -> Region:
    """What both regions have in common."""
    both = {cell: months & other.get(cell, _NO_MONTHS) for cell, months in base.items()}
    return {cell: months for cell, months in both.items() if months}


def is_within(area: Region, other: Mapping[Cell, frozenset[int]]) -> bool:
    """Whether `subtract` would leave nothing.

    >>> is_within(region(["We"], frozenset({7, 8})), region(["We"])), is_within(region(["We", "Th"]), region(["We"]))
    (True, False)
    """
    return all(months <= other.get(cell, _NO_MONTHS) for cell, months in area.items())


def overlap(area: Region, other: Mapping[Cell, frozenset[int]]) -> bool:
    """Whether `intersect` would have anything.

    >>> overlap(region(["We", "Th"]), region(["We"])), overlap(region(["We"], frozenset({7})), region(["We"], frozenset({8})))
    (True, False)
    """
    return any(not months.isdisjoint(other.get(cell, _NO_MONTHS)) for cell, months in area.items())


def unite(base: Region, other: Mapping[Cell, frozenset[int]]) -> Region:
    """What either region has."""
    merged = dict(base)
    for cell, months in other.items():
        merged[cell] = merged.get(cell, _NO_MONTHS) | months
    return merged


def days_of(area: Mapping[Cell, frozenset[int]]) -> frozenset[str]:
    """Days on which anything is left."""
    return frozenset(day for (day, _), months in area.items() if months)


def months_of(area: Mapping[Cell, frozenset[int]]) -> frozenset[int]:
    """Months in which anything is left."""
    return frozenset().union(*area.values())


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
