"""Pace and robots.txt of hosts over restarts: what the downloader is given back and what it hands over."""

from __future__ import annotations

from mass_pipeline.crawler.fetching.clock import Clock
from mass_pipeline.crawler.fetching.config import CrawlConfig
from mass_pipeline.crawler.fetching.host_memory import OriginRules, Restored
from mass_pipeline.crawler.fetching.politeness import Pace
from mass_pipeline.crawler.state.host_rows import host_row, restored_host, unknown_host
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
        just_killed = self._clock.steady() < self._killed_until
        if row is None and not just_killed:
            return None
        return restored_host(row or unknown_host(origin, self._config), self._config, self._clock, leave_gap=just_killed)

    def remember(self, origin: str, pace: Pace, rules: OriginRules) -> None:
        """Write an origin down."""
        self._store.put_host(host_row(origin, pace, rules, self._clock))
