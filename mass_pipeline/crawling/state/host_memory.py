"""Pace, robots.txt and reservations of hosts over restarts: the one memory of crawl, watch and link collection.

Belongs here: what the downloader holds of an origin as a row of a state file, and back. Not here: the table (`schema`), which
file, and when; single pages (`fetching.http_client`) are remembered while their client is open, and not beyond.
"""

from __future__ import annotations

from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.host_memory import OriginRules
from mass_pipeline.crawling.fetching.politeness import Pace
from mass_pipeline.crawling.fetching.reservations import TdmReservations
from mass_pipeline.crawling.fetching.robots import RobotsRules, RobotsState
from mass_pipeline.crawling.state.database import HostRow, StateDatabase


class StoredHosts:
    """Hosts as the state file has them.

    Args:
        state: where they are kept.
        was_killed: the last run may have asked any host a moment ago, and nobody wrote it down.
        forgets: hosts are given up between turns and restored again and again, so that only the gap after a kill is left whole;
            else each is restored once in a run, and its whole gap is left first.
    """

    def __init__(
        self,
        state: StateDatabase,
        config: CrawlConfig,
        clock: Clock,
        *,
        was_killed: bool,
        forgets: bool = False,
    ) -> None:
        self._state, self._config, self._clock = state, config, clock
        self._was_killed = was_killed
        self._leaves_gap_until = clock.steady() + Pace(config.start_delay_seconds).gap(config) if forgets else None

    def restored(self, origin: str) -> tuple[Pace, OriginRules] | None:
        """How an origin stood, None for one that is not known and may be asked at once."""
        row = self._state.load_host(origin)
        in_time = self._leaves_gap_until is None or self._clock.steady() < self._leaves_gap_until
        if row is None and not (self._was_killed and in_time):
            return None
        leave_gap = in_time if self._leaves_gap_until is None else self._was_killed and in_time
        return _restored(row or _unknown(origin, self._config), self._config, self._clock, leave_gap=leave_gap)

    def changed(self, origin: str, pace: Pace, rules: OriginRules) -> None:
        """Write down how an origin stands now."""
        found, clock = rules.rules, self._clock
        self._state.put_host(
            HostRow(
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
        )

    async def written(self) -> None:
        """See `HostMemory`: whatever is asked next, no answer had before is asked for again (J3)."""
        await self._state.written()


def _unknown(origin: str, config: CrawlConfig) -> HostRow:
    """The row of an origin nobody wrote down."""
    return HostRow(origin, None, None, None, None, config.start_delay_seconds, 0.0, 0.0, 0)


def _restored(row: HostRow, config: CrawlConfig, clock: Clock, *, leave_gap: bool) -> tuple[Pace, OriginRules]:
    """How an origin stood when its row was written.

    Rules that could not be had are asked for anew. A pause is no longer than what the host asked for, or its own gap: the
    wall clock may have been wrong when the row was written, or be wrong now, and our own back-off ends with the run.

    Args:
        row: as `changed` wrote it; moments are wall-clock seconds.
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
    rules = OriginRules()
    if row.robots_state is not None and row.robots_state != RobotsState.UNREACHABLE:
        rules.rules = RobotsRules.restored(RobotsState(row.robots_state), row.robots_reason or "", row.robots_text or "")
        rules.fetched_at = row.robots_at or 0.0
    if row.mining_text is not None:
        rules.mining, rules.mining_at = TdmReservations.restored(row.mining_text), row.mining_at or 0.0
    return pace, rules
