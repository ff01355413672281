"""Days of the school year without school."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from mass_pipeline.model.errors import BadInput
from mass_pipeline.schedules.day import day_schedule
from mass_pipeline.schedules.school_breaks import read_terms, school_break
from mass_pipeline_tests.finding.made import row

TERM = 'source = "Kalendarz roku szkolnego 2026/2027"\nfirst = 2027-01-18\nlast = 2027-01-31\nvoivodeships = ["śląskie"]\n'


def without_school(year: int, voivodeship: str) -> list[str]:
    days = (date(year, 1, 1) + timedelta(offset) for offset in range(181))
    return [f"{day:%m-%d}" for day in days if school_break(day, voivodeship) == "yes"]


class TestWinterHolidays:
    def test_each_voivodeship_has_its_own_two_weeks(self) -> None:
        winter = [day for day in without_school(2027, "mazowieckie") if day < "03-01"]

        assert (winter[0], winter[-1], len(winter)) == ("02-01", "02-14", 14)

    def test_a_year_or_a_voivodeship_without_dates_is_unknown_and_only_in_its_season(self) -> None:
        found = {school_break(date(2027, month, 20), "lubelskie") for month in (3, 4, 5, 6, 9, 10, 11)}

        assert school_break(date(2027, 2, 10), "lubelskie") == "unknown"
        assert school_break(date(2041, 2, 10), "śląskie") == "unknown"
        assert found == {"no"}

    def test_a_mass_of_the_school_year_is_flagged(self) -> None:
        flags = {
            land: day_schedule([row(["We"], "17:00", season="school")], date(2027, 1, 20), land).flags
            for land in ("śląskie", "mazowieckie", "")
        }

        assert flags == {"śląskie": (("school_break",),), "mazowieckie": ((),), "": (("school_break_unknown",),)}

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("[[term]]\n" + TERM.replace("source", "origin"), "source"),
            ("[[term]]\n" + TERM.replace("2027-01-31", "2027-02-07"), "two weeks"),
            ("[[term]]\n" + TERM.replace("2027-01-18", '"soon"'), "2027-01-18"),
            ("[[term]]\n" + TERM.replace("śląskie", "Śląskie"), "lower case"),
            (f"[[term]]\n{TERM}[[term]]\n{TERM}", "two terms"),
            ("[[term", "malformed"),
        ],
    )
    def test_a_malformed_table_is_refused_with_the_remedy(self, text: str, said: str) -> None:
        with pytest.raises(BadInput, match=said):
            read_terms(text)


class TestOtherBreaks:
    @pytest.mark.parametrize(("year", "first"), [(2025, 22), (2026, 23)])
    def test_the_christmas_break_begins_on_the_22nd_when_that_is_a_monday(self, year: int, first: int) -> None:
        found = [day for day in range(15, 32) if school_break(date(year, 12, day), "") == "yes"]

        assert found == list(range(first, 32))

    def test_the_easter_break_is_from_thursday_to_tuesday(self) -> None:
        found = [day for day in range(20, 32) if school_break(date(2027, 3, day), "śląskie") == "yes"]

        assert found == [25, 26, 27, 28, 29, 30]
