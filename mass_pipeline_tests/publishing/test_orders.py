"""The orders of a diocese: which pages of a site count, and what a directory's page beside them does."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from mass_pipeline_tests.annotation.real_rows import MOMENT
from mass_pipeline_tests.publishing.made import Diocese, page_of

HOME, OLD = "https://anna.example/", "https://anna.example/msze-2024"
LISTED = "https://dir.example/anna"
STALE_DAYS = 60


def sundays(diocese: Diocese) -> list[str]:
    return sorted(row.mass.time for row in diocese.build() if "Su" in row.mass.days)


def failing(days: float) -> dict[str, object]:
    """Values of a page that was last confirmed so many days before the others, and fails since."""
    then = MOMENT - timedelta(days)
    return {"outcome": "timeout", "fetched_at": then, "checked_at": then}


class TestAPageThatFails:
    NEW, BEFORE = "<h2>Msze święte</h2><p>Niedziela: 8.00, 10.45</p>", "<h2>Msze święte</h2><p>Niedziela: 7.00, 11.15</p>"

    @pytest.mark.parametrize(("days", "is_left"), [(STALE_DAYS + 1, True), (STALE_DAYS, False), (1, False)])
    def test_gives_way_to_pages_that_answer_once_it_is_stale(self, tmp_path: Path, days: float, is_left: bool) -> None:
        diocese = Diocese(tmp_path)
        diocese.crawl_pages([page_of(HOME, self.NEW), page_of(OLD, self.BEFORE, **failing(days))])

        assert (sundays(diocese) == ["08:00", "10:45"]) == is_left

    def test_counts_where_no_other_page_states_an_order(self, tmp_path: Path) -> None:
        diocese = Diocese(tmp_path)
        diocese.crawl_pages([page_of(HOME, "<p>Nowa galeria zdjęć.</p>"), page_of(OLD, self.BEFORE, **failing(STALE_DAYS + 1))])

        assert sundays(diocese) == ["07:00", "11:15"]


class TestTheDirectorysPage:
    ORDER = "<h2>Msze święte</h2><p>Niedziela: {}</p>"

    def test_is_no_page_of_the_parish_where_it_has_a_site(self, tmp_path: Path) -> None:
        diocese = Diocese(tmp_path)
        own, other = page_of(HOME, self.ORDER.format("8.00, 10.45")), page_of(LISTED, self.ORDER.format("8.00, 12.00"))
        diocese.crawl_pages([own, other], directory_url=LISTED)
        rows = {row.mass.time: row for row in diocese.build()}

        assert sorted(rows) == ["08:00", "10:45"]
        assert [one.says for one in rows["08:00"].heard] == ["agrees"]
        assert [one.says for one in rows["10:45"].heard] == ["contradicts"]
        assert rows["08:00"].confidence > rows["10:45"].confidence

    def test_is_the_parishs_page_where_it_has_no_other(self, tmp_path: Path) -> None:
        diocese = Diocese(tmp_path)
        diocese.crawl_pages([page_of(LISTED, self.ORDER.format("8.00, 12.00"))], directory_url=LISTED)

        assert sundays(diocese) == ["08:00", "12:00"]

    def test_stays_apart_from_the_site_whatever_the_spelling_of_its_host(self, tmp_path: Path) -> None:
        diocese = Diocese(tmp_path)
        pages = [page_of(HOME, self.ORDER.format("8.00")), page_of("https://www.dir.example/anna", self.ORDER.format("12.00"))]
        diocese.crawl_pages(pages, directory_url=LISTED)

        assert sundays(diocese) == ["08:00"]
