"""What every SQLite state of the crawler has in common: its version, and what an error of SQLite means to whoever runs it.

Which tables a state has, its journal and its lock are the business of its own module (`schema`, `watching.database`,
`link_collection.schema`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path

from mass_pipeline.model.errors import DiskFull, StorageError


def state_error(path: Path, error: Exception, *, other: str = "another state folder") -> StorageError:
    """The error to raise when a statement fails: what is wrong and what helps. A full disk is `DiskFull` everywhere.

    Args:
        path: of the state file.
        other: what the operator may choose instead.
    """
    text = str(error)
    if "full" in text:
        return DiskFull(f"{path}: the disk is full. Everything acknowledged is kept; free space and start again to go on.")
    if "readonly" in text or "unable to open" in text:
        return StorageError(f"{path} cannot be written ({text}). Check its permissions or choose {other}.")
    if "locked" in text:
        return StorageError(f"{path} is locked by another program. Close it and start again.")
    return StorageError(f"{path} cannot be read ({text}). Move it away to start anew, or restore a copy.")


def version_of(connection: sqlite3.Connection, path: Path, known: int, *, other: str = "another state folder") -> int:
    """Format of the file, 0 for an empty one.

    Raises:
        StorageError: it is newer, or of something else; nothing is changed.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > known:
        raise StorageError(
            f"{path} was written by a newer version (format {version}, this one knows {known}). Update, or use {other}."
        )
    if version == 0 and connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        raise StorageError(f"{path} is a database of something else. Choose {other}.")
    return version


def bring_up_to_date(connection: sqlite3.Connection, version: int, known: int, tables: str, upgrades: Mapping[int, str]) -> None:
    """Make the tables, or lead an older format to the known one; one transaction, so that a death leaves the old format.

    Args:
        version: as `version_of` gave it.
        upgrades: format -> what leads to the next.
    """
    if version == known:
        return
    steps = tables if version == 0 else "".join(upgrades[step] for step in range(version, known))
    connection.executescript(f"BEGIN IMMEDIATE; {steps} PRAGMA user_version={known}; COMMIT;")
