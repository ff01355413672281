"""The HTTP face of the gate: an httpx client whose every request, redirect hops included, passes it.

For whoever is no crawl: directory, home pages, Places, alerts. Belongs here: httpx's requests and answers on one side, the
downloader on the other. Not here: addresses, robots.txt, pauses, limits (`downloader`), what a page means.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import sqlite3
import threading
from collections import Counter
from collections.abc import Coroutine, Mapping
from contextlib import AsyncExitStack
from typing import Final, TypeVar

import httpx

from mass_pipeline.crawling.fetching.addresses import ConnectTo
from mass_pipeline.crawling.fetching.chain import Chain, Follower, Stop, judge_answer, next_hop
from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.downloader import Downloader
from mass_pipeline.crawling.fetching.outcomes import Failure, Outcome
from mass_pipeline.crawling.fetching.scope import is_blacklisted
from mass_pipeline.crawling.fetching.transport import Answer
from mass_pipeline.crawling.fetching.urls import BadUrl, canonicalize, split
from mass_pipeline.model.errors import StorageError

log = logging.getLogger(__name__)
logging.getLogger("httpx").setLevel(logging.WARNING)  # it writes whole URLs, and that of a web hook is a secret

T = TypeVar("T")

_ATTEMPTS: Final = 2  # small hosts fail once and recover; who asks for one page may not come back for months
_LONGEST_REASON: Final = 200
_PATIENCE_TURNS: Final = 20  # so many turns of other runs a request waits for; then it is deferred
_CONDITIONS: Final = frozenset({"if-none-match", "if-modified-since"})  # all that a reader of pages says of itself
# What the downloader says by itself, and what must not travel from one answer to the next request.
_NOT_OF_CALLERS: Final = frozenset(
    {"host", "connection", "content-length", "transfer-encoding", "accept", "accept-encoding", "user-agent", "cookie"}
)
_NO_MORE_TRUE: Final = frozenset({"content-encoding", "content-length", "transfer-encoding", "set-cookie"})


class RequestFailed(httpx.TransportError):
    """A request was refused, or gave no usable answer; the message is the reason.

    Attributes:
        outcome: one of `Outcome`: `forbidden_by_robots`, `blocked_address`, `timeout`, ...
        reason: why, for people.
    """

    def __init__(self, outcome: Outcome, reason: str) -> None:
        self.outcome = outcome
        self.reason = reason[:_LONGEST_REASON]
        super().__init__(f"{outcome}: {self.reason}")


class RateLimitedClient(httpx.Client):
    """An httpx client; threads may share it, hosts see one visitor all the same.

    Pages: GET alone, within robots.txt, which is asked once a day; answers that are busy, broken or cut are asked for again.
    Services (`service`): what an operator has an account at; one request each, any method, robots.txt is not asked.
    Either way: public addresses, pauses between requests, Retry-After, limits of size and time, redirects hop by hop.

    A body that is not whole says why in `response.extensions["cut_short"]`; `"url"` is the canonical address that answered,
    `"tls_verified"` False when the certificate failed and the page was read all the same, `"elapsed_ms"` its time without pauses.
    """

    def __init__(
        self,
        config: CrawlConfig,
        connect_to: ConnectTo | None = None,
        *,
        attempts: int = _ATTEMPTS,
        any_type: bool = False,
        service: bool = False,
        clock: Clock | None = None,
    ) -> None:
        """Args:
        config: limits and identity of every request.
        connect_to: where to connect instead; only honoured with `config.allow_private_hosts`.
        attempts: requests of one page that is busy, silent or out of order.
        any_type: binaries are welcome.
        service: no pages are read, a service is called.
        """
        self._gated = _Transport(config, connect_to, attempts, any_type or service, service, clock or Clock())
        super().__init__(transport=self._gated, trust_env=False, follow_redirects=not service, max_redirects=config.max_redirects)

    @property
    def counters(self) -> Mapping[str, int]:
        """Requests, bytes and politeness figures so far."""
        return Counter() if self._gated.downloader is None else self._gated.downloader.counters


class _Transport(httpx.BaseTransport):
    """Hands requests to a downloader that lives in the event loop of a thread, from the first request until `close`."""

    def __init__(
        self, config: CrawlConfig, connect_to: ConnectTo | None, attempts: int, any_type: bool, service: bool, clock: Clock
    ) -> None:
        self._config = config
        self._any_type = any_type
        self._service = service
        self.downloader: Downloader | None = None
        self._connect_to = connect_to
        self._attempts = attempts
        self._clock = clock
        self._lock = threading.Lock()
        self._opened = AsyncExitStack()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="http", daemon=True)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """One hop: httpx follows a redirect by another request.

        Raises:
            RequestFailed: no usable answer. StorageError: where runs agree on hosts cannot be used.
        """
        url = str(request.url)
        try:
            return self._run(self._answer(canonicalize(url), request, self._open()))
        except BadUrl as error:
            raise RequestFailed(Outcome.BAD_URL, f"{error}: {url}") from error
        except (RequestFailed, StorageError, sqlite3.Error):
            raise
        except Failure as error:
            raise RequestFailed(error.outcome, error.reason) from error
        except Exception as error:  # whatever an answer does, it ends at its address
            log.exception("request.failed", extra={"url": url})
            raise RequestFailed(Outcome.ERROR, f"{type(error).__name__}: {error}") from error

    def close(self) -> None:
        """Close all connections; who waits for an answer in another thread is cancelled, which is no answer."""
        with self._lock:
            if self._thread.is_alive():
                self._run(self._end())
                self._loop.call_soon_threadsafe(self._loop.stop)
                self._thread.join()
            self._loop.close()

    def _open(self) -> Downloader:
        with self._lock:
            if self.downloader is None:
                downloader = Downloader(self._config, self._clock, self._connect_to)
                self._thread.start()
                self.downloader = self._run(self._opened.enter_async_context(downloader))
            return self.downloader

    async def _end(self) -> None:
        waiting = asyncio.all_tasks() - {asyncio.current_task()}
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        await self._opened.aclose()

    def _run(self, work: Coroutine[object, object, T]) -> T:
        try:
            return asyncio.run_coroutine_threadsafe(work, self._loop).result()
        except concurrent.futures.CancelledError as error:
            raise asyncio.CancelledError from error  # no `Exception`: it must not pass for what a host answered

    async def _answer(self, url: str, request: httpx.Request, downloader: Downloader) -> httpx.Response:
        parts = split(url)
        if is_blacklisted(parts.host, self._config.never_crawl):
            raise RequestFailed(Outcome.OUT_OF_SCOPE, f"{parts.host} is never crawled")
        try:
            answer = await (self._call(url, request, downloader) if self._service else self._page(url, request, downloader))
        finally:
            downloader.leave(parts)
        return self._response(url, answer, request)

    async def _call(self, url: str, request: httpx.Request, downloader: Downloader) -> Answer:
        headers = {name: value for name, value in request.headers.items() if name not in _NOT_OF_CALLERS}
        answer = await downloader.call(request.method, url, split(url), headers, request.read() or None)
        if answer.cut_short:
            raise RequestFailed(Outcome.TOO_LARGE if answer.truncated else Outcome.PROTOCOL_ERROR, answer.cut_short)
        return answer

    async def _page(self, url: str, request: httpx.Request, downloader: Downloader) -> Answer:
        if request.method != "GET":
            raise RequestFailed(Outcome.OUT_OF_SCOPE, f"{request.method}: pages are read, never changed")
        headers = {name: value for name, value in request.headers.items() if name in _CONDITIONS}
        patience = _PATIENCE_TURNS * self._config.lease_turn_seconds
        chain = Chain(url)
        follower = Follower(downloader.fetch, self._config, attempts=self._attempts, patience_seconds=patience)
        answer = await follower.ask(chain, headers, self._any_type)
        if answer is None:
            raise RequestFailed(chain.outcome, chain.reason)
        if answer.status == 200:
            outcome, reason = judge_answer(answer, any_type=self._any_type)
            if outcome not in (Outcome.OK, Outcome.TRUNCATED):
                raise RequestFailed(outcome, reason)
        return answer

    def _response(self, url: str, answer: Answer, request: httpx.Request) -> httpx.Response:
        kept = ((name.lower(), value) for name, value in answer.headers.items() if name.lower() not in _NO_MORE_TRUE)
        headers = [(name.encode("utf-8", "replace"), value.encode("latin-1")) for name, value in kept]
        passed: set[str] = request.extensions.setdefault("passed", set())  # httpx hands it on to the next hop
        passed.add(url)
        target = next_hop(answer, url)
        if isinstance(target, Stop):
            raise RequestFailed(target.outcome, target.reason)
        if target in passed:
            raise RequestFailed(Outcome.TRAP, "redirects in a circle")
        if target is not None:  # one rule for where a redirect leads, whoever follows it
            headers = [header for header in headers if header[0] != b"location"] + [(b"location", target.encode())]
        return httpx.Response(
            answer.status, headers=headers, content=answer.body, request=request,
            extensions={
                "url": url, "cut_short": answer.cut_short, "tls_verified": answer.tls_verified,
                "elapsed_ms": round(answer.elapsed * 1000),
            },
        )  # fmt: skip
