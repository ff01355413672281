"""A run that failed without a fault of its own and was never tried again.

The daemon asks for a retry once and may not get to it; and a step that cannot write down what it did, because the database goes
away between two of its statements, passes for one whose work failed.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

import dagster as dg

ASKED_AGAIN: Final = "mass_pipeline/asked_again"  # how often, on the run that failed
MOST: Final = 3
YOUNGEST: Final = timedelta(minutes=2)  # until then the daemon may still be at it
OLDEST: Final = timedelta(days=1)


@dg.sensor(
    minimum_interval_seconds=120,
    description="Asks again for the retry of a failed run that should have one and has none (the database was away).",
)
def lost_runs(context: dg.SensorEvaluationContext) -> dg.SkipReason:
    """Tells the daemon once more of failed runs whose retry was lost."""
    found = list(lost(context.instance, datetime.now(UTC)))
    for run in found:
        ask_again(context.instance, run)
    return dg.SkipReason(f"Asked again for {len(found)} runs." if found else "No retry is missing.")


def lost(instance: dg.DagsterInstance, now: datetime) -> Iterator[dg.DagsterRun]:
    """Failed runs of the last day that nothing but the engine failed, that may have another retry, and that have none."""
    failed = dg.RunsFilter(statuses=[dg.DagsterRunStatus.FAILURE], updated_after=now - OLDEST, updated_before=now - YOUNGEST)
    for run in instance.get_runs(failed):
        if int(run.tags.get(ASKED_AGAIN, "0")) < MOST and _should_be_retried(instance, run) and not _followed(instance, run):
            yield run


def ask_again(instance: dg.DagsterInstance, run: dg.DagsterRun) -> None:
    """Report the failure anew: the daemon that retries goes by the events of failures, each of which it looks at once.

    All steps are done again: a run whose work was done, and whose success alone could not be written down, has no other to retry,
    and the daemon then makes no run at all.
    """
    from mass_pipeline.dagster_internals import RETRY_ON_ASSET_OR_OP_FAILURE_TAG, RETRY_STRATEGY_TAG, ReexecutionStrategy

    asked = str(int(run.tags.get(ASKED_AGAIN, "0")) + 1)
    retry = {RETRY_STRATEGY_TAG: ReexecutionStrategy.ALL_STEPS.name, RETRY_ON_ASSET_OR_OP_FAILURE_TAG: "true"}
    instance.add_run_tags(run.run_id, {ASKED_AGAIN: asked, **retry})
    instance.report_run_failed(run, "It failed, and its retry was never begun: asked for again.")


def _should_be_retried(instance: dg.DagsterInstance, run: dg.DagsterRun) -> bool:
    from mass_pipeline.dagster_internals import RUN_FAILURE_REASON_TAG, RunFailureReason, auto_reexecution_should_retry_run

    if run.tags.get(RUN_FAILURE_REASON_TAG) == RunFailureReason.STEP_FAILURE.value and not _failed_in_the_engine(instance, run):
        return False
    return bool(auto_reexecution_should_retry_run(instance, run, None))  # counts the retries that were


def _failed_in_the_engine(instance: dg.DagsterInstance, run: dg.DagsterRun) -> bool:
    """Whether every step that failed did so outside of the project's code."""
    from mass_pipeline.dagster_internals import ErrorSource

    failures = instance.all_logs(run.run_id, of_type=dg.DagsterEventType.STEP_FAILURE)
    sources = {entry.get_dagster_event().step_failure_data.error_source for entry in failures}
    return sources == {ErrorSource.UNEXPECTED_ERROR}  # a `dg.Failure` of an asset counts as one of the framework there


def _followed(instance: dg.DagsterInstance, run: dg.DagsterRun) -> bool:
    """Whether a run came of it, or one of its kin is under way or has succeeded."""
    group = instance.get_run_group(run.run_id)
    kin = list(group[1]) if group is not None else [run]
    return any(one.parent_run_id == run.run_id or one.status is dg.DagsterRunStatus.SUCCESS or not one.is_finished for one in kin)
