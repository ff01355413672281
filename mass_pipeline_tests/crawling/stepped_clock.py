"""A clock for tests of pauses: they are as long as in production, are judged to the moment, and take no time."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

START = datetime(2026, 11, 20, 3, tzinfo=UTC)


class SteppedClock:
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
