"""Whose turn it is at a host and at an address: in a run by queueing, among the runs of an installation by the table of hosts.

A host is kept for several requests and given back when its site is done, when it lies idle, or when others want it and the turn
is over. Nobody waits here for another run: `LeasedElsewhere` says that the site goes to the end of the queue.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import Final, Self, TypeVar

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.host_table import ADDRESS, HOST, HostTable
from mass_pipeline.crawling.fetching.hosts import Grant, HostNote, RulesNote
from mass_pipeline.crawling.fetching.outcomes import Failure, LeasedElsewhere, Outcome
from mass_pipeline.model.errors import StorageError

T = TypeVar("T")

_BEATS: Final = 8  # a lease is renewed so often in its time
_MARGIN: Final = 0.1  # share of its time at the end in which its holder asks no more: sending takes a moment, clocks differ
_IDLE_SECONDS: Final = 10.0  # what nobody uses is kept so long
_WANTED_IDLE_SECONDS: Final = 2.0  # a host so long when others want it: pages are read between two requests of a site
_ADDRESS_TURN: Final = 0.25  # share of a turn: an address is needed only while requests are on the wire
_ASK_AGAIN_SECONDS: Final = 1.0  # for what others hold
_BARRED_SECONDS: Final = 1.5  # what was given back to who waits is left to them so long
_ADDRESS_PATIENCE_SECONDS: Final = 4.0  # who holds a host waits so long for its address before it lets others have the host
_ADDRESS_AGAIN_SECONDS: Final = 0.25


async def in_turn(ask: Callable[[], Awaitable[T]], patience_seconds: float) -> T:
    """Wait for other runs: for callers that have nothing else to ask meanwhile.

    Args:
        ask: makes one request, again and again until it is this run's turn.
        patience_seconds: then it is given up.

    Raises:
        Failure: `deferred`, when patience ends; else whatever `ask` raises.
    """
    loop = asyncio.get_running_loop()
    until = loop.time() + patience_seconds
    while True:
        try:
            return await ask()
        except LeasedElsewhere as error:
            if loop.time() >= until:
                raise Failure(Outcome.DEFERRED, error.reason, host_is_dead=True) from error
            await asyncio.sleep(_ASK_AGAIN_SECONDS)


@dataclass(slots=True, eq=False)
class Turn:
    """A host or address that this run has; moments are those of its steady clock.

    Attributes:
        grant: as the table gave it; what it says of the host is used once (`is_new`).
        until: no request goes out later.
        in_use: somebody asks, or waits to ask; then it is not given back.
        note: how the host stood at `noted_at`, when the table has not been told yet.
    """

    key: str
    grant: Grant
    until: float
    since: float
    in_use: bool = True
    is_new: bool = True
    wanted: bool = False
    leaving: bool = False
    idle_since: float = 0.0
    note: HostNote | None = None
    noted_at: float = 0.0


class HostTurns:
    """The hosts and addresses of one run; an async context manager that gives everything back.

    Args:
        table: None when no other run counts.
        steady: this run's clock.

    Attributes:
        trouble: why the table could not be used the last time, "" when it could.
    """

    def __init__(self, table: HostTable | None, config: CrawlConfig, steady: Callable[[], float] = time.monotonic) -> None:
        self._table = table
        self._owner = uuid.uuid4().hex
        self._seconds, self._turn_seconds = config.lease_seconds, config.lease_turn_seconds
        self._slots = config.max_per_address
        self._steady = steady
        self._held: dict[str, Turn] = {}
        self._barred: dict[str, float] = {}
        self._own: dict[str, asyncio.Semaphore] = {}
        self._freed: dict[str, asyncio.Event] = {}
        self._one = asyncio.Lock()
        self._hurry = asyncio.Event()
        self._beating: asyncio.Task[None] | None = None
        self.trouble = ""

    async def __aenter__(self) -> Self:
        if self._table is not None:
            self._beating = asyncio.create_task(self._keep())
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._table is None or self._beating is None:
            return
        self._beating.cancel()
        with suppress(asyncio.CancelledError):
            await self._beating
        for turn in self._held.values():
            turn.in_use, turn.leaving = False, True
        await self._beat(self._table)
        self._table.close()

    async def host(self, place: str) -> Turn | None:
        """The turn at a host, in use until `release`; None when no other run counts.

        Raises:
            LeasedElsewhere: another run has it.
        """
        if self._table is None:
            return None
        turn = await self._acquire(self._table, HOST + place)
        if turn is None:
            raise LeasedElsewhere(place, self.trouble)
        return turn

    @asynccontextmanager
    async def address(self, address: str) -> AsyncIterator[None]:
        """One of the requests that an address may get at once.

        Raises:
            LeasedElsewhere: other runs have all of them.
        """
        if self._table is None:
            async with self._own.setdefault(address, asyncio.Semaphore(self._slots)):
                yield
            return
        turn = await self._slot(self._table, address)
        try:
            yield
        finally:
            self.release(turn)
            self._freed.setdefault(address, asyncio.Event()).set()

    def may_ask(self, turn: Turn) -> bool:
        """Whether the turn is still good for a request now."""
        return self._steady() < turn.until

    def release(self, turn: Turn, note: HostNote | None = None) -> None:
        """Mark as unused, and say how the host stands (`note.wait_seconds` counts from now)."""
        now = self._steady()
        turn.in_use, turn.idle_since = False, now
        self._note(turn, note, now)
        others = turn.key.startswith(ADDRESS) and self._count(turn.key.rpartition("#")[0]) > 1  # one is enough for this run
        if turn.wanted and (others or self._is_over(turn, now)):
            turn.leaving = True
            self._hurry.set()

    async def report(self, turn: Turn, note: HostNote) -> None:
        """Write at once how a host stands that asked for a pause: a process that dies now leaves it to the next one."""
        self._note(turn, note, self._steady())
        if self._table is not None:
            await self._beat(self._table)

    async def put_rules(self, place: str, rules: RulesNote) -> None:
        """Remember robots.txt and the reservations of an origin, for the runs that ask the host next."""
        if self._table is not None:
            table = self._table
            with suppress(StorageError):  # they are asked for again
                await self._call(lambda: table.put_rules(HOST + place, rules))

    def surrender(self, place: str) -> None:
        """The host is needed no more: given back with the next beat, at once when others wait."""
        turn = self._held.get(HOST + place)
        if turn is not None and not turn.in_use:
            turn.leaving = True
            if turn.wanted:
                self._hurry.set()

    # Taking

    async def _acquire(self, table: HostTable, key: str) -> Turn | None:
        """What is held and free, else what the table gives; marked as used."""
        turn, now = self._held.get(key), self._steady()
        if turn is not None and (turn.in_use or self._is_over(turn, now)):
            return None
        if turn is not None and now < turn.until:
            turn.in_use, turn.leaving = True, False
            return turn
        if now < self._barred.get(key, 0.0):
            return None
        try:
            grant = await self._call(lambda: table.take(key, self._owner, self._seconds))
            self.trouble = ""
        except StorageError as error:
            grant, self.trouble = None, str(error)
        if grant is None:
            return None
        turn = self._held[key] = Turn(key, grant, now + self._seconds * (1 - _MARGIN), now)
        return turn

    async def _slot(self, table: HostTable, address: str) -> Turn:
        loop = asyncio.get_running_loop()
        freed = self._freed.setdefault(address, asyncio.Event())
        prefix = ADDRESS + address
        keys = [f"{prefix}#{number}" for number in range(self._slots)]
        began = loop.time()
        while True:
            freed.clear()
            for key in sorted(keys, key=lambda one: one not in self._held):  # first what this run has
                async with self._own.setdefault(key, asyncio.Semaphore(1)):
                    turn = await self._acquire(table, key)
                if turn is not None:
                    return turn
            if not self._count(prefix) and loop.time() - began >= _ADDRESS_PATIENCE_SECONDS:
                raise LeasedElsewhere(address, self.trouble)
            with suppress(TimeoutError):
                async with asyncio.timeout(_ADDRESS_AGAIN_SECONDS):
                    await freed.wait()

    def _count(self, prefix: str) -> int:
        """How many slots of an address this run has."""
        keys = (f"{prefix}#{number}" for number in range(self._slots))
        return sum(turn is not None and not turn.leaving for turn in map(self._held.get, keys))

    # Keeping

    def _is_over(self, turn: Turn, now: float) -> bool:
        """Others wait, and this run has had its turn."""
        seconds = self._turn_seconds * (_ADDRESS_TURN if turn.key.startswith(ADDRESS) else 1)
        return turn.wanted and (turn.leaving or now - turn.since >= seconds)

    def _note(self, turn: Turn, note: HostNote | None, now: float) -> None:
        if note is not None:
            turn.note, turn.noted_at = note, now

    async def _keep(self) -> None:
        """Renew what is held, again and again, and at once when something is to be given back."""
        assert self._table is not None
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._seconds / _BEATS):
                    await self._hurry.wait()
            if self._held:
                await self._beat(self._table)

    async def _beat(self, table: HostTable) -> None:
        self._hurry.clear()
        now = self._steady()
        going = self._going(now)
        told = [(turn, turn.note) for turn in self._held.values() if turn.note is not None]
        notes = {turn.key: replace(note, wait_seconds=max(note.wait_seconds - (now - turn.noted_at), 0.0)) for turn, note in told}
        try:
            kept = await self._call(lambda: table.beat(self._owner, self._seconds, notes, [turn.key for turn in going]))
            self.trouble = ""
        except StorageError as error:  # what is held ends in its time; tried again with the next beat
            self.trouble = str(error)
            for turn in going:
                turn.in_use = False
            return
        for turn, note in told:
            turn.note = None if turn.note is note else turn.note
        for turn in going:
            del self._held[turn.key]
            if turn.wanted:
                self._barred[turn.key] = self._steady() + _BARRED_SECONDS
        self._learn(kept, now)

    def _going(self, now: float) -> list[Turn]:
        """What is to be given back: nobody takes it up again while the table is told."""
        for turn in self._held.values():
            wanted_idle = 0.0 if turn.key.startswith(ADDRESS) else _WANTED_IDLE_SECONDS
            if not turn.in_use and now - turn.idle_since >= (wanted_idle if turn.wanted else _IDLE_SECONDS):
                turn.leaving = True
        going = [turn for turn in self._held.values() if turn.leaving and not turn.in_use]
        for turn in going:
            turn.until, turn.in_use = float("-inf"), True
        return going

    def _learn(self, kept: Mapping[str, bool], now: float) -> None:
        """What the table says of the rest: renewed, wanted by others, or lost."""
        for turn in list(self._held.values()):
            if turn.key in kept:
                turn.until, turn.wanted = now + self._seconds * (1 - _MARGIN), kept[turn.key]
                if turn.wanted and not turn.in_use and self._is_over(turn, now):
                    turn.leaving = True
                    self._hurry.set()
            elif turn.since < now:  # lost: good for no further request
                turn.until = float("-inf")
                del self._held[turn.key]

    async def _call(self, work: Callable[[], T]) -> T:
        """A transaction: in place where it takes no time, else beside the event loop; one at a time."""
        assert self._table is not None
        async with self._one:
            return work() if self._table.is_near else await asyncio.to_thread(work)
