"""How every SQLite state is opened, locked, changed, read and fails: one way for all of them.

A state is written while work goes on, and outlives a death of its process. Which tables it has and who may use it at once is a
value of its own module (`StateFormat`); no rows are read or written here. Not here: the public index, which is written once
and never changed (finding.index), and databases of several machines.
"""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from mass_pipeline.model.errors import DiskFull, StorageError

LOCK_NAME: Final = "crawl.lock"


@dataclass(frozen=True, slots=True)
class StateFormat:
    """One kind of state.

    Attributes:
        version: of its tables; 0 for tables that never change.
        tables: statements that make them.
        journal: `WAL` for one writer at a time (SQLite before 3.51.3 can damage a WAL database when two connections write or
            checkpoint at once, hazards 0.6), a rollback journal (`DELETE`, `TRUNCATE`) for several.
        synchronous: `FULL`: what is committed survives a power cut.
        busy_seconds: how long another's transaction is waited for.
        secure_delete: removed rows are overwritten.
        is_shared: threads share a connection, and see to it that one uses it at a time.
        lock: name of the lock beside the file, where one process works at a time.
        other: what the operator may choose instead.
        name: what it is to people, where its path does not say so.
        unused: what to say when there is no file to read yet.
        damaged: what helps a file that cannot be read; where starting anew costs money, that is said.
    """

    version: int
    tables: str = field(repr=False)
    journal: Literal["WAL", "DELETE", "TRUNCATE"] = "WAL"
    synchronous: Literal["FULL", "OFF"] = "FULL"
    busy_seconds: float = 5.0
    secure_delete: bool = False
    is_shared: bool = False
    lock: str = LOCK_NAME
    other: str = "another state folder"
    name: str = ""
    unused: str = "nothing has used this state folder yet"
    damaged: str = "Restore a copy, or move it away to start anew"


def open_state(
    path: Path, kind: StateFormat, *, check: Callable[[sqlite3.Connection, Path], None] | None = None
) -> sqlite3.Connection:
    """The state for reading and writing, made with its folder when there is none.

    Args:
        check: looks at a file that was there before anything is changed in it.

    Raises:
        StorageError: damaged, of something else or newer, or not writable; nothing is changed then. `DiskFull` without room.
    """
    with errors_told(path, kind):
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=kind.busy_seconds, isolation_level=None, check_same_thread=not kind.is_shared)
        with _closed_by_errors(connection):
            version = _version_of(connection, path, kind)
            connection.execute(f"PRAGMA journal_mode={kind.journal}")
            connection.execute(f"PRAGMA synchronous={kind.synchronous}")
            connection.execute("PRAGMA cache_size=-8000")
            if kind.secure_delete:
                connection.execute("PRAGMA secure_delete=ON")
            if version and check is not None:
                check(connection, path)
            _make_tables(connection, version, path, kind)
    return connection


def open_for_reading(
    path: Path, kind: StateFormat, *, check: Callable[[sqlite3.Connection, Path], None] | None = None
) -> sqlite3.Connection:
    """The state, read only; its writer may go on meanwhile.

    Args:
        check: looks at a file of the newest version.

    Raises:
        StorageError: missing, empty, damaged or newer.
    """
    if not path.exists():
        raise StorageError(f"{path} does not exist: {kind.unused}.")
    with errors_told(path, kind):
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
        with _closed_by_errors(connection):
            version = _version_of(connection, path, kind)
            if version == 0:
                raise StorageError(f"{path} is empty: {kind.unused}.")
            if version == kind.version and check is not None:
                check(connection, path)
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection, path: Path, kind: StateFormat) -> Iterator[sqlite3.Connection]:
    """All or nothing.

    Raises:
        StorageError: the file is damaged or taken for too long; nothing of the transaction is kept. `DiskFull` without room.
    """
    try:
        connection.execute("BEGIN IMMEDIATE")
        yield connection
        connection.execute("COMMIT")
    except BaseException as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if isinstance(error, sqlite3.Error):
            raise state_error(path, error, kind) from error
        raise


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


def lock_folder(folder: Path, name: str = LOCK_NAME, *, user: str = "crawl") -> int:
    """Take a state folder for this process; the system releases it even after kill -9.

    Args:
        name: of the lock in the folder.
        user: what the process does, for people.

    Returns:
        File descriptor that holds the lock until it is closed.

    Raises:
        StorageError: the folder cannot be written, or another process holds it.
    """
    descriptor = open_lock(folder, name)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        raise StorageError(
            f"{folder}: another {user} is using this state. Wait for it, or give this one its own folder."
        ) from error
    return descriptor


def open_lock(folder: Path, name: str = LOCK_NAME) -> int:
    """The file that is locked, open; nobody holds it yet.

    Raises:
        StorageError: the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return os.open(folder / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise StorageError(f"{folder}: the state folder cannot be written ({error.strerror}). Choose another one.") from error


def state_error(path: Path, error: Exception, kind: StateFormat) -> StorageError:
    """The error to raise when a statement fails: what is wrong and what helps. A full disk is `DiskFull` everywhere."""
    text = str(error)
    subject = f"{path} ({kind.name})" if kind.name else str(path)
    if "full" in text or "No space" in text:
        return DiskFull(f"{subject}: the disk is full. Everything acknowledged is kept; free space and start again to go on.")
    if "readonly" in text or "unable to open" in text or isinstance(error, OSError):
        return StorageError(f"{subject} cannot be written ({text}). Check its permissions or choose {kind.other}.")
    if "locked" in text:
        return StorageError(f"{subject} is locked by another program. Close it and start again.")
    if isinstance(error, sqlite3.IntegrityError | sqlite3.ProgrammingError | sqlite3.InterfaceError):
        return StorageError(
            f"{subject}: a fault of the program ({text}). The file is sound and nothing of this change was kept: leave it where "
            "it is, and report this line."
        )
    return StorageError(f"{subject} cannot be read ({text}). {kind.damaged}.")


@contextmanager
def errors_told(path: Path, kind: StateFormat) -> Iterator[None]:
    """Whatever fails inside is `state_error`."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError, json.JSONDecodeError, OSError) as error:  # SQLite quotes the damage
        raise state_error(path, error, kind) from error


@contextmanager
def _closed_by_errors(connection: sqlite3.Connection) -> Iterator[None]:
    try:
        yield
    except BaseException:
        connection.close()
        raise


def _version_of(connection: sqlite3.Connection, path: Path, kind: StateFormat) -> int:
    """Version of the file, 0 for an empty one; both questions are one look, as another process may make the tables meanwhile."""
    version, tables = connection.execute(
        "SELECT user_version, (SELECT count(*) FROM sqlite_master) FROM pragma_user_version"
    ).fetchone()
    if version > kind.version:
        raise StorageError(
            f"{path} was written by a newer version (format {version}, this one knows {kind.version}). "
            f"Update, or use {kind.other}."
        )
    if version not in (0, kind.version):
        raise StorageError(f"{path} was written by a version from before 0.2.0. Move it away to start anew.")
    if version == 0 and tables and kind.version:
        raise StorageError(f"{path} is a database of something else. Choose {kind.other}.")
    return int(version)


def _make_tables(connection: sqlite3.Connection, version: int, path: Path, kind: StateFormat) -> None:
    """Make the tables of a new file, in one transaction."""
    if version == kind.version and kind.version:
        return
    try:
        connection.executescript(f"BEGIN IMMEDIATE; {kind.tables}; PRAGMA user_version={kind.version}; COMMIT;")
    except sqlite3.OperationalError:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if _version_of(connection, path, kind) != kind.version:  # else another process was faster
            raise
