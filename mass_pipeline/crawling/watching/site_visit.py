"""One site's turn: find its lists, look at those that are due, fetch and read the articles that wait (C1, J1, J4).

Searching and downloading alternate in one stream of requests; whatever a page does ends at the page. Every page of a list is
written down together with its new articles and with the place where the look goes on: killed at any moment, it goes on there and
misses nothing. Not here: which pages are lists (finding), when they are due (store, polling).
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar
from zoneinfo import ZoneInfo

from mass_pipeline.crawling.fetching.chain import Chain, Follower
from mass_pipeline.crawling.fetching.outcomes import RETRIED_STATUSES, Failure, LeasedElsewhere, Outcome
from mass_pipeline.crawling.fetching.scope import Scope
from mass_pipeline.crawling.fetching.urls import canonical_or_none, split
from mass_pipeline.crawling.pages.feeds import Entry, Feed
from mass_pipeline.crawling.pages.spider import parse_aside, read_feed_aside
from mass_pipeline.crawling.watching.articles import relevant_announcements
from mass_pipeline.crawling.watching.finding import (
    ListReading,
    SitePage,
    article_of,
    list_reader,
    lists_among,
    named_for_news,
    promise_of,
    read_list,
)
from mass_pipeline.crawling.watching.polling import PageHistory, next_poll, record_poll
from mass_pipeline.crawling.watching.sites import WatchedList, WatchedSite
from mass_pipeline.crawling.watching.store import OVERFLOW, ArticleRow, ListState
from mass_pipeline.guard import TooCostly
from mass_pipeline.guard.sandbox import parsed_aside

if TYPE_CHECKING:
    from mass_pipeline.crawling.watching.engine import WatchRun

T = TypeVar("T")

_DAY: Final = 86_400.0
_PAGES_FOR_THE_MENU: Final = 3
_OTHERS_TRIED: Final = 5
_FRAMES_AT_MOST: Final = 4
_SITEMAPS_READ: Final = 5  # lines of robots.txt
_SITEMAPS_AT_MOST: Final = 3  # of one index, those changed last
_LAST_LINKS: Final = 2  # of a page: when they are known, everything newer was seen
_LEAST_ITEMS: Final = 3
_CLOCK_SLACK: Final = timedelta(days=1)  # days in sitemaps have no zone


class SiteVisit:
    """The turn of one site."""

    def __init__(self, site: WatchedSite, run: WatchRun) -> None:
        self._site, self._run, self._store, self._id = site, run, run.store, site.site_id
        self._state = run.store.site(site.site_id)
        self._pages = SitePages(site, self._state.hosts, run)
        self._rediscover = None if site.lists else run.watch.rediscover_days * _DAY
        self._failed = self._good = 0
        self._reason = ""

    @property
    def addresses(self) -> list[str]:
        """Of the hosts that the site has."""
        return [self._site.url, *self._pages.scope.moved_to]

    async def run(self) -> bool:
        """Do everything that is due; never raises for what a site does.

        Returns:
            False when another run is asking its host: what is left is still due.

        Raises:
            StorageError: the state cannot be written.
        """
        run = self._run
        try:
            if not await self._work():
                self._search_later()
                self._good = 0
        except LeasedElsewhere:
            return False
        failed = self._reason if self._failed and not self._good else None
        retry_at = run.retry_at(self._state.failures)
        self._store.site_done(self._id, run.session.wall, failed=failed, retry_at=retry_at, rediscover_seconds=self._rediscover)
        if failed is not None and self._state.failures + 1 == run.watch.grave_after:
            run.grave("site", self._id, self._site.url, failed)
        return True

    async def _work(self) -> bool:
        """Search, look, read; False as soon as the host gives nothing for now."""
        run, store = self._run, self._store
        if self._lists_are_outdated() and (error := await self._guarded(self._site.url, self._find())):
            self._search_later()
            if _is_down(error):
                return False
        for state in store.due_lists(self._id, run.session.wall):
            if error := await self._guarded(state.pending or state.list.url, self._look(state)):
                store.list_failed(state.list_id, self._reason, run.retry_at(state.failures))
                if _is_down(error):
                    return False
        for article in store.waiting(self._id, run.session.wall, run.watch.articles_per_turn):
            if error := await self._guarded(article.url, self._read(article)):
                if _is_down(error):  # costs no article a try
                    return False
                outcome = error.outcome if isinstance(error, Failure) else Outcome.ERROR
                store.article_failed(article, outcome.value, self._reason, self._again(article, error))
        return True

    async def _guarded(self, url: str, work: Awaitable[None]) -> Exception | None:
        """Await the work on one page; what went wrong, None when it went well (J4)."""
        error = await self._run.session.survive(url, work)
        if error is None:
            self._good += 1
            return None
        self._failed += 1
        if isinstance(error, Failure):
            self._run.failed(url, error)
            self._reason = error.reason
        else:
            self._run.grave("unexpected", self._id, url, f"{type(error).__name__}: {error}"[:300])
            self._reason = type(error).__name__
        return error

    # The search for lists: the start page, its frames, the pages whose links promise news, a sitemap

    def _lists_are_outdated(self) -> bool:
        found_at, rest = self._state.found_at, self._rediscover
        return rest is not None and (found_at is None or found_at + rest <= self._run.session.wall)

    def _search_later(self) -> None:
        if self._lists_are_outdated():
            self._store.search_again_at(self._id, self._run.retry_at(self._state.failures), self._rediscover or 0.0)

    async def _find(self) -> None:
        """Look for the lists of the site; the host that its start page redirects to is admitted."""
        run, url = self._run, self._site.url
        start = await self._pages.get(url, is_start=True)
        assert start is not None  # asked without validators
        pages = [start]
        readings = {start.url: await self._list_on(start)}
        if not start.nofollow:
            await self._fetch([Entry(frame) for frame in readings[start.url].frames[:_FRAMES_AT_MOST]], pages, readings)
            promising, others = self._promising(readings)
            await self._fetch(promising, pages, readings)
            for other in others[:_OTHERS_TRIED]:  # to tell the menu from the rest
                if len(pages) < _PAGES_FOR_THE_MENU:
                    await self._fetch([other], pages, readings)
        articles = {}
        for page in named_for_news(pages, run.topic):
            with suppress(Failure):
                articles[page.url] = await _read_aside(page, article_of(page, run.read_article))
        found = lists_among(pages, readings, articles, topic=run.topic, most=run.watch.lists_per_site)
        has_feed = any(entry.kind == "feed" for entry in found.lists)
        lists = [*found.lists, *([] if has_feed else await self._sitemap())]
        self._store.put_found(self._id, lists, found.menu, self._pages.scope.moved_to, run.session.wall)
        self._state = self._store.site(self._id)

    async def _fetch(self, links: Sequence[Entry], pages: list[SitePage], readings: dict[str, ListReading]) -> None:
        """Add those of the pages that can be had, and what they list."""
        for link in links:
            try:
                page = await self._pages.get(link.url)
            except Failure as failure:
                if failure.host_is_dead:
                    raise
                self._run.failed(link.url, failure)
                continue
            if page is not None and page.url not in readings:
                pages.append(replace(page, link_text=link.anchor))
                readings[page.url] = await self._list_on(pages[-1])

    async def _list_on(self, page: SitePage) -> ListReading:
        """What a page lists; nothing where its reading was ended."""
        try:
            return await _read_aside(page, list_reader(page, self._pages.scope))
        except Failure:
            return ListReading()

    def _promising(self, readings: Mapping[str, ListReading]) -> tuple[list[Entry], list[Entry]]:
        """Links to fetch: those whose words promise a list, best first, and all others, short addresses first."""
        anchors: dict[str, str] = {}
        for reading in readings.values():
            anchors |= {address: "" for address in sorted(reading.links) if address not in anchors}
            anchors |= {link.url: link.anchor for link in reading.articles}
        for seen in (self._site.url, *readings):
            anchors.pop(seen, None)
        links = [Entry(address, anchor) for address, anchor in anchors.items()]
        scored = [(promise_of((link.url, link.anchor), self._run.topic), link) for link in links]
        scored.sort(key=lambda item: (-item[0], len(item[1].url), item[1].url))
        wanted = [link for promise, link in scored if promise > 0][: self._run.watch.lists_per_site + 1]
        return wanted, [link for promise, link in scored if promise == 0]

    async def _sitemap(self) -> list[WatchedList]:
        """The first sitemap that robots.txt names, when it lies on the site."""
        rules, scope = await self._run.session.downloader.rules_of(split(self._site.url)), self._pages.scope
        addresses = filter(None, map(canonical_or_none, rules.sitemaps()[:_SITEMAPS_READ]))
        covered = (parts for parts in map(split, addresses) if scope.covers(parts))
        return [WatchedList(scope.spelling(parts).url, "sitemap", found=True) for parts in covered][:1]

    # Looks at lists

    async def _look(self, state: ListState) -> None:
        self._run.counters["looks"] += 1
        try:
            await (self._look_at_pages(state) if state.list.kind == "page" else self._look_at_feed(state))
        except Failure as failure:
            if state.pending is not None and failure.is_final:
                # a page of the archive that is no more ends the look, not the list
                self._run.failed(state.pending, failure)
                self._finish(state, (), ())
                return
            if failure.outcome is Outcome.HTTP_4XX and state.list.found:
                self._store.list_gone(state.list_id)
            raise

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

    async def _read_page(self, state: ListState, page: SitePage, *, is_first: bool) -> None:
        watched, scope = state.list, self._pages.scope
        read = partial(
            read_list, url=page.url, scope=scope, content_type=page.content_type, xpath=watched.xpath, menu=self._state.menu
        )
        reading = await _read_aside(page, read)
        if watched.xpath and not reading.articles and self._store.has_articles(state.list_id):
            reason = "its XPath finds no link any more: compare the page with the file of sites"
            raise Failure(Outcome.ERROR, reason, is_final=True)
        links = () if page.nofollow else reading.articles
        links = tuple(link for link in links if link.url not in (watched.url, self._site.url))
        new, known = self._split(state, links)
        if is_first:
            # First what the page says itself, then that it was seen: a kill in between costs a second reading, nothing else.
            if not page.noindex and await self._holds_items(page, links) and await self._keep_list_page(state, page):
                state.published += (self._today(),)
            state.etag, state.last_modified, state.sha256 = page.etag, page.last_modified, page.sha256
        state.pages_read += 1
        goes_on = bool(links) and not any(link.url in known for link in links[-_LAST_LINKS:])
        following = watched.pages.replace("{page}", str(state.pages_read + 1)) if watched.pages else reading.next_page
        most = self._run.watch.first_pager_pages if state.look == 0 else self._run.watch.pager_pages
        if goes_on and following and following != page.url and state.pages_read <= most:
            state.pending = following
            self._record(state, new, finished=False)
        else:
            self._finish(state, new, ())

    def _split(self, state: ListState, links: Sequence[Entry]) -> tuple[list[Entry], set[str]]:
        """New links, and addresses that were known before this look."""
        found = self._store.known(self._id, (link.url for link in links))
        of_this_look = (state.list_id, state.look)
        known = {url for url, place in found.items() if place != of_this_look and place[1] != OVERFLOW}
        return [link for link in links if link.url not in found], known

    async def _holds_items(self, page: SitePage, links: Sequence[Entry]) -> bool:
        """Whether the page itself holds the announcements: more of them than links to articles."""
        if not self._run.topic.divided:
            return False
        try:
            article = await _read_aside(page, partial(self._run.read_article, url=page.url, content_type=page.content_type))
        except Failure:
            return False
        anchors = {link.anchor for link in links}
        items = [item for item in article.items if item not in anchors]
        return len(items) >= _LEAST_ITEMS and len(links) * 2 < len(items)

    async def _keep_list_page(self, state: ListState, page: SitePage) -> bool:
        """A list page that holds announcements itself is an article too; True when it says something new."""
        article = self._store.page_itself(self._id, state)
        return page.sha256 != article.sha256 and await self._keep(article, page) > 0

    async def _look_at_feed(self, state: ListState) -> None:
        page = await self._pages.get(state.list.url, etag=state.etag, last_modified=state.last_modified, is_feed=True)
        if page is None or page.sha256 == state.sha256:
            self._finish(state, (), ())
            return
        feed, scope = await read_feed_aside(page.body, page.url), self._pages.scope
        if feed.kind == "none":
            raise Failure(Outcome.PROTOCOL_ERROR, "neither a feed nor a sitemap", is_final=True)
        entries = await self._entries_of_index(feed) if feed.kind == "sitemap_index" else feed.entries
        covered = [(split(entry.url), entry) for entry in entries if scope.covers(split(entry.url))]
        links = [replace(entry, url=scope.spelling(parts).url) for parts, entry in covered]
        links = [link for link in links if link.url != self._site.url]
        dated = self._dated_lately(state, links)
        changed = self._store.changed_since(self._id, ((link.url, link.published) for link in dated))
        if feed.kind not in ("rss", "atom"):  # a sitemap holds the whole site: only what is dated since the last look is news
            links = [link for link in dated if link.url not in self._state.menu]
        if feed.kind == "sitemap_index":  # may stay as it is while its parts change
            state.etag = state.last_modified = state.sha256 = None
        else:
            state.etag, state.last_modified, state.sha256 = page.etag, page.last_modified, page.sha256
        new, known = self._split(state, links)
        overflow = bool(new) and not known and state.look > 0 and feed.kind in ("rss", "atom")
        if overflow:  # all entries are new: there may be more that the feed has dropped already
            self._store.look_soon(self._id, self._run.session.wall)
        self._finish(state, new, changed, look=OVERFLOW if overflow else None)

    async def _entries_of_index(self, index: Feed) -> tuple[Entry, ...]:
        newest = sorted(index.entries, key=lambda entry: (entry.published or date.min, entry.url), reverse=True)
        found: list[Entry] = []
        for entry in newest[:_SITEMAPS_AT_MOST]:
            if self._pages.scope.covers(split(entry.url)):
                page = await self._pages.get(entry.url, is_feed=True)
                found += (await read_feed_aside(page.body, page.url)).entries if page else ()
        return tuple(found)

    def _dated_lately(self, state: ListState, links: Sequence[Entry]) -> list[Entry]:
        """Entries dated since the last look; none at the first one."""
        polled = state.history.polled_at
        since = (polled - _CLOCK_SLACK).date() if polled else date.max
        return [link for link in links if link.published and link.published >= since]

    def _finish(self, state: ListState, new: Sequence[Entry], changed: Sequence[int], *, look: int | None = None) -> None:
        """The look has ended; what it sets off is written first, so that a kill in between costs a request and loses nothing."""
        watch, session = self._run.watch, self._run.session
        # Parishes correct what they have just published.
        since = (session.clock.now() - timedelta(days=watch.recheck_days)).date()
        young = self._store.youngest(self._id, state.list_id, since, watch.recheck_articles)
        self._store.ask_again([*changed, *young], session.wall)
        state.pending = None
        self._record(state, new, finished=True, look=look)

    def _record(self, state: ListState, new: Sequence[Entry], *, finished: bool, look: int | None = None) -> None:
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
        self._store.record_page_of_list(
            self._id, after, fetch, leave, source=source, look=number, history=history, next_at=next_at
        )

    def _today(self) -> date:
        return self._run.session.clock.now().astimezone(ZoneInfo(self._run.polling.time_zone)).date()

    # Articles

    async def _read(self, article: ArticleRow) -> None:
        page = await self._pages.get(article.url, etag=article.etag, last_modified=article.last_modified)
        self._run.counters["articles"] += 1
        if page is None or page.sha256 == article.sha256:
            self._store.unchanged(article, Outcome.OK.value)
        elif page.noindex:
            self._store.unchanged(article, Outcome.NOINDEX.value)
        elif self._store.has_twin(article, page.sha256):
            self._store.unchanged(article, Outcome.DUPLICATE.value)
        else:
            await self._keep(article, page)

    def _again(self, article: ArticleRow, error: Exception) -> float | None:
        """When to try a failed article again; None to give up. A page that is not there yet gets two more chances."""
        is_final = isinstance(error, Failure) and error.is_final
        closed = isinstance(error, Failure) and error.is_final and error.outcome is not Outcome.HTTP_4XX
        most = 3 if is_final else self._run.watch.article_attempts
        return None if closed or article.attempts + 1 >= most else self._run.retry_at(article.attempts)

    async def _keep(self, article: ArticleRow, page: SitePage) -> int:
        """Read an article and write its announcements down; how many are new."""
        run = self._run
        reader = partial(run.read_article, url=article.url, anchor=article.anchor, wrapper=self._site.wrapper)
        read = await _read_aside(page, partial(reader, content_type=page.content_type))
        issued = read.issued or article.issued
        found = relevant_announcements(read, run.topic, site_id=article.site_id, url=article.url, issued=issued)
        new = self._store.record(
            article, page, read, found, issued=issued, at=run.session.wall, model=run.topic.chosen,
            max_bits=run.watch.near_duplicate_bits,
        )  # fmt: skip
        run.counters["announcements"] += new
        return new


def _is_down(error: Exception) -> bool:
    """Whether the host gives nothing for now."""
    return isinstance(error, Failure) and error.host_is_dead


async def _read_aside(page: SitePage, reader: Callable[[bytes], T]) -> T:
    """What a reader of its body says, behind the door where its reading can be ended.

    Raises:
        Failure: it was.
    """
    try:
        return await parsed_aside(reader, page.body)
    except TooCostly as error:
        raise Failure(Outcome.ERROR, f"too_costly: {error}", is_final=True) from error


# Asking again soon would be pointless or rude.
_FINAL: Final = frozenset(
    {Outcome.FORBIDDEN_BY_ROBOTS, Outcome.BLOCKED_ADDRESS, Outcome.OUT_OF_SCOPE, Outcome.TOO_LARGE, Outcome.NOT_TEXT}
)


class SitePages:
    """Fetches pages of one site.

    Attributes:
        scope: of the site; redirects out of it are refused, but for the start page, whose host is admitted.
    """

    def __init__(self, site: WatchedSite, hosts: list[str], run: WatchRun) -> None:
        self._run = run
        # One attempt: another try is planned, hours later.
        self._follower = Follower(run.session.downloader.fetch, run.session.config, attempts=1)
        self.scope = Scope(split(site.url), site.scope_prefix, hosts)
        for entry in site.lists:  # what an operator configured belongs to the site
            self.scope.admit(split(entry.url))

    async def get(
        self,
        url: str,
        *,
        etag: str | None = None,
        last_modified: str | None = None,
        is_start: bool = False,
        is_feed: bool = False,
    ) -> SitePage | None:  # fmt: skip
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
        chain = await self._follower.follow(url, headers, any_type=is_feed, scope=self.scope, is_start=is_start)
        for passed in (url, *chain.passed)[:-1]:
            self._run.answered(passed, Outcome.REDIRECT)
        self._run.answered(chain.url, chain.outcome)
        if chain.outcome is Outcome.NOT_MODIFIED:
            return None
        answer = chain.answer
        cut_by_us = chain.outcome is Outcome.TRUNCATED and answer is not None and answer.complete
        if answer is None or not (chain.outcome is Outcome.OK or cut_by_us):
            raise _failure_of(chain)
        parsed = None if is_feed else await parse_aside(answer, with_links=False)
        headers_of = answer.headers.get
        return SitePage(
            chain.url, answer.body, content_type=headers_of("Content-Type"), sha256=hashlib.sha256(answer.body).digest(),
            etag=headers_of("ETag"), last_modified=headers_of("Last-Modified"),
            noindex=parsed is not None and parsed.noindex, nofollow=parsed is not None and parsed.nofollow,
        )  # fmt: skip


def _failure_of(chain: Chain) -> Failure:
    """A page that did not come whole says nothing about what is gone: part of a list is no list."""
    is_down = chain.host_is_dead or chain.outcome is Outcome.DNS_ERROR
    status = 0 if chain.answer is None else chain.answer.status
    is_final = chain.outcome in _FINAL or (400 <= status <= 499 and status not in RETRIED_STATUSES)
    return Failure(chain.outcome, chain.reason, host_is_dead=is_down, is_final=is_final and not is_down, url=chain.url)
