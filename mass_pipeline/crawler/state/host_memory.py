"""Pace, robots.txt and reservations of hosts over restarts: the one memory of crawl, watch and link collection.

Belongs here: what the downloader is given back and what it hands over. Not here: the rows (host_rows), their table (the stores);
single pages (`fetching.http_client`) are remembered while their client is open, and not beyond.
"""

from __future__ import annotations

from collections.abc import Callable

from mass_pipeline.crawler.fetching.clock import Clock
from mass_pipeline.crawler.fetching.config import CrawlConfig
from mass_pipeline.crawler.fetching.host_memory import OriginRules, Restored
from mass_pipeline.crawler.fetching.politeness import Pace
from mass_pipeline.crawler.state.host_rows import host_row, restored_host, unknown_host
from mass_pipeline.crawler.state.tables import HostRow


class StoredHosts:
    """Hosts as the state file has them.

    Args:
        load, put: one origin out of the state file, and into it.
        was_killed: the last run may have asked any host a moment ago, and nobody wrote it down.
        forgets: hosts are given up between turns and restored again and again, so that only the gap after a kill is left whole;
            else each is restored once in a run, and its whole gap is left first.
    """

    def __init__(
        self,
        load: Callable[[str], HostRow | None],
        put: Callable[[HostRow], None],
        config: CrawlConfig,
        clock: Clock,
        *,
        was_killed: bool,
        forgets: bool = False,
    ) -> None:
        self._load, self._put = load, put
        self._config, self._clock = config, clock
        self._was_killed = was_killed
        self._leaves_gap_until = clock.steady() + Pace(config.start_delay_seconds).gap(config) if forgets else None

    def restored(self, origin: str) -> Restored | None:
        """How an origin stood, None for one that is not known and may be asked at once."""
        row = self._load(origin)
        in_time = self._leaves_gap_until is None or self._clock.steady() < self._leaves_gap_until
        if row is None and not (self._was_killed and in_time):
            return None
        leave_gap = in_time if self._leaves_gap_until is None else self._was_killed and in_time
        return restored_host(row or unknown_host(origin, self._config), self._config, self._clock, leave_gap=leave_gap)

    def changed(self, origin: str, pace: Pace, rules: OriginRules) -> None:
        """Write down how an origin stands now."""
        self._put(host_row(origin, pace, rules, self._clock))
