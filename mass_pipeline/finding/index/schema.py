"""Tables of the index (SQLite from 3.40 with FTS5 and R*Tree): the same rows give the same bytes.

Times are local clock minutes since the first day of the horizon; positions are hundred-thousandths of a degree.
"""

from __future__ import annotations

import hashlib
import sqlite3
from typing import Final

from mass_pipeline.model.errors import ConfigurationError

LEAST_SQLITE: Final = (3, 40)
UNITS_PER_DEGREE: Final = 100_000
UNIT_M: Final = 1.1119508  # metres of one unit of latitude: a hundred-thousandth of a degree on the mean sphere

TABLES: Final = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE parish (
  pk INTEGER PRIMARY KEY, parish_id TEXT NOT NULL UNIQUE, slug TEXT NOT NULL, name TEXT NOT NULL, town TEXT NOT NULL,
  voivodeship TEXT NOT NULL, town_key TEXT NOT NULL, diocese_key TEXT NOT NULL, diocese TEXT NOT NULL, deanery TEXT NOT NULL,
  street TEXT NOT NULL, postcode TEXT NOT NULL, directory_url TEXT NOT NULL, source TEXT NOT NULL, site TEXT NOT NULL,
  state TEXT NOT NULL, reason TEXT NOT NULL, state_url TEXT NOT NULL, checked_at INTEGER, approved_at INTEGER,
  differs INTEGER NOT NULL, proposals INTEGER NOT NULL, latitude REAL, longitude REAL, precision_m INTEGER, position_method TEXT,
  position_source_id TEXT, licence TEXT, attribution TEXT, wheelchair TEXT, wheelchair_at TEXT, service_times TEXT NOT NULL,
  service_times_points TEXT NOT NULL, service_times_note TEXT NOT NULL);
CREATE TABLE town (key TEXT PRIMARY KEY, name TEXT NOT NULL, voivodeship TEXT NOT NULL, words TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE town_alias (old_key TEXT PRIMARY KEY, key TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE locality (
  name TEXT, voivodeship TEXT, latitude REAL NOT NULL, longitude REAL NOT NULL, population INTEGER NOT NULL,
  PRIMARY KEY (name, voivodeship, latitude, longitude)) WITHOUT ROWID;
CREATE TABLE parish_alias (old_id TEXT PRIMARY KEY, parish_id TEXT, since TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE mass (
  pk INTEGER PRIMARY KEY, mass_id TEXT NOT NULL, parish INTEGER NOT NULL, days TEXT NOT NULL, time TEXT NOT NULL,
  season TEXT NOT NULL, nth TEXT, place TEXT NOT NULL, note TEXT NOT NULL, method TEXT NOT NULL, confidence REAL NOT NULL,
  source_url TEXT NOT NULL, quote TEXT NOT NULL, page_sha256 TEXT NOT NULL, fetched_at INTEGER, checked_at INTEGER,
  valid_from TEXT, valid_to TEXT, exception TEXT, language TEXT, kinds TEXT NOT NULL, rite TEXT,
  checked_people INTEGER, checked_on TEXT, checked_by TEXT, season_days TEXT NOT NULL);
CREATE TABLE day (date TEXT PRIMARY KEY, basis TEXT NOT NULL, feast TEXT) WITHOUT ROWID;
CREATE TABLE occ (parish INTEGER, t INTEGER, mass INTEGER, flags INTEGER NOT NULL, PRIMARY KEY (parish, t, mass)) WITHOUT ROWID;
CREATE TABLE occ_t (
  t INTEGER, x INTEGER, y INTEGER, mass INTEGER, parish INTEGER NOT NULL, half INTEGER, flags INTEGER NOT NULL,
  PRIMARY KEY (t, mass)) WITHOUT ROWID;
CREATE TABLE hour_count (hour INTEGER PRIMARY KEY, before INTEGER NOT NULL);
CREATE TABLE change (
  pk INTEGER PRIMARY KEY, seen_at TEXT NOT NULL, parish_id TEXT NOT NULL, kind TEXT NOT NULL, before TEXT NOT NULL,
  after TEXT NOT NULL, quote TEXT NOT NULL, source_url TEXT NOT NULL);
CREATE VIRTUAL TABLE parish_pos USING rtree_i32(pk, x0, x1, y0, y1);
CREATE VIRTUAL TABLE fts USING fts5(town, dedication, street, diocese, content='', tokenize='ascii');
"""
# A generation of other tables is refused when it is opened, instead of failing on every page.
FORMAT: Final = hashlib.sha256(TABLES.encode()).hexdigest()[:12]
INDEXES: Final = """
CREATE INDEX mass_parish ON mass (parish);
CREATE INDEX mass_language ON mass (language, parish) WHERE language IS NOT NULL;
CREATE INDEX town_words ON town (words);
CREATE INDEX parish_town ON parish (town_key);
CREATE INDEX parish_diocese ON parish (diocese_key);
CREATE INDEX change_parish ON change (parish_id);
ANALYZE;
"""


def require_sqlite() -> None:
    """Refuse an SQLite that lacks what the index needs.

    Raises:
        ConfigurationError: naming the version or the part that is missing.
    """
    if sqlite3.sqlite_version_info[:2] < LEAST_SQLITE:
        raise ConfigurationError(f"The public index needs SQLite from 3.40; this Python has {sqlite3.sqlite_version}.")
    with sqlite3.connect(":memory:") as connection:
        try:
            connection.executescript(TABLES)
            connection.execute("SELECT cos(0), pow(1, 2)")
        except sqlite3.OperationalError as error:
            raise ConfigurationError(
                f"The public index needs SQLite with FTS5, R*Tree and mathematical functions: {error}."
            ) from error
    connection.close()
