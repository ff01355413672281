"""The queue of runs: each run of one diocese gets the tag that the limits of the instance go by, whoever asked for the run."""

from __future__ import annotations

from dagster import DagsterRun, SubmitRunContext
from dagster import QueuedRunCoordinator as Queue

from mass_pipeline.defs.partitions import DIOCESE_TAG, range_of


class DioceseRunCoordinator(Queue):
    """Dagster's queue; takes the same settings.

    Two runs of one diocese at once would refuse each other at its state. Runs over several dioceses are not held back by it.
    """

    def submit_run(self, context: SubmitRunContext) -> DagsterRun:
        """Tag the run, and let it wait for its turn."""
        ends = range_of(context.dagster_run.tags)
        if ends is not None and ends[0] == ends[1]:
            self._instance.add_run_tags(context.dagster_run.run_id, {DIOCESE_TAG: ends[0]})
        return super().submit_run(context)
