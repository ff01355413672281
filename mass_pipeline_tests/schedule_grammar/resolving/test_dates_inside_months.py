"""Seasons that begin and end inside of months: the days stay in the row and in what is made of it."""

from __future__ import annotations

from mass_pipeline.schedule_grammar.judging.reading import read_text
from mass_pipeline.schedule_grammar.telling.osm import describe_service_times
from mass_pipeline.schedule_grammar.telling.summary import summarize


class TestDatesInsideMonths:
    def test_stay_in_the_notes_of_both_hours(self) -> None:
        masses = [read.mass for read in read_text("Dni powszednie: 18.20 (od 11 maja do 14 września 19.20)").masses]

        assert {mass.time: (mass.season, mass.note) for mass in masses} == {
            "18:20": ("custom", "nie od 11 maja do 14 września"),
            "19:20": ("custom", "od 11 maja do 14 września"),
        }

    def test_are_shown_to_people(self) -> None:
        masses = [read.mass for read in read_text("Dni powszednie: 18.20 (od 11 maja do 14 września 19.20)").masses]

        assert "od 11 maja do 14 września" in summarize(masses)

    def test_no_hour_of_them_is_every_day_s_in_service_times(self) -> None:
        masses = [read.mass for read in read_text("Dni powszednie: 18.20 (od 11 maja do 14 września 19.20)").masses]

        assert (describe_service_times(masses).value, describe_service_times(masses).note) == (
            "",
            "pominięto okresowo: 18:20, 19:20",
        )
