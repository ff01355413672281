"""Many sites at once: spread over hosts, names looked up ahead."""

from __future__ import annotations

import asyncio

import pytest
import tldextract

from mass_pipeline.crawling import Seed
from mass_pipeline.crawling.fetching import scope
from mass_pipeline.crawling.fetching.gate import Gate
from mass_pipeline_tests.crawling.loopback import Page, links
from mass_pipeline_tests.crawling.made import Crawl

PATHS = [f"/{n}" for n in range(9)]
SITE = {"/": Page(links(*PATHS), delay=0.01)} | {path: Page(f"page {path}", delay=0.01) for path in PATHS}


class TestSpread:
    @pytest.mark.row("V2")
    def test_consecutive_requests_go_to_many_hosts(self, crawl: Crawl) -> None:
        """V2: no host is hammered."""
        hosts = [f"h{n}.example" for n in range(10)]
        crawled = crawl(dict.fromkeys(hosts, SITE), *(Seed(host, f"http://{host}/") for host in hosts))
        order = [request.host for request in crawled.server.requests]

        assert len(order) == 120
        assert all(len(set(order[start : start + 20])) >= 5 for start in range(60))
        assert set(crawled.server.most_in_flight.values()) == {1}

    @pytest.mark.row("P10")
    def test_no_more_sites_are_open_than_allowed(self, crawl: Crawl) -> None:
        """P10."""
        hosts = [f"h{n}.example" for n in range(6)]
        crawled = crawl(dict.fromkeys(hosts, SITE), *(Seed(host, f"http://{host}/") for host in hosts), sites_at_once=2)
        order = [request.host for request in crawled.server.requests]
        spans = {host: (order.index(host), len(order) - order[::-1].index(host)) for host in hosts}

        assert all(sum(first <= moment < last for first, last in spans.values()) <= 2 for moment in range(len(order)))

    @pytest.mark.row("V8")
    def test_it_ends_when_no_site_waits_and_none_is_open(self, crawl: Crawl) -> None:
        """V8: more workers than sites, and sites that end at different times."""
        sites = {f"h{n}.example": {"/": Page(f"start {n}", delay=n / 50)} for n in range(4)}
        crawled = crawl(sites, *(Seed(host, f"http://{host}/") for host in sites), sites_at_once=50)

        assert len(crawled.ok) == 4
        assert crawled.report.finished

    def test_a_crawl_of_nothing_ends_at_once(self, crawl: Crawl) -> None:
        crawled = crawl({"a.example": {"/": Page("x")}})
        again = crawl({"a.example": {"/": Page("x")}})

        assert (crawled.report.requests, again.report.requests) == (3, 0)

    def test_the_list_of_suffixes_is_loaded_before_the_event_loop_runs(
        self, crawl: Crawl, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It takes a tenth of a second, for which nobody else would have a turn."""
        loops: list[object] = []
        load = tldextract.TLDExtract

        def loaded(**options: object) -> object:
            loops.append(asyncio._get_running_loop())
            return load(**options)  # type: ignore[arg-type]

        monkeypatch.setattr(tldextract, "TLDExtract", loaded)
        scope.public_suffixes.cache_clear()
        scope.registrable_domain.cache_clear()
        crawl({"a.example": {"/": Page("x")}})

        assert loops == [None]


@pytest.mark.row("C5")
class TestNames:
    def test_a_name_looked_up_ahead_is_not_looked_up_again(self) -> None:
        """C5."""
        asked: list[str] = []

        async def resolve(host: str, port: int) -> list[str]:
            asked.append(host)
            return ["93.184.216.34"]

        async def run() -> None:
            gate = Gate(resolve=resolve)
            gate.prefetch("a.pl", 80)
            while not asked:
                await asyncio.sleep(0)
            for _ in range(3):
                await gate.addresses("a.pl", 80)

        asyncio.run(run())

        assert asked == ["a.pl"]
