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


def said(text: str) -> dict[str, tuple[str, str]]:
    return {mass.time: (mass.season, mass.season_days) for mass in read(text)}


class TestDatesInsideMonths:
    @pytest.mark.parametrize(
        "written",
        [
            "od 11 maja do 14 września",
            "11 maja – 14 września",
            "11.05-14.09",
            "od 11.05 do 14.09",
            "11 V - 14 IX",
        ],
    )
    def test_are_those_of_the_row_however_they_are_written(self, written: str) -> None:
        assert said(f"Niedziele: 8.20, 20.20 ({written})") == {"08:20": ("all", ""), "20:20": ("custom", "05-11/09-14")}

    def test_the_other_hour_has_the_rest_of_the_year(self) -> None:
        assert said(CHANGED) == {"18:20": ("custom", "09-15/05-10"), "19:20": ("custom", "05-11/09-14")}
        assert said("Dni powszednie: od 11 maja 19.20, od 15 września 18.20") == said(CHANGED)

    def test_an_hour_that_is_denied_then_has_it_too(self) -> None:
        assert said("Niedziele: 8.20, 12.20. Od 1 lipca do 14 sierpnia nie ma Mszy św. o 12.20.")["12:20"] == (
            "custom",
            "08-15/06-30",
        )

    def test_months_that_are_near_are_told_next_to_the_days(self) -> None:
        assert said("Niedziele: 8.20, 20.20 (od 4 maja do 27 września)")["20:20"] == ("05-09", "05-04/09-27")
        assert said("Niedziele: 8.20, 20.20 (od 1 lipca do 31 sierpnia)")["20:20"] == ("vacation", "")

    def test_halves_that_touch_on_one_side_alone_are_not_dated(self) -> None:
        """Nobody says in which spring the first one begins."""
        found = read("Dni powszednie: 18.20 (do 14 października), 17.20 (od 15 października)")

        assert [(one.time, one.season, one.season_days, one.note) for one in found] == [
            ("17:20", "custom", "", "od 15 października"),
            ("18:20", "custom", "", "do 14 października"),
        ]

    def test_are_shown_to_people(self) -> None:
        assert summarize(read(CHANGED)) == "dni powszednie: 18:20 (15 IX-10 V), 19:20 (11 V-14 IX)"
        assert summarize(read(CHANGED), "en") == "weekdays: 18:20 (15 Sep-10 May), 19:20 (11 May-14 Sep)"

    def test_are_selectors_in_service_times(self) -> None:
        told = describe_service_times(read(CHANGED))

        assert (told.value, told.note) == ("Sep 15-May 10 Mo-Sa 18:20+; May 11-Sep 14 Mo-Sa 19:20+", "")
