"""Sites that wait for their turn, and the one loop that gives it to them: one of a host at a time, many hosts at once.

Crawl and watch are driven by it. Not here: what a turn is, which sites there are, when a run ends.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Iterator
from typing import Final, Generic, TypeVar

from mass_pipeline.crawling.fetching.clock import Clock

T = TypeVar("T")

PARKED_SECONDS: Final = 1.0  # until a host is tried again that another run is asking


class HostQueue(Generic[T]):
    """Only one request at a time may go to a host anyway (V2), so its sites wait behind one another.

    >>> queue = HostQueue[int]()
    >>> for host, site in (("a", 1), ("a", 2), ("b", 3)): queue.add(host, site)
    >>> queue.take(0.0), queue.take(0.0), queue.take(0.0)
    (('a', 1), ('b', 3), None)
    >>> queue.leave("a", park=True, now=0.0), queue.take(0.5), queue.take(1.0)
    (True, None, ('a', 2))
    """

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()  # taken from its front for as long as a crawl lasts
        self._busy: dict[str, deque[T]] = {}
        self._again_at: dict[str, float] = {}

    def __len__(self) -> int:
        """Hosts that wait; those whose turn it is do not count."""
        return len(self._waiting)

    def add(self, host: str, site: T) -> None:
        """A site waits, behind the others of its host."""
        queues = self._busy if host in self._busy else self._waiting
        queues.setdefault(host, deque()).append(site)

    def clear(self) -> None:
        """Nothing waits any more; turns under way go on."""
        self._waiting.clear()
        for sites in self._busy.values():
            sites.clear()

    def take(self, now: float) -> tuple[str, T] | None:
        """The next site, and its host, which is busy until `leave`; None when every host is busy or to be left alone.

        Args:
            now: moment of a steady clock.
        """
        for host, sites in self._waiting.items():
            if self._again_at.get(host, now) <= now:
                self._again_at.pop(host, None)
                self._busy[host] = self._waiting.pop(host)
                return host, sites.popleft()
        return None

    def leave(self, host: str, *, unfinished: T | None = None, now: float = 0.0, park: bool = False) -> bool:
        """A turn is over; whether other sites of its host wait.

        Args:
            unfinished: the site, to come again after the others.
            now: moment of a steady clock.
            park: leave the host alone for a second: another run is asking it.
        """
        sites = self._busy.pop(host)
        if unfinished is not None:
            sites.append(unfinished)
        if park:
            self._again_at[host] = now + PARKED_SECONDS
        if sites:
            self._waiting[host] = sites
        return bool(sites)

    def ahead(self) -> Iterator[T]:
        """The first site of each host that waits, in their order."""
        return (sites[0] for sites in self._waiting.values())

    def has_more(self, host: str) -> bool:
        """Whether other sites of a busy host wait."""
        return bool(self._busy[host])


class HostLoop(Generic[T]):
    """Gives sites their turns.

    Args:
        queue: of those that wait.
        at_once: so many hosts at the same time.
        visit: one turn of a host and its site; False when the site, or what is left of it, must come again, for example because
            another run is asking its host.
        requeues: such a site joins the queue again at once, after the others; else whoever fills the queue adds it.

    Attributes:
        running: turns under way, with host and site.
    """

    def __init__(
        self, queue: HostQueue[T], at_once: int, clock: Clock, visit: Callable[[str, T], Awaitable[bool]], *, requeues: bool
    ) -> None:
        self._queue, self._at_once, self._clock, self._visit, self._requeues = queue, at_once, clock, visit, requeues
        self.running: dict[asyncio.Future[bool], tuple[str, T]] = {}

    def start(self) -> int:
        """Begin as many turns as may be; how many those were."""
        started = 0
        while len(self.running) < self._at_once and (taken := self._queue.take(self._clock.steady())) is not None:
            self.running[asyncio.ensure_future(self._visit(*taken))] = taken
            started += 1
        return started

    async def wait(self, seconds: float) -> None:
        """Until a turn ends, or for so long. An error of a turn is raised here."""
        if not self.running:
            await asyncio.sleep(seconds)
            return
        done, _ = await asyncio.wait(self.running, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for turn in done:
            host, site = self.running.pop(turn)
            is_done = turn.result()
            again = site if self._requeues and not is_done else None
            self._queue.leave(host, unfinished=again, now=self._clock.steady(), park=not is_done)

    async def close(self) -> None:
        """Break off the turns under way."""
        for turn in self.running:
            turn.cancel()
        await asyncio.gather(*self.running, return_exceptions=True)
