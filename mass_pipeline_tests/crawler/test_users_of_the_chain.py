"""One contract for everybody who follows redirects: crawl, link collection, watch, directory, single pages and robots.txt,
over servers that misbehave.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest

from mass_pipeline.crawler import CrawlConfig, FetchResult, PageFetcher, Seed, crawl_sites, fetch_once, read_pages
from mass_pipeline.crawler.fetching.leases.keeper import LeaseKeeper
from mass_pipeline.crawler.fetching.leases.opening import open_leases
from mass_pipeline.crawler.fetching.leases.ports import HOST
from mass_pipeline.crawler.link_collection.bandits.config import LinkBanditConfig
from mass_pipeline.crawler.link_collection.collector import collect_links
from mass_pipeline.crawler.link_collection.reading import read_links
from mass_pipeline.crawler.link_collection.records import CollectionSettings
from mass_pipeline.crawler.link_collection.store import LinkStore
from mass_pipeline.crawler.link_collection.target_set import add_site
from mass_pipeline.crawler.pages.relevance import load_topic, topic_path
from mass_pipeline.crawler.watching.config import WatchConfig
from mass_pipeline.crawler.watching.engine import watch_sites
from mass_pipeline.crawler.watching.polling.config import PollingConfig
from mass_pipeline.crawler.watching.sites import WatchedList, WatchedSite
from mass_pipeline.discovery.asking import Directory
from mass_pipeline.model.errors import FetchError
from mass_pipeline_tests.crawler.conftest import QUICK
from mass_pipeline_tests.crawler.loopback import Answer, Loopback, Page
from mass_pipeline_tests.crawler.test_misbehaviour import SCRIPTS

HOST_NAME: Final = "a.example"
START: Final = f"http://{HOST_NAME}/"
CONFIG: Final = replace(
    QUICK, max_depth=0, max_body_bytes=300_000, idle_seconds=0.5, total_seconds=1.0, max_attempts=2, host_failure_limit=9,
    sitemaps="never",
)  # fmt: skip

Ask = Callable[[Path, Loopback, CrawlConfig], str]
"""Ask for the start page once; its outcome."""


def by_crawl(folder: Path, server: Loopback, config: CrawlConfig) -> str:
    crawl_sites([Seed("a", START)], state=folder, config=config, connect_to=server.connect_to)
    return next(page.outcome for page in read_pages(folder) if page.url == START)


def by_fetch(folder: Path, server: Loopback, config: CrawlConfig) -> str:
    return fetch_once(START, config=config, connect_to=server.connect_to).outcome


class _Telling(PageFetcher):
    """Says afterwards how the last URL answered."""

    def fetch(self, url: str, *, any_type: bool = False) -> FetchResult:
        self.last = super().fetch(url, any_type=any_type)
        return self.last


def by_directory(folder: Path, server: Loopback, config: CrawlConfig) -> str:
    with _Telling(config, server.connect_to, attempts=config.max_attempts) as fetcher:
        try:
            Directory(fetcher, config.max_attempts, lambda: datetime.now(UTC)).get(START)
        except FetchError:
            assert fetcher.last.outcome != "ok"
        else:
            assert fetcher.last.outcome == "ok"
        return fetcher.last.outcome


def by_links(folder: Path, server: Loopback, config: CrawlConfig) -> str:
    with LinkStore(folder, create=True) as store:
        add_site(store, HOST_NAME)
    settings = CollectionSettings(policy="sequential", max_level=0, budget_pages=5)
    collect_links(folder, settings, config=config, bandits=LinkBanditConfig(), connect_to=server.connect_to)
    with LinkStore(folder) as store:
        return str(next(row["outcome"] for row in read_links(store, "internal") if row["url"] == START))


def by_watch(folder: Path, server: Loopback, config: CrawlConfig) -> str:
    watch_sites(
        [WatchedSite("a", START, lists=(WatchedList(START),))],
        state=folder,
        topic=load_topic(topic_path("services")),
        crawl=config,
        watch=WatchConfig(),
        polling=PollingConfig(),
        connect_to=server.connect_to,
        once=True,
    )
    lines = [line.split() for line in (folder / "progress.log").read_text().splitlines()]
    return next(outcome for _, outcome, url in lines if url == START)


USERS: Final[Mapping[str, Ask]] = {
    "crawl": by_crawl,
    "directory": by_directory,
    "fetch_once": by_fetch,
    "links": by_links,
    "watch": by_watch,
}
# What a chain of redirects ends with stands for the URL that began it, but in a crawl, where each hop is a row.
FOLLOWED: Final = {"ok", "http_4xx"}


RULES: Final = Page("User-agent: *\nAllow: /", content_type="text/plain")
# Of robots.txt the first 500 kB count, with any status of the 2xx range what came whole.
BODIES_WE_CUT: Final = {"endless body"}
NOT_OF_ROBOTS: Final = {"204 with a body"}


@pytest.fixture(params=sorted(USERS))
def ask(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., str]:
    """`ask(server, **settings)`: the outcome of the start page, by each user in turn."""
    user = USERS[request.param]
    return lambda server, **settings: user(tmp_path / "state", server, replace(CONFIG, **settings))


class TestMisbehaviour:
    @pytest.mark.parametrize("name", sorted(set(SCRIPTS) - {"endless image", "a million tiny chunks"}))
    def test_one_outcome_in_time(self, ask: Callable[..., str], name: str) -> None:
        answer, allowed = SCRIPTS[name]
        began = time.monotonic()
        with Loopback({HOST_NAME: {"/": answer}}) as server:
            outcome = ask(server)

        assert outcome in (allowed | FOLLOWED if "redirect" in allowed else allowed)
        assert time.monotonic() - began < 30

    def test_an_answer_cut_short_is_asked_for_once_more(self, ask: Callable[..., str]) -> None:
        with Loopback({HOST_NAME: {"/": SCRIPTS["length too long"][0]}}) as server:
            outcome = ask(server)

        assert outcome == "truncated"
        assert server.paths().count("/") == 2

    def test_a_second_answer_that_is_whole_takes_the_place_of_the_first(self, ask: Callable[..., str]) -> None:
        answers: list[Answer] = [SCRIPTS["length too long"][0], Page("<p>Msze 12:00, 18:00")]
        with Loopback({HOST_NAME: {"/": answers}}) as server:
            assert ask(server) == "ok"

    def test_an_answer_without_a_page_is_no_page(self, ask: Callable[..., str]) -> None:
        with Loopback({HOST_NAME: {"/": SCRIPTS["204 with a body"][0]}}) as server:
            assert ask(server) == "protocol_error"


class TestRedirects:
    def test_a_circle_ends(self, ask: Callable[..., str]) -> None:
        site = {"/": Page("", 302, headers={"Location": "/b"}), "/b": Page("", 302, headers={"Location": "/"})}
        with Loopback({HOST_NAME: site}) as server:
            ask(server)

        assert server.paths().count("/b") <= 1

    def test_hosts_that_are_never_crawled_are_never_asked(self, ask: Callable[..., str]) -> None:
        page = Page("", 302, headers={"Location": "http://www.facebook.com/parafia"})
        with Loopback({HOST_NAME: {"/": page}, "www.facebook.com": {"/parafia": Page("x")}}) as server:
            ask(server)

        assert {request.host for request in server.requests} == {HOST_NAME}

    def test_a_choice_is_no_redirect(self, ask: Callable[..., str]) -> None:
        """RFC 9110 15.4.1: 300 leaves the choice to a person."""
        site = {"/": Page("", 300, headers={"Location": "/b"}), "/b": Page("b")}
        with Loopback({HOST_NAME: site}) as server:
            ask(server)

        assert "/b" not in server.paths()

    def test_robots_txt_holds_for_every_hop(self, ask: Callable[..., str]) -> None:
        site = {
            "/robots.txt": Page("User-agent: *\nDisallow: /b", content_type="text/plain"),
            "/": Page("", 302, headers={"Location": "/b"}),
            "/b": Page("b"),
        }
        with Loopback({HOST_NAME: site}) as server:
            ask(server)

        assert "/b" not in server.paths()


class TestRobotsTxt:
    """robots.txt is no page: what it answers decides whether the page is asked for at all."""

    @pytest.fixture
    def asked(self, tmp_path: Path) -> Callable[..., list[str]]:
        """`asked(sites)`: paths that a single page made us ask for."""

        def ask_once(site: Mapping[str, Answer | list[Answer]]) -> list[str]:
            sites = {HOST_NAME: {"/": Page("<p>Msze 12:00"), **site}, "never.example": {}, "www.facebook.com": {"/r": RULES}}
            with Loopback(sites) as server:
                fetch_once(START, config=replace(CONFIG, removed_hosts=("never.example",)), connect_to=server.connect_to)
            return [f"{one.host}{one.path}" for one in server.requests if not one.path.startswith("/.well-known")]

        return ask_once

    @pytest.mark.parametrize("name", sorted(set(SCRIPTS) - {"endless image", "a million tiny chunks"}))
    def test_one_answer_in_time_and_never_open_by_mistake(self, asked: Callable[..., list[str]], name: str) -> None:
        answer, allowed = SCRIPTS[name]
        began = time.monotonic()
        paths = asked({"/robots.txt": answer})

        if not allowed & {"ok", "not_text", "redirect"} and name not in BODIES_WE_CUT | NOT_OF_ROBOTS:
            assert START[7:] not in paths
        assert time.monotonic() - began < 30

    def test_a_file_cut_short_is_asked_for_once_more(self, asked: Callable[..., list[str]]) -> None:
        cut = SCRIPTS["length too long"][0]

        assert asked({"/robots.txt": cut}) == [f"{HOST_NAME}/robots.txt"] * 2
        assert asked({"/robots.txt": [cut, RULES]})[-1] == f"{HOST_NAME}/"

    def test_a_busy_hop_is_asked_again_and_not_the_whole_chain(self, asked: Callable[..., list[str]]) -> None:
        hop = Page("", 302, headers={"Location": "/r"})

        assert asked({"/robots.txt": hop, "/r": [Page("", 503), RULES]}) == [
            f"{HOST_NAME}{path}" for path in ("/robots.txt", "/r", "/r", "/")
        ]

    def test_a_circle_ends_and_disallows(self, asked: Callable[..., list[str]]) -> None:
        site = {path: Page("", 302, headers={"Location": to}) for path, to in {"/robots.txt": "/r", "/r": "/robots.txt"}.items()}

        assert asked(site) == [f"{HOST_NAME}/robots.txt", f"{HOST_NAME}/r"]

    def test_a_choice_is_no_redirect(self, asked: Callable[..., list[str]]) -> None:
        site = {"/robots.txt": Page("", 300, headers={"Location": "/r"}), "/r": RULES}

        assert asked(site) == [f"{HOST_NAME}/robots.txt"]

    @pytest.mark.parametrize("host", ["www.facebook.com", "never.example"])
    def test_hosts_that_are_never_crawled_or_were_removed_are_not_asked(self, asked: Callable[..., list[str]], host: str) -> None:
        assert asked({"/robots.txt": Page("", 302, headers={"Location": f"http://{host}/r"})}) == [f"{HOST_NAME}/robots.txt"]


class TestOtherRuns:
    def test_a_host_that_another_run_asks_is_waited_for(self, ask: Callable[..., str], tmp_path: Path) -> None:
        leases = str(tmp_path / "leases")
        with (
            Loopback({HOST_NAME: {"/": Page("<p>Msze 12:00")}}) as server,
            LeaseKeeper(open_leases(leases), lease_seconds=20, turn_seconds=60) as other,
        ):
            holding = other.claim(HOST + HOST_NAME).result(10)
            assert holding is not None
            seen: list[int] = []

            def let_go() -> None:
                seen.append(len(server.requests))
                other.vacate(holding)
                other.give_up(HOST + HOST_NAME)

            timer = threading.Timer(1.5, let_go)
            timer.start()
            outcome = ask(server, no_delay=False, start_delay_seconds=0.0, host_gap_seconds=0.0, leases=leases)
            timer.join()

        assert seen == [0]
        assert outcome == "ok"
