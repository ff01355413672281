"""`service_times` says what the Masses of each day are: two calendars, a year and more, every parish of the demo web."""

from __future__ import annotations

from collections import Counter
from datetime import date

import pytest

from mass_pipeline.demo_web.web import DemoWeb
from mass_pipeline.model.records import WEEKDAYS, Mass
from mass_pipeline.reading.formats.osm import describe_service_times
from mass_pipeline_tests.schedules.calendars import compared, hours_of

FIRST = date(2026, 1, 1)
CLASSES = {
    "triduum",
    "assumed_sunday",
    "abolished_feast",
    "advent",
    "custom",
    "remark",
    "additional rule on a holy day",
    "shortened",
}


class TestDemoParishes:
    @pytest.mark.parametrize("years", [1, pytest.param(3, marks=pytest.mark.soak)])
    def test_every_parish_day_agrees_or_differs_for_a_reason_that_has_no_selector(self, years: int) -> None:
        counts: Counter[str] = Counter()
        for masses in DemoWeb().truth.values():
            if masses:
                counts += compared(masses, FIRST, 365 * years)
        print(dict(counts), f"{counts['same'] / counts.total():.4f}")

        assert counts[""] == 0
        assert set(counts) <= CLASSES | {"same"}
        assert counts["same"] / counts.total() >= 0.97


class TestHolyDays:
    def test_public_holidays_are_no_holy_days(self) -> None:
        """1 and 3 May, 11 November and 24 December are `PH` to every evaluator, and ordinary days to the Church's list."""
        masses = [Mass(("Su", "PH"), "08:00"), Mass(WEEKDAYS[:6], "18:00")]

        assert compared(masses, date(2026, 1, 1), 365)["same"] == 365 - 2 - 2  # triduum; the second days assume Sunday

    def test_a_holy_day_that_is_a_sunday_has_the_sunday_list(self) -> None:
        masses = [Mass(("Su",), "08:00"), Mass(("PH",), "10:00"), Mass(WEEKDAYS[:6], "18:00")]

        assert date(2026, 11, 1).weekday() == 6
        assert compared(masses, date(2026, 11, 1), 1)["same"] == 1

    @pytest.mark.parametrize(("season", "days"), [("summer", {"2026-06-04", "2026-08-15"}), ("vacation", {"2026-08-15"})])
    def test_those_of_a_season_are_the_dates_within_it(self, season: str, days: set[str]) -> None:

        points = describe_service_times([Mass(("PH",), "10:00", season)]).points
        found = {day.isoformat() for day, hours in hours_of(points, date(2026, 1, 1), 365).items() if hours}

        assert found == days


class TestMovableSeasons:
    def test_lent_is_told_by_easter(self) -> None:
        masses = [Mass(("Fr",), "17:00", "lent"), Mass(WEEKDAYS, "18:00")]

        assert compared(masses, date(2026, 1, 1), 365) == {"same": 363, "triduum": 2}
