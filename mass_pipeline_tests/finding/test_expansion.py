"""Rows laid out over dates."""

from __future__ import annotations

from datetime import date

from mass_pipeline.finding.expansion import MOST_A_DAY, Flag, occurrences
from mass_pipeline_tests.finding.made import FIRST, row


class TestOccurrences:
    def test_days_of_the_change_of_clocks_have_as_many_as_other_sundays(self) -> None:
        rows = [row(["Su"], "02:30"), row(["Su"], "08:00")]
        counts = [len(list(occurrences(rows, day, 1))) for day in (date(2027, 3, 21), date(2027, 3, 14), date(2027, 10, 31))]

        assert counts == [2, 2, 2]

    def test_a_feast_of_which_nothing_is_said_is_flagged(self) -> None:
        (found,) = occurrences([row(["Su"], "08:00")], date(2027, 1, 6), 1)

        assert found.flags & Flag.ASSUMED

    def test_a_season_about_to_change_and_one_without_months_are_flagged(self) -> None:
        school = occurrences([row(["Su"], "08:00", season="school")], date(2027, 6, 27), 1)
        custom = occurrences([row(["Su"], "08:00", season="custom")], date(2027, 5, 2), 1)

        assert next(iter(school)).flags & Flag.APPROXIMATE_SEASON
        assert next(iter(custom)).flags & Flag.SEASON_UNKNOWN

    def test_a_site_that_states_500_masses_a_day_states_no_order(self) -> None:
        rows = [row(["Su"], f"{hour:02d}:{minute:02d}") for hour in range(8, 20) for minute in range(0, 60, 10)]

        assert len(rows) > MOST_A_DAY
        assert list(occurrences(rows, FIRST, 2)) == []
