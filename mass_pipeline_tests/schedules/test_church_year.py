"""Days of the Church's year, against printed calendars."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.extraction.changes.feasts import advent
from mass_pipeline.schedules.church_year import is_abolished_feast, is_holy_day, is_in_season, is_nth


class TestFeasts:
    @pytest.mark.parametrize("day", ["2026-06-04", "2027-05-27", "2026-01-06", "2026-12-25"])
    def test_holy_days_of_obligation(self, day: str) -> None:
        assert is_holy_day(date.fromisoformat(day))

    @pytest.mark.parametrize("day", ["2026-02-18", "2026-04-06", "2026-05-25", "2026-12-08"])
    def test_abolished_feasts(self, day: str) -> None:
        assert is_abolished_feast(date.fromisoformat(day))
        assert not is_holy_day(date.fromisoformat(day))


class TestSeasons:
    @pytest.mark.parametrize(("year", "day"), [(2022, "11-27"), (2023, "12-03"), (2024, "12-01"), (2026, "11-29")])
    def test_advent_begins_on_the_fourth_sunday_before_christmas(self, year: int, day: str) -> None:
        assert advent(year).isoformat() == f"{year}-{day}"

    @given(st.integers(1900, 2199))
    def test_advent_always_begins_on_a_sunday_between_27_november_and_3_december(self, year: int) -> None:
        assert advent(year).weekday() == 6
        assert date(year, 11, 27) <= advent(year) <= date(year, 12, 3)

    def test_lent_ends_before_easter_and_visits_run_over_the_new_year(self) -> None:
        assert is_in_season(date(2026, 4, 4), "lent")
        assert not is_in_season(date(2026, 4, 5), "lent")
        assert is_in_season(date(2026, 12, 28), "christmasvisits")
        assert is_in_season(date(2026, 1, 15), "christmasvisits")
        assert not is_in_season(date(2026, 12, 25), "christmasvisits")

    def test_a_season_that_is_not_told_is_neither_in_nor_out(self) -> None:
        assert is_in_season(date(2026, 4, 4), "custom") is None


class TestOrdinals:
    @given(st.dates(date(1990, 1, 1), date(2100, 1, 1)))
    def test_each_day_is_the_last_of_its_kind_or_there_is_one_more_in_the_month(self, day: date) -> None:
        assert is_nth(day, (-1,)) == ((day + timedelta(7)).month != day.month)
        assert sum(is_nth(day, (n,)) for n in range(1, 6)) == 1
