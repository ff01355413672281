"""Pace, robots.txt and reservations of hosts over restarts: what the downloader is given back and what it hands over."""

from __future__ import annotations

from collections.abc import Callable

from mass_pipeline.crawler.clock import Clock
from mass_pipeline.crawler.config import CrawlConfig
from mass_pipeline.crawler.downloader import OriginRules, Restored
from mass_pipeline.crawler.politeness import Pace
from mass_pipeline.crawler.reservations import Reservations
from mass_pipeline.crawler.robots import RobotsRules, RobotsState
from mass_pipeline.crawler.store import HostRow


class HostMemory:
    """Remembers hosts until the next turn is stored.

    Args:
        load: gives what the state file knows of an origin.
        was_killed: the last run may have asked any host a moment ago, and nobody wrote it down.
    """

    def __init__(self, load: Callable[[str], HostRow | None], config: CrawlConfig, clock: Clock, *, was_killed: bool) -> None:
        self._load = load
        self._config = config
        self._clock = clock
        self._was_killed = was_killed
        self._changed: dict[str, HostRow] = {}

    def take(self) -> list[HostRow]:
        """The hosts that changed since the last call."""
        changed = list(self._changed.values())
        self._changed.clear()
        return changed

    def restored(self, origin: str) -> Restored | None:
        """How an origin stood, None for a new one."""
        row, config = self._load(origin), self._config
        now, wall = self._clock.steady(), self._clock.now().timestamp()
        if row is None:
            if not self._was_killed:
                return None
            row = HostRow(origin, None, None, None, None, config.start_delay_seconds, 0.0, 0.0, 0)
        pace = Pace(0.0 if config.no_delay else row.delay, row.crawl_delay, failures=row.failures)
        pace.not_before = now + min(max(row.not_before - wall, 0.0), config.max_retry_after_seconds)
        if self._was_killed:
            pace.not_before = max(pace.not_before, now + pace.gap(config))
        rules = None
        if row.robots_state is not None and row.robots_state != RobotsState.UNREACHABLE:
            rules = RobotsRules.restored(RobotsState(row.robots_state), row.robots_reason or "", row.robots_text or "")
        mining = None if row.mining_text is None else Reservations.restored(row.mining_text)
        return Restored(pace, rules, row.robots_at or 0.0, mining, row.mining_at or 0.0)

    def changed(self, origin: str, pace: Pace, rules: OriginRules) -> None:
        """An origin stands differently now."""
        found = rules.rules
        self._changed[origin] = HostRow(
            origin,
            found.state.value if found else None,
            found.reason if found else None,
            found.text if found else None,
            rules.fetched_at or None,
            pace.delay,
            pace.crawl_delay,
            self._clock.now().timestamp() + max(pace.not_before - self._clock.steady(), 0.0),
            pace.failures,
            rules.mining.text if rules.mining else None,
            rules.mining_at or None,
        )
