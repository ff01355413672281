"""What every turn of a watch shares: the session, settings, the store, counters, and errors on their way to the operator."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import Final

from mass_pipeline.crawling.fetching.outcomes import Failure, Outcome
from mass_pipeline.crawling.pages.relevance import Topic
from mass_pipeline.crawling.state.session import CrawlSession
from mass_pipeline.crawling.watching.articles import ArticleReader
from mass_pipeline.crawling.watching.config import PollingConfig, WatchConfig
from mass_pipeline.crawling.watching.records import GraveError, Notify
from mass_pipeline.crawling.watching.store import WatchStore

_HOUR: Final = 3600.0


@dataclass(slots=True)
class WatchRun:
    """One run.

    Attributes:
        read_article: how a page is read as an article.
        notify: told about grave errors, in a thread of its own.
        counters: looks, articles, announcements.
        last_url: the address finished last.
    """

    session: CrawlSession
    watch: WatchConfig
    polling: PollingConfig
    topic: Topic
    store: WatchStore
    read_article: ArticleReader
    notify: Notify | None
    counters: Counter[str] = field(default_factory=Counter)
    last_url: str = ""
    _sent: deque[float] = field(default_factory=deque)
    _sending: set[asyncio.Future[None]] = field(default_factory=set)
    _unsent: int = 0

    def answered(self, url: str, outcome: Outcome) -> None:
        """One finished request, for the progress log (J5); at once, so that kill -9 takes no line."""
        self.last_url = url
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
        if self.notify is None or len(self._sent) >= self.watch.notify_per_hour:
            self._unsent += 1
            return
        self._sent.append(now)
        error = GraveError(self.session.clock.now(), kind, site_id, url, reason, self._unsent)
        self._unsent = 0
        sending = asyncio.get_running_loop().run_in_executor(None, self.notify, error)
        self._sending.add(sending)
        sending.add_done_callback(self._sending.discard)

    async def all_sent(self) -> None:
        """Wait for messages that are under way."""
        await asyncio.gather(*self._sending, return_exceptions=True)

    def retry_at(self, failures: int) -> float:
        """When to ask again after so many failures in a row before this one: the pause doubles up to its limit."""
        hours = min(self.watch.retry_hours * 2.0 ** min(failures, 32), self.watch.longest_retry_hours)
        return self.session.wall + hours * _HOUR
