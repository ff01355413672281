"""Regions: the arithmetic of days, weeks and days of the year is that of sets."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.model.dates_of_year import YEAR, DatesOfYear, joined, span
from mass_pipeline.model.records import DAYS
from mass_pipeline.reading.phrases.nodes import NTH
from mass_pipeline.reading.validity.regions import (
    NOWHERE,
    Region,
    alike,
    cells_of,
    dates_of,
    days_of,
    holds_every_week,
    in_any_week,
    moved_to,
    on_dates,
    on_days,
    region,
)

Moments = frozenset[tuple[str, int, DatesOfYear]]
SUMMER_HOLIDAYS = span((6, 26), (8, 31))
PARTS = [span((1, 1), (2, 11)), span((2, 12), (6, 25)), SUMMER_HOLIDAYS, span((9, 1), (10, 15)), span((10, 16), (12, 31))]

_PARTS = st.lists(
    st.tuples(
        st.frozensets(st.sampled_from(DAYS), max_size=3),
        st.lists(st.sampled_from(PARTS), min_size=1, max_size=4).map(joined),
        st.frozensets(st.sampled_from((*NTH, -1)), max_size=6),
    ),
    max_size=3,
)
REGIONS = _PARTS.map(lambda parts: sum_of(region(days, dates, weeks) for days, dates, weeks in parts))


def sum_of(parts: object) -> Region:
    area = NOWHERE
    for part in parts:  # type: ignore[attr-defined]
        area |= part
    return area


def moments(area: Region) -> Moments:
    return frozenset((day, week, part) for (day, week), dates in cells_of(area).items() for part in PARTS if dates & part)


class TestArithmetic:
    @given(REGIONS, REGIONS)
    def test_is_that_of_sets(self, one: Region, other: Region) -> None:
        ours, theirs = moments(one), moments(other)

        assert moments(one & ~other) == ours - theirs
        assert moments(one | other) == ours | theirs
        assert (not one & ~other) == (ours <= theirs)
        assert bool(one & other) == bool(ours & theirs)

    @given(REGIONS)
    def test_tells_days_weeks_and_dates(self, area: Region) -> None:
        there = moments(area)

        assert days_of(area) == {day for day, _, _ in there}
        assert dates_of(area) == joined(part for _, _, part in there)
        assert moments(in_any_week(area)) == {(day, 1, part) for day, _, part in there}
        assert holds_every_week(area) == ({week for _, week, _ in there} >= set(NTH))

    @given(REGIONS, st.sampled_from(DAYS))
    def test_narrows_and_moves(self, area: Region, day: str) -> None:
        there = moments(area)

        assert moments(on_days(area, (day,))) == {moment for moment in there if moment[0] == day}
        assert moments(on_dates(area, SUMMER_HOLIDAYS)) == {moment for moment in there if moment[2] == SUMMER_HOLIDAYS}
        assert moments(moved_to(area, day, "PH")) == {("PH", week, part) for other, week, part in there if other == day}

    @given(REGIONS)
    def test_what_is_alike_makes_up_the_whole(self, area: Region) -> None:
        parts = [region(days, dates, nth or NTH) for nth, dates, days in alike(area)]

        assert sum_of(parts) & ~region(DAYS, YEAR, (-1,)) == area & ~region(DAYS, YEAR, (-1,))
