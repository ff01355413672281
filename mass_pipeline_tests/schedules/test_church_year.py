"""Days of the Church's year, against printed calendars."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.reading.words.church_calendar import advent
from mass_pipeline.schedules.church_year import (
    is_abolished_feast,
    is_holy_day,
    is_in_season,
    is_kept_as_sunday,
    is_nth,
    is_transferred_feast,
    is_without_mass,
    season_certainty,
)

# Days on which feasts are kept that another day displaced, 2020 to 2060: 19 March by romcal 3.0.0-dev.116 with its calendar of
# Poland, in Holy Week (2035, 2046) by Notitiae 2006, 96; 8 December by the same romcal; 3 May by announcements of parishes.
MOVED = {
    (3, 19): (
        "2023-03-20 2028-03-20 2034-03-20 2035-03-17 2045-03-20 2046-03-17 2051-03-20 2056-03-20"
    ),
    (5, 3): "2020-05-02 2026-05-02 2037-05-02 2043-05-02 2048-05-02 2054-05-02",
    (12, 8): "2024-12-09 2030-12-09 2041-12-09 2047-12-09 2052-12-09 2058-12-09",
}  # fmt: skip


EVERY_DAY = [date(2026, 1, 1) + timedelta(n) for n in range(365)]


def periods(days: Iterable[date]) -> str:
    """Days in order as the first and the last of each stretch."""
    found: list[list[date]] = []
    for day in days:
        if found and day - found[-1][-1] == timedelta(1):
            found[-1].append(day)
        else:
            found.append([day])
    return " ".join(f"{one[0]:%m-%d}..{one[-1]:%m-%d}" for one in found)


class TestFeasts:
    @pytest.mark.parametrize("day", ["2026-06-04", "2027-05-27", "2026-01-06", "2026-12-25"])
    def test_holy_days_of_obligation(self, day: str) -> None:
        assert is_holy_day(date.fromisoformat(day))

    @pytest.mark.parametrize("day", ["2026-02-18", "2026-04-06", "2026-05-25", "2026-12-08"])
    def test_abolished_feasts(self, day: str) -> None:
        assert is_abolished_feast(date.fromisoformat(day))
        assert not is_holy_day(date.fromisoformat(day))


class TestTheYear2026:
    """Every day of a year, by a printed calendar of Poland."""

    @pytest.mark.parametrize(
        ("kept", "days"),
        [
            (is_holy_day, "01-01 01-06 06-04 08-15 11-01 12-25"),
            (is_abolished_feast, "02-02 02-18 03-19 04-06 05-02 05-25 06-29 11-02 12-08 12-26"),
            (is_kept_as_sunday, "04-06 12-26"),
            (is_without_mass, "04-03 04-04"),
        ],
    )
    def test_the_days_of_each_kind(self, kept: Callable[[date], bool], days: str) -> None:
        assert [f"{day:%m-%d}" for day in EVERY_DAY if kept(day)] == days.split()

    @pytest.mark.parametrize(
        ("season", "bounds"),
        [
            ("advent", "11-29..12-24"),
            ("lent", "02-18..04-04"),
            ("christmasvisits", "01-01..02-02 12-27..12-31"),
            ("vacation", "07-01..08-31"),
            ("05-08", "05-01..08-31"),
        ],
    )
    def test_the_days_of_a_season(self, season: str, bounds: str) -> None:
        assert periods(day for day in EVERY_DAY if is_in_season(day, season)) == bounds

    @pytest.mark.parametrize(
        ("season", "bounds"),
        [
            ("vacation", "06-20..07-05 08-25..09-05"),
            ("school", "06-20..07-05 08-25..09-05"),
            ("summer", "03-22..04-07 10-18..11-07"),
            ("winter", "03-22..04-07 10-18..11-07"),
            ("christmasvisits", "01-01..02-14 12-27..12-31"),
            ("advent", ""),
        ],
    )
    def test_the_borders_that_are_a_habit(self, season: str, bounds: str) -> None:
        assert periods(day for day in EVERY_DAY if season_certainty(day, season) == "approximate") == bounds

    def test_clocks_change_on_the_last_sunday_also_when_it_is_the_last_day(self) -> None:
        """31 March 2019: a week before it the border begins."""
        assert [season_certainty(date(2019, 3, day), "summer") for day in (23, 24)] == ["sure", "approximate"]


class TestTransferredFeasts:
    """Universal Norms on the Liturgical Year 5 and 56: a Sunday of Advent, Lent or Easter and Holy Week displace a feast."""

    @pytest.mark.parametrize(("own", "moved"), MOVED.items())
    def test_from_2020_to_2060_each_is_kept_on_its_own_day_or_on_the_one_of_the_table(
        self, own: tuple[int, int], moved: str
    ) -> None:
        expected = {date.fromisoformat(day) for day in moved.split()}
        years = {day.year for day in expected}

        for year in range(2020, 2061):
            day = date(year, *own)
            assert is_abolished_feast(day) is (year not in years)
            assert not is_transferred_feast(day)
        assert all(is_abolished_feast(day) and is_transferred_feast(day) for day in expected)

    def test_no_other_feast_moves_and_the_number_of_days_stays(self) -> None:
        for year in range(2020, 2061):
            days = [date(year, 1, 1) + timedelta(n) for n in range(365)]
            moved = {day for day in days if is_transferred_feast(day)}

            assert sum(is_abolished_feast(day) for day in days) == 10
            assert {day.isoformat() for day in moved} == {
                day for line in MOVED.values() for day in line.split() if day.startswith(str(year))
            }

    def test_feasts_that_a_sunday_gives_way_to_stay(self) -> None:
        """Candlemas, Peter and Paul and All Souls are kept on a Sunday through the year."""
        assert is_abolished_feast(date(2025, 2, 2))
        assert is_abolished_feast(date(2025, 6, 29))
        assert is_abolished_feast(date(2025, 11, 2))


class TestHowSureASeasonIs:
    @pytest.mark.parametrize(
        ("day", "season", "certainty"),
        [
            ("2026-06-19", "vacation", "sure"),
            ("2026-06-28", "vacation", "approximate"),
            ("2026-06-28", "school", "approximate"),
            ("2026-08-31", "school", "approximate"),
            ("2026-09-06", "school", "sure"),
            ("2026-03-21", "summer", "sure"),
            ("2026-03-29", "summer", "approximate"),
            ("2026-10-20", "winter", "approximate"),
            ("2026-11-08", "winter", "sure"),
            ("2026-01-10", "christmasvisits", "approximate"),
            ("2026-05-10", "christmasvisits", "sure"),
            ("2026-06-28", "custom", "unknown"),
            ("2026-06-28", "05-08", "sure"),
            ("2026-12-02", "advent", "sure"),
            ("2026-06-28", "all", "sure"),
        ],
    )
    def test_days_near_a_border_that_is_a_habit_are_approximate(self, day: str, season: str, certainty: str) -> None:
        assert season_certainty(date.fromisoformat(day), season) == certainty


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
