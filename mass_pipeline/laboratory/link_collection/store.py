"""Rows of a collection: settings, sites, links, turns, hosts; and its lock. All that a turn brought goes in together.

Killed at any moment, the file holds whole turns: a page with everything found on it, or nothing of it.
"""

from __future__ import annotations

import contextlib
import difflib
import fcntl
import json
import os
import sqlite3
import time
from collections.abc import Collection, Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Final

from mass_pipeline.crawling.fetching.outcomes import TEMPORARY
from mass_pipeline.crawling.fetching.urls import BadUrl, canonicalize, identity
from mass_pipeline.crawling.state.database import StateDatabase
from mass_pipeline.crawling.state.schema import FORMATS, LINKS_FILE
from mass_pipeline.crawling.state.schema import LINKS_LOCK as LOCK_NAME
from mass_pipeline.laboratory.link_collection.records import (
    CollectionSettings,
    InternalLink,
    LinkState,
    PageFound,
    SiteStatus,
    TargetSite,
    TurnLogged,
)
from mass_pipeline.model import state_file
from mass_pipeline.model.errors import StorageError, UsageError

_MAX_REFUSED: Final = 2000  # rows kept per site
_STOP: Final = "stop_requested"
_PUT_EXTERNAL: Final = (
    "INSERT OR IGNORE INTO external_links(number,url,url_key,site,found_on,level,anchor,context,found_at) "
    "VALUES(?,?,?,?,?,?,?,?,?)"
)
_PASSED: Final = (
    "INSERT INTO internal_links(number,url,url_key,found_on,level,state,outcome,reason) VALUES(?,?,?,?,?,'processed',?,?) "
    "ON CONFLICT(number,url_key) DO UPDATE SET level=min(level,excluded.level),state='processed',outcome=excluded.outcome"
)
_END_INTERNAL: Final = (
    "UPDATE internal_links SET state=?,outcome=?,reason=?,final_url=?,status=?,encoding=?,body_sha256=? WHERE link_id=?"
)
_PUT_INTERNAL: Final = (
    "INSERT INTO internal_links(number,url,url_key,found_on,level,state,reason) VALUES(?,?,?,?,?,?,?) "
    "ON CONFLICT(number,url_key) DO UPDATE SET level=min(level,excluded.level),state=iif(state='beyond',excluded.state,state)"
)


