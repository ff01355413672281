"""The crawl report for people."""

from __future__ import annotations

from dataclasses import replace

from mass_pipeline.crawling.sites.records import CrawlReport, SiteReport, sites_markdown


def _report(*sites: SiteReport) -> CrawlReport:
    return CrawlReport(
        seconds=1.0,
        cpu_seconds=0.5,
        requests=3,
        body_bytes=4000,
        pages=2,
        outcomes={},
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
