"""Time as an argument: wall clock for what is stored, steady clock for what is measured, and waiting by it."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Both clocks of a crawl."""

    def now(self) -> datetime:
        """Aware UTC wall time."""
        ...

    def steady(self) -> float:
        """Seconds that never jump."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Let so many seconds of the steady clock pass; others of the event loop go on."""
        ...


class SystemClock:
    """The machine's clocks."""

    def now(self) -> datetime:
        """See `Clock.now`."""
        return datetime.now(UTC)

    def steady(self) -> float:
        """See `Clock.steady`."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """See `Clock.sleep`."""
        await asyncio.sleep(seconds)
