"""Ask for directory pages and home pages by the crawler's rules; what came of it is named by what to do.

Belongs here: which errors a walk and a verification see. Not here: requests, retries, robots.txt, pauses
(`crawler.pages.fetch`), what a page says (`deon`, `homes`).
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from mass_pipeline.crawler.fetching.addresses import ConnectTo
from mass_pipeline.crawler.fetching.config import CrawlConfig
from mass_pipeline.crawler.fetching.outcomes import REFUSING_STATUSES, TOO_LONG
from mass_pipeline.discovery.homes import parse_home
from mass_pipeline.discovery.ports import Clock, FetchHome, HomePage, Page
from mass_pipeline.model.errors import FetchError, Forbidden, Gone, RetryLater

if TYPE_CHECKING:
    from mass_pipeline.crawler.pages.fetch import FetchResult, PageFetcher

log = logging.getLogger(__name__)

_CLOSED: Final = frozenset({"forbidden_by_robots", "blocked_address", "out_of_scope"})
_BUSY: Final = frozenset({"timeout", "http_5xx", "deferred", "refused", "dns_error", "protocol_error"})


class Directory:
    """Pages of directories and lists, whole and of any type.

    Args:
        fetcher: open.
        attempts: requests of one URL that it makes before it gives up.
        now: the clock.
    """

    def __init__(self, fetcher: PageFetcher, attempts: int, now: Clock) -> None:
        self._fetcher = fetcher
        self._given_up = f"given up after {attempts} attempt{'' if attempts == 1 else 's'}"
        self.now = now

    @property
    def counters(self) -> Mapping[str, int]:
        """See `PageFetcher.counters`."""
        return self._fetcher.counters

    def get(self, url: str) -> Page:
        """The page at a URL, redirects followed, asked again while the server is out of order.

        Raises:
            Gone: 404 or 410. Forbidden: robots.txt, the gate or the server says no. RetryLater: no whole answer after all
            attempts. FetchError: anything else that asking again does not mend.
        """
        result = self._fetcher.fetch(url, any_type=True)
        if result.outcome == "ok":
            return Page(result.final_url or url, 200, result.body, result.content_type, self.now())
        if result.outcome == "truncated":
            error = FetchError if result.reason == TOO_LONG else RetryLater
            raise error(url, result.reason)
        failure = error_of(result)
        if isinstance(failure, RetryLater) and result.outcome != "deferred":
            raise RetryLater(failure.url, f"{failure.reason}; {self._given_up}")
        raise failure


@contextmanager
def open_directory(config: CrawlConfig, connect_to: ConnectTo | None, now: Clock) -> Iterator[Directory]:
    """Pages of directories while the context lasts.

    Args:
        config: `resources.crawling.directory_config`.
        connect_to: where logical hosts really are (demo profile).
        now: the clock.
    """
    from mass_pipeline.crawler import PageFetcher  # the engine is heavy, and most runs ask no directory

    with PageFetcher(config, connect_to, attempts=config.max_attempts) as fetcher:
        yield Directory(fetcher, config.max_attempts, now)


@contextmanager
def open_homes(config: CrawlConfig, connect_to: ConnectTo | None = None) -> Iterator[FetchHome]:
    """A reader of home pages for verification, shared by threads; what came of a page that was cut short is read."""
    from mass_pipeline.crawler import PageFetcher

    with PageFetcher(config, connect_to) as fetcher:

        def read(url: str) -> HomePage:
            result = fetcher.fetch(url)
            if result.outcome not in {"ok", "truncated"}:
                raise error_of(result)
            try:
                return parse_home(result.final_url or url, result.body, result.content_type)
            except Exception as error:  # whatever a home page does, it ends at its address
                log.exception("home.unreadable", extra={"url": url})
                raise FetchError(url, f"the page cannot be read ({type(error).__name__})") from error

        yield read


def error_of(result: FetchResult) -> FetchError:
    """A fetch without a page as an error."""
    reason = result.reason or result.outcome
    if result.outcome in _CLOSED or result.status in REFUSING_STATUSES:
        return Forbidden(result.url, reason)
    if result.status in {404, 410}:
        return Gone(result.url, result.status)
    if result.outcome in _BUSY or result.status in {408, 425, 429}:
        return RetryLater(result.url, reason)
    return FetchError(result.url, reason)
