"""Sites, lists, articles and announcements of a watch in its state file: each address once, each announcement once (C4, J3).

Every change is one transaction. Rows in, rows out; not here: when something is due (`polling`), what a page says (`articles`).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

import zstandard

from mass_pipeline.crawling.fetching.urls import split
from mass_pipeline.crawling.pages.feeds import Entry
from mass_pipeline.crawling.state.database import StateDatabase
from mass_pipeline.crawling.state.schema import WATCH_FILE, open_for_reading
from mass_pipeline.crawling.watching.articles import Announcement, Article, is_repeat, text_print
from mass_pipeline.crawling.watching.finding import SitePage
from mass_pipeline.crawling.watching.polling import PageHistory
from mass_pipeline.crawling.watching.records import PublishedAnnouncement
from mass_pipeline.crawling.watching.sites import WatchedList, WatchedSite
from mass_pipeline.model.errors import StorageError

WAITING: Final = 0
DONE: Final = 1
FAILED: Final = 2
LEFT: Final = 3  # stood in the archive when the list was first seen
OVERFLOW: Final = -1  # look of articles that a feed listed while it could not hold all that was new
_NEVER: Final = 1e18
_COMPRESSION_LEVEL: Final = 6
_REPEAT_DAYS: Final = 45  # a text is compared with those issued around it
_COMPARED_AT_MOST: Final = 500
_PUT_LIST: Final = (
    "INSERT INTO lists(site_id,url,kind,weight,xpath,pages,found) VALUES(?,?,?,?,?,?,?) ON CONFLICT(site_id,url) DO UPDATE SET "
    "kind=excluded.kind, weight=excluded.weight, xpath=excluded.xpath, pages=excluded.pages, found=min(found,excluded.found)"
)
_PUT_SITE: Final = (
    "INSERT INTO watched_sites(site_id,url,scope_prefix,active) VALUES(?,?,?,1) ON CONFLICT(site_id) DO UPDATE SET active=1, "
    "found_at=iif(url=excluded.url, found_at, 0), hosts=iif(url=excluded.url, hosts, '[]'), "
    "next_at=iif(url=excluded.url, next_at, 0), url=excluded.url, scope_prefix=excluded.scope_prefix"
)
_SITE_DONE: Final = (
    "UPDATE watched_sites SET failures=iif(?, failures+1, 0), reason=coalesce(?,''), next_at=max(?, min(coalesce(found_at+?, ?), "
    "coalesce((SELECT min(next_at) FROM lists WHERE lists.site_id=watched_sites.site_id), 1e18), "
    "coalesce((SELECT min(next_at) FROM articles WHERE articles.site_id=watched_sites.site_id AND state=0), 1e18))) "
    "WHERE site_id=?"
)
_PUT_ANNOUNCEMENT: Final = (
    "INSERT INTO announcements(announcement_id,site_id,article_id,position,text,text_print,issued,title,author,keywords,"
    "description,model,score,sha256,first_seen_at,fetched_at) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) "
    "ON CONFLICT(announcement_id) DO UPDATE SET position=excluded.position, title=excluded.title, "
    "sha256=excluded.sha256, score=excluded.score, fetched_at=excluded.fetched_at, withdrawn_at=NULL"
)


@dataclass(slots=True)
class SiteState:
    """A site as the state knows it.

    Attributes:
        hosts: addresses of further hosts that the start page redirected to.
        menu: addresses that stand on every page.
        found_at: when its lists were looked for, None before.
        failures: looks in a row that failed.
    """

    hosts: list[str]
    menu: frozenset[str]
    found_at: float | None
    failures: int


@dataclass(slots=True)
class ListState:
    """A list as the state knows it.

    Attributes:
        look: number of looks completed.
        pending: address at which an unfinished look goes on, None between looks.
        pages_read: pages of the unfinished look.
        published: days of the new articles of the unfinished look.
    """

    list_id: int
    list: WatchedList
    etag: str | None
    last_modified: str | None
    sha256: bytes | None
    history: PageHistory
    failures: int
    look: int
    pending: str | None
    pages_read: int
    published: tuple[date, ...]


class ArticleRow(NamedTuple):
    """An article: columns of `articles`; `published` is the day its list tells, as text."""

    article_id: int
    site_id: str
    url: str
    anchor: str
    published: str | None
    attempts: int
    etag: str | None
    last_modified: str | None
    sha256: bytes | None

    @property
    def issued(self) -> date | None:
        """The day its list tells."""
        return date.fromisoformat(self.published) if self.published else None


_ARTICLE: Final = f"SELECT {','.join(ArticleRow._fields)} FROM articles WHERE site_id=? "  # noqa: S608  # own columns


class WatchStore(StateDatabase):
    """The state of a watch; a context manager.

    Args:
        folder: made when absent.
        topic: what the watch looks for; a state belongs to one topic for ever.

    Raises:
        StorageError: as for `StateDatabase`, or of another topic; nothing is changed then.
    """

    def __init__(self, folder: Path, topic: str) -> None:
        super().__init__(folder, WATCH_FILE, user="watch")
        self._packer = zstandard.ZstdCompressor(level=_COMPRESSION_LEVEL)
        known = self.meta().get("topic", topic)
        if known != topic:
            self.close()
            raise StorageError(f"{folder}: this state watches for the topic {known!r}, not {topic!r}. Give it another folder.")
        self.put_meta({"topic": topic})

    def _rows(self, statement: str, *values: object) -> list[sqlite3.Row]:
        return self.connection.execute(statement, values).fetchall()

    def _write(self, statement: str, *values: object) -> None:
        with self.transaction() as db:
            db.execute(statement, values)

    # Sites

    def register(self, sites: Iterable[WatchedSite], now: float) -> None:
        """Make these the sites that are watched; known ones keep their state, others sleep."""
        with self.transaction() as db:
            db.execute("UPDATE watched_sites SET active=0")
            for site in sites:
                db.execute(_PUT_SITE, (site.site_id, site.url, site.scope_prefix))
                self._configure(db, site)
                self._take_from_crawl(db, site, now)

    def _configure(self, db: sqlite3.Connection, site: WatchedSite) -> None:
        """Configured lists are those of the file, no more: one that vanished from it is dropped, its articles stay known."""
        wanted = {entry.url for entry in site.lists}
        known = dict(db.execute("SELECT url, list_id FROM lists WHERE site_id=? AND found=0", (site.site_id,)).fetchall())
        db.executemany("DELETE FROM lists WHERE list_id=?", [(known[url],) for url in known.keys() - wanted])
        db.executemany(_PUT_LIST, _list_values(site.site_id, site.lists))
        if wanted - known.keys():
            db.execute("UPDATE watched_sites SET next_at=0 WHERE site_id=?", (site.site_id,))
        db.execute(
            "UPDATE watched_sites AS s SET weight=coalesce((SELECT max(weight) FROM lists WHERE lists.site_id=s.site_id), 1) "
            "WHERE site_id=?",
            (site.site_id,),
        )

    @staticmethod
    def _take_from_crawl(db: sqlite3.Connection, site: WatchedSite, now: float) -> None:
        """A site that was never searched starts with the lists that an earlier crawl shows."""
        if not site.crawled_lists:
            return
        taken = db.execute(
            "UPDATE watched_sites SET found_at=?, menu=?, hosts=? WHERE site_id=? AND coalesce(found_at, 0)=0",
            (now, json.dumps(sorted(site.crawled_menu)), json.dumps(site.crawled_hosts), site.site_id),
        )
        if taken.rowcount:
            db.executemany(_PUT_LIST, _list_values(site.site_id, site.crawled_lists))

    def due_sites(self, now: float, without: Iterable[str]) -> list[str]:
        """Sites with something to do, heavier ones first, then the longest overdue (C2)."""
        rows = self._rows(
            "SELECT site_id FROM watched_sites WHERE active=1 AND next_at<=? AND site_id NOT IN (SELECT value FROM json_each(?)) "
            "ORDER BY weight DESC, next_at, site_id",
            now, json.dumps(sorted(without)),
        )  # fmt: skip
        return [str(row[0]) for row in rows]

    def next_due(self) -> float | None:
        """Moment at which a site is due next; None without sites."""
        found = self._rows("SELECT min(next_at) FROM watched_sites WHERE active=1")[0][0]
        return None if found is None else float(found)

    def counts(self) -> tuple[int, int]:
        """Active sites, and how many of them failed at the last look."""
        row = self._rows("SELECT count(*), coalesce(sum(failures>0),0) FROM watched_sites WHERE active=1")[0]
        return int(row[0]), int(row[1])

    def failing(self) -> dict[str, str]:
        """Site -> reason, of active sites whose last turn failed."""
        rows = self._rows("SELECT site_id, reason FROM watched_sites WHERE active=1 AND failures>0 ORDER BY site_id")
        return {str(row[0]): str(row[1]) for row in rows}

    def site(self, site_id: str) -> SiteState:
        """One site."""
        row = self._rows("SELECT * FROM watched_sites WHERE site_id=?", site_id)[0]
        return SiteState(json.loads(row["hosts"]), frozenset(json.loads(row["menu"])), row["found_at"], row["failures"])

    def put_found(
        self, site_id: str, lists: Sequence[WatchedList], menu: Iterable[str], hosts: Sequence[str], now: float
    ) -> None:  # fmt: skip
        """The lists found on a site, in place of those found before that nothing came of; `hosts`: all it ever moved to."""
        with self.transaction() as db:
            db.execute(
                "DELETE FROM lists WHERE site_id=? AND found=1 AND url NOT IN (SELECT value FROM json_each(?)) "
                "AND (failures>0 OR NOT EXISTS (SELECT 1 FROM articles WHERE articles.list_id=lists.list_id))",
                (site_id, json.dumps([entry.url for entry in lists])),
            )
            db.executemany(_PUT_LIST, _list_values(site_id, lists))
            found = (json.dumps(hosts), now, json.dumps(sorted(menu)), site_id)
            db.execute("UPDATE watched_sites SET hosts=?, found_at=?, menu=? WHERE site_id=?", found)

    def search_again_at(self, site_id: str, at: float, rediscover_seconds: float) -> None:
        """A search for new lists failed; the lists found before stay, and it is tried again at that moment."""
        found_at = at - rediscover_seconds
        self._write("UPDATE watched_sites SET found_at=? WHERE site_id=? AND found_at IS NOT NULL", found_at, site_id)

    def site_done(
        self, site_id: str, now: float, *, failed: str | None, retry_at: float, rediscover_seconds: float | None
    ) -> None:  # fmt: skip
        """A site's turn is over: when is it due again?

        Args:
            failed: reason when the turn failed as a whole.
            retry_at: earliest moment after a failure.
            rediscover_seconds: how long found lists are trusted; None when the lists are configured.
        """
        never_searched = _NEVER if rediscover_seconds is None else now
        earliest = 0.0 if failed is None else retry_at
        self._write(_SITE_DONE, failed is not None, failed, earliest, rediscover_seconds, never_searched, site_id)

    # Lists

    def due_lists(self, site_id: str, now: float) -> list[ListState]:
        """Lists of a site to look at now."""
        rows = self._rows("SELECT * FROM lists WHERE site_id=? AND next_at<=? ORDER BY weight DESC, list_id", site_id, now)
        return [_list_state(row) for row in rows]

    def list_failed(self, list_id: int, reason: str, next_at: float) -> None:
        """A look failed; an unfinished one goes on where it was."""
        self._write(
            "UPDATE lists SET failures=failures+1, outcome='error', reason=?, next_at=? WHERE list_id=?", reason, next_at, list_id
        )

    def look_soon(self, site_id: str, now: float) -> None:
        """Every list page of a site is due: a feed could not hold all that is new."""
        self._write("UPDATE lists SET next_at=min(next_at,?) WHERE site_id=? AND kind='page'", now, site_id)

    def list_gone(self, list_id: int) -> None:
        """A list that was found by itself is no more; the site is searched again."""
        with self.transaction() as db:
            site = "site_id=(SELECT site_id FROM lists WHERE list_id=?)"
            db.execute(f"UPDATE watched_sites SET found_at=0 WHERE {site}", (list_id,))  # noqa: S608
            db.execute("DELETE FROM lists WHERE list_id=? AND found=1", (list_id,))

    def record_page_of_list(
        self, site_id: str, state: ListState, fetch: Sequence[Entry], leave: Sequence[Entry], *, source: str,
        look: int, history: PageHistory | None, next_at: float,
    ) -> None:  # fmt: skip
        """One page of a list was read: its new articles and how the list stands, in one transaction.

        Args:
            state: the list, with the look's progress.
            fetch, leave: new articles that are to be fetched, and those that are only remembered.
            source: `list`, `feed` or `sitemap`.
            look: number of the look that found them, OVERFLOW when others were missed.
            history: of the finished look; None while it goes on.
        """
        published = json.dumps([day.isoformat() for day in state.published])
        with self.transaction() as db:
            for links, how in ((fetch, WAITING), (leave, LEFT)):
                db.executemany(
                    "INSERT OR IGNORE INTO articles(site_id,list_id,list_look,url,source,anchor,published,state) "
                    "VALUES(?,?,?,?,?,?,?,?)",
                    [(site_id, state.list_id, look, link.url, source, link.anchor, _iso(link.published), how) for link in links],
                )
            db.execute(
                "UPDATE lists SET etag=?, last_modified=?, sha256=?, look=?, pending=?, pages_read=?, published=?, next_at=?, "
                "failures=0, outcome='ok', reason=NULL WHERE list_id=?",
                (
                    state.etag, state.last_modified, state.sha256, state.look, state.pending, state.pages_read, published,
                    next_at, state.list_id,
                ),
            )  # fmt: skip
            if history is not None:
                assert history.polled_at is not None
                seen = (history.polled_at.timestamp(), json.dumps(history.articles), json.dumps(history.exposure))
                db.execute("UPDATE lists SET polled_at=?, articles=?, exposure=? WHERE list_id=?", (*seen, state.list_id))

    # Articles

    def known(self, site_id: str, urls: Iterable[str]) -> dict[str, tuple[int | None, int]]:
        """Address -> (list, look of that list) that found it, for those that are known."""
        query = "SELECT list_id, list_look FROM articles WHERE site_id=? AND url=?"
        return {url: (row[0], row[1]) for url in urls for row in self._rows(query, site_id, url)}

    def ask_again(self, article_ids: Sequence[int], now: float) -> None:
        """Articles to be fetched once more, because a feed says that they changed or because they are young."""
        if article_ids:
            again = "UPDATE articles SET state=?, attempts=0, next_at=? WHERE article_id=? AND state=?"
            with self.transaction() as db:
                db.executemany(again, [(WAITING, now, article_id, DONE) for article_id in article_ids])

    def youngest(self, site_id: str, list_id: int, since: date, most: int) -> list[int]:
        """Numbers of the newest articles of a list that were read, published since a day."""
        rows = self._rows(
            "SELECT article_id FROM articles WHERE site_id=? AND list_id=? AND state=? AND source<>'page' AND published>=? "
            "ORDER BY published DESC, article_id DESC LIMIT ?",
            site_id, list_id, DONE, since.isoformat(), most,
        )  # fmt: skip
        return [int(row[0]) for row in rows]

    def has_articles(self, list_id: int) -> bool:
        """Whether a list has ever led to an article."""
        return bool(self._rows("SELECT 1 FROM articles WHERE list_id=? LIMIT 1", list_id))

    def changed_since(self, site_id: str, days: Iterable[tuple[str, date | None]]) -> list[int]:
        """Numbers of articles that were read before the day on which a sitemap says they changed."""
        query = "SELECT article_id FROM articles WHERE site_id=? AND url=? AND state=? AND ? > date(fetched_at,'unixepoch')"
        return [int(row[0]) for url, day in days for row in self._rows(query, site_id, url, DONE, _iso(day))]

    def waiting(self, site_id: str, now: float, most: int) -> list[ArticleRow]:
        """Articles to fetch now, in the order in which they were found."""
        rows = self._rows(f"{_ARTICLE}AND state=0 AND next_at<=? ORDER BY next_at, article_id LIMIT ?", site_id, now, most)
        return [ArticleRow(*row) for row in rows]

    def page_itself(self, site_id: str, state: ListState) -> ArticleRow:
        """The list page as an article of its own; entered when it is new."""
        self._write(
            "INSERT OR IGNORE INTO articles(site_id,list_id,list_look,url,source,anchor,state) VALUES(?,?,?,?,'page','',?)",
            site_id, state.list_id, state.look, state.list.url, DONE,
        )  # fmt: skip
        return ArticleRow(*self._rows(f"{_ARTICLE}AND url=?", site_id, state.list.url)[0])

    def article_failed(self, article: ArticleRow, outcome: str, reason: str, next_at: float | None) -> None:
        """A fetch failed; `next_at` None gives up."""
        self._write(
            "UPDATE articles SET state=?, attempts=attempts+1, outcome=?, reason=?, next_at=coalesce(?, next_at) "
            "WHERE article_id=?",
            FAILED if next_at is None else WAITING, outcome, reason, next_at, article.article_id,
        )  # fmt: skip

    def unchanged(self, article: ArticleRow, outcome: str) -> None:
        """An article was read and holds nothing new: not modified, a copy of another, or closed by its owner."""
        done = "UPDATE articles SET state=?, attempts=0, outcome=?, reason=NULL WHERE article_id=?"
        self._write(done, DONE, outcome, article.article_id)

    def has_twin(self, article: ArticleRow, sha256: bytes) -> bool:
        """Whether another article of the site has the very bytes."""
        query = "SELECT 1 FROM articles WHERE site_id=? AND sha256=? AND article_id<>? AND outcome='ok' LIMIT 1"
        return bool(self._rows(query, article.site_id, sha256, article.article_id))

    def record(
        self, article: ArticleRow, page: SitePage, read: Article, relevant: Sequence[Announcement], *, issued: date | None,
        at: float, model: str, max_bits: int,
    ) -> int:  # fmt: skip
        """An article was read: its announcements, without repeats, in one transaction with the article itself.

        What an earlier version of the article said for the same day, and this one does not say, is withdrawn.

        Args:
            page, read: as it answered, and as it was read.
            relevant: its announcements that belong to the topic.
            issued: day of publication as far as page, list or feed tell it.
            at: when it came, seconds.
            model: by which announcements were found relevant.
            max_bits: see `articles.is_repeat`.

        Returns:
            How many announcements are new.
        """
        news = self._without_repeats(article, relevant, issued, max_bits)
        news_ids = json.dumps([announcement.announcement_id for announcement in news])
        rows = [
            (
                announcement.announcement_id, article.site_id, article.article_id, announcement.position, announcement.text,
                text_print(announcement.text), _iso(issued), read.title, read.author, read.keywords, read.description, model,
                announcement.score, page.sha256, at, at,
            )
            for announcement in news
        ]  # fmt: skip
        with self.transaction() as db:
            if issued is not None:
                db.execute(
                    "UPDATE announcements SET withdrawn_at=? WHERE article_id=? AND issued=? AND withdrawn_at IS NULL "
                    "AND announcement_id NOT IN (SELECT value FROM json_each(?))",
                    (at, article.article_id, issued.isoformat(), news_ids),
                )
            known = "SELECT count(*) FROM announcements WHERE announcement_id IN (SELECT value FROM json_each(?))"
            new = len(news) - int(db.execute(known, (news_ids,)).fetchone()[0])
            db.executemany(_PUT_ANNOUNCEMENT, rows)
            db.execute(
                "UPDATE articles SET state=?, attempts=0, outcome='ok', reason=NULL, etag=?, last_modified=?, sha256=?, "
                "fetched_at=?, body=?, published=coalesce(?, published) WHERE article_id=?",
                (
                    DONE, page.etag, page.last_modified, page.sha256, at,
                    self._packer.compress(page.body) if news else None, _iso(issued), article.article_id,
                ),
            )  # fmt: skip
        return new

    def _without_repeats(
        self, article: ArticleRow, relevant: Sequence[Announcement], issued: date | None, max_bits: int
    ) -> list[Announcement]:
        """Those that no other article of the site says already for the same day; an undated page is compared with itself too."""
        since = (issued - timedelta(days=_REPEAT_DAYS)).isoformat() if issued else ""
        others = self._rows(
            "SELECT announcement_id, text, text_print, article_id FROM announcements WHERE site_id=? AND withdrawn_at IS NULL "
            "AND (issued IS ? OR issued IS NULL OR ? IS NULL) AND coalesce(issued, '9999-12-31')>=? "
            "ORDER BY first_seen_at DESC, announcement_id LIMIT ?",
            article.site_id, _iso(issued), _iso(issued), since, _COMPARED_AT_MOST,
        )  # fmt: skip
        compared = [row for row in others if row["article_id"] != article.article_id or issued is None]

        def is_known(announcement: Announcement) -> bool:
            own = text_print(announcement.text)
            return any(
                is_repeat(announcement.text, own, row["text"], row["text_print"], max_bits)
                for row in compared
                if row["announcement_id"] != announcement.announcement_id
            )

        return [announcement for announcement in relevant if not is_known(announcement)]


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _list_values(site_id: str, lists: Iterable[WatchedList]) -> list[tuple[object, ...]]:
    return [(site_id, entry.url, entry.kind, entry.weight, entry.xpath, entry.pages, int(entry.found)) for entry in lists]


def _list_state(row: sqlite3.Row) -> ListState:
    unseen = PageHistory(row["weight"])
    polled = None if row["polled_at"] is None else datetime.fromtimestamp(row["polled_at"], UTC)
    articles, exposure = (
        tuple(json.loads(row[name])) if row[name] else none
        for name, none in (("articles", unseen.articles), ("exposure", unseen.exposure))
    )
    return ListState(
        row["list_id"],
        WatchedList(row["url"], row["kind"], row["weight"], row["xpath"], row["pages"], bool(row["found"])),
        row["etag"], row["last_modified"], row["sha256"],
        PageHistory(row["weight"], polled, articles, exposure),
        row["failures"], row["look"], row["pending"], row["pages_read"],
        tuple(date.fromisoformat(day) for day in json.loads(row["published"])),
    )  # fmt: skip


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
