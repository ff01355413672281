"""Days of the year: spans and seasons say exactly the days they were made from."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.model.dates_of_year import (
    NO_DATES,
    SUMMER,
    WINTER,
    YEAR,
    MonthDay,
    dates_of_season,
    holds,
    joined,
    seasons_of,
    span,
    spans,
)

DAYS = [(day.month, day.day) for day in (date(2028, 1, 1) + timedelta(n) for n in range(366))]
days = st.sampled_from(DAYS)
sets = st.lists(st.tuples(days, days), min_size=1, max_size=4).map(lambda pairs: joined(span(*pair) for pair in pairs))


class TestSpan:
    @given(days, days)
    def test_it_holds_both_ends_and_what_is_between_over_new_year_too(self, first: MonthDay, last: MonthDay) -> None:
        end = (2, 29) if last == (2, 28) else last
        within = [day for day in DAYS if (first <= day <= end if first <= end else day >= first or day <= end)]

        assert [day for day in DAYS if holds(span(first, last), day)] == within

    def test_february_ends_on_either_of_its_last_days(self) -> None:
        assert span((11, 1), (2, 28)) == span((11, 1), (2, 29))

    def test_a_day_that_no_year_has_is_refused(self) -> None:
        with pytest.raises(ValueError, match="no year has day 31 of month 9"):
            span((5, 1), (9, 31))


class TestSeasonsOf:
    @given(sets)
    def test_seasons_together_say_the_days(self, dates: int) -> None:
        said = [dates_of_season(days or season) for season, days in seasons_of(dates)]

        assert joined(one or NO_DATES for one in said) == dates
        assert all(one is not None for one in said)

    @given(sets)
    def test_spans_say_the_days_and_touch_nowhere(self, dates: int) -> None:
        found = spans(dates)

        assert joined(span(*one) for one in found) == dates
        assert sum(span(*one).bit_count() for one in found) == dates.bit_count()

    def test_halves_of_the_year_are_named_where_the_source_names_them(self) -> None:
        assert [seasons_of(one, summer_named=True) for one in (SUMMER, WINTER)] == [[("summer", "")], [("winter", "")]]
        assert [seasons_of(one) for one in (SUMMER, WINTER)] == [[("04-10", "")], [("11-03", "")]]
        assert seasons_of(YEAR) == [("all", "")]

    @pytest.mark.parametrize(
        ("first", "last", "season"),
        [((5, 12), (9, 20), "custom"), ((5, 3), (9, 28), "05-09"), ((9, 1), (6, 25), "school"), ((6, 25), (7, 5), "custom")],
    )
    def test_the_token_is_that_of_the_nearest_months(self, first: MonthDay, last: MonthDay, season: str) -> None:
        """Ten days of a month are few, a span shorter than its rounding has no months."""
        (told,) = seasons_of(span(first, last))

        assert told[0] == season
        assert dates_of_season(told[1]) == span(first, last)
