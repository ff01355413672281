"""The state of a crawl in SQLite: frontier, pages, hosts, history. One writer; changes gather and commit together.

A page counts as acknowledged when its transaction is committed and synced. Killed at any moment, the file holds whole
transactions: a page and the links found on it, or neither. What was gathered is committed, unsynced, before anything is asked,
with the intent to ask it: a death of the process costs the requests in flight alone (J3), a power cut those since the last sync.
Rows that are not what was stored once (a flipped bit in a body or an address) are forgotten and asked for anew. Reading for
others is in `reading`.
"""

from __future__ import annotations

import asyncio
import json
import math
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.outcomes import TEMPORARY, Outcome
from mass_pipeline.crawling.fetching.scope import OptOuts
from mass_pipeline.crawling.sites.frontier import Item
from mass_pipeline.crawling.sites.records import Seed
from mass_pipeline.crawling.state.database import StateDatabase
from mass_pipeline.crawling.state.erasing import erase
from mass_pipeline.crawling.state.packing import DamagedBody, PagePacker, PageUnpacker
from mass_pipeline.crawling.state.schema import CRAWL_FILE
from mass_pipeline.model.errors import DiskFull, StorageError
from mass_pipeline.model.identifiers import url_md5
from mass_pipeline.model.state_file import overwritten

DAY_SECONDS: Final = 86_400.0
_GATHER_SECONDS: Final = (0.005, 0.03)  # requests that come so close to one another wait for one transaction
_SHARE: Final = 0.1  # of the time, that transactions take when they come thick: beyond, more requests wait for one
_MOST_BODY_BYTES: Final = 4 << 20  # of bodies that wait to be packed and written
MOST_DEATHS: Final = 5  # so often in a row a process may die while asking for a URL before a crawl leaves it out once


@dataclass(slots=True)
class SiteRow:
    """A site as the state file knows it."""

    site_id: int
    parish_id: str
    start_url: str
    scope_prefix: str
    domain: str = ""
    status: str = "new"  # new, open, finished
    outcome: str = ""
    reason: str = ""
    requests: int = 0
    body_bytes: int = 0
    seconds: float = 0.0
    hosts: list[str] = field(default_factory=list)  # start URLs of further hosts, found by redirects


@dataclass(slots=True)
class KnownUrl:
    """A URL of a site that is being reopened."""

    item: Item
    waiting: bool
    outcome: str | None
    etag: str | None
    last_modified: str | None
    body_sha256: bytes | None
    interval_days: float | None
    deaths: int = 0  # of processes in a row, while this URL was being asked for or read
    rendering: str | None = None  # what came of showing the page to a browser; None when it was not

    @property
    def conditions(self) -> dict[str, str]:
        """Headers that ask for the page only if it has changed."""
        headers = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in headers.items() if value}


class PageRow(NamedTuple):
    """A page: the columns of `pages`, in their order. Moments are seconds since 1970."""

    url_id: int
    content_type: str | None
    encoding: str | None
    etag: str | None
    last_modified: str | None
    fetched_at: float
    elapsed_ms: int
    truncated: bool
    tls_verified: bool
    body: bytes | None
    body_sha256: bytes
    dictionary_id: int | None
    interval_days: float
    next_visit_at: float
    confirmed_at: float
    rendering: str | None


_DROP_BODY: Final = (
    "UPDATE pages SET body=NULL,body_sha256=NULL,dictionary_id=NULL,etag=NULL,last_modified=NULL,next_visit_at=0 WHERE url_id=?"
)
_DROP_URL: Final = (
    "UPDATE sites SET status='new' WHERE site_id=(SELECT site_id FROM urls WHERE url_id=? AND referrer_id IS NULL)",
    # the page that led there is read anew, and leads there again
    "UPDATE pages SET etag=NULL,last_modified=NULL,next_visit_at=0 WHERE url_id=(SELECT referrer_id FROM urls WHERE url_id=?)",
    "DELETE FROM pages WHERE url_id=?",
    "DELETE FROM urls WHERE url_id=?",
)
_ADDRESSES: Final = "SELECT url_id,url,url_md5,outcome,pages.url_id IS NOT NULL FROM urls LEFT JOIN pages USING(url_id)"
_STRAY_PAGES: Final = "SELECT url_id FROM pages WHERE url_id NOT IN (SELECT url_id FROM urls)"
_OUTCOMES: Final = frozenset({None, *(outcome.value for outcome in Outcome)})
_WITH_PAGE: Final = frozenset({Outcome.OK.value, Outcome.TRUNCATED.value, Outcome.NOT_MODIFIED.value})


