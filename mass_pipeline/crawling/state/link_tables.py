"""The state file of a collection of external links: its tables, its version, and how pages are erased from it.

The laboratory collects them; the tables stand here because a purge reaches every state file of a data folder.
"""

from __future__ import annotations

import sqlite3
from typing import Final

from mass_pipeline.crawling.fetching.opt_outs import OptOuts
from mass_pipeline.crawling.state import tables
from mass_pipeline.model.state_file import StateFormat

FILE_NAME: Final = "links.sqlite"
LOCK_NAME: Final = "links.lock"
VERSION: Final = 3
BUSY_SECONDS: Final = 30.0  # a reader or writer waits so long for another's transaction, which takes milliseconds

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


def erase_links(connection: sqlite3.Connection, removals: OptOuts) -> int:
    """Forget every page that is covered, within the transaction of the caller; how many pages that were."""
    rows = connection.execute("SELECT link_id,url,final_url FROM internal_links").fetchall()
    pages = [(row[0],) for row in rows if removals.covers(row[1]) or removals.covers(row[2])]
    connection.executemany("DELETE FROM external_links WHERE found_on=?", pages)
    connection.executemany("DELETE FROM bad_links WHERE found_on=?", pages)
    connection.executemany("DELETE FROM turns WHERE link_id=?", pages)
    connection.executemany("DELETE FROM internal_links WHERE link_id=?", pages)
    seeds = connection.execute("SELECT number,start_url FROM seeds").fetchall()
    connection.executemany("UPDATE seeds SET removed=1 WHERE number=?", [(n,) for n, url in seeds if removals.covers(url)])
    return len(pages)
