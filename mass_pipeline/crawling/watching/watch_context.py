"""What every turn of a site needs: settings, stores, the session, counters. Wiring only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.downloader import Downloader
from mass_pipeline.crawling.pages.relevance import Topic
from mass_pipeline.crawling.state.session import CrawlSession
from mass_pipeline.crawling.watching.article_store import ArticleStore
from mass_pipeline.crawling.watching.articles import ArticleReader
from mass_pipeline.crawling.watching.config import PollingConfig, WatchConfig
from mass_pipeline.crawling.watching.fetching import PageFailed
from mass_pipeline.crawling.watching.records import GraveError
from mass_pipeline.crawling.watching.site_store import SiteStore

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
