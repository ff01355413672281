"""The state file of a watch: its tables, its version, its transactions (J3). No rows are read or written here.

SQLite in WAL mode: what a transaction committed survives kill -9 and a power cut. One writer at a time.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

from mass_pipeline.crawling.state import tables
from mass_pipeline.crawling.state.tables import HostRow
from mass_pipeline.model import state_file
from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.state_file import StateFormat, state_error

FILE_NAME: Final = "watch.sqlite"
VERSION: Final = 3

_TABLES: Final = (
    tables.TABLES
    + """
CREATE TABLE sites(
    site_id TEXT PRIMARY KEY, url TEXT NOT NULL, scope_prefix TEXT NOT NULL, active INTEGER NOT NULL,
    weight REAL NOT NULL DEFAULT 1, hosts TEXT NOT NULL DEFAULT '[]', menu TEXT NOT NULL DEFAULT '[]', found_at REAL,
    failures INTEGER NOT NULL DEFAULT 0, next_at REAL NOT NULL DEFAULT 0, reason TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE INDEX sites_due ON sites(active, next_at);
CREATE TABLE lists(
    list_id INTEGER PRIMARY KEY AUTOINCREMENT, site_id TEXT NOT NULL, url TEXT NOT NULL, kind TEXT NOT NULL, weight REAL NOT NULL,
    xpath TEXT NOT NULL, pages TEXT NOT NULL, found INTEGER NOT NULL, etag TEXT, last_modified TEXT, sha256 BLOB, polled_at REAL,
    articles TEXT, exposure TEXT, next_at REAL NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0, outcome TEXT, reason TEXT,
    look INTEGER NOT NULL DEFAULT 0, pending TEXT, pages_read INTEGER NOT NULL DEFAULT 0, published TEXT NOT NULL DEFAULT '[]',
    UNIQUE(site_id, url));
CREATE TABLE articles(
    article_id INTEGER PRIMARY KEY, site_id TEXT NOT NULL, list_id INTEGER, list_look INTEGER NOT NULL, url TEXT NOT NULL,
    source TEXT NOT NULL, anchor TEXT NOT NULL, published TEXT, state INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
    next_at REAL NOT NULL DEFAULT 0, outcome TEXT, reason TEXT, etag TEXT, last_modified TEXT, sha256 BLOB, fetched_at REAL,
    body BLOB, UNIQUE(site_id, url));
CREATE INDEX articles_waiting ON articles(site_id, next_at) WHERE state = 0;
CREATE INDEX articles_of_list ON articles(list_id, published);
CREATE INDEX articles_digest ON articles(site_id, sha256);
CREATE TABLE announcements(
    announcement_id TEXT PRIMARY KEY, site_id TEXT NOT NULL, article_id INTEGER NOT NULL, position INTEGER NOT NULL,
    text TEXT NOT NULL, text_print INTEGER NOT NULL, issued TEXT, title TEXT NOT NULL, author TEXT NOT NULL,
    keywords TEXT NOT NULL, description TEXT NOT NULL, model TEXT NOT NULL, score REAL NOT NULL, sha256 BLOB NOT NULL,
    first_seen_at REAL NOT NULL, fetched_at REAL NOT NULL, withdrawn_at REAL, reading TEXT) WITHOUT ROWID;
CREATE INDEX announcements_of_site ON announcements(site_id, issued);
CREATE INDEX announcements_of_article ON announcements(article_id);
"""
)
# What leads from each format to the next; one transaction, so that a death in between leaves the old format.
_UPGRADES: Final = {
    1: "ALTER TABLE hosts ADD COLUMN asked REAL;",
    # Lists of which a release knew hardly more than their archive were planned without it: looked at as for the first time.
    2: "ALTER TABLE announcements ADD COLUMN reading TEXT;"
    "UPDATE sites SET next_at=0 WHERE site_id IN (SELECT site_id FROM lists WHERE look BETWEEN 1 AND 2);"
    "UPDATE lists SET polled_at=NULL, articles=NULL, exposure=NULL, next_at=0, published=("
    "SELECT json_group_array(published) FROM articles a WHERE a.list_id=lists.list_id AND a.published IS NOT NULL) "
    "WHERE look BETWEEN 1 AND 2;",
}
FORMAT: Final = StateFormat(VERSION, _TABLES, _UPGRADES, unused="nothing has been watched with this state folder yet")


class Database:
    """Writer of one state folder; a context manager.

    Args:
        folder: made when absent.
        topic: what the watch looks for; a state belongs to one topic for ever.

    Attributes:
        was_killed: the last run ended without closing: hosts may have been asked a moment ago.

    Raises:
        StorageError: not writable, in use, damaged, newer, or of another topic; nothing is changed then.
    """

    def __init__(self, folder: Path, topic: str) -> None:
        self.folder = folder
        self.path = folder / FILE_NAME
        self._lock = state_file.lock_folder(folder, user="watch")
        try:
            self.connection = state_file.open_state(self.path, FORMAT)
            self.connection.row_factory = sqlite3.Row
            meta = tables.read_meta(self.connection)
            if meta.get("topic", topic) != topic:
                raise StorageError(
                    f"{folder}: this state watches for the topic {meta['topic']!r}, not {topic!r}. Give it another folder."
                )
        except BaseException:
            os.close(self._lock)
            raise
        self.was_killed = meta.get(tables.CLEAN) == "0"
        self._put_meta({"topic": topic, tables.CLEAN: "0"})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        try:
            if error[0] is None:
                self._put_meta({tables.CLEAN: "1"})
        finally:
            self.connection.close()
            os.close(self._lock)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing.

        Raises:
            StorageError: the disk is full or the file damaged; nothing of the transaction is kept.
        """
        with state_file.transaction(self.connection, self.path, FORMAT) as connection:
            yield connection

    def load_host(self, origin: str) -> HostRow | None:
        """What is remembered of an origin."""
        return tables.find_host(self.connection, origin)

    def put_host(self, host: HostRow) -> None:
        """Remember an origin."""
        with self.transaction() as db:
            db.execute(tables.PUT_HOST, host.values)

    def damaged(self, error: sqlite3.Error) -> StorageError:
        """The error to raise when a statement fails."""
        return state_error(self.path, error, FORMAT)

    def _put_meta(self, values: dict[str, str]) -> None:
        with self.transaction() as db:
            db.executemany(tables.PUT_META, values.items())


def open_for_reading(folder: Path) -> sqlite3.Connection:
    """The state file, read only; a watch may go on meanwhile.

    Raises:
        StorageError: missing or damaged.
    """
    connection = state_file.open_for_reading(folder / FILE_NAME, FORMAT)
    connection.row_factory = sqlite3.Row
    return connection