class LinkStore(StateDatabase):
    """One connection to a state folder; a context manager.

    Args:
        folder: of the state.
        create: make it when there is none.

    Raises:
        StorageError: missing, damaged, of something else or newer, or not writable; nothing is changed then.
    """

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        path = folder / LINKS_FILE
        if not create and not path.exists():
            raise StorageError(f"{path} does not exist: add sites first with `mass-pipeline lab links sites add URL`.")
        super().__init__(folder, LINKS_FILE)
        self.connection.create_function("casefold", 1, lambda text: str(text or "").casefold(), deterministic=True)

    def rows(self, statement: str, values: Collection[object] = ()) -> list[sqlite3.Row]:
        """Every row of a question, at once: readers must not hold up the collector.

        Raises:
            StorageError: the file is damaged or locked.
        """
        with self.errors_told():
            return self.connection.execute(statement, tuple(values)).fetchall()

    # Settings and control

    def settings(self) -> CollectionSettings | None:
        """The settings of the collection, None before the first start."""
        found = {str(row["name"]): json.loads(row["value"]) for row in self.rows("SELECT name,value FROM settings")}
        known = {field.name for field in fields(CollectionSettings)}
        return CollectionSettings(**{name: value for name, value in found.items() if name in known}) if found else None

    def put_settings(self, settings: CollectionSettings) -> None:
        """Keep settings for this and later runs.

        Raises:
            UsageError: the identity of links cannot change once links are stored.
        """
        known = self.settings()
        if known is not None and known.merge_case_and_slash != settings.merge_case_and_slash and self.log():
            raise UsageError(
                "Links were collected with the other setting of --merge-case-and-slash: their identity cannot change any more. "
                "Use another --state."
            )
        with self.transaction() as db:
            values = [(name, json.dumps(value)) for name, value in asdict(settings).items()]
            db.executemany("INSERT OR REPLACE INTO settings VALUES(?,?)", values)
            if known is not None and known.max_level != settings.max_level:
                self._put_level(db, known.max_level, settings.max_level)

    @staticmethod
    def _put_level(db: sqlite3.Connection, old: int, new: int) -> None:
        """Another maximal level for the sites without one of their own."""
        sites = "number IN (SELECT number FROM seeds WHERE max_level IS NULL)"
        db.execute(f"UPDATE internal_links SET state='beyond' WHERE state='waiting' AND level>? AND {sites}", (new,))  # noqa: S608
        db.execute(f"UPDATE internal_links SET state='waiting' WHERE state='beyond' AND level<=? AND {sites}", (new,))  # noqa: S608
        if new > old:
            # Pages of the old greatest level were read for their external links alone; now their internal ones count too.
            db.execute(
                f"UPDATE internal_links SET state='waiting' WHERE state='processed' AND level=? AND {sites} AND link_id NOT IN "  # noqa: S608
                "(SELECT found_on FROM internal_links WHERE found_on IS NOT NULL)",
                (old,),
            )

    def request_stop(self) -> None:
        """Ask the collecting process to finish its page and end."""
        self.put_meta({_STOP: "1"})

    @property
    def stop_requested(self) -> bool:
        """Whether the collecting process shall end."""
        return self.meta().get(_STOP) == "1"

    def begin_run(self) -> None:
        """Open the sites that failed for a time; forget an old request to stop.

        Raises:
            StorageError: the file is damaged.
        """
        verdict = self.rows("PRAGMA quick_check(1)")[0][0]
        if verdict != "ok":
            raise self.damaged(sqlite3.DatabaseError(str(verdict)))
        self.put_meta({_STOP: "0"})
        temporary = ",".join(f"'{outcome}'" for outcome in sorted(TEMPORARY))
        with self.transaction() as db:
            db.execute(
                f"UPDATE internal_links SET state='waiting' WHERE state='processed' AND outcome IN ({temporary})"  # noqa: S608  # closed list
            )
            db.execute(
                "UPDATE internal_links SET state='waiting' WHERE level=0 AND state='processed' AND number IN "
                "(SELECT number FROM seeds WHERE status='not_available')"
            )
            db.execute(
                "UPDATE seeds SET status='waiting',reason='' WHERE status<>'waiting' AND number IN "
                "(SELECT number FROM internal_links WHERE state='waiting')"
            )
        super().begin_run()

    def end_run(self) -> None:
        """The run ended in order, perhaps because it was asked to."""
        super().end_run()
        self.put_meta({_STOP: "0"})

    # The turns

    def log(self) -> list[TurnLogged]:
        """Every turn so far, in order."""
        found = self.rows("SELECT number,asked,new_links,elapsed_ms FROM turns ORDER BY turn_id")
        return [TurnLogged(row[0], bool(row[1]), row[2], row[3] / 1000) for row in found]

    def links_of(self, number: int) -> list[sqlite3.Row]:
        """Internal links of a site in the order of discovery: url, url_key, outcome."""
        return self.rows("SELECT url,url_key,outcome FROM internal_links WHERE number=? ORDER BY link_id", [number])

    def next_link(self, site: TargetSite, merge: bool) -> InternalLink | None:
        """The waiting link of least level, found first (B2); the start page of a new site; None when nothing waits."""
        found = self.rows(
            "SELECT link_id,url,level FROM internal_links WHERE number=? AND state='waiting' ORDER BY level,link_id LIMIT 1",
            [site.number],
        )
        if found:
            return InternalLink(*found[0])
        if self.rows("SELECT 1 FROM internal_links WHERE number=? LIMIT 1", [site.number]):
            return None
        with self.transaction() as db:
            key = identity(site.start_url, merge)
            added = db.execute(_PUT_INTERNAL, (site.number, site.start_url, key, None, 0, LinkState.WAITING, ""))
            return InternalLink(int(added.lastrowid or 0), site.start_url, 0)

    def is_processed(self, number: int, url_key: str) -> bool:
        """Whether a URL of a site was asked already."""
        return bool(
            self.rows("SELECT 1 FROM internal_links WHERE number=? AND url_key=? AND state='processed'", [number, url_key])
        )

    def has_body(self, number: int, body_sha256: bytes, link_id: int) -> bool:
        """Whether another page of a site with the same bytes was read already."""
        statement = "SELECT 1 FROM internal_links WHERE number=? AND body_sha256=? AND link_id<>? LIMIT 1"
        return bool(self.rows(statement, [number, body_sha256, link_id]))

    def save_turn(self, site: TargetSite, link: InternalLink, found: PageFound, *, at: float, merge: bool) -> tuple[int, bool]:
        """Store all that a link brought: the page, what was found on it, the hosts that were asked, how the site stands now.

        Args:
            at: wall time, seconds.
            merge: identity of links (B4).

        Returns:
            Number of new external links (the reward), and whether the site has pages left.
        """
        with self.transaction() as db:
            new_links = self._put_links(db, site, link, found, at, merge)
            state = LinkState.WAITING if found.keep_waiting else LinkState.PROCESSED
            ended = (state, found.outcome, found.reason, found.final_url, found.status, found.encoding, found.body_sha256)
            db.execute(_END_INTERNAL, (*ended, link.link_id))
            if found.hosts is not None:
                db.execute("UPDATE seeds SET hosts=? WHERE number=?", (json.dumps(found.hosts), site.number))
            is_open = self._put_status(db, site.number, found)
            if found.asked or not is_open:
                db.execute(
                    "INSERT INTO turns(number,link_id,asked,new_links,at,elapsed_ms,bytes) VALUES(?,?,?,?,?,?,?)",
                    (site.number, link.link_id, found.asked, new_links, at, found.elapsed_ms, found.size),
                )
        return new_links, is_open

    @staticmethod
    def _put_status(db: sqlite3.Connection, number: int, found: PageFound) -> bool:
        status, reason = found.site_status, found.reason
        if status is None:
            waiting = db.execute("SELECT 1 FROM internal_links WHERE number=? AND state='waiting' LIMIT 1", (number,))
            status, reason = (SiteStatus.WAITING if waiting.fetchone() else SiteStatus.FINISHED), ""
        db.execute("UPDATE seeds SET status=?,reason=? WHERE number=?", (status, reason, number))
        return status == SiteStatus.WAITING

    def _put_links(
        self, db: sqlite3.Connection, site: TargetSite, link: InternalLink, found: PageFound, at: float, merge: bool
    ) -> int:
        number, before = site.number, db.total_changes
        external = [
            (number, one.url, identity(one.url, merge), one.site, link.link_id, link.level, one.anchor, one.context, at)
            for one in found.external
        ]
        db.executemany(_PUT_EXTERNAL, external)
        new_links = db.total_changes - before
        bad = [(number, one.href, one.reason, link.link_id) for one in found.bad]
        db.executemany("INSERT OR IGNORE INTO bad_links VALUES(?,?,?,?)", bad)
        if not found.keep_waiting:  # redirects lead there: read with this link, at its level
            values = (link.link_id, link.level, found.outcome, "after a redirect")
            db.executemany(_PASSED, [(number, url, identity(url, merge), *values) for url in found.passed])
        refused = db.execute("SELECT count(*) FROM internal_links WHERE number=? AND state='refused'", (number,)).fetchone()[0]
        for url, reason in found.internal:
            refused += bool(reason)
            if not reason or refused <= _MAX_REFUSED:
                state = LinkState.REFUSED if reason else LinkState.WAITING
                db.execute(_PUT_INTERNAL, (number, url, identity(url, merge), link.link_id, link.level + 1, state, reason))
        return new_links


