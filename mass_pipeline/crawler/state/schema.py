"""The state file: its tables, its version, and how to open it without harm. SQLite only; no rows are read or written here.

One writer process at a time (a lock beside the file): SQLite before 3.51.3 can damage a WAL database when two connections
write or checkpoint at once (hazards 0.6).
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from mass_pipeline.crawler.state.state_file import bring_up_to_date, state_error, version_of
from mass_pipeline.model.errors import StorageError

FILE_NAME: Final = "crawl.sqlite"
LOCK_NAME: Final = "crawl.lock"
VERSION: Final = 3
_CHECKED_BYTES: Final = 256 * 1024 * 1024  # a full check reads the whole file; larger ones are checked page by page in use

_TABLES: Final = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sites(
    site_id INTEGER PRIMARY KEY, parish_id TEXT NOT NULL UNIQUE, start_url TEXT NOT NULL, scope_prefix TEXT NOT NULL,
    domain TEXT NOT NULL DEFAULT '', status TEXT NOT NULL DEFAULT 'new', outcome TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '', requests INTEGER NOT NULL DEFAULT 0, body_bytes INTEGER NOT NULL DEFAULT 0,
    seconds REAL NOT NULL DEFAULT 0, hosts TEXT NOT NULL DEFAULT '');
CREATE TABLE urls(
    url_id INTEGER PRIMARY KEY, site_id INTEGER NOT NULL, url TEXT NOT NULL, url_md5 BLOB NOT NULL UNIQUE,
    depth INTEGER NOT NULL, referrer_id INTEGER, link_text TEXT NOT NULL, hops INTEGER NOT NULL DEFAULT 0,
    state INTEGER NOT NULL DEFAULT 0, lease INTEGER, attempts INTEGER NOT NULL DEFAULT 0, next_try_at REAL,
    outcome TEXT, reason TEXT, final_url TEXT, status INTEGER, checked_at REAL, deaths INTEGER NOT NULL DEFAULT 0);
CREATE INDEX urls_of_site ON urls(site_id);
CREATE TABLE pages(
    url_id INTEGER PRIMARY KEY, content_type TEXT, encoding TEXT, etag TEXT, last_modified TEXT, fetched_at REAL NOT NULL,
    elapsed_ms INTEGER, truncated INTEGER NOT NULL, tls_verified INTEGER NOT NULL, body BLOB, body_sha256 BLOB,
    dictionary_id INTEGER, interval_days REAL NOT NULL, next_visit_at REAL NOT NULL, confirmed_at REAL);
CREATE TABLE dictionaries(dictionary_id INTEGER PRIMARY KEY, content BLOB NOT NULL);
CREATE TABLE hosts(
    origin TEXT PRIMARY KEY, robots_state TEXT, robots_reason TEXT, robots_text TEXT, robots_at REAL,
    delay REAL NOT NULL, crawl_delay REAL NOT NULL, not_before REAL NOT NULL, failures INTEGER NOT NULL,
    mining_text TEXT, mining_at REAL, asked REAL NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE TABLE refused_links(
    site_id INTEGER NOT NULL, referrer_id INTEGER NOT NULL, href TEXT NOT NULL, outcome TEXT NOT NULL, reason TEXT NOT NULL,
    link_text TEXT NOT NULL);
CREATE INDEX refused_links_of_site ON refused_links(site_id);
CREATE TABLE history(at REAL NOT NULL, url_id INTEGER NOT NULL, outcome TEXT NOT NULL, status INTEGER);
"""
# What leads from each format to the next; one transaction, so that a death in between leaves the old format.
_UPGRADES: Final = {
    1: "ALTER TABLE hosts ADD COLUMN mining_text TEXT; ALTER TABLE hosts ADD COLUMN mining_at REAL;",
    2: "ALTER TABLE urls ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0; ALTER TABLE pages ADD COLUMN confirmed_at REAL; "
    "ALTER TABLE hosts ADD COLUMN asked REAL NOT NULL DEFAULT 0; "
    "UPDATE pages SET confirmed_at=coalesce((SELECT u.checked_at FROM urls u WHERE u.url_id=pages.url_id "
    "AND u.outcome IN ('ok','truncated','not_modified')),fetched_at);",
}


