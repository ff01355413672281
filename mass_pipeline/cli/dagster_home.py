"""Where Dagster keeps runs, events and schedules of one data folder, and how its programs are called from here."""

from __future__ import annotations

import fcntl
import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.project_files import project_file
from mass_pipeline.model.whole_files import make_private
from mass_pipeline.resources.settings import Settings

if TYPE_CHECKING:
    from dagster import DagsterInstance

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
