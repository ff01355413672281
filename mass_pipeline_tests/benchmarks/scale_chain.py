"""The demo chain on one machine, on two workers with a shared folder, on two workers with object storage: equal to the byte?

Needs PostgreSQL and RabbitMQ on loopback (MASS_TESTS_POSTGRES, MASS_TESTS_RABBITMQ). The workers are the processes of
deploy/scale with its dagster.yaml: code server, daemon, two Celery workers with state folders of their own. With `--kill` one
worker is ended without warning while it crawls, and begun anew; the other is cut off meanwhile for longer than leases last and
the broker waits: nothing passes between it and database, broker and object storage, and nobody is told. Later the process of one
run alone is ended, and broker and database are gone for half a minute each. With `--database` the database alone is away, half a
minute during every job, from the moment that its first run has begun. With `--restart` the workers are restarted in turn, with
`--skew 1` the clock of the second one is an hour ahead (Debian's faketime).
Prints the digest of every published part that differs, or that none does.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pyarrow.parquet as pq

from mass_pipeline.model.columns import CANDIDATE_HOURS, MASS_SCHEDULES
from mass_pipeline.resources.lake import Lake, open_lake
from mass_pipeline.resources.settings import load_settings
from mass_pipeline_tests.benchmarks.scale_workers import CUT, POSTGRES_PORT, Workers, wait_for
from mass_pipeline_tests.object_storage import fresh_address, storage_server
from mass_pipeline_tests.postgres import fresh_database

PATIENCE_SECONDS = 1_500.0
BACK_AFTER_SECONDS = 15.0  # a worker that was killed
CUT_SECONDS = 75.0  # lease 20 s, heartbeat of the broker 2 x 20 s
JOBS = {
    "directory_job": False,
    "crawl_job": True,
    "announcements_job": True,
    "learning_job": False,
    "schedules_job": True,
}  # of each diocese?
AWAY_SECONDS = 30.0  # a service that ended and came back
FAULTS = {  # job -> what befalls it with --kill
    "crawl_job": ((0, "kill"), (3, "cut"), (BACK_AFTER_SECONDS, "back"), (3 + CUT_SECONDS, "mend")),
    "announcements_job": ((0, "child"),),
    "learning_job": ((0, "broker"), (AWAY_SECONDS, "again")),
    "schedules_job": ((0, "database"), (AWAY_SECONDS, "again")),
}
OUTAGES = dict.fromkeys(JOBS, ((0, "database"), (AWAY_SECONDS, "again")))  # with --database
RESTARTS = {"crawl_job": ((0, "restart"), (10, "restart"))}  # with --restart: one worker after the other
Parts = dict[tuple[str, str], bytes]
Script = Mapping[str, Sequence[tuple[float, str]]]  # job -> what befalls it, when


def lake_of(environ: Mapping[str, str]) -> Lake:
    return open_lake(load_settings({k: v for k, v in environ.items() if k.startswith("MASS_PIPELINE_")}, with_removals=False))


def parts_of(lake: Lake) -> Parts:
    """(table, diocese) -> the part that counts, of dioceses with rows."""
    found = {}
    for table in (CANDIDATE_HOURS, MASS_SCHEDULES):
        for key in lake.partitions(table):
            reader = lake.reader(table, [key])
            if len(reader):
                with next(iter(reader.parts.values())).opened() as file:
                    found[table.name, key] = file.read()
    return found


def on_one_machine(folder: Path, base: Mapping[str, str]) -> Parts:
    """The chain in one process, as `make demo` runs it."""
    environ = {**base, "MASS_PIPELINE_DATA_FOLDER": str(folder / "data"), "DAGSTER_HOME": str(folder / "home")}
    (folder / "home").mkdir(parents=True)
    command = [sys.executable, "-m", "dagster", "job", "execute", "-m", "mass_pipeline.definitions", "-j", "mass_schedules_job"]
    subprocess.run(command, env=environ, check=True, capture_output=True, cwd=folder)
    return parts_of(lake_of(environ))


class Faults:
    """What befalls an installation, step after step: seconds since it began, and what.

    Args:
        script: kill, back: worker 1 as a whole; child: the process of its run alone; cut, mend: the lines of worker 2;
            broker, database: gone for everybody; again: both there again; restart: the next worker, as a new version comes.
    """

    def __init__(self, workers: Workers, script: Sequence[tuple[float, str]]) -> None:
        self._workers = workers
        self._script = list(script)
        self._began: float | None = None

    def look(self, *, running: bool) -> None:
        """Called again and again; the first time that a run is under way, it begins."""
        now = time.monotonic()
        if self._began is None and running:
            self._began = now
        while self._began is not None and self._script and self._began + self._script[0][0] <= now:
            step = self._script.pop(0)[1]
            print(f"   {step}", flush=True)
            self._do(step)

    @property
    def over(self) -> bool:
        """Whether everything has happened."""
        return not self._script

    def _do(self, step: str) -> None:
        workers = self._workers
        whole = {"kill": workers.kill, "cut": workers.cut, "mend": workers.mend, "restart": workers.restart}
        if step in whole:
            whole[step]()
        elif step == "child":
            for child in children(workers.workers[-1].pid):
                os.kill(child, signal.SIGKILL)
        elif step == "back":
            workers.start_worker("w1")
        for name, line in workers.lines.items():
            if step == "again":
                line.mend()
            elif step == ("broker" if name == "MASS_BROKER" else "database" if CUT[name] == POSTGRES_PORT else ""):
                line.drop()


def children(pid: int) -> list[int]:
    """Processes that a process began and that have not ended."""
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def launch(
    workers: Workers, jobs: Sequence[tuple[str, str]], script: Script, patience: float = PATIENCE_SECONDS
) -> dict[str, int]:
    """Submit runs to the queue and wait until each job and diocese has succeeded and none is under way.

    Returns:
        How many runs there were by status.
    """
    from dagster import DagsterInstance, DagsterRun, DagsterRunStatus, RunsFilter
    from dagster._cli.job import execute_launch_command
    from dagster._cli.workspace.cli_target import WorkspaceOpts

    tag = uuid.uuid4().hex
    faults = Faults(workers, script.get(jobs[0][0], ()))

    def look(instance: DagsterInstance) -> Sequence[DagsterRun]:
        runs = instance.get_runs(RunsFilter(tags={"chain": tag}))
        faults.look(running=any(run.status is DagsterRunStatus.STARTED for run in runs))
        return runs

    with DagsterInstance.get() as instance:
        for job, diocese in jobs:
            tags = json.dumps({"chain": tag} | ({"dagster/partition": diocese} if diocese else {}))
            opened = WorkspaceOpts(workspace=(str(workers.workspace),))
            execute_launch_command(instance=instance, workspace_opts=opened, job_name=job, tags=tags)
            look(instance)  # the first may be under way long before the last is asked for
        deadline = time.monotonic() + patience
        while True:
            runs = look(instance)
            ended = [run for run in runs if run.status is DagsterRunStatus.SUCCESS]
            done = {(run.job_name, run.tags.get("dagster/partition", "")) for run in ended}
            if set(jobs) <= done and all(run.is_finished for run in runs) and faults.over:
                return dict(Counter(run.status.value for run in runs))
            if time.monotonic() > deadline:
                told = [(run.job_name, run.tags.get("dagster/partition"), run.status.value) for run in runs]
                raise TimeoutError(f"{sorted(set(jobs) - done)} did not succeed: {told}; log: {workers.log.name}")
            time.sleep(0.5)


@contextmanager
def environment(environ: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(environ)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def on_two_workers(
    folder: Path, shared: Mapping[str, str], base: Mapping[str, str], dioceses: Sequence[str], script: Script, skew_hours: float
) -> Parts:
    """The chain job by job, each diocese a run of its own."""
    with fresh_database() as first, fresh_database() as second:
        workers = Workers(folder, shared, base, (first, second), skew_hours=skew_hours)
        try:
            wait_for(folder / "code")
            workers.switch_on("lost_runs")
            with environment(workers.environ):
                for job, keys in JOBS.items():
                    runs = [(job, key) for key in (dioceses if keys else [""])]
                    print(f"   {job}: {launch(workers, runs, script)}", flush=True)
                return parts_of(lake_of(workers.environ))
        finally:
            workers.stop()


def compare(name: str, expected: Parts, found: Parts, started: float) -> bool:
    differ = sorted({key for key in {*expected, *found} if expected.get(key) != found.get(key)})
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    verdict = f"equal: {len(expected)} parts" if not differ else f"DIFFER: {differ}"
    print(
        f"{name}: {verdict}; {time.monotonic() - started:.0f} s wall, {used.ru_utime + used.ru_stime:.0f} CPU-s so far",
        flush=True,
    )
    for key in differ:
        print(f"   {key}: {_differing(expected.get(key), found.get(key))}", flush=True)
    return not differ


def _differing(expected: bytes | None, found: bytes | None) -> str:
    """In which columns two parts differ."""
    if expected is None or found is None:
        return "one of them is not there"
    first, second = (pq.read_table(io.BytesIO(part)) for part in (expected, found))
    names = [name for name in first.column_names if not first[name].equals(second[name])]
    examples = {name: (first[name][0].as_py(), second[name][0].as_py()) for name in names}
    return f"{first.num_rows} and {second.num_rows} rows; columns {examples}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kill", action="store_true", help="end one worker while it crawls, cut the other off")
    parser.add_argument("--database", action="store_true", help="the database is away for half a minute during each job")
    parser.add_argument("--restart", action="store_true", help="restart the workers in turn while they crawl")
    parser.add_argument("--skew", type=float, default=0.0, help="hours that the clock of one worker is ahead")
    parser.add_argument("--expected", type=Path, help="data folder of a chain on one machine, instead of running it")
    parser.add_argument("--only", choices=("folder", "storage"), help="only one of the two ways to share")
    chosen = parser.parse_args()
    script: Script = FAULTS if chosen.kill else OUTAGES if chosen.database else RESTARTS if chosen.restart else {}
    base = {name: value for name, value in os.environ.items() if not name.startswith(("MASS_PIPELINE_", "DAGSTER_"))}
    base |= {"PYTHONWARNINGS": "ignore", "DAGSTER_DISABLE_TELEMETRY": "1"}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mass-chain-")))
        started = time.monotonic()
        expected = parts_of(Lake(chosen.expected / "lake")) if chosen.expected else on_one_machine(folder / "one", base)
        compare("one machine", expected, expected, started)
        dioceses = sorted({key for _, key in expected})
        equal = True
        if chosen.only != "storage":
            started, place = time.monotonic(), {"MASS_PIPELINE_DATA_FOLDER": str(folder / "shared")}
            found = on_two_workers(folder / "f", place, base, dioceses, script, chosen.skew)
            equal &= compare("two workers, shared folder", expected, found, started)
        if chosen.only != "folder":
            place = stack.enter_context(storage_server()) | {"MASS_PIPELINE_DATA_FOLDER": fresh_address()}
            started = time.monotonic()
            found = on_two_workers(folder / "s", place, base, dioceses, script, chosen.skew)
            equal &= compare("two workers, object storage", expected, found, started)
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
