"""The one schema of every state file: what a crawl, a watch and a collection of external links keep over a restart.

A folder has the file of its user (`FORMATS`), and every file has all tables, so that opening, hosts and
erasing are written once. Belongs here: tables, versions, formats. Not here: transactions (`database`), what rows mean.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

from mass_pipeline.model import state_file
from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.state_file import StateFormat

CRAWL_FILE: Final = "crawl.sqlite"
WATCH_FILE: Final = "watch.sqlite"
LINKS_FILE: Final = "links.sqlite"
LINKS_LOCK: Final = "links.lock"
VERSION: Final = 5
_CHECKED_BYTES: Final = 256 * 1024 * 1024  # a full check reads the whole file; larger ones are checked page by page in use
_LINKS_BUSY_SECONDS: Final = 30.0  # a reader or writer waits so long for another's transaction, which takes milliseconds

_META: Final = "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
_HOSTS: Final = """
CREATE TABLE hosts(
    origin TEXT PRIMARY KEY, robots_state TEXT, robots_reason TEXT, robots_text TEXT, robots_at REAL,
    delay REAL NOT NULL, crawl_delay REAL NOT NULL, not_before REAL NOT NULL, failures INTEGER NOT NULL,
    mining_text TEXT, mining_at REAL, asked REAL) WITHOUT ROWID;
"""
_CRAWL: Final = """
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
_WATCH: Final = """
CREATE TABLE watched_sites(
    site_id TEXT PRIMARY KEY, url TEXT NOT NULL, scope_prefix TEXT NOT NULL, active INTEGER NOT NULL,
    weight REAL NOT NULL DEFAULT 1, hosts TEXT NOT NULL DEFAULT '[]', menu TEXT NOT NULL DEFAULT '[]', found_at REAL,
    failures INTEGER NOT NULL DEFAULT 0, next_at REAL NOT NULL DEFAULT 0, reason TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE INDEX sites_due ON watched_sites(active, next_at);
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
_LINKS: Final = """
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

_CRAWL_FORMAT: Final = StateFormat(
    VERSION, _META + _HOSTS + _CRAWL + _WATCH + _LINKS, unused="no crawl has used this state folder yet"
)  # fmt: skip
FORMATS: Final = {
    CRAWL_FILE: _CRAWL_FORMAT,
    WATCH_FILE: replace(
        _CRAWL_FORMAT, unused="nothing has been watched with this state folder yet"
    ),
    LINKS_FILE: replace(  # several processes write
        _CRAWL_FORMAT, journal="DELETE", busy_seconds=_LINKS_BUSY_SECONDS, lock=LINKS_LOCK,
        other="another --state", unused="add sites first with `mass-pipeline lab links sites add URL`",
    ),
}  # fmt: skip


def open_for_writing(folder: Path, file: str, *, is_checked: bool = True) -> sqlite3.Connection:
    """The state file, made when there is none; rows have the names of their columns.

    Args:
        file: a key of `FORMATS`.
        is_checked: look for damage first, in a file of a size that this takes no long time for.

    Raises:
        StorageError: damaged, of something else, too old or too new, or not writable; nothing is changed then.
    """
    path, kind = folder / file, FORMATS[file]
    connection = state_file.open_state(path, kind, check=_check if is_checked else None)
    try:
        with state_file.errors_told(path, kind):
            _require_columns(connection, path)
    except BaseException:
        connection.close()
        raise
    connection.row_factory = sqlite3.Row
    return connection


def open_for_reading(folder: Path, file: str) -> sqlite3.Connection:
    """The state file, read only; its writer may go on meanwhile.

    Raises:
        StorageError: missing, damaged, of another version.
    """
    path, kind = folder / file, FORMATS[file]
    connection = state_file.open_for_reading(path, kind, check=_require_columns)
    connection.row_factory = sqlite3.Row
    return connection


def _require_columns(connection: sqlite3.Connection, path: Path) -> None:
    """A flipped bit in the description of a table may make another table of it that opens as well."""
    with closing(sqlite3.connect(":memory:")) as fresh:
        fresh.executescript(_CRAWL_FORMAT.tables)
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
