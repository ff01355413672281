"""What the crawler's tests are made of: a quick configuration, crawls over a loopback server, single pages, clocks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from mass_pipeline.crawling import CrawlConfig, CrawledPage, CrawlReport, Link, Seed, crawl_sites, read_pages
from mass_pipeline.crawling.fetching.addresses import ConnectTo
from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.crawling.fetching.http_client import RateLimitedClient
from mass_pipeline.crawling.pages.links import read_links
from mass_pipeline.crawling.pages.spider import SeenPage
from mass_pipeline.gathering.asking import FetchResult, fetch
from mass_pipeline_tests.crawling.loopback import Answer, Loopback

QUICK: Final = CrawlConfig(
    allow_private_hosts=True,
    no_delay=True,
    min_free_bytes=0,
    few_links=0,  # the sites of the tests are small on purpose
    connect_seconds=60,
    idle_seconds=60,
    total_seconds=120,
    contact="https://example.org/bot",
)
INTERNAL: Final = (
    "http://127.0.0.1:{port}/", "http://localhost:{port}/", "http://2130706433:{port}/", "http://0x7f.1:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/", "http://169.254.169.254/", "http://10.0.0.1/", "file:///etc/passwd",
)  # fmt: skip
_OPTIONS: Final = ("order", "stop_rule", "evidence", "doubted", "on_progress")
Sites = Mapping[str, Mapping[str, Answer | list[Answer]]]


class SteppedClock(Clock):
    """Time that passes only where somebody waits for it: pauses as long as in production; for one host at a time."""

    def __init__(self) -> None:
        self._seconds = 1000.0

    def now(self) -> datetime:
        """See `Clock.now`."""
        return datetime(2026, 11, 20, 3, tzinfo=UTC) + timedelta(seconds=self._seconds)

    def steady(self) -> float:
        """See `Clock.steady`."""
        return self._seconds

    async def sleep(self, seconds: float) -> None:
        """The seconds have passed when others of the event loop have had their turn."""
        await asyncio.sleep(0)
        self._seconds += max(seconds, 0.0)


class Ahead(Clock):
    """The machine's clock, some time ahead."""

    def __init__(self, ahead: timedelta) -> None:
        self._ahead = ahead

    def now(self) -> datetime:
        """See `Clock.now`."""
        return datetime.now(UTC) + self._ahead


class Crawled:
    """What a crawl left behind.

    Attributes:
        asked: paths that this crawl asked for, in order; reservations are left out.
    """

    def __init__(self, state: Path, report: CrawlReport, server: Loopback, asked: list[str]) -> None:
        self.state, self.report, self.server, self.asked = state, report, server, asked
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


def crawled(
    state: Path, sites: Sites | Loopback, *seeds: Seed, ahead: timedelta = timedelta(0), clock: Clock | None = None,
    **settings: object,
) -> Crawled:  # fmt: skip
    """Crawl sites, and read the state.

    Args:
        sites: to serve, or a server that runs already.
        seeds: the first site when none is named.
        ahead: of the machine, so much is the wall clock. clock: instead of it.
        settings: of `CrawlConfig`, and further arguments of `crawl_sites`.
    """
    if not isinstance(sites, Loopback):
        with Loopback(sites, clock=clock if isinstance(clock, SteppedClock) else None) as server:
            return crawled(state, server, *seeds, ahead=ahead, clock=clock, **settings)
    before = len(sites.paths())
    wanted = seeds or [Seed(host, f"http://{host}/") for host in list(sites.sites)[:1]]
    options = {name: settings.pop(name) for name in _OPTIONS if name in settings}
    config = replace(QUICK, **settings)  # type: ignore[arg-type]
    report = crawl_sites(
        wanted, state=state, config=config, connect_to=sites.connect_to, clock=clock or Ahead(ahead), **options  # type: ignore[arg-type]
    )  # fmt: skip
    return Crawled(state, report, sites, sites.paths()[before:])


def fetch_once(url: str, *, config: CrawlConfig, connect_to: ConnectTo | None = None, clock: Clock | None = None) -> FetchResult:
    """One page through the HTTP client, redirects followed, and nothing after it."""
    with RateLimitedClient(config, connect_to, clock=clock) as client:
        return fetch(client, url)


def page(path: str, markup: str, depth: int = 0) -> SeenPage:
    """A received page of http://a.example."""
    return SeenPage("a", f"http://a.example{path}", depth, "", markup.encode(), "text/html", "utf-8", read_links(markup))


def link(path: str, text: str = "", depth: int = 1) -> Link:
    """A link that may enter the frontier of http://a.example."""
    return Link(f"http://a.example{path}", text, depth, "http://a.example/", "a")
