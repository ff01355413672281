"""Drive many sites at once: one event loop, one coroutine per open site, one writer (P6, P10). Policies live elsewhere.

The crawl ends when no site waits and none is open (V8). Stopped at any moment, it goes on from the state folder.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path

from mass_pipeline.crawling.fetching.addresses import ConnectTo
from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.outcomes import Outcome
from mass_pipeline.crawling.fetching.scope import OptOuts, registrable_domain
from mass_pipeline.crawling.fetching.urls import UrlParts, canonical_or_none, split
from mass_pipeline.crawling.rendering import Renderer, require_browser
from mass_pipeline.crawling.sites.frontier import OrderOfSite, StopRuleFactory, configured_order
from mass_pipeline.crawling.sites.records import CrawlReport, Progress, Seed, make_report
from mass_pipeline.crawling.sites.site import SiteCrawl
from mass_pipeline.crawling.sites.store import CrawlStore, SiteRow
from mass_pipeline.crawling.state.disk import OutOfRoom
from mass_pipeline.crawling.state.session import TICK_SECONDS, CrawlSession, Engine, Spider, run
from mass_pipeline.model.errors import DiskFull


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
    with CrawlStore(state, config) as store:
        session = CrawlSession(store, config, connect_to, clock)
        spider = CrawlRun(session, store, order, stop_rule, on_progress)
        store.forget_removed(OptOuts.of(config.removed_hosts, config.removed_urls))
        damaged_pages = store.forget_damaged()
        store.note_evidence(evidence)
        store.note_doubts(doubted or {})
        rows = store.register(seeds)
        cpu = time.process_time()
        try:
            downloader = session.downloader
            downloader.counters["damaged_pages"] += damaged_pages
            spider.enqueue(rows)
            seconds, paused = run(spider.crawl())
            return make_report(
                state, seconds, time.process_time() - cpu, downloader.counters, downloader.most,
                {row.parish_id for row in rows}, paused,
            )  # fmt: skip
        except sqlite3.Error as error:
            raise store.damaged(error) from error


class CrawlRun(Spider[SiteRow]):
    """One run: gives sites their turns, keeps the store committed, and has what all sites share.

    Args:
        order: makes the order of a site's frontier. stop_rule: makes what ends the asking of new URLs; None: nothing does.

    Attributes:
        renderer: shows pages that only scripts fill; None: they stay as they came.
        counts: pages and sites of this run.
    """

    def __init__(
        self, session: CrawlSession, store: CrawlStore, order: OrderOfSite, stop_rule: StopRuleFactory | None,
        on_progress: Callable[[Progress], None] | None,
    ) -> None:  # fmt: skip
        self.session, self.store, self.order, self.stop_rule = session, store, order, stop_rule
        self.renderer = Renderer(session.config, session.downloader) if session.config.render else None
        self.counts: Counter[str] = Counter()
        store.when_full = session.room.hold
        self._on_progress = on_progress
        self._engine: Engine[SiteRow] = Engine(session, self, session.config.sites_at_once, requeues=True)
        self._parked: dict[int, SiteCrawl] = {}
        self._users: dict[str, set[int]] = {}  # host -> sites
        self._reading = asyncio.Lock()
        self._last_commit = 0.0

    # For the sites

    def is_shared(self, parts: UrlParts, site_id: int) -> bool:
        """Note that a site uses a host; whether others do too, so that the store must be asked whose a URL is."""
        users = self._users.setdefault(parts.host.removeprefix("www."), set())
        users.add(site_id)
        return len(users) > 1

    async def reading_turn(self) -> None:
        """Answers that come faster than they can be read are begun one after the other: few trees of pages are in memory."""
        async with self._reading:
            await asyncio.sleep(0)  # the network, and who was begun before, have their turn

    def finished(self, url: str, outcome: Outcome) -> None:
        """A URL has its outcome."""
        self.counts["pages"] += outcome in (Outcome.OK, Outcome.NOT_MODIFIED, Outcome.TRUNCATED)
        self.session.finished(url, outcome.value)

    # Turns

    async def crawl(self) -> tuple[float, str]:
        """Crawl the sites that have something left; seconds it took, and why it ended early ("" when it did not)."""
        paused = ""
        async with self.session.downloader, self.renderer or nullcontext():
            try:
                await self._engine.run()
                while not self._commit():
                    await asyncio.sleep(TICK_SECONDS)
                    self._watch_room()
                self.session.room.has_written()
            except OutOfRoom as error:
                paused = str(error)
        seconds = self.session.seconds
        self.show_progress()
        return seconds, paused

    def enqueue(self, rows: list[SiteRow]) -> None:
        """Sites of one host queue behind one another: only one request at a time may go there anyway (V2).

        Called before the event loop runs: the list of public suffixes, which this loads, takes a tenth of a second.
        """
        for row in rows:
            if row.status == "finished" and not self.store.wake_due(row.site_id, self.session.wall):
                self.counts["sites_finished"] += 1
                continue
            host = f"bad {row.site_id}"
            for parts in _addresses_of(row):
                self.is_shared(parts, row.site_id)
                registrable_domain(parts.host)  # remembered; what it loads no request waits for
                host = parts.host
            self._engine.queue.add(host, row)
        self.counts["sites_total"] = len(rows)

    def start_of(self, site: SiteRow) -> str:
        """See `Spider`."""
        return site.start_url

    async def turn(self, host: str, site: SiteRow) -> bool:
        """One turn of a site: to its end, or until another run asks its host."""
        crawl = self._parked.pop(site.site_id, None) or SiteCrawl(site, self)
        done = await crawl.run()
        self.counts["sites_finished"] += done
        forget = done and not self._engine.queue.has_more(host)
        for parts in _addresses_of(site):  # their pace is stored for the next run; memory is freed unless others live there
            self.session.downloader.leave(parts, forget=forget and not self.is_shared(parts, site.site_id))
        if not done:
            self._parked[site.site_id] = crawl
        return done

    def tick(self) -> None:
        """See `Spider`."""
        if self.session.clock.steady() - self._last_commit >= self.session.config.commit_seconds:
            self._commit()
        self._watch_room()

    # Commits and progress

    def _commit(self) -> bool:
        """Acknowledge what was gathered; False while the disk has no room for it, which holds the crawl."""
        self._last_commit = self.session.clock.steady()
        try:
            self.store.commit()
        except DiskFull as error:
            self.session.room.hold(str(error))
            return False
        self.session.logs.flush()
        return True

    def _watch_room(self) -> None:
        room = self.session.room
        if shortage := room.shortage():
            room.hold(shortage)
        elif room.reason and self._commit():
            room.has_written()

    def show_progress(self) -> None:
        """See `Spider`."""
        if self._on_progress is not None:
            counts, session = self.counts, self.session
            counters = session.downloader.counters
            self._on_progress(
                Progress(
                    counts["sites_total"], counts["sites_finished"], self._engine.n_running, counters["requests"],
                    counts["pages"], counters["body_bytes"], session.seconds, session.last_url, session.room.reason,
                )
            )  # fmt: skip


def _addresses_of(row: SiteRow) -> list[UrlParts]:
    """The addresses that a site begins with on its hosts, its start URL last; those that are none left out."""
    return [split(url) for url in map(canonical_or_none, (*row.hosts, row.start_url)) if url]
