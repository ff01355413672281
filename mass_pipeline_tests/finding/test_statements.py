"""What words beside a Mass state of its language and kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from mass_pipeline.finding.statements import Stated, stated


class TestLanguage:
    @pytest.mark.parametrize(
        ("note", "language"),
        [
            ("po angielsku", "en"),
            ("w języku angielskim", "en"),
            ("w j. ukraińskim", "uk"),
            ("Msza św. angielska", "en"),
            ("Holy Mass in English", "en"),
            ("po łacinie", "la"),
            ("dla niesłyszących", "sign"),
            ("tłumaczona na język migowy", "sign"),
            ("w języku niemieckim", "de"),
        ],
    )
    def test_a_phrase_that_speaks_of_a_language_states_it(self, note: str, language: str) -> None:
        assert stated(note).language == language

    @pytest.mark.parametrize(
        "note",
        [
            "",
            "za śp. Jana Niemca",
            "za śp. Annę Włoską",
            "int. rodziny Czeskich",
            "ks. Francuski",
            "Litewski Jan",
            "Msza za Annę Ruską",
        ],
    )
    def test_a_persons_name_states_none(self, note: str) -> None:
        assert stated(note).language is None

    def test_a_line_of_several_hours_does_not_say_which_one_it_means(self) -> None:
        assert stated("", "9:00, 11:00 (po angielsku), 12:00").language is None
        assert stated("", "11:00 (po angielsku)").language == "en"


class TestWrittenNotes:
    """The filter on notes with labels: who is sent to a Mass in English finds one."""

    def test_hardly_any_is_wrong_and_few_are_missed(self) -> None:
        lines = (Path(__file__).with_name("languages.txt")).read_text(encoding="utf-8").splitlines()
        labelled = [line.split(" | ", 1) for line in lines if not line.startswith("#")]
        found = [(label, stated(note).language or "-", note) for label, note in labelled]
        wrong = [one for one in found if one[1] not in ("-", one[0])]
        missed = [one for one in found if one[1] == "-" != one[0]]

        assert len(labelled) >= 200
        assert wrong == []
        assert len(missed) <= 0.02 * sum(label != "-" for label, _ in labelled), missed


class TestKinds:
    @pytest.mark.parametrize(
        ("note", "kinds"),
        [
            ("z udziałem dzieci", ("children",)),
            ("dla młodzieży", ("youth",)),
            ("akademicka", ("students",)),
            ("rodzinna", ("families",)),
            ("trydencka", ("old_rite",)),
            ("roraty z udziałem dzieci", ("children", "roraty")),
            ("suma", ()),
        ],
    )
    def test_kinds_are_a_closed_list(self, note: str, kinds: tuple[str, ...]) -> None:
        assert stated(note).kinds == kinds

    def test_a_diocese_of_another_rite_says_it_for_all(self) -> None:
        assert stated("", "", "bizantyjska-przemysko-warszawska") == Stated(rite="greek_catholic")
