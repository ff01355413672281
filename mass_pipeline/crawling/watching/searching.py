"""Search a site for its lists: the start page, its frames, the pages whose links promise news, a sitemap (C1, J1).

Fetches; which of the pages are lists is judged in finding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from mass_pipeline.crawling.fetching.outcomes import Failure
from mass_pipeline.crawling.fetching.urls import BadUrl, canonicalize, split
from mass_pipeline.crawling.watching.fetching import SitePages
from mass_pipeline.crawling.watching.finding import (
    SitePage,
    article_of,
    list_reader,
    lists_among,
    named_for_news,
    promise_of,
)
from mass_pipeline.crawling.watching.list_pages import ArticleLink, ListReading
from mass_pipeline.crawling.watching.run import WatchRun
from mass_pipeline.crawling.watching.sites import WatchedList
from mass_pipeline.guard import TooCostly
from mass_pipeline.guard.sandbox import parsed_aside

_PAGES_FOR_THE_MENU: Final = 3
_OTHERS_TRIED: Final = 5
_FRAMES_AT_MOST: Final = 4
_SITEMAPS_READ: Final = 5  # lines of robots.txt


async def find_on_site(url: str, run: WatchRun, site: SitePages) -> tuple[list[WatchedList], frozenset[str]]:
    """The lists of a site, best first, and the addresses of its menu.

    Args:
        url: start page; the host it redirects to is admitted to the scope.

    Raises:
        Failure: the start page gave nothing, or the host gives nothing any more.
    """
    start = await site.get(url, is_start=True)
    assert start is not None  # asked without validators
    pages = [SitePage(start.url, start.body, "", start.content_type)]
    readings = {start.url: await _reading(pages[0], site)}

    if not start.nofollow:
        frames = [ArticleLink(frame) for frame in readings[start.url].frames[:_FRAMES_AT_MOST]]
        await _fetch(frames, pages, readings, run, site)
        promising, others = _promising(url, readings, run)
        await _fetch(promising, pages, readings, run, site)
        for other in others[:_OTHERS_TRIED]:  # to tell the menu from the rest
            if len(pages) < _PAGES_FOR_THE_MENU:
                await _fetch([other], pages, readings, run, site)
    articles = {}
    for page in named_for_news(pages, run.topic):
        with suppress(TooCostly):
            articles[page.url] = await parsed_aside(article_of(page, run.read_article), page.body)
    found = lists_among(pages, readings, articles, topic=run.topic, most=run.watch.lists_per_site)
    lists = list(found.lists)
    if not any(entry.kind == "feed" for entry in lists):
        lists += await _sitemap(url, run, site)
    return lists, found.menu


async def _fetch(
    links: Sequence[ArticleLink], pages: list[SitePage], readings: dict[str, ListReading], run: WatchRun, site: SitePages
) -> None:  # fmt: skip
    """Add those of the pages that can be had, and what they list."""
    for link in links:
        try:
            page = await site.get(link.url)
        except Failure as failure:
            if failure.host_is_dead:
                raise
            run.failed(link.url, failure)
            continue
        if page is not None and page.url not in readings:
            pages.append(SitePage(page.url, page.body, link.anchor, page.content_type))
            readings[page.url] = await _reading(pages[-1], site)


async def _reading(page: SitePage, site: SitePages) -> ListReading:
    """What a page lists; nothing where its reading was ended."""
    try:
        return await parsed_aside(list_reader(page, site.scope), page.body)
    except TooCostly:
        return ListReading()


def _promising(
    url: str, readings: Mapping[str, ListReading], run: WatchRun
) -> tuple[list[ArticleLink], list[ArticleLink]]:  # fmt: skip
    """Links to fetch: those whose words promise a list, best first, and all others, short addresses first."""
    anchors: dict[str, str] = {}
    for reading in readings.values():
        anchors |= {address: "" for address in sorted(reading.links) if address not in anchors}
        anchors |= {link.url: link.anchor for link in reading.articles}
    for seen in (url, *readings):
        anchors.pop(seen, None)
    scored = [(promise_of((address, anchor), run.topic), ArticleLink(address, anchor)) for address, anchor in anchors.items()]
    scored.sort(key=lambda item: (-item[0], len(item[1].url), item[1].url))
    wanted = [link for promise, link in scored if promise > 0][: run.watch.lists_per_site + 1]
    return wanted, [link for promise, link in scored if promise == 0]


async def _sitemap(url: str, run: WatchRun, site: SitePages) -> list[WatchedList]:
    """The first sitemap that robots.txt names, when it lies on the site."""
    rules = await run.session.downloader.rules_of(split(url))
    for address in rules.sitemaps()[:_SITEMAPS_READ]:
        try:
            parts = split(canonicalize(str(address)))
        except BadUrl:
            continue
        if site.scope.covers(parts):
            return [WatchedList(site.scope.spelling(parts).url, "sitemap", found=True)]
    return []
