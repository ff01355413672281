"""Links of one open site, and the pages that its sitemaps name: which enter its frontier.

Policies (scope, traps, identity) are asked in order; no network here.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from mass_pipeline.crawling.fetching.chain import Follower
from mass_pipeline.crawling.fetching.content_type import named_binary
from mass_pipeline.crawling.fetching.downloader import Downloader
from mass_pipeline.crawling.fetching.outcomes import Failure
from mass_pipeline.crawling.fetching.scope import Scope
from mass_pipeline.crawling.fetching.urls import (
    UrlParts,
    base_of,
    canonical_or_none,
    identity,
    is_dated,
    split,
)
from mass_pipeline.crawling.pages.links import PageLinks, read_links
from mass_pipeline.crawling.pages.spider import read_feed_aside, shared_guard
from mass_pipeline.crawling.sites.frontier import Added, Item, Link, ScheduleWords, SiteFrontier
from mass_pipeline.crawling.sites.site_budget import TrapGuard
from mass_pipeline.crawling.sites.store import SiteRow
from mass_pipeline.guard import TooCostly
from mass_pipeline.model.identifiers import url_md5
from mass_pipeline.reading.text.charset import decode

if TYPE_CHECKING:
    from mass_pipeline.crawling.sites.engine import CrawlRun

_MAX_MEMO: Final = 20_000  # hrefs remembered per site
_NOTHING: Final = ""


class SiteLinks:
    """Turns links into frontier items."""

    def __init__(self, row: SiteRow, run: CrawlRun, scope: Scope, frontier: SiteFrontier, guard: TrapGuard) -> None:
        self.config, self.scope = run.session.config, scope
        self._row, self._run, self._store, self._frontier, self._guard = row, run, run.store, frontier, guard
        self._memo: dict[str, int] = {}  # href as written -> least depth it was looked at

    def start(self, url: str) -> bool:
        """Enter the start URL unless it is known; False when it belongs to another site."""
        item = Item(0, url, identity(url, self.config.merge_case_and_slash), 0)
        return self._frontier.status(item.key, 0) is not Added.NEW or self._enter(item, split(url), _NOTHING)

    def follow(self, item: Item, links: PageLinks) -> None:
        """Consider every link of a page."""
        depth = item.depth + 1
        if depth > self.config.max_depth:
            return
        base = base_of(item.url, links.base)
        folder = base[: base.rfind("/") + 1]
        memo = self._memo
        if len(memo) > _MAX_MEMO:
            memo.clear()
        for link in links.links:
            key = _memo_key(link.href, folder)
            if depth >= memo.get(key, depth + 1):
                continue  # looked at before: navigation repeats on every page
            if key and link.followed:
                memo[key] = depth
            url = canonical_or_none(link.href, base) if link.followed else None
            if url is not None:
                self._consider(Item(0, url, _NOTHING, depth, item.url_id), item.url, link.text)

    def redirect(self, item: Item, target: str) -> None:
        """Consider the target of a redirect: as deep as the URL that redirects, asked exactly as it says."""
        if item.hops < self.config.max_redirects:
            further = Item(0, target, _NOTHING, item.depth, item.referrer_id, hops=item.hops + 1)
            self._consider(further, _NOTHING, lambda: item.text)

    def offer(self, urls: Iterable[str], depth: int, most: int) -> None:
        """Consider URLs that a sitemap names, until `most` of them have entered."""
        entered = 0
        for url in urls:
            if entered == most:
                break
            before = len(self._frontier)
            self._consider(Item(0, url, _NOTHING, depth), _NOTHING, lambda: "sitemap")
            entered += len(self._frontier) - before

    def link_of(self, item: Item, referrer: str = _NOTHING) -> Link:
        """What the strategy sees of an item."""
        return Link(item.url, item.text, item.depth, referrer, self._row.parish_id)

    def _consider(self, item: Item, referrer: str, text: Callable[[], str]) -> None:
        """Take a URL into the frontier, if it may enter."""
        item.key = identity(item.url, self.config.merge_case_and_slash)
        status = self._frontier.status(item.key, item.depth)
        if status is Added.KNOWN:
            return
        if status is Added.SHORTER:
            self._expand_again(item)
            return
        parts = split(item.url)
        if not self.scope.covers(parts):
            return
        if not item.hops and (spelled := self.scope.spelling(parts)) != parts:
            self._frontier.remember(item.key, item.depth)
            item.url = spelled.url
            self._consider(item, referrer, text)
        elif self._may_enter(item, parts, status):
            self._enter(item, parts, referrer, text)
        else:
            self._frontier.remember(item.key, item.depth)

    def _may_enter(self, item: Item, parts: UrlParts, status: Added) -> bool:
        """Whether it is no file by its name and no trap, and there is room for it."""
        if named_binary(parts.path) and not (self.config.keep_pdf and parts.path.lower().endswith(".pdf")):
            return False
        return status is not Added.FULL and self._guard.refuses(item.url, parts) is None

    def _enter(self, item: Item, parts: UrlParts, referrer: str, text: Callable[[], str] = str) -> bool:
        """Add a URL that is new to this site; False when it belongs to another one."""
        md5 = bytes.fromhex(url_md5(item.url))
        if self._run.is_shared(parts, self._row.site_id) and self._store.owner_of(md5) not in (None, self._row.site_id):
            self._frontier.remember(item.key, item.depth)
            return False
        item.url_id = self._store.new_url_id()
        item.text = text()
        self._frontier.add(item, self.link_of(item, referrer))
        self._store.add_url(self._row.site_id, item, md5)
        return True

    def _expand_again(self, item: Item) -> None:
        """Visited before over a longer way: its links may now be within reach."""
        found = self._store.body_of(bytes.fromhex(url_md5(item.url)))
        if found is not None:
            item.url_id = found[0]
            self._store.put_depth(item)
            text = decode(found[1])
            self.follow(item, read_links(text.text, encoding=text.encoding))


def _memo_key(href: str, folder: str) -> str:
    """What decides where an href leads: itself, or with the folder of its page; "" when it needs the whole page address."""
    if href[:1] == "/" or href[:4] == "http":
        return href
    return "" if href[:1] in ("?", "") else f"{folder}\n{href}"


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
        self._follower = Follower(downloader.fetch, links.config, attempts=1)
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
        except Failure:
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
            chain = await self._follower.follow(url, any_type=True, scope=self._links.scope)
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

    def _covered(self, addresses: Iterable[str], base: UrlParts) -> list[str]:
        """Those that belong to the site."""
        urls = (canonical_or_none(address, base.url) for address in addresses if address)
        return [url for url in urls if url and self._links.scope.covers(split(url))]


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