_SEED: Final = "number,full_name,short_name,start_url,scope_prefix,max_level,status,reason,hosts"


def target_sites(store: LinkStore, *, removed: bool = False) -> list[TargetSite]:
    """The target set in the order of adding; with `removed`, those taken out of it instead."""
    found = store.rows(f"SELECT {_SEED} FROM seeds WHERE removed=? ORDER BY number", [int(removed)])  # noqa: S608  # own columns
    return [_site(row) for row in found]


def add_site(
    store: LinkStore,
    start_url: str,
    *,
    short_name: str = "",
    full_name: str = "",
    max_level: int | None = None,
    scope_prefix: str = "/",
) -> TargetSite:
    """Add a site to the target set; one that was removed comes back with everything known of it.

    Args:
        start_url: as a person may have written it.
        short_name: unique; the host by default.

    Raises:
        UsageError: no web address, or address or name stand in the set already.
    """
    try:
        url = canonicalize(start_url if "://" in start_url else "http://" + start_url)
    except BadUrl as error:
        raise UsageError(f"{start_url!r} is no web address ({error}).") from error
    name = short_name or url.split("/")[2].removeprefix("www.")
    if not (name.isprintable() and full_name.isprintable()):
        raise UsageError(f"{name!r}: the names of a site hold letters a terminal can show, no tabs or control characters.")
    with store.transaction() as db:
        namesake = db.execute("SELECT start_url FROM seeds WHERE short_name=? AND start_url<>?", (name, url)).fetchone()
        if namesake is not None:
            raise UsageError(
                f"The short name {name!r} belongs to {namesake['start_url']}: the name is taken. Choose another --short."
            )
        known = db.execute("SELECT short_name,removed FROM seeds WHERE start_url=?", (url,)).fetchone()
        if known is not None and not known["removed"]:
            raise UsageError(f"{url} stands in the set already, as {known['short_name']}: the address is taken.")
        values = (full_name or name, name, scope_prefix, max_level, url)
        if known is not None:
            db.execute("UPDATE seeds SET full_name=?,short_name=?,scope_prefix=?,max_level=?,removed=0 WHERE start_url=?", values)
        else:
            db.execute("INSERT INTO seeds(full_name,short_name,scope_prefix,max_level,start_url) VALUES(?,?,?,?,?)", values)
        return _site_at(store, url)


