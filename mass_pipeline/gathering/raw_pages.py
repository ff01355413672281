"""Keep the raw pages of a directory walk, so that a stopped walk goes on page by page and a reading can be repeated.

One walk is an edition. While it is young an edition is continued that was not finished, or of which nothing was published; a
finished one is kept until the next has finished.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

import zstandard

from mass_pipeline.gathering.ports import Fetch, Page
from mass_pipeline.gathering.state_port import StateStore

LEVEL: Final = 6
_PUT: Final = (
    "INSERT INTO raw_pages (edition, url, final_url, status, content_type, fetched_at, body) VALUES (?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (edition, url) DO UPDATE SET final_url = excluded.final_url, status = excluded.status, "
    "content_type = excluded.content_type, fetched_at = excluded.fetched_at, body = excluded.body"
)
_RESUMABLE: Final = timedelta(days=3)  # older pages of one walk would not fit the newer ones


class Edition:
    """One walk through a directory: fetches each page once and keeps it.

    Attributes:
        name: of the edition.
        reused: pages that came from the state file instead of the network.
    """

    def __init__(self, state: StateStore, name: str) -> None:
        self._state = state
        self.name = name
        self.reused = 0

    def keep(self, fetch: Fetch) -> Fetch:
        """A fetcher that asks the state file first, and keeps what the network gives."""

        def keeping(url: str) -> Page:
            known = self.find(url)
            if known is not None:
                self.reused += 1
                return known
            page = fetch(url)
            self._store(url, page)
            return page

        return keeping

    def find(self, url: str) -> Page | None:
        """The kept page, None when this edition has none."""
        rows = self._state.rows(
            "SELECT final_url, status, content_type, fetched_at, body FROM raw_pages WHERE edition = ? AND url = ?",
            (self.name, url),
        )
        if not rows:
            return None
        final_url, status, content_type, fetched_at, body = rows[0]
        assert isinstance(status, int)
        assert isinstance(fetched_at, float)
        assert isinstance(body, bytes)
        try:
            plain = zstandard.ZstdDecompressor().decompress(body)
        except zstandard.ZstdError:  # damaged: as good as not kept
            return None
        moment = datetime.fromtimestamp(fetched_at, UTC)
        return Page(str(final_url), status, plain, None if content_type is None else str(content_type), moment)

    def finish(self, now: datetime) -> None:
        """The walk ended well: it becomes the edition to read again, and earlier ones are removed."""
        with self._state.transaction() as connection:
            connection.execute("UPDATE editions SET finished_at = ? WHERE name = ?", (now.timestamp(), self.name))
            connection.execute("DELETE FROM raw_pages WHERE edition <> ?", (self.name,))
            connection.execute("DELETE FROM editions WHERE name <> ?", (self.name,))

    def discard(self) -> None:
        """The walk failed for the pages' own sake (a changed layout): the next one must fetch them anew."""
        with self._state.transaction() as connection:
            connection.execute("DELETE FROM raw_pages WHERE edition = ?", (self.name,))
            connection.execute("DELETE FROM editions WHERE name = ?", (self.name,))

    def _store(self, url: str, page: Page) -> None:
        body = zstandard.ZstdCompressor(LEVEL, write_checksum=True).compress(page.body)
        values = (self.name, url, page.url, page.status, page.content_type, page.fetched_at.timestamp(), body)
        with self._state.transaction() as connection:
            connection.execute(_PUT, values)


def open_edition(state: StateStore, start_url: str, now: datetime, published_at: datetime | None = None) -> Edition:
    """The edition to continue when there is one, else a new one.

    Args:
        published_at: when the latest of the published pages was fetched, None when there are none: a walk that had ended when
            its process died, or another source failed, is not asked for again.
    """
    since = (now - _RESUMABLE).timestamp()
    published = published_at.timestamp() if published_at else 0.0
    rows = state.rows(
        "SELECT name FROM editions WHERE start_url = ? AND started_at > ? AND (finished_at IS NULL OR started_at > ?) "
        "ORDER BY started_at DESC",
        (start_url, since, published),
    )
    if rows:
        return Edition(state, str(rows[0][0]))
    name = f"{now:%Y%m%dT%H%M%SZ}-{secrets.token_hex(4)}"  # clocks stand still, and editions that are gone do not count
    with state.transaction() as connection:
        connection.execute(
            "INSERT INTO editions (name, start_url, started_at) VALUES (?, ?, ?)", (name, start_url, now.timestamp())
        )
    return Edition(state, name)


def erase_raw_pages(state: StateStore, is_covered: Callable[[object], bool]) -> int:
    """Forget every kept page whose address, or the one that answered, is covered, at the wish of its owner; how many those were.

    Addresses that look-ups found stay with the parish: they tell that a site is not to be asked, and hold no words of it.
    """
    rows = state.rows("SELECT edition, url, final_url FROM raw_pages")
    gone = [(edition, url) for edition, url, final_url in rows if is_covered(url) or is_covered(final_url)]
    if gone:
        with state.transaction() as connection:
            connection.executemany("DELETE FROM raw_pages WHERE edition = ? AND url = ?", gone)
    return len(gone)
