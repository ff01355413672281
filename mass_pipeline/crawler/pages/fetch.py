"""Fetch single pages by the crawler's rules: gate, robots.txt, pace, redirects. No frontier, no state folder (see engine).

Whoever fetches several pages gives each call the same `HostMemory`: robots.txt is then asked once a day, and hosts are left
their pauses between the calls.
"""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass, field, replace
from typing import Final

from mass_pipeline.crawler.fetching.addresses import ConnectTo
from mass_pipeline.crawler.fetching.chain import Chain, Follower
from mass_pipeline.crawler.fetching.clock import Clock, SystemClock
from mass_pipeline.crawler.fetching.config import CrawlConfig
from mass_pipeline.crawler.fetching.downloader import Downloader
from mass_pipeline.crawler.fetching.gate import Gate
from mass_pipeline.crawler.fetching.host_memory import OriginRules, Restored
from mass_pipeline.crawler.fetching.leases.keeper import LeaseKeeper
from mass_pipeline.crawler.fetching.leases.opening import open_keeper
from mass_pipeline.crawler.fetching.outcomes import Outcome
from mass_pipeline.crawler.fetching.politeness import Pace
from mass_pipeline.crawler.fetching.robots import RobotsState
from mass_pipeline.crawler.fetching.transport import AiohttpTransport
from mass_pipeline.crawler.fetching.urls import BadUrl, canonicalize, split
from mass_pipeline.crawler.pages.spider import parse


@dataclass(frozen=True, slots=True)
class FetchResult:
    """How one URL answered.

    Attributes:
        url: canonical URL that was asked for.
        final_url: the URL that answered, after redirects; None when none did.
        outcome: one of `model.columns.OUTCOMES`.
        reason: why, for people; "" when `ok`.
        status: HTTP status, None without an answer.
        body: content encoding removed; empty unless text was received.
        encoding: character encoding of the body, "" without one.
        elapsed_ms: until the end of the body, redirects included.
        tls_verified: False when the certificate failed and the page was read all the same.
    """

    url: str
    final_url: str | None
    outcome: str
    reason: str = ""
    status: int | None = None
    content_type: str | None = None
    body: bytes = field(default=b"", repr=False)
    encoding: str = ""
    etag: str | None = None
    last_modified: str | None = None
    elapsed_ms: int | None = None
    truncated: bool = False
    tls_verified: bool = True


_ATTEMPTS: Final = 2  # small hosts fail once and recover; who asks for one page may not come back for months
_PATIENCE_TURNS: Final = 20  # so many turns of other runs a single page waits for; then it is deferred


class HostMemory:
    """What is known of hosts between single fetches of one process: rules and pace per origin. Threads may share it."""

    def __init__(self) -> None:
        self._known: dict[str, Restored] = {}
        self._lock = threading.Lock()

    def restored(self, origin: str) -> Restored | None:
        """How an origin stood after the last fetch; None for a new one. Rules that could not be had are asked for anew."""
        with self._lock:
            found = self._known.get(origin)
            return None if found is None else replace(found, pace=replace(found.pace))

    def changed(self, origin: str, pace: Pace, rules: OriginRules) -> None:
        """Remember an origin."""
        with self._lock:
            kept = None if rules.rules is None or rules.rules.state is RobotsState.UNREACHABLE else rules.rules
            self._known[origin] = Restored(replace(pace), kept, rules.fetched_at, rules.mining, rules.mining_at)


def fetch_once(
    url: str,
    *,
    config: CrawlConfig,
    connect_to: ConnectTo | None = None,
    clock: Clock | None = None,
    memory: HostMemory | None = None,
) -> FetchResult:
    """One page through gate, robots.txt and politeness, redirects followed; never raises for what a server does.

    A broken, incomplete or failing answer is asked for once more; what came is kept.

    Args:
        url: as a person may have written it.
        config: settings of the crawl; limits and identity hold here too.
        connect_to: as for `crawl_sites`.
        memory: of hosts, shared by the calls that belong together.
    """
    try:
        start = canonicalize(url if "://" in url else "http://" + url)
    except BadUrl as error:
        return FetchResult(url, None, Outcome.BAD_URL.value, str(error))
    with open_keeper(config) as keeper:
        return asyncio.run(_fetch_following(start, config, connect_to, clock or SystemClock(), memory or HostMemory(), keeper))


async def _fetch_following(
    start: str,
    config: CrawlConfig,
    connect_to: ConnectTo | None,
    clock: Clock,
    memory: HostMemory,
    keeper: LeaseKeeper | None,
) -> FetchResult:
    gate = Gate(allow_private=config.allow_private_hosts, connect_to=connect_to)
    began = clock.steady()
    async with AiohttpTransport(gate, config) as transport:
        downloader = Downloader(config, gate, transport, clock, keeper=keeper, restored=memory.restored, changed=memory.changed)
        follower = Follower(downloader, config, attempts=_ATTEMPTS, patience_seconds=_PATIENCE_TURNS * config.lease_turn_seconds)
        chain = await follower.follow(start)
        for url in (start, *chain.passed):
            downloader.remember(split(url))
    return _result(start, chain, round((clock.steady() - began) * 1000))


def _result(start: str, chain: Chain, elapsed_ms: int) -> FetchResult:
    answer = chain.answer
    if answer is None:
        return FetchResult(start, None, chain.outcome.value, chain.reason)
    has_text = chain.outcome in (Outcome.OK, Outcome.TRUNCATED)
    headers = answer.headers
    return FetchResult(
        start, chain.url, chain.outcome.value, chain.reason, answer.status, headers.get("Content-Type"),
        answer.body if has_text else b"", parse(answer).encoding if has_text else "", headers.get("ETag"),
        headers.get("Last-Modified"), elapsed_ms, answer.truncated or not answer.complete, answer.tls_verified,
    )  # fmt: skip
