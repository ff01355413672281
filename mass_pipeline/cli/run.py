"""`mass-pipeline run`: one job of Dagster in the foreground; its whole output goes into a log, what people need is printed.

Also: where Dagster keeps runs, events and schedules of one data folder, and how its programs are called from here.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from mass_pipeline.cli.options import the_settings
from mass_pipeline.model.errors import MassPipelineError, StorageError
from mass_pipeline.model.project_files import project_file
from mass_pipeline.model.whole_files import make_private
from mass_pipeline.resources.settings import Settings

if TYPE_CHECKING:
    from dagster import DagsterInstance


_STEP: Final = re.compile(r" - (\w+) - (STEP_START|STEP_SUCCESS|STEP_FAILURE) - ")
_MADE: Final = re.compile(r" - (\w+) - ASSET_MATERIALIZATION - ")
_FAILURE: Final = re.compile(r"^(?:dagster\.\S*Failure|mass_pipeline\.\S+): (.+)", re.MULTILINE)
_CHECK: Final = re.compile(r"did not pass\. Description: ['\"](.*)['\"]")
_ANY_ERROR: Final = re.compile(r"^(?:[\w.]+(?:Error|Exception)|Error): (.+)", re.MULTILINE)
_LONGEST_REASON: Final = 600  # characters: some lines of a terminal


@click.command()
@click.argument("job")
@click.option("--partition", help="Key of a diocese (first column of data/dioceses.csv).")
def run(job: str, partition: str | None) -> None:
    """Run one job of the pipeline here and now, without daemon and queue.

    Each asset is named when it is made. When the job fails, what failed, why, and what helps is said in a few lines; everything
    Dagster prints is in the log. Runs of the UI and of schedules are started by the daemon (mass-pipeline ui).

    \b
    Examples:
      mass-pipeline run mass_schedules_job
      mass-pipeline run crawl_job --partition lodzka
    """
    settings = the_settings()
    log = settings.data_folder / "logs" / f"{job if re.fullmatch(r'[a-z_]+', job) else 'job'}.log"
    run_job(job, prepare_home(settings, os.environ), log, partition)


def run_job(job: str, home: Path, log: Path, partition: str | None = None) -> None:
    """Run a job in a process of its own, its output in the log and one line for each asset here.

    Args:
        job: its name in the definitions.
        home: DAGSTER_HOME.
        log: file, replaced.
        partition: for jobs of one diocese.

    Raises:
        MassPipelineError: it failed; what, why and where the log is, in a few lines.
    """
    tags = ["--tags", json.dumps({"dagster/partition": partition})] if partition is not None else []
    command = dagster_command("job", "execute", "-m", "mass_pipeline.definitions", "-j", job, *tags)
    click.echo(f"{shown(command)}\n  (Dagster takes some seconds to start; then each asset is named when it is made)")
    progress = _Progress()
    log.parent.mkdir(parents=True, exist_ok=True)
    with (
        log.open("w", encoding="utf-8") as output,
        subprocess.Popen(  # noqa: S603 - a fixed command of this environment
            command, env=dagster_environment(home), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        ) as child,
    ):
        try:
            assert child.stdout is not None
            for raw in child.stdout:
                line = raw.decode("utf-8", "replace")
                output.write(line)
                progress.see(line)
        except BaseException:
            child.terminate()
            raise
    if child.returncode:
        what = ", ".join(progress.failed) or job
        raise MassPipelineError(f"{what} failed: {failure_reason(log.read_text(encoding='utf-8'))}\nThe whole log: {log}")


class _Progress:
    """One line for each asset that has ended; of checks only those that broke are named.

    Attributes:
        failed: steps, in their order.
    """

    def __init__(self) -> None:
        self.failed: list[str] = []
        self._started: dict[str, float] = {}
        self._made: Counter[str] = Counter()

    def see(self, line: str) -> None:
        """Look at one line of the log."""
        if made := _MADE.search(line):
            self._made[made[1]] += 1
        if (found := _STEP.search(line)) is None:
            return
        step, event = found.groups()
        if event == "STEP_START":
            self._started[step] = time.monotonic()
        elif event == "STEP_FAILURE":
            self.failed.append(step)
            click.echo(f"  {step:20} failed")
        elif self._made[step]:
            click.echo(f"  {step:20} {time.monotonic() - self._started.get(step, time.monotonic()):5.1f} s")


def failure_reason(log: str) -> str:
    """The clear line of a failed run: the broken promise of a blocking check, else the last error of the project, else any.

    >>> failure_reason("dagster._core.definitions.events.Failure: Cannot write /data: No space left on device.")
    'Cannot write /data: No space left on device.'
    """
    before, failed, _ = log.partition("DagsterAssetCheckFailedError")
    found = _CHECK.findall(before) if failed else _FAILURE.findall(log) or _ANY_ERROR.findall(log)
    reason = str(found[-1]).strip() if found else "see the log."
    return reason if len(reason) <= _LONGEST_REASON else f"{reason[:_LONGEST_REASON]} ..."


_TEMPLATE = project_file("deploy", "dagster.yaml")


def prepare_home(settings: Settings, environ: Mapping[str, str]) -> Path:
    """DAGSTER_HOME when it is set, else `dagster_home` in the data folder, with its dagster.yaml.

    Raises:
        StorageError: the folder cannot be made.
    """
    home = Path(environ.get("DAGSTER_HOME") or settings.data_folder / "dagster_home").expanduser().resolve()
    try:
        make_private(settings.data_folder)
        home.mkdir(parents=True, exist_ok=True)
        if not (home / "dagster.yaml").exists() and _TEMPLATE.exists():
            aside = home / f".dagster.yaml.{os.getpid()}"
            shutil.copyfile(_TEMPLATE, aside)
            aside.replace(home / "dagster.yaml")  # whole or not at all: another command may read it at this moment
    except OSError as error:
        raise StorageError(
            f"Cannot make {home}: {error.strerror or error}. Point DAGSTER_HOME or MASS_PIPELINE_DATA_FOLDER elsewhere."
        ) from error
    return home


@contextmanager
def open_instance(home: Path) -> Iterator[DagsterInstance]:
    """Dagster's instance of this home; its databases are made by one process at a time, as two fail over each other's tables."""
    from dagster import DagsterInstance

    handle = os.open(home, os.O_RDONLY)  # the folder itself is locked, so that no file is left
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        instance = DagsterInstance.from_config(str(home))
    finally:
        os.close(handle)
    with instance:
        yield instance


def keeps_history(home: Path) -> bool:
    """Whether Dagster has run from this home: its databases lie there, or are PostgreSQL's. Answered without Dagster."""
    return any(home.rglob("*.db")) or "postgres" in (home / "dagster.yaml").read_text(encoding="utf-8")


def dagster_command(*arguments: str) -> list[str]:
    """The dagster program of this environment with arguments."""
    return [sys.executable, "-m", "dagster", *arguments]


def dagster_environment(home: Path) -> dict[str, str]:
    """The environment for it: this one, with the home, without telemetry and without its notes about newer commands."""
    quiet = {"PYTHONWARNINGS": "ignore", "DAGSTER_DISABLE_TELEMETRY": "1"}
    return {**os.environ, **quiet, "DAGSTER_HOME": str(home)}


def shown(command: Sequence[str]) -> str:
    """A command as people type it."""
    return " ".join(["dagster", *command[3:]]) if list(command[1:3]) == ["-m", "dagster"] else " ".join(command)
