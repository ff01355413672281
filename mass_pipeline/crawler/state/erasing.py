"""Erase rows of a state file so that their bytes are gone: overwritten, and not left in the log that SQLite writes ahead."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mass_pipeline.crawler.state.schema import lock_state
from mass_pipeline.model.errors import StorageError


@contextmanager
def erasing(path: Path) -> Iterator[sqlite3.Connection]:
    """One transaction on a state file that nobody else uses; what it deletes is overwritten.

    Raises:
        StorageError: another process uses the folder, or the file cannot be used; nothing is erased then.
    """
    lock = lock_state(path.parent)
    try:
        connection = sqlite3.connect(path, isolation_level=None)
        try:
            with overwritten(connection):
                yield connection
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise StorageError(f"{path}: nothing was erased ({error}). Run the command again.") from error
    finally:
        os.close(lock)


@contextmanager
def overwritten(connection: sqlite3.Connection) -> Iterator[None]:
    """One transaction whose deleted rows are overwritten with zeros, in the file and in what was written ahead of it."""
    connection.execute("PRAGMA secure_delete=ON")
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
