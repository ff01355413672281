"""The one SQLite file of discovery: quota ledger, answers of Places, decisions, raw pages. Opening and transactions only.

Rollback journal and synchronous=FULL: every transaction is on the disk before the next step, and the WAL-reset bug of SQLite
before 3.51.3 cannot touch a file that several processes write.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Generic, Self, TypeVar

from mass_pipeline.model.errors import MassPipelineError, StorageError

_BUSY_SECONDS: Final = 60.0
_SCHEMA_VERSION: Final = 1
_SCHEMA: Final = """
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


T = TypeVar("T")


class _Work(Generic[T]):
    """A piece of work of one thread inside a shared transaction, and how it ended."""

    __slots__ = ("_error", "_result", "_work", "is_done")

    def __init__(self, work: Callable[[sqlite3.Connection], T]) -> None:
        self._work = work
        self._result: list[T] = []
        self._error: BaseException | None = None
        self.is_done = False

    def run(self, connection: sqlite3.Connection) -> None:
        """Do it behind a savepoint; an error undoes this work alone."""
        connection.execute("SAVEPOINT work")
        try:
            self._result.append(self._work(connection))
        except MassPipelineError as error:
            connection.execute("ROLLBACK TO work")
            self._error = error
        connection.execute("RELEASE work")

    def fail(self, error: BaseException) -> None:
        """The transaction failed: whatever this work did does not count."""
        self._error = error

    def outcome(self) -> T:
        """The result, or the error raised anew."""
        if self._error is not None:
            raise self._error
        return self._result[0]


class StateFile:
    """One connection, shared by the threads of this process; other processes may have theirs."""

    def __init__(self, path: Path) -> None:
        """Open the file, making it and its folder when they are missing.

        Raises:
            StorageError: it cannot be opened, or is no such file.
        """
        self.path = path
        self._lock = threading.RLock()
        self._waiting: deque[_Work[Any]] = deque()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            self._connection.execute("PRAGMA journal_mode = TRUNCATE")  # a persistent journal would keep removed content
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.execute("PRAGMA secure_delete = ON")  # removed Places content must not stay in free pages
            self._prepare()
        except (OSError, sqlite3.Error) as error:
            raise StorageError(f"{path}: cannot be opened as the state of discovery ({error}).") from error

    def _prepare(self) -> None:
        """Make the tables, or refuse those of another version: guessing at the meaning of a ledger could overspend."""
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        (tables,) = self._connection.execute("SELECT COUNT(*) FROM sqlite_master WHERE type = 'table'").fetchone()
        if tables and version != _SCHEMA_VERSION:
            raise StorageError(
                f"{self.path}: was written by another version of this program (its tables have version {version}, not "
                f"{_SCHEMA_VERSION}). Move it away; units spent in the last 24 hours are then unknown, so wait a day before "
                "Places is asked again."
            )
        self._connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {_SCHEMA_VERSION}; COMMIT;")

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """A write transaction: all or nothing, and on the disk when the block is left.

        Raises:
            StorageError: the disk is full, the file is locked for a minute, or broken; nothing was changed.
        """
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    yield self._connection
                except BaseException:
                    self._connection.execute("ROLLBACK")
                    raise
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise StorageError(f"{self.path}: the state of discovery cannot be written ({error}).") from error

    def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do one piece of work in a transaction that threads share: whoever gets the file commits for all who wait.

        A thousand commits a minute are mostly waiting for the disk; threads that look parishes up wait together. Work that
        raises is undone alone and raises here; the others are not touched.

        Raises:
            StorageError: the transaction could not be committed; none of its work counts.
        """
        mine: _Work[T] = _Work(work)
        self._waiting.append(mine)
        with self._lock:
            if not mine.is_done:
                self._commit_together()
        return mine.outcome()

    def _commit_together(self) -> None:
        """Commit everything that waits; called with the lock held."""
        batch = [self._waiting.popleft() for _ in range(len(self._waiting))]
        try:
            with self.transaction() as connection:
                for piece in batch:
                    piece.run(connection)
        except BaseException as error:
            for piece in batch:
                piece.fail(error)
            if not isinstance(error, Exception):
                raise
        for piece in batch:
            piece.is_done = True

    def rows(self, query: str, values: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
        """Rows of a reading query."""
        with self._lock:
            return self._connection.execute(query, values).fetchall()

    def close(self) -> None:
        """Close the connection; committed work stays."""
        with self._lock:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __del__(self) -> None:
        """A forgotten file is closed with its owner: every transaction is on the disk already."""
        if hasattr(self, "_connection"):
            self._connection.close()
