"""What the standing order settles of announced changes."""

from __future__ import annotations

from datetime import date

import pytest

from mass_pipeline.model.records import Day, Mass
from mass_pipeline.reading.changes import read_changes
from mass_pipeline.schedules.announced import Announced, exceptions_of, settled
from mass_pipeline.schedules.day import day_schedule
from mass_pipeline.schedules.rows import ScheduleRow

_WEEK: tuple[Day, ...] = ("Mo", "Tu", "We", "Th", "Fr", "Sa")
_SUNDAY = date(2026, 6, 21)


def _standing(*hours: str, place: str = "", days: tuple[Day, ...] = _WEEK) -> list[ScheduleRow]:
    return [ScheduleRow(Mass(days, hour, place=place), "http://a.example/msze", "Msze", "d", None) for hour in hours]


def _settled(text: str, standing: list[ScheduleRow], issued: date = _SUNDAY) -> list[Announced]:
    announced = [Announced(change, issued, "http://a.example/news", "n", None) for change in read_changes(text, issued)]
    return settled(announced, standing)


def _hours(text: str, standing: list[ScheduleRow], day: date, issued: date = _SUNDAY) -> list[str]:
    certain = [one for one in _settled(text, standing, issued) if not one.change.doubts]
    rows = [*standing, *exceptions_of(certain, standing).rows]
    return sorted(row.mass.time for row in day_schedule(rows, day).masses)


class TestClashes:
    """What one announcement of a page takes away and another one tells as said."""

    _RETREAT = "Od poniedziałku do środy Msze św. o 9.00, 12.00 i 20.00."

    def _published(self, *texts: str) -> list[str]:
        standing = _standing("07:00", "18:00")
        announced = [
            Announced(change, _SUNDAY, "http://a.example/news", "n", None)
            for text in texts
            for change in read_changes(text, _SUNDAY)
        ]
        certain = [one for one in settled(announced, standing) if not one.change.doubts]
        rows = [*standing, *exceptions_of(certain, standing).rows]
        return sorted(row.mass.time for row in day_schedule(rows, date(2026, 6, 22)).masses)

    def test_days_of_which_one_is_told_otherwise_wait(self) -> None:
        assert self._published(self._RETREAT, "We wtorek Msze św. o 7.00 i 18.00.") == ["07:00", "18:00"]

    def test_days_that_nothing_contradicts_are_published(self) -> None:
        assert self._published(self._RETREAT, "We wtorek Msza św. o 12.00.") == ["09:00", "12:00", "20:00"]


class TestDoubts:
    def test_a_day_without_mass_is_clear_where_one_mass_is_said(self) -> None:
        text = "W środę nie będzie Mszy św., bo wyjeżdżam."

        assert _hours(text, _standing("18:00"), date(2026, 6, 24)) == []
        assert _hours(text, _standing("07:00", "18:00"), date(2026, 6, 24)) == ["07:00", "18:00"]

    def test_hours_left_over_are_no_doubt_when_they_are_the_usual_ones(self) -> None:
        text = "W piątek nie ma Mszy o 7.00; zapraszamy na wieczorną o 18.00."

        assert _hours(text, _standing("07:00", "18:00"), date(2026, 6, 26)) == ["18:00"]

    def test_two_hours_of_which_one_is_usual_may_be_all_or_added(self) -> None:
        assert _hours("W piątek 26 czerwca Msza św. o 8.00 oraz 18.00.", _standing("18:00"), date(2026, 6, 26)) == [
            "08:00",
            "18:00",
        ]


class TestReadings:
    def test_the_evening_mass_at_another_hour_is_moved(self) -> None:
        text = "W środę Msza św. wieczorna o 17.00."

        assert _hours(text, _standing("07:00", "18:00"), date(2026, 6, 24)) == ["07:00", "17:00"]

    def test_an_hour_for_the_weekdays_of_a_period_is_the_hour_of_their_only_mass(self) -> None:
        text = "Od 1 lipca do 31 sierpnia Msza św. w dni powszednie o godz. 19.00, a w niedziele o 8.00 i 11.00."
        standing = [*_standing("18:00"), *_standing("08:00", "10:00", days=("Su",))]

        assert _hours(text, standing, date(2026, 7, 15)) == ["19:00"]
        assert _hours(text, standing, date(2026, 7, 19)) == ["08:00", "11:00"]
        assert _hours(text, standing, date(2026, 8, 15)) == ["08:00", "10:00"]  # a holy day is no weekday

    def test_of_intentions_the_unusual_hour_is_a_mass(self) -> None:
        text = "Środa, 24 czerwca\n7.00 + Jan\n9.00 za Ojczyznę\n18.00 + Anna"

        assert _hours(text, _standing("07:00", "18:00"), date(2026, 6, 24)) == ["07:00", "09:00", "18:00"]
        assert _settled(text, []) == []

    def test_a_programme_of_christmas_eve_has_no_evening_mass(self) -> None:
        text = "W Wigilię Msza św. o 7.00, Pasterka o 24.00."
        issued, eve = date(2026, 12, 20), date(2026, 12, 24)

        assert _hours(text, _standing("07:00", "18:00"), eve, issued) == ["07:00"]
        assert _hours("Pasterka o 24.00.", _standing("07:00", "18:00"), eve, issued) == ["07:00", "18:00"]


class TestPlaces:
    def test_a_church_named_in_another_case_loses_its_mass_alone(self) -> None:
        standing = [*_standing("08:00", days=("Su",)), *_standing("09:30", place="Zagórze", days=("Su",))]

        assert _hours("W niedzielę w Zagórzu Mszy św. nie będzie.", standing, date(2026, 6, 28)) == ["08:00"]

    @pytest.mark.parametrize("place", ["Kąty", "Wola"])
    def test_a_short_name_needs_its_preposition(self, place: str) -> None:
        standing = [*_standing("08:00", days=("Su",)), *_standing("09:30", place=place, days=("Su",))]
        text = "W niedzielę katecheza o woli Bożej. Mszy św. o 8.00 nie będzie."

        assert _hours(text, standing, date(2026, 6, 28)) == ["09:30"]
