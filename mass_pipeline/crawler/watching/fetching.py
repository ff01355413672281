"""One page of a watched site through the crawler's one door: redirects inside the site followed, errors told apart.

Not here: pace, robots.txt, the gate (downloader); what a page means (looks).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

from mass_pipeline.crawler.config import CrawlConfig
from mass_pipeline.crawler.downloader import Downloader, Failure
from mass_pipeline.crawler.gate import GateRefusal
from mass_pipeline.crawler.outcomes import REFUSING_STATUSES, RETRIED_STATUSES, Outcome, outcome_of_status
from mass_pipeline.crawler.scope import Scope, is_blacklisted
from mass_pipeline.crawler.spider import parse
from mass_pipeline.crawler.transport import Answer
from mass_pipeline.crawler.urls import BadUrl, canonicalize, split


class PageFailed(Exception):
    """A page gave nothing; caught by the turn of its site.

    Attributes:
        outcome: one of the crawler's outcomes.
        reason: for people.
        site_is_down: the whole host is done for now.
        final: asking again soon is pointless or rude.
        url: the page, behind redirects; "" when no request was made.
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
        url: that answered, behind redirects.
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
        self._downloader = downloader
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
        for _ in range(self._config.max_redirects + 1):
            answer = await self._ask(url, headers, is_feed)
            status = answer.status
            if status == 304 and headers:
                self._on_answer(url, Outcome.NOT_MODIFIED.value)
                return None
            location = answer.headers.get("Location")
            if status in (301, 302, 303, 307, 308) and location:
                self._on_answer(url, Outcome.REDIRECT.value)
                url = self._redirected(url, location, is_start)
                continue
            if status != 200:
                raise self._refused(url, status)
            return self._page(url, answer, is_feed)
        raise self._failed(url, PageFailed(Outcome.TRAP, f"more than {self._config.max_redirects} redirects"))

    async def _ask(self, url: str, headers: dict[str, str], is_feed: bool) -> Answer:
        try:
            return await self._downloader.fetch(url, split(url), headers, any_type=is_feed)
        except GateRefusal as error:
            down = error.outcome is Outcome.DNS_ERROR
            raise self._failed(url, PageFailed(error.outcome, error.reason, site_is_down=down, final=not down)) from error
        except Failure as error:
            forbidden = error.outcome is Outcome.FORBIDDEN_BY_ROBOTS
            failure = PageFailed(error.outcome, error.reason, site_is_down=error.host_is_dead, final=forbidden)
            raise self._failed(url, failure) from error

    def _redirected(self, url: str, location: str, is_start: bool) -> str:
        try:
            target = canonicalize(location, url)
        except BadUrl as error:
            raise self._failed(url, PageFailed(Outcome.BAD_URL, f"redirects to a bad address ({error})")) from error
        parts = split(target)
        if is_start and not is_blacklisted(parts.host, self._config.never_crawl):
            self._scope.admit(parts)
            self._scope.prefer(parts)
            self.admitted.append(target)
        if not self._scope.covers(parts):
            raise self._failed(url, PageFailed(Outcome.OUT_OF_SCOPE, f"redirects to {target}", final=True))
        return target

    def _refused(self, url: str, status: int) -> PageFailed:
        outcome = Outcome.REFUSED if status in REFUSING_STATUSES else outcome_of_status(status)
        outcome = Outcome.PROTOCOL_ERROR if outcome is Outcome.OK else outcome
        final = 400 <= status <= 499 and status not in RETRIED_STATUSES
        return self._failed(url, PageFailed(outcome, f"HTTP {status}", final=final))

    def _page(self, url: str, answer: Answer, is_feed: bool) -> Page:
        if answer.bomb:
            raise self._failed(url, PageFailed(Outcome.TOO_LARGE, "decompression bomb", final=True))
        if not answer.complete:
            raise self._failed(url, PageFailed(Outcome.TRUNCATED, "the connection broke"))
        if not is_feed and not answer.is_text:
            raise self._failed(url, PageFailed(Outcome.NOT_TEXT, (answer.headers.get("Content-Type") or "")[:100], final=True))
        parsed = None if is_feed else parse(answer, with_links=False)
        self._on_answer(url, Outcome.OK.value)
        headers = answer.headers
        return Page(
            url, answer.body, headers.get("Content-Type"), hashlib.sha256(answer.body).digest(), headers.get("ETag"),
            headers.get("Last-Modified"), parsed is not None and parsed.noindex, parsed is not None and parsed.nofollow,
        )  # fmt: skip

    def _failed(self, url: str, failure: PageFailed) -> PageFailed:
        self._on_answer(url, failure.outcome.value)
        failure.url = url
        return failure
