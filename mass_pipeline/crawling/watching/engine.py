"""Watch many sites for ever: one event loop, one turn per site and host at a time, what is due decided by the state (J6, 7x24).

Stopped at any moment, by a person or by kill -9, it goes on from the state folder. Policies live elsewhere.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from mass_pipeline.crawling.fetching.addresses import ConnectTo
from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.urls import split
from mass_pipeline.crawling.pages.relevance import Topic
from mass_pipeline.crawling.state.host_queue import HostLoop, HostQueue
from mass_pipeline.crawling.state.session import CrawlSession, open_session, run
from mass_pipeline.crawling.watching.article_store import ArticleStore
from mass_pipeline.crawling.watching.articles import ArticleReader
from mass_pipeline.crawling.watching.config import PollingConfig, WatchConfig
from mass_pipeline.crawling.watching.records import GraveError, Notify, WatchProgress, WatchReport
from mass_pipeline.crawling.watching.site_store import SiteStore, WatchState
from mass_pipeline.crawling.watching.site_visit import SiteVisit
from mass_pipeline.crawling.watching.sites import WatchedSite
from mass_pipeline.crawling.watching.watch_context import WatchContext
from mass_pipeline.model.errors import DiskFull, StorageError

_TICK_SECONDS: Final = 0.25
_IDLE_SECONDS: Final = 1.0
_REFILL_SECONDS: Final = 5.0
_PROGRESS_SECONDS: Final = 0.5
_HOUR: Final = 3600.0


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
    with WatchState(state, topic.name) as database:
        was_killed = database.begin_run()
        with open_session(
            database, crawl, was_killed=was_killed, forgets=True, connect_to=connect_to, clock=clock
        ) as session:  # fmt: skip
            engine = _Watch(list(sites), database, session, topic, read_article, watch, polling, on_progress, notify)
            with database.errors_told():
                report = run(engine.run(once=once, seconds=seconds))
        database.end_run()
        return report


class _Watch:
    """Shares out the sites that are due."""

    def __init__(
        self, sites: list[WatchedSite], database: WatchState, session: CrawlSession, topic: Topic, read_article: ArticleReader,
        watch: WatchConfig, polling: PollingConfig, on_progress: Callable[[WatchProgress], None] | None, notify: Notify | None,
    ) -> None:  # fmt: skip
        self._by_id = {site.site_id: site for site in sites}
        self._session = session
        self._store = SiteStore(database)
        self._store.register(sites, session.wall)
        self._clock = session.clock
        self._watch = watch
        self._on_progress = on_progress
        self._notices = _Notices(notify, watch.notify_per_hour, session.clock)
        self._tools = WatchContext(
            session, watch, polling, topic, self._store, ArticleStore(database), read_article, self._notices.tell
        )
        self._full = ""  # why the last transaction failed
        self._queue: HostQueue[str] = HostQueue()
        # One that did not go well the state still calls due: it comes after the sites that wait now.
        self._turns = HostLoop(self._queue, watch.sites_at_once, session.clock, self._visit, requeues=False)
        self._refilled = self._shown = -math.inf

    async def run(self, *, once: bool, seconds: float | None) -> WatchReport:
        """See `watch_sites`."""
        try:
            async with self._session:
                try:
                    await self._loop(once, seconds)
                finally:
                    await self._turns.close()
        except (StorageError, sqlite3.Error) as error:
            self._notices.tell(GraveError(self._clock.now(), "storage", "", "", str(error)))
            raise
        finally:
            await self._notices.drain()
        self._show_progress(at_once=True)
        return self._report()

    async def _loop(self, once: bool, seconds: float | None) -> None:
        while seconds is None or self._session.seconds < seconds:
            started = await self._start_with_room()
            self._show_progress()
            if once and not self._turns.running and not started and not self._queue:
                return
            await self._wait(seconds)

    async def _start_with_room(self) -> int:
        """Start what is due, unless the disk is full: turns under way go on, new ones wait."""
        room = self._session.room
        if self._turns.running and (self._full or room.is_short()):
            return 0
        if not self._turns.running:
            await room.wait_here(self._session.tell, self._full)
            self._full = ""
        return self._start_due()

    def _start_due(self) -> int:
        """Give a turn to sites that are due; one per host, so that there is one stream of requests to each (J1)."""
        self._refill()
        started = self._turns.start()
        for site_id in itertools.islice(self._queue.ahead(), self._watch.sites_at_once):
            self._session.downloader.prefetch(split(self._by_id[site_id].url))
        return started

    def _refill(self) -> None:
        """Ask the state for the sites that are due, when none waits or some time has passed."""
        now = self._clock.steady()
        if self._queue and now - self._refilled < _REFILL_SECONDS:
            return
        self._refilled = now
        self._queue.clear()
        for site_id in self._store.due_sites(self._session.wall, (site_id for _, site_id in self._turns.running.values())):
            self._queue.add(_host(self._by_id[site_id]), site_id)

    async def _wait(self, seconds: float | None) -> None:
        """Until a turn ends, or for a moment."""
        pause = _TICK_SECONDS if self._turns.running else _IDLE_SECONDS
        if seconds is not None:
            pause = min(pause, max(0.0, seconds - self._session.seconds))
        await self._turns.wait(pause)

    async def _visit(self, host: str, site_id: str) -> bool:
        """One turn of a site; whether it went well."""
        try:
            went_well = await SiteVisit(self._by_id[site_id], self._tools).run()
            self._session.room.has_written(self._session.tell)
        except DiskFull as error:
            went_well, self._full = False, str(error)
        return went_well

    def _show_progress(self, *, at_once: bool = False) -> None:
        now = self._clock.steady()
        if self._on_progress is None or (now - self._shown < _PROGRESS_SECONDS and not at_once):
            return
        self._shown = now
        tools, (sites, failing), due = self._tools, self._store.counts(), self._store.next_due()
        next_due = None if due is None or due <= self._session.wall else _moment(due)
        self._on_progress(
            WatchProgress(
                sites, failing, len(self._turns.running), tools.counters["looks"], self._session.downloader.counters["requests"],
                tools.counters["articles"], tools.counters["announcements"], self._session.logs.errors,
                self._session.seconds, next_due, tools.last_url,
            )
        )  # fmt: skip

    def _report(self) -> WatchReport:
        tools, downloader = self._tools, self._session.downloader
        return WatchReport(
            self._session.seconds, len(self._by_id), tools.counters["looks"],
            downloader.counters["requests"], tools.counters["articles"], tools.counters["announcements"],
            self._session.logs.errors, self._store.failing(), downloader.counters["early_requests"],
            int(downloader.most["in_flight_per_host"]),
        )  # fmt: skip


class _Notices:
    """Grave errors on their way to the operator, not too many of them."""

    def __init__(self, notify: Notify | None, per_hour: int, clock: Clock) -> None:
        self._notify = notify
        self._per_hour = per_hour
        self._clock = clock
        self._sent: deque[float] = deque()
        self._running: set[asyncio.Future[None]] = set()
        self._more = 0

    def tell(self, error: GraveError) -> None:
        """Hand an error to the operator's hook, or count it when there were too many lately."""
        if self._notify is None:
            return
        now = self._clock.steady()
        while self._sent and now - self._sent[0] > _HOUR:
            self._sent.popleft()
        if len(self._sent) >= self._per_hour:
            self._more += 1
            return
        self._sent.append(now)
        told = GraveError(error.at, error.kind, error.site_id, error.url, error.reason, self._more)
        self._more = 0
        future = asyncio.get_running_loop().run_in_executor(None, self._notify, told)
        self._running.add(future)
        future.add_done_callback(self._running.discard)

    async def drain(self) -> None:
        """Wait for messages that are under way."""
        await asyncio.gather(*self._running, return_exceptions=True)


def _host(site: WatchedSite) -> str:
    return split(site.url).host.removeprefix("www.")


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(min(seconds, 4e9), UTC)
