"""A week of automation with a moved clock: real daemon, conditions, runs, alerts; a backfill between, daemon and a worker killed.

    make bench NAME=automation_week
    python -m mass_pipeline_tests.benchmarks.automation_week [--dioceses 46]

`mass-pipeline ui` with everything switched on, in the demo profile over a written web with one parish in each diocese
(`moved_installation`; needs gcc). The clock is moved from Sunday evening to the Sunday after, in steps, each time when nothing
runs; then the weekly schedules are switched off until something is overdue. Prints a line for each thing that must hold.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta
from datetime import time as clock_time
from pathlib import Path

import dagster as dg
from dagster._core.execution.backfill import BulkActionsFilter, BulkActionStatus
from dagster._core.scheduler.instigation import TickStatus
from dagster._core.storage.dagster_run import NOT_FINISHED_STATUSES

from mass_pipeline.defs.automation.sensors import FOLLOW_UP
from mass_pipeline.model.columns import CANDIDATE_HOURS
from mass_pipeline.resources.lake import Lake
from mass_pipeline_tests.benchmarks.automation_verdicts import WARSAW, Seen, alerts_told, laws
from mass_pipeline_tests.benchmarks.moved_installation import WEB, Clock, Inbox, Installation
from mass_pipeline_tests.benchmarks.rehearsal_web import dioceses, serving

PATIENCE_SECONDS = 1_800.0
LOST_SECONDS = 60.0  # a run that still starts then was lost with the daemon
START_TIMEOUT_SECONDS = 300  # deploy/dagster.yaml
DAY = ("00:10", "06:30", "12:00")
NIGHT = tuple(f"{hour:02}:{minute}" for hour in range(6) for minute in ("00", "30"))  # every tick of the weekly crawl
# A condition that is met for several dioceses at once asks for a backfill too.
BACKFILLS_UNDER_WAY = BulkActionsFilter(statuses=[BulkActionStatus(one) for one in ("REQUESTED", "CANCELING", "FAILING")])
BACKFILL = """mutation($names: [String!]) { launchPartitionBackfill(backfillParams: {
  partitionNames: $names, assetSelection: [{path: ["crawled_pages"]}]}) {
  __typename ... on LaunchBackfillSuccess { backfillId } } }"""


class Week:
    """The installation, moved step by step.

    Args:
        keys: dioceses; sunday: the first day.
    """

    def __init__(
        self, installation: Installation, clock: Clock, instance: dg.DagsterInstance, keys: Sequence[str], sunday: date
    ) -> None:
        self.installation = installation
        self.clock = clock
        self.instance = instance
        self.keys = keys
        self.began = time.monotonic()
        self.killed: dict[str, str] = {}
        self.backfills: list[str] = []
        self._sunday = sunday
        self._left_starting: dict[str, float] = {}  # run -> when the daemon that started it was killed

    def local(self, day: int, hour: str) -> datetime:
        """A moment of the week: day 0 is the first Sunday; half a minute later, when its tick has passed."""
        return datetime.combine(self._sunday + timedelta(days=day), clock_time.fromisoformat(f"{hour}:30"), WARSAW)

    def go(self, day: int, hour: str, meanwhile: Callable[[], None] | None = None) -> None:
        """Move to a moment and wait until everything that it sets off has ended."""
        self.clock.move_to(self.local(day, hour))
        if meanwhile is not None:
            meanwhile()
        time.sleep(3)  # schedules
        runs = self.settle()
        print(f"{self.local(day, hour):%a %d %H:%M}  {runs:4} runs so far  {time.monotonic() - self.began:6.0f} s", flush=True)

    def settle(self) -> int:
        """Wait until nothing runs and the conditions ask for nothing more; returns how many runs there were until now."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            while self._busy():
                self.installation.date_files()
                self._skip_lost_start()
                if time.monotonic() > deadline:
                    raise TimeoutError(f"Still under way: {[run.tags for run in self._unfinished()]}")
                time.sleep(0.5)
            self.installation.date_files()
            before = self.instance.get_runs_count()
            self.clock.move_to(self.clock.now() + timedelta(seconds=35))
            moved = self.clock.now().timestamp()
            while not self._judged_since(moved) and time.monotonic() < deadline:
                time.sleep(0.3)
            if self.instance.get_runs_count() == before and not self._busy():
                return before

    def _skip_lost_start(self) -> None:
        """What the killed daemon was about to start is given up after five minutes: moved over when all wait for that."""
        starting = dg.DagsterRunStatus.STARTING
        left = [self._left_starting.get(run.run_id) for run in self._unfinished() if run.status is starting]
        if left and all(since is not None and time.monotonic() > since + LOST_SECONDS for since in left):
            self._left_starting.clear()
            self.clock.move_to(self.clock.now() + timedelta(seconds=START_TIMEOUT_SECONDS))

    def _unfinished(self) -> Sequence[dg.DagsterRun]:
        return self.instance.get_runs(dg.RunsFilter(statuses=list(NOT_FINISHED_STATUSES)))

    def _busy(self) -> bool:
        return bool(self._unfinished()) or bool(self.instance.get_backfills(BACKFILLS_UNDER_WAY, limit=1))

    def _judged_since(self, moment: float) -> bool:
        (follow_up,) = (one for one in self.instance.all_instigator_state() if one.instigator_name == FOLLOW_UP)
        ticks = self.instance.get_ticks(follow_up.instigator_origin_id, follow_up.selector_id, limit=1)
        return bool(ticks) and ticks[0].timestamp > moment and ticks[0].status is not TickStatus.STARTED

    def kill_worker(self) -> None:
        """kill -9 for the process of a crawl under way."""
        crawling = dg.RunsFilter(job_name="crawl_job", statuses=[dg.DagsterRunStatus.STARTED])
        for _ in self._tries("No crawl began."):
            for run in self.instance.get_runs(crawling):
                for pid in self._processes_of(run):
                    os.kill(pid, signal.SIGKILL)
                    self.killed["worker"] = run.run_id
                    return

    def _processes_of(self, run: dg.DagsterRun) -> list[int]:
        entries = self.instance.all_logs(run.run_id, of_type=dg.DagsterEventType.ENGINE_EVENT)
        values = [entry.get_dagster_event().engine_event_data.metadata.get("pid") for entry in entries]
        return [int(str(one.value)) for one in values if one is not None][:1]

    def kill_daemon(self) -> None:
        """kill -9 for the daemon while runs wait; whoever looks after it starts it again."""
        for _ in self._tries("No run was asked for."):
            if self._unfinished():
                os.kill(self.installation.daemon(), signal.SIGKILL)
                self.killed["daemon"] = "killed"
                self._left_starting = {run.run_id: time.monotonic() for run in self._unfinished()}
                return

    def _tries(self, otherwise: str) -> Iterator[None]:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            yield
            time.sleep(0.1)
        raise TimeoutError(otherwise)

    def backfill(self, keys: Sequence[str]) -> None:
        """Of crawled_pages, as the UI asks for it."""
        answer = self.installation.ask(BACKFILL, names=list(keys))["launchPartitionBackfill"]
        self.backfills.append(answer["backfillId"])

    def label(self) -> None:
        """Fifteen new labels of people."""
        lake = Lake(self.installation.folder / "lake")
        rows = itertools.islice(lake.reader(CANDIDATE_HOURS, lake.partitions(CANDIDATE_HOURS)).rows(["candidate_id"]), 15)
        lines = [json.dumps({"candidate_id": row["candidate_id"], "label": "mass"}) for row in rows]
        (self.installation.folder / "annotations.jsonl").write_text("\n".join(lines))

    def seen(self) -> Seen:
        """What the log knows of it."""
        return Seen(self.instance, self.keys, self.killed, self.backfills, self.installation.said())


