"""The crawl report for people."""

from __future__ import annotations

from dataclasses import replace

from mass_pipeline.crawling.sites.records import CrawlReport, SiteReport
from mass_pipeline.crawling.sites.report import outcomes_plot, sites_markdown


def _report(*sites: SiteReport, **outcomes: int) -> CrawlReport:
    return CrawlReport(
        seconds=1.0,
        cpu_seconds=0.5,
        requests=3,
        body_bytes=4000,
        pages=2,
        outcomes=outcomes,
        politeness={},
        sites=sites,
        finished=True,
    )


def _site(url: str, pages: int, reason: str = "") -> SiteReport:
    return SiteReport("p1", url, "ok", reason, pages, 3, 4000, 0.5)


class TestSitesMarkdown:
    def test_the_site_with_fewest_pages_stands_first(self) -> None:
        """What needs a look must not drown in what is well."""
        lines = sites_markdown(_report(_site("http://b.example/", 9), _site("http://a.example/", 0))).splitlines()

        assert "a.example" in lines[2]
        assert "b.example" in lines[3]

    def test_what_limits_left_out_is_told(self) -> None:
        site = replace(_site("http://a.example/", 60), left_out={"page budget of the site is spent": 12})

        assert sites_markdown(_report(site)).endswith("| 12 (page budget of the site is spent) |")

    def test_a_hostile_reason_cannot_write_markup_or_cells(self) -> None:
        """Reasons may quote what a server said."""
        text = sites_markdown(_report(_site("http://a.example/", 1, "<img src=x onerror=alert(1)>|\n![x](http://evil)")))

        assert "<" not in text
        assert "![" not in text
        assert len(text.splitlines()) == 3


class TestOutcomesPlot:
    def test_it_is_a_picture_even_of_nothing(self) -> None:
        assert outcomes_plot(_report()).startswith(b"\x89PNG")

    def test_more_outcomes_make_it_taller(self) -> None:
        few = outcomes_plot(_report(ok=5))
        many = outcomes_plot(_report(ok=5, timeout=2, http_4xx=1, trap=40))

        assert int.from_bytes(few[20:24], "big") < int.from_bytes(many[20:24], "big")
