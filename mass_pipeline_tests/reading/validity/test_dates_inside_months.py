"""Seasons whose borders lie inside months hold to the day: in the row, in words and in service_times."""

from __future__ import annotations

import pytest

from mass_pipeline.model.records import Mass
from mass_pipeline.reading.formats.osm import describe_service_times
from mass_pipeline.reading.formats.summary import summarize
from mass_pipeline.reading.regular.reading import read_text

CHANGED = "Dni powszednie: 18.20 (od 11 maja do 14 września 19.20)"


def read(text: str) -> list[Mass]:
    return [one.mass for one in read_text(text).masses]


class TestDatesInsideMonths:
    """What is read of them, and the rest of the year for the other hour: conventions.txt."""

    @pytest.mark.parametrize(
        ("written", "season", "days"),
        [
            ("od 11 maja do 14 września", "custom", "05-11/09-14"),
            ("od 4 maja do 27 września", "05-09", "05-04/09-27"),
            ("od 1 lipca do 31 sierpnia", "vacation", ""),
        ],
    )
    def test_months_that_are_near_are_told_next_to_the_days(self, written: str, season: str, days: str) -> None:
        _, mass = read(f"Niedziele: 8.20, 20.20 ({written})")

        assert (mass.time, mass.season, mass.season_days) == ("20:20", season, days)

    def test_halves_that_touch_on_one_side_alone_are_not_dated(self) -> None:
        """Nobody says in which spring the first one begins."""
        found = read("Dni powszednie: 18.20 (do 14 października), 17.20 (od 15 października)")

        assert [(one.time, one.season, one.season_days, one.note) for one in found] == [
            ("17:20", "custom", "", "od 15 października"),
            ("18:20", "custom", "", "do 14 października"),
        ]

    def test_are_shown_to_people(self) -> None:
        assert summarize(read(CHANGED), "en") == "weekdays: 18:20 (15 Sep-10 May), 19:20 (11 May-14 Sep)"

    def test_are_selectors_in_service_times(self) -> None:
        told = describe_service_times(read(CHANGED))

        assert (told.value, told.note) == ("Sep 15-May 10 Mo-Sa 18:20+; May 11-Sep 14 Mo-Sa 19:20+", "")
