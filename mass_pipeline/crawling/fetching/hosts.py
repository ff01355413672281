"""What is known of a host: in a run (`HostState`, `OriginRules`), and as plain notes that outlive it (`Grant`).

The notes go with the turn at a host from run to run (`host_table`), and into the state file of a run over restarts of the machine
(`HostStore`). Ages and waits in them are seconds, so that every keeper has moments of a clock of its own.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import Protocol

from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.outcomes import Failure
from mass_pipeline.crawling.fetching.politeness import Pace
from mass_pipeline.crawling.fetching.reservations import TdmReservations
from mass_pipeline.crawling.fetching.robots import RobotsRules, RobotsState


@dataclass(frozen=True, slots=True)
class HostNote:
    """How a host stands, for whoever asks it next.

    Attributes:
        wait_seconds: until it may be asked again.
        delay, crawl_delay: seconds; of AutoThrottle and of robots.txt.
        failures: busy or failed answers in a row.
        asked_seconds: of the wait, what the host itself asked for; None where nobody wrote it down.
    """

    wait_seconds: float
    delay: float
    crawl_delay: float = 0.0
    failures: int = 0
    asked_seconds: float | None = None


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

    def aged(self, seconds: float) -> RulesNote:
        """So much later; with a negative number as of the beginning of the clock."""
        return replace(
            self,
            robots_age=None if self.robots_age is None else self.robots_age + seconds,
            mining_age=None if self.mining_age is None else self.mining_age + seconds,
        )


@dataclass(frozen=True, slots=True)
class Grant:
    """A host or address that was taken, with what is known of it.

    Attributes:
        note: None when nobody knows the host.
        rules: of the origins of the host.
        was_lost: whoever had it did not give it back; it may have asked until just now, so leave the whole gap.
    """

    note: HostNote | None = None
    rules: tuple[RulesNote, ...] = ()
    was_lost: bool = False


class HostStore(Protocol):
    """Keeps hosts over restarts: the state file of a run."""

    def load_host(self, origin: str, wall: float) -> Grant:
        """What earlier runs knew of an origin; `wall`: the moment now by the wall clock."""
        ...

    def put_host(self, note: HostNote, rules: RulesNote, wall: float) -> None:
        """Remember an origin that changed in a way that must survive a restart."""
        ...

    async def written(self) -> None:
        """Return when all that was gathered, and what is about to be asked, would survive the death of the process (J3)."""
        ...


@dataclass(slots=True)
class HostState:
    """One host name and port during a run.

    Attributes:
        unanswered: busy, refused or silent answers in a row.
        in_flight: requests on the wire; never above 1.
    """

    pace: Pace
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    unanswered: int = 0
    in_flight: int = 0

    def note(self, now: float) -> HostNote:
        """How it stands at a moment of the steady clock."""
        pace = self.pace
        wait, asked = max(pace.not_before - now, 0.0), max(pace.asked_until - now, 0.0)
        return HostNote(wait, pace.delay, pace.crawl_delay, pace.failures, asked)

    def learn(self, grant: Grant, now: float, config: CrawlConfig, *, lost_at: float) -> None:
        """Go on where whoever asked it before stopped.

        A pause is no longer than what the host asked for, or its own gap: a wall clock may have been wrong when it was written
        down, or be wrong now, and our own back-off ends with the run (hazards D1, D12).

        Args:
            now, lost_at: moments of the steady clock; no earlier run has asked it since `lost_at`.
        """
        pace, note = self.pace, grant.note
        if note is not None:
            pace.delay = note.delay
            pace.crawl_delay = max(pace.crawl_delay, note.crawl_delay)
            pace.failures = max(pace.failures, note.failures)
            asked = note.asked_seconds
            longest = config.max_retry_after_seconds if asked is None else max(asked, pace.gap(config))
            wait = min(note.wait_seconds, longest)
            pace.not_before = max(pace.not_before, now + wait)
            pace.asked_until = max(pace.asked_until, now + min(wait, asked or 0.0))
        if grant.was_lost:
            pace.not_before = max(pace.not_before, lost_at + pace.gap(config))


@dataclass(slots=True)
class OriginRules:
    """robots.txt and the reservations of one origin, with the wall times they were fetched at; None when not known."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    rules: RobotsRules | None = None
    fetched_at: float = 0.0
    failure: Failure | None = None
    mining: TdmReservations | None = None
    mining_at: float = 0.0

    def note(self, origin: str, clock: Clock) -> RulesNote:
        """For later runs; rules that could not be had are asked for anew."""
        wall = clock.now().timestamp()
        rules = None if self.rules is None or self.rules.state is RobotsState.UNREACHABLE else self.rules
        return RulesNote(
            origin,
            None if rules is None else rules.state.value,
            "" if rules is None else rules.reason,
            "" if rules is None else rules.text,
            None if rules is None else max(wall - self.fetched_at, 0.0),
            None if self.mining is None else self.mining.text,
            None if self.mining is None else max(wall - self.mining_at, 0.0),
        )

    def learn(self, note: RulesNote, clock: Clock) -> None:
        """Take over what another run was told later than this one."""
        wall = clock.now().timestamp()
        is_there = note.robots_state not in (None, RobotsState.UNREACHABLE)
        if is_there and note.robots_age is not None and self.fetched_at < wall - note.robots_age:
            self.rules = RobotsRules.restored(RobotsState(note.robots_state or ""), note.robots_reason, note.robots_text)
            self.fetched_at = wall - note.robots_age
        if note.mining_text is not None and note.mining_age is not None and self.mining_at < wall - note.mining_age:
            self.mining, self.mining_at = TdmReservations.restored(note.mining_text), wall - note.mining_age
