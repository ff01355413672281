"""Pace, robots.txt and reservations of hosts over restarts: what the downloader is given back and what it hands over."""

from __future__ import annotations

from collections.abc import Callable

from mass_pipeline.crawler.fetching.clock import Clock
from mass_pipeline.crawler.fetching.config import CrawlConfig
from mass_pipeline.crawler.fetching.host_memory import OriginRules, Restored
from mass_pipeline.crawler.fetching.politeness import Pace
from mass_pipeline.crawler.state.host_rows import HostRow, host_row, restored_host, unknown_host


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
        row = self._load(origin)
        if row is None and not self._was_killed:
            return None
        return restored_host(row or unknown_host(origin, self._config), self._config, self._clock, leave_gap=True)

    def changed(self, origin: str, pace: Pace, rules: OriginRules) -> None:
        """An origin stands differently now."""
        self._changed[origin] = host_row(origin, pace, rules, self._clock)
