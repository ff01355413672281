"""Tables of the index (SQLite from 3.40 with FTS5 and R*Tree): the same rows give the same bytes.

Times are local clock minutes since the first day of the horizon; positions are hundred-thousandths of a degree.
"""

from __future__ import annotations

import hashlib
import sqlite3
from typing import Final

from mass_pipeline.finding.index.changes import CHANGE
from mass_pipeline.finding.index.dictionary import Column, create_table
from mass_pipeline.finding.index.news import TABLE as NEWS
from mass_pipeline.finding.index.records import CONFESSION, MASS, PARISH
from mass_pipeline.model.errors import ConfigurationError

LEAST_SQLITE: Final = (3, 40)
UNITS_PER_DEGREE: Final = 100_000
UNIT_M: Final = 1.1119508  # metres of one unit of latitude: a hundred-thousandth of a degree on the mean sphere

TABLES: Final = (
    create_table("parish", PARISH, {"pk": "PRIMARY KEY", "parish_id": "UNIQUE"})
    + create_table("mass", MASS, {"pk": "PRIMARY KEY"})
    + create_table("confession", {"parish": Column("parish", "integer", False, ""), **CONFESSION}, {})
    + create_table("change", {"pk": Column("pk", "integer", False, ""), **CHANGE}, {"pk": "PRIMARY KEY"})
    + NEWS
    + """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE town (key TEXT PRIMARY KEY, name TEXT NOT NULL, voivodeship TEXT NOT NULL, words TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE town_alias (old_key TEXT PRIMARY KEY, key TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE locality (
  name TEXT, voivodeship TEXT, latitude REAL NOT NULL, longitude REAL NOT NULL, population INTEGER NOT NULL,
  PRIMARY KEY (name, voivodeship, latitude, longitude)) WITHOUT ROWID;
CREATE TABLE parish_alias (old_id TEXT PRIMARY KEY, parish_id TEXT, since TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE day (date TEXT PRIMARY KEY, basis TEXT NOT NULL, feast TEXT) WITHOUT ROWID;
CREATE TABLE occ (parish INTEGER, t INTEGER, mass INTEGER, flags INTEGER NOT NULL, PRIMARY KEY (parish, t, mass)) WITHOUT ROWID;
CREATE TABLE occ_t (
  t INTEGER, x INTEGER, y INTEGER, mass INTEGER, parish INTEGER NOT NULL, half INTEGER, flags INTEGER NOT NULL,
  PRIMARY KEY (t, mass)) WITHOUT ROWID;
CREATE TABLE hour_count (hour INTEGER PRIMARY KEY, before INTEGER NOT NULL);
CREATE VIRTUAL TABLE parish_pos USING rtree_i32(pk, x0, x1, y0, y1);
CREATE VIRTUAL TABLE fts USING fts5(town, dedication, street, diocese, content='', tokenize='ascii');
"""
)
# A generation of other tables is refused when it is opened, instead of failing on every page.
FORMAT: Final = hashlib.sha256(TABLES.encode()).hexdigest()[:12]
INDEXES: Final = """
CREATE INDEX mass_parish ON mass (parish);
CREATE INDEX confession_parish ON confession (parish);
CREATE INDEX mass_language ON mass (language, parish) WHERE language IS NOT NULL;
CREATE INDEX town_words ON town (words);
CREATE INDEX parish_town ON parish (town_key);
CREATE INDEX parish_diocese ON parish (diocese_key);
CREATE INDEX change_parish ON change (parish_id);
CREATE INDEX news_parish ON news (parish_id);
CREATE INDEX news_site ON news (site);
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
