"""`interpret` on small tables: readings of questions (small_tables.txt), and what holds for every question, hostile ones too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mass_pipeline.finding.places import Places
from mass_pipeline.finding.questions import Interpretation, dedications, interpret
from mass_pipeline.finding.town_names import ParishRow
from mass_pipeline_tests.finding.questions.scoring import summary

AT = datetime.fromisoformat("2026-11-18T10:00")
WORDS = (
    *("w", "o", "na", "do", "po", "7", "18", "12.10", "31.02", "24-26.12", "jutro", "niedziele", "św.", "Anny", "Nowej", "Wsi"),
    *("i", "za", "-", ":", ".", "ʘ", "ß", "ŉ", "24", "dwa"),
)


def tables() -> Iterator[tuple[Places, list[str]]]:
    """The tables of the file with the lines of their questions."""
    for block in Path(__file__).with_name("small_tables.txt").read_text(encoding="utf-8").split("\n\n")[1:]:
        lines = block.splitlines()
        rows = [row for line in lines if line.startswith("> ") for row in _rows(line[2:].split(" ; "))]
        yield Places.of(rows), [line for line in lines if not line.startswith((">", "#"))]


def _rows(fields: list[str]) -> Iterator[ParishRow]:
    town, land, name, *more = fields
    several = re.fullmatch(r"(\d+) (.*)", name)
    names = [f"{several[2]} {number}" for number in range(int(several[1]))] if several else [name]
    yield from (ParishRow(town, land, one, *more) for one in names)


READINGS = [(places, *(part.strip() for part in line.rsplit("|", 2))) for places, lines in tables() for line in lines]
TABLE = READINGS[0][0]


def ask(question: str, at: datetime = AT) -> Interpretation:
    return interpret(question, at, TABLE)


class TestReadings:
    @pytest.mark.parametrize(
        ("places", "words", "at", "reading"), READINGS, ids=[f"{words} {at}" for _, words, at, _ in READINGS]
    )
    def test_a_question_is_read_as_the_file_says(self, places: Places, words: str, at: str, reading: str) -> None:
        assert summary(interpret(words, datetime.fromisoformat(at) if at else AT, places)) == reading

    def test_a_dedication_without_a_town_is_compared_with_few_of_the_table(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A question must not take longer the more parishes there are."""
        names = [
            f"św. {first}{second}{last}" for first in "BCDFGKLMN" for second in "aeiouy" for last in ("radka", "lasa", "nwicy")
        ]
        table = Places.of([ParishRow(f"Wioska {name[4:]}", "śląskie", name) for name in names])
        interpret("u św. Anny", AT, table)
        compared = list[str]()
        plain = dedications.has_word
        monkeypatch.setattr(dedications, "has_word", lambda word, among: compared.append(word) or plain(word, among))

        place = interpret("msza u św. Belasa", AT, table).place

        assert place is not None
        assert place.name == "Wioska Belasa"
        assert len(compared) < 10 < len(names)


class TestHostileQuestions:
    @pytest.mark.parametrize(
        ("question", "error"),
        [
            ("a" * 201, "too_long"),
            ("msza " * 10_000, "too_long"),
            ("msza\x00Lublin", "bad_characters"),
            ("msza \u202enibuL", "bad_characters"),
        ],
    )
    def test_they_are_refused_in_a_word(self, question: str, error: str) -> None:
        assert ask(question).error == error

    @settings(max_examples=300, deadline=None)
    @given(st.text(max_size=200))
    def test_no_text_is_a_traceback(self, question: str) -> None:
        assert ask(question).to_record()["unread"] is not None

    @settings(max_examples=200, deadline=None)
    @given(st.lists(st.sampled_from(WORDS)))
    def test_no_order_of_its_words_is_one_either(self, words: list[str]) -> None:
        reading = ask(" ".join(words)[:200])

        assert len(reading.dates) <= 31
