"""A TCP line to a service that can be cut (bytes stay on their way, nobody is told) or dropped (as if the service had ended)."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from typing import Self
from urllib.parse import urlsplit, urlunsplit


class Line:
    """Listens on a free port and passes everything on. A context manager; runs in a thread of its own.

    Args:
        url: of the service; its host and port count.
        default_port: where the URL names none.
        here: the address of this machine that it listens on.
    """

    def __init__(self, url: str, default_port: int, here: str = "127.0.0.1") -> None:
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "127.0.0.1", parts.port or default_port
        self._loop = asyncio.new_event_loop()
        self._whole = asyncio.Event()
        self._whole.set()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.here, self.port = here, 0
        self._dropped = False
        self._writers: set[asyncio.StreamWriter] = set()

    def through(self, url: str) -> str:
        """The same URL over this line."""
        parts = urlsplit(url)
        who, at, _ = parts.netloc.rpartition("@")
        return urlunsplit(parts._replace(netloc=f"{who}{at}{self.here}:{self.port}"))

    def cut(self) -> None:
        """From now on nothing passes, in either direction."""
        self._loop.call_soon_threadsafe(self._whole.clear)

    def drop(self) -> None:
        """Every connection ends, and new ones are turned away."""
        self._dropped = True
        for writer in tuple(self._writers):
            self._loop.call_soon_threadsafe(writer.transport.abort)

    def mend(self) -> None:
        """Everything passes again; of what was cut, what waited first."""
        self._dropped = False
        self._loop.call_soon_threadsafe(self._whole.set)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._connection, self.here, 0))
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        under_way = asyncio.all_tasks(self._loop)
        for task in under_way:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*under_way, return_exceptions=True))
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._whole.wait()
        try:
            if self._dropped:
                raise ConnectionError
            there_reader, there_writer = await asyncio.open_connection(self._host, self._port)
        except OSError:
            writer.transport.abort()
            return
        both = {writer, there_writer}
        self._writers |= both
        with suppress(asyncio.CancelledError):  # the line ends: streams would print it as an error
            await asyncio.gather(self._pump(reader, there_writer), self._pump(there_reader, writer), return_exceptions=True)
        self._writers -= both

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while some := await reader.read(65_536):
                await self._whole.wait()
                writer.write(some)
                await writer.drain()
        finally:
            writer.close()
