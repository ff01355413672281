"""The country rehearsed: written parishes through the whole chain, with truth, shared hosts and hostile ones.

    make rehearsal                     200 parishes
    make rehearsal PARISHES=10130      the country; hours
    python -m mass_pipeline_tests.benchmarks.rehearsal [--parishes 200] [--gap 0.2] [--latency 0.02] [--hostile 10] [--kill]

One machine; the assets of `mass_schedules_job`, stage after stage, each diocese a run, two at once in processes of their own.
With `--kill` one crawl is ended without warning and asked for again, another is stopped for longer than the leases of its hosts
last. Prints the funnel, time, CPU, memory and events per stage, storage, agreement with the truth, the least gap
between an answer of a host and the next request to it while it is crawled, and what each kind of hostile host cost.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import os
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path

from mass_pipeline.cli.demo_report import masses_by_parish, week_score
from mass_pipeline.model.columns import CANDIDATE_HOURS, CRAWLED_PAGES, MASS_SCHEDULES, PARISH_STATES, PARISH_URLS, PARISHES
from mass_pipeline.resources.lake import Lake
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.web import Web
from mass_pipeline_tests.benchmarks.rehearsal_web import Server, dioceses, serving
from mass_pipeline_tests.defs.running import PreparedJob, prepared_job

STAGES = (  # name, assets, whether each diocese is a run of its own
    ("directory", ("parishes", "parish_urls"), False),
    ("crawl", ("crawled_pages",), True),
    ("hours", ("candidate_hours",), True),
    ("learning", ("annotated_set", "hours_classifier"), False),
    ("schedules", ("mass_schedules", "parish_states"), True),
)
LEASE_SECONDS = 20.0
_UNITS_OF_A_PARISH = 100
_KILL_AFTER_SECONDS = 4.0
_FORK = multiprocessing.get_context("fork")


@dataclass
class Ran:
    """How one run ended, or how those of a stage did together.

    Attributes:
        cpu: seconds; peak: MiB of the largest process; events: of Dagster; early: requests that the crawler itself calls early.
    """

    success: bool = True
    cpu: float = 0.0
    peak: float = 0.0
    events: int = 0
    early: int = 0
    errors: list[str] = field(default_factory=list)
    checks: Counter[str] = field(default_factory=Counter)
    runs: int = 1

    def add(self, other: Ran) -> None:
        self.success &= other.success
        self.cpu, self.peak = self.cpu + other.cpu, max(self.peak, other.peak)
        self.events, self.early, self.runs = self.events + other.events, self.early + other.early, self.runs + 1
        self.errors += other.errors
        self.checks += other.checks


@dataclass
class _Worker:
    """A process that runs dioceses one after the other, and what it is at."""

    process: ForkProcess
    pipe: Connection
    task: tuple[tuple[str, ...], tuple[str, str]] | None = None


class Rehearsal:
    """Stages over a served country.

    Args:
        at_once: runs at the same time.
    """

    def __init__(self, server: Server, folder: Path, environ: Mapping[str, str], at_once: int) -> None:
        self._server = server
        self._folder = folder
        self._environ = environ
        self._at_once = at_once
        self._workers: list[_Worker] = []

    def stage(self, assets: tuple[str, ...], *, each: bool, kill: bool = False) -> Ran:
        """Run assets for all dioceses, each in a run of its own or all in one."""
        keys = [row["key"] for row in dioceses()]
        ranges = [(key, key) for key in keys] if each else [(keys[0], keys[-1])]
        total, waiting = Ran(runs=0), list(reversed(ranges))
        hurt = _Hurt() if kill else None
        self._workers = [self._begin() for _ in range(min(self._at_once, len(ranges)))]  # no stage finds what another has read
        while waiting or any(worker.task for worker in self._workers):
            for worker in self._workers:
                if waiting and worker.task is None:
                    worker.task = assets, waiting.pop()
                    worker.pipe.send(worker.task)
            busy = {worker.pipe: worker for worker in self._workers if worker.task}
            if hurt is not None:
                hurt.look([worker.process for worker in busy.values()])
            for pipe in wait(list(busy), timeout=0.2):
                assert isinstance(pipe, Connection)
                self._ended(busy[pipe], total, waiting, may_die=kill)
        for worker in self._workers:
            worker.pipe.send(None)
            worker.process.join()
        return total

    def _ended(self, worker: _Worker, total: Ran, waiting: list[tuple[str, str]], *, may_die: bool) -> None:
        task, worker.task = worker.task, None
        assert task is not None
        try:
            total.add(worker.pipe.recv())
        except (EOFError, ConnectionResetError):
            worker.process.join()
            print(f"   {task[1][0]} was ended (exit code {worker.process.exitcode}) and is asked for again", flush=True)
            if not may_die:
                raise
            waiting.append(task[1])
            self._workers[self._workers.index(worker)] = self._begin()

    def _begin(self) -> _Worker:
        ours, theirs = _FORK.Pipe()
        process = _FORK.Process(target=self._work, args=(theirs,), daemon=False)
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def _work(self, pipe: Connection) -> None:
        served = self._server.served

        @contextmanager
        def opened(_: Settings) -> Iterator[Web]:
            yield Web(served.connect_to, served.places_base_url)

        with prepared_job(self._folder, self._environ, opened) as job:
            while (task := pipe.recv()) is not None:
                pipe.send(_run(job, *task))


def _run(job: PreparedJob, assets: Sequence[str], keys: tuple[str, str]) -> Ran:
    before = cpu()
    Path("/proc/self/clear_refs").write_text("5")  # the peak of memory is that of this run
    ended = job.run(assets, partitions=keys)
    early = sum(int(float(str(values.get("early_requests", 0)))) for values in ended.metadata.values())
    (peak,) = (int(line.split()[1]) / 1024 for line in Path("/proc/self/status").read_text().splitlines() if line[:5] == "VmHWM")
    return Ran(
        ended.success, cpu() - before, peak, ended.events, early, list(ended.errors),
        Counter(name for name, passed in ended.checks.items() if not passed),
    )  # fmt: skip


def cpu() -> float:
    """Seconds of this process and of those it began that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


