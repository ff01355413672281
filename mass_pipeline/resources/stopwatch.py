"""Time since this machine started, which nobody can set: the second clock of the quota ledger."""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path
from typing import Final

_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")


def system_stopwatch() -> tuple[str, float]:
    """Name of this boot and seconds since it; an empty name where the system gives none (then only the clock counts)."""
    return _boot_id(), time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


@cache
def _boot_id() -> str:
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return ""
