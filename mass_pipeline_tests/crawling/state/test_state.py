"""The state folder: resuming, recrawling, one process at a time, damaged files."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from mass_pipeline.crawling import CrawlConfig, Seed, crawl_sites, read_pages
from mass_pipeline.crawling.sites.store import CrawlStore
from mass_pipeline.crawling.state.schema import CRAWL_FILE, FORMATS
from mass_pipeline.demo_web.web import DemoWeb
from mass_pipeline.model.errors import StorageError
from mass_pipeline_tests.crawling.loopback import Loopback, Page, links, tagged
from mass_pipeline_tests.crawling.made import QUICK, Crawl, SteppedClock, crawled

SEEDS = [Seed("a", "http://a.example/")]


@pytest.mark.row("J3")
class TestResume:
    def test_a_finished_crawl_asks_for_nothing_again_before_it_is_due(self, crawl: Crawl) -> None:
        """J3: a stopped crawl never pays again for a visited page."""
        site = {"/": Page(links("/a")), "/a": Page("a")}
        first = crawl({"a.example": site})
        second = crawl({"a.example": site})

        assert second.server.requests == []
        assert second.pages == first.pages

    def test_an_interrupted_crawl_goes_on_where_it_stopped(self, tmp_path: Path) -> None:
        site = {"/": Page(links(*(f"/{n}" for n in range(9))))} | {f"/{n}": Page(f"page {n}") for n in range(9)}

        class Stop(Exception):
            pass

        def stop(progress: object) -> None:
            if len(server.paths()) > 2:
                raise KeyboardInterrupt

        with Loopback({"a.example": {path: replace(page, delay=0.1) for path, page in site.items()}}) as server:
            with pytest.raises(KeyboardInterrupt):
                crawl_sites(SEEDS, state=tmp_path, config=QUICK, connect_to=server.connect_to, on_progress=stop)
            before = len(server.paths())
            crawl_sites(SEEDS, state=tmp_path, config=QUICK, connect_to=server.connect_to)

        assert 2 < before < 11
        assert sorted(page.url for page in read_pages(tmp_path)) == sorted(f"http://a.example{path}" for path in site)
        assert len(server.paths()) - len(set(server.paths())) <= 1  # the page in flight

    def test_a_crawl_started_again_at_once_leaves_hosts_their_rest(self, tmp_path: Path) -> None:
        """Stopped by hand or finished: the gap holds over the restart."""
        site = {"/": Page(links("/a")), "/a": Page("a"), "/b": Page("b")}
        clock = SteppedClock()
        with Loopback({"a.example": site}, clock=clock) as server:
            for _ in range(2):
                crawled(tmp_path, server, clock=clock, no_delay=False, revisit="all")
        gaps = [later.at - earlier.at for earlier, later in pairwise(server.requests)]

        assert len(gaps) == 5
        assert min(gaps) >= QUICK.host_gap_seconds

    def test_new_seeds_join_an_old_state(self, crawl: Crawl) -> None:
        sites = {"a.example": {"/": Page("a")}, "b.example": {"/": Page("b")}}
        crawl(sites, Seed("a", "http://a.example/"))
        both = crawl(sites, Seed("a", "http://a.example/"), Seed("b", "http://b.example/"))

        assert both.server.paths("a.example") == []
        assert both.ok == ["http://a.example/", "http://b.example/"]

    def test_a_parish_with_a_new_address_is_crawled_anew(self, crawl: Crawl) -> None:
        sites = {"old.example": {"/": Page("old")}, "new.example": {"/": Page("new")}}
        crawl(sites, Seed("a", "http://old.example/"))
        moved = crawl(sites, Seed("a", "http://new.example/"))

        assert "http://new.example/" in moved.ok

    def test_pages_of_a_former_site_are_marked_gone_kept_and_not_asked_again(self, crawl: Crawl) -> None:
        old = {"/": Page(links("/a", "/b")), "/a": Page("Msze 9:00"), "/b": Page("", 500)}
        sites = {"old.example": old, "new.example": {"/": Page("new")}}
        crawl(sites, Seed("a", "http://old.example/"))
        for revisit in ("due", "all"):
            moved = crawl(sites, Seed("a", "http://new.example/"), revisit=revisit)

            assert moved.server.paths("old.example") == []
            assert moved.ok == ["http://new.example/"]
            assert moved.page("http://old.example/a").body == b"Msze 9:00"
            assert moved.outcome("http://old.example/a") == "gone"
            assert moved.page("http://old.example/a").reason == "former site of the parish"
            assert moved.outcome("http://old.example/b") == "out_of_scope"
            assert [site.outcome for site in moved.report.sites] == ["ok"]

    def test_a_parish_that_moves_back_has_its_pages_again(self, crawl: Crawl) -> None:
        sites = {"old.example": {"/": Page(links("/a")), "/a": Page("Msze 9:00")}, "new.example": {"/": Page("new")}}
        for start in ("old", "new", "old"):
            last = crawl(sites, Seed("a", f"http://{start}.example/"))

        assert last.ok == ["http://old.example/", "http://old.example/a"]
        assert last.outcome("http://new.example/") == "gone"

    def test_another_start_that_leads_to_the_same_site_keeps_its_pages(self, crawl: Crawl) -> None:
        """`parafia.pl` becomes `www2.parafia.pl`, both redirect to the host where the pages are."""
        home = {"/": Page(links("/a")), "/a": Page("Msze 9:00")}
        there = Page("", 301, headers={"Location": "http://home.example/"})
        sites = {"one.example": {"/": there}, "two.example": {"/": there}, "home.example": home}
        crawl(sites, Seed("a", "http://one.example/"))
        moved = crawl(sites, Seed("a", "http://two.example/"))

        assert moved.ok == ["http://home.example/", "http://home.example/a"]
        assert moved.server.paths("home.example") == []

    @pytest.mark.parametrize("revisit", ["due", "all"])
    def test_a_site_that_moves_behind_redirects_is_read_where_it_is(self, crawl: Crawl, revisit: str) -> None:
        """All its pages are byte for byte those of before, and none of them is a copy of a page that only leads there."""
        pages = {"/": Page(links("/msze")), "/msze": Page("Msze 9:00")}
        moved = {path: Page("", 301, headers={"Location": f"http://new.example{path}"}) for path in pages}
        crawl({"old.example": pages}, Seed("a", "http://old.example/"))
        for _ in range(2):
            last = crawl({"old.example": moved, "new.example": pages}, Seed("a", "http://old.example/"), revisit="all")
        last = crawl({"old.example": moved, "new.example": pages}, Seed("a", "http://old.example/"), revisit=revisit)

        assert last.page("http://new.example/msze").body == b"Msze 9:00"
        assert last.outcome("http://new.example/msze") in ("ok", "not_modified")

    @pytest.mark.parametrize("left", [Page("", 301, headers={"Location": "/b"}), Page("", 404)])
    def test_a_copy_takes_the_place_of_a_page_that_went(self, crawl: Crawl, left: Page) -> None:
        site = {"/": Page(links("/a", "/b")), "/a": Page("Msze 9:00"), "/b": Page("Msze 9:00")}
        first = crawl({"a.example": site})
        last = crawl({"a.example": {**site, "/a": left}}, revisit="all")

        assert (first.outcome("http://a.example/b"), last.outcome("http://a.example/b")) == ("duplicate", "ok")
        assert last.page("http://a.example/b").body == b"Msze 9:00"
        assert crawl({"a.example": {**site, "/a": left}}, revisit="all").outcome("http://a.example/b") == "ok"


class TestRecrawl:
    """J6."""

    def visit(self, state: Path, site: dict[str, Page], days: float = 0, revisit: str = "due") -> list[str]:
        requests = crawled(state, {"a.example": site}, ahead=timedelta(days=days), revisit=revisit).server.requests
        return [request.path + (" conditional" if "if-none-match" in request.headers else "") for request in requests]

    @pytest.mark.row("V4", "J6")
    def test_unchanged_pages_answer_304_and_keep_their_text(self, tmp_path: Path) -> None:
        site = {"/": tagged(links("/a")), "/a": tagged("Msze 9:00")}
        self.visit(tmp_path, site)

        assert self.visit(tmp_path, site, revisit="all") == ["/ conditional", "/a conditional"]
        assert [(page.outcome, page.body) for page in read_pages(tmp_path)][1] == ("not_modified", b"Msze 9:00")

    def test_pages_are_asked_again_when_due_and_later_each_time_nothing_changed(self, tmp_path: Path) -> None:
        site = {"/": tagged("x")}
        asked = [bool(self.visit(tmp_path, site, days)) for days in (0, 6, 8, 14, 18, 19)]

        assert asked == [True, False, True, False, False, True]

    def test_a_change_brings_new_text_new_links_and_a_sooner_visit(self, tmp_path: Path) -> None:
        self.visit(tmp_path, {"/": tagged("old")})
        self.visit(tmp_path, {"/": tagged("new" + links("/b")), "/b": tagged("b")}, days=8)
        pages = {page.url: page for page in read_pages(tmp_path)}

        assert b"new" in (pages["http://a.example/"].body or b"")
        assert pages["http://a.example/b"].outcome == "ok"
        assert self.visit(tmp_path, {"/": tagged("x")}, days=12)[-1].startswith("/")

    def test_pages_that_vanished_are_marked_not_deleted(self, tmp_path: Path) -> None:
        self.visit(tmp_path, {"/": tagged(links("/a")), "/a": tagged("Msze 9:00")})
        self.visit(tmp_path, {"/": tagged(links("/a"))}, days=8)
        page = list(read_pages(tmp_path))[1]

        assert (page.outcome, page.status, page.body) == ("gone", 404, b"Msze 9:00")

    def test_what_failed_for_a_time_is_tried_in_the_next_run(self, tmp_path: Path) -> None:
        self.visit(tmp_path, {"/": Page(links("/a")), "/a": Page("", 500)})
        self.visit(tmp_path, {"/": Page(links("/a")), "/a": Page("Msze")})

        assert [page.outcome for page in read_pages(tmp_path)] == ["ok", "ok"]


class TestDemoWeb:
    @pytest.mark.slow
    def test_a_second_visit_of_the_unchanged_demo_web_is_answered_304(self, tmp_path: Path) -> None:
        """J6: at least 95 % of the requests."""
        with DemoWeb() as web:
            seeds = [Seed(parish.key, parish.start_url) for parish in web.parishes]
            crawl_sites(seeds, state=tmp_path, config=QUICK, connect_to=web.connect_to)
            again = crawl_sites(seeds, state=tmp_path, config=replace(QUICK, revisit="all"), connect_to=web.connect_to)

        assert again.requests > 400
        assert again.outcomes["not_modified"] >= 0.95 * again.requests


class TestBadStates:
    def run(self, state: Path) -> None:
        crawl_sites([], state=state, config=CrawlConfig())

    def test_a_second_process_on_the_same_state_is_refused(self, tmp_path: Path) -> None:
        with CrawlStore(tmp_path, CrawlConfig()), pytest.raises(StorageError, match="another crawl is using this state"):
            self.run(tmp_path)

    @pytest.mark.parametrize(
        ("made", "told"),
        [
            ("CREATE TABLE t(x)", "something else"),
            (f"{FORMATS[CRAWL_FILE].tables} PRAGMA user_version=99", "newer version"),
        ],
    )
    def test_a_newer_state_is_refused_untouched(self, tmp_path: Path, made: str, told: str) -> None:
        """And a database that is no state."""
        with closing(sqlite3.connect(tmp_path / CRAWL_FILE)) as connection:
            connection.executescript(made)
        before = (tmp_path / CRAWL_FILE).read_bytes()
        with pytest.raises(StorageError, match=told):
            self.run(tmp_path)

        assert (tmp_path / CRAWL_FILE).read_bytes() == before

    def test_a_damaged_state_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / CRAWL_FILE).write_bytes(b"this is no database" * 1000)

        with pytest.raises(StorageError, match="cannot be read"):
            self.run(tmp_path)

    def test_a_state_damaged_in_the_middle_is_refused(self, crawl: Crawl) -> None:
        site = {"/": Page(links(*(f"/{n}" for n in range(40))))} | {f"/{n}": Page(str(n) * 3000) for n in range(40)}
        file = crawl({"a.example": site}).state / CRAWL_FILE
        body = bytearray(file.read_bytes())
        body[4096 * 3 : 4096 * 9] = b"\xff" * (4096 * 6)
        file.write_bytes(body)

        with pytest.raises(StorageError, match=r"damaged|cannot be read"):
            self.run(file.parent)

    def test_a_folder_that_is_a_file_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "state").write_text("x")

        with pytest.raises(StorageError, match="cannot be written"):
            self.run(tmp_path / "state")

    def test_reading_where_no_crawl_was_says_so(self, tmp_path: Path) -> None:
        with pytest.raises(StorageError, match="no crawl has used"):
            list(read_pages(tmp_path))
