"""The one process that collects external links in a folder; others may add sites, delete links and read while it does (B5)."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mass_pipeline.crawling.state.schema import FORMATS, LINKS_FILE
from mass_pipeline.crawling.state.schema import LINKS_LOCK as LOCK_NAME
from mass_pipeline.model import state_file
from mass_pipeline.model.errors import StorageError

_LOCK_TRIES: Final = 20  # whoever asks whether somebody collects holds the lock for a moment
_LOCK_PAUSE_SECONDS: Final = 0.05


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
    with state_file.errors_told(folder / LOCK_NAME, FORMATS[LINKS_FILE]):
        os.truncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)


def _holder(descriptor: int) -> int:
    text = os.pread(descriptor, 20, 0)
    return int(text) if text.isdigit() else 0
