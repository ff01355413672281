"""The one SQLite file of discovery: quota ledger, answers of Places, decisions, raw pages. Opening and transactions only.

Rollback journal and synchronous=FULL: every transaction is on the disk before the next step, and the WAL-reset bug of SQLite
before 3.51.3 cannot touch a file that several processes write.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from mass_pipeline.gathering.state_port import Connection, StateStore
from mass_pipeline.model import state_file
from mass_pipeline.model.state_file import StateFormat

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS calls (
    call_id INTEGER PRIMARY KEY,
    question TEXT NOT NULL,
    units INTEGER NOT NULL,
    reserved_at REAL NOT NULL,
    settled_at REAL,
    outcome TEXT NOT NULL,
    bucket INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS spent (
    bucket INTEGER PRIMARY KEY,
    minute INTEGER NOT NULL,
    boot TEXT NOT NULL,
    uptime REAL NOT NULL,
    units INTEGER NOT NULL,
    UNIQUE (minute, boot)
);
CREATE INDEX IF NOT EXISTS calls_open ON calls (question) WHERE outcome = 'open';
CREATE TABLE IF NOT EXISTS answers (
    question TEXT PRIMARY KEY,
    answered_at REAL NOT NULL,
    place_ids TEXT NOT NULL,
    content TEXT,
    content_until REAL
);
CREATE INDEX IF NOT EXISTS answers_by_expiry ON answers (content_until) WHERE content IS NOT NULL;
CREATE TABLE IF NOT EXISTS decisions (
    parish_id TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    decided_at REAL NOT NULL,
    dead_runs INTEGER NOT NULL DEFAULT 0,
    valid_until REAL,
    result TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS editions (
    name TEXT PRIMARY KEY,
    start_url TEXT NOT NULL,
    started_at REAL NOT NULL,
    finished_at REAL
);
CREATE TABLE IF NOT EXISTS raw_pages (
    edition TEXT NOT NULL,
    url TEXT NOT NULL,
    final_url TEXT NOT NULL,
    status INTEGER NOT NULL,
    content_type TEXT,
    fetched_at REAL NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (edition, url)
);
"""
FORMAT: Final = StateFormat(
    1,
    SCHEMA,
    journal="TRUNCATE",  # a persistent journal would keep removed content
    busy_seconds=60.0,
    secure_delete=True,  # removed Places content must not stay in free pages
    is_shared=True,
    other="another file, and wait a day before Places is asked again: units spent in the last 24 hours are unknown then",
    name="state of discovery",
    damaged="Restore a copy: it holds the ledger of paid look-ups. Without one, move it away and wait a day before Places is "
    "asked again (unset MASS_PIPELINE_PLACES_API_KEY): units spent in the last 24 hours are unknown then",
)


class StateFile(StateStore):
    """One connection, shared by the threads of this process; other processes may have theirs."""

    def __init__(self, path: Path) -> None:
        """Open the file, making it and its folder when they are missing.

        Raises:
            StorageError: it cannot be opened, or is no such file: guessing at the meaning of a ledger could overspend.
        """
        super().__init__()
        self.path = path
        self._connection = state_file.open_state(path, FORMAT, check=_refuse_a_damaged_ledger)

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """See `StateStore.transaction`."""
        with self._lock, state_file.transaction(self._connection, self.path, FORMAT) as connection:
            yield connection

    def rows(self, query: str, values: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
        """See `StateStore.rows`."""
        with self._lock, state_file.errors_told(self.path, FORMAT):
            return self._connection.execute(query, values).fetchall()

    def close(self) -> None:
        """See `StateStore.close`."""
        with self._lock:
            self._connection.close()

    def __del__(self) -> None:
        """A forgotten file is closed with its owner: every transaction is on the disk already."""
        if hasattr(self, "_connection"):
            self._connection.close()


def _refuse_a_damaged_ledger(connection: sqlite3.Connection, path: Path) -> None:
    """The units alone: an index that does not fit its table adds them up wrongly without a word."""
    (found,) = connection.execute("PRAGMA integrity_check(spent)").fetchone()
    if found != "ok":
        raise state_file.state_error(path, sqlite3.DatabaseError(" ".join(found.split())), FORMAT)


def open_state(place: Path | str) -> StateStore:
    """The store: of PostgreSQL for a URL, of SQLite for a file.

    Raises:
        StorageError: it cannot be opened.
    """
    if isinstance(place, str):
        from mass_pipeline.gathering.postgres_state import PostgresState  # one machine alone needs no driver

        return PostgresState(place)
    return StateFile(place)