def _site_at(store: LinkStore, url: str) -> TargetSite:
    return _site(store.rows(f"SELECT {_SEED} FROM seeds WHERE start_url=?", [url])[0])  # noqa: S608  # own columns


def remove_site(store: LinkStore, handle: str, *, with_links: bool = False) -> TargetSite:
    """Take a site out of the target set: no page of it is asked for any more.

    Args:
        handle: short name, number or start address.
        with_links: forget its links and pages too.

    Raises:
        UsageError: no such site.
    """
    site = find_site(store, handle)
    with store.transaction() as db:
        db.execute("UPDATE seeds SET removed=1 WHERE number=?", (site.number,))
        if with_links:
            for table in ("external_links", "internal_links", "bad_links"):
                db.execute(f"DELETE FROM {table} WHERE number=?", (site.number,))  # noqa: S608  # closed list
            db.execute("UPDATE seeds SET status='waiting',reason='',hosts='[]' WHERE number=?", (site.number,))
    return site


def find_site(store: LinkStore, handle: str) -> TargetSite:
    """A site of the target set by short name, number or start address.

    Raises:
        UsageError: no such site; the message names the nearest.
    """
    sites = target_sites(store)
    for site in sites:
        if handle in (site.short_name, str(site.number), site.start_url):
            return site
    close = difflib.get_close_matches(handle, [site.short_name for site in sites], n=1)
    hint = f" Did you mean {close[0]}?" if close else " `mass-pipeline lab links sites list` shows them."
    raise UsageError(f"There is no site {handle!r} in the target set.{hint}")


def _site(row: sqlite3.Row) -> TargetSite:
    values: dict[str, Any] = dict(row)
    return TargetSite(**values | {"hosts": tuple(json.loads(values["hosts"]))})


_LOCK_TRIES: Final = 20  # whoever asks whether somebody collects holds the lock for a moment
_LOCK_PAUSE_SECONDS: Final = 0.05


@contextlib.contextmanager
def collecting_lock(folder: Path) -> Iterator[None]:
    """Be the one process that collects here; the system releases the lock even after kill -9.

    Raises:
        StorageError: another process collects here, which the message names; or the lock cannot be written.
    """
    descriptor = state_file.open_lock(folder, LOCK_NAME)
    try:
        if not _lock_patiently(descriptor):
            raise StorageError(
                f"{folder}: process {_holder(descriptor)} collects here already. "
                "Stop it with `mass-pipeline lab links stop`, or give this one another --state."
            )
        _put_holder(descriptor, folder)
        yield
    finally:
        os.close(descriptor)


def collecting_process(folder: Path) -> int | None:
    """Number of the process that collects here, None when nobody does."""
    if not (folder / LOCK_NAME).exists():
        return None
    descriptor = state_file.open_lock(folder, LOCK_NAME)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return None
    except BlockingIOError:
        return _holder(descriptor)
    finally:
        os.close(descriptor)


def _lock_patiently(descriptor: int) -> bool:
    for _ in range(_LOCK_TRIES):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            time.sleep(_LOCK_PAUSE_SECONDS)
    return False


def _put_holder(descriptor: int, folder: Path) -> None:
    with state_file.errors_told(folder / LOCK_NAME, FORMATS[LINKS_FILE]):
        os.truncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)


def _holder(descriptor: int) -> int:
    text = os.pread(descriptor, 20, 0)
    return int(text) if text.isdigit() else 0
