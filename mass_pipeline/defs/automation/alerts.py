"""When an operator is told: a run or a check failed, a table is overdue, units are used up, parishes were lost.

Three sensors look; `resources.alerts` tells, and tells nothing twice. Off until switched on, like everything that runs by itself.
Without postponed annotations: Dagster looks at the types of the resources itself.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import dagster as dg

from mass_pipeline.defs.partitions import range_of
from mass_pipeline.model.columns import ANNOUNCEMENTS, CRAWLED_PAGES, MASS_SCHEDULES, PARISHES
from mass_pipeline.model.table import Table
from mass_pipeline.publishing.promises.tables import overdue
from mass_pipeline.resources.alerts import Alert, Alerts
from mass_pipeline.resources.lake import Lake
from mass_pipeline.resources.operation import OperationConfig

NOT_SET: Final = "Nobody is told: set MASS_PIPELINE_ALERTS_EMAIL_TO or MASS_PIPELINE_ALERTS_WEBHOOK."
_KINDS: Final = {"no_diocese_overdue": "overdue", "nothing_lost": "parishes_lost", "no_look_up_waits": "quota"}


@dg.run_failure_sensor(description="Tells that a run failed, why, and which checks failed in it.")
def alert_failed_runs(context: dg.RunFailureSensorContext, alerts: dg.ResourceParam[Alerts]) -> dg.SkipReason | None:
    """A run that is tried again by itself is no alert yet."""
    if context.dagster_run.tags.get("dagster/will_retry") == "true":
        return dg.SkipReason("The run is tried again by itself.")
    failures = [_clear_line(event) for event in context.get_step_failure_events()]
    text = " ".join(line for line in failures if line) or context.failure_event.message or "no reason given"
    failed = Alert("run_failed", _name_of(context.dagster_run), f"{text} Run {context.dagster_run.run_id}.")
    return _tell(alerts, [failed, *failed_checks(context.instance, context.dagster_run)])


@dg.run_status_sensor(
    dg.DagsterRunStatus.SUCCESS,
    description="Tells which checks failed in a run that ended well: losses, overdue dioceses, units used up.",
)
def alert_failed_checks(context: dg.RunStatusSensorContext, alerts: dg.ResourceParam[Alerts]) -> dg.SkipReason | None:
    """Blocking or not: what a check says is for a person."""
    return _tell(alerts, failed_checks(context.instance, context.dagster_run))


@dg.sensor(minimum_interval_seconds=3600, description="Tells which dioceses are overdue, also when nothing runs any more.")
def alert_overdue(
    context: dg.SensorEvaluationContext, lake: dg.ResourceParam[Lake], alerts: dg.ResourceParam[Alerts]
) -> dg.SkipReason | None:
    """By the moments of the tables."""
    return _tell(alerts, overdue_now(lake, datetime.now(UTC)))


def failed_checks(instance: dg.DagsterInstance, run: dg.DagsterRun) -> list[Alert]:
    """The checks that a run found failed, with what they say."""
    entries = instance.all_logs(run.run_id, of_type=dg.DagsterEventType.ASSET_CHECK_EVALUATION)
    found = []
    for entry in entries:
        judged = entry.get_dagster_event().asset_check_evaluation_data
        if not judged.passed:
            asset = judged.asset_key.to_user_string()
            kind = _KINDS.get(judged.check_name, "check_failed")
            partition = "" if kind == "overdue" else _partition_of(run)
            found.append(Alert(kind, f"{asset}: {judged.check_name}{partition}", judged.description or "no reason given"))
    return found


def overdue_now(lake: Lake, now: datetime) -> list[Alert]:
    """One alert for each table with dioceses older than their rhythm allows, or that is older itself."""
    weekly, daily = timedelta(OperationConfig().overdue_days), timedelta(OperationConfig().overdue_daily_days)
    longest = {PARISHES: weekly, CRAWLED_PAGES: weekly, MASS_SCHEDULES: weekly, ANNOUNCEMENTS: daily}
    return [alert for table, age in longest.items() if (alert := _overdue_of(lake, table, now, age)) is not None]


def _overdue_of(lake: Lake, table: Table, now: datetime, longest: timedelta) -> Alert | None:
    late = overdue(lake.made_at(table), now, longest)
    if not late:
        return None
    named = ", ".join(f"{key or 'the table'} ({age.days} days)" for key, age in late[:10])
    more = f" and {len(late) - 10} more" if len(late) > 10 else ""
    return Alert("overdue", f"{table.name}: no_diocese_overdue", f"Older than {longest / timedelta(1):g} days: {named}{more}.")


def _tell(alerts: Alerts, found: Sequence[Alert]) -> dg.SkipReason | None:
    if not alerts.channels:
        return dg.SkipReason(NOT_SET)
    if not found:
        return dg.SkipReason("Nothing to tell.")
    taken = alerts.tell(found, datetime.now(UTC))
    return dg.SkipReason(f"{len(found)} causes; {taken} messages sent, the rest was told already or not taken.")


def _name_of(run: dg.DagsterRun) -> str:
    assets = ", ".join(sorted(key.to_user_string() for key in run.asset_selection or ()))
    return (assets if run.job_name.startswith("__") and assets else run.job_name) + _partition_of(run)


def _partition_of(run: dg.DagsterRun) -> str:
    ends = range_of(run.tags)
    return "/" + " to ".join(dict.fromkeys(ends)) if ends else ""


def _clear_line(event: dg.DagsterEvent) -> str:
    """What the UI shows on top: the description of the failure, else the message of its first cause."""
    failure = event.step_failure_data
    if failure.user_failure_data is not None and failure.user_failure_data.description:
        return failure.user_failure_data.description
    error = failure.error
    while error is not None and error.cause is not None:
        error = error.cause
    return error.message if error is not None else ""
