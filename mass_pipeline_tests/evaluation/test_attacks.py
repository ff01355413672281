"""Pages made to deceive the reader, where they lie beside the checkout: as many are seen through as before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from mass_pipeline_tests.evaluation.attacks import Verdicts, judged
from mass_pipeline_tests.shared import shared_folder

MOST_PUBLISHED: Final = 1  # of 65 pages whose answer is unknown
KNOWN_MISREADINGS: Final[dict[str, str]] = {}
KNOWN_FACTS: Final[dict[str, str]] = {}
MOST_LOST: Final = 12  # of 25 pages: a time beside private words is taken for an intention's

ORDER: Final = "<h1>Porządek Mszy świętych</h1><p>Niedziele: 8.00, 10.00</p><p>Dni powszednie: 18.00</p>"
RIGHT: Final = {"html": ORDER, "sunday": ["08:00", "10:00"], "weekday": ["18:00"], "decoys": [], "may_be_missing": False}


@pytest.fixture(scope="module")
def verdicts() -> Verdicts:
    return judged(shared_folder("attacks"))


class TestAttacks:
    def test_hardly_a_page_whose_answer_is_unknown_publishes(self, verdicts: Verdicts) -> None:
        assert verdicts.pages["unknown"] > 0
        assert len(verdicts.published) <= MOST_PUBLISHED

    def test_known_hostile_pages_are_read_right(self, verdicts: Verdicts) -> None:
        assert set(verdicts.wrong) <= set(KNOWN_MISREADINGS)

    def test_no_fact_about_a_person_is_printed(self, verdicts: Verdicts) -> None:
        assert set(verdicts.told) <= set(KNOWN_FACTS)

    def test_times_beside_private_words_are_not_lost(self, verdicts: Verdicts) -> None:
        assert len(verdicts.lost) <= MOST_LOST


class TestJudge:
    """The judge itself, on pages of its own."""

    @pytest.mark.parametrize(
        ("page", "lines"),
        [
            ({"html": ORDER}, ["1 of 1", "0 of 0", "0 of 0", "0 of 0"]),
            ({"html": "<p>Witamy</p>"}, ["0 of 1", "0 of 0", "0 of 0", "0 of 0"]),
            (RIGHT, ["0 of 0", "0 of 1", "0 of 0", "0 of 0"]),
            (RIGHT | {"sunday": ["08:00"]}, ["0 of 0", "1 of 1", "0 of 0", "0 of 0"]),
            (RIGHT | {"sunday": ["08:00", "10:00", "12:00"]}, ["0 of 0", "1 of 1", "0 of 0", "0 of 0"]),
            (RIGHT | {"sunday": ["08:00", "10:00", "12:00"], "may_be_missing": True}, ["0 of 0", "0 of 1", "0 of 0", "0 of 0"]),
            ({"html": ORDER, "private": ["Niedziele"]}, ["0 of 0", "0 of 0", "1 of 1", "0 of 1"]),
            ({"html": f"{ORDER}<p>Kancelaria: 16.00</p>", "private": ["Kowalska"]}, ["0 of 0", "0 of 0", "0 of 1", "1 of 1"]),
        ],
    )
    def test_each_fault_is_counted(self, tmp_path: Path, page: dict[str, object], lines: list[str]) -> None:
        (tmp_path / "pages.jsonl").write_text(json.dumps({"id": "a"} | page), "utf-8")

        assert [line.rpartition(": ")[2] for line in judged(tmp_path).lines()][:4] == lines
