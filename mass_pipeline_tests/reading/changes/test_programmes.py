"""Programmes over several lines: a day, and below it its hours."""

from __future__ import annotations

from datetime import date

import pytest

from mass_pipeline.reading.changes import read_changes
from mass_pipeline_tests.reading.changes.notation import written

_SUNDAY = date(2026, 11, 15)


def _read(text: str) -> list[str]:
    """As written; hours of intentions are no changes before the standing order is known (schedules.announced)."""
    return [written(change) for change in read_changes(text, _SUNDAY) if "intention" not in change.doubts]


class TestProgrammes:
    def test_hours_below_a_day_are_its_masses(self) -> None:
        text = (
            "Rekolekcje\n1. Poniedziałek 30.11:\n 9.00 Msza św. z nauką\n 16.30 nauka dla młodzieży\n 18.00 Msza św.\nZapraszamy."
        )

        assert _read(text) == ["order 2026-11-30 09:00 18:00"]

    def test_a_heading_over_the_days_makes_bare_hours_masses_of_any_church(self) -> None:
        text = "PORZĄDEK MSZY ŚW.\n25.12 – Boże Narodzenie\nkościół: 9.00, 11.00\nkaplica: 10.00\n26.12 – św. Szczepana\n10.00"

        assert _read(text) == ["order 2026-12-25 09:00 10:00 11:00", "order 2026-12-26 10:00"]

    @pytest.mark.parametrize(
        ("line", "changes"),
        [
            ("Msze św. według porządku niedzielnego. Po Mszy o 11.00 spotkanie rodzin.", ["as_sunday 2026-12-27"]),
            (
                "Pozostałe Msze św.: 9.00, 11.00. O 7.30 Mszy św. nie odprawiamy.",
                ["cancelled 2026-12-27 07:30", "order 2026-12-27 09:00 11:00"],
            ),
        ],
    )
    def test_a_line_with_several_sentences_is_read_sentence_by_sentence(self, line: str, changes: list[str]) -> None:
        assert _read(f"Porządek Mszy św. w święta\n27 grudnia, niedziela\n{line}\n") == changes

    def test_of_intentions_only_what_falls_out_and_what_comes_is_a_change(self) -> None:
        """The Masses of a list of intentions are there anyway."""
        text = "Wtorek, 17.11\n7.00 – nie ma Mszy św.\n18.00 + Anna\nPiątek, 20.11\n7.00 + Jan\n15.00 Msza św. pogrzebowa"

        assert _read(text) == ["cancelled 2026-11-17 07:00", "added 2026-11-20 15:00"]

    def test_a_line_that_is_not_understood_makes_the_day_doubtful(self) -> None:
        text = "Poniedziałek 30.11:\n9.00 Msza św.\n11.00 w szkole\n18.00 Msza św."

        assert [change.doubts for change in read_changes(text, _SUNDAY)] == [("hours_left",)]

    def test_lists_of_weekdays_and_sundays_belong_to_the_period_above(self) -> None:
        text = "Od 1.07 do 31.08 Msze święte:\n- w niedziele: 8.00, 10.00\n- w dni powszednie: 18.00"

        assert _read(text) == ["order 2027-07-01..2027-08-31 08:00 10:00", "order 2027-07-01..2027-08-31 18:00"]

    def test_of_a_table_only_the_column_of_masses_counts(self) -> None:
        text = (
            "Dzień | Msza św. | Spowiedź\npon. 16.11 | 18.00 | 17.00\nwt. 17.11 | 18.00 | 17.00\nśr. 18.11 | 7.00, 18.00 | 17.00"
        )

        assert _read(text) == ["order 2026-11-16 18:00", "order 2026-11-17 18:00", "order 2026-11-18 07:00 18:00"]

    def test_those_days_are_all_of_the_lines_before(self) -> None:
        text = "pon. 16.11 - ul. Polna od 15.00\nwt. 17.11 - ul. Leśna od 15.00\nW dniach kolędy Mszy o 18.00 nie będzie."

        assert _read(text) == ["cancelled 2026-11-16 18:00", "cancelled 2026-11-17 18:00"]

    @pytest.mark.parametrize("text", ["Poniedziałek 30.11:\nKatecheza", "15.00 pogrzeb", "Wtorek\n16.00–18.00 kancelaria", ""])
    def test_without_masses_there_is_none(self, text: str) -> None:
        assert _read(text) == []


class TestFrames:
    """Weekdays of what takes several days are those within it."""

    def test_weekdays_below_the_dates_of_a_retreat_are_its_days(self) -> None:
        text = "Rekolekcje 29 listopada - 2 grudnia\nPoniedziałek, wtorek:\n9.00 Msza św.\n18.00 Msza św."

        assert _read(text) == ["order 2026-11-30 09:00 18:00", "order 2026-12-01 09:00 18:00"]

    def test_a_weekday_outside_is_that_of_this_week(self) -> None:
        assert _read("Rekolekcje 29 listopada - 2 grudnia.\nW piątek nie ma Mszy o 7.00.") == ["cancelled 2026-11-20 07:00"]

    def test_weekdays_beside_a_longer_period_are_those_of_its_weeks(self) -> None:
        text = "Przez cały grudzień od poniedziałku do soboty Msza św. o 17.00 zamiast o 18.00."

        assert _read(text) == ["moved 2026-12-01..2026-12-31 18:00>17:00"]


class TestSeasons:
    def test_roraty_told_before_advent_begin_with_it(self) -> None:
        issued = date(2026, 11, 22)
        first, rest = read_changes("Roraty od poniedziałku do piątku o 6.30.", issued)

        assert (first.valid_from, first.valid_to) == (date(2026, 11, 30), date(2026, 12, 4))
        assert (rest.valid_from, rest.valid_to) == (date(2026, 12, 5), date(2026, 12, 24))
        assert rest.doubts
