"""What all worker processes of the app share: limits, network tokens, and whose turn it is to estimate skills.

It lives in the memory of one process (a `Ledger`). A worker asks it over a socket pair (`LedgerClient`); where the app is one
process, the ledger itself is used. No address reaches a disk either way (hazards W6, W7).
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.web_common.limits import SlidingWindow
from mass_pipeline.web_common.origins import OriginBook

WINDOWS: Final = ("votes", "prefix_votes", "prefix_pages", "prefix_voters", "logins")
_OTHERS: Final = ("origin", "admit", "estimate")


class Turn:
    """Regular work that one process does for all: every `seconds` it is the turn of whoever asks first."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._last: datetime | None = None

    def mine(self, now: datetime) -> bool:
        """Whether the caller shall do it now; then nobody else is told so until the interval is over."""
        if self._last is not None and (now - self._last).total_seconds() < self._seconds:
            return False
        self._last = now
        return True


@dataclass(frozen=True, slots=True)
class Limits:
    """One window for each thing that can be done too often."""

    votes: SlidingWindow | Remote
    prefix_votes: SlidingWindow | Remote
    prefix_pages: SlidingWindow | Remote
    prefix_voters: SlidingWindow | Remote
    logins: SlidingWindow | Remote

    @classmethod
    def of(cls, config: AnnotationConfig) -> Limits:
        """The limits of the settings."""
        return cls(
            votes=SlidingWindow(config.votes_per_minute, 60.0),
            prefix_votes=SlidingWindow(config.prefix_votes_per_minute, 60.0),
            prefix_pages=SlidingWindow(config.prefix_pages_per_minute, 60.0),
            prefix_voters=SlidingWindow(config.prefix_voters_per_hour, 3600.0),
            logins=SlidingWindow(config.logins_per_minute, 60.0),
        )


@dataclass(frozen=True, slots=True)
class Gate:
    """Everything that is asked before answers are stored, in one question."""

    limits: Limits
    origins: OriginBook

    def admit(self, voter_id: str, prefix: str, now: datetime, steady: float, count: int) -> int | str:
        """Count answers for the voter and for its network.

        Args:
            now: for the token of the network.
            steady: seconds on a clock that is never set, for the limits.

        Returns:
            the token of the network; or the seconds to wait, when one of both has answered too often.
        """
        wait = self.limits.votes.take(voter_id, steady, count) or self.limits.prefix_votes.take(prefix, steady, count)
        return wait or self.origins.token(prefix, now)


@dataclass(frozen=True, slots=True)
class Shared:
    """What the pages use, here or in another process."""

    limits: Limits
    origins: OriginBook | Remote
    votes: Gate | Remote
    estimates: Turn | Remote


@dataclass(frozen=True, slots=True)
class Ledger:
    """The things themselves, and how they answer workers."""

    shared: Shared

    @classmethod
    def of(cls, config: AnnotationConfig, keep: Path | None = None) -> Ledger:
        """An empty ledger; the key of networks is kept in the file, or in memory alone."""
        origins = OriginBook(timedelta(hours=config.rate_key_hours), keep)
        limits = Limits.of(config)
        return cls(Shared(limits, origins, Gate(limits, origins), Turn(config.skill_interval_seconds)))

    def answer(self, line: bytes) -> bytes:
        """The answer to one line of a worker."""
        name, key, moment, steady, cost = json.loads(line)
        now = datetime.fromisoformat(moment) if moment else None
        found: int | str | bool | None
        if name == "admit":
            voter_id, prefix = key
            assert now is not None
            found = self.shared.votes.admit(voter_id, prefix, now, steady, cost)
        elif now is not None:
            found = self.shared.origins.token(key, now) if name == "origin" else self.shared.estimates.mine(now)
        else:
            found = getattr(self.shared.limits, name).take(key, steady, cost)
        return json.dumps(found).encode() + b"\n"


@dataclass(slots=True)
class LedgerClient:
    """A worker's end of the socket pair; any thread may ask.

    Attributes:
        connection: to the supervisor.
        when_lost: called when the supervisor is gone, before the error is raised.
    """

    connection: socket.socket
    when_lost: Callable[[], None] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _rest: bytes = b""

    def ask(
        self, name: str, key: str | tuple[str, str], now: datetime | None = None, *, steady: float = 0.0, cost: int = 1
    ) -> int | str | bool | None:
        """One question and its answer (some 50 µs).

        Raises:
            ConnectionError: the supervisor is gone.
        """
        line = json.dumps([name, key, now.isoformat() if now else "", steady, cost]).encode() + b"\n"
        with self._lock:
            try:
                self.connection.sendall(line)
                while b"\n" not in self._rest:
                    self._rest += self.connection.recv(4096) or self._hang_up()
            except OSError as error:
                if self.when_lost is not None:
                    self.when_lost()
                raise ConnectionError("The supervisor of the annotation app is gone.") from error
            answer, _, self._rest = self._rest.partition(b"\n")
        found: int | str | bool | None = json.loads(answer)
        return found

    def _hang_up(self) -> bytes:
        raise ConnectionError("closed")

    def shared(self) -> Shared:
        """The ledger as the pages use it."""
        return Shared(Limits(*(Remote(self, name) for name in WINDOWS)), *(Remote(self, name) for name in _OTHERS))


@dataclass(frozen=True, slots=True)
class Remote:
    """A thing of the ledger, asked from a worker: each answers by the method that the thing itself has."""

    client: LedgerClient
    name: str

    def take(self, key: str, now: float, cost: int = 1) -> int | None:
        """See `SlidingWindow.take`."""
        found = self.client.ask(self.name, key, steady=now, cost=cost)
        return None if found is None else int(found)

    def token(self, prefix: str, now: datetime) -> str:
        """See `OriginBook.token`."""
        return str(self.client.ask(self.name, prefix, now))

    def admit(self, voter_id: str, prefix: str, now: datetime, steady: float, count: int) -> int | str:
        """See `Gate.admit`."""
        found = self.client.ask(self.name, (voter_id, prefix), now, steady=steady, cost=count)
        return found if isinstance(found, int) else str(found)

    def mine(self, now: datetime) -> bool:
        """See `Turn.mine`."""
        return bool(self.client.ask(self.name, "", now))
