"""Time since this machine started, which nobody can set: the second clock of the quota ledger."""

from __future__ import annotations

from mass_pipeline.model.boot import boot_name, seconds_since_boot


def system_stopwatch() -> tuple[str, float]:
    """Name of this boot and seconds since it; an empty name where the system gives none (then only the clock counts)."""
    return boot_name(), seconds_since_boot()
