"""Clocks for tests: of pauses, which are as long as in production and take no time; and ahead of the machine."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from mass_pipeline.crawling.fetching.clock import Clock

START = datetime(2026, 11, 20, 3, tzinfo=UTC)


class SteppedClock(Clock):
    """Time that passes only where somebody waits for it; for one host at a time."""

    def __init__(self) -> None:
        self._seconds = 1000.0

    def now(self) -> datetime:
        """See `Clock.now`."""
        return START + timedelta(seconds=self._seconds)

    def steady(self) -> float:
        """See `Clock.steady`."""
        return self._seconds

    async def sleep(self, seconds: float) -> None:
        """The seconds have passed when others of the event loop have had their turn."""
        await asyncio.sleep(0)
        self._seconds += max(seconds, 0.0)


class Ahead(Clock):
    """The machine's clock, some time ahead."""

    def __init__(self, ahead: timedelta) -> None:
        self._ahead = ahead

    def now(self) -> datetime:
        """See `Clock.now`."""
        return datetime.now(UTC) + self._ahead
