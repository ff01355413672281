"""Settings of published schedules: how sure a row is, and how long it counts as fresh (section `freshness`)."""

from __future__ import annotations

from dataclasses import dataclass

from mass_pipeline.model.settings import setting


@dataclass(frozen=True, slots=True)
class FreshnessConfig:
    """How sure a row must be, and ages since a page was last confirmed: fetched, or found unchanged."""

    publish_from: float = setting(
        0.7,
        "Least probability with which a row is published; less sure ones wait for a person. The fitted threshold, or above it",
        source="docs/confidence.md",
        minimum=0.7,
        maximum=1.0,
    )
    fresh_days: float = 14.0  # Up to this age a published order is fresh, beyond it aging
    stale_days: float = setting(
        60.0,
        "Beyond this age a published order is stale; a page that fails for longer gives way to pages of its site that answer",
        unit="days",
        minimum=0,
    )
