"""Whose turn it is at a host and at an address, for coroutines of one run: in the run by queueing, beyond it by leases.

Nobody waits here for another run: `LeasedElsewhere` says that the site goes to the end of the queue. Not here: pauses.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from pathlib import Path
from typing import Final, TypeVar

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.leases.keeper import Holding, LeaseKeeper
from mass_pipeline.crawling.fetching.leases.ports import ADDRESS, HOST, LeaseStore
from mass_pipeline.crawling.fetching.outcomes import Failure, LeasedElsewhere, Outcome

_ASK_AGAIN_SECONDS: Final = 1.0  # for what others hold
# An address is free again when a request ends; whoever holds a host waits so long before it lets others have the host.
_ADDRESS_PATIENCE_SECONDS: Final = 4.0
_ADDRESS_AGAIN_SECONDS: Final = 0.25


T = TypeVar("T")


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


class LeaseClient:
    """LeaseClient of one run.

    Args:
        keeper: None when no other run counts.
        max_per_address: requests in flight per server address, of all runs together.
    """

    def __init__(self, keeper: LeaseKeeper | None, max_per_address: int) -> None:
        self.keeper = keeper
        self._max_per_address = max_per_address
        self._own: dict[str, asyncio.Semaphore] = {}
        self._freed: dict[str, asyncio.Event] = {}
        self._refused_at: dict[str, float] = {}

    async def host(self, place: str) -> Holding | None:
        """The lease of a host, in use until `LeaseKeeper.vacate`; None when there is no keeper.

        Raises:
            LeasedElsewhere: another run holds it.
        """
        if self.keeper is None:
            return None
        key = HOST + place
        holding = self.keeper.occupy(key) or await asyncio.wrap_future(self.keeper.claim(key))
        if holding is None:
            raise LeasedElsewhere(place, self.keeper.trouble)
        return holding

    @asynccontextmanager
    async def address(self, address: str) -> AsyncIterator[None]:
        """One of the requests that an address may get at once.

        Raises:
            LeasedElsewhere: other runs have all of them.
        """
        if self.keeper is None:
            async with self._own.setdefault(address, asyncio.Semaphore(self._max_per_address)):
                yield
            return
        holding = await self._leased(self.keeper, address)
        try:
            yield
        finally:
            self.keeper.vacate(holding)
            self._freed.setdefault(address, asyncio.Event()).set()

    async def _leased(self, keeper: LeaseKeeper, address: str) -> Holding:
        key, loop = ADDRESS + address, asyncio.get_running_loop()
        freed = self._freed.setdefault(address, asyncio.Event())
        began = loop.time()
        while True:
            freed.clear()
            holding = keeper.occupy(key) or await self._another(keeper, address)
            if holding is not None:
                return holding
            if not keeper.holds(key) and loop.time() - began >= _ADDRESS_PATIENCE_SECONDS:
                raise LeasedElsewhere(address, keeper.trouble)
            try:
                async with asyncio.timeout(_ADDRESS_AGAIN_SECONDS):
                    await freed.wait()
            except TimeoutError:
                continue

    async def _another(self, keeper: LeaseKeeper, address: str) -> Holding | None:
        """One more lease of an address, unless this run has them all or was refused a moment ago."""
        key, now = ADDRESS + address, asyncio.get_running_loop().time()
        held = keeper.holds(key)
        if held >= self._max_per_address or now < self._refused_at.get(address, 0.0):
            return None
        holding = await asyncio.wrap_future(keeper.claim(key, self._max_per_address))
        if holding is None:
            self._refused_at[address] = now + (_ASK_AGAIN_SECONDS if held else _ADDRESS_AGAIN_SECONDS)
        return holding


def open_keeper(config: CrawlConfig) -> AbstractContextManager[LeaseKeeper | None]:
    """The keeper of a run; None where nothing is shared: no store is named, or nobody waits for anything (tests).

    Raises:
        StorageError: the store cannot be opened.
    """
    if not config.leases or config.no_delay:
        return nullcontext()
    return LeaseKeeper(
        open_leases(config.leases), lease_seconds=config.lease_seconds, turn_seconds=config.lease_turn_seconds
    )  # fmt: skip


def open_leases(place: str) -> LeaseStore:
    """A store: of PostgreSQL for a URL, of SQLite for a folder.

    Raises:
        StorageError: it cannot be opened.
    """
    if place.startswith("postgresql"):
        from mass_pipeline.crawling.fetching.leases.postgres_store import PostgresLeases  # one machine alone needs no driver

        return PostgresLeases(place)
    from mass_pipeline.crawling.fetching.leases.statements import SqliteLeases

    return SqliteLeases(Path(place))
