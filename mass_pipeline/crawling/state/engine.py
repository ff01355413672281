"""The one engine of crawl, watch and link collection: it gives sites their turns, one of a host at a time, many hosts at once.

A `Spider` says what is asked next and what an answer means. Not here: single requests and their manners (`fetching`).
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from typing import Final, Generic, Protocol, TypeVar

from mass_pipeline.crawling.fetching.urls import BadUrl, canonicalize, split
from mass_pipeline.crawling.state.session import CrawlSession

T = TypeVar("T")

PARKED_SECONDS: Final = 1.0  # until a host is tried again that another run is asking
TICK_SECONDS: Final = 0.25
_IDLE_SECONDS: Final = 1.0


class Spider(Protocol[T]):
    """Says which sites are asked next, and what their answers mean."""

    def due(self, running: Collection[T]) -> Iterable[tuple[str, T]]:
        """Sites with their hosts that wait from now on, besides those that wait already and those whose turn it is."""

    def start_of(self, site: T) -> str:
        """The address that a site's turn begins with."""

    async def may_begin(self, *, is_idle: bool) -> bool:
        """Whether turns may begin, or wait where none is under way: there may be no room for what they bring."""

    async def turn(self, host: str, site: T) -> bool:
        """One turn; False when the site, or what is left of it, must come again: another run may be asking its host."""

    def tick(self) -> None:
        """Told again and again, however many turns end: to commit, and to show progress."""


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


class Engine(Generic[T]):
    """Drives a spider.

    Args:
        at_once: so many hosts at the same time.
        requeues: a site whose turn is not done joins the queue again at once, after the others; else the spider calls it due.
    """

    def __init__(self, session: CrawlSession, spider: Spider[T], at_once: int, *, requeues: bool = False) -> None:
        self._session, self._spider, self._at_once, self._requeues = session, spider, at_once, requeues
        self._running: dict[asyncio.Future[bool], tuple[str, T]] = {}
        self.queue: HostQueue[T] = HostQueue()

    @property
    def n_running(self) -> int:
        """Turns under way."""
        return len(self._running)

    async def run(self, *, once: bool = True, seconds: float | None = None) -> None:
        """Give turns until nothing is due any more, or for ever.

        Args:
            once: end when nothing is due, instead of waiting for the next that is.
            seconds: end after so much time of the session; turns under way are broken off.

        Raises:
            Exception: whatever a turn raises; what a site does raises nothing.
        """
        try:
            while seconds is None or self._session.seconds < seconds:
                started = self._start() if await self._spider.may_begin(is_idle=not self._running) else 0
                self._spider.tick()
                if once and not (started or self._running or self.queue):
                    return
                await self._wait(None if seconds is None else seconds - self._session.seconds)
        finally:
            for turn in self._running:
                turn.cancel()
            await asyncio.gather(*self._running, return_exceptions=True)

    def _start(self) -> int:
        """Begin as many turns as may be, and look up the name of the site that comes next; how many those were."""
        for host, site in self._spider.due([site for _, site in self._running.values()]):
            self.queue.add(host, site)
        started = 0
        while len(self._running) < self._at_once and (taken := self.queue.take(self._session.clock.steady())) is not None:
            self._running[asyncio.ensure_future(self._spider.turn(*taken))] = taken
            started += 1
        following = next(self.queue.ahead(), None)
        if started and following is not None:
            with suppress(BadUrl):
                self._session.downloader.prefetch(split(canonicalize(self._spider.start_of(following))))
        return started

    async def _wait(self, most: float | None) -> None:
        """Until a turn ends, or for a moment. An error of a turn is raised here."""
        pause = TICK_SECONDS if self._running else _IDLE_SECONDS
        pause = pause if most is None else min(pause, max(0.0, most))
        if not self._running:
            await asyncio.sleep(pause)
            return
        done, _ = await asyncio.wait(self._running, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
        for turn in done:
            host, site = self._running.pop(turn)
            is_done = turn.result()
            again = site if self._requeues and not is_done else None
            self.queue.leave(host, unfinished=again, now=self._session.clock.steady(), park=not is_done)
