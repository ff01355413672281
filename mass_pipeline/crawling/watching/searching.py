"""Search a site for its lists: the start page, its frames, the pages whose links promise news, a sitemap (C1, J1).

Fetches; which of the pages are lists is judged in finding.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from mass_pipeline.crawling.fetching.scope import Scope
from mass_pipeline.crawling.fetching.urls import BadUrl, canonicalize, split
from mass_pipeline.crawling.watching.fetching import Fetcher, PageFailed
from mass_pipeline.crawling.watching.finding import (
    SitePage,
    article_of,
    list_reader,
    lists_among,
    named_for_news,
    promise_of,
)
from mass_pipeline.crawling.watching.list_pages import ArticleLink, ListReading
from mass_pipeline.crawling.watching.sites import WatchedList
from mass_pipeline.crawling.watching.watch_context import WatchContext
from mass_pipeline.guard import TooCostly
from mass_pipeline.guard.sandbox import parsed_aside

_PAGES_FOR_THE_MENU: Final = 3
_OTHERS_TRIED: Final = 5
_FRAMES_AT_MOST: Final = 4
_SITEMAPS_READ: Final = 5  # lines of robots.txt


async def find_on_site(url: str, tools: WatchContext, scope: Scope, fetcher: Fetcher) -> tuple[list[WatchedList], frozenset[str]]:
    """The lists of a site, best first, and the addresses of its menu.

    Args:
        url: start page; the host it redirects to is admitted to the scope.

    Raises:
        PageFailed: the start page gave nothing, or the host gives nothing any more.
    """
    start = await fetcher.get(url, is_start=True)
    assert start is not None  # asked without validators
    pages = [SitePage(start.url, start.body, "", start.content_type)]
    if not start.nofollow:
        frames = (await _reading(pages[0], scope)).frames[:_FRAMES_AT_MOST]
        pages += await _fetch_all([ArticleLink(frame) for frame in frames], tools, fetcher)
        promising, others = await _promising(url, pages, tools, scope)
        pages += await _fetch_all(promising, tools, fetcher)
        for other in others[:_OTHERS_TRIED]:  # to tell the menu from the rest
            if len(pages) < _PAGES_FOR_THE_MENU:
                pages += await _fetch_all([other], tools, fetcher)
    unique = {page.url: page for page in reversed(pages)}
    ordered = list(reversed(unique.values()))
    readings = {page.url: await _reading(page, scope) for page in ordered}
    articles = {}
    for page in named_for_news(ordered, tools.topic):
        with suppress(TooCostly):
            articles[page.url] = await parsed_aside(article_of(page, tools.read_article), page.body)
    found = lists_among(ordered, readings, articles, topic=tools.topic, most=tools.watch.lists_per_site)
    lists = list(found.lists)
    if not any(entry.kind == "feed" for entry in lists):
        lists += await _sitemap(url, tools, scope)
    return lists, found.menu


async def _reading(page: SitePage, scope: Scope) -> ListReading:
    """What a page lists; nothing where its reading was ended."""
    try:
        return await parsed_aside(list_reader(page, scope), page.body)
    except TooCostly:
        return ListReading()


async def _promising(
    url: str, pages: Sequence[SitePage], tools: WatchContext, scope: Scope
) -> tuple[list[ArticleLink], list[ArticleLink]]:
    """Links to fetch: those whose words promise a list, best first, and all others, short addresses first."""
    anchors: dict[str, str] = {}
    for page in pages:
        reading = await _reading(page, scope)
        anchors |= {address: "" for address in sorted(reading.links) if address not in anchors}
        anchors |= {link.url: link.anchor for link in reading.articles}
    for seen in (url, *(page.url for page in pages)):
        anchors.pop(seen, None)
    scored = [(promise_of((address, anchor), tools.topic), ArticleLink(address, anchor)) for address, anchor in anchors.items()]
    scored.sort(key=lambda item: (-item[0], len(item[1].url), item[1].url))
    wanted = [link for promise, link in scored if promise > 0][: tools.watch.lists_per_site + 1]
    return wanted, [link for promise, link in scored if promise == 0]


async def _fetch_all(links: Sequence[ArticleLink], tools: WatchContext, fetcher: Fetcher) -> list[SitePage]:
    """Those of the pages that can be had."""
    pages = []
    for link in links:
        try:
            page = await fetcher.get(link.url)
        except PageFailed as failure:
            if failure.site_is_down:
                raise
            if not failure.is_quiet:
                tools.failed(link.url, failure)
            continue
        if page is not None:
            pages.append(SitePage(page.url, page.body, link.anchor, page.content_type))
    return pages


async def _sitemap(url: str, tools: WatchContext, scope: Scope) -> list[WatchedList]:
    """The first sitemap that robots.txt names, when it lies on the site."""
    rules = await tools.downloader.rules_of(split(url))
    named = list(rules.parsed.sitemaps) if rules.parsed is not None else []
    for address in named[:_SITEMAPS_READ]:
        try:
            parts = split(canonicalize(str(address)))
        except BadUrl:
            continue
        if scope.covers(parts):
            return [WatchedList(scope.spelling(parts).url, "sitemap", found=True)]
    return []