def play(week: Week) -> None:
    """From the first Sunday evening to the Sunday after."""
    week.installation.automation("on")
    week.settle()
    week.go(0, "22:00")
    for hour in NIGHT:
        week.go(1, hour, {"01:00": week.kill_worker, "02:00": week.kill_daemon}.get(hour))
    for hour in DAY[1:]:
        week.go(1, hour)
    between = {
        (2, "12:00"): lambda: week.backfill(week.keys[:5]),
        (3, "12:00"): week.label,
        (4, "12:00"): lambda: damage(week),
        (5, "00:10"): lambda: repair(week),
    }
    for day in range(2, 8):
        for hour in DAY:
            week.go(day, hour, between.get((day, hour)))


def damage(week: Week) -> None:
    """What the watch knows of a diocese cannot be opened any more, and its pages are asked for anew."""
    folder = _watch_state(week)
    folder.rename(folder.with_name("aside"))
    folder.write_text("no folder")
    week.backfill(week.keys[-1:])


def repair(week: Week) -> None:
    folder = _watch_state(week)
    folder.unlink()
    folder.with_name("aside").rename(folder)


def _watch_state(week: Week) -> Path:
    return week.installation.folder / "state" / "watch" / week.keys[-1]


def second_week(week: Week) -> None:
    """Without the weekly schedules, until the crawl is overdue."""
    week.installation.automation("off", "weekly_crawl", "weekly_directory")
    for day in range(8, 11):  # overdue after nine days: from the third morning on
        week.go(day, "12:00")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--dioceses", type=int, default=46, help="the first so many, 9 at least (default: %(default)s)")
    parser.add_argument("--folder", help="keep everything there")
    chosen = parser.parse_args()
    memory = Path("/dev/shm")  # a few MB, written and synced by hundreds of runs
    with tempfile.TemporaryDirectory(prefix="mass-week-", dir=memory if memory.is_dir() else None) as folder:
        return live(Path(chosen.folder or folder), chosen.dioceses)


