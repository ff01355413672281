"""One page through the HTTP client: for tests that look at outcomes."""

from __future__ import annotations

from mass_pipeline.crawling import CrawlConfig
from mass_pipeline.crawling.fetching.addresses import ConnectTo
from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.crawling.fetching.http_client import RateLimitedClient
from mass_pipeline.gathering.asking import FetchResult, fetch


def fetch_once(url: str, *, config: CrawlConfig, connect_to: ConnectTo | None = None, clock: Clock | None = None) -> FetchResult:
    """One page, redirects followed, and nothing after it."""
    with RateLimitedClient(config, connect_to, clock=clock) as client:
        return fetch(client, url)
