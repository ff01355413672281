"""A server of many hosts on few addresses that notes when each request came and ended: what the webmasters of all see.

Hosts are ports of loopback addresses, so that separate processes reach them without any stand-in for DNS.
"""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import dataclass
from itertools import pairwise
from types import TracebackType
from typing import Self

from mass_pipeline_tests.shared import PATIENCE_SECONDS

_ROBOTS = ("/robots.txt", "/.well-known/tdmrep.json")


@dataclass(slots=True)
class Seen:
    """One request as the server saw it; moments of its steady clock."""

    host: str
    path: str
    began: float
    ended: float = float("inf")

    @property
    def address(self) -> str:
        """Of the host."""
        return self.host.partition(":")[0]


class SharedHosts:
    """Every host serves `/pN/` with links to `/pN/1` ... `/pN/PAGES`, and any `/pN/news` with links to articles.

    Args:
        addresses: address -> how many hosts it has.
        latency: seconds until an answer.
    """

    def __init__(self, addresses: dict[str, int], *, pages: int = 3, latency: float = 0.1) -> None:
        self._addresses = addresses
        self._pages = pages
        self._latency = latency
        self.hosts: dict[str, list[str]] = {}
        self.seen: list[Seen] = []
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(PATIENCE_SECONDS)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE_SECONDS)

    # What the webmasters see

    def requests(self, host: str | None = None) -> list[Seen]:
        """In the order in which they came; of one host or of all."""
        return sorted((one for one in list(self.seen) if host in (None, one.host)), key=lambda one: one.began)

    def least_gap(self) -> float:
        """Least seconds between the end of an answer and the next request to the same host."""
        every = [host for hosts in self.hosts.values() for host in hosts]
        return min(
            (later.began - earlier.ended for host in every for earlier, later in pairwise(self.requests(host))),
            default=float("inf"),
        )

    def most_in_flight(self, key: str) -> int:
        """Most requests in work at once, at a host or at an address."""
        mine = [one for one in self.seen if key in (one.host, one.address)]
        return max((sum(other.began <= one.began < other.ended for other in mine) for one in mine), default=0)

    # The server

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        servers = []
        for address, count in self._addresses.items():
            for _ in range(count):
                server = self._loop.run_until_complete(asyncio.start_server(self._serve, address, 0))
                servers.append(server)
                self.hosts.setdefault(address, []).append(f"{address}:{server.sockets[0].getsockname()[1]}")
        self._ready.set()
        self._loop.run_forever()
        for server in servers:
            server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0.01))
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host = "{}:{}".format(*writer.get_extra_info("sockname")[:2])
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                one = Seen(host, head.split(b" ", 2)[1].decode("latin-1"), time.monotonic())
                self.seen.append(one)
                await asyncio.sleep(self._latency)
                status, body = self._answer(one.path)
                one.ended = time.monotonic()
                writer.write(
                    f"HTTP/1.1 {status} x\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
                )
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    def _answer(self, path: str) -> tuple[int, str]:
        if path in _ROBOTS:
            return 404, ""
        parish = path.split("/")[1]
        links = "".join(f'<a href="/{parish}/{number}">page {number}</a> ' for number in range(1, self._pages + 1))
        return 200, f"<html><body><h1>{path}</h1>{links if path.count('/') == 2 and path.endswith('/') else ''}</body></html>"
