"""The tables that every state of a crawl has, whatever it gathers: what is said of the state as a whole, and hosts.

Pages, watched lists and external links have tables of their own beside them (`state.schema`, `watching.database`,
`link_tables`). Not here: what the rows mean (`host_memory`).
"""

from __future__ import annotations

import sqlite3
from dataclasses import astuple, dataclass
from typing import Final

TABLES: Final = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE hosts(
    origin TEXT PRIMARY KEY, robots_state TEXT, robots_reason TEXT, robots_text TEXT, robots_at REAL,
    delay REAL NOT NULL, crawl_delay REAL NOT NULL, not_before REAL NOT NULL, failures INTEGER NOT NULL,
    mining_text TEXT, mining_at REAL, asked REAL) WITHOUT ROWID;
"""
PUT_META: Final = "INSERT OR REPLACE INTO meta VALUES(?,?)"
PUT_HOST: Final = "INSERT OR REPLACE INTO hosts VALUES(?,?,?,?,?,?,?,?,?,?,?,?)"
CLEAN: Final = "clean"  # "0" while a run goes on, and after one that was killed: hosts may have been asked a moment ago


@dataclass(slots=True)
class HostRow:
    """What is remembered of an origin; moments are wall-clock seconds. In the order of the columns of `hosts`.

    Attributes:
        asked: seconds of rest the host itself still asked for when the row was written; None where nobody wrote it down.
    """

    origin: str
    robots_state: str | None
    robots_reason: str | None
    robots_text: str | None
    robots_at: float | None
    delay: float
    crawl_delay: float
    not_before: float
    failures: int
    mining_text: str | None = None
    mining_at: float | None = None
    asked: float | None = None

    @property
    def values(self) -> tuple[object, ...]:
        """For `PUT_HOST`."""
        return astuple(self)


def read_meta(connection: sqlite3.Connection) -> dict[str, str]:
    """What is said of the state as a whole."""
    return {str(key): str(value) for key, value in connection.execute("SELECT key,value FROM meta")}


def find_host(connection: sqlite3.Connection, origin: str) -> HostRow | None:
    """What is remembered of an origin, None when nothing is."""
    row = connection.execute("SELECT * FROM hosts WHERE origin=?", (origin,)).fetchone()
    return HostRow(*tuple(row)) if row else None
