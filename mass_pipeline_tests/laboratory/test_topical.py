"""A topical crawl leaves its sites where links promise the query, within its budget, and tells what the pages are worth."""

from __future__ import annotations

from pathlib import Path

import pytest

from mass_pipeline.crawling import Seed
from mass_pipeline.laboratory.orders import Order
from mass_pipeline.laboratory.topical import TopicalReport, topical_crawl
from mass_pipeline_tests.crawling.loopback import Loopback, Page
from mass_pipeline_tests.crawling.made import QUICK

QUERY = "wizyta duszpasterska kolęda"
SITES = {
    "dekanat.example": {
        "/": Page(
            "<h1>Dekanat</h1><p>Wizyta duszpasterska, czyli kolęda, w parafiach: <a href='http://anny.example/'>plan kolędy</a>, "
            "<a href='http://jana.example/koleda'>kolęda u Jana</a>, <a href='http://facebook.com/d'>kolęda na facebooku</a></p>"
            "<p>Polecamy dobre <a href='http://sklep.example/'>meble</a>, tanio</p>"
        )
    },
    "anny.example": {
        "/": Page(
            "<title>Kolęda</title><h1>Wizyta duszpasterska</h1><p>Kolęda od 27 grudnia. Sąsiedzi: "
            "<a href='http://marii.example/'>wizyta duszpasterska u NMP</a>"
        )
    },
    "jana.example": {"/": Page("<p>Witamy"), "/koleda": Page("<h1>Wizyta duszpasterska</h1><p>Kolęda po południu")},
    "marii.example": {"/": Page("<h1>Wizyta duszpasterska</h1><p>Kolęda rano")},
    "sklep.example": {"/": Page("<p>Meble kuchenne, stoły, krzesła")},
}


def crawl(folder: Path, most_sites: int, state: str = "state") -> tuple[TopicalReport, set[str]]:
    """Report, and the hosts that were asked for a page."""
    with Loopback(SITES) as server:
        report = topical_crawl(
            [Seed("dekanat", "http://dekanat.example/")],
            state=folder / state,
            config=QUICK,
            order=Order("best_first", "shark", QUERY),
            most_sites=most_sites,
            connect_to=server.connect_to,
        )
        return report, {request.host for request in server.requests}


class TestLeaving:
    def test_sites_that_the_links_promise_are_visited_and_theirs_in_turn(self, tmp_path: Path) -> None:
        report, asked = crawl(tmp_path, 10)

        assert set(report.left_for.values()) == {"http://anny.example/", "http://jana.example/koleda", "http://marii.example/"}
        assert list(report.left_for)[-1] == "marii.example"  # found on a page of the first round
        assert asked == {"dekanat.example", "anny.example", "jana.example", "marii.example"}

    @pytest.mark.parametrize("budget", [0, 1, 2])
    def test_no_more_sites_than_the_budget(self, tmp_path: Path, budget: int) -> None:
        report, asked = crawl(tmp_path, budget)

        assert len(report.left_for) == budget
        assert len(asked) == budget + 1

    def test_the_budget_holds_over_runs(self, tmp_path: Path) -> None:
        crawl(tmp_path, 1)
        report, _ = crawl(tmp_path, 2)

        assert len(report.left_for) == 2


class TestReport:
    def test_pages_are_told_with_their_likeness_and_the_search_length(self, tmp_path: Path) -> None:
        report, _ = crawl(tmp_path, 10)

        assert report.likeness["http://marii.example/"] > 0.5
        assert report.likeness["http://dekanat.example/"] < report.likeness["http://marii.example/"]
        assert report.search_length[0.1] == 1 <= report.search_length[0.5] < report.search_length[0.9]
        assert report.relevant >= 3
