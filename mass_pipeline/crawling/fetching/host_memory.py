"""What a run knows of hosts while it asks them: pace per host, rules per origin. Plain values of the downloader, and the port
to whoever keeps them over restarts.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Protocol

from mass_pipeline.crawling.fetching.failure import Failure
from mass_pipeline.crawling.fetching.politeness import Pace
from mass_pipeline.crawling.fetching.reservations import TdmReservations
from mass_pipeline.crawling.fetching.robots import RobotsRules


@dataclass(slots=True)
class HostState:
    """One host name and port during a run: its pace, and the rules of its origins.

    Attributes:
        unanswered: busy, refused or silent answers in a row.
        in_flight: requests on the wire; never above 1.
    """

    pace: Pace
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    unanswered: int = 0
    in_flight: int = 0
    body_bytes: int = 0


@dataclass(slots=True)
class OriginRules:
    """robots.txt and the reservations of one origin, with the wall times they were fetched at; None when not known."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    rules: RobotsRules | None = None
    fetched_at: float = 0.0
    failure: Failure | None = None
    mining: TdmReservations | None = None
    mining_at: float = 0.0


class HostMemory(Protocol):
    """Keeps hosts over restarts (`state.host_memory`)."""

    def restored(self, origin: str) -> tuple[Pace, OriginRules] | None:
        """How an origin stood in an earlier run, or None; its pace by this run's steady clock."""
        ...

    def changed(self, origin: str, pace: Pace, rules: OriginRules) -> None:
        """Told when an origin's pace or rules changed in a way that must survive a restart."""
        ...
