"""What every turn of a watch shares: the session, settings, the store, counters, and errors on their way to the operator."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from mass_pipeline.crawling.fetching.chain import Chain, Follower
from mass_pipeline.crawling.fetching.outcomes import RETRIED_STATUSES, Failure, Outcome
from mass_pipeline.crawling.fetching.scope import Scope
from mass_pipeline.crawling.fetching.urls import split
from mass_pipeline.crawling.pages.relevance import Topic
from mass_pipeline.crawling.pages.spider import parse_aside
from mass_pipeline.crawling.state.session import CrawlSession
from mass_pipeline.crawling.watching.articles import ArticleReader
from mass_pipeline.crawling.watching.config import PollingConfig, WatchConfig
from mass_pipeline.crawling.watching.records import GraveError, Notify
from mass_pipeline.crawling.watching.sites import WatchedSite
from mass_pipeline.crawling.watching.store import WatchStore
from mass_pipeline.guard import TooCostly
from mass_pipeline.guard.sandbox import parsed_aside

_HOUR: Final = 3600.0


@dataclass(slots=True)
class WatchRun:
    """One run.

    Attributes:
        read_article: how a page is read as an article.
        notify: told about grave errors, in a thread of its own.
        counters: looks, articles, announcements.
    """

    session: CrawlSession
    watch: WatchConfig
    polling: PollingConfig
    topic: Topic
    store: WatchStore
    read_article: ArticleReader
    notify: Notify | None
    counters: Counter[str] = field(default_factory=Counter)
    _sent: deque[float] = field(default_factory=deque)
    _sending: set[asyncio.Future[None]] = field(default_factory=set)
    _unsent: int = 0

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


T = TypeVar("T")

# Asking again soon would be pointless or rude.
_FINAL: Final = frozenset(
    {Outcome.FORBIDDEN_BY_ROBOTS, Outcome.BLOCKED_ADDRESS, Outcome.OUT_OF_SCOPE, Outcome.TOO_LARGE, Outcome.NOT_TEXT}
)


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it answered.

    Attributes:
        url: that answered, after redirects.
        sha256: of the body.
        noindex: it must not be kept. nofollow: its links must not be followed.
    """

    url: str
    body: bytes = field(repr=False)
    content_type: str | None
    sha256: bytes
    etag: str | None
    last_modified: str | None
    noindex: bool
    nofollow: bool

    async def read(self, reader: Callable[[bytes], T]) -> T:
        """What a reader of the body says, behind the door where its reading can be ended.

        Raises:
            Failure: it was.
        """
        try:
            return await parsed_aside(reader, self.body)
        except TooCostly as error:
            raise Failure(Outcome.ERROR, f"too_costly: {error}", is_final=True) from error


class SitePages:
    """Fetches pages of one site.

    Attributes:
        scope: of the site; redirects out of it are refused, but for the start page, whose host is admitted.
    """

    def __init__(self, site: WatchedSite, hosts: list[str], run: WatchRun) -> None:
        self._run = run
        # One attempt: another try is planned, hours later.
        self._follower = Follower(run.session.downloader.fetch, run.session.config, attempts=1)
        self.scope = Scope(split(site.url), site.scope_prefix, hosts)
        for entry in site.lists:  # what an operator configured belongs to the site
            self.scope.admit(split(entry.url))

    async def get(
        self,
        url: str,
        *,
        etag: str | None = None,
        last_modified: str | None = None,
        is_start: bool = False,
        is_feed: bool = False,
    ) -> Page | None:  # fmt: skip
        """A page; None when it has not changed since.

        Args:
            url: canonical.
            etag, last_modified: validators of the version at hand.
            is_start: its redirects may lead to another host.
            is_feed: any type of content is welcome, robots directives of markup do not apply.

        Raises:
            Failure: nothing usable came.
        """
        conditions = {"If-None-Match": etag, "If-Modified-Since": last_modified}
        headers = {name: value for name, value in conditions.items() if value}
        chain = await self._follower.follow(url, headers, any_type=is_feed, scope=self.scope, is_start=is_start)
        for passed in (url, *chain.passed)[:-1]:
            self._run.answered(passed, Outcome.REDIRECT)
        self._run.answered(chain.url, chain.outcome)
        if chain.outcome is Outcome.NOT_MODIFIED:
            return None
        answer = chain.answer
        cut_by_us = chain.outcome is Outcome.TRUNCATED and answer is not None and answer.complete
        if answer is None or not (chain.outcome is Outcome.OK or cut_by_us):
            raise _failure_of(chain)
        parsed = None if is_feed else await parse_aside(answer, with_links=False)
        headers_of = answer.headers.get
        return Page(
            chain.url, answer.body, headers_of("Content-Type"), hashlib.sha256(answer.body).digest(), headers_of("ETag"),
            headers_of("Last-Modified"), parsed is not None and parsed.noindex, parsed is not None and parsed.nofollow,
        )  # fmt: skip


def _failure_of(chain: Chain) -> Failure:
    """A page that did not come whole says nothing about what is gone: part of a list is no list."""
    is_down = chain.host_is_dead or chain.outcome is Outcome.DNS_ERROR
    status = 0 if chain.answer is None else chain.answer.status
    is_final = chain.outcome in _FINAL or (400 <= status <= 499 and status not in RETRIED_STATUSES)
    return Failure(chain.outcome, chain.reason, host_is_dead=is_down, is_final=is_final and not is_down, url=chain.url)