def forget_damaged(connection: sqlite3.Connection, unpacker: PageUnpacker) -> int:
    """Forget bodies whose SHA-256 and addresses whose MD5 is another one than stored beside them; how many that were.

    So are addresses whose outcome is none, answered ones whose page is gone, and pages that belong to no address: a bit of a
    row's number makes both.
    """
    bodies = connection.execute("SELECT url_id,body,dictionary_id,body_sha256 FROM pages WHERE body IS NOT NULL")
    damaged = [(row[0],) for row in bodies if not _is_whole(unpacker, *row[1:])]
    strange = [(row[0],) for row in connection.execute(_ADDRESSES) if not _makes_sense(*row[1:])]
    stray = connection.execute(_STRAY_PAGES).fetchall()
    if damaged or strange or stray:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(_DROP_BODY, damaged)
        for statement in _DROP_URL:
            connection.executemany(statement, strange)
        connection.executemany("DELETE FROM pages WHERE url_id=?", stray)
        connection.execute("COMMIT")
    return len(damaged) + len(strange) + len(stray)


def _makes_sense(url: object, md5: object, outcome: object, has_page: object) -> bool:
    if not isinstance(url, str) or bytes.fromhex(url_md5(url)) != md5 or outcome not in _OUTCOMES:
        return False
    return bool(has_page) or outcome not in _WITH_PAGE


def _is_whole(unpacker: PageUnpacker, packed: object, dictionary_id: int | None, sha256: object) -> bool:
    try:
        unpacker.unpack(packed, dictionary_id, sha256)  # type: ignore[arg-type]  # a damaged row may hold any type
    except DamagedBody:
        return False
    return True


WAITING: Final = 0
DONE: Final = 1
FORMER_SITE: Final = "former site of the parish"  # reason of the URLs a parish has left behind

_INSERT_URL: Final = (
    "INSERT OR IGNORE INTO urls(url_id,site_id,url,url_md5,depth,referrer_id,link_text,hops) VALUES(?,?,?,?,?,?,?,?)"
)
_FINISH_URL: Final = (
    "UPDATE urls SET state=1,lease=NULL,deaths=0,depth=?,attempts=?,outcome=?,reason=?,final_url=?,status=?,checked_at=? "
    "WHERE url_id=?"
)
# Known pages that are due, also those whose date only a clock that was wrong can have made; copies of a page that is not there
# any more; and what robots.txt closed, or a start page that gave nothing, since webmasters change their mind.
_AGAIN: Final = (
    "OR (outcome<>'duplicate' AND url_id IN (SELECT url_id FROM pages WHERE next_visit_at<=:due_before "
    "OR next_visit_at BETWEEN :latest AND 1e11)) "
    "OR (url_md5 IN (SELECT url_md5 FROM temp.evidence) AND outcome<>'duplicate' AND checked_at<=:evidence_before) "
    "OR (checked_at<=:rested_before AND outcome<>'duplicate' "
    "AND checked_at<(SELECT since FROM temp.doubted WHERE doubted.url_md5=urls.url_md5)) "
    "OR (depth=0 AND referrer_id IS NULL AND checked_at<=:evidence_before "  # its site may have moved the order elsewhere
    "AND EXISTS (SELECT 1 FROM urls e WHERE e.site_id=:site AND e.url_md5 IN (SELECT url_md5 FROM temp.evidence))) "
    "OR (outcome='duplicate' AND (SELECT body_sha256 FROM pages c WHERE c.url_id=urls.url_id) NOT IN (SELECT p.body_sha256 "
    "FROM urls o JOIN pages p USING(url_id) WHERE o.site_id=:site AND o.outcome NOT IN ('duplicate','redirect','gone'))) "
    "OR (checked_at<=:refused_before AND url_id NOT IN (SELECT url_id FROM pages) AND (outcome='forbidden_by_robots' "
    "OR (depth=0 AND outcome IN ('http_4xx','gone','blocked_address','not_text','too_large','noindex'))))"
)
_PUT_PAGE: Final = f"INSERT OR REPLACE INTO pages({','.join(PageRow._fields)}) VALUES({','.join('?' * len(PageRow._fields))})"
_CHECKED_PAGE: Final = "UPDATE pages SET interval_days=?,next_visit_at=?,confirmed_at=coalesce(?,confirmed_at) WHERE url_id=?"
_PUT_SITE: Final = (
    "UPDATE sites SET status=?,outcome=?,reason=?,requests=?,body_bytes=?,seconds=?,hosts=?,domain=? WHERE site_id=?"
)
_PUT_RETRY: Final = "UPDATE urls SET attempts=?,next_try_at=?,lease=NULL WHERE url_id=?"
_LOWER_DEPTH: Final = "UPDATE urls SET depth=min(depth,?) WHERE url_id=?"
_PUT_HISTORY: Final = "INSERT INTO history VALUES(?,?,?,?)"
# After new URLs and pages, in this order; of two rows for the same thing the last one counts.
_IN_ORDER: Final = (_PUT_RETRY, _LOWER_DEPTH, _FINISH_URL, _CHECKED_PAGE, _PUT_HISTORY, _PUT_SITE)
# A page that was being asked for or read when the process died is no failed try of it, unless that happens again and again.
_COUNT_DEATHS: Final = "UPDATE urls SET deaths=deaths+1,lease=NULL WHERE lease IS NOT NULL"


