"""When an asset is made anew by itself, whatever started that (crawl, backfill, single run), and from which age it is overdue.

Belongs here: the kinds of conditions and of ages. An asset names what it follows itself; one without a condition is made by
schedules, other sensors and people alone. Evaluated by the sensor `follow_up`; requirement rows P10, P17, V12. Dagster judges the
age of an asset by its newest partition alone; the check `no_diocese_overdue` names the overdue dioceses.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

import dagster as dg
from dagster import AutomationCondition as When

from mass_pipeline.resources.operation import OperationConfig

_TIMEZONE: Final = OperationConfig().timezone
_TRIED_AGAIN: Final = "30 6 * * *"  # what failed gets one more try a day, after the quiet hours


def _overdue_after(days: float) -> dg.FreshnessPolicy:
    return dg.FreshnessPolicy.time_window(fail_window=timedelta(days), warn_window=timedelta(days) * 0.9)


WEEKLY: Final = _overdue_after(OperationConfig().overdue_days)
DAILY: Final = _overdue_after(OperationConfig().overdue_daily_days)


def tag_of(asset: str) -> str:
    """The tag of runs of a job that makes an asset.

    Of the updates that come between two looks at the conditions, Dagster finds the run of the last one alone.
    """
    return f".dagster/makes/{asset}"  # what begins so, the UI does not show


def follow(name: str, follows: Sequence[str], *, needs: Sequence[str] = (), after: Sequence[str] = ()) -> When[dg.AssetKey]:
    """Made when one of `follows` was updated, when it is missing, and once a day when its last run failed.

    Args:
        name: of the asset.
        follows: assets whose update counts; the run that made them may make this one too, and then nothing is asked for.
        needs: assets that must be there; `follows` when not given.
        after: assets that it is never made in one run with.
    """
    failed = When.execution_failed() & When.cron_tick_passed(_TRIED_AGAIN, _TIMEZONE)
    # What a crawl has made meanwhile is missing no longer: without the second word it was made again after the first crawl.
    missing = _until_requested(When.newly_missing()) & When.missing()
    asked = missing | _until_requested(_updated_without(name, follows) | failed)
    here = ~When.any_deps_missing().allow(_selection(needs or follows))
    condition = asked & here & ~When.any_deps_in_progress() & ~When.in_progress() & _no_gate_closed()
    label = f"follows {', '.join(follows)}"
    if not after:
        return condition.with_label(label)
    return (condition & ~When.any_deps_match(When.will_be_requested()).allow(_selection(after))).with_label(label)


def at_ticks(ticks: str, follows: Sequence[str], *, needs: Sequence[str], always: str = "") -> When[dg.AssetKey]:
    """Made at the ticks of a cron line when some of `follows` were updated meanwhile.

    For what is put together from all dioceses: it waits for none of them, and many updates in a row cost one run.

    Args:
        ticks: cron line, in the zone of the parishes.
        follows: assets of which any partition's update counts.
        needs: whole tables that must be there.
        always: cron line at which it is made without an update.
    """
    updated = _until_requested(When.any_deps_updated().allow(_selection(follows)))
    after_updates = (updated | When.execution_failed()) & When.cron_tick_passed(ticks, _TIMEZONE)
    asked = after_updates | When.cron_tick_passed(always, _TIMEZONE) if always else after_updates
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
