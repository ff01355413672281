"""How long a crawl takes from the queue to its first page, with definitions that workers loaded beforehand; memory of a run.

    python -m mass_pipeline_tests.benchmarks.scale_start [--runs 5]

Needs RabbitMQ on loopback and starts a PostgreSQL of its own, so that it runs with the priority of the rest; code server,
daemon and workers are those of deploy/scale. Prints for each run the seconds from its entry in the queue to its start and to the
first page that a host was asked for, and the memory of its process.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from mass_pipeline_tests.benchmarks.moved_installation import WEB
from mass_pipeline_tests.benchmarks.own_postgres import OwnPostgres
from mass_pipeline_tests.benchmarks.rehearsal_machines import CODE, web_of
from mass_pipeline_tests.benchmarks.rehearsal_web import Server, dioceses, serving
from mass_pipeline_tests.benchmarks.scale_chain import children, environment, launch
from mass_pipeline_tests.benchmarks.scale_workers import Workers, wait_for

WANTED_SECONDS = 5.0


class Memory:
    """The largest memory of any run: MiB resident, and its share of what it has in common with others."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self.resident = self.share = 0.0

    def look(self) -> None:
        """Once."""
        for run in (child for worker in self._workers.workers for child in children(worker.pid)):
            try:
                told = dict(line.split(":", 1) for line in Path(f"/proc/{run}/smaps_rollup").read_text().splitlines()[1:])
            except OSError:  # it has just ended
                continue
            self.resident = max(self.resident, int(told["Rss"].split()[0]) / 1024)
            self.share = max(self.share, int(told["Pss"].split()[0]) / 1024)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Look again and again meanwhile."""
        over = threading.Event()

        def watch() -> None:
            while not over.wait(0.2):
                self.look()

        watching = threading.Thread(target=watch)
        watching.start()
        try:
            yield
        finally:
            over.set()
            watching.join()


def measure(workers: Workers, server: Server, keys: Sequence[str]) -> list[float]:
    """Seconds from queue to first page of a crawl of each diocese."""
    from dagster import DagsterInstance

    memory, waited = Memory(workers), []
    for key in keys:
        server.forget()
        with memory.watched():
            launch(workers, [("crawl_job", key)], {})
        with DagsterInstance.get() as instance:
            (record,) = instance.get_run_records(limit=1)
        queued = record.create_timestamp.timestamp()
        page = time.time() - time.monotonic() + server.report(0.2).first - queued
        waited.append(page)
        print(f"{key:14} queue to start {(record.start_time or 0.0) - queued:5.1f} s, to first page {page:5.1f} s", flush=True)
    print(f"memory of a run: {memory.resident:.0f} MiB resident, {memory.share:.0f} of it its own share")
    return waited


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--runs", type=int, default=5)
    chosen = parser.parse_args()
    base = {name: value for name, value in os.environ.items() if not name.startswith(("MASS_PIPELINE_", "DAGSTER_"))}
    base |= {"PYTHONWARNINGS": "ignore", "DAGSTER_DISABLE_TELEMETRY": "1"}
    keys = [row["key"] for row in dioceses()]
    with (
        serving(2 * len(keys), 0.02, 0) as server,
        tempfile.TemporaryDirectory(prefix="mass-start-") as name,
        OwnPostgres() as database,
    ):
        shared = {
            WEB: web_of(server.served, server.served.port, "127.0.0.1", Path(name, "web.json")),
            "MASS_PIPELINE_DATA_FOLDER": f"{name}/shared",
            "MASS_PIPELINE_OPERATION_EXPECTED_PARISHES": str(2 * len(keys)),
        }
        databases = [database.create(one).replace("+psycopg2:", ":") for one in ("dagster", "results")]
        workers = Workers(Path(name), shared, base, databases, code=CODE)
        try:
            wait_for(Path(name, "code"))
            with environment(workers.environ):
                launch(workers, [("directory_job", "")], {})
                waited = measure(workers, server, keys[: chosen.runs])
        finally:
            workers.stop()
    median = statistics.median(waited)
    print(f"median {median:.1f} s of {WANTED_SECONDS:.0f}: {'met' if median <= WANTED_SECONDS else 'SHORT'}")
    return 0 if median <= WANTED_SECONDS else 1


if __name__ == "__main__":
    sys.exit(main())
