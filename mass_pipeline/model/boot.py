"""Time since this machine started, which nobody can set, and the name of that start."""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path
from typing import Final

_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")


def seconds_since_boot() -> float:
    """Seconds since the machine started, its sleep included; the same for every process of it."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


@cache
def boot_name() -> str:
    """Name of this start of the machine, "" where the system gives none."""
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return ""


def system_stopwatch() -> tuple[str, float]:
    """Name of this boot and seconds since it; an empty name where the system gives none (then only the clock counts)."""
    return boot_name(), seconds_since_boot()
