"""Settings of published schedules: how long what was read counts as fresh (section `freshness`)."""

from __future__ import annotations

from dataclasses import dataclass

from mass_pipeline.model.settings import setting


@dataclass(frozen=True, slots=True)
class FreshnessConfig:
    """Ages since a page was last confirmed: fetched, or found unchanged."""

    fresh_days: float = setting(14.0, "Up to this age a published order is fresh, beyond it aging", unit="days", minimum=0)
    stale_days: float = setting(
        60.0,
        "Beyond this age a published order is stale; a page that fails for longer gives way to pages of its site that answer",
        unit="days",
        minimum=0,
    )
