"""The orders of a diocese: which pages of a site count, and what a directory's page beside them does."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from mass_pipeline.model.columns import PARISHES
from mass_pipeline.model.records import Evidence, Mass, ReadMass
from mass_pipeline.publishing.orders import rows_of
from mass_pipeline.resources.lake import table_of
from mass_pipeline.schedules.reviews import Decision, Proposal, Verdict
from mass_pipeline.schedules.rows import ScheduleRow
from mass_pipeline.site_reading.pages import ReadPage, SiteReading
from mass_pipeline_tests.annotation.real_rows import MOMENT, directory_row
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

    @pytest.mark.parametrize("home", [HOME, "https://zofia.example/"])
    def test_is_no_page_of_the_parish_where_it_has_a_site(self, tmp_path: Path, home: str) -> None:
        diocese = Diocese(tmp_path)
        own, other = page_of(home, self.ORDER.format("8.00, 10.45")), page_of(LISTED, self.ORDER.format("8.00, 12.00"))
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


class TestDecisions:
    """An approved order is published whether or not the site was read; of other dioceses nothing is said here."""

    @pytest.mark.parametrize(("verdict", "diocese_key", "published"), [
        ("approved", "lodzka", ["09:30"]), ("rejected", "lodzka", []), ("approved", "krakowska", []),
        ("approved", "warszawska", []),
    ])  # fmt: skip
    def test_publish_an_order_of_a_parish_without_pages(
        self, tmp_path: Path, verdict: Verdict, diocese_key: str, published: list[str]
    ) -> None:
        diocese = Diocese(tmp_path)
        diocese.crawl_pages([page_of(HOME, "<p>Nowa galeria zdjęć.</p>")])
        diocese.lake.publish(PARISHES, {None: [table_of(PARISHES, [directory_row("p2") | {"diocese_key": diocese_key}])]})
        row = ScheduleRow(Mass(("Su",), "09:30"), "https://p2.example/", "Niedziela: 9.30", "a1", MOMENT)
        proposal = Proposal("p2", "published", "", None, (row,), row.source_url, row.quote, row.page_sha256)
        diocese.log.propose([proposal])
        rows = (row,) if verdict == "approved" else ()
        diocese.log.decide(Decision(proposal, verdict, "anna", "2026-11-21T10:00:00+01:00", rows))
        diocese.build()

        assert [one.mass.time for one in diocese.rows("p2")] == published


class TestRowsOfASite:
    def test_rest_on_a_crawled_page_and_stand_once(self) -> None:
        """A Mass whose evidence is no crawled page has no proof that anybody could look at."""
        page = ReadPage(HOME, "a1", MOMENT, None, None, MOMENT)  # type: ignore[arg-type]
        site = SiteReading("p1", (page,), {})
        eight, ten = Mass(("Su",), "08:00"), Mass(("Su",), "10:00")
        words = [(eight, HOME, "8.00"), (eight, HOME, "8.00"), (ten, "https://other.example/", "10.00"), (ten, HOME, "")]
        masses = [ReadMass(mass, 0.9, (Evidence(url, quote),)) for mass, url, quote in words]

        assert [row.mass for row in rows_of(site, masses)] == [eight]
