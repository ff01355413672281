"""Read what a watch has kept: announcements with the record of their article; the watch may go on meanwhile."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path

from mass_pipeline.crawling.fetching.urls import split
from mass_pipeline.crawling.state.schema import WATCH_FILE, open_for_reading
from mass_pipeline.crawling.watching.records import PublishedAnnouncement
from mass_pipeline.crawling.watching.store import WatchStore

_ROWS = (
    "SELECT n.*, a.url, a.source, a.anchor, l.url AS list_url, (SELECT value FROM meta WHERE key='topic') AS topic "
    "FROM announcements n JOIN articles a USING(article_id) LEFT JOIN lists l ON l.list_id=a.list_id "
    "WHERE n.withdrawn_at IS NULL ORDER BY n.site_id, a.url, n.announcement_id"
)


def read_announcements_of(state: Path) -> Iterator[PublishedAnnouncement]:
    """Announcements that stand, sorted by (site_id, url, announcement_id); none when nothing was relevant.

    Raises:
        StorageError: there is no state, or it is damaged.
    """
    with closing(open_for_reading(state, WATCH_FILE)) as connection:
        for row in connection.execute(_ROWS):
            yield _announcement(row)


def keep_readings(state: Path, topic: str, readings: Mapping[str, str]) -> None:
    """Keep what was read in announcements, so that nobody pays for it again; it goes with its announcement.

    Args:
        topic: of the state.
        readings: announcement_id -> whatever its reader understands.

    Raises:
        StorageError: the state cannot be written.
    """
    if readings:
        with WatchStore(state, topic) as database, database.transaction() as connection:
            rows = [(reading, announcement_id) for announcement_id, reading in readings.items()]
            connection.executemany("UPDATE announcements SET reading=? WHERE announcement_id=?", rows)


def searched_sites(state: Path) -> set[str]:
    """Sites whose lists have been looked for; none without a state.

    Raises:
        StorageError: the state is damaged.
    """
    if not (state / WATCH_FILE).exists():
        return set()
    with closing(open_for_reading(state, WATCH_FILE)) as connection:
        return {str(row[0]) for row in connection.execute("SELECT site_id FROM watched_sites WHERE found_at>0")}


def next_due(state: Path) -> datetime | None:
    """When a site of this state is due next; None when it watches none.

    Raises:
        StorageError: there is no state, or it is damaged.
    """
    with closing(open_for_reading(state, WATCH_FILE)) as connection:
        found = connection.execute("SELECT min(next_at) FROM watched_sites WHERE active=1").fetchone()[0]
    return None if found is None else datetime.fromtimestamp(min(float(found), 4e9), UTC)


def _announcement(row: sqlite3.Row) -> PublishedAnnouncement:
    return PublishedAnnouncement(
        row["announcement_id"], row["site_id"], row["url"], split(row["url"]).host, row["list_url"], row["source"], row["anchor"],
        row["title"], row["author"], row["keywords"], row["description"],
        date.fromisoformat(row["issued"]) if row["issued"] else None, row["position"], row["text"], row["topic"], row["model"],
        row["score"], bytes(row["sha256"]).hex(), _moment(row["first_seen_at"]), _moment(row["fetched_at"]),
        row["reading"] or "",
    )  # fmt: skip


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
