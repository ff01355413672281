"""The HTTP client of the directory and of Places: polite, retried with 1.5^t back-off, and gated. Plain class, no Dagster.

One transport opens every connection: it asks the gate before it connects, so that no redirect and no DNS answer leads to an
internal address. The crawler has its own transport (`crawler`). Source: P2; design section 6.
"""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Final
from urllib.parse import urlsplit

import httpcore
import httpx

from mass_pipeline.crawler.fetching.leases.keeper import LeaseKeeper
from mass_pipeline.discovery.ports import Page
from mass_pipeline.model.errors import FetchError, Forbidden, Gone, RetryLater
from mass_pipeline.resources.gated_backend import ConnectTo, GatedBackend
from mass_pipeline.resources.host_turns import HostTurn, HostTurns
from mass_pipeline.resources.robots_guard import RobotsGuard

BACKOFF_BASE: Final = 1.5  # P2: after t consecutive failures wait 1.5^t seconds
_BUSY_STATUSES: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
_MAX_REDIRECTS: Final = 5
_LONGEST_WAIT_SECONDS: Final = 3600.0


class HttpClient:
    """Fetches pages one after another per host, politely; safe to share between threads."""

    def __init__(
        self,
        *,
        user_agent: str,
        gap_seconds: float = 1.0,
        timeout_seconds: float = 30.0,
        max_attempts: int = 8,
        max_body_bytes: int = 10 * 1024 * 1024,
        obey_robots: bool = True,
        allow_private_hosts: bool = False,
        connect_to: ConnectTo | None = None,
        keeper: LeaseKeeper | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Args:
        user_agent: who asks, with a contact (`identity.user_agent_of`).
        gap_seconds: least time between an answer of a host and the next request to it.
        timeout_seconds: for connecting, and for every wait for data.
        max_attempts: attempts before a page is given up.
        max_body_bytes: larger answers are refused.
        obey_robots: ask robots.txt before pages (APIs have none).
        allow_private_hosts: loopback and private addresses may be asked (demo profile only).
        connect_to: where to connect instead of what DNS says; only honoured with `allow_private_hosts`.
        keeper: agrees with other runs who asks a host, and is closed with the client; None when this one is alone.
        clock, sleep: time as arguments.
        """
        self._gap_seconds = gap_seconds
        self._max_attempts = max_attempts
        self._max_body_bytes = max_body_bytes
        self._clock = clock
        self._sleep = sleep
        self._robots = RobotsGuard(self._ask_robots, clock) if obey_robots else None
        self._failures: dict[str, int] = {}
        self._next_start: dict[str, float] = {}
        self._lock = threading.Lock()
        self.counters: dict[str, int] = {"requests": 0, "retries": 0, "failures": 0, "bytes": 0}
        backend = GatedBackend(allow_private_hosts=allow_private_hosts, connect_to=connect_to)
        self._turns = HostTurns(keeper, backend.address_of, sleep) if keeper is not None else None
        self._client = _open_client(user_agent, timeout_seconds, backend)

    def get(self, url: str) -> Page:
        """The page behind a URL, redirects followed, asked again with back-off while the server is out of order.

        Raises:
            Gone: 404 or 410. Forbidden: 401, 403, or an address the gate refuses. RetryLater: no answer after all attempts.
            FetchError: anything else that asking again does not mend.
        """
        attempt = 1
        while True:
            try:
                page = self.get_once(url)
            except RetryLater as error:
                failures = self._count_failure(url)
                if attempt >= self._max_attempts:
                    raise RetryLater(url, f"{error.reason}; given up after {attempt} attempts", error.not_before) from error
                self._wait(failures, error.not_before)
                attempt += 1
                self.counters["retries"] += 1
            else:
                self._failures[_host(url)] = 0
                return page

    def get_once(self, url: str) -> Page:
        """One attempt, redirects followed; raises as `get` does."""
        return self._judge(*self._follow(url, self._robots), url)

    def post_json(self, url: str, payload: bytes, headers: Mapping[str, str]) -> Page:
        """One POST without redirects and retries: the caller pays for every attempt. Any status is returned.

        Raises:
            RetryLater: no answer. Forbidden: the gate refuses the address.
        """
        self._keep_gap(url)
        request = self._client.build_request(
            "POST", url, content=payload, headers={**headers, "Content-Type": "application/json"}
        )
        return self._page(*self._send(request, url))

    def close(self) -> None:
        """Close all connections, and give the hosts back."""
        self._client.close()
        if self._turns is not None:
            self._turns.close()

    def __enter__(self) -> HttpClient:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _follow(self, url: str, robots: RobotsGuard | None) -> tuple[httpx.Response, bytes]:
        """The answer after redirects; every hop is asked for only where robots.txt allows, and after its pause."""
        target = url
        for _ in range(_MAX_REDIRECTS + 1):
            wished = robots.require_allowed(target) if robots else 0.0
            response, body = self._ask(target, url, wished)
            if response.next_request is None:
                return response, body
            target = str(response.next_request.url)
        raise FetchError(url, f"more than {_MAX_REDIRECTS} redirects")

    def _ask(self, target: str, url: str, wished_seconds: float) -> tuple[httpx.Response, bytes]:
        """One request, when the pause is over and no other run asks the host."""
        gap = max(self._gap_seconds, wished_seconds)
        with self._turns.turn(target, gap) if self._turns is not None else nullcontext(HostTurn(gap)) as turn:
            self._keep_gap(target, wished_seconds)
            try:
                response, body = self._send(self._client.build_request("GET", target), url)
            finally:
                self._rest(target, gap)
            until = _retry_after(response.headers.get("Retry-After"), self._clock()) if _is_busy(response.status_code) else None
            if until is not None:
                turn.rest_seconds = max(gap, (until - self._clock()).total_seconds())
        return response, body

    def _ask_robots(self, url: str) -> tuple[int, bytes]:
        response, body = self._follow(url, None)
        return response.status_code, body

    def _send(self, request: httpx.Request, url: str) -> tuple[httpx.Response, bytes]:
        self.counters["requests"] += 1
        try:
            response = self._client.send(request, stream=True)
            try:
                body = self._read(response, url)
            finally:
                response.close()
        except httpx.TimeoutException as error:
            raise RetryLater(url, f"time-out ({type(error).__name__})") from error
        except (httpx.UnsupportedProtocol, httpx.InvalidURL, httpx.LocalProtocolError) as error:
            raise FetchError(url, f"not a usable URL ({error})") from error
        except httpx.HTTPError as error:
            raise RetryLater(url, f"{type(error).__name__}: {error}") from error
        self.counters["bytes"] += len(body)
        return response, body

    def _read(self, response: httpx.Response, url: str) -> bytes:
        pieces: list[bytes] = []
        size = 0
        for piece in response.iter_bytes():
            size += len(piece)
            if size > self._max_body_bytes:
                raise FetchError(url, f"larger than {self._max_body_bytes} bytes")
            pieces.append(piece)
        return b"".join(pieces)

    def _judge(self, response: httpx.Response, body: bytes, url: str) -> Page:
        status = response.status_code
        if _is_busy(status):
            raise RetryLater(url, f"HTTP {status}", _retry_after(response.headers.get("Retry-After"), self._clock()))
        if status in {404, 410}:
            raise Gone(url, status)
        if status in {401, 403}:
            raise Forbidden(url, f"HTTP {status}")
        if status != 200:
            raise FetchError(url, f"HTTP {status}")
        return self._page(response, body)

    def _page(self, response: httpx.Response, body: bytes) -> Page:
        return Page(str(response.url), response.status_code, body, response.headers.get("Content-Type"), self._clock())

    def _keep_gap(self, url: str, wished_seconds: float = 0.0) -> None:
        gap = max(self._gap_seconds, wished_seconds)
        if gap <= 0:
            return
        host = _host(url)
        with self._lock:
            start = max(time.monotonic(), self._next_start.get(host, 0.0))
            self._next_start[host] = start + gap
        pause = start - time.monotonic()
        if pause > 0:
            self._sleep(pause)

    def _rest(self, url: str, gap: float) -> None:
        """The answer has come: the pause begins now."""
        host = _host(url)
        with self._lock:
            self._next_start[host] = max(self._next_start.get(host, 0.0), time.monotonic() + gap)

    def _count_failure(self, url: str) -> int:
        host = _host(url)
        with self._lock:
            self._failures[host] = self._failures.get(host, 0) + 1
            self.counters["failures"] += 1
            return self._failures[host]

    def _wait(self, failures: int, not_before: datetime | None) -> None:
        seconds = backoff_seconds(failures)
        if not_before is not None:
            seconds = max(seconds, (not_before - self._clock()).total_seconds())
        self._sleep(min(seconds, _LONGEST_WAIT_SECONDS))


def _open_client(user_agent: str, timeout_seconds: float, backend: GatedBackend) -> httpx.Client:
    return httpx.Client(
        transport=GatedTransport(backend),
        headers={"User-Agent": user_agent, "Accept-Language": "pl, en;q=0.5"},
        timeout=timeout_seconds,
        follow_redirects=False,
        trust_env=False,
    )


class GatedTransport(httpx.HTTPTransport):
    """httpx's transport over a connection pool whose sockets the gate opens."""

    def __init__(self, backend: GatedBackend) -> None:
        super().__init__(trust_env=False)
        context = ssl.create_default_context()
        context.keylog_filename = None  # type: ignore[assignment]  # keys are written nowhere, whatever SSLKEYLOGFILE says
        self._pool.close()
        self._pool = httpcore.ConnectionPool(
            ssl_context=context, max_connections=32, keepalive_expiry=30.0, network_backend=backend
        )


def backoff_seconds(failures: int) -> float:
    """Seconds to wait after so many consecutive failures (P2: 1.5^t), at most an hour.

    >>> backoff_seconds(2)
    2.25
    """
    return float(min(BACKOFF_BASE ** min(failures, 50), _LONGEST_WAIT_SECONDS))


def _is_busy(status: int) -> bool:
    return status in _BUSY_STATUSES or status >= 500


def _retry_after(value: str | None, now: datetime) -> datetime | None:
    """RFC 9110 10.2.3: seconds or a date; None for anything else."""
    if not value:
        return None
    if value.strip().isdigit():
        return now + timedelta(seconds=min(int(value.strip()[:9]), 86_400))
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _host(url: str) -> str:
    return (urlsplit(url).hostname or "").lower()


__all__ = ("BACKOFF_BASE", "ConnectTo", "GatedTransport", "HttpClient", "backoff_seconds")
