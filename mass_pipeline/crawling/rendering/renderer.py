"""What a rendered page may ask for, and its answers: each by the crawl's one door, one after the other, each URL once per site.

Belongs here: whose answers a page may use, and how many. Not here: robots.txt, pace, leases, addresses and size of an answer,
which hold for every request alike (`fetching.downloader`), nor what the browser asks for by itself (`browser_process`).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final, Self

from mass_pipeline.crawling.fetching.chain import Chain, Follower, Stop
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.downloader import Downloader
from mass_pipeline.crawling.fetching.outcomes import Outcome
from mass_pipeline.crawling.fetching.scope import is_blacklisted, registrable_domain
from mass_pipeline.crawling.fetching.transport import Answer
from mass_pipeline.crawling.fetching.urls import BadUrl, UrlParts, canonicalize, split
from mass_pipeline.crawling.rendering.browser import Browser, NotRendered

REFUSED: Final[Mapping[str, Any]] = {}
_OTHER_HOST: Final = "another host"
_NOT_HANDED_ON: Final = frozenset(
    {  # of the connection, or of a visitor who comes back; a body is handed on unpacked
        "connection", "content-encoding", "content-length", "keep-alive", "trailer", "transfer-encoding", "upgrade",
        "alt-svc", "clear-site-data", "link", "nel", "refresh", "report-to", "reporting-endpoints", "set-cookie",
        "strict-transport-security",
    }
)  # fmt: skip


class SiteAnswers:
    """Answers that pages of one site share while it is open: a script that all of them load is asked for once.

    Args:
        most_bytes: of bodies that are kept.
    """

    def __init__(self, most_bytes: int) -> None:
        self._left = most_bytes
        self._kept: dict[str, Mapping[str, Any]] = {}

    def get(self, url: str) -> Mapping[str, Any] | None:
        """What a URL answered before; None when it is to be asked."""
        return self._kept.get(url)

    def keep(self, url: str, answer: Mapping[str, Any]) -> None:
        """Remember an answer, as far as there is room."""
        size = len(answer.get("body", b""))
        if size <= self._left:
            self._left -= size
            self._kept[url] = answer


class PageRequests:
    """The requests of one page.

    Args:
        page: its canonical URL.
        kept: answers of its site.

    Attributes:
        requests: that were answered. body_bytes: received for them. failed: that gave nothing, or an error.
        left_out: why -> how many URLs the page did without.
    """

    def __init__(self, page: str, config: CrawlConfig, downloader: Downloader, kept: SiteAnswers) -> None:
        self._host = split(page).host
        self._domain = registrable_domain(self._host)
        self._config = config
        self._kept = kept
        self._downloader = downloader
        self._hosts: set[UrlParts] = set()
        self._follower = Follower(downloader, config, attempts=1, patience_seconds=config.render_seconds)
        self._turn = asyncio.Lock()
        self._under_way: asyncio.Task[Chain] | None = None
        self._ended = False
        self._asked = 0
        self.requests = self.failed = 0
        self.body_bytes = 0
        self.left_out: Counter[str] = Counter()

    async def answer(self, url: str, kind: str) -> Mapping[str, Any]:
        """What a URL answers; `REFUSED` when the page has to do without it.

        Args:
            url: as the browser writes it.
            kind: `script`, `xhr` or `fetch`.
        """
        try:
            address = canonicalize(url)
        except BadUrl:
            return self._refused(Outcome.BAD_URL.value)
        if not self._is_welcome(address, kind):
            return self._refused(_OTHER_HOST)
        async with self._turn:
            known = self._kept.get(address)
            if known is not None:
                return known
            if self._ended or self._asked >= self._config.render_requests or self.body_bytes >= self._config.render_bytes:
                return self._refused("over the limit")
            return await self._fetched(address, kind)

    async def end(self) -> None:
        """Nothing more is asked; the request under way is waited for, so that its host is left its pause after it."""
        self._ended = True
        if self._under_way is not None:
            with suppress(Exception):
                await self._under_way
        for parts in self._hosts:  # of other hosts than the site's nobody else takes care
            self._downloader.remember(parts)
            self._downloader.let_go(parts)

    def give_up(self) -> None:
        """The crawl itself ends."""
        self._ended = True
        if self._under_way is not None:
            self._under_way.cancel()

    def told(self) -> str:
        """The requests in words: `3 requests; left out: forbidden_by_robots 1`."""
        words = f"{self.requests} request{'' if self.requests == 1 else 's'}"
        left = ", ".join(f"{why} {count}" for why, count in sorted(self.left_out.items()))
        return f"{words}; left out: {left}" if left else words

    async def _fetched(self, url: str, kind: str) -> Mapping[str, Any]:
        self._asked += 1
        self._under_way = asyncio.ensure_future(self._followed(url, kind))
        chain = await asyncio.shield(self._under_way)
        answer = chain.answer
        if answer is None:
            return self._refused(chain.outcome.value)
        if answer.cut_short or answer.bomb or answer.headers.get("tdm-reservation") == "1":
            return self._refused(Outcome.TOO_LARGE.value if answer.bomb or answer.truncated else "not whole or reserved")
        told = handed_on(answer)
        self._kept.keep(url, told)
        return told

    async def _followed(self, url: str, kind: str) -> Chain:
        def go_on(start: str, target: str) -> Stop | None:
            welcome = not self._ended and self._is_welcome(target, kind)
            return None if welcome else Stop(Outcome.OUT_OF_SCOPE, f"redirects to {target}")

        chain = await self._follower.follow(url, any_type=True, go_on=go_on)
        self.requests += chain.asked + len(chain.passed)
        self.failed += chain.answer is None or chain.answer.status >= 400
        self.body_bytes += chain.answer.wire_bytes if chain.answer is not None else 0
        self._hosts |= {parts for parts in map(split, (url, *chain.passed)) if parts.host != self._host}
        return chain

    def _is_welcome(self, url: str, kind: str) -> bool:
        """Whether a page may use what a URL answers: its own site's, and scripts of the hosts that the settings name."""
        host = split(url).host
        if is_blacklisted(host, self._config.never_crawl):
            return False
        return registrable_domain(host) == self._domain or (
            kind == "script" and is_blacklisted(host, self._config.render_script_hosts)
        )

    def _refused(self, why: str) -> Mapping[str, Any]:
        self.left_out[why] += 1
        return REFUSED


