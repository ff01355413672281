"""Pace and robots.txt of hosts over restarts: what the downloader is given back and what it hands over."""

from __future__ import annotations

from mass_pipeline.crawler.clock import Clock
from mass_pipeline.crawler.config import CrawlConfig
from mass_pipeline.crawler.downloader import OriginRules, Restored
from mass_pipeline.crawler.politeness import Pace
from mass_pipeline.crawler.reservations import Reservations
from mass_pipeline.crawler.robots import RobotsRules, RobotsState
from mass_pipeline.crawler.store import HostRow
from mass_pipeline.crawler.watching.site_store import SiteStore


class HostMemory:
    """Keeps hosts in the state file, so that memory holds only those being asked.

    Args:
        was_killed: the last run may have asked any host a moment ago.
    """

    def __init__(self, store: SiteStore, config: CrawlConfig, clock: Clock, *, was_killed: bool) -> None:
        self._store = store
        self._config = config
        self._clock = clock
        self._killed_until = clock.steady() + Pace(config.start_delay_seconds).gap(config) if was_killed else 0.0

    def restore(self, origin: str) -> Restored | None:
        """What is known of an origin, None for an unknown one."""
        row = self._store.load_host(origin)
        config = self._config
        if row is None:
            pace = Pace(0.0 if config.no_delay else config.start_delay_seconds)
            pace.not_before = self._killed_until
            return Restored(pace) if self._killed_until else None
        now, wall = self._clock.steady(), self._clock.now().timestamp()
        pace = Pace(0.0 if config.no_delay else row.delay, row.crawl_delay, failures=row.failures)
        pace.not_before = now + min(max(row.not_before - wall, 0.0), config.max_retry_after_seconds)
        if now < self._killed_until:
            pace.not_before = max(pace.not_before, now + pace.gap(config))
        rules = None
        if row.robots_state is not None and row.robots_state != RobotsState.UNREACHABLE:
            rules = RobotsRules.restored(RobotsState(row.robots_state), row.robots_reason or "", row.robots_text or "")
        mining = None if row.mining_text is None else Reservations.restored(row.mining_text)
        return Restored(pace, rules, row.robots_at or 0.0, mining, row.mining_at or 0.0)

    def remember(self, origin: str, pace: Pace, rules: OriginRules) -> None:
        """Write an origin down."""
        found = rules.rules
        self._store.put_host(
            HostRow(
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
        )
