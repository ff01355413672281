"""Watch many sites for ever: one event loop, one turn per site and host at a time, what is due decided by the state (J6, 7x24).

Stopped at any moment, by a person or by kill -9, it goes on from the state folder. Policies live elsewhere.
"""

from __future__ import annotations

import asyncio
import math
import sqlite3
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from mass_pipeline.crawling.fetching.addresses import ConnectTo
from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.outcomes import Failure, Outcome
from mass_pipeline.crawling.fetching.urls import split
from mass_pipeline.crawling.pages.relevance import Topic
from mass_pipeline.crawling.state.session import CrawlSession, Engine, Spider, run
from mass_pipeline.crawling.watching.articles import ArticleReader
from mass_pipeline.crawling.watching.config import PollingConfig, WatchConfig
from mass_pipeline.crawling.watching.records import GraveError, Notify, WatchProgress, WatchReport
from mass_pipeline.crawling.watching.site_visit import SiteVisit
from mass_pipeline.crawling.watching.sites import WatchedSite
from mass_pipeline.crawling.watching.store import WatchStore
from mass_pipeline.model.errors import DiskFull, StorageError

_REFILL_SECONDS: Final = 5.0
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
    with WatchStore(state, topic.name) as store:
        store.begin_run()
        session = CrawlSession(store, crawl, connect_to, clock)
        with store.errors_told():
            watching = WatchRun(list(sites), session, store, watch, polling, topic, read_article, notify, on_progress)
            report = run(watching.run(once=once, seconds=seconds))
        store.end_run()
        return report


class WatchRun(Spider[str]):
    """One run: gives sites that are due a turn, one per host, so that there is one stream of requests to each (J1).

    Attributes:
        read_article: how a page is read as an article.
        counters: looks, articles, announcements.
    """

    def __init__(
        self, sites: list[WatchedSite], session: CrawlSession, store: WatchStore, watch: WatchConfig, polling: PollingConfig,
        topic: Topic, read_article: ArticleReader, notify: Notify | None, on_progress: Callable[[WatchProgress], None] | None,
    ) -> None:  # fmt: skip
        self.session, self.store, self.watch, self.polling = session, store, watch, polling
        self.topic, self.read_article = topic, read_article
        self.counters: Counter[str] = Counter()
        self._by_id = {site.site_id: site for site in sites}
        store.register(sites, session.wall)
        self._notify, self._on_progress = notify, on_progress
        self._full = ""  # why the last transaction failed
        # One that did not go well the state still calls due: it comes after the sites that wait now.
        self._engine: Engine[str] = Engine(session, self, watch.sites_at_once)
        self._refilled = -math.inf
        self._sent: deque[float] = deque()
        self._sending: set[asyncio.Future[None]] = set()
        self._unsent = 0

    # For the turns

    def answered(self, url: str, outcome: Outcome) -> None:
        """One finished request, for the progress log (J5); at once, so that kill -9 takes no line."""
        self.session.finished(url, outcome.value)
        self.session.logs.flush()

    def failed(self, url: str, failure: Failure) -> None:
        """A page that gave nothing, for the error log (J4); not where that is its owner's wish or its nature."""
        if failure.outcome not in (Outcome.FORBIDDEN_BY_ROBOTS, Outcome.NOT_TEXT):
            self.session.logs.failure(self.session.clock.now(), failure.url or url, failure.outcome.value, failure.reason)

    def grave(self, kind: str, site_id: str, url: str, reason: str) -> None:
        """Hand an error to the operator's hook, or count it when there were too many lately."""
        now = self.session.clock.steady()
        while self._sent and now - self._sent[0] > _HOUR:
            self._sent.popleft()
        if self._notify is None or len(self._sent) >= self.watch.notify_per_hour:
            self._unsent += 1
            return
        self._sent.append(now)
        error = GraveError(self.session.clock.now(), kind, site_id, url, reason, self._unsent)
        self._unsent = 0
        sending = asyncio.get_running_loop().run_in_executor(None, self._notify, error)
        self._sending.add(sending)
        sending.add_done_callback(self._sending.discard)

    def retry_at(self, failures: int) -> float:
        """When to ask again after so many failures in a row before this one: the pause doubles up to its limit."""
        hours = min(self.watch.retry_hours * 2.0 ** min(failures, 32), self.watch.longest_retry_hours)
        return self.session.wall + hours * _HOUR

    # Turns

    async def run(self, *, once: bool, seconds: float | None) -> WatchReport:
        """See `watch_sites`."""
        try:
            async with self.session.downloader:
                await self._engine.run(once=once, seconds=seconds)
        except (StorageError, sqlite3.Error) as error:
            self.grave("storage", "", "", str(error))
            raise
        finally:
            await asyncio.gather(*self._sending, return_exceptions=True)  # messages under way
        self.show_progress()
        counters, downloader = self.counters, self.session.downloader
        return WatchReport(
            self.session.seconds, len(self._by_id), counters["looks"], downloader.counters["requests"], counters["articles"],
            counters["announcements"], self.session.logs.errors, self.store.failing(), downloader.counters["early_requests"],
            int(downloader.most["in_flight_per_host"]),
        )  # fmt: skip

    def due(self, running: Collection[str]) -> Iterator[tuple[str, str]]:
        """See `Spider`: the state is asked when none waits or some time has passed."""
        now = self.session.clock.steady()
        if self._engine.queue and now - self._refilled < _REFILL_SECONDS:
            return
        self._refilled = now
        self._engine.queue.clear()
        for site_id in self.store.due_sites(self.session.wall, running):
            yield split(self._by_id[site_id].url).host.removeprefix("www."), site_id

    def start_of(self, site: str) -> str:
        """See `Spider`."""
        return self._by_id[site].url

    async def may_begin(self, *, is_idle: bool) -> bool:
        """See `Spider`: while the disk is full turns under way go on, new ones wait."""
        room = self.session.room
        if not is_idle:
            return not (self._full or room.reason or room.shortage())
        await room.wait_here(self._full)
        self._full = ""
        return True

    async def turn(self, host: str, site: str) -> bool:
        """See `Spider`."""
        try:
            visit = SiteVisit(self._by_id[site], self)
            went_well = await visit.run()
            for url in visit.addresses:  # the memory of its hosts is free
                self.session.downloader.leave(split(url), forget=True)
            self.session.room.has_written()
        except DiskFull as error:
            went_well, self._full = False, str(error)
        return went_well

    def show_progress(self) -> None:
        """See `Spider`."""
        if self._on_progress is None:
            return
        session, counters = self.session, self.counters
        (sites, failing), due = self.store.counts(), self.store.next_due()
        next_due = None if due is None or due <= session.wall else datetime.fromtimestamp(min(due, 4e9), UTC)
        self._on_progress(
            WatchProgress(
                sites, failing, self._engine.n_running, counters["looks"], session.downloader.counters["requests"],
                counters["articles"], counters["announcements"], session.logs.errors, session.seconds, next_due,
                session.last_url,
            )
        )  # fmt: skip
