"""Values of a watch: its progress, grave errors, published announcements. Plain values, no behaviour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime

from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.downloader import Downloader
from mass_pipeline.crawling.pages.relevance import Topic
from mass_pipeline.crawling.state.session import CrawlSession
from mass_pipeline.crawling.watching.article_store import ArticleStore
from mass_pipeline.crawling.watching.articles import ArticleReader
from mass_pipeline.crawling.watching.config import PollingConfig, WatchConfig
from mass_pipeline.crawling.watching.fetching import PageFailed
from mass_pipeline.crawling.watching.site_store import SiteStore


@dataclass(frozen=True, slots=True)
class WatchProgress:
    """Live counters of a running watch (J5).

    Attributes:
        sites: watched. failing: those whose last look failed. open: those being asked now.
        looks: at lists, of this run. requests, articles, announcements, errors: of this run; announcements are new ones.
        seconds: since the start of this run.
        next_due: when the next site is due, None while one is.
        url: the address finished last.
    """

    sites: int
    failing: int
    open: int
    looks: int
    requests: int
    articles: int
    announcements: int
    errors: int
    seconds: float
    next_due: datetime | None
    url: str


@dataclass(frozen=True, slots=True)
class GraveError:
    """Something an operator should know now.

    Attributes:
        kind: `site` (its looks fail again and again), `unexpected` (an exception at a page), `storage` (the watch ended).
        site_id, url: where; "" when it concerns the whole watch.
        more: grave errors that were not reported since the last message, because there were too many.
    """

    at: datetime
    kind: str
    site_id: str
    url: str
    reason: str
    more: int = 0


Notify = Callable[[GraveError], None]
"""Tells an operator; must not raise, and must come back soon."""


@dataclass(frozen=True, slots=True)
class PublishedAnnouncement:
    """One relevant announcement as the state holds it: the structured record of C6, split into single announcements.

    Attributes:
        site_id: the parish, or another name of the site. site: its host.
        list_url, source, anchor: how its article was found.
        issued: day of publication, None when nobody tells.
        position: place among the announcements of its article, from 0.
        text: its words. model, score: by which it was kept.
        article_sha256: digest of the article's body.
        reading: what `keep_readings` was given for it, "" for nothing.
    """

    announcement_id: str
    site_id: str
    url: str
    site: str
    list_url: str | None
    source: str
    anchor: str
    title: str
    author: str
    meta_keywords: str
    meta_description: str
    issued: date | None
    position: int
    text: str
    topic: str
    model: str
    score: float
    article_sha256: str
    first_seen_at: datetime
    fetched_at: datetime
    reading: str = ""


@dataclass(frozen=True, slots=True)
class WatchReport:
    """One run in figures.

    Attributes:
        new_announcements: found in this run.
        failing: site -> reason, of sites whose last look failed.
        early_requests, most_in_flight_per_host: 0 and at most 1 unless something is wrong.
    """

    seconds: float
    sites: int
    looks: int
    requests: int
    articles: int
    new_announcements: int
    errors: int
    failing: dict[str, str]
    early_requests: int
    most_in_flight_per_host: int


_HOUR: float = 3600.0


@dataclass(slots=True)
class WatchContext:
    """Shared by all turns of a run.

    Attributes:
        read_article: how a page is read as an article.
        grave: told about grave errors.
        counters: looks, articles, announcements.
        last_url: the address finished last.
    """

    session: CrawlSession
    watch: WatchConfig
    polling: PollingConfig
    topic: Topic
    sites: SiteStore
    articles: ArticleStore
    read_article: ArticleReader
    grave: Callable[[GraveError], None]
    counters: Counter[str] = field(default_factory=Counter)
    last_url: str = ""

    @property
    def crawl(self) -> CrawlConfig:
        """Manners and limits of every request."""
        return self.session.config

    @property
    def downloader(self) -> Downloader:
        """Makes every request."""
        return self.session.downloader

    @property
    def clock(self) -> Clock:
        """Time."""
        return self.session.clock

    @property
    def now(self) -> float:
        """Wall time, seconds."""
        return self.session.wall

    def answered(self, url: str, outcome: str) -> None:
        """One finished request, for the progress log (J5); at once, so that kill -9 takes no line."""
        self.last_url = url
        self.session.finished(url, outcome)
        self.session.logs.flush()

    def failed(self, url: str, failure: PageFailed) -> None:
        """A page that gave nothing, for the error log (J4); `url` where the failure names none."""
        self.session.logs.failure(self.clock.now(), failure.url or url, failure.outcome.value, failure.reason)

    def unexpected(self, site_id: str, url: str, error: Exception) -> None:
        """An exception at a page: logged with its place, reported as grave, and the watch goes on (J4)."""
        self.session.failed(url, error)
        self.grave(GraveError(self.clock.now(), "unexpected", site_id, url, f"{type(error).__name__}: {error}"[:300]))

    def retry_at(self, failures: int) -> float:
        """When to ask again after so many failures in a row before this one: the pause doubles up to its limit."""
        hours = min(self.watch.retry_hours * 2.0 ** min(failures, 32), self.watch.longest_retry_hours)
        return self.now + hours * _HOUR
