"""A turn at a host and at its address for a thread that has nothing else to ask: it waits until other runs have had theirs.

The coroutines of the crawler take theirs in `crawler.fetching.leases.turns`. Not here: retries, robots.txt, requests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Final

from mass_pipeline.crawler.fetching.leases.keeper import Holding, LeaseKeeper
from mass_pipeline.crawler.fetching.leases.ports import ADDRESS, HOST, HostNote
from mass_pipeline.crawler.fetching.urls import BadUrl, canonicalize, place_of, split
from mass_pipeline.model.errors import RetryLater

_AGAIN_SECONDS: Final = 0.5
_PATIENCE_SECONDS: Final = 3600.0
_PER_ADDRESS: Final = 2  # as `max_per_address` of the crawler


@dataclass(slots=True)
class HostTurn:
    """A turn that has come.

    Attributes:
        rest_seconds: how long the host is left alone after this request, by whatever run.
    """

    rest_seconds: float


class HostTurns:
    """Turns of one client.

    Args:
        keeper: of the run.
        address_of: where a host and port lead, None where that is no address that counts (the demo web).
        sleep: waits some seconds.
    """

    def __init__(self, keeper: LeaseKeeper, address_of: Callable[[str, int], str | None], sleep: Callable[[float], None]) -> None:
        self._keeper = keeper
        self._address_of = address_of
        self._sleep = sleep

    @contextmanager
    def turn(self, url: str, gap_seconds: float) -> Iterator[HostTurn]:
        """The only request of all runs at this host, and one of two at its address.

        Raises:
            RetryLater: other runs have kept the host for an hour.
        """
        try:
            parts = split(canonicalize(url))
        except BadUrl:
            yield HostTurn(gap_seconds)  # no request will come of it
            return
        holding = self._take(url, HOST + place_of(parts), 1)
        turn = HostTurn(gap_seconds)
        try:
            self._sleep_out(holding, gap_seconds)
            address = self._address_of(parts.host, parts.port)
            with nullcontext() if address is None else self._at(url, address):
                yield turn
        finally:
            self._keeper.vacate(holding, HostNote(turn.rest_seconds, gap_seconds))

    def close(self) -> None:
        """Give everything back."""
        self._keeper.close()

    @contextmanager
    def _at(self, url: str, address: str) -> Iterator[None]:
        holding = self._take(url, ADDRESS + address, _PER_ADDRESS)
        try:
            yield
        finally:
            self._keeper.vacate(holding)

    def _take(self, url: str, key: str, slots: int) -> Holding:
        waited = 0.0
        while True:
            holding = self._keeper.occupy(key) or self._keeper.claim(key, slots).result()
            if holding is not None:
                return holding
            if waited >= _PATIENCE_SECONDS:
                raise RetryLater(url, self._keeper.trouble or "another run has been asking this host for an hour")
            self._sleep(_AGAIN_SECONDS)
            waited += _AGAIN_SECONDS

    def _sleep_out(self, holding: Holding, gap_seconds: float) -> None:
        """What the holder before left to wait for."""
        if not holding.first:
            return
        holding.first = False
        grant = holding.grant
        wait = 0.0 if grant.note is None else grant.note.wait_seconds
        wait = max(wait, gap_seconds if grant.was_lost else 0.0)
        if wait > 0:
            self._sleep(wait)
