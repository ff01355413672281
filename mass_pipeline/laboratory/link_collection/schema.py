"""How the state file of a collection of external links is opened and locked (B1). No rows are read here.

One process collects at a time (a lock beside the file), but others may add sites, delete links and read while it does (B5).
So the file keeps a rollback journal: SQLite before 3.51.3 can damage a WAL database when two connections write at once.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mass_pipeline.crawling.state.link_tables import FILE_NAME, FORMAT, LOCK_NAME
from mass_pipeline.model import state_file
from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.state_file import state_error

_LOCK_TRIES: Final = 20  # whoever asks whether somebody collects holds the lock for a moment
_LOCK_PAUSE_SECONDS: Final = 0.05


def open_state(folder: Path, *, create: bool) -> sqlite3.Connection:
    """The state file, for reading and writing.

    Args:
        folder: of the state.
        create: make it when there is none.

    Raises:
        StorageError: missing, damaged, of something else or newer, or not writable; nothing is changed then.
    """
    path = folder / FILE_NAME
    if not create and not path.exists():
        raise StorageError(f"{path} does not exist: add sites first with `mass-pipeline lab links sites add URL`.")
    connection = state_file.open_state(path, FORMAT)
    connection.row_factory = sqlite3.Row
    connection.create_function("casefold", 1, lambda text: str(text or "").casefold(), deterministic=True)
    return connection


def damaged(folder: Path, error: sqlite3.Error) -> StorageError:
    """The error to raise when a statement fails: what is wrong and what helps."""
    return state_error(folder / FILE_NAME, error, FORMAT)


@contextlib.contextmanager
def collecting_lock(folder: Path) -> Iterator[None]:
    """Be the one process that collects here; the system releases the lock even after kill -9.

    Raises:
        StorageError: another process collects here, which the message names; or the lock cannot be written.
    """
    descriptor = state_file.open_lock(folder, LOCK_NAME)
    try:
        if not _lock_patiently(descriptor):
            raise StorageError(
                f"{folder}: process {_holder(descriptor)} collects here already. "
                "Stop it with `mass-pipeline lab links stop`, or give this one another --state."
            )
        _put_holder(descriptor, folder)
        yield
    finally:
        os.close(descriptor)


def collecting_process(folder: Path) -> int | None:
    """Number of the process that collects here, None when nobody does."""
    if not (folder / LOCK_NAME).exists():
        return None
    descriptor = state_file.open_lock(folder, LOCK_NAME)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return None
    except BlockingIOError:
        return _holder(descriptor)
    finally:
        os.close(descriptor)


def _lock_patiently(descriptor: int) -> bool:
    for _ in range(_LOCK_TRIES):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            time.sleep(_LOCK_PAUSE_SECONDS)
    return False


def _put_holder(descriptor: int, folder: Path) -> None:
    with state_file.errors_told(folder / LOCK_NAME, FORMAT):
        os.truncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)


def _holder(descriptor: int) -> int:
    text = os.pread(descriptor, 20, 0)
    return int(text) if text.isdigit() else 0
