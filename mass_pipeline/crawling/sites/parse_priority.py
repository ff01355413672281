"""Whose answer is read next when the processor cannot keep up: the site with the longest way to go.

A host is asked one request at a time, so the largest site decides when a crawl ends; it should never wait for the small ones.
"""

from __future__ import annotations

import asyncio
import heapq
from typing import Final

# How large a site is shows late: counting only what waits, start pages came last and large sites found out too late that they
# are large (docs/crawler.md has the measurement). On the sites of the benchmark kit 5, 10 and 20 do equally well.
_URLS_PER_LEVEL: Final = 10


class ParsePriority:
    """A queue for the processor inside one event loop."""

    __slots__ = ("_number", "_running", "_waiting")

    def __init__(self) -> None:
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._number = 0
        self._running = False

    async def turn(self, waiting: int, levels_left: int) -> None:
        """Wait until nobody with more work left is waiting.

        Args:
            waiting: URLs in the site's frontier.
            levels_left: how many links deeper than this page the site is crawled.
        """
        work_left = waiting + _URLS_PER_LEVEL * levels_left
        loop = asyncio.get_running_loop()
        ready = loop.create_future()
        self._number += 1
        heapq.heappush(self._waiting, (-work_left, self._number, ready))
        if not self._running:
            self._running = True
            loop.call_soon(self._next)
        await ready

    def _next(self) -> None:
        """Let one go on, then let the network speak before the next."""
        while self._waiting:
            ready = heapq.heappop(self._waiting)[2]
            if not ready.done():
                ready.set_result(None)
                break
        self._running = bool(self._waiting)
        if self._running:
            asyncio.get_running_loop().call_soon(self._next)
