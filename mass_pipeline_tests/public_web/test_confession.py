"""When one can confess: on the page of a parish, for whoever asks for a town, and in the API."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mass_pipeline.finding.index.records import ConfessionRecord
from mass_pipeline_tests.finding.made import NOW, parish
from mass_pipeline_tests.public_web.support import Visitor, published, site_over

ROWS = (
    ConfessionRecord(("Mo", "Tu", "We", "Th", "Fr", "Sa"), (), "before_mass", minutes=30, quote="pół godziny przed Mszą"),
    ConfessionRecord(
        ("Fr",), (1,), "hours", "16:00", "17:30", quote="I piątek 16.00-17.30",
        source_url="https://parafia.example/msze", checked_at=NOW,
    ),
)  # fmt: skip


@pytest.fixture
def visitor(tmp_path: Path) -> Visitor:
    """Two parishes of a town, one of which says when."""
    published(tmp_path, [parish(1, town="Gniezno", confession=ROWS), parish(2, town="Gniezno")])
    return Visitor(site_over(tmp_path))


def words_of(page: str) -> str:
    """The page without its tags."""

    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


class TestConfession:
    def test_the_page_of_the_parish_has_days_words_and_date(self, visitor: Visitor) -> None:
        page = words_of(visitor.page("/parafia/gniezno-swietego-jana-1-p000001"))

        assert "poniedziałek–sobota: 30 minut przed Mszą" in page
        assert "piątek, 1. w miesiącu: 16.00–17.30" in page
        assert "I piątek 16.00-17.30" in page
        assert "Spowiedź" not in words_of(visitor.page("/parafia/gniezno-swietego-jana-2-p000002"))

    @pytest.mark.parametrize(
        "question", ["spowiedź Gniezno", "Gniezno gdzie do spowiedzi 4 grudnia po 16", "confession Gniezno", "Beichte Gniezno"]
    )
    def test_whoever_asks_gets_the_parishes_that_say_when(self, visitor: Visitor, question: str) -> None:
        page = words_of(visitor.page(f"/msze?q={question}"))

        assert "piątek, 1. w miesiącu: 16.00–17.30" in page
        assert "Podajemy tylko godziny Mszy" not in page

    @pytest.mark.parametrize(
        "question", ["spowiedź Gniezno 11 grudnia", "spowiedź Gniezno 4 grudnia po 18", "spowiedź po angielsku Gniezno"]
    )
    def test_day_hour_and_language_hold_for_it_too(self, visitor: Visitor, question: str) -> None:
        assert "16.00–17.30" not in words_of(visitor.page(f"/msze?q={question}"))

    @pytest.mark.parametrize(("hours", "is_told"), [("po 6", True), ("po 23", False)])
    def test_before_masses_it_is_at_their_hours(self, visitor: Visitor, hours: str, *, is_told: bool) -> None:
        page = words_of(visitor.page(f"/msze?q=spowiedź Gniezno 11 grudnia {hours}"))
        assert ("30 minut przed Mszą" in page) is is_told

    def test_a_church_of_another_town_stands_with_its_town(self, tmp_path: Path) -> None:
        published(tmp_path, [parish(1, town="Gniezno"), parish(2, town="Kłecko", confession=ROWS)])

        assert ", Kłecko" in words_of(Visitor(site_over(tmp_path)).page("/msze?q=spowiedź Gniezno i okolice"))

    def test_where_nobody_says_the_page_tells_whom_to_ask(self, tmp_path: Path) -> None:
        published(tmp_path, [parish(1, town="Gniezno")])

        page = Visitor(site_over(tmp_path)).page("/msze?q=spowiedź Gniezno")
        assert "Nie znamy godzin spowiedzi" in page
        assert "Podajemy tylko godziny Mszy" not in page

    def test_the_api_tells_the_same(self, visitor: Visitor) -> None:
        first, second = visitor.get("/api/v1/parishes/p000001/rules").json()["confession"]

        assert (first["tied"], first["minutes"], first["start"], first["nth"]) == ("before_mass", 30, None, None)
        assert (second["nth"], second["start"], second["until"], second["quote"]) == (
            [1],
            "16:00",
            "17:30",
            "I piątek 16.00-17.30",
        )
        assert visitor.get("/api/v1/parishes/p000002/rules").json()["confession"] == []
