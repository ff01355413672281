"""Sites and their lists in the state file: what is due, what was found, how the looks went. Rows in, rows out."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

from mass_pipeline.crawling.state.database import StateDatabase
from mass_pipeline.crawling.state.schema import WATCH_FILE
from mass_pipeline.crawling.watching.polling import PageHistory
from mass_pipeline.crawling.watching.sites import WatchedList, WatchedSite
from mass_pipeline.model.errors import StorageError

_WEEK: Final = 7
_NEVER: Final = 1e18
_PUT_LIST: Final = (
    "INSERT INTO lists(site_id,url,kind,weight,xpath,pages,found) VALUES(?,?,?,?,?,?,?) ON CONFLICT(site_id,url) DO UPDATE SET "
    "kind=excluded.kind, weight=excluded.weight, xpath=excluded.xpath, pages=excluded.pages, found=min(found,excluded.found)"
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

    site_id: str
    url: str
    scope_prefix: str
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


class WatchState(StateDatabase):
    """The state of a watch; a context manager.

    Args:
        folder: made when absent.
        topic: what the watch looks for; a state belongs to one topic for ever.

    Raises:
        StorageError: as for `StateDatabase`, or of another topic; nothing is changed then.
    """

    def __init__(self, folder: Path, topic: str) -> None:
        super().__init__(folder, WATCH_FILE, user="watch")
        known = self.meta().get("topic", topic)
        if known != topic:
            self.close()
            raise StorageError(f"{folder}: this state watches for the topic {known!r}, not {topic!r}. Give it another folder.")
        self.put_meta({"topic": topic})


class SiteStore:
    """Reads and writes sites and lists."""

    def __init__(self, database: WatchState) -> None:
        self._database = database
        self._db = database.connection

    # Sites

    def register(self, sites: Iterable[WatchedSite], now: float) -> None:
        """Make these the sites that are watched; known ones keep their state, others sleep."""
        with self._database.transaction() as db:
            db.execute("UPDATE watched_sites SET active=0")
            for site in sites:
                db.execute(
                    "INSERT INTO watched_sites(site_id,url,scope_prefix,active) VALUES(?,?,?,1) "
                    "ON CONFLICT(site_id) DO UPDATE SET active=1, found_at=iif(url=excluded.url, found_at, 0), "
                    "hosts=iif(url=excluded.url, hosts, '[]'), next_at=iif(url=excluded.url, next_at, 0), "
                    "url=excluded.url, scope_prefix=excluded.scope_prefix",
                    (site.site_id, site.url, site.scope_prefix),
                )
                self._configure(db, site)
                self._take_from_crawl(db, site, now)

    def _configure(self, db: sqlite3.Connection, site: WatchedSite) -> None:
        """Configured lists are those of the file, no more: one that vanished from it is dropped, its articles stay known."""
        wanted = {entry.url for entry in site.lists}
        known = dict(db.execute("SELECT url, list_id FROM lists WHERE site_id=? AND found=0", (site.site_id,)).fetchall())
        db.executemany("DELETE FROM lists WHERE list_id=?", [(known[url],) for url in known.keys() - wanted])
        db.executemany(_PUT_LIST, [_list_values(site.site_id, entry) for entry in site.lists])
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
            db.executemany(_PUT_LIST, [_list_values(site.site_id, entry) for entry in site.crawled_lists])

    def due_sites(self, now: float, without: Iterable[str]) -> list[str]:
        """Sites with something to do, heavier ones first, then the longest overdue (C2)."""
        rows = self._db.execute(
            "SELECT site_id FROM watched_sites WHERE active=1 AND next_at<=? AND site_id NOT IN (SELECT value FROM json_each(?)) "
            "ORDER BY weight DESC, next_at, site_id",
            (now, json.dumps(sorted(without))),
        )
        return [str(row[0]) for row in rows]

    def next_due(self) -> float | None:
        """Moment at which a site is due next; None without sites."""
        found = self._db.execute("SELECT min(next_at) FROM watched_sites WHERE active=1").fetchone()[0]
        return None if found is None else float(found)

    def counts(self) -> tuple[int, int]:
        """Active sites, and how many of them failed at the last look."""
        row = self._db.execute("SELECT count(*), coalesce(sum(failures>0),0) FROM watched_sites WHERE active=1").fetchone()
        return int(row[0]), int(row[1])

    def failing(self) -> dict[str, str]:
        """Site -> reason, of active sites whose last turn failed."""
        rows = self._db.execute("SELECT site_id, reason FROM watched_sites WHERE active=1 AND failures>0 ORDER BY site_id")
        return {str(row[0]): str(row[1]) for row in rows}

    def site(self, site_id: str) -> SiteState:
        """One site."""
        row = self._db.execute("SELECT * FROM watched_sites WHERE site_id=?", (site_id,)).fetchone()
        return SiteState(
            row["site_id"], row["url"], row["scope_prefix"], json.loads(row["hosts"]), frozenset(json.loads(row["menu"])),
            row["found_at"], row["failures"],
        )  # fmt: skip

    def put_hosts(self, site_id: str, hosts: Sequence[str]) -> None:
        """Remember the hosts that belong to a site."""
        with self._database.transaction() as db:
            db.execute("UPDATE watched_sites SET hosts=? WHERE site_id=?", (json.dumps(list(hosts)), site_id))

    def put_found(self, site_id: str, lists: Sequence[WatchedList], menu: Iterable[str], now: float) -> None:
        """The lists found on a site, in place of those found before that nothing came of."""
        wanted = json.dumps([entry.url for entry in lists])
        with self._database.transaction() as db:
            db.execute(
                "DELETE FROM lists WHERE site_id=? AND found=1 AND url NOT IN (SELECT value FROM json_each(?)) "
                "AND (failures>0 OR NOT EXISTS (SELECT 1 FROM articles WHERE articles.list_id=lists.list_id))",
                (site_id, wanted),
            )
            for entry in lists:
                db.execute(_PUT_LIST, _list_values(site_id, entry))
            db.execute("UPDATE watched_sites SET found_at=?, menu=? WHERE site_id=?", (now, json.dumps(sorted(menu)), site_id))

    def search_again_at(self, site_id: str, at: float, rediscover_seconds: float) -> None:
        """A search for new lists failed; the lists found before stay, and it is tried again at that moment."""
        with self._database.transaction() as db:
            db.execute(
                "UPDATE watched_sites SET found_at=?-? WHERE site_id=? AND found_at IS NOT NULL",
                (at, rediscover_seconds, site_id),
            )

    def site_done(
        self, site_id: str, now: float, *, failed: str | None, retry_at: float, rediscover_seconds: float | None
    ) -> None:
        """A site's turn is over: when is it due again?

        Args:
            failed: reason when the turn failed as a whole.
            retry_at: earliest moment after a failure.
            rediscover_seconds: how long found lists are trusted; None when the lists are configured.
        """
        with self._database.transaction() as db:
            db.execute(
                "UPDATE watched_sites SET failures=iif(?, failures+1, 0), reason=coalesce(?,''), next_at=max(?, min("
                "coalesce(found_at+?, ?), "
                "coalesce((SELECT min(next_at) FROM lists WHERE lists.site_id=watched_sites.site_id), 1e18), "
                "coalesce((SELECT min(next_at) FROM articles WHERE articles.site_id=watched_sites.site_id AND state=0), 1e18))) "
                "WHERE site_id=?",
                (
                    failed is not None, failed, retry_at if failed is not None else 0.0, rediscover_seconds,
                    _NEVER if rediscover_seconds is None else now, site_id,
                ),
            )  # fmt: skip

    # Lists

    def due_lists(self, site_id: str, now: float) -> list[ListState]:
        """Lists of a site to look at now."""
        rows = self._db.execute(
            "SELECT * FROM lists WHERE site_id=? AND next_at<=? ORDER BY weight DESC, list_id", (site_id, now)
        )
        return [_list_state(row) for row in rows]

    def list_failed(self, list_id: int, outcome: str, reason: str, next_at: float) -> None:
        """A look failed; an unfinished one goes on where it was."""
        with self._database.transaction() as db:
            db.execute(
                "UPDATE lists SET failures=failures+1, outcome=?, reason=?, next_at=? WHERE list_id=?",
                (outcome, reason, next_at, list_id),
            )

    def look_soon(self, site_id: str, now: float) -> None:
        """Every list page of a site is due: a feed could not hold all that is new."""
        with self._database.transaction() as db:
            db.execute("UPDATE lists SET next_at=min(next_at,?) WHERE site_id=? AND kind='page'", (now, site_id))

    def list_gone(self, list_id: int) -> None:
        """A list that was found by itself is no more; the site is searched again."""
        with self._database.transaction() as db:
            db.execute(
                "UPDATE watched_sites SET found_at=0 WHERE site_id=(SELECT site_id FROM lists WHERE list_id=?)", (list_id,)
            )
            db.execute("DELETE FROM lists WHERE list_id=? AND found=1", (list_id,))


def put_look(
    db: sqlite3.Connection, state: ListState, *, history: PageHistory | None, next_at: float, outcome: str = "ok"
) -> None:
    """Write how a list stands, inside the transaction that writes its articles.

    Args:
        history: of the finished look; None while it goes on.
    """
    published = json.dumps([day.isoformat() for day in state.published])
    db.execute(
        "UPDATE lists SET etag=?, last_modified=?, sha256=?, look=?, pending=?, pages_read=?, published=?, next_at=?, "
        "failures=0, outcome=?, reason=NULL WHERE list_id=?",
        (
            state.etag, state.last_modified, state.sha256, state.look, state.pending, state.pages_read, published, next_at,
            outcome, state.list_id,
        ),
    )  # fmt: skip
    if history is not None:
        assert history.polled_at is not None
        db.execute(
            "UPDATE lists SET polled_at=?, articles=?, exposure=? WHERE list_id=?",
            (history.polled_at.timestamp(), json.dumps(history.articles), json.dumps(history.exposure), state.list_id),
        )


def _list_values(site_id: str, entry: WatchedList) -> tuple[object, ...]:
    return (site_id, entry.url, entry.kind, entry.weight, entry.xpath, entry.pages, int(entry.found))


def _list_state(row: sqlite3.Row) -> ListState:
    polled = None if row["polled_at"] is None else datetime.fromtimestamp(row["polled_at"], UTC)
    articles, exposure = (tuple(json.loads(row[name])) if row[name] else (0.0,) * _WEEK for name in ("articles", "exposure"))
    return ListState(
        row["list_id"],
        WatchedList(row["url"], row["kind"], row["weight"], row["xpath"], row["pages"], bool(row["found"])),
        row["etag"],
        row["last_modified"],
        row["sha256"],
        PageHistory(row["weight"], polled, articles, exposure),
        row["failures"],
        row["look"],
        row["pending"],
        row["pages_read"],
        tuple(date.fromisoformat(day) for day in json.loads(row["published"])),
    )
