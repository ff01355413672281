"""Time as an argument: wall clock for what is stored, steady clock for waiting."""

from __future__ import annotations

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


class SystemClock:
    """The machine's clocks."""

    def now(self) -> datetime:
        """See `Clock.now`."""
        return datetime.now(UTC)

    def steady(self) -> float:
        """See `Clock.steady`."""
        return time.monotonic()
