"""Keep the raw pages of a directory walk, so that a stopped walk goes on page by page and a reading can be repeated.

One walk is an edition. While it is young an edition is continued that was not finished, or of which nothing was published; a
finished one is kept until the next has finished.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

import sqlalchemy as sa
import zstandard

from mass_pipeline.gathering.ports import Fetch, Page
from mass_pipeline.gathering.state import EDITIONS, RAW_PAGES, DiscoveryState, put

LEVEL: Final = 6
_RESUMABLE: Final = timedelta(days=3)  # older pages of one walk would not fit the newer ones


class Edition:
    """One walk through a directory: fetches each page once and keeps it.

    Attributes:
        name: of the edition.
        reused: pages that came from the state file instead of the network.
    """

    def __init__(self, state: DiscoveryState, name: str) -> None:
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
        columns = (RAW_PAGES.c[name] for name in ("final_url", "status", "content_type", "fetched_at", "body"))
        rows = self._state.rows(sa.select(*columns).where(RAW_PAGES.c.edition == self.name, RAW_PAGES.c.url == url))
        if not rows:
            return None
        final_url, status, content_type, fetched_at, body = rows[0]
        try:
            plain = zstandard.ZstdDecompressor().decompress(body)
        except zstandard.ZstdError:  # damaged: as good as not kept
            return None
        return Page(final_url, status, plain, content_type, datetime.fromtimestamp(fetched_at, UTC))

    def finish(self, now: datetime) -> None:
        """The walk ended well: it becomes the edition to read again, and earlier ones are removed."""
        with self._state.transaction() as connection:
            ended = sa.update(EDITIONS).where(EDITIONS.c.name == self.name).values(finished_at=now.timestamp())
            connection.execute(ended)
            connection.execute(sa.delete(RAW_PAGES).where(RAW_PAGES.c.edition != self.name))
            connection.execute(sa.delete(EDITIONS).where(EDITIONS.c.name != self.name))

    def discard(self) -> None:
        """The walk failed for the pages' own sake (a changed layout): the next one must fetch them anew."""
        with self._state.transaction() as connection:
            connection.execute(sa.delete(RAW_PAGES).where(RAW_PAGES.c.edition == self.name))
            connection.execute(sa.delete(EDITIONS).where(EDITIONS.c.name == self.name))

    def _store(self, url: str, page: Page) -> None:
        body = zstandard.ZstdCompressor(LEVEL, write_checksum=True).compress(page.body)
        values = {
            "edition": self.name, "url": url, "final_url": page.url, "status": page.status, "content_type": page.content_type,
            "fetched_at": page.fetched_at.timestamp(), "body": body,
        }  # fmt: skip
        with self._state.transaction() as connection:
            put(connection, RAW_PAGES, values)


def open_edition(state: DiscoveryState, start_url: str, now: datetime, published_at: datetime | None = None) -> Edition:
    """The edition to continue when there is one, else a new one.

    Args:
        published_at: when the latest of the published pages was fetched, None when there are none: a walk that had ended when
            its process died, or another source failed, is not asked for again.
    """
    since = (now - _RESUMABLE).timestamp()
    published = published_at.timestamp() if published_at else 0.0
    is_useful = EDITIONS.c.finished_at.is_(None) | (EDITIONS.c.started_at > published)
    young = sa.select(EDITIONS.c.name).where(EDITIONS.c.start_url == start_url, EDITIONS.c.started_at > since, is_useful)
    rows = state.rows(young.order_by(EDITIONS.c.started_at.desc()))
    if rows:
        return Edition(state, str(rows[0][0]))
    name = f"{now:%Y%m%dT%H%M%SZ}-{secrets.token_hex(4)}"  # clocks stand still, and editions that are gone do not count
    with state.transaction() as connection:
        connection.execute(sa.insert(EDITIONS).values(name=name, start_url=start_url, started_at=now.timestamp()))
    return Edition(state, name)


def erase_raw_pages(state: DiscoveryState, is_covered: Callable[[object], bool]) -> int:
    """Forget every kept page whose address, or the one that answered, is covered, at the wish of its owner; how many those were.

    Addresses that look-ups found stay with the parish: they tell that a site is not to be asked, and hold no words of it.
    """
    page = RAW_PAGES.c
    rows = state.rows(sa.select(page.edition, page.url, page.final_url))
    gone = [(edition, url) for edition, url, final_url in rows if is_covered(url) or is_covered(final_url)]
    with state.transaction() as connection:
        for edition, url in gone:
            connection.execute(sa.delete(RAW_PAGES).where(page.edition == edition, page.url == url))
    return len(gone)
