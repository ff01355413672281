"""Joining labelled hours with candidate hours."""

from __future__ import annotations

from dataclasses import dataclass

from mass_pipeline.demo_web.annotations import Annotation, match_annotations

_URL = "http://parafia.example/msze"


@dataclass(frozen=True, slots=True)
class _Candidate:
    time: str
    left: str
    url: str = _URL


def _annotation(time: str, left: str, label: str = "mass") -> Annotation:
    return Annotation("p", "http://katalog.example/1", _URL, time, time, left, "", label, False)


class TestJoin:
    def test_spaces_case_and_punctuation_of_the_context_do_not_matter(self) -> None:
        labelled = _annotation("08:00", "Niedziele i święta: godz. ")

        assert match_annotations([_Candidate("08:00", "NIEDZIELE\nI ŚWIĘTA:\n godz.")], [labelled]) == {0: labelled}

    def test_equal_hours_of_a_page_are_told_apart_by_their_context(self) -> None:
        mass, office = _annotation("17:00", "w tygodniu o "), _annotation("17:00", "kancelaria czynna od ", "not_mass")
        candidates = [_Candidate("17:00", "kancelaria czynna od "), _Candidate("17:00", "w tygodniu o ")]

        assert match_annotations(candidates, [mass, office]) == {0: office, 1: mass}

    def test_repeated_copies_keep_their_order_one_to_one(self) -> None:
        copies = [_annotation("17:00", "w tygodniu o "), _annotation("17:00", "w tygodniu o ")]

        assert match_annotations([_Candidate("17:00", "w tygodniu o ")] * 3, copies) == {0: copies[0], 1: copies[1]}

    def test_another_context_page_or_time_does_not_join(self) -> None:
        labelled = _annotation("08:00", "Niedziele i święta: ")
        candidates = [
            _Candidate("08:00", "kancelaria: "),
            _Candidate("08:00", "Niedziele i święta: ", "http://parafia.example/inna"),
            _Candidate("08:30", "Niedziele i święta: "),
        ]

        assert match_annotations(candidates, [labelled]) == {}

    def test_an_hour_at_the_very_beginning_needs_no_context(self) -> None:
        labelled = _annotation("08:00", "")

        assert match_annotations([_Candidate("08:00", "")], [labelled]) == {0: labelled}
