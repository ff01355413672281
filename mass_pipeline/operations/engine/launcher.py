"""The Celery run launcher with a health check that notices lost workers; the absence of broker or database loses no run.

What dagster-celery 0.29 leaves out, each an answer to a failure that was seen: a redelivered task is turned away as a duplicate
and ends well while its run stays started for ever; a result backend that forgot makes healthy runs fail; a broker or a database
that is away for a moment drops runs from the queue, and their retries too.
"""

from __future__ import annotations

import logging
import uuid
from typing import Any, Final

import sqlalchemy as sa
from dagster import DagsterRun
from dagster_celery.launcher import CeleryRunLauncher, _get_run_priority
from dagster_celery.tags import DAGSTER_CELERY_QUEUE_TAG, DAGSTER_CELERY_TASK_ID_TAG
from dagster_postgres.utils import DagsterPostgresException
from kombu.exceptions import OperationalError

from mass_pipeline.dagster_internals import CheckRunHealthResult, DagsterUserCodeUnreachableError, LaunchRunContext, WorkerStatus

PASSING: Final = (OperationalError, OSError, sa.exc.DBAPIError, DagsterPostgresException)  # of broker and database
_log = logging.getLogger(__name__)


class GuardedCeleryRunLauncher(CeleryRunLauncher):
    """One Celery task per run. A worker that was lost is noticed when its task is delivered again."""

    def launch_run(self, context: LaunchRunContext) -> None:
        """Put the run's task into the broker's queue.

        Raises:
            DagsterUserCodeUnreachableError: broker or database do not answer; the one error that Dagster's queue takes for
                passing, so the run goes back to the queue instead of being dropped as failed.
        """
        try:
            super().launch_run(context)
        except PASSING as error:
            raise DagsterUserCodeUnreachableError(f"Broker or database cannot be reached: {error}") from error

    def _launch_celery_task_run(self, run: DagsterRun, task_signature: Any, routing_key: str) -> None:
        """The run knows its task before the broker has it: whatever fails, no task is on its way that nobody knows of.

        A run that goes back to the queue would otherwise be sent twice, and the second task would pass for the run's.
        """
        task = str(uuid.uuid4())
        self._instance.add_run_tags(run.run_id, {DAGSTER_CELERY_TASK_ID_TAG: task})
        queue = run.tags.get(DAGSTER_CELERY_QUEUE_TAG, self.default_queue)
        priority = _get_run_priority(run)
        task_signature.apply_async(task_id=task, priority=priority, queue=queue, routing_key=f"{queue}.{routing_key}")
        try:
            self._instance.report_engine_event(f"Sent to the queue {queue!r} as task {task}.", run, cls=self.__class__)
        except PASSING:  # it is on its way all the same
            _log.warning("Run %s was sent as task %s; its event could not be written.", run.run_id, task)

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