def handed_on(answer: Answer) -> dict[str, Any]:
    """An answer as the browser gets it."""
    headers = {name.lower(): value for name, value in answer.headers.items() if name.lower() not in _NOT_HANDED_ON}
    return {"status": answer.status, "headers": headers, "body": answer.body}


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a page shows when its scripts have run.

    Attributes:
        body: markup, UTF-8.
        leads_to: addresses it wanted to be left for; they were not opened.
        told: what it took, for people.
        requests, body_bytes: that it took.
        failed: requests of it that were not answered well.
    """

    body: bytes
    leads_to: tuple[str, ...]
    told: str
    requests: int
    body_bytes: int
    failed: int


class Renderer:
    """Browsers of one crawl, begun when a page needs one; a context manager that ends them.

    Args:
        downloader: asks for all that pages ask for, and counts `rendered_pages` and `not_rendered_pages`.
    """

    def __init__(self, config: CrawlConfig, downloader: Downloader) -> None:
        self._config = config
        self._downloader = downloader
        self._places = asyncio.Semaphore(config.render_at_once)
        self._idle: list[Browser] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        while self._idle:
            await self._idle.pop().end()

    async def show(self, url: str, answer: Answer, kept: SiteAnswers) -> Rendered:
        """A page as its scripts leave it.

        Args:
            url: canonical.
            answer: the page as it came.
            kept: answers that pages of its site share.

        Raises:
            NotRendered: it was not shown; a browser that it kept busy was ended.
        """
        async with self._places:
            requests = PageRequests(url, self._config, self._downloader, kept)
            browser = self._idle.pop() if self._idle else Browser(self._config)
            try:
                shown = await browser.show(self._order(url, answer), requests.answer)
            except NotRendered as error:
                await browser.end()
                await requests.end()
                self._downloader.counters["not_rendered_pages"] += 1
                raise NotRendered(f"{error} ({requests.told()})") from error
            except BaseException:
                requests.give_up()
                await browser.end()
                raise
            self._idle.append(browser)
            await requests.end()
        self._downloader.counters["rendered_pages"] += 1
        body = str(shown["html"]).encode("utf-8", "replace")[: self._config.max_body_bytes]
        return Rendered(body, tuple(shown["leads_to"]), requests.told(), requests.requests, requests.body_bytes, requests.failed)

    def _order(self, url: str, answer: Answer) -> dict[str, object]:
        return {
            "url": url,
            "user_agent": self._config.user_agent,
            "script_seconds": self._config.render_script_seconds,
            "characters": self._config.max_body_bytes,
            **handed_on(answer),
        }
