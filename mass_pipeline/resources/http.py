"""The HTTP client of Places: POST over a gated connection, with a gap. Plain class, no Dagster.

One transport opens every connection: it asks the gate before it connects, so that no DNS answer leads to an internal address.
Directories and parish sites are asked by the crawler (`crawler.pages.fetch`). Source: P3; design section 6.
"""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from types import TracebackType
from typing import Final, Self
from urllib.parse import urlsplit

import httpcore
import httpx

from mass_pipeline.discovery.ports import Page
from mass_pipeline.model.errors import FetchError, RetryLater
from mass_pipeline.resources.gated_backend import ConnectTo, GatedBackend

_MAX_BODY_BYTES: Final = 10 * 1024 * 1024


class HttpClient:
    """Asks an API one request after another per host; safe to share between threads."""

    def __init__(
        self,
        user_agent: str,
        *,
        gap_seconds: float = 1.0,
        timeout_seconds: float = 30.0,
        allow_private_hosts: bool = False,
        connect_to: ConnectTo | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Args:
        user_agent: who asks, with a contact (`identity.user_agent_of`).
        gap_seconds: least time between the starts of two requests to a host.
        timeout_seconds: for connecting, and for every wait for data.
        allow_private_hosts: loopback and private addresses may be asked (demo profile only).
        connect_to: where to connect instead of what DNS says; only honoured with `allow_private_hosts`.
        sleep: waits some seconds.
        """
        self._gap_seconds = gap_seconds
        self._sleep = sleep
        self._next_start: dict[str, float] = {}
        self._lock = threading.Lock()
        self._client = httpx.Client(
            transport=GatedTransport(GatedBackend(allow_private_hosts=allow_private_hosts, connect_to=connect_to)),
            headers={"User-Agent": user_agent, "Accept-Language": "pl, en;q=0.5"},
            timeout=timeout_seconds,
            follow_redirects=False,
            trust_env=False,
        )

    def post_json(self, url: str, payload: bytes, headers: Mapping[str, str]) -> Page:
        """One POST without redirects and retries: the caller pays for every attempt. Any status is returned.

        Raises:
            RetryLater: no answer. Forbidden: the gate refuses the address. FetchError: no usable URL, or too large an answer.
        """
        self._keep_gap(url)
        sent = {**headers, "Content-Type": "application/json"}
        try:
            with self._client.stream("POST", url, content=payload, headers=sent) as response:
                body = _read(response, url)
        except httpx.TimeoutException as error:
            raise RetryLater(url, f"time-out ({type(error).__name__})") from error
        except (httpx.UnsupportedProtocol, httpx.InvalidURL, httpx.LocalProtocolError) as error:
            raise FetchError(url, f"not a usable URL ({error})") from error
        except httpx.HTTPError as error:
            raise RetryLater(url, f"{type(error).__name__}: {error}") from error
        return Page(str(response.url), response.status_code, body, response.headers.get("Content-Type"), datetime.now(UTC))

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _keep_gap(self, url: str) -> None:
        host = (urlsplit(url).hostname or "").lower()
        with self._lock:
            start = max(time.monotonic(), self._next_start.get(host, 0.0))
            self._next_start[host] = start + self._gap_seconds
        pause = start - time.monotonic()
        if pause > 0:
            self._sleep(pause)


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


def _read(response: httpx.Response, url: str) -> bytes:
    pieces: list[bytes] = []
    size = 0
    for piece in response.iter_bytes():
        size += len(piece)
        if size > _MAX_BODY_BYTES:
            raise FetchError(url, f"larger than {_MAX_BODY_BYTES} bytes")
        pieces.append(piece)
    return b"".join(pieces)
