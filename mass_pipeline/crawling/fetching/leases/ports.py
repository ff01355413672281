"""The port of a lease store, and what goes over it. Plain values; every span in seconds, because moments belong to the store.

A store has one clock (this machine's, or the database server's), so that processes whose clocks differ agree. A lease ends by
itself: its holder renews it, and one that was killed loses it. Nobody may ask a host without holding its lease, so that an
expired lease tells when its holder may have asked last.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

HOST: Final = "host:"
ADDRESS: Final = "address:"


@dataclass(frozen=True, slots=True)
class Claim:
    """The wish to hold one of so many leases of a key at most.

    Attributes:
        key: `HOST` or `ADDRESS` and the name.
        slots: how many may hold one at once.
    """

    key: str
    slots: int = 1


@dataclass(frozen=True, slots=True)
class Lease:
    """One that is held.

    Attributes:
        fence: grows with every lease that is given out; who shows an older one is no longer the holder.
    """

    key: str
    slot: int
    fence: int


@dataclass(frozen=True, slots=True)
class HostNote:
    """How a host stands, for whoever asks it next.

    Attributes:
        wait_seconds: until it may be asked again.
        delay, crawl_delay: seconds; of AutoThrottle and of robots.txt.
        failures: busy or failed answers in a row.
    """

    wait_seconds: float
    delay: float
    crawl_delay: float = 0.0
    failures: int = 0


@dataclass(frozen=True, slots=True)
class RulesNote:
    """robots.txt and the reservations of one origin, as text.

    Attributes:
        robots_age, mining_age: seconds since they were asked for; None where they were not.
    """

    origin: str
    robots_state: str | None
    robots_reason: str
    robots_text: str
    robots_age: float | None
    mining_text: str | None = None
    mining_age: float | None = None


@dataclass(frozen=True, slots=True)
class Grant:
    """A lease that was given, with what earlier holders left behind.

    Attributes:
        note: None when nobody knows the host.
        rules: of the origins of the host.
        was_lost: the holder before did not give it back; it may have asked until just now, so leave the whole gap.
    """

    lease: Lease
    note: HostNote | None = None
    rules: tuple[RulesNote, ...] = ()
    was_lost: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """What a process tells and asks in one transaction, done in the order of the attributes.

    Attributes:
        notes: of hosts it holds; those of leases it has lost meanwhile are dropped.
        rules: host -> what was learnt of its origins.
        given_up: leases it needs no more.
        seconds: renew the others for so long; 0 leaves them as they are.
        claims: refused ones are remembered for a while: who came first is served first.
    """

    notes: Mapping[Lease, HostNote] = field(default_factory=dict)
    rules: Mapping[Lease, tuple[RulesNote, ...]] = field(default_factory=dict)
    given_up: tuple[Lease, ...] = ()
    seconds: float = 0.0
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class Heard:
    """The answer.

    Attributes:
        grants: one for every claim, None where it is leased elsewhere.
        held: every lease of the process, the new ones included.
        wanted: keys it holds that others wait for.
    """

    grants: tuple[Grant | None, ...]
    held: frozenset[Lease]
    wanted: frozenset[str]


class LeaseStore(Protocol):
    """Where the processes of an installation agree. Used by one thread at a time."""

    def exchange(self, owner: str, said: Said, lease_seconds: float) -> Heard:
        """One transaction: tell, give back, renew, claim.

        Args:
            owner: name of the process' keeper; nobody else has it.
            lease_seconds: how long a lease lives that is given out now.

        Raises:
            StorageError: the store cannot be reached or written; nothing was changed.
        """
        ...

    def close(self) -> None:
        """Let go of the store; leases that are still held end by themselves."""
        ...
