"""Shows pages in browsers, a few at a time, for all sites of a crawl."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.downloader import Downloader
from mass_pipeline.crawling.fetching.transport import Answer
from mass_pipeline.crawling.rendering.browser import Browser, NotRendered
from mass_pipeline.crawling.rendering.page_requests import PageRequests, SiteAnswers, handed_on


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