class _Hurt:
    """Ends one run without warning, and stops another for longer than its leases last."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._killed: int | None = None
        self._stopped: tuple[int, float] | None = None

    def look(self, processes: Sequence[ForkProcess]) -> None:
        """Called again and again."""
        now = time.monotonic()
        alive = [process.pid for process in processes if process.pid is not None and process.is_alive()]
        if self._killed is None and now - self._began > _KILL_AFTER_SECONDS and alive:
            self._killed = alive[0]
            os.kill(alive[0], signal.SIGKILL)
        elif self._killed is not None and self._stopped is None and now - self._began > 3 * _KILL_AFTER_SECONDS and alive:
            self._stopped = alive[-1], now
            os.kill(alive[-1], signal.SIGSTOP)
            print(f"   one run stands still for {1.5 * LEASE_SECONDS:.0f} s", flush=True)
        elif self._stopped is not None and self._stopped[1] and now - self._stopped[1] > 1.5 * LEASE_SECONDS:
            os.kill(self._stopped[0], signal.SIGCONT)
            self._stopped = self._stopped[0], 0.0


def rehearse(chosen: argparse.Namespace, folder: Path) -> int:
    """Run the chain; 0 when every stage ended well."""
    environ = {
        "CRAWL_HOST_GAP_SECONDS": str(chosen.gap),
        "CRAWL_LEASE_SECONDS": str(LEASE_SECONDS),
        "OPERATION_EXPECTED_PARISHES": str(chosen.parishes),
        "PLACES_UNITS_PER_DAY": str(_UNITS_OF_A_PARISH * chosen.parishes),  # the live profile takes months
        "LEASES": str(folder / "leases"),
    }
    began, cpu = time.monotonic(), 0.0
    with serving(chosen.parishes, chosen.latency, chosen.hostile) as server:
        rehearsal = Rehearsal(server, folder, environ, chosen.runs)
        for name, assets, each in STAGES:
            wall = time.monotonic()
            ran = rehearsal.stage(assets, each=each, kill=chosen.kill and name == "crawl")
            cpu += ran.cpu
            print(
                f"{name:10}{time.monotonic() - wall:8.1f} s {ran.cpu:8.1f} CPU-s {ran.runs:3} runs, {ran.peak:5.0f} MiB at most, "
                f"{ran.events:5} events  {'ok' if ran.success else ran.errors}"
                + (f"  checks not passed: {dict(ran.checks)}" if ran.checks else ""),
                flush=True,
            )
            if not ran.success:
                return 1
            if name == "directory":
                server.forget()
            if name == "crawl":
                tell_manners(server, chosen.gap, ran.early)
        print(
            f"together  {time.monotonic() - began:8.1f} s {cpu:8.1f} CPU-s, {1000 * cpu / chosen.parishes:.0f} for 1,000 parishes"
        )
        tell_outcome(Lake(folder / "lake"), server)
        print(f"storage   tables {megabytes(folder / 'lake'):.1f} MB, state {megabytes(folder / 'state'):.1f} MB, "
              f"models {megabytes(folder / 'models'):.1f} MB")  # fmt: skip
    return 0


def tell_manners(server: Server, gap: float, early: int) -> None:
    asked = server.report(gap)
    print(f"manners   {asked.gaps} gaps, least {asked.least:.3f} s of {gap} s, early {asked.early} "
          f"(by the crawler's own count {early}); asked for again after a good answer {asked.twice}")  # fmt: skip
    for line in asked.kinds:
        print(f"          {line}")
    print(f"server    {asked.cpu:.1f} CPU-s, not counted in the stages", flush=True)


def tell_outcome(lake: Lake, server: Server) -> None:
    """Print the funnel, the agreement with the truth, and one digest of what was published."""
    truth, hostile = server.served.truth, server.served.hostile
    parishes = {str(row["parish_id"]): str(row["directory_url"]) for row in lake.reader(PARISHES).rows()}
    statuses = Counter(str(row["status"]) for row in lake.reader(PARISH_URLS).rows(["status"]))
    pages = Counter(str(row["outcome"]) for row in _rows(lake, CRAWLED_PAGES, "outcome"))
    states = Counter(str(row["state"]) for row in _rows(lake, PARISH_STATES, "state"))
    hours = sum(1 for _ in _rows(lake, CANDIDATE_HOURS, "parish_id"))
    published = lake.reader(MASS_SCHEDULES, lake.partitions(MASS_SCHEDULES))
    found = masses_by_parish(published.rows())
    print(f"funnel    {len(parishes)} parishes; sites {dict(statuses)}; pages {dict(pages.most_common())}; {hours} hours; "
          f"{len(found)} parishes with an order; states {dict(states.most_common())}")  # fmt: skip
    pairs = [(truth.get(url, ()), found.get(one, [])) for one, url in parishes.items() if url not in hostile]
    score = week_score(pairs)
    others = [one for one, url in parishes.items() if url in hostile]
    print(f"accuracy  {len(pairs)} well-behaved parishes: precision {score.precision:.3f}, recall {score.recall:.3f}; "
          f"of {len(others)} hostile ones {sum(one in found for one in others)} have an order")  # fmt: skip
    digest = hashlib.sha256()
    for part in published.parts.values():
        with part.opened() as file:
            digest.update(file.read())
    print(f"digest    of the published parts {digest.hexdigest()[:16]}")


def megabytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def _rows(lake: Lake, table: object, column: str) -> Iterator[Mapping[str, object]]:
    return lake.reader(table, lake.partitions(table)).rows([column])  # type: ignore[arg-type]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--parishes", type=int, default=200)
    parser.add_argument("--gap", type=float, default=0.2, help="seconds a host is left alone (default: %(default)s)")
    parser.add_argument("--latency", type=float, default=0.02, help="seconds each answer takes (default: %(default)s)")
    parser.add_argument("--hostile", type=int, default=10, help="every so many-th host is hostile; 0: none")
    parser.add_argument("--runs", type=int, default=2, help="runs at once (default: %(default)s)")
    parser.add_argument("--kill", action="store_true", help="end one crawl without warning, let another stand still")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mass-rehearsal-") as folder:
        return rehearse(chosen, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
