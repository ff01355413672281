"""The Celery run launcher with a health check that notices lost workers, and a broker whose absence loses no run.

What dagster-celery 0.29 leaves out, each an answer to a failure that was seen: a redelivered task is turned away as a duplicate
and ends well while its run stays started for ever; a result backend that forgot makes healthy runs fail; a broker that is away
for a moment drops runs from the queue, and their retries too.
"""

from __future__ import annotations

from dagster import DagsterRun
from dagster._core.errors import DagsterUserCodeUnreachableError
from dagster._core.launcher import CheckRunHealthResult, LaunchRunContext, WorkerStatus
from dagster_celery.launcher import CeleryRunLauncher
from dagster_celery.tags import DAGSTER_CELERY_TASK_ID_TAG
from kombu.exceptions import OperationalError


class GuardedCeleryRunLauncher(CeleryRunLauncher):
    """One Celery task per run. A worker that was lost is noticed when its task is delivered again."""

    def launch_run(self, context: LaunchRunContext) -> None:
        """Put the run's task into the broker's queue.

        Raises:
            DagsterUserCodeUnreachableError: the broker does not answer; the one error that Dagster's queue takes for passing, so
                the run goes back to the queue instead of being dropped as failed.
        """
        try:
            super().launch_run(context)
        except (OperationalError, OSError) as error:
            raise DagsterUserCodeUnreachableError(f"The broker cannot be reached: {error}") from error

    @property
    def supports_resume_run(self) -> bool:
        """No: resuming raises TypeError in the library. A new run takes over instead."""
        return False

    def check_run_worker_health(self, run: DagsterRun) -> CheckRunHealthResult:
        """Whether the worker of a run that has not ended still works on it; asked for such runs only."""
        if DAGSTER_CELERY_TASK_ID_TAG not in run.tags:  # its launch is under way
            return CheckRunHealthResult(WorkerStatus.RUNNING)
        try:
            found: CheckRunHealthResult = super().check_run_worker_health(run)
        except Exception as error:  # the results cannot be asked: nobody knows; max_runtime_seconds is the last guard
            return CheckRunHealthResult(WorkerStatus.RUNNING, f"The results cannot be asked: {error}")
        if found.status is WorkerStatus.SUCCESS:
            return CheckRunHealthResult(WorkerStatus.FAILED, "The task has ended, the run has not: its worker was lost.")
        if found.status is WorkerStatus.UNKNOWN:  # it waits in the queue (again), or the results were wiped
            return CheckRunHealthResult(WorkerStatus.RUNNING, found.msg)
        return found
