"""When an asset is made anew by itself, whatever started that (crawl, backfill, single run), and from which age it is overdue.

Belongs here: which updates each asset follows, what it waits for, what holds it back. What starts by the clock or by the world
outside: `schedules`, `sensors`. Evaluated by the sensor `follow_up`; requirement rows P10, P17, V12. Dagster judges the age of an
asset by its newest partition alone; the check `no_diocese_overdue` says which dioceses are overdue.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

import dagster as dg
from dagster import AutomationCondition as When

from mass_pipeline.defs.automation.jobs import tag_of
from mass_pipeline.model.columns import TABLES
from mass_pipeline.resources.operation import OperationConfig

_MIDNIGHT: Final = "0 0 * * *"
_AFTER_MIDNIGHT: Final = "10 0 * * *"  # the horizon of the public index moves on
_NOON: Final = "0 12 * * *"
_TEN_MINUTES: Final = "*/10 * * * *"  # publications of many dioceses come one after the other: one index for them
_TRIED_AGAIN: Final = "30 6 * * *"  # what failed gets one more try a day, after the quiet hours


def conditions(timezone: str) -> Mapping[str, When[dg.AssetKey]]:
    """Asset -> its condition; assets without one are made by schedules, other sensors and people alone.

    Args:
        timezone: of the ticks, such as Europe/Warsaw.
    """
    return {
        "candidate_hours": _follow("candidate_hours", timezone, ["crawled_pages"]),
        "announcements": _follow("announcements", timezone, ["crawled_pages"]),  # a poll asks nobody before a look is due
        "external_links": _follow("external_links", timezone, ["crawled_pages"]),
        "hours_classifier": _follow("hours_classifier", timezone, ["annotated_set"]),
        "mass_schedules": _follow(
            "mass_schedules",
            timezone,
            ["crawled_pages", "announcements", "hours_classifier", "approvals"],
            needs=["crawled_pages", "parishes", "hours_classifier"],
            # In a run of its own: a poll that fails must not take the publication of what was read with it.
            after=["announcements"],
        ),
        "confession_hours": _follow("confession_hours", timezone, ["crawled_pages"], needs=["crawled_pages", "parishes"]),
        "parish_states": _follow(
            "parish_states", timezone, ["mass_schedules"], needs=["mass_schedules", "crawled_pages", "parishes", "parish_urls"]
        ),
        "companion_sites": _at_ticks(timezone, _NOON, ["external_links"], needs=["parish_urls"]),
        "parish_positions": _at_ticks(
            timezone, _MIDNIGHT, ["parishes", "crawled_pages", "gazetteer", "osm_extract"], needs=["parishes"]
        ),
        "public_index": _at_ticks(
            timezone,
            _TEN_MINUTES,
            ["mass_schedules", "confession_hours", "parish_states", "parish_positions", "parishes", "parish_urls"],
            needs=["parishes", "parish_urls"],
            always=_AFTER_MIDNIGHT,
        ),
    }


def with_conditions(assets: Sequence[dg.AssetsDefinition], timezone: str) -> list[dg.AssetsDefinition]:
    """The assets with their conditions."""
    known = conditions(timezone)
    return [
        asset.with_attributes(automation_condition=known[name]) if (name := asset.key.path[-1]) in known else asset
        for asset in assets
    ]


def _follow(
    name: str, timezone: str, follows: Sequence[str], *, needs: Sequence[str] = (), after: Sequence[str] = ()
) -> When[dg.AssetKey]:
    """Made when one of `follows` was updated, when it is missing, and once a day when its last run failed.

    Args:
        name: of the asset.
        timezone: of the daily try.
        follows: assets whose update counts; the run that made them may make this one too, and then nothing is asked for.
        needs: assets that must be there; `follows` when not given.
        after: assets that it is never made in one run with.
    """
    failed = When.execution_failed() & When.cron_tick_passed(_TRIED_AGAIN, timezone)
    # What a crawl has made meanwhile is missing no longer: without the second word it was made again after the first crawl.
    missing = _until_requested(When.newly_missing()) & When.missing()
    asked = missing | _until_requested(_updated_without(name, follows) | failed)
    here = ~When.any_deps_missing().allow(_selection(needs or follows))
    condition = asked & here & ~When.any_deps_in_progress() & ~When.in_progress() & _no_gate_closed()
    label = f"follows {', '.join(follows)}"
    if not after:
        return condition.with_label(label)
    return (condition & ~When.any_deps_match(When.will_be_requested()).allow(_selection(after))).with_label(label)


def _at_ticks(timezone: str, ticks: str, follows: Sequence[str], *, needs: Sequence[str], always: str = "") -> When[dg.AssetKey]:
    """Made at the ticks of a cron line when some of `follows` were updated meanwhile.

    For what is put together from all dioceses: it waits for none of them, and many updates in a row cost one run.

    Args:
        timezone: of the ticks.
        ticks: cron line.
        follows: assets of which any partition's update counts.
        needs: whole tables that must be there.
        always: cron line at which it is made without an update.
    """
    updated = _until_requested(When.any_deps_updated().allow(_selection(follows)))
    after_updates = (updated | When.execution_failed()) & When.cron_tick_passed(ticks, timezone)
    asked = after_updates | When.cron_tick_passed(always, timezone) if always else after_updates
    here = ~When.any_deps_missing().allow(_selection(needs))
    # A tick that finds it in the making is not lost: it counts until it was requested.
    condition = _until_requested(asked) & here & ~When.in_progress() & _no_gate_closed()
    return condition.with_label(f"follows {', '.join(follows)} at {ticks}")


def _updated_without(name: str, follows: Sequence[str]) -> When[Any]:
    """Whether any of `follows` was updated by a run that does not make the asset itself, or is asked for now."""
    made_too = When.executed_with_root_target() | When.all_new_updates_have_run_tags(tag_keys={tag_of(name)})
    updated = (When.newly_updated() & ~made_too) | When.will_be_requested()
    return When.any_deps_match(updated).allow(_selection(follows))


def _until_requested(asked: When[Any]) -> When[dg.AssetKey]:
    """Whether it was asked for and not requested since.

    An update in the very tick after a request, or while the run goes on, stays: Dagster's own conditions lose it, because
    there the request, and the update that the run ends with, put out what came meanwhile.
    """
    return asked.since(When.newly_requested() & ~asked)


def _no_gate_closed() -> When[Any]:
    """No blocking check of what it rests on has failed last."""
    failed = When.any_checks_match(When.check_failed(), blocking_only=True)
    return ~When.any_deps_match(failed)


def _selection(names: Sequence[str]) -> dg.AssetSelection:
    return dg.AssetSelection.assets(*names)


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
