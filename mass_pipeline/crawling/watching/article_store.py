"""Articles and their announcements in the state file: each address once, each announcement once (C4, J3). Rows in, rows out."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

import zstandard

from mass_pipeline.crawling.watching.articles import Announcement, Article, is_repeat, text_print
from mass_pipeline.crawling.watching.list_pages import ArticleLink
from mass_pipeline.crawling.watching.polling import PageHistory
from mass_pipeline.crawling.watching.site_store import ListState, WatchState, put_look

WAITING: Final = 0
DONE: Final = 1
FAILED: Final = 2
LEFT: Final = 3  # stood in the archive when the list was first seen
OVERFLOW: Final = -1  # look of articles that a feed listed while it could not hold all that was new
_COMPRESSION_LEVEL: Final = 6
_REPEAT_DAYS: Final = 45  # a text is compared with those issued around it
_COMPARED_AT_MOST: Final = 500


@dataclass(slots=True)
class ArticleState:
    """An article as the state knows it; `state` is WAITING, DONE, FAILED or LEFT, `published` the day its list tells."""

    article_id: int
    site_id: str
    url: str
    source: str
    anchor: str
    published: date | None
    state: int
    attempts: int
    etag: str | None
    last_modified: str | None
    sha256: bytes | None


@dataclass(frozen=True, slots=True)
class Answered:
    """What is kept of an answer beside its body."""

    sha256: bytes
    etag: str | None
    last_modified: str | None
    at: float


class ArticleStore:
    """Reads and writes articles and announcements."""

    def __init__(self, database: WatchState) -> None:
        self._database = database
        self._db = database.connection
        self._packer = zstandard.ZstdCompressor(level=_COMPRESSION_LEVEL)

    def known(self, site_id: str, urls: Iterable[str]) -> dict[str, tuple[int | None, int]]:
        """Address -> (list, look of that list) that found it, for those that are known."""
        found: dict[str, tuple[int | None, int]] = {}
        for url in urls:
            row = self._db.execute("SELECT list_id, list_look FROM articles WHERE site_id=? AND url=?", (site_id, url)).fetchone()
            if row:
                found[url] = (row[0], row[1])
        return found

    def record_page_of_list(
        self, site_id: str, state: ListState, fetch: Sequence[ArticleLink], leave: Sequence[ArticleLink], *, source: str,
        look: int, history: PageHistory | None, next_at: float,
    ) -> None:  # fmt: skip
        """One page of a list was read: its new articles and how the list stands, in one transaction.

        Args:
            state: the list, with the look's progress.
            fetch, leave: new articles that are to be fetched, and those that are only remembered.
            source: `list`, `feed` or `sitemap`.
            look: number of the look that found them, OVERFLOW when others were missed.
            history, next_at: as `site_store.put_look`.
        """
        with self._database.transaction() as db:
            for links, how in ((fetch, WAITING), (leave, LEFT)):
                db.executemany(
                    "INSERT OR IGNORE INTO articles(site_id,list_id,list_look,url,source,anchor,published,state) "
                    "VALUES(?,?,?,?,?,?,?,?)",
                    [(site_id, state.list_id, look, link.url, source, link.anchor, _iso(link.published), how) for link in links],
                )
            put_look(db, state, history=history, next_at=next_at)

    def ask_again(self, article_ids: Sequence[int], now: float) -> None:
        """Articles to be fetched once more, because a feed says that they changed or because they are young."""
        if not article_ids:
            return
        with self._database.transaction() as db:
            db.executemany(
                "UPDATE articles SET state=?, attempts=0, next_at=? WHERE article_id=? AND state=?",
                [(WAITING, now, article_id, DONE) for article_id in article_ids],
            )

    def youngest(self, site_id: str, list_id: int, since: date, most: int) -> list[int]:
        """Numbers of the newest articles of a list that were read, published since a day."""
        rows = self._db.execute(
            "SELECT article_id FROM articles WHERE site_id=? AND list_id=? AND state=? AND source<>'page' AND published>=? "
            "ORDER BY published DESC, article_id DESC LIMIT ?",
            (site_id, list_id, DONE, since.isoformat(), most),
        )
        return [int(row[0]) for row in rows]

    def has_articles(self, list_id: int) -> bool:
        """Whether a list has ever led to an article."""
        return self._db.execute("SELECT 1 FROM articles WHERE list_id=? LIMIT 1", (list_id,)).fetchone() is not None

    def changed_since(self, site_id: str, days: Iterable[tuple[str, date | None]]) -> list[int]:
        """Numbers of articles that were read before the day on which a sitemap says they changed."""
        found = []
        for url, day in days:
            row = self._db.execute(
                "SELECT article_id FROM articles WHERE site_id=? AND url=? AND state=? AND ? > date(fetched_at,'unixepoch')",
                (site_id, url, DONE, _iso(day)),
            ).fetchone()
            found += [int(row[0])] if row else []
        return found

    def waiting(self, site_id: str, now: float, most: int) -> list[ArticleState]:
        """Articles to fetch now, in the order in which they were found."""
        rows = self._db.execute(
            "SELECT * FROM articles WHERE site_id=? AND state=0 AND next_at<=? ORDER BY next_at, article_id LIMIT ?",
            (site_id, now, most),
        )
        return [_article_state(row) for row in rows]

    def page_itself(self, site_id: str, state: ListState) -> ArticleState:
        """The list page as an article of its own; entered when it is new."""
        with self._database.transaction() as db:
            db.execute(
                "INSERT OR IGNORE INTO articles(site_id,list_id,list_look,url,source,anchor,state) VALUES(?,?,?,?,'page','',?)",
                (site_id, state.list_id, state.look, state.list.url, DONE),
            )
        row = self._db.execute("SELECT * FROM articles WHERE site_id=? AND url=?", (site_id, state.list.url)).fetchone()
        return _article_state(row)

    def failed(self, article: ArticleState, outcome: str, reason: str, next_at: float | None) -> None:
        """A fetch failed; `next_at` None gives up."""
        with self._database.transaction() as db:
            db.execute(
                "UPDATE articles SET state=?, attempts=attempts+1, outcome=?, reason=?, "
                "next_at=coalesce(?, next_at) WHERE article_id=?",
                (FAILED if next_at is None else WAITING, outcome, reason, next_at, article.article_id),
            )

    def unchanged(self, article: ArticleState, outcome: str) -> None:
        """An article was read and holds nothing new: not modified, a copy of another, or closed by its owner."""
        with self._database.transaction() as db:
            db.execute(
                "UPDATE articles SET state=?, attempts=0, outcome=?, reason=NULL WHERE article_id=?",
                (DONE, outcome, article.article_id),
            )

    def twin(self, article: ArticleState, sha256: bytes) -> str | None:
        """Address of another article of the site with the very bytes."""
        row = self._db.execute(
            "SELECT url FROM articles WHERE site_id=? AND sha256=? AND article_id<>? AND outcome='ok' LIMIT 1",
            (article.site_id, sha256, article.article_id),
        ).fetchone()
        return str(row[0]) if row else None

    def record(
        self, article: ArticleState, read: Article, found: Sequence[Announcement], issued: date | None, model: str,
        answered: Answered, body: bytes, max_bits: int,
    ) -> int:  # fmt: skip
        """An article was read: its announcements, without repeats, in one transaction with the article itself.

        What an earlier version of the article said for the same day, and this one does not say, is withdrawn.

        Args:
            found: the relevant announcements.
            issued: day of publication as far as page, list or feed tell it.
            max_bits: see `articles.is_repeat`.

        Returns:
            How many announcements are new.
        """
        kept = self._without_repeats(article, found, issued, max_bits)
        with self._database.transaction() as db:
            if issued is not None:
                self._withdraw(db, article, issued, {one.announcement_id for one in kept}, answered.at)
            new = 0
            for one in kept:
                new += self._put(db, article, read, one, issued, model, answered)
            packed = self._packer.compress(body) if kept else None
            db.execute(
                "UPDATE articles SET state=?, attempts=0, outcome='ok', reason=NULL, etag=?, last_modified=?, sha256=?, "
                "fetched_at=?, body=?, published=coalesce(?, published) WHERE article_id=?",
                (
                    DONE, answered.etag, answered.last_modified, answered.sha256, answered.at, packed, _iso(issued),
                    article.article_id,
                ),
            )  # fmt: skip
        return new

    def _put(
        self, db: sqlite3.Connection, article: ArticleState, read: Article, one: Announcement, issued: date | None, model: str,
        answered: Answered,
    ) -> int:  # fmt: skip
        known = db.execute("SELECT 1 FROM announcements WHERE announcement_id=?", (one.announcement_id,)).fetchone()
        db.execute(
            "INSERT INTO announcements(announcement_id,site_id,article_id,position,text,text_print,issued,title,author,keywords,"
            "description,model,score,sha256,first_seen_at,fetched_at) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) "
            "ON CONFLICT(announcement_id) DO UPDATE SET position=excluded.position, title=excluded.title, "
            "sha256=excluded.sha256, score=excluded.score, fetched_at=excluded.fetched_at, withdrawn_at=NULL",
            (
                one.announcement_id, article.site_id, article.article_id, one.position, one.text, text_print(one.text),
                _iso(issued), read.title, read.author, read.keywords, read.description, model, one.score, answered.sha256,
                answered.at, answered.at,
            ),
        )  # fmt: skip
        return 0 if known else 1

    def _withdraw(self, db: sqlite3.Connection, article: ArticleState, issued: date, kept: set[str], at: float) -> None:
        rows = db.execute(
            "SELECT announcement_id FROM announcements WHERE article_id=? AND issued=? AND withdrawn_at IS NULL",
            (article.article_id, issued.isoformat()),
        ).fetchall()
        db.executemany(
            "UPDATE announcements SET withdrawn_at=? WHERE announcement_id=?",
            [(at, row[0]) for row in rows if row[0] not in kept],
        )

    def _without_repeats(
        self, article: ArticleState, found: Sequence[Announcement], issued: date | None, max_bits: int
    ) -> list[Announcement]:
        """Those that no other article of the site says already for the same day; an undated page is compared with itself too."""
        others = self._db.execute(
            "SELECT announcement_id, text, text_print, article_id FROM announcements WHERE site_id=? AND withdrawn_at IS NULL "
            "AND (issued IS ? OR issued IS NULL OR ? IS NULL) AND coalesce(issued, ?)>=? "
            "ORDER BY first_seen_at DESC, announcement_id LIMIT ?",
            (
                article.site_id, _iso(issued), _iso(issued), "9999-12-31",
                (issued - timedelta(days=_REPEAT_DAYS)).isoformat() if issued else "",
                _COMPARED_AT_MOST,
            ),
        ).fetchall()  # fmt: skip
        compared = [row for row in others if row["article_id"] != article.article_id or issued is None]
        kept: list[Announcement] = []
        for one in found:
            own = text_print(one.text)
            repeats = any(
                is_repeat(one.text, own, row["text"], row["text_print"], max_bits)
                for row in compared
                if row["announcement_id"] != one.announcement_id
            )
            if not repeats:
                kept.append(one)
        return kept


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _article_state(row: sqlite3.Row) -> ArticleState:
    return ArticleState(
        row["article_id"], row["site_id"], row["url"], row["source"], row["anchor"],
        date.fromisoformat(row["published"]) if row["published"] else None, row["state"], row["attempts"], row["etag"],
        row["last_modified"], row["sha256"],
    )  # fmt: skip
