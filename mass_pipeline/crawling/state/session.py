"""A run over a state folder, alike for crawl, watch and link collection: who asks, what is remembered of hosts, room, logs.

Belongs here: putting these together. Not here: what is asked next (the three of them), rows (`database`).
"""

from __future__ import annotations

import asyncio
import gc
import math
import signal
import sqlite3
import threading
from abc import ABC, abstractmethod
from collections import OrderedDict, deque
from collections.abc import Awaitable, Collection, Coroutine, Iterable, Iterator
from typing import Any, Final, Generic, TypeVar

import uvloop

from mass_pipeline.crawling.fetching.addresses import ConnectTo
from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.downloader import Downloader
from mass_pipeline.crawling.fetching.outcomes import Failure, LeasedElsewhere
from mass_pipeline.crawling.fetching.urls import canonical_or_none, split
from mass_pipeline.crawling.state.database import StateDatabase
from mass_pipeline.crawling.state.disk import RoomWatch
from mass_pipeline.crawling.state.logs import CrawlLogs
from mass_pipeline.model.errors import StorageError

T = TypeVar("T")

_STOPPING: Final = (signal.SIGINT, signal.SIGTERM)
_OBJECTS_PER_COLLECTION: Final = 20_000  # instead of Python's 700: what a page makes is freed without them


def run(work: Coroutine[Any, Any, T]) -> T:
    """The work to its end, in an event loop of its own: uvloop's, which takes an eighth off the CPU of a crawl.

    SIGINT and SIGTERM break it off, as a cancellation: no request is made after them, and what was gathered is kept. Then the
    handler of before is called (Dagster's raises its own interrupt); uvloop would print what it raises and go on.

    Raises:
        KeyboardInterrupt: it was broken off, and the handler of before raised nothing.
    """
    young, *older = gc.get_threshold()
    gc.set_threshold(_OBJECTS_PER_COLLECTION, *older)
    is_main = threading.current_thread() is threading.main_thread()  # signals come to it alone
    handlers = {number: signal.getsignal(number) for number in _STOPPING} if is_main else {}
    received: list[signal.Signals] = []
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            result = runner.run(_cancelled_by(handlers, received, work))
        if not received:
            return result
    except asyncio.CancelledError:
        if not received:
            raise
    finally:
        gc.set_threshold(young, *older)
        for number, handler in handlers.items():
            signal.signal(number, handler)
    handler = handlers[received[0]]
    if callable(handler):
        handler(received[0], None)
    raise KeyboardInterrupt


async def _cancelled_by(numbers: Iterable[signal.Signals], received: list[signal.Signals], work: Coroutine[Any, Any, T]) -> T:
    """The work, cancelled by each of these signals, which are noted."""
    task = asyncio.current_task()
    assert task is not None

    def cancel(number: signal.Signals) -> None:
        received.append(number)
        task.cancel()

    for number in numbers:
        asyncio.get_running_loop().add_signal_handler(number, cancel, number)
    return await work


class CrawlSession:
    """One run; its requests are made within `downloader`, a context manager that keeps the connections.

    Attributes:
        downloader: makes its requests.
        logs: of the state folder.
        room: whether the disk has any.
        began: moment of the steady clock.
        last_url: finished last.
    """

    def __init__(
        self, state: StateDatabase, config: CrawlConfig, connect_to: ConnectTo | None = None, clock: Clock | None = None
    ) -> None:
        """Args:
            state: what it remembers; its run has begun.
            connect_to: where to connect instead; only honoured with `config.allow_private_hosts`.
            clock: time; the machine's by default.

        Raises:
            StorageError: the table of hosts cannot be used.
        """
        clock = clock or Clock()
        self.config, self.clock = config, clock
        self.downloader = Downloader(config, clock, connect_to, memory=state)
        self.logs = CrawlLogs(state.folder)
        self.room = RoomWatch(state.folder, config, clock, self.tell)
        self.began, self.last_url = clock.steady(), ""

    @property
    def seconds(self) -> float:
        """Since it began."""
        return self.clock.steady() - self.began

    @property
    def wall(self) -> float:
        """Seconds of the wall clock."""
        return self.clock.now().timestamp()

    def tell(self, name: str, reason: str = "") -> None:
        """Something that concerns the whole run, for its progress log."""
        self.logs.event(self.clock.now(), name, reason)

    def finished(self, url: str, outcome: str) -> None:
        """A URL was dealt with, for the progress log."""
        self.last_url = url
        self.logs.page(self.clock.now(), url, outcome)

    async def survive(self, url: str, work: Awaitable[T]) -> T | Exception:
        """What work on one page gives, or the exception that it ended with: whatever a page does ends at the page (J4).

        One that is no `Failure`, and so nobody's who wrote the work, is logged.

        Raises:
            StorageError, sqlite3.Error: of the state file. LeasedElsewhere: it is another run's turn.
        """
        try:
            return await work
        except (StorageError, sqlite3.Error, LeasedElsewhere):
            raise
        except Exception as error:
            if not isinstance(error, Failure):
                self.logs.exception(self.clock.now(), url, error)
            return error


PARKED_SECONDS: Final = 1.0  # until a host is tried again that another run is asking
TICK_SECONDS: Final = 0.25
_PROGRESS_SECONDS: Final = 0.5
_IDLE_SECONDS: Final = 1.0


class Spider(ABC, Generic[T]):
    """Says which sites are asked next, and what their answers mean."""

    @abstractmethod
    def start_of(self, site: T) -> str:
        """The address that a site's turn begins with."""

    @abstractmethod
    async def turn(self, host: str, site: T) -> bool:
        """One turn; False when the site, or what is left of it, must come again: another run may be asking its host."""

    def due(self, running: Collection[T]) -> Iterable[tuple[str, T]]:
        """Sites with their hosts that wait from now on, besides those that wait already and those whose turn it is."""
        return ()

    async def may_begin(self, *, is_idle: bool) -> bool:
        """Whether turns may begin, or wait where none is under way: there may be no room for what they bring."""
        return True

    def tick(self) -> None:
        """Called four times a second, however many turns end: to commit."""
        return

    def show_progress(self) -> None:
        """Called about twice a second."""
        return


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
        self._ticked = self._shown = -math.inf

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
                self._tick()
                if once and not (started or self._running or self.queue):
                    return
                await self._wait(None if seconds is None else seconds - self._session.seconds)
        finally:
            for turn in self._running:
                turn.cancel()
            await asyncio.gather(*self._running, return_exceptions=True)

    def _tick(self) -> None:
        now = self._session.clock.steady()
        if now - self._ticked >= TICK_SECONDS:
            self._ticked = now
            self._spider.tick()
        if now - self._shown >= _PROGRESS_SECONDS:
            self._shown = now
            self._spider.show_progress()

    def _start(self) -> int:
        """Begin as many turns as may be, and look up the name of the site that comes next; how many those were."""
        for host, site in self._spider.due([site for _, site in self._running.values()]):
            self.queue.add(host, site)
        started = 0
        while len(self._running) < self._at_once and (taken := self.queue.take(self._session.clock.steady())) is not None:
            self._running[asyncio.ensure_future(self._spider.turn(*taken))] = taken
            started += 1
        following = next(self.queue.ahead(), None)
        if started and following is not None and (url := canonical_or_none(self._spider.start_of(following))):
            self._session.downloader.prefetch(split(url))
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
