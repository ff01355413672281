"""Sitemaps as a source of links: which of them are asked for, and which of their pages enter the frontier.

Asked for only when a site has nothing else left and room for more pages, and then only those that robots.txt names, or
`/sitemap.xml` where the pages of the site hardly link to anything (menus made by a script). Reading the files is `feeds`'
part; every request passes gate, robots.txt and pace like any other. Norms: sitemaps.org 0.9, RFC 9309 2.2.4; hazards T12.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from typing import Final

from mass_pipeline.crawling.fetching.chain import Follower, Stop
from mass_pipeline.crawling.fetching.downloader import Downloader
from mass_pipeline.crawling.fetching.gate import GateRefusal
from mass_pipeline.crawling.fetching.outcomes import Failure, Outcome
from mass_pipeline.crawling.fetching.urls import BadUrl, UrlParts, canonicalize, is_dated, split
from mass_pipeline.crawling.pages.spider import read_feed_aside, shared_guard
from mass_pipeline.crawling.sites.frontier import Link, ScheduleWords
from mass_pipeline.crawling.sites.site_links import SiteLinks
from mass_pipeline.guard import TooCostly

_DEPTH: Final = 2  # an index of sitemaps, and these; no index inside an index
_MANY_PAGES: Final = 2000  # to judge their addresses takes 50 ms of the event loop
_OF_PAGES: Final = re.compile(r"page|stron", re.IGNORECASE)
_OF_OTHERS: Final = re.compile(r"post|author|user|tag|categor|taxonom|image|video|news|product|gallery|galeri", re.IGNORECASE)


class SitemapSource:
    """Looks for pages of one site that no page links to.

    Args:
        start: canonical start URL.
    """

    def __init__(self, start: str, downloader: Downloader, links: SiteLinks) -> None:
        self._start, self._downloader, self._links, self._config = start, downloader, links, links.config
        self._follower = Follower(downloader, links.config, attempts=1)
        self.requests = 0

    async def find(self, known_urls: int) -> None:
        """Enter pages into the frontier, the likeliest for Mass times first.

        Args:
            known_urls: URLs of the site met so far. With few of them a sitemap stands for the missing menu: its pages count
                as linked from the start page; otherwise they are at the greatest depth, and their links are not followed.
        """
        config = self._config
        few = known_urls < config.few_links
        parts = self._links.scope.spelling(split(self._start))
        try:
            offered = (await self._downloader.rules_of(parts)).sitemaps()
        except (Failure, GateRefusal):
            return
        first = self._covered(offered, parts) or (self._covered(["/sitemap.xml"], parts) if few else [])
        found = await self._pages_of(deque((url, 1) for url in first))
        depth = min(1, config.max_depth) if few else config.max_depth
        self._links.offer(await _ordered_aside(found), depth, config.max_sitemap_pages)

    async def _pages_of(self, waiting: deque[tuple[str, int]]) -> list[str]:
        found: list[str] = []
        seen: set[str] = set()
        while waiting and self.requests < self._config.max_sitemaps:
            url, level = waiting.popleft()
            if url in seen:
                continue
            seen.add(url)
            chain = await self._follower.follow(url, any_type=True, go_on=self._go_on)
            self.requests += 1 + len(chain.passed)
            if chain.answer is None or chain.answer.status != 200 or chain.answer.bomb:
                continue
            url = chain.url
            feed = await read_feed_aside(chain.answer.body, url)
            addresses = [entry.url for entry in feed.entries]
            if feed.kind != "sitemap_index":
                found += addresses
            elif level < _DEPTH:
                waiting.extend((address, level + 1) for address in in_order_of_kind(self._covered(addresses, split(url))))
        return found

    def _go_on(self, start: str, target: str) -> Stop | None:
        return None if self._links.scope.covers(split(target)) else Stop(Outcome.OUT_OF_SCOPE, "another site")

    def _covered(self, addresses: Iterable[str], base: UrlParts) -> list[str]:
        """Those that belong to the site."""
        kept = []
        for address in addresses:
            try:
                url = canonicalize(address, base.url)
            except BadUrl:
                continue
            if address and self._links.scope.covers(split(url)):
                kept.append(url)
        return kept


async def _ordered_aside(pages: list[str]) -> list[str]:
    """`in_order`, of many pages in another process; unordered when that was ended."""
    if len(pages) <= _MANY_PAGES:
        return in_order(pages)
    try:
        return await shared_guard().call_aside(in_order, pages, size=sum(map(len, pages)))
    except TooCostly:
        return pages


def in_order_of_kind(sitemaps: Iterable[str]) -> list[str]:
    """Sitemaps of pages before those of articles and pictures.

    >>> in_order_of_kind(["http://a.pl/post-sitemap.xml", "http://a.pl/s.xml", "http://a.pl/page-sitemap.xml"])
    ['http://a.pl/page-sitemap.xml', 'http://a.pl/s.xml', 'http://a.pl/post-sitemap.xml']
    """
    return sorted(sitemaps, key=lambda url: 0 if _OF_PAGES.search(url) else 2 if _OF_OTHERS.search(url) else 1)


def in_order(pages: Iterable[str]) -> list[str]:
    """Pages whose address speaks of Masses first, dated ones last, else as given; each once."""
    words = ScheduleWords()
    return sorted(dict.fromkeys(pages), key=lambda url: (is_dated(url), -words.score(Link(url, "", 1, "", ""))))
