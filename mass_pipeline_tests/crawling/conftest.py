"""Shared by the crawler's tests: a quick configuration, and a crawl over a loopback server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from mass_pipeline.crawling import CrawlConfig, CrawledPage, CrawlReport, Seed, crawl_sites, read_pages
from mass_pipeline.crawling.sites.frontier import OrderOfSite, configured_order
from mass_pipeline_tests.crawling.loopback import Answer, Loopback
from mass_pipeline_tests.crawling.stepped_clock import SteppedClock

QUICK = CrawlConfig(
    allow_private_hosts=True,
    no_delay=True,
    min_free_bytes=0,
    few_links=0,  # the sites of the tests are small on purpose
    connect_seconds=60,
    idle_seconds=60,
    total_seconds=120,
    contact="https://example.org/bot",
)


INTERNAL = (
    "http://127.0.0.1:{port}/", "http://localhost:{port}/", "http://2130706433:{port}/", "http://0x7f.1:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/", "http://169.254.169.254/", "http://10.0.0.1/", "file:///etc/passwd",
)  # fmt: skip


@pytest.fixture
def no_loopback(monkeypatch: pytest.MonkeyPatch) -> str:
    """The one address where a test's own sites may be: whatever listens on others of loopback is an internal service (G4)."""
    monkeypatch.setattr("mass_pipeline.crawling.fetching.gate.is_own", lambda address: str(address) == "127.0.0.77")
    return "127.0.0.77"


class Crawled:
    """What a crawl left behind."""

    def __init__(self, state: Path, report: CrawlReport, server: Loopback) -> None:
        self.state = state
        self.report = report
        self.server = server
        self.pages = list(read_pages(state))

    def page(self, url: str) -> CrawledPage:
        """The row of a URL."""
        return next(page for page in self.pages if page.url == url)

    def outcome(self, url: str) -> str:
        """Outcome of a URL, "" when it was never considered."""
        return next((page.outcome for page in self.pages if page.url == url), "")

    @property
    def ok(self) -> list[str]:
        """URLs kept."""
        return [page.url for page in self.pages if page.outcome == "ok"]


Crawl = Callable[..., Crawled]


@pytest.fixture
def crawl(tmp_path: Path) -> Crawl:
    """`crawl(sites, *seeds, **settings)`: serve the sites on loopback, crawl them, read the state."""

    def run(
        sites: Mapping[str, Mapping[str, Answer | list[Answer]]], *seeds: Seed,
        state: str = "state", clock: SteppedClock | None = None, order: OrderOfSite = configured_order, **settings: object,
    ) -> Crawled:  # fmt: skip
        with Loopback(sites, clock=clock) as server:
            wanted = seeds or [Seed(host, f"http://{host}/") for host in list(sites)[:1]]
            config = replace(QUICK, **settings)
            report = crawl_sites(
                wanted, state=tmp_path / state, config=config, connect_to=server.connect_to, clock=clock, order=order
            )
            return Crawled(tmp_path / state, report, server)

    return run
