"""What a run knows of hosts while it asks them: pace per host, rules per origin; as notes that go with the turn at a host, too.

Plain values of the downloader, and the port to whoever keeps them over restarts.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Protocol

from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.host_table import Grant, HostNote, RulesNote
from mass_pipeline.crawling.fetching.outcomes import Failure
from mass_pipeline.crawling.fetching.politeness import Pace
from mass_pipeline.crawling.fetching.reservations import TdmReservations
from mass_pipeline.crawling.fetching.robots import RobotsRules, RobotsState


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

    async def written(self) -> None:
        """Return when all that was gathered so far, and what is about to be asked, would survive the death of the process."""
        ...


def note_of(pace: Pace, clock: Clock) -> HostNote:
    """How a host stands now."""
    return HostNote(max(pace.not_before - clock.steady(), 0.0), pace.delay, pace.crawl_delay, pace.failures)


def learn_pace(pace: Pace, grant: Grant, config: CrawlConfig, clock: Clock) -> None:
    """Go on where the holder before stopped; after one that was killed leave the whole gap, it may have asked just now."""
    now, note = clock.steady(), grant.note
    if note is not None:
        pace.delay = note.delay
        pace.crawl_delay = max(pace.crawl_delay, note.crawl_delay)
        pace.failures = max(pace.failures, note.failures)
        pace.not_before = max(pace.not_before, now + min(note.wait_seconds, config.max_retry_after_seconds))
    if grant.was_lost:
        pace.not_before = max(pace.not_before, now + pace.gap(config))


def rules_note(origin: str, found: OriginRules, clock: Clock) -> RulesNote:
    """Rules of an origin; those that could not be had are not passed on."""
    wall = clock.now().timestamp()
    rules = None if found.rules is None or found.rules.state is RobotsState.UNREACHABLE else found.rules
    return RulesNote(
        origin,
        None if rules is None else rules.state.value,
        "" if rules is None else rules.reason,
        "" if rules is None else rules.text,
        None if rules is None else max(wall - found.fetched_at, 0.0),
        None if found.mining is None else found.mining.text,
        None if found.mining is None else max(wall - found.mining_at, 0.0),
    )


def learn_rules(found: OriginRules, note: RulesNote, clock: Clock) -> None:
    """Take over what another run was told later than this one."""
    wall = clock.now().timestamp()
    if note.robots_state is not None and note.robots_age is not None:
        at = wall - note.robots_age
        if found.rules is None or found.fetched_at < at:
            found.rules = RobotsRules.restored(RobotsState(note.robots_state), note.robots_reason, note.robots_text)
            found.fetched_at = at
    if note.mining_text is not None and note.mining_age is not None and found.mining_at < wall - note.mining_age:
        found.mining, found.mining_at = TdmReservations.restored(note.mining_text), wall - note.mining_age
