"""One page of a watched site through the crawler's one door: redirects inside the site followed, errors told apart.

Not here: pace, robots.txt, the gate (downloader); what a page means (list_poller).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from mass_pipeline.crawling.fetching.chain import Chain, Follower, Stop
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.downloader import Downloader
from mass_pipeline.crawling.fetching.outcomes import RETRIED_STATUSES, Outcome
from mass_pipeline.crawling.fetching.scope import Scope, is_blacklisted
from mass_pipeline.crawling.fetching.transport import Answer
from mass_pipeline.crawling.fetching.urls import split
from mass_pipeline.crawling.pages.spider import parse_aside

# Asking again soon would be pointless or rude.
_FINAL: Final = frozenset(
    {Outcome.FORBIDDEN_BY_ROBOTS, Outcome.BLOCKED_ADDRESS, Outcome.OUT_OF_SCOPE, Outcome.TOO_LARGE, Outcome.NOT_TEXT}
)


class PageFailed(Exception):
    """A page gave nothing; caught by the turn of its site.

    Attributes:
        outcome: one of the crawler's outcomes.
        reason: for people.
        site_is_down: the whole host is done for now.
        final: asking again soon is pointless or rude.
        url: the page, after redirects; "" when no request was made.
    """

    def __init__(self, outcome: Outcome, reason: str, *, site_is_down: bool = False, final: bool = False) -> None:
        self.outcome = outcome
        self.reason = reason
        self.site_is_down = site_is_down
        self.final = final
        self.url = ""
        super().__init__(f"{outcome}: {reason}")

    @property
    def is_quiet(self) -> bool:
        """Whether it is the owner's wish or the nature of the page, and no error."""
        return self.outcome in (Outcome.FORBIDDEN_BY_ROBOTS, Outcome.NOT_TEXT)


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


class Fetcher:
    """Fetches pages of one site.

    Args:
        scope: of the site; redirects out of it are refused, but for the start page, whose host is admitted.
        on_answer: told address and outcome of every request.
    """

    def __init__(self, downloader: Downloader, config: CrawlConfig, scope: Scope, on_answer: Callable[[str, str], None]) -> None:
        self._follower = Follower(downloader, config, attempts=1)  # another try is planned, hours later
        self._config = config
        self._scope = scope
        self._on_answer = on_answer
        self.admitted: list[str] = []

    async def get(
        self,
        url: str,
        *,
        etag: str | None = None,
        last_modified: str | None = None,
        is_start: bool = False,
        is_feed: bool = False,
    ) -> Page | None:
        """A page; None when it has not changed since.

        Args:
            url: canonical.
            etag, last_modified: validators of the version at hand.
            is_start: its redirects may lead to another host.
            is_feed: any type of content is welcome, robots directives of markup do not apply.

        Raises:
            PageFailed: nothing usable came.
        """
        conditions = {"If-None-Match": etag, "If-Modified-Since": last_modified}
        headers = {name: value for name, value in conditions.items() if value}
        chain = await self._follower.follow(url, headers, any_type=is_feed, go_on=partial(self._go_on, is_start))
        if chain.outcome is Outcome.NOT_MODIFIED:
            self._on_answer(chain.url, Outcome.NOT_MODIFIED.value)
            return None
        cut_by_us = chain.outcome is Outcome.TRUNCATED and chain.answer is not None and chain.answer.complete
        if chain.answer is None or not (chain.outcome is Outcome.OK or cut_by_us):
            raise self._failed(chain)
        self._on_answer(chain.url, chain.outcome.value)
        return await self._page(chain.url, chain.answer, is_feed)

    def _go_on(self, is_start: bool, url: str, target: str) -> Stop | None:
        self._on_answer(url, Outcome.REDIRECT.value)
        parts = split(target)
        if is_start and not is_blacklisted(parts.host, self._config.never_crawl):
            self._scope.admit(parts)
            self._scope.prefer(parts)
            self.admitted.append(target)
        return None if self._scope.covers(parts) else Stop(Outcome.OUT_OF_SCOPE, f"redirects to {target}")

    async def _page(self, url: str, answer: Answer, is_feed: bool) -> Page:
        parsed = None if is_feed else await parse_aside(answer, with_links=False)
        headers = answer.headers
        return Page(
            url, answer.body, headers.get("Content-Type"), hashlib.sha256(answer.body).digest(), headers.get("ETag"),
            headers.get("Last-Modified"), parsed is not None and parsed.noindex, parsed is not None and parsed.nofollow,
        )  # fmt: skip

    def _failed(self, chain: Chain) -> PageFailed:
        """A page that did not come whole says nothing about what is gone: part of a list is no list."""
        self._on_answer(chain.url, chain.outcome.value)
        down = chain.host_is_dead or chain.outcome is Outcome.DNS_ERROR
        status = None if chain.answer is None else chain.answer.status
        final = chain.outcome in _FINAL or (status is not None and 400 <= status <= 499 and status not in RETRIED_STATUSES)
        failure = PageFailed(chain.outcome, chain.reason, site_is_down=down, final=final and not down)
        failure.url = chain.url
        return failure
