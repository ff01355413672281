"""The state file of a collection of external links (B1): its tables, its version, how to open it. No rows are read here.

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

from mass_pipeline.crawler.state import tables
from mass_pipeline.model import state_file
from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.state_file import StateFormat, state_error

FILE_NAME: Final = "links.sqlite"
LOCK_NAME: Final = "links.lock"
VERSION: Final = 3
BUSY_SECONDS: Final = 30.0  # a reader or writer waits so long for another's transaction, which takes milliseconds
_LOCK_TRIES: Final = 20  # whoever asks whether somebody collects holds the lock for a moment
_LOCK_PAUSE_SECONDS: Final = 0.05

_TABLES: Final = (
    tables.TABLES
    + """
CREATE TABLE settings(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE seeds(
    number INTEGER PRIMARY KEY, full_name TEXT NOT NULL, short_name TEXT NOT NULL UNIQUE, start_url TEXT NOT NULL UNIQUE,
    scope_prefix TEXT NOT NULL DEFAULT '/', max_level INTEGER, status TEXT NOT NULL DEFAULT 'waiting',
    reason TEXT NOT NULL DEFAULT '', hosts TEXT NOT NULL DEFAULT '[]', removed INTEGER NOT NULL DEFAULT 0);
CREATE TABLE internal_links(
    link_id INTEGER PRIMARY KEY, number INTEGER NOT NULL, url TEXT NOT NULL, url_key TEXT NOT NULL, found_on INTEGER,
    level INTEGER NOT NULL, state TEXT NOT NULL DEFAULT 'waiting', outcome TEXT, reason TEXT NOT NULL DEFAULT '',
    final_url TEXT, status INTEGER, encoding TEXT, body_sha256 BLOB, UNIQUE(number, url_key));
CREATE INDEX internal_links_waiting ON internal_links(number, level, link_id) WHERE state='waiting';
CREATE INDEX internal_links_bodies ON internal_links(number, body_sha256) WHERE body_sha256 IS NOT NULL;
CREATE TABLE turns(
    turn_id INTEGER PRIMARY KEY AUTOINCREMENT, number INTEGER NOT NULL, link_id INTEGER NOT NULL, asked INTEGER NOT NULL,
    new_links INTEGER NOT NULL, at REAL NOT NULL, elapsed_ms INTEGER NOT NULL, bytes INTEGER NOT NULL);
CREATE INDEX turns_of_site ON turns(number);
CREATE TABLE external_links(
    external_id INTEGER PRIMARY KEY, number INTEGER NOT NULL, url TEXT NOT NULL, url_key TEXT NOT NULL, site TEXT NOT NULL,
    found_on INTEGER NOT NULL, level INTEGER NOT NULL, anchor TEXT NOT NULL, context TEXT NOT NULL, found_at REAL NOT NULL,
    deleted INTEGER NOT NULL DEFAULT 0, UNIQUE(number, url_key));
CREATE TABLE bad_links(
    number INTEGER NOT NULL, href TEXT NOT NULL, reason TEXT NOT NULL, found_on INTEGER NOT NULL, PRIMARY KEY(number, href)
    ) WITHOUT ROWID;
"""
)
# What leads from each format to the next; one transaction, so that a death in between leaves the old format.
_UPGRADES: Final = {
    1: "ALTER TABLE hosts ADD COLUMN asked REAL;",
    2: "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID; "
    "INSERT INTO meta SELECT name,value FROM control; DROP TABLE control;",
}
FORMAT: Final = StateFormat(
    VERSION, _TABLES, _UPGRADES, journal="DELETE", busy_seconds=BUSY_SECONDS, lock=LOCK_NAME, other="another --state"
)


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
        raise StorageError(f"{path} does not exist: add sites first with `mass-pipeline links sites add URL`.")
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
                "Stop it with `mass-pipeline links stop`, or give this one another --state."
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
