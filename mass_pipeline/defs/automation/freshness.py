"""How old a table may grow before the UI and the check `no_diocese_overdue` call it overdue.

Dagster judges an asset by its newest partition alone; `checks.overdue` says which dioceses are overdue.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import dagster as dg

from mass_pipeline.model.columns import TABLES
from mass_pipeline.resources.operation import OperationConfig


def with_freshness(assets: Sequence[dg.AssetsDefinition], operation: OperationConfig) -> list[dg.AssetsDefinition]:
    """The assets with a freshness policy where one is due: those of the week, and those of the day."""
    policies = {
        "weekly": _policy(timedelta(operation.overdue_days)),
        "daily": _policy(timedelta(operation.overdue_daily_days)),
    }
    rhythms = {"public_index": "daily", **{table.name: table.rhythm for table in TABLES.values()}}

    def fresh(asset: dg.AssetsDefinition) -> dg.AssetsDefinition:
        policy = policies.get(rhythms.get(asset.key.path[-1]) or "")
        return asset if policy is None else asset.map_asset_specs(lambda spec: spec.replace_attributes(freshness_policy=policy))

    return [fresh(asset) for asset in assets]


def _policy(fail: timedelta) -> dg.FreshnessPolicy:
    return dg.FreshnessPolicy.time_window(fail_window=fail, warn_window=fail * 0.9)
