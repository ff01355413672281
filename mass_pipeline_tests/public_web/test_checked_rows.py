"""A row that people settled says so: on its page, in the API, in the bulk data."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from mass_pipeline.schedules.checked import By, Checked
from mass_pipeline_tests.finding.made import parish, row
from mass_pipeline_tests.public_web.support import Visitor, published, site_over

ON = date(2026, 11, 26)


def page_of(visitor: Visitor, root: str = "") -> str:
    """The page of the parish."""
    return visitor.page(visitor.get(f"{root}/parafia/x-p000001").headers["location"])


def visitor_of(folder: Path, people: int, by: By = "people") -> Visitor:
    """A visitor of a site of one parish whose only row was checked."""
    checked = Checked(people, ON, by)
    published(folder, [parish(1, [row(["Su"], "10:45", method="people", checked=checked)])])
    return Visitor(site_over(folder))


class TestPage:
    @pytest.mark.parametrize(
        ("people", "by", "words"),
        [
            (1, "people", "sprawdziła 1 osoba, 26 listopada 2026"),
            (3, "people", "sprawdziły 3 osoby, 26 listopada 2026"),
            (5, "people", "sprawdziło 5 osób, 26 listopada 2026"),
            (12, "people", "sprawdziło 12 osób, 26 listopada 2026"),
            (22, "people", "sprawdziły 22 osoby, 26 listopada 2026"),
            (1, "operator", "sprawdził operator, 26 listopada 2026"),
        ],
    )
    def test_it_says_how_many_and_when(self, tmp_path: Path, people: int, by: By, words: str) -> None:
        assert words in page_of(visitor_of(tmp_path, people, by))

    def test_in_english_too(self, tmp_path: Path) -> None:
        assert "checked by 3 people, 26 November 2026" in page_of(visitor_of(tmp_path, 3), "/en")


class TestData:
    def test_the_api_gives_it_with_the_evidence(self, tmp_path: Path) -> None:
        found = visitor_of(tmp_path, 3).get("/api/v1/parishes/p000001/rules").json()
        (evidence,) = [one["evidence"] for one in found["rules"]]

        assert evidence["checked"] == {"people": 3, "on": "2026-11-26", "by": "people"}

    def test_a_row_that_a_machine_read_says_nothing_of_people(self, tmp_path: Path) -> None:
        published(tmp_path, [parish(1, [row(["Su"], "10:45")])])
        found = Visitor(site_over(tmp_path)).get("/api/v1/parishes/p000001/rules").json()

        assert [one["evidence"]["checked"] for one in found["rules"]] == [None]
