"""A real HTTP server on loopback for the crawler's tests: virtual hosts by name, raw bytes where a test wants to misbehave."""

from __future__ import annotations

import asyncio
import hashlib
import ssl
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline_tests.shared import PATIENCE_SECONDS

RESERVATIONS = "/.well-known/tdmrep.json"
Handler = Callable[["Request", asyncio.StreamWriter], Awaitable[None]]


@dataclass(frozen=True)
class Request:
    """One request as it arrived."""

    at: float
    host: str
    path: str
    headers: Mapping[str, str]
    method: str = "GET"


@dataclass
class Page:
    """A canned answer that a site gives for a path."""

    body: bytes | str = b""
    status: int = 200
    content_type: str | None = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0

    def wire(self) -> bytes:
        """The answer as bytes."""
        body = self.body.encode() if isinstance(self.body, str) else self.body
        lines = [f"HTTP/1.1 {self.status} Whatever", f"Content-Length: {len(body)}"]
        if self.content_type is not None:
            lines.append(f"Content-Type: {self.content_type}")
        lines += [f"{name}: {value}" for name, value in self.headers.items()]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + body


Answer = Page | bytes | Handler


class Loopback:
    """Serves `sites[host][path]`; anything else is a 404. A context manager; runs in a thread of its own.

    Args:
        sites: what to serve.
        tls: for https.
        clock: tells moments of requests, and lets the delay of a page pass; None for the machine's, by which it is waited for.
        address: to listen at; 0.0.0.0 for every loopback address.

    Attributes:
        requests: what arrived, in order.
        most_in_flight: host -> greatest number of requests in work at once.
        connections: accepted connections.
    """

    def __init__(
        self,
        sites: Mapping[str, Mapping[str, Answer | list[Answer]]],
        tls: ssl.SSLContext | None = None,
        address: str = "127.0.0.1",
        clock: Clock | None = None,
    ) -> None:
        self.sites = {host: dict(paths) for host, paths in sites.items()}
        self.requests: list[Request] = []
        self.most_in_flight: dict[str, int] = {}
        self.connections = 0
        self.port = 0
        self._in_flight: dict[str, int] = {}
        self._tls = tls
        self._address = address
        self._clock = clock
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def connect_to(self, host: str, port: int) -> tuple[str, int] | None:
        """Every known host lives here."""
        address = "127.0.0.1" if self._address == "0.0.0.0" else self._address
        return (address, self.port) if host in self.sites else None

    def paths(self, host: str | None = None) -> list[str]:
        """Paths asked for, in order; reservations, asked once per origin after robots.txt, are left out."""
        return [request.path for request in self.requests if host in (None, request.host) and request.path != RESERVATIONS]

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(PATIENCE_SECONDS)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE_SECONDS)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._serve, self._address, 0, ssl=self._tls))
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        tasks = asyncio.all_tasks(self._loop)
        for task in tasks:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        self._loop.run_until_complete(asyncio.sleep(0.01))
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while (request := await self._read(reader)) is not None:
                self.requests.append(request)
                host = request.host
                self._in_flight[host] = self._in_flight.get(host, 0) + 1
                self.most_in_flight[host] = max(self.most_in_flight.get(host, 0), self._in_flight[host])
                try:
                    if not await self._answer(request, writer) or request.headers.get("connection") == "close":
                        break
                finally:
                    self._in_flight[host] -= 1
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _read(self, reader: asyncio.StreamReader) -> Request | None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            return None
        lines = head.decode("latin-1").split("\r\n")
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:] if line)}
        at = self._clock.steady() if self._clock else time.monotonic()
        method, path = lines[0].split(" ")[:2]
        return Request(at, headers.get("host", "").split(":")[0], path, headers, method)

    async def _answer(self, request: Request, writer: asyncio.StreamWriter) -> bool:
        """Send the answer; False when the connection ends with it."""
        paths = self.sites.get(request.host, {})
        answer = paths.get(request.path, Page("<h1>404</h1>", status=404))
        if isinstance(answer, list):
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        if isinstance(answer, Page):
            await (self._clock.sleep if self._clock else asyncio.sleep)(answer.delay)
            wire = answer.wire()
            etag = answer.headers.get("ETag")
            if etag is not None and request.headers.get("if-none-match") == etag:
                wire = f"HTTP/1.1 304 Not Modified\r\nETag: {etag}\r\n\r\n".encode()
            writer.write(wire)
            await writer.drain()
            return True
        if isinstance(answer, bytes):
            writer.write(answer)
            await writer.drain()
        else:
            await answer(request, writer)
        return False


def tagged(body: str, content_type: str = "text/html; charset=utf-8") -> Page:
    """A page with an ETag of its body."""
    return Page(body, content_type=content_type, headers={"ETag": f'"{hashlib.md5(body.encode()).hexdigest()}"'})


def links(*hrefs: str, text: str = "") -> str:
    """A page with these links."""
    return f"<html><body><p>{text}</p>" + "".join(f'<a href="{href}">{href}</a> ' for href in hrefs) + "</body></html>"
