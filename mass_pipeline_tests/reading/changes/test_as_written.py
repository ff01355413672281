"""Announcements as parishes type them: marks, broken lines, words of another church, hours told in the sentence after a name."""

from __future__ import annotations

from datetime import date

import pytest

from mass_pipeline.reading.changes import read_changes
from mass_pipeline.reading.changes.clauses import with_lines_whole

_ISSUED = date(2026, 12, 20)


class TestLines:
    def test_marks_of_emphasis_are_no_words(self) -> None:
        assert with_lines_whole("**Wigilia** – Msza o <b>7.00</b>, *roraty*") == "Wigilia – Msza o 7.00, roraty"

    def test_a_long_line_goes_on_in_small_letters(self) -> None:
        assert with_lines_whole("Centralna procesja wyruszy zaraz\nz kościoła po Mszy o 10.00.").count("\n") == 0

    @pytest.mark.parametrize("below", ["kaplica w Lipiu – 15.00", "wtorek: 8.00", "około 14.45 Msza"])
    def test_entries_of_a_list_stay_apart(self, below: str) -> None:
        assert with_lines_whole(f"kościół parafialny w Dębinie – 8.00, 16.30\n{below}").count("\n") == 1


class TestChanges:
    @pytest.mark.parametrize(
        ("text", "wanted"),
        [
            ("W Boże Narodzenie program niedzielny (bez Mszy o 8.00, czyli będą o 10.00 i 18.00).", "cancelled 12-25 08:00"),
            ("Zapraszamy na Pasterkę. Rozpocznie się o 23.00.", "added 12-24 23:00"),
            ("W niedzielę Msza o 10.00 rozpocznie się o 10.30.", "moved 12-27 10:00 10:30"),
            ("Odwołujemy we wtorek, 22 grudnia, Mszę św. o 7.00.", "cancelled 12-22 07:00"),
            ("We wtorek zamiast wszystkich Eucharystii będzie jedna, o 9.15.", "order 12-22 09:15"),
        ],
    )
    def test_are_read(self, text: str, wanted: str) -> None:
        assert wanted in {
            " ".join([one.kind, f"{one.valid_from:%m-%d}", *one.times, *one.new_times]) for one in read_changes(text, _ISSUED)
        }

    @pytest.mark.parametrize(
        "text",
        [
            "W parafii św. Anny w Zalesiu we wtorek nie będzie Mszy św. o 18.00.",
            "W TV Trwam 1 stycznia Msza św. o 7.00 z Rzymu.",
            "Odpust w Dobrej – we wtorek suma o 11.30.",
            "Odpust w klasztorze franciszkanów we wtorek: Msze św. o 8.00, 12.00 i 18.00.",
            "We wtorek Msza św. o 15.30 w Domu Opieki.",
            "We wtorek o 10.30 w Kalwarii Msza św. dla róż różańcowych diecezji.",
            "We wtorek o 17.00 Msza św. w kolegiacie.",
            "Parafia Ducha Świętego: we wtorek Msza św. o uzdrowienie o 19.00.",
            "We wtorek o 19.00 u franciszkanów Msza św. z modlitwą o uzdrowienie.",
            "Spotkanie wspólnot we wtorek w Suchej Beskidzkiej. Msza św. o 10.00.",
            "Ksiądz prałat obchodzi jubileusz w swojej rodzinnej parafii we wtorek, Msza św. o 12.30.",
        ],
    )
    def test_of_another_church_wait(self, text: str) -> None:
        assert all("elsewhere" in one.doubts for one in read_changes(text, _ISSUED))

    @pytest.mark.parametrize(
        "text",
        [
            "We wtorek Mszy św. o 18.00 nie odwołujemy.",
            "W sobotę o 18.00 Msza już z niedzieli.",
            "Dawniej w Wigilię odprawiano u nas Mszę tylko o 5.00.",
        ],
    )
    def test_what_is_not_said_is_not_read(self, text: str) -> None:
        assert not [one for one in read_changes(text, _ISSUED) if one.kind == "cancelled" or one.valid_from == date(2026, 12, 27)]
