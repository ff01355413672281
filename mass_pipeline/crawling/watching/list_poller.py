"""Look at one list: what is new on it, on its further pages, in a feed or a sitemap (the search role of J1).

Every page read is written down together with its new articles and with the place where the look goes on: killed at any
moment, it goes on there and misses nothing. Not here: fetching articles (site_visit), when lists are due (store, polling).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from typing import Final
from zoneinfo import ZoneInfo

from mass_pipeline.crawling.fetching.outcomes import Failure, Outcome
from mass_pipeline.crawling.fetching.urls import split
from mass_pipeline.crawling.pages.feeds import Feed, FeedEntry
from mass_pipeline.crawling.pages.spider import read_feed_aside
from mass_pipeline.crawling.watching.fetching import Page, SitePages
from mass_pipeline.crawling.watching.list_pages import ArticleLink, read_list
from mass_pipeline.crawling.watching.polling import PageHistory, next_poll, record_poll
from mass_pipeline.crawling.watching.run import WatchRun
from mass_pipeline.crawling.watching.sites import WatchedSite
from mass_pipeline.crawling.watching.store import OVERFLOW, ListState

_SITEMAPS_AT_MOST: Final = 3  # of one index, those changed last
_LAST_LINKS: Final = 2  # of a page: when they are known, everything newer was seen
_LEAST_ITEMS: Final = 3
_CLOCK_SLACK: Final = timedelta(days=1)  # days in sitemaps have no zone


class ListPoller:
    """Looks at the lists of one site.

    Args:
        menu: addresses that stand on every page of it.
        keep_page: writes down what a list page announces itself; says whether anything is new.
    """

    def __init__(
        self, run: WatchRun, site: WatchedSite, menu: frozenset[str], pages: SitePages,
        keep_page: Callable[[ListState, Page], Awaitable[bool]],
    ) -> None:  # fmt: skip
        self._run, self._site, self._menu = run, site, menu
        self._pages, self._scope = pages, pages.scope
        self._keep_page = keep_page

    async def look(self, state: ListState) -> None:
        """Look at one list.

        Raises:
            Failure: it, or a further page of it, gave nothing; the look goes on there next time.
        """
        self._run.counters["looks"] += 1
        if state.list.kind == "page":
            await self._look_at_pages(state)
        else:
            await self._look_at_feed(state)

    def give_up(self, state: ListState) -> None:
        """End an unfinished look whose next page is no more."""
        self._finish(state, (), ())

    # Pages

    async def _look_at_pages(self, state: ListState) -> None:
        while True:
            url, resumed = state.pending or state.list.url, state.pending is not None
            etag, modified = (None, None) if resumed else (state.etag, state.last_modified)
            page = await self._pages.get(url, etag=etag, last_modified=modified)
            if page is None or (not resumed and page.sha256 == state.sha256):
                self._finish(state, (), ())
                return
            await self._read_page(state, page, is_first=not resumed)
            if state.pending is None:
                return

    async def _read_page(self, state: ListState, page: Page, *, is_first: bool) -> None:
        read = partial(
            read_list, url=page.url, scope=self._scope, content_type=page.content_type, xpath=state.list.xpath, menu=self._menu
        )  # fmt: skip
        reading = await page.read(read)
        if state.list.xpath and not reading.articles and self._run.store.has_articles(state.list_id):
            raise Failure(
                Outcome.ERROR, "its XPath finds no link any more: compare the page with the file of sites", is_final=True
            )
        links = () if page.nofollow else reading.articles
        links = tuple(link for link in links if link.url not in (state.list.url, self._site.url))
        new, known = self._split(state, links)
        if is_first:
            # First what the page says itself, then that it was seen: a kill in between costs a second reading, nothing else.
            if not page.noindex and await self._holds_items(page, links) and await self._keep_page(state, page):
                state.published += (self._today(),)
            state.etag, state.last_modified, state.sha256 = page.etag, page.last_modified, page.sha256
        state.pages_read += 1
        goes_on = bool(links) and not any(link.url in known for link in links[-_LAST_LINKS:])
        following = self._following(state, reading.next_page)
        if goes_on and following and following != page.url and state.pages_read <= self._most_pages(state):
            state.pending = following
            self._record(state, new, finished=False)
        else:
            self._finish(state, new, ())

    def _following(self, state: ListState, next_page: str | None) -> str | None:
        if state.list.pages:
            return state.list.pages.replace("{page}", str(state.pages_read + 1))
        return next_page

    def _most_pages(self, state: ListState) -> int:
        watch = self._run.watch
        return watch.first_pager_pages if state.look == 0 else watch.pager_pages

    def _split(self, state: ListState, links: Sequence[ArticleLink]) -> tuple[list[ArticleLink], set[str]]:
        """New links, and addresses that were known before this look."""
        found = self._run.store.known(self._site.site_id, (link.url for link in links))
        of_this_look = (state.list_id, state.look)
        known = {url for url, place in found.items() if place != of_this_look and place[1] != OVERFLOW}
        return [link for link in links if link.url not in found], known

    async def _holds_items(self, page: Page, links: Sequence[ArticleLink]) -> bool:
        """Whether the page itself holds the announcements: more of them than links to articles."""
        if not self._run.topic.divided:
            return False
        try:
            article = await page.read(partial(self._run.read_article, url=page.url, content_type=page.content_type))
        except Failure:
            return False
        anchors = {link.anchor for link in links}
        items = [item for item in article.items if item not in anchors]
        return len(items) >= _LEAST_ITEMS and len(links) * 2 < len(items)

    # Feeds and sitemaps

    async def _look_at_feed(self, state: ListState) -> None:
        page = await self._pages.get(state.list.url, etag=state.etag, last_modified=state.last_modified, is_feed=True)
        if page is None or page.sha256 == state.sha256:
            self._finish(state, (), ())
            return
        feed = await read_feed_aside(page.body, page.url)
        if feed.kind == "none":
            raise Failure(Outcome.PROTOCOL_ERROR, "neither a feed nor a sitemap", is_final=True)
        entries = await self._entries_of_index(feed) if feed.kind == "sitemap_index" else feed.entries
        links = [self._link_of(entry) for entry in entries if self._scope.covers(split(entry.url))]
        links = [link for link in links if link.url != self._site.url]
        dated = self._dated_lately(state, links)
        changed = self._run.store.changed_since(self._site.site_id, ((link.url, link.published) for link in dated))
        if feed.kind not in ("rss", "atom"):  # a sitemap holds the whole site: only what is dated since the last look is news
            links = [link for link in dated if link.url not in self._menu]
        if feed.kind == "sitemap_index":  # may stay as it is while its parts change
            state.etag = state.last_modified = state.sha256 = None
        else:
            state.etag, state.last_modified, state.sha256 = page.etag, page.last_modified, page.sha256
        new, known = self._split(state, links)
        overflow = bool(new) and not known and state.look > 0 and feed.kind in ("rss", "atom")
        if overflow:  # all entries are new: there may be more that the feed has dropped already
            self._run.store.look_soon(self._site.site_id, self._run.session.wall)
        self._finish(state, new, changed, look=OVERFLOW if overflow else None)

    async def _entries_of_index(self, index: Feed) -> tuple[FeedEntry, ...]:
        newest = sorted(index.entries, key=lambda entry: (entry.published or date.min, entry.url), reverse=True)
        found: list[FeedEntry] = []
        for entry in newest[:_SITEMAPS_AT_MOST]:
            if self._scope.covers(split(entry.url)):
                page = await self._pages.get(entry.url, is_feed=True)
                found += (await read_feed_aside(page.body, page.url)).entries if page else ()
        return tuple(found)

    def _link_of(self, entry: FeedEntry) -> ArticleLink:
        return ArticleLink(self._scope.spelling(split(entry.url)).url, entry.title, entry.published)

    def _dated_lately(self, state: ListState, links: Sequence[ArticleLink]) -> list[ArticleLink]:
        """Entries dated since the last look; none at the first one."""
        polled = state.history.polled_at
        since = (polled - _CLOCK_SLACK).date() if polled else date.max
        return [link for link in links if link.published and link.published >= since]

    # The end of a look

    def _finish(self, state: ListState, new: Sequence[ArticleLink], changed: Sequence[int], *, look: int | None = None) -> None:
        """The look has ended; what it sets off is written first, so that a kill in between costs a request and loses nothing."""
        self._run.store.ask_again([*changed, *self._young(state)], self._run.session.wall)
        state.pending = None
        self._record(state, new, finished=True, look=look)

    def _record(self, state: ListState, new: Sequence[ArticleLink], *, finished: bool, look: int | None = None) -> None:
        run, now = self._run, self._run.session.clock.now()
        state.published += tuple(link.published or self._today() for link in new)
        fetch, leave = list(new), []
        if state.look == 0 and state.list.kind != "sitemap":
            room = max(0, run.watch.first_articles - (len(state.published) - len(new)))
            fetch, leave = fetch[:room], fetch[room:]
        history: PageHistory | None = None
        next_at = 0.0
        number = state.look if look is None else look
        if finished:
            history = record_poll(replace(state.history, weight=state.list.weight), now, state.published, run.polling)
            moment = next_poll(history, run.polling)
            next_at = now.timestamp() if moment is None else moment.timestamp()
        source = "list" if state.list.kind == "page" else state.list.kind
        after = replace(state, look=state.look + 1, pending=None, pages_read=0, published=()) if finished else state
        run.store.record_page_of_list(
            self._site.site_id, after, fetch, leave, source=source, look=number, history=history, next_at=next_at
        )

    def _today(self) -> date:
        return self._run.session.clock.now().astimezone(ZoneInfo(self._run.polling.time_zone)).date()

    def _young(self, state: ListState) -> list[int]:
        """The youngest articles of a list: parishes correct what they have just published."""
        watch = self._run.watch
        since = (self._run.session.clock.now() - timedelta(days=watch.recheck_days)).date()
        return self._run.store.youngest(self._site.site_id, state.list_id, since, watch.recheck_articles)
