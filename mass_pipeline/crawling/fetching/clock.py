"""Time as an argument: wall clock for what is stored, steady clock for what is measured, and waiting by it."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime


class Clock:
    """Both clocks of the machine; tests and frozen runs have others."""

    def now(self) -> datetime:
        """Aware UTC wall time."""
        return datetime.now(UTC)

    def steady(self) -> float:
        """Seconds that never jump."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Let so many seconds of the steady clock pass; others of the event loop go on."""
        await asyncio.sleep(seconds)