def live(folder: Path, count: int) -> int:
    """Play the week and print what holds; 0 when all does."""
    rows = dioceses()[:count]
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "dioceses.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    # The kernel dates files by the true clock; in the past of it, nothing looks older than it is before it is dated anew.
    today = datetime.now(WARSAW).date()
    sunday = today - timedelta(days=today.isoweekday() % 7 + 14)
    clock = Clock(folder, datetime.combine(sunday, clock_time(21, 50), WARSAW))
    with serving(count, 0.0, 0) as server, Inbox() as inbox:
        served = server.served
        environ = {
            WEB: json.dumps({"port": served.port, "hosts": sorted(served.hosts), "places": served.places_base_url}),
            "MASS_PIPELINE_DATA_FOLDER": str(folder),
            "MASS_PIPELINE_DIOCESES_FILE": str(folder / "dioceses.csv"),
            "MASS_PIPELINE_OPERATION_FROZEN_NOW": "clock",  # frozen in the demo
            "MASS_PIPELINE_OPERATION_MIN_DIOCESE_COVERAGE": "0.9",  # as in the live profile
            "MASS_PIPELINE_CRAWL_HOST_GAP_SECONDS": "0.05",
            **inbox.environment(),
        }
        with (
            Installation(folder, clock, environ) as installation,
            dg.DagsterInstance.from_config(str(installation.home)) as instance,
        ):
            week = Week(installation, clock, instance, [row["key"] for row in rows], sunday)
            play(week)
            ended = clock.now()
            second_week(week)
            found = [*laws(week.seen(), ended.timestamp()), *alerts_told(inbox, week.keys[-1])]
    for what, holds, how in found:
        print(f"{'holds' if holds else 'FAILS'}  {what}: {how}")
    return 0 if all(holds for _, holds, _ in found) else 1


if __name__ == "__main__":
    sys.exit(main())
