"""A small HTTP/1.1 server on loopback, in a thread of its own. What it answers comes from a responder.

Belongs here: sockets, request parsing, keep-alive, start and stop. Not here: hosts and pages (web, http).
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus

from mass_pipeline.demo_web.http import Request, Response
from mass_pipeline.model.errors import ConfigurationError

_MAX_HEAD_BYTES = 64 * 1024
_MAX_BODY_BYTES = 1024 * 1024
_START_SECONDS = 10.0
_SETTLE_SECONDS = 0.01  # a connection accepted just now becomes a task that can be cancelled


@dataclass(frozen=True, slots=True)
class Served:
    """One line of the server's log."""

    method: str
    host: str
    target: str
    status: int
    user_agent: str


class LoopbackServer:
    """Serves a responder on 127.0.0.1 until it is stopped; every request is logged in `log`.

    Args:
        respond: called in the server's thread for each request; must not block.
        port: 0 picks a free one.
    """

    def __init__(self, respond: Callable[[Request], Response], port: int = 0) -> None:
        self._respond = respond
        self._wanted_port = port
        self._ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._thread: threading.Thread | None = None
        self._error: OSError | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0
        self.log: list[Served] = []

    def start(self) -> None:
        """Bind and serve.

        Raises:
            ConfigurationError: when the port cannot be bound.
        """
        self._thread = threading.Thread(target=lambda: asyncio.run(self._main()), name="demo-web", daemon=True)
        self._thread.start()
        self._ready.wait(_START_SECONDS)
        if self._error is not None:
            self._thread.join()
            raise ConfigurationError(
                f"port {self._wanted_port} on 127.0.0.1 cannot be used ({self._error.strerror}): choose another with --port"
            ) from self._error

    def stop(self) -> None:
        """Close every connection and wait for the thread."""
        if self._loop is not None and self._stop is not None:
            with contextlib.suppress(RuntimeError):  # the loop ended by itself
                self._loop.call_soon_threadsafe(self._stop.set)
        if self._thread is not None:
            self._thread.join(_START_SECONDS)

    async def _main(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        try:
            server = await asyncio.start_server(self._connection, "127.0.0.1", self._wanted_port, limit=_MAX_HEAD_BYTES)
        except OSError as error:
            self._error = error
            self._ready.set()
            return
        self.port = int(server.sockets[0].getsockname()[1])
        self._ready.set()
        await self._stop.wait()
        for listening in server.sockets:  # closing at once would break connections that are just being accepted
            self._loop.remove_reader(listening.fileno())
        await asyncio.sleep(_SETTLE_SECONDS)
        server.close()
        while self._tasks:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            while await self._exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            pass  # a client that breaks off or sends rubbish loses its connection, nothing else
        except asyncio.CancelledError:
            writer.transport.abort()  # the server stops: nobody waits for a client that does not read
        finally:
            self._tasks.discard(task)
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = await reader.readuntil(b"\r\n\r\n")
        request = await _read_request(head, reader)
        response = self._respond(request)
        self.log.append(
            Served(request.method, request.host, request.target, response.status, request.headers.get("user-agent", ""))
        )
        if response.delay_seconds:
            await asyncio.sleep(response.delay_seconds)
        keep = request.headers.get("connection", "").lower() != "close"
        writer.write(_render(response, with_body=request.method != "HEAD", keep=keep))
        await writer.drain()
        return keep


async def _read_request(head: bytes, reader: asyncio.StreamReader) -> Request:
    lines = head.decode("latin-1").split("\r\n")
    method, target, _ = lines[0].split(" ", 2)
    pairs = (line.partition(":") for line in lines[1:] if ":" in line)
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    length = min(int(headers.get("content-length") or 0), _MAX_BODY_BYTES)
    body = await reader.readexactly(length) if length else b""
    host = headers.get("host", "")
    if target.startswith(("http://", "https://")):  # absolute form: a client that takes us for its proxy
        host, _, path = target.partition("://")[2].partition("/")
        target = "/" + path
    return Request(method, host.partition(":")[0].rstrip(".").lower(), target, headers, body)


def _render(response: Response, *, with_body: bool, keep: bool) -> bytes:
    head = [
        f"HTTP/1.1 {response.status} {HTTPStatus(response.status).phrase}",
        "Server: demo-web",
        f"Connection: {'keep-alive' if keep else 'close'}",
    ]
    if response.status != 304:
        head.append(f"Content-Length: {len(response.body)}")
        if response.content_type:
            head.append(f"Content-Type: {response.content_type}")
    head += [f"{name}: {value}" for name, value in response.headers.items()]
    text = "\r\n".join(head).encode("latin-1", "replace") + b"\r\n\r\n"
    return text + response.body if with_body and response.status != 304 else text
