"""Questions written by the conventions of docs/questions.md, read against the table of parishes of 2018."""

from __future__ import annotations

from pathlib import Path

import pytest

from mass_pipeline.finding.gazetteer import read_gazetteer
from mass_pipeline.finding.places import Places
from mass_pipeline.finding.questions import interpret
from mass_pipeline.finding.town_names import read_rows
from mass_pipeline_tests.finding.questions.scoring import Question, mistakes, read_set
from mass_pipeline_tests.shared import ROOT, shared_folder

FLOORS = {
    "first": 1.0,
    "second": 1.0,
    "third": 1.0,
    "fourth": 0.98,
    "fifth": 1.0,
    "sixth": 1.0,
    "seventh": 0.98,
    "eighth": 0.99,
    "ninth": 0.99,
    "tenth": 0.98,
    "eleventh": 0.99,
    "twelfth": 1.0,
    "thirteenth": 1.0,
}

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def places() -> Places:
    return Places.of(read_rows(shared_folder("directory", "parishes-2018.tsv")), read_gazetteer(ROOT / "data/gazetteer/pl.tsv"))


class TestWrittenQuestions:
    @pytest.mark.parametrize("name", sorted(FLOORS))
    def test_as_many_are_read_right_as_before(self, name: str, places: Places) -> None:
        questions = read_set(name)

        wrong = [(question.words, found) for question in questions if (found := _mistakes(question, places))]

        assert 1 - len(wrong) / len(questions) >= FLOORS[name], wrong

    @pytest.mark.parametrize("name", sorted(FLOORS))
    def test_no_word_is_dropped_in_silence(self, name: str, places: Places) -> None:
        """A nonsense word put into a question is told, wherever it stands."""
        for question in read_set(name):
            if len(question.words) < 180 and "\x00" not in question.words:
                reading = interpret(f"{question.words} xqzwvk", question.at, places)

                assert reading.error is not None or "xqzwvk" in reading.unread, question.words


def _mistakes(question: Question, places: Places) -> list[str]:
    return mistakes(question, interpret(question.words, question.at, places))


def test_every_set_has_a_floor() -> None:
    assert {*FLOORS, "small_tables"} == {path.stem for path in Path(__file__).parent.glob("*.txt")}
