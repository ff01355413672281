"""`mass-pipeline run`: one job of Dagster in the foreground; its whole output goes into a log, what people need is printed.

Also: where Dagster keeps runs, events and schedules of one data folder, and how its programs are called from here.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final, Literal

import click

from mass_pipeline.cli.options import the_settings
from mass_pipeline.model.errors import DiskFull, MassPipelineError, StorageError, UsageError, nearest
from mass_pipeline.model.project_files import project_file
from mass_pipeline.model.whole_files import make_private
from mass_pipeline.resources.settings import Settings

if TYPE_CHECKING:
    from dagster import DagsterInstance


_LOGS_KEPT: Final = 20  # of each job
Told = Literal["line", "failed", "refused"]  # what a job tells: an asset was made, why it ended


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
    from mass_pipeline.gathering.dioceses import Dioceses

    settings = the_settings()
    keys = [row.key for row in Dioceses.from_csv(settings.dioceses_file).rows]
    if partition is not None and partition not in keys:
        raise UsageError(
            f"There is no diocese {partition!r}.{nearest(partition, keys)} The keys: first column of {settings.dioceses_file}."
        )
    run_job(job, prepare_home(settings, os.environ), settings.data_folder / "logs", partition)


def run_job(job: str, home: Path, logs: Path, partition: str | None = None) -> Path:
    """Run a job in a process of its own, its output in a log of its own and one line for each asset here.

    Args:
        job: its name in the definitions.
        home: DAGSTER_HOME.
        logs: folder of the logs; the last ones of a job are kept.
        partition: for jobs of one diocese.

    Returns:
        The log.

    Raises:
        MassPipelineError: it failed; what, why and where the log is, in a few lines.
        KeyboardInterrupt: it was broken off, and has ended.
    """
    words = [job] if partition is None else [job, partition]
    command = [sys.executable, "-m", "mass_pipeline.cli.foreground", str(home), *words]
    click.echo(f"{' '.join(words)} (Dagster takes some seconds to start; then each asset is named when it is made)")
    log = _new_log(logs, job)
    with (
        log.open("w", encoding="utf-8") as output,
        _interrupted_by_signals(),
        subprocess.Popen(  # noqa: S603 - a fixed command of this environment
            # Of a group of its own, so that Ctrl-C reaches it once, from here.
            command, env=dagster_environment(home), stdout=subprocess.PIPE, stderr=output, process_group=0, text=True
        ) as child,
    ):  # fmt: skip
        try:
            failure = _follow(child)
        except BaseException:
            click.echo("  Stopping: what was gathered is written first. Again to end it at once.", err=True)
            child.send_signal(signal.SIGUSR1)
            _follow(child)
            raise
        finally:
            child.kill()
    if child.returncode:
        kind, reason = failure or ("failed", f"{job} ended without a word (exit code {child.returncode}).")
        raise UsageError(reason) if kind == "refused" else MassPipelineError(f"{reason}\nThe whole log: {log}")
    return log


def _new_log(folder: Path, job: str) -> Path:
    """A log for one run: its job, the moment it began, its process; only the newest ones of a job stay."""
    folder.mkdir(parents=True, exist_ok=True)
    name = job if re.fullmatch(r"[a-z_]+", job) else "job"
    for old in sorted(folder.glob(f"{name}-2*.log"))[: 1 - _LOGS_KEPT]:
        old.unlink(missing_ok=True)
    return folder / f"{name}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{os.getpid()}.log"


def _follow(child: subprocess.Popen[str]) -> tuple[Told, str] | None:
    """Show what it tells until it ends; why it failed."""
    failure = None
    assert child.stdout is not None
    for raw in child.stdout:
        kind, text = json.loads(raw)
        if kind == "line":
            click.echo(text)
        else:
            failure = kind, text
    child.wait()
    return failure


@contextmanager
def _interrupted_by_signals() -> Iterator[None]:
    """A service manager and a terminal that is closed stop the job as Ctrl-C does; a background shell ignores the last one."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


_TEMPLATE = project_file("deploy", "dagster.yaml")


def home_of(settings: Settings, environ: Mapping[str, str]) -> Path:
    """DAGSTER_HOME when it is set, else `dagster_home` in the data folder."""
    return Path(environ.get("DAGSTER_HOME") or settings.data_folder / "dagster_home").expanduser().resolve()


def prepare_home(settings: Settings, environ: Mapping[str, str]) -> Path:
    """`home_of`, with its dagster.yaml.

    Raises:
        StorageError: the folder cannot be made.
    """
    home = home_of(settings, environ)
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
    """Dagster's instance of this home; its databases are made by one process at a time, as two fail over each other's tables.

    Raises:
        StorageError: its databases cannot be used; `DiskFull` without room.
    """
    from alembic.util import CommandError
    from dagster import DagsterInstance
    from sqlalchemy.exc import SQLAlchemyError

    handle = os.open(home, os.O_RDONLY)  # the folder itself is locked, so that no file is left
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        instance = DagsterInstance.from_config(str(home))
    except (CommandError, SQLAlchemyError) as error:
        (reason, *_) = str(error).splitlines()
        if "full" in reason:
            raise DiskFull(f"{home}: the disk is full. Free space and start again.") from error
        raise StorageError(
            f"The databases of Dagster in {home} cannot be used ({reason}). Move its folders history, runs and schedules away: "
            "past runs are forgotten, tables and states stay."
        ) from error
    finally:
        os.close(handle)
    with instance:
        yield instance


def keeps_history(home: Path) -> bool:
    """Whether Dagster has run from this home: its databases lie there, or are PostgreSQL's. Answered without Dagster."""
    return any(home.rglob("*.db")) or "postgres" in (home / "dagster.yaml").read_text(encoding="utf-8")


def dagster_environment(home: Path) -> dict[str, str]:
    """The environment for it: this one, with the home, without telemetry and without its notes about newer commands."""
    quiet = {"PYTHONWARNINGS": "ignore", "DAGSTER_DISABLE_TELEMETRY": "1"}
    return {**os.environ, **quiet, "DAGSTER_HOME": str(home)}
