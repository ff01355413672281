"""The process in which `mass-pipeline run` executes a job: python -m mass_pipeline.cli.foreground HOME JOB [DIOCESE].

What people need goes to standard output, one JSON list of kind and text a line; all that Dagster and libraries print goes to
standard error, the log. SIGUSR1 ends the run as CANCELED, as the UI does. Not here: who starts it, and the log (`run`).
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import threading
import time
import traceback
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Final, TextIO

import dagster as dg

from mass_pipeline.cli.run import Told, open_instance
from mass_pipeline.cli.ui import LOCATION
from mass_pipeline.dagster_internals import (
    SINGLETON_REPOSITORY_NAME,
    ErrorSource,
    ReconstructableRepository,
    RegisteredCodeLocationOrigin,
    RemoteJobOrigin,
    RemoteRepositoryOrigin,
    execute_run_iterator,
)
from mass_pipeline.defs.partitions import DIOCESE_TAG
from mass_pipeline.defs.sources import SOURCES
from mass_pipeline.model.errors import NO_ROOM, MassPipelineError, UsageError, nearest
from mass_pipeline.resources.lake import open_lake
from mass_pipeline.resources.settings import load_settings

_RANGE: Final = "dagster/asset_partition_range_start"
_LEAST_ROOM: Final = 64 * 1024  # bytes
_LONGEST_REASON: Final = 600  # characters: some lines of a terminal


def main() -> None:
    """Entry point. Exit code 0: done; 1: failed or refused, as its last line says; else it was ended."""
    output = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)
    home, job, *diocese = sys.argv[1:]
    try:
        if not execute(Path(home), job, diocese[0] if diocese else None, Lines(output)):
            sys.exit(1)
    except MassPipelineError as error:
        tell(output, "refused" if isinstance(error, UsageError) else "failed", str(error))
        sys.exit(1)
    except Exception as error:  # of Dagster itself: its databases cannot be written, for example
        # SQLite calls it "disk I/O error" where it is a file beside the database that cannot grow.
        full = getattr(error, "errno", None) in NO_ROOM or shutil.disk_usage(home).free < _LEAST_ROOM
        reason = "the disk is full. Free space and run it again." if full else f"{type(error).__name__}: {error}".splitlines()[0]
        tell(output, "failed", _shortened(f"{job} failed: {reason}"))
        with suppress(OSError):  # the log lies on the same disk
            traceback.print_exc()
        os._exit(1)  # no more is written


def tell(output: TextIO, kind: Told, text: str) -> None:
    """One line for whoever started this process."""
    output.write(json.dumps([kind, text]) + "\n")


class Lines:
    """What is told of the events of a run: a line for each asset that was made, and why the run failed."""

    def __init__(self, output: TextIO) -> None:
        self._output = output
        self._started: dict[str | None, float] = {}
        self._made: Counter[str | None] = Counter()
        self._broken: list[str] = []  # promises of tables
        self._reason = ""
        self._failed: list[str] = []

    def see(self, event: dg.DagsterEvent) -> None:
        """The next event."""
        step = event.step_key
        if event.is_step_start:
            self._started[step] = time.monotonic()
        elif event.is_step_materialization:
            self._made[step] += 1
        elif event.event_type is dg.DagsterEventType.ASSET_CHECK_EVALUATION:
            data = event.asset_check_evaluation_data
            if not data.passed and data.severity is dg.AssetCheckSeverity.ERROR:
                self._broken.append(data.description or data.check_name)
        elif event.is_step_success and self._made[step]:
            seconds = time.monotonic() - self._started.get(step, time.monotonic())
            tell(self._output, "line", f"  {step:20} {seconds:5.1f} s")
        elif event.is_step_failure and event.step_failure_data.error_source is not ErrorSource.INTERRUPT:
            tell(self._output, "line", f"  {step:20} failed")
            self._failed.append(str(step))
            self._reason = self._reason or self._reason_of(event)
        elif event.is_job_failure:
            error = event.job_failure_data.error
            reason = self._reason or (error.message.strip() if error else event.message or "see the log.")
            what = ", ".join(self._failed) or event.job_name
            tell(self._output, "failed", f"{what} failed: {_shortened(reason)}")

    def _reason_of(self, event: dg.DagsterEvent) -> str:
        """The broken promise of a blocking check, else the clear line of an error of the project, else the cause of any."""
        failure = event.step_failure_data
        if failure.user_failure_data is not None and failure.user_failure_data.description:
            return failure.user_failure_data.description
        error = failure.error
        while error is not None and error.cause is not None:
            error = error.cause
        if error is not None and error.cls_name == "DagsterAssetCheckFailedError" and self._broken:
            return self._broken[-1]
        return error.message.partition(": ")[2].strip() or error.message if error is not None else "see the log."


def _shortened(reason: str) -> str:
    return reason if len(reason) <= _LONGEST_REASON else f"{reason[:_LONGEST_REASON]} ..."


def execute(home: Path, name: str, diocese: str | None, lines: Lines) -> bool:
    """Run a job to its end in this process, as a run of the code location, so that the UI shows it where it shows its own.

    Returns:
        Whether it succeeded.

    Raises:
        UsageError: no such job, a diocese too much, or none where one is needed; nothing was run then.
    """
    recon = ReconstructableRepository.for_module("mass_pipeline.definitions", "defs")
    names = [one for one in recon.get_definition().job_names if not one.startswith("__")]
    if name not in names:
        raise UsageError(f"There is no job {name!r}.{nearest(name, names)} The jobs: {', '.join(sorted(names))}.")
    job = recon.get_reconstructable_job(name)
    definition = job.get_definition()
    partitions = definition.partitions_def
    known = partitions.get_partition_keys() if partitions is not None and _RANGE not in definition.run_tags else []
    if diocese is None and known:
        raise UsageError(f"{name} runs for one diocese: say which with --partition, for example --partition {known[0]}.")
    if diocese is not None and not known:
        raise UsageError(f"{name} takes no --partition: it runs over all dioceses at once.")
    location = RemoteRepositoryOrigin(RegisteredCodeLocationOrigin(LOCATION), SINGLETON_REPOSITORY_NAME)
    graph = definition.asset_layer.asset_graph
    read = {above.path[-1] for key in definition.asset_layer.executable_asset_keys for above in graph.get(key).parent_keys}
    settings = load_settings(os.environ)
    lake = open_lake(settings)
    with open_instance(home) as instance:
        for seen in (one for source in SOURCES if source.name in read for one in source.observations(settings, lake)):
            instance.report_runless_asset_event(seen)  # before the run: what is first seen after it would make its assets old
        run = instance.create_run_for_job(
            definition,
            tags={**definition.run_tags, **({} if diocese is None else {"dagster/partition": diocese, DIOCESE_TAG: diocese})},
            remote_job_origin=RemoteJobOrigin(location, name),
            job_code_origin=job.get_python_origin(),
        )
        signal.signal(signal.SIGUSR1, lambda *_: threading.Thread(target=_cancel, args=(instance, run)).start())
        for event in execute_run_iterator(job, run, instance):
            lines.see(event)
        ended = instance.get_run_by_id(run.run_id)
        return ended is not None and ended.is_success


def _cancel(instance: dg.DagsterInstance, run: dg.DagsterRun) -> None:
    """Dagster takes an interrupt that nobody announced for a failure. In a thread, as the main one may be writing its events."""
    instance.report_run_canceling(run)
    os.kill(os.getpid(), signal.SIGINT)


if __name__ == "__main__":
    main()
