"""Watch many sites for ever: one event loop, one turn per site and host at a time, what is due decided by the state (J6, 7x24).

Stopped at any moment, by a person or by kill -9, it goes on from the state folder. Policies live elsewhere.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from mass_pipeline.crawling.fetching.addresses import ConnectTo
from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.urls import split
from mass_pipeline.crawling.pages.relevance import Topic
from mass_pipeline.crawling.state.session import CrawlSession, Engine, Spider, run
from mass_pipeline.crawling.watching.articles import ArticleReader
from mass_pipeline.crawling.watching.config import PollingConfig, WatchConfig
from mass_pipeline.crawling.watching.records import Notify, WatchProgress, WatchReport
from mass_pipeline.crawling.watching.run import WatchRun
from mass_pipeline.crawling.watching.site_visit import SiteVisit
from mass_pipeline.crawling.watching.sites import WatchedSite
from mass_pipeline.crawling.watching.store import WatchStore
from mass_pipeline.model.errors import DiskFull, StorageError

_REFILL_SECONDS: Final = 5.0


def watch_sites(
    sites: Iterable[WatchedSite],
    *,
    state: Path,
    topic: Topic,
    read_article: ArticleReader,
    crawl: CrawlConfig,
    watch: WatchConfig,
    polling: PollingConfig,
    connect_to: ConnectTo | None = None,
    clock: Clock | None = None,
    once: bool = False,
    seconds: float | None = None,
    on_progress: Callable[[WatchProgress], None] | None = None,
    notify: Notify | None = None,
) -> WatchReport:
    """Poll the lists of sites, fetch their new articles, keep what is relevant; in an event loop of its own.

    Args:
        sites: whose lists are configured or found; `site_id` is unique.
        state: folder of the state file and the logs; made when absent. One process at a time, one topic for ever.
        topic: what is kept.
        read_article: how a page is read as an article.
        crawl: manners and limits of every request.
        watch, polling: settings.
        connect_to: where to connect instead; only honoured with `crawl.allow_private_hosts`.
        clock: time; the machine's by default.
        once: end when nothing is due any more, instead of waiting for the next that is.
        seconds: end after so much time; unfinished turns are broken off and resumed by the next run.
        on_progress: live counters, about twice a second.
        notify: told about grave errors, in a thread of its own.

    Raises:
        StorageError: the state cannot be used; what was committed is kept.

    Source: C1, C2, C4-C6, J1, J3-J6.
    """
    with WatchStore(state, topic.name) as store:
        store.begin_run()
        session = CrawlSession(store, crawl, connect_to, clock)
        shared = WatchRun(session, watch, polling, topic, store, read_article, notify)
        with store.errors_told():
            report = run(_AnnouncementSpider(list(sites), shared, on_progress).watch(once=once, seconds=seconds))
        store.end_run()
        return report


class _AnnouncementSpider(Spider[str]):
    """Gives sites that are due a turn; one per host, so that there is one stream of requests to each (J1)."""

    def __init__(self, sites: list[WatchedSite], run: WatchRun, on_progress: Callable[[WatchProgress], None] | None) -> None:
        self._by_id = {site.site_id: site for site in sites}
        self._run, self._session, self._store = run, run.session, run.store
        self._store.register(sites, self._session.wall)
        self._on_progress = on_progress
        self._full = ""  # why the last transaction failed
        # One that did not go well the state still calls due: it comes after the sites that wait now.
        self._engine: Engine[str] = Engine(self._session, self, run.watch.sites_at_once)
        self._refilled = -math.inf

    async def watch(self, *, once: bool, seconds: float | None) -> WatchReport:
        """See `watch_sites`."""
        try:
            async with self._session.downloader:
                await self._engine.run(once=once, seconds=seconds)
        except (StorageError, sqlite3.Error) as error:
            self._run.grave("storage", "", "", str(error))
            raise
        finally:
            await self._run.all_sent()
        self.show_progress()
        counters, downloader = self._run.counters, self._session.downloader
        return WatchReport(
            self._session.seconds, len(self._by_id), counters["looks"], downloader.counters["requests"], counters["articles"],
            counters["announcements"], self._session.logs.errors, self._store.failing(), downloader.counters["early_requests"],
            int(downloader.most["in_flight_per_host"]),
        )  # fmt: skip

    def due(self, running: Collection[str]) -> Iterator[tuple[str, str]]:
        """See `Spider`: the state is asked when none waits or some time has passed."""
        now = self._session.clock.steady()
        if self._engine.queue and now - self._refilled < _REFILL_SECONDS:
            return
        self._refilled = now
        self._engine.queue.clear()
        for site_id in self._store.due_sites(self._session.wall, running):
            yield split(self._by_id[site_id].url).host.removeprefix("www."), site_id

    def start_of(self, site: str) -> str:
        """See `Spider`."""
        return self._by_id[site].url

    async def may_begin(self, *, is_idle: bool) -> bool:
        """See `Spider`: while the disk is full turns under way go on, new ones wait."""
        if not is_idle:
            return not (self._full or self._session.room.is_short())
        await self._session.room.wait_here(self._session.tell, self._full)
        self._full = ""
        return True

    async def turn(self, host: str, site: str) -> bool:
        """See `Spider`."""
        try:
            went_well = await SiteVisit(self._by_id[site], self._run).run()
            self._session.room.has_written(self._session.tell)
        except DiskFull as error:
            went_well, self._full = False, str(error)
        return went_well

    def show_progress(self) -> None:
        """See `Spider`."""
        if self._on_progress is None:
            return
        session, counters = self._session, self._run.counters
        (sites, failing), due = self._store.counts(), self._store.next_due()
        next_due = None if due is None or due <= session.wall else datetime.fromtimestamp(min(due, 4e9), UTC)
        self._on_progress(
            WatchProgress(
                sites, failing, self._engine.n_running, counters["looks"], session.downloader.counters["requests"],
                counters["articles"], counters["announcements"], session.logs.errors, session.seconds, next_due,
                session.last_url,
            )
        )  # fmt: skip
