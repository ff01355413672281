"""Erase rows of a state file so that their bytes are gone: overwritten, and not left in the log that SQLite writes ahead."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from mass_pipeline.crawling.fetching.opt_outs import OptOuts
from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.state_file import StateFormat, lock_folder, open_state, overwritten


@contextmanager
def erasing(path: Path, kind: StateFormat) -> Iterator[sqlite3.Connection]:
    """One transaction on a state file that nobody else uses; what it deletes is overwritten.

    Raises:
        StorageError: another process uses the folder, or the file cannot be used; nothing is erased then.
    """
    lock = lock_folder(path.parent, kind.lock)
    try:
        with closing(open_state(path, kind)) as connection, overwritten(connection):
            yield connection
    except sqlite3.Error as error:
        raise StorageError(f"{path}: nothing was erased ({error}). Run the command again.") from error
    finally:
        os.close(lock)


def erase_hosts(connection: sqlite3.Connection, removals: OptOuts) -> None:
    """Forget what is known of removed hosts, robots.txt with the rest, within the transaction of the caller."""
    origins = connection.execute("SELECT origin FROM hosts").fetchall()
    of_hosts = OptOuts(removals.hosts)
    connection.executemany("DELETE FROM hosts WHERE origin=?", [row for row in origins if of_hosts.covers(f"{row[0]}/")])
