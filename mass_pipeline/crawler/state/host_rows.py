"""Hosts over restarts: what the downloader holds of an origin as a row of a state file, and back.

Every crawl that keeps a state (pages, external links, watched lists) converts here. Not here: which file, and when.
"""

from __future__ import annotations

from mass_pipeline.crawler.fetching.clock import Clock
from mass_pipeline.crawler.fetching.config import CrawlConfig
from mass_pipeline.crawler.fetching.host_memory import OriginRules, Restored
from mass_pipeline.crawler.fetching.politeness import Pace
from mass_pipeline.crawler.fetching.reservations import Reservations
from mass_pipeline.crawler.fetching.robots import RobotsRules, RobotsState
from mass_pipeline.crawler.state.tables import HostRow


def unknown_host(origin: str, config: CrawlConfig) -> HostRow:
    """The row of an origin nobody wrote down."""
    return HostRow(origin, None, None, None, None, config.start_delay_seconds, 0.0, 0.0, 0)


def restored_host(row: HostRow, config: CrawlConfig, clock: Clock, *, leave_gap: bool) -> Restored:
    """How an origin stood when its row was written.

    Rules that could not be had are asked for anew. A pause is no longer than what the host asked for, or its own gap: the
    wall clock may have been wrong when the row was written, or be wrong now, and our own back-off ends with the run.

    Args:
        row: as `host_row` gave it; moments are wall-clock seconds.
        leave_gap: wait for the host's gap from now on in any case. A killed run wrote down no last request, and the wall
            clock may have jumped since (hazards D1, D12).
    """
    now, wall = clock.steady(), clock.now().timestamp()
    pace = Pace(0.0 if config.no_delay else row.delay, row.crawl_delay, failures=row.failures)
    longest = config.max_retry_after_seconds if row.asked is None else max(row.asked, pace.gap(config))
    wait = min(max(row.not_before - wall, 0.0), longest)
    pace.not_before = now + wait
    pace.asked_until = now + min(wait, row.asked or 0.0)
    if leave_gap:
        pace.not_before = max(pace.not_before, now + pace.gap(config))
    rules = None
    if row.robots_state is not None and row.robots_state != RobotsState.UNREACHABLE:
        rules = RobotsRules.restored(RobotsState(row.robots_state), row.robots_reason or "", row.robots_text or "")
    mining = None if row.mining_text is None else Reservations.restored(row.mining_text)
    return Restored(pace, rules, row.robots_at or 0.0, mining, row.mining_at or 0.0)


def host_row(origin: str, pace: Pace, rules: OriginRules, clock: Clock) -> HostRow:
    """An origin as it stands now, for the state file."""
    found = rules.rules
    return HostRow(
        origin,
        found.state.value if found else None,
        found.reason if found else None,
        found.text if found else None,
        rules.fetched_at or None,
        pace.delay,
        pace.crawl_delay,
        clock.now().timestamp() + max(pace.not_before - clock.steady(), 0.0),
        pace.failures,
        rules.mining.text if rules.mining else None,
        rules.mining_at or None,
        max(pace.asked_until - clock.steady(), 0.0),
    )
