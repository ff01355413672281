"""How fast 400 partitions of an asset that does nothing are launched, and what a database that goes away loses.

Needs RabbitMQ on loopback (MASS_TESTS_RABBITMQ) and the programs of a PostgreSQL server, of which it starts one of its own. Code
server, daemon and two workers with four places each are those of deploy/scale. With `--outages N` that server is ended N times,
as a power cut would, for `--away` seconds, while runs are launched; each run then takes `--seconds`.
Prints how often each partition was begun, how long runs stood unlaunched, and which partitions were lost.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from mass_pipeline_tests.benchmarks.own_postgres import OwnPostgres
from mass_pipeline_tests.benchmarks.scale_workers import Workers, wait_for

CODE = "mass_pipeline_tests.benchmarks.many_partitions"
START_TIMEOUT = 120  # seconds; 300 in deploy/scale, which would only make the bench longer
QUIET_SECONDS = 420.0  # nothing has changed for so long: what has not succeeded by then is lost
RUNS = "SELECT run_id, status, extract(epoch FROM create_timestamp) AS made, start_time, partition FROM runs"
ENDED = {"SUCCESS", "FAILURE", "CANCELED"}


class Watch:
    """What became of the runs, as their table tells it."""

    def __init__(self, url: str) -> None:
        self._engine = sa.create_engine(url, poolclass=sa.pool.NullPool)
        self.runs: Sequence[Any] = ()
        self.unlaunched: dict[str, tuple[float, float]] = {}  # run -> first and last moment that it was NOT_STARTED
        self._moved = time.monotonic()

    def look(self) -> None:
        """Once; a database that does not answer changes nothing."""
        try:
            with self._engine.connect() as connection:
                runs = connection.execute(sa.text(RUNS)).all()
        except sa.exc.DBAPIError:
            self._moved = time.monotonic()
            return
        if {(one.run_id, one.status) for one in runs} != {(one.run_id, one.status) for one in self.runs}:
            self._moved = time.monotonic()
        self.runs = runs
        for one in runs:
            if one.status == "NOT_STARTED":
                first, _ = self.unlaunched.get(one.run_id, (time.monotonic(), 0.0))
                self.unlaunched[one.run_id] = (first, time.monotonic())

    @property
    def done(self) -> set[str]:
        return {one.partition for one in self.runs if one.status == "SUCCESS"}

    @property
    def begun(self) -> int:
        return sum(one.start_time is not None for one in self.runs)

    @property
    def quiet(self) -> bool:
        """Nothing moves any more."""
        return time.monotonic() - self._moved > QUIET_SECONDS


def cpu_seconds(pid: int) -> float:
    """User and system time of a living process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def play(server: OwnPostgres, workers: Workers, watch: Watch, options: argparse.Namespace) -> float:
    """Until every partition has succeeded or nothing moves any more.

    Returns:
        Seconds from the request to the last launch.
    """
    started = launched = time.monotonic()
    begun, outages, back = 0, list(range(options.outages)), float("inf")
    next_outage = float("inf")
    while len(watch.done) < options.partitions and not watch.quiet:
        watch.look()
        now = time.monotonic()
        if watch.begun > begun:
            begun, launched = watch.begun, now
            next_outage = min(next_outage, now + 5) if back == float("inf") else next_outage
        if outages and now > next_outage:
            print(f"   {now - started:.0f} s: database ended, {len(watch.done)} done", flush=True)
            outages.pop()
            server.stop()
            back, next_outage = now + options.away, float("inf")
        if now > back:
            server.start()
            print(f"   {time.monotonic() - started:.0f} s: there again", flush=True)
            back, next_outage = float("inf"), time.monotonic() + options.between
        time.sleep(0.5)
    return launched - started


def tell(watch: Watch, options: argparse.Namespace) -> int:
    """Print what became of them; the number of partitions lost."""
    attempts = Counter(one.partition for one in watch.runs)
    lost = sorted({one.partition for one in watch.runs} - watch.done)
    stood = max((last - first for first, last in watch.unlaunched.values()), default=0.0)
    stuck = Counter(one.status for one in watch.runs if one.status not in ENDED)
    print(f"partitions: {options.partitions} asked, {len(attempts)} have runs, {len(watch.done)} succeeded; lost: {lost}")
    print(f"runs: {dict(Counter(one.status for one in watch.runs))}; of a partition: {dict(Counter(attempts.values()))}")
    print(f"not ended: {dict(stuck)}; longest NOT_STARTED {stood:.0f} s of {START_TIMEOUT}")
    return options.partitions - len(watch.done)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--partitions", type=int, default=400)
    parser.add_argument("--outages", type=int, default=0)
    parser.add_argument("--away", type=float, default=30.0, help="seconds")
    parser.add_argument("--between", type=float, default=20.0, help="seconds from one outage to the next")
    parser.add_argument("--seconds", type=float, default=0.0, help="that a run takes")
    parser.add_argument("--keep-log", type=Path, help="copy the log of daemon and workers there")
    options = parser.parse_args()
    base = {name: value for name, value in os.environ.items() if not name.startswith(("MASS_PIPELINE_", "DAGSTER_"))}
    base |= {"PYTHONWARNINGS": "ignore", "DAGSTER_DISABLE_TELEMETRY": "1"}
    base |= {"MASS_TESTS_PARTITIONS": str(options.partitions), "MASS_TESTS_SECONDS": str(options.seconds)}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mass-queue-")))
        server = stack.enter_context(OwnPostgres())
        dagster, results = server.create("dagster"), server.create("results")
        workers = Workers(folder / "w", {}, base, (dagster, results), code=CODE, places=4, start_timeout=START_TIMEOUT)
        stack.callback(workers.stop)
        wait_for(folder / "w" / "code")
        for sensor in ("lost_runs", "all_at_once"):
            workers.switch_on(sensor)
        watch = Watch(dagster)
        seconds = play(server, workers, watch, options)
        daemon = cpu_seconds(workers.children[1].pid)
        print(f"launched in {seconds:.0f} s; the daemon used {daemon:.1f} CPU-s, {daemon / options.partitions:.2f} a partition")
        missing = tell(watch, options)
        if options.keep_log:
            options.keep_log.write_bytes((folder / "w" / "log").read_bytes())
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