class CrawlStore(StateDatabase):
    """Writer of one state folder; a context manager.

    Attributes:
        when_full: told why nothing can be written before a request; what was gathered waits for the next `commit`.
    """

    def __init__(self, folder: Path, config: CrawlConfig) -> None:
        super().__init__(folder, CRAWL_FILE, user="crawl")
        self._db, self._config = self.connection, config
        try:
            with self.errors_told():
                self._prepare()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        dictionary = self._db.execute("SELECT dictionary_id, content FROM dictionaries ORDER BY 1 DESC LIMIT 1").fetchone()
        self._packer = PagePacker(self._config.compression_level, dictionary and tuple(dictionary))
        self._clear()
        self.leased: set[int] = set()  # URLs about to be asked for, until that is written
        self._written: asyncio.Future[None] | None = None
        self._unsynced = False
        self._synced = 0
        self._took = 0.0  # seconds of the last transaction before a request
        self.when_full: Callable[[str], None] = lambda reason: None
        self.begin_run()
        self.run_id = int(self.meta().get("run_id", "0")) + 1
        self.put_meta({"run_id": str(self.run_id)})
        self._next_url_id = (self._db.execute("SELECT max(url_id) FROM urls").fetchone()[0] or 0) + 1
        self._db.execute(_COUNT_DEATHS)
        self._db.execute("CREATE TEMP TABLE evidence(url_md5 BLOB PRIMARY KEY) WITHOUT ROWID")
        self._db.execute("CREATE TEMP TABLE doubted(url_md5 BLOB PRIMARY KEY, since REAL) WITHOUT ROWID")

    def __exit__(self, *error: object) -> None:
        try:
            if error[0] is None or not issubclass(error[0], sqlite3.Error | StorageError):  # type: ignore[arg-type]
                self.leased.clear()
                with self.errors_told():
                    self.commit()
                    self._db.execute("UPDATE urls SET lease=NULL WHERE lease=?", (self.run_id,))
                    if error[0] is None:  # an interrupted run may have asked a host a moment ago
                        self.end_run()
                    self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except DiskFull:
            pass  # nothing acknowledged is lost; the next run takes this one for killed
        finally:
            self.close()

    # Sites

    def register(self, seeds: Iterable[Seed]) -> list[SiteRow]:
        """Enter the seeds; known parishes keep their state, with a new start URL they are opened again.

        Returns:
            One row per seed, in their order.
        """
        with self.transaction():
            return [self._register(seed) for seed in seeds]

    def _register(self, seed: Seed) -> SiteRow:
        values = (seed.url, seed.scope_prefix, seed.parish_id)
        known = "SELECT site_id FROM sites WHERE (start_url,scope_prefix)<>(?,?) AND parish_id=?"
        for (site_id,) in self._db.execute(known, values).fetchall():  # the parish has moved; it may have moved back
            self._db.execute("UPDATE sites SET status='new',hosts='',start_url=?,scope_prefix=? WHERE parish_id=?", values)
            again = "UPDATE urls SET state=0,attempts=0,lease=NULL WHERE site_id=? AND reason=?"
            self._db.execute(again, (site_id, FORMER_SITE))
        self._db.execute("INSERT OR IGNORE INTO sites(start_url,scope_prefix,parish_id) VALUES(?,?,?)", values)
        found = self._db.execute(
            "SELECT site_id,parish_id,start_url,scope_prefix,domain,status,outcome,reason,requests,body_bytes,seconds,hosts "
            "FROM sites WHERE parish_id=?",
            (seed.parish_id,),
        ).fetchone()
        row = SiteRow(*found[:11])
        row.hosts = json.loads(found[11] or "[]")
        return row

    def forget_removed(self, removals: OptOuts) -> int:
        """Forget every page, link and date that is covered; how many URLs that were."""
        if not removals:
            return 0
        with self.errors_told(), overwritten(self._db):
            gone = erase(self._db, removals, self._config.compression_level)
        if gone:
            self._packer = PagePacker(self._config.compression_level, None)
        return gone

    def put_site(self, site: SiteRow) -> None:
        """Remember how a site stands."""
        self._rows[_PUT_SITE].append(
            (
                site.status, site.outcome, site.reason, site.requests, site.body_bytes, site.seconds, json.dumps(site.hosts),
                site.domain, site.site_id,
            )
        )  # fmt: skip

    def load_urls(self, site_id: int) -> list[KnownUrl]:
        """Every URL of a site, in order of discovery."""
        rows = self._db.execute(
            "SELECT u.url_id,u.url,u.depth,u.referrer_id,u.link_text,u.hops,u.state,u.deaths,u.outcome,"
            "p.etag,p.last_modified,p.body_sha256,p.interval_days,p.rendering FROM urls u LEFT JOIN pages p USING(url_id) "
            "WHERE u.site_id=? ORDER BY u.url_id",
            (site_id,),
        )
        return [
            KnownUrl(
                Item(
                    row["url_id"], row["url"], row["url"], row["depth"], row["referrer_id"], row["link_text"], 0, row["hops"],
                    row["interval_days"] is not None,
                ),
                row["state"] == WAITING, row["outcome"], row["etag"], row["last_modified"],
                row["body_sha256"], row["interval_days"], row["deaths"], row["rendering"],
            )
            for row in rows
        ]  # fmt: skip

    def note_evidence(self, urls: Iterable[str]) -> None:
        """Canonical URLs of pages that something published rests on: they are due after `revisit_evidence_days`."""
        with self.errors_told():
            self._db.executemany(
                "INSERT OR IGNORE INTO temp.evidence VALUES(?)", [(bytes.fromhex(url_md5(url)),) for url in urls]
            )

    def note_doubts(self, pages: Mapping[str, datetime]) -> None:
        """Canonical URLs that people doubted since a moment: due unless asked since; once a day at most, whoever doubts."""
        found = [(bytes.fromhex(url_md5(url)), since.timestamp()) for url, since in pages.items()]
        with self.errors_told():
            self._db.executemany("INSERT OR REPLACE INTO temp.doubted VALUES(?,?)", found)

    def wake_due(self, site_id: int, now: float) -> int:
        """Set those URLs of a finished site waiting that are worth asking again; how many.

        What an early stop left unasked waits again when some page is due: that page may have changed.
        """
        again = "" if self._config.revisit == "never" else _AGAIN
        moments = {
            "due_before": math.inf if self._config.revisit == "all" else now,
            "latest": now + (self._config.revisit_max_days + 1) * DAY_SECONDS,
            "evidence_before": now - self._config.revisit_evidence_days * DAY_SECONDS,
            "rested_before": now - DAY_SECONDS,
            "refused_before": now - self._config.revisit_first_days * DAY_SECONDS,
        }
        temporary = ",".join(f"'{outcome}'" for outcome in sorted(TEMPORARY))
        with self.errors_told():
            changed = self._db.execute(
                "UPDATE urls SET state=0,attempts=0,lease=NULL,next_try_at=NULL WHERE site_id=:site AND state=1 "  # noqa: S608  # closed list
                f"AND (outcome IN ({temporary}) {again})",
                {"site": site_id, **moments},
            ).rowcount
            if changed:
                self._db.execute("UPDATE urls SET state=0 WHERE site_id=? AND state=1 AND outcome='not_needed'", (site_id,))
        return int(changed)

    # URLs and pages

    def new_url_id(self) -> int:
        """Number for a URL that is about to be added."""
        self._next_url_id += 1
        return self._next_url_id - 1

    def owner_of(self, url_md5: bytes) -> int | None:
        """Site that a URL belongs to already, None for a new one."""
        if url_md5 in self._owners:
            return self._owners[url_md5]
        row = self._db.execute("SELECT site_id FROM urls WHERE url_md5=?", (url_md5,)).fetchone()
        return int(row[0]) if row else None

    def add_url(self, site_id: int, item: Item, url_md5: bytes) -> None:
        """A URL enters the frontier."""
        self._owners[url_md5] = site_id
        row = (item.url_id, site_id, item.url, url_md5, item.depth, item.referrer_id, item.text, item.hops)
        self._new.setdefault(url_md5, row)

    def finish_url(
        self, item: Item, outcome: Outcome, reason: str, at: float, final_url: str | None = None, status: int | None = None
    ) -> None:
        """A URL has its outcome."""
        self.leased.discard(item.url_id)
        final = None if final_url == item.url else final_url
        row = (item.depth, item.attempts, outcome.value, reason or None, final, status, at, item.url_id)
        self._rows[_FINISH_URL].append(row)
        if status is not None:
            self._rows[_PUT_HISTORY].append((at, item.url_id, outcome.value, status))

    def put_page(self, site_id: int, page: PageRow) -> None:
        """Store a page; bodies are packed together, while the compressor's tables are in the processor's cache."""
        self._pages[page.url_id] = page
        self._site_of[page.url_id] = site_id
        self._body_bytes += len(page.body or b"")
        if self._body_bytes > _MOST_BODY_BYTES:
            self._write_soon()

    def page_checked(self, url_id: int, interval_days: float, next_visit_at: float, confirmed_at: float | None = None) -> None:
        """A stored page was asked for again: found unchanged at `confirmed_at`, or gone (None)."""
        self._rows[_CHECKED_PAGE].append((interval_days, next_visit_at, confirmed_at, url_id))

    def put_retry(self, item: Item, next_try_at: float) -> None:
        """A URL goes back to the frontier after a failure."""
        self.leased.discard(item.url_id)
        self._rows[_PUT_RETRY].append((item.attempts, next_try_at, item.url_id))

    def put_depth(self, item: Item) -> None:
        """Lower the depth of a URL that waits or was visited over a longer way."""
        self._rows[_LOWER_DEPTH].append((item.depth, item.url_id))

    def body_of(self, url_md5: bytes) -> tuple[int, bytes] | None:
        """`(url_id, body)` of a page kept in this run or before, None when it has none, or a damaged one."""
        new = self._new.get(url_md5)
        url_id = None if new is None else new[0]
        if url_id is None:
            row = self._db.execute("SELECT url_id FROM urls WHERE url_md5=?", (url_md5,)).fetchone()
            if row is None:
                return None
            url_id = int(row[0])
        page = self._pages.get(url_id)
        if page is not None:
            return None if page.body is None else (url_id, page.body)
        packed = self._db.execute("SELECT body,dictionary_id,body_sha256 FROM pages WHERE url_id=?", (url_id,)).fetchone()
        if packed is None or packed[0] is None:
            return None
        try:
            return url_id, unpacker_of(self._db, self._packer.fresh).unpack(*packed)
        except DamagedBody:
            return None

    def forget_damaged(self) -> int:
        """Forget stored bodies and addresses that are not what was stored (F12), so that this crawl asks anew; how many."""
        with self.errors_told():
            return forget_damaged(self._db, unpacker_of(self._db))

    # Transactions

    async def written(self) -> None:
        """See `HostStore`; one transaction for all who ask meanwhile. Without room on the disk `when_full` is told."""
        await asyncio.shield(self._write_soon())

    def _write_soon(self) -> asyncio.Future[None]:
        """Write when nobody is in the middle of a page: only then a page and its links are in one transaction."""
        if self._written is None:
            loop = asyncio.get_running_loop()
            self._written = loop.create_future()
            least, most = _GATHER_SECONDS
            loop.call_later(min(max(least, self._took / _SHARE), most), self._write_for_all, self._written)
        return self._written

    def _write_for_all(self, written: asyncio.Future[None]) -> None:
        self._written = None
        try:
            if self._has_gathered:
                self._db.execute("PRAGMA synchronous=NORMAL")
                self._unsynced = True
                began = time.perf_counter()
                self._write_gathered()
                self._took = time.perf_counter() - began
        except DiskFull as error:
            self.when_full(str(error))
        except Exception as error:
            written.set_exception(error)
            return
        finally:
            self._db.execute("PRAGMA synchronous=FULL")
        written.set_result(None)

    @property
    def _has_gathered(self) -> bool:
        return bool(self.leased or self._new or self._pages or self._hosts or any(self._rows.values()))

    def commit(self) -> None:
        """Write everything gathered in one transaction, and sync; what was gathered is acknowledged afterwards.

        Raises:
            DiskFull: nothing of the transaction is kept in the file, all of it in memory: commit again when there is room.
            StorageError: the file is damaged, or the disk fails: a sync that failed is never tried again and believed.
        """
        if self._has_gathered:
            self._write_gathered()
        elif self._unsynced:  # a transaction that changes nothing syncs nothing
            self._synced += 1
            self.put_meta({"synced": f"{self.run_id}.{self._synced}"})
        self._unsynced = False

    def _write_gathered(self) -> None:
        with self.transaction():
            self._write()
        self._packer.fresh = None
        self._clear()
        self.leased.clear()

    def _write(self) -> None:
        many = self._db.executemany
        pages = [page if page.body is None else self._packed(page) for page in self._pages.values()]
        if self._packer.fresh is not None:
            self._db.execute("INSERT INTO dictionaries VALUES(?,?)", self._packer.fresh)
        many(_INSERT_URL, self._new.values())
        many(_PUT_PAGE, pages)
        for statement in _IN_ORDER:
            if rows := self._rows[statement]:
                many(statement, rows)
        many("UPDATE urls SET lease=? WHERE url_id=?", [(self.run_id, url_id) for url_id in self.leased])

    def _packed(self, page: PageRow) -> PageRow:
        assert page.body is not None
        body, dictionary_id = self._packer.pack(page.body, self._site_of[page.url_id])
        return page._replace(body=body, dictionary_id=dictionary_id)

    def _clear(self) -> None:
        self._site_of: dict[int, int] = {}
        self._body_bytes = 0
        self._new: dict[bytes, tuple[int, int, str, bytes, int, int | None, str, int]] = {}
        self._pages: dict[int, PageRow] = {}
        self._rows: dict[str, list[tuple[object, ...]]] = {statement: [] for statement in _IN_ORDER}
        self._owners: dict[bytes, int] = {}


def unpacker_of(connection: sqlite3.Connection, fresh: tuple[int, bytes] | None = None) -> PageUnpacker:
    """Decompressor with the dictionaries of a state file, and one that is not committed yet."""
    stored = {row[0]: row[1] for row in connection.execute("SELECT dictionary_id, content FROM dictionaries")}
    return PageUnpacker(stored | ({fresh[0]: fresh[1]} if fresh else {}))
