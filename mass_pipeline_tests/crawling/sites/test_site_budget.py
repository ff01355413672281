"""Sites that fail for long: a crawl ends in a stated time, names how they stand, and keeps what it knew of them."""

from __future__ import annotations

from mass_pipeline.crawling import Seed
from mass_pipeline_tests.crawling.loopback import Answer, Loopback, Page, links
from mass_pipeline_tests.crawling.made import QUICK, Crawl

BROKEN = Page("Internal Server Error", 500)
PATHS = [f"/{n}" for n in range(20)]


def site(answer: Answer, *, good: tuple[str, ...] = ()) -> dict[str, Answer | list[Answer]]:
    """A start page that answers, with twenty pages after it."""
    return {"/": Page(links(*PATHS, "/msze")), **dict.fromkeys((*PATHS, "/msze"), answer), **{path: Page(path) for path in good}}


class TestServerErrors:
    def test_a_site_that_fails_at_page_after_page_is_left_alone(self, crawl: Crawl) -> None:
        """Sixty-three requests, each a minute after the one before, kept a diocese for an hour."""
        crawled = crawl({"a.example": site(BROKEN)})
        asked = crawled.server.paths()[2:]
        (told,) = crawled.report.sites

        assert len(asked) == 7  # one page three times; the others, which fail like it, once
        assert len(set(asked)) == QUICK.site_error_limit
        assert (told.outcome, told.reason) == ("ok", "the host failed at 5 pages in a row (HTTP 500)")
        assert [crawled.outcome(f"http://a.example{path}") for path in PATHS].count("deferred") >= 15

    def test_pages_that_fail_one_by_one_end_nothing(self, crawl: Crawl) -> None:
        good = tuple(PATHS[::4])
        crawled = crawl({"a.example": site(BROKEN, good=good)})

        assert {f"http://a.example{path}" for path in good} <= set(crawled.ok)
        assert crawled.report.outcomes.get("deferred", 0) == 0

    def test_what_was_known_is_kept_and_the_pages_that_failed_are_asked_last(self, crawl: Crawl) -> None:
        """Else the same five pages ended every run, and nobody ever asked for the others."""
        everything = ("/msze", *PATHS)
        with Loopback({"a.example": site(BROKEN, good=everything)}) as server:
            crawl(server)
            server.sites["a.example"] = site(BROKEN, good=("/msze", *PATHS[9:]))
            kept = {page.url: page.body for page in crawl(server, revisit="all").pages}
            asked = crawl(server, revisit="all").asked

        assert all(kept[f"http://a.example{path}"] == path.encode() for path in everything)
        assert set(PATHS[9:]) <= set(asked)

    def test_other_sites_of_a_shared_host_are_crawled(self, crawl: Crawl) -> None:
        bad = {f"/a{path}": BROKEN for path in PATHS}
        pages: dict[str, Answer | list[Answer]] = {
            "/a/": Page(links(*bad)), **bad, "/b/": Page(links("/b/msze")), "/b/msze": Page("Msze 9:00"),
        }  # fmt: skip
        seeds = [Seed(key, f"http://s.example/{key}/", f"/{key}/") for key in "ab"]

        assert "http://s.example/b/msze" in crawl({"s.example": pages}, *seeds).ok


class TestTime:
    def test_a_crawl_ends_when_its_time_is_spent(self, crawl: Crawl) -> None:
        """A host that carries many slow sites would hold a run until somebody ends it."""
        report = crawl({"a.example": site(Page("x", delay=0.25))}, max_crawl_seconds=1.0).report

        assert report.sites[0].reason == "time budget of the crawl is spent"
        assert report.outcomes["deferred"] > 10
