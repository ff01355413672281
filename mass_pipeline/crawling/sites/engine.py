"""Drive many sites at once: one event loop, one coroutine per open site, one writer (P6, P10). Policies live elsewhere.

The crawl ends when no site waits and none is open (V8). Stopped at any moment, it goes on from the state folder.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext, suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from mass_pipeline.crawling.fetching.addresses import ConnectTo
from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.opt_outs import OptOuts
from mass_pipeline.crawling.fetching.outcomes import Outcome
from mass_pipeline.crawling.fetching.scope import registrable_domain
from mass_pipeline.crawling.fetching.urls import BadUrl, UrlParts, canonicalize, split
from mass_pipeline.crawling.rendering import Renderer, require_browser
from mass_pipeline.crawling.sites.frontier import OrderOfSite, StopRuleFactory, configured_order
from mass_pipeline.crawling.sites.records import CrawlReport, Progress, Seed
from mass_pipeline.crawling.sites.report import make_report
from mass_pipeline.crawling.sites.site import ParsePriority, SiteCrawl
from mass_pipeline.crawling.sites.store import CrawlStore, SiteRow
from mass_pipeline.crawling.state.disk import OutOfRoom
from mass_pipeline.crawling.state.host_queue import HostLoop, HostQueue
from mass_pipeline.crawling.state.session import CrawlSession, open_session, run
from mass_pipeline.model.errors import DiskFull

_TICK_SECONDS: Final = 0.25
_PROGRESS_SECONDS: Final = 0.5


def crawl_sites(
    seeds: Iterable[Seed],
    *,
    state: Path,
    config: CrawlConfig,
    connect_to: ConnectTo | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    order: OrderOfSite = configured_order,
    stop_rule: StopRuleFactory | None = None,
    clock: Clock | None = None,
    evidence: Iterable[str] = (),
    doubted: Mapping[str, datetime] | None = None,
) -> CrawlReport:
    """Crawl every site, politely and resumably, in an event loop of its own.

    A crawl that was stopped goes on where it was; a finished one asks again for what is due (`config.revisit`).

    Args:
        seeds: one per parish; `parish_id` is unique.
        state: folder of the state file; made when absent. One process at a time.
        config: settings of the crawl.
        connect_to: where to connect instead; only honoured with `config.allow_private_hosts`.
        on_progress: live counters, about twice a second.
        order: makes the order of a site's frontier; by default the one of `config.strategy` and `config.scorer`.
        stop_rule: makes the rule of a site that ends its crawl early; None: every site is crawled whole.
        clock: time; the machine's by default.
        evidence: canonical URLs of pages that something published rests on; they are asked again in time to vouch for it.
        doubted: canonical URLs that people doubted, with the moment: asked again early, within all rules of politeness.

    Returns:
        Figures of this run and the outcome of every site.

    Raises:
        StorageError: the state cannot be used (not writable, in use, damaged, newer); what was acknowledged is kept. A disk
            without room pauses the crawl; when the wait gets too long the run ends and its report says so.
        ConfigurationError: pages are to be rendered, and there is no browser.

    Source: P5-P10, V1-V8, J1-J6.
    """
    if config.render:
        require_browser(config)
    with (
        CrawlStore(state, config) as store,
        open_session(store, config, was_killed=store.was_killed, connect_to=connect_to, clock=clock) as session,
    ):
        engine = _Engine(store, session, on_progress, order, stop_rule)
        store.forget_removed(OptOuts.of(config.removed_hosts, config.removed_urls))
        damaged_pages = store.forget_damaged()
        store.note_evidence(evidence)
        store.note_doubts(doubted or {})
        rows = store.register(seeds)
        cpu = time.process_time()
        try:
            downloader = session.downloader
            downloader.counters["damaged_pages"] += damaged_pages
            engine.enqueue(rows)
            run(engine.run())
            return make_report(
                state, engine.seconds, time.process_time() - cpu, downloader.counters, downloader.most,
                {row.parish_id for row in rows}, engine.paused,
            )  # fmt: skip
        except sqlite3.Error as error:
            raise store.damaged(error) from error


class _Engine:
    """Gives sites their turns and keeps the store committed."""

    def __init__(
        self, store: CrawlStore, session: CrawlSession, on_progress: Callable[[Progress], None] | None,
        order: OrderOfSite, stop_rule: StopRuleFactory | None,
    ) -> None:  # fmt: skip
        self._store = store
        store.when_full = self._hold
        self._session = session
        self._config, self._clock = session.config, session.clock
        self._on_progress = on_progress
        self._turns = ParsePriority()
        self._order = order
        self._stop_rule = stop_rule
        self._renderer = Renderer(session.config, session.downloader) if session.config.render else None
        self.paused = ""
        self._places: dict[str, set[int]] = {}
        self._queue: HostQueue[SiteRow] = HostQueue()
        self._loop = HostLoop(self._queue, session.config.sites_at_once, session.clock, self._visit, requeues=True)
        self._parked: dict[int, SiteCrawl] = {}
        self._counts: Counter[str] = Counter()
        self._last_url = ""
        self._last_commit = self._last_progress = self._ticked = 0.0
        self.seconds = 0.0

    async def run(self) -> None:
        """Crawl the sites that have something left."""
        async with self._session, self._renderer or nullcontext():
            try:
                while self._start() or self._loop.running or self._queue:
                    await self._loop.wait(_TICK_SECONDS)
                    self._tick()
                while not self._commit():
                    await asyncio.sleep(_TICK_SECONDS)
                    self._watch_room()
                self._session.room.has_written(self._session.tell)
            except OutOfRoom as error:
                self.paused = str(error)
            finally:
                await self._loop.close()
        self.seconds = self._session.seconds
        self._show_progress()

    def _start(self) -> int:
        """Begin turns, and look up the name of the site that comes next."""
        started = self._loop.start()
        row = next(self._queue.ahead(), None)
        if started and row is not None:
            with suppress(BadUrl):
                self._session.downloader.prefetch(split(canonicalize(row.start_url)))
        return started

    # Sites

    def enqueue(self, rows: list[SiteRow]) -> None:
        """Sites of one host queue behind one another: only one request at a time may go there anyway (V2).

        Called before the event loop runs: the list of public suffixes, which this loads, takes a tenth of a second.
        """
        now = self._session.wall
        for row in rows:
            if row.status == "finished" and not self._store.wake_due(row.site_id, now):
                self._counts["sites_finished"] += 1
                continue
            self._queue.add(self._announce(row), row)
        self._counts["sites_total"] = len(rows)

    def _announce(self, row: SiteRow) -> str:
        """Note which sites use a host; the host's name, or something unique for a bad URL."""
        place = f"bad {row.site_id}"
        for url in (*row.hosts, row.start_url):
            try:
                parts = split(canonicalize(url))
            except BadUrl:
                continue
            self._is_shared(parts, row.site_id)
            registrable_domain(parts.host)  # remembered; what it loads no request waits for
            place = parts.host
        return place

    def _is_shared(self, parts: UrlParts, site_id: int) -> bool:
        users = self._places.setdefault(parts.host.removeprefix("www."), set())
        users.add(site_id)
        return len(users) > 1

    async def _visit(self, host: str, row: SiteRow) -> bool:
        """One turn of a site: to its end, or until another run asks its host."""
        site = self._parked.pop(row.site_id, None) or self._open(row)
        done = await site.run()
        self._counts["sites_finished"] += done
        self._leave_hosts(row, forget=done and not self._queue.has_more(host))
        if not done:
            self._parked[row.site_id] = site
        return done

    def _open(self, row: SiteRow) -> SiteCrawl:
        return SiteCrawl(
            row,
            config=self._config,
            store=self._store,
            downloader=self._session.downloader,
            order=self._order(self._config, row.parish_id),
            stop_rule=self._stop_rule() if self._stop_rule else None,
            renderer=self._renderer,
            clock=self._clock,
            turns=self._turns,
            ends=self._session.began + self._config.max_crawl_seconds,
            shared=self._is_shared,
            on_page=self._page_done,
            room=self._session.room.wait,
            on_error=self._session.failed,
        )

    def _leave_hosts(self, row: SiteRow, *, forget: bool) -> None:
        """A site ends: the pace of its hosts is stored for the next run; memory is freed unless other sites live there."""
        for url in (row.start_url, *row.hosts):
            try:
                parts = split(canonicalize(url))
            except BadUrl:
                continue
            self._session.leave(parts, forget=forget and not self._is_shared(parts, row.site_id))

    # Commits and progress

    def _page_done(self, url: str, outcome: Outcome) -> None:
        self._counts["pages"] += outcome in (Outcome.OK, Outcome.NOT_MODIFIED, Outcome.TRUNCATED)
        self._last_url = url
        self._session.finished(url, outcome.value)

    def _commit(self) -> bool:
        """Acknowledge what was gathered; False while the disk has no room for it, which holds the crawl."""
        self._last_commit = self._clock.steady()
        try:
            self._store.commit()
        except DiskFull as error:
            self._hold(str(error))
            return False
        self._session.logs.flush()
        return True

    def _hold(self, reason: str) -> None:
        if not self._session.room.reason:
            self._session.tell(Outcome.PAUSED_DISK.value, reason)
        self._session.room.hold(reason)

    def _watch_room(self) -> None:
        room = self._session.room
        if shortage := room.shortage():
            self._hold(shortage)
        elif room.reason and self._commit():
            room.has_written(self._session.tell)

    def _tick(self) -> None:
        """What is done now and then, however many turns end."""
        now = self._clock.steady()
        if now - self._ticked < _TICK_SECONDS:
            return
        self._ticked = now
        if now - self._last_commit >= self._config.commit_seconds:
            self._commit()
        self._watch_room()
        if now - self._last_progress >= _PROGRESS_SECONDS:
            self._last_progress = now
            self._show_progress()

    def _show_progress(self) -> None:
        if self._on_progress is None:
            return
        counts = self._counts
        self._on_progress(
            Progress(
                counts["sites_total"],
                counts["sites_finished"],
                counts["sites_open"],
                self._session.downloader.counters["requests"],
                counts["pages"],
                self._session.downloader.counters["body_bytes"],
                self._session.seconds,
                self._last_url,
                self._session.room.reason,
            )
        )
