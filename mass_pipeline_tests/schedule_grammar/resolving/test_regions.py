"""Regions: the arithmetic of days, weeks and months is that of sets."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.model.records import DAYS
from mass_pipeline.schedule_grammar.parsing.nodes import NTH, YEAR
from mass_pipeline.schedule_grammar.resolving.regions import (
    NOWHERE,
    Region,
    alike,
    cells_of,
    days_of,
    holds_every_week,
    in_months,
    is_within,
    months_of,
    moved_to,
    on_days,
    overlap,
    region,
    subtract,
)

Moments = frozenset[tuple[str, int, int]]

_PARTS = st.lists(
    st.tuples(
        st.frozensets(st.sampled_from(DAYS), max_size=3),
        st.frozensets(st.sampled_from(sorted(YEAR)), min_size=1, max_size=4),
        st.frozensets(st.sampled_from((*NTH, -1)), max_size=6),
    ),
    max_size=3,
)
REGIONS = _PARTS.map(lambda parts: sum_of(region(days, months, weeks) for days, months, weeks in parts))


def sum_of(parts: object) -> Region:
    area = NOWHERE
    for part in parts:  # type: ignore[attr-defined]
        area |= part
    return area


def moments(area: Region) -> Moments:
    return frozenset((day, week, month) for (day, week), months in cells_of(area).items() for month in months)


class TestArithmetic:
    @given(REGIONS, REGIONS)
    def test_is_that_of_sets(self, one: Region, other: Region) -> None:
        ours, theirs = moments(one), moments(other)

        assert moments(subtract(one, other)) == ours - theirs
        assert moments(one | other) == ours | theirs
        assert is_within(one, other) == (ours <= theirs)
        assert overlap(one, other) == bool(ours & theirs)

    @given(REGIONS)
    def test_tells_days_weeks_and_months(self, area: Region) -> None:
        there = moments(area)

        assert days_of(area) == {day for day, _, _ in there}
        assert months_of(area) == {month for _, _, month in there}
        assert holds_every_week(area) == ({week for _, week, _ in there} >= set(NTH))

    @given(REGIONS, st.sampled_from(DAYS))
    def test_narrows_and_moves(self, area: Region, day: str) -> None:
        there = moments(area)

        assert moments(on_days(area, (day,))) == {moment for moment in there if moment[0] == day}
        assert moments(in_months(area, frozenset({7, 8}))) == {moment for moment in there if moment[2] in (7, 8)}
        assert moments(moved_to(area, day, "PH")) == {("PH", week, month) for other, week, month in there if other == day}

    @given(REGIONS)
    def test_what_is_alike_makes_up_the_whole(self, area: Region) -> None:
        parts = [region(days, months, nth or NTH) for nth, months, days in alike(area)]

        assert sum_of(parts) & ~region(DAYS, YEAR, (-1,)) == area & ~region(DAYS, YEAR, (-1,))
