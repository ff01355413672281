"""News of parishes and portals that were kept for their topic, as an index holds them (V12): whose, of which day, from where.

The beginning of the words and the address of the source; the whole text stays where it was published.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Final

from mass_pipeline.finding.index.facts import shortened

DAYS: Final = 60  # of news that are shown; older ones help nobody to get to a Mass
_LONGEST_WORDS: Final = 200  # characters of a page's words that are handed on
TABLE: Final = """
CREATE TABLE news (
  day TEXT, url TEXT, position INTEGER, parish_id TEXT NOT NULL, site TEXT NOT NULL, title TEXT NOT NULL, words TEXT NOT NULL,
  seen_at TEXT NOT NULL, PRIMARY KEY (day, url, position, parish_id)) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class NewsItem:
    """One announcement.

    Attributes:
        day: of publication, or on which it was first seen.
        url: of the article; `position`: place in it, from 0.
        parish_id: whose it is; the name of its site for a portal, which has no page of a parish.
        site: host of the source.
        words: beginning of its text, masked.
        seen_at: ISO moment of the first look.
    """

    day: date
    url: str
    position: int
    parish_id: str
    site: str
    title: str
    words: str
    seen_at: str


def write_news(connection: sqlite3.Connection, news: Iterable[NewsItem]) -> None:
    """Write the table; of two items in one place the first stays, and none without an address of the web."""
    rows = [
        (
            one.day.isoformat(), one.url, one.position, one.parish_id, one.site, shortened(one.title, _LONGEST_WORDS),
            shortened(one.words, _LONGEST_WORDS), one.seen_at,
        )
        for one in sorted(news, key=lambda one: (one.day, one.url, one.position, one.parish_id))
        if one.url.startswith(("http://", "https://"))
    ]  # fmt: skip
    connection.executemany("INSERT OR IGNORE INTO news VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)


def news(
    connection: sqlite3.Connection, *, parish_id: str = "", site: str = "", day: date | None = None, limit: int = 100
) -> list[NewsItem]:
    """News, the youngest day first; of a parish, of a site or of a day where these are given."""
    wanted = {"parish_id": parish_id, "site": site, "day": day.isoformat() if day else ""}
    given = {name: value for name, value in wanted.items() if value}
    condition = " AND ".join(f"{name} = :{name}" for name in given) or "1"
    query = f"SELECT * FROM news WHERE {condition} ORDER BY day DESC, url, position LIMIT :most"  # noqa: S608 - constants
    return [NewsItem(date.fromisoformat(row[0]), *row[1:]) for row in connection.execute(query, {**given, "most": limit})]


def days_with_news(connection: sqlite3.Connection) -> list[tuple[date, int]]:
    """Days that have news with their number, the youngest first."""
    rows = connection.execute("SELECT day, count(*) FROM news GROUP BY day ORDER BY day DESC")
    return [(date.fromisoformat(day), count) for day, count in rows]


def sites_with_news(connection: sqlite3.Connection) -> list[tuple[str, int]]:
    """Hosts that news come from with their number, the most active first."""
    query = "SELECT site, count(*) AS n FROM news GROUP BY site ORDER BY n DESC, site LIMIT 50"
    return [(str(site), int(count)) for site, count in connection.execute(query)]
