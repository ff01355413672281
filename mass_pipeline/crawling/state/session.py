"""A run over a state folder, alike for crawl, watch and link collection: who asks, what is remembered of hosts, room, logs.

Belongs here: putting these together. Not here: what is asked next (the three of them), rows (`database`).
"""

from __future__ import annotations

import asyncio
import gc
import signal
import sqlite3
import threading
from collections.abc import Awaitable, Coroutine, Iterable
from types import TracebackType
from typing import Any, Final, Self, TypeVar

import uvloop

from mass_pipeline.crawling.fetching.addresses import ConnectTo
from mass_pipeline.crawling.fetching.clock import Clock, SystemClock
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.downloader import Downloader
from mass_pipeline.crawling.fetching.outcomes import Failure, LeasedElsewhere
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
    """One run; an async context manager that keeps its connections.

    Attributes:
        downloader: makes its requests.
        logs: of the state folder.
        room: whether the disk has any.
        began: moment of the steady clock.
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
        clock = clock or SystemClock()
        self.config, self.clock = config, clock
        self.downloader = Downloader(config, clock, connect_to, memory=state)
        self.logs = CrawlLogs(state.folder)
        self.room = RoomWatch(state.folder, config, clock)
        self.began = clock.steady()

    async def __aenter__(self) -> Self:
        await self.downloader.__aenter__()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.downloader.__aexit__(kind, error, trace)

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
