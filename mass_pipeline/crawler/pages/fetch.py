"""Fetch single pages by the crawler's rules: gate, robots.txt, pace, redirects. No frontier, no state folder (see engine).

Belongs here: the thread that lets callers without an event loop ask. Not here: which answers are asked for again
(`fetching.chain`).
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Coroutine, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final, Self, TypeVar

from mass_pipeline.crawler.fetching.addresses import ConnectTo
from mass_pipeline.crawler.fetching.chain import Chain, Follower
from mass_pipeline.crawler.fetching.clock import Clock, SystemClock
from mass_pipeline.crawler.fetching.config import CrawlConfig
from mass_pipeline.crawler.fetching.downloader import Downloader
from mass_pipeline.crawler.fetching.leases.opening import open_keeper
from mass_pipeline.crawler.fetching.outcomes import Outcome
from mass_pipeline.crawler.fetching.urls import BadUrl, canonicalize, split
from mass_pipeline.crawler.pages.spider import parse
from mass_pipeline.model.errors import StorageError

log = logging.getLogger(__name__)

T = TypeVar("T")


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
_LONGEST_REASON: Final = 200
_PATIENCE_TURNS: Final = 20  # so many turns of other runs a single page waits for; then it is deferred


class PageFetcher:
    """Fetches single pages while its context lasts; threads may share it, hosts see one visitor all the same.

    robots.txt is asked once a day, hosts are left their pauses between the pages, and connections are kept.
    """

    def __init__(
        self,
        config: CrawlConfig,
        connect_to: ConnectTo | None = None,
        *,
        attempts: int = _ATTEMPTS,
        clock: Clock | None = None,
    ) -> None:
        """Args:
        config: settings of the crawl; limits and identity hold here too.
        connect_to: as for `crawl_sites`.
        attempts: requests of one URL that is busy, silent or out of order.
        """
        self._config = config
        self._connect_to = connect_to
        self._attempts = attempts
        self._clock = clock or SystemClock()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="page-fetcher", daemon=True)
        self._opened = AsyncExitStack()

    def __enter__(self) -> Self:
        self._thread.start()
        try:
            self._downloader = self._run(self._open())
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            self._run(self._opened.aclose())
        finally:
            self._end()

    @property
    def counters(self) -> Mapping[str, int]:
        """Requests, bytes and politeness figures so far."""
        return self._downloader.counters

    def fetch(self, url: str, *, any_type: bool = False) -> FetchResult:
        """One page through gate, robots.txt and politeness, redirects followed; never raises for what a server does.

        A broken, incomplete or failing answer is asked for once more; what came is kept.

        Args:
            url: as a person may have written it.
            any_type: whatever the server says it is, not text alone.
        """
        try:
            start = canonicalize(url if "://" in url else "http://" + url)
        except BadUrl as error:
            return FetchResult(url, None, Outcome.BAD_URL.value, str(error))
        return self._run(self._fetch(start, any_type))

    async def _open(self) -> Downloader:
        keeper = self._opened.enter_context(open_keeper(self._config))
        downloader = Downloader(self._config, self._clock, self._connect_to, keeper=keeper)
        return await self._opened.enter_async_context(downloader)

    async def _fetch(self, start: str, any_type: bool) -> FetchResult:
        patience = _PATIENCE_TURNS * self._config.lease_turn_seconds
        follower = Follower(self._downloader, self._config, attempts=self._attempts, patience_seconds=patience)
        began = self._clock.steady()
        try:
            chain = await follower.follow(start, any_type=any_type)
            for url in (start, *chain.passed):
                self._downloader.let_go(split(url))
            return _result(start, chain, round((self._clock.steady() - began) * 1000))
        except (StorageError, sqlite3.Error):
            raise  # the notes of other runs, not the page
        except Exception as error:  # whatever an answer does, it ends at its address
            log.exception("fetch.failed", extra={"url": start})
            return FetchResult(start, None, Outcome.ERROR.value, f"{type(error).__name__}: {error}"[:_LONGEST_REASON])

    def _run(self, work: Coroutine[object, object, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def _end(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def fetch_once(url: str, *, config: CrawlConfig, connect_to: ConnectTo | None = None, clock: Clock | None = None) -> FetchResult:
    """One page, and nothing after it; see `PageFetcher`."""
    with PageFetcher(config, connect_to, clock=clock) as fetcher:
        return fetcher.fetch(url)


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
