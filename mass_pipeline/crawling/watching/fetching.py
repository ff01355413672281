"""Pages of one watched site through the crawler's one door: redirects inside the site followed, errors told apart.

Not here: pace, robots.txt, the gate (downloader); what a page means (list_poller).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeVar

from mass_pipeline.crawling.fetching.chain import Chain, Follower, Stop
from mass_pipeline.crawling.fetching.outcomes import RETRIED_STATUSES, Failure, Outcome
from mass_pipeline.crawling.fetching.scope import Scope, is_blacklisted
from mass_pipeline.crawling.fetching.urls import split
from mass_pipeline.crawling.pages.spider import parse_aside
from mass_pipeline.crawling.watching.run import WatchRun
from mass_pipeline.crawling.watching.sites import WatchedSite
from mass_pipeline.guard import TooCostly
from mass_pipeline.guard.sandbox import parsed_aside

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
        admitted: addresses that the start page redirected to.
    """

    def __init__(self, site: WatchedSite, hosts: list[str], run: WatchRun) -> None:
        self._run = run
        self._follower = Follower(run.session.downloader, run.session.config, attempts=1)  # another try is planned, hours later
        self.scope = Scope(split(site.url), site.scope_prefix, map(split, hosts))
        for entry in site.lists:  # what an operator configured belongs to the site
            self.scope.admit(split(entry.url))
        self.admitted: list[str] = []

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
        chain = await self._follower.follow(url, headers, any_type=is_feed, go_on=partial(self._go_on, is_start))
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

    def _go_on(self, is_start: bool, url: str, target: str) -> Stop | None:
        self._run.answered(url, Outcome.REDIRECT)
        parts = split(target)
        if is_start and not is_blacklisted(parts.host, self._run.session.config.never_crawl):
            self.scope.move(parts)
            self.admitted.append(target)
        return None if self.scope.covers(parts) else Stop(Outcome.OUT_OF_SCOPE, f"redirects to {target}")


def _failure_of(chain: Chain) -> Failure:
    """A page that did not come whole says nothing about what is gone: part of a list is no list."""
    is_down = chain.host_is_dead or chain.outcome is Outcome.DNS_ERROR
    status = 0 if chain.answer is None else chain.answer.status
    is_final = chain.outcome in _FINAL or (400 <= status <= 499 and status not in RETRIED_STATUSES)
    return Failure(chain.outcome, chain.reason, host_is_dead=is_down, is_final=is_final and not is_down, url=chain.url)
