"""The state file of a crawl: its tables, its version, and how to open it without harm. No rows are read or written here."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from mass_pipeline.crawling.state import tables
from mass_pipeline.model import state_file
from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.state_file import StateFormat, state_error

FILE_NAME: Final = "crawl.sqlite"
VERSION: Final = 4
_CHECKED_BYTES: Final = 256 * 1024 * 1024  # a full check reads the whole file; larger ones are checked page by page in use

_TABLES: Final = (
    tables.TABLES
    + """
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
    dictionary_id INTEGER, interval_days REAL NOT NULL, next_visit_at REAL NOT NULL, confirmed_at REAL, rendering TEXT);
CREATE TABLE dictionaries(dictionary_id INTEGER PRIMARY KEY, content BLOB NOT NULL);
CREATE TABLE refused_links(
    site_id INTEGER NOT NULL, referrer_id INTEGER NOT NULL, href TEXT NOT NULL, outcome TEXT NOT NULL, reason TEXT NOT NULL,
    link_text TEXT NOT NULL);
CREATE INDEX refused_links_of_site ON refused_links(site_id);
CREATE TABLE history(at REAL NOT NULL, url_id INTEGER NOT NULL, outcome TEXT NOT NULL, status INTEGER);
"""
)
# What leads from each format to the next; one transaction, so that a death in between leaves the old format.
_UPGRADES: Final = {
    1: "ALTER TABLE hosts ADD COLUMN mining_text TEXT; ALTER TABLE hosts ADD COLUMN mining_at REAL;",
    2: "ALTER TABLE urls ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0; ALTER TABLE pages ADD COLUMN confirmed_at REAL; "
    "ALTER TABLE hosts ADD COLUMN asked REAL NOT NULL DEFAULT 0; "
    "UPDATE pages SET confirmed_at=coalesce((SELECT u.checked_at FROM urls u WHERE u.url_id=pages.url_id "
    "AND u.outcome IN ('ok','truncated','not_modified')),fetched_at);",
    3: "ALTER TABLE pages ADD COLUMN rendering TEXT;",
}


FORMAT: Final = StateFormat(VERSION, _TABLES, _UPGRADES, unused="no crawl has used this state folder yet")


def open_for_writing(folder: Path) -> sqlite3.Connection:
    """The state file, made when there is none.

    Raises:
        StorageError: damaged, written by a newer version, or not writable; nothing is changed then.
    """
    path = folder / FILE_NAME
    connection = state_file.open_state(path, FORMAT, check=_check)
    try:
        _require_columns(connection, path)
    except sqlite3.Error as error:
        connection.close()
        raise damaged(folder, error) from error
    except BaseException:
        connection.close()
        raise
    return connection


def open_for_reading(folder: Path) -> sqlite3.Connection:
    """The state file, read only; a crawl may go on meanwhile.

    Raises:
        StorageError: missing, damaged or newer.
    """
    return state_file.open_for_reading(folder / FILE_NAME, FORMAT, check=_require_columns)


def damaged(folder: Path, error: Exception) -> StorageError:
    """The error to raise when a statement fails in the middle of the work."""
    return state_error(folder / FILE_NAME, error, FORMAT)


def _require_columns(connection: sqlite3.Connection, path: Path) -> None:
    """A flipped bit in the description of a table may make another table of it that opens as well."""
    with closing(sqlite3.connect(":memory:")) as fresh:
        fresh.executescript(_TABLES)
        for (table,) in fresh.execute("SELECT name FROM sqlite_master WHERE type='table'").fetchall():
            query = f"SELECT name,type,pk FROM pragma_table_info('{table}') ORDER BY name"  # noqa: S608  # names of our own
            if fresh.execute(query).fetchall() != connection.execute(query).fetchall():
                raise StorageError(f"{path} is damaged (table {table}). Move it away to start anew, or restore a copy.")


def _check(connection: sqlite3.Connection, path: Path) -> None:
    if path.stat().st_size > _CHECKED_BYTES:
        return
    verdict = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]  # also whether indexes hold what tables hold
    if verdict != "ok":
        raise StorageError(f"{path} is damaged ({verdict}). Move it away to start anew, or restore a copy.")