def lock_state(folder: Path, user: str = "crawl") -> int:
    """Take the state folder for this process; the system releases it even after kill -9.

    Returns:
        File descriptor that holds the lock until it is closed.

    Raises:
        StorageError: the folder cannot be written, or another process holds it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder / LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise StorageError(f"{folder}: the state folder cannot be written ({error.strerror}). Choose another one.") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        raise StorageError(
            f"{folder}: another {user} is using this state. Wait for it, or give this one its own folder."
        ) from error
    return descriptor


def open_for_writing(folder: Path) -> sqlite3.Connection:
    """The state file, made when there is none.

    Raises:
        StorageError: damaged, written by a newer version, or not writable; nothing is changed then.
    """
    path = folder / FILE_NAME
    is_new = not path.exists()
    connection = _connect(str(path), path)
    try:
        version = version_of(connection, path, VERSION)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")  # WAL with FULL: what is committed survives a power cut
        connection.execute("PRAGMA cache_size=-8000")
        if version and not is_new and path.stat().st_size <= _CHECKED_BYTES:
            _check(connection, path)
        bring_up_to_date(connection, version, VERSION, _TABLES, _UPGRADES)
        _require_columns(connection, path)
    except BaseException as error:
        connection.close()
        if isinstance(error, sqlite3.DatabaseError | UnicodeDecodeError):  # its own complaints may quote the damage
            raise state_error(path, error) from error
        raise
    return connection


def open_for_reading(folder: Path) -> sqlite3.Connection:
    """The state file, read only; a crawl may go on meanwhile.

    Raises:
        StorageError: missing, damaged or newer.
    """
    path = folder / FILE_NAME
    if not path.exists():
        raise StorageError(f"{path} does not exist: no crawl has used this state folder yet.")
    connection = _connect(f"file:{_quoted(path)}?mode=ro", path, uri=True)
    try:
        version = version_of(connection, path, VERSION)
        if version == 0:
            raise StorageError(f"{path} is empty: no crawl has got so far as to use this state folder.")
        if version == VERSION:
            _require_columns(connection, path)
    except BaseException as error:
        connection.close()
        if isinstance(error, sqlite3.DatabaseError | UnicodeDecodeError):  # its own complaints may quote the damage
            raise state_error(path, error) from error
        raise
    return connection


def _connect(name: str, path: Path, *, uri: bool = False) -> sqlite3.Connection:
    try:
        return sqlite3.connect(name, uri=uri, isolation_level=None)
    except sqlite3.DatabaseError as error:
        raise state_error(path, error) from error


def damaged(folder: Path, error: sqlite3.Error) -> StorageError:
    """The error to raise when a statement fails in the middle of the work."""
    return state_error(folder / FILE_NAME, error)


def _require_columns(connection: sqlite3.Connection, path: Path) -> None:
    """A flipped bit in the description of a table may make another table of it that opens as well."""
    with closing(sqlite3.connect(":memory:")) as fresh:
        fresh.executescript(_TABLES)
        for (table,) in fresh.execute("SELECT name FROM sqlite_master WHERE type='table'").fetchall():
            query = f"SELECT name,type,pk FROM pragma_table_info('{table}') ORDER BY name"  # noqa: S608  # names of our own
            if fresh.execute(query).fetchall() != connection.execute(query).fetchall():
                raise StorageError(f"{path} is damaged (table {table}). Move it away to start anew, or restore a copy.")


def _check(connection: sqlite3.Connection, path: Path) -> None:
    verdict = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]  # also whether indexes hold what tables hold
    if verdict != "ok":
        raise StorageError(f"{path} is damaged ({verdict}). Move it away to start anew, or restore a copy.")


def _quoted(path: Path) -> str:
    from urllib.parse import quote

    return quote(str(path.resolve()))
