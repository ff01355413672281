"""One site's turn: find its lists, look at those that are due, fetch and read the articles that wait (C1, J1, J4).

Searching and downloading alternate in one stream of requests; whatever a page does ends at the page.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable
from datetime import datetime
from functools import partial
from typing import Final

from mass_pipeline.crawling.fetching.outcomes import LeasedElsewhere, Outcome
from mass_pipeline.crawling.fetching.scope import Scope
from mass_pipeline.crawling.fetching.urls import UrlParts, split
from mass_pipeline.crawling.watching.article_store import Answered, ArticleState
from mass_pipeline.crawling.watching.articles import relevant_announcements
from mass_pipeline.crawling.watching.fetching import Fetcher, Page, PageFailed
from mass_pipeline.crawling.watching.list_poller import ListPoller
from mass_pipeline.crawling.watching.records import GraveError
from mass_pipeline.crawling.watching.searching import find_on_site
from mass_pipeline.crawling.watching.site_store import ListState, SiteState
from mass_pipeline.crawling.watching.sites import WatchedSite
from mass_pipeline.crawling.watching.watch_context import WatchContext
from mass_pipeline.guard import TooCostly
from mass_pipeline.guard.sandbox import parsed_aside
from mass_pipeline.model.errors import StorageError

_DAY: Final = 86_400.0


class SiteVisit:
    """The turn of one site."""

    def __init__(self, site: WatchedSite, tools: WatchContext) -> None:
        self._watched = site
        self._tools = tools
        self._state: SiteState = tools.sites.site(site.site_id)
        self._start: UrlParts = split(site.url)
        self._scope = Scope(self._start, site.scope_prefix)
        for host in self._state.hosts:
            self._scope.admit(split(host))
            self._scope.prefer(split(host))
        for entry in site.lists:  # what an operator configured belongs to the site
            self._scope.admit(split(entry.url))
        self._fetcher = Fetcher(tools.downloader, tools.crawl, self._scope, tools.answered)
        self._failed = 0
        self._good = 0
        self._reason = ""

    async def run(self) -> bool:
        """Do everything that is due; never raises for what a site does.

        Returns:
            False when another run is asking its host: what is left is still due.

        Raises:
            StorageError: the state cannot be written.
        """
        try:
            await self._search()
            await self._look_at_lists()
            await self._read_articles()
        except LeasedElsewhere:
            self._leave_hosts()
            return False
        except _SiteDown as error:
            self._search_later()
            self._reason, self._good = error.reason, 0
            self._failed += 1
        self._leave()
        return True

    @property
    def _searches(self) -> bool:
        return not self._watched.lists

    def _lists_are_old(self) -> bool:
        found_at = self._state.found_at
        return found_at is None or found_at + self._tools.watch.rediscover_days * _DAY <= self._tools.now

    async def _guarded(self, url: str, work: Awaitable[None]) -> bool:
        """Await the work on one page; True when it went well (J4)."""
        try:
            await work
        except PageFailed as failure:
            if not failure.is_quiet:
                self._tools.failed(url, failure)
            if failure.site_is_down:
                raise _SiteDown(failure.reason) from failure
            self._failed, self._reason = self._failed + 1, failure.reason
            return False
        except (StorageError, sqlite3.Error, LeasedElsewhere):
            raise
        except Exception as error:
            self._tools.unexpected(self._watched.site_id, url, error)
            self._failed, self._reason = self._failed + 1, type(error).__name__
            return False
        self._good += 1
        return True

    async def _search(self) -> None:
        if self._searches and self._lists_are_old() and not await self._guarded(self._watched.url, self._find()):
            self._search_later()

    def _search_later(self) -> None:
        if self._searches and self._lists_are_old():
            rest = self._tools.watch.rediscover_days * _DAY
            self._tools.sites.search_again_at(self._watched.site_id, self._tools.retry_at(self._state.failures), rest)

    async def _find(self) -> None:
        """Look for the lists of the site."""
        tools, site_id = self._tools, self._watched.site_id
        lists, menu = await find_on_site(self._watched.url, tools, self._scope, self._fetcher)
        if self._fetcher.admitted:
            tools.sites.put_hosts(site_id, self._fetcher.admitted)
        tools.sites.put_found(site_id, lists, menu, tools.now)
        self._state = tools.sites.site(site_id)

    # Lists

    async def _look_at_lists(self) -> None:
        tools = self._tools
        looks = ListPoller(tools, self._state, self._scope, self._fetcher, self._keep_list_page)
        for state in tools.sites.due_lists(self._watched.site_id, tools.now):
            try:
                went_well = await self._guarded(state.pending or state.list.url, self._look(looks, state))
            except _SiteDown:
                self._list_failed(state)
                raise
            if not went_well:
                self._list_failed(state)

    async def _look(self, looks: ListPoller, state: ListState) -> None:
        try:
            await looks.look(state)
        except PageFailed as failure:
            if state.pending is not None and failure.final:  # a page of the archive that is no more ends the look, not the list
                self._tools.failed(state.pending, failure)
                looks.give_up(state)
                return
            if failure.outcome is Outcome.HTTP_4XX and state.list.found:
                self._tools.sites.list_gone(state.list_id)
            raise

    async def _keep_list_page(self, state: ListState, page: Page) -> bool:
        """A list page that holds announcements itself is an article too; True when it says something new."""
        article = self._tools.articles.page_itself(self._watched.site_id, state)
        return page.sha256 != article.sha256 and await self._keep(article, page) > 0

    def _list_failed(self, state: ListState) -> None:
        tools = self._tools
        tools.sites.list_failed(state.list_id, "error", self._reason, tools.retry_at(state.failures))

    # Articles

    async def _read_articles(self) -> None:
        tools = self._tools
        for article in tools.articles.waiting(self._watched.site_id, tools.now, tools.watch.articles_per_turn):
            await self._guarded(article.url, self._read(article))

    async def _read(self, article: ArticleState) -> None:
        tools = self._tools
        try:
            page = await self._fetcher.get(article.url, etag=article.etag, last_modified=article.last_modified)
        except PageFailed as failure:
            if not failure.site_is_down:  # a host that is down costs no article a try
                tools.articles.failed(article, failure.outcome.value, failure.reason, self._again(article, failure))
            raise
        except LeasedElsewhere:
            raise
        except Exception:
            tools.articles.failed(article, Outcome.ERROR.value, "exception", self._again(article, None))
            raise
        tools.counters["articles"] += 1
        try:
            await self._received(article, page)
        except (StorageError, sqlite3.Error):
            raise
        except PageFailed as failure:
            tools.articles.failed(article, failure.outcome.value, failure.reason, self._again(article, failure))
            raise
        except Exception:
            tools.articles.failed(article, Outcome.ERROR.value, "exception", self._again(article, None))
            raise

    def _again(self, article: ArticleState, failure: PageFailed | None) -> float | None:
        """When to try a failed article again; None to give up. A page that is not there yet gets two more chances."""
        closed = failure is not None and failure.final and failure.outcome is not Outcome.HTTP_4XX
        most = 3 if failure is not None and failure.final else self._tools.watch.article_attempts
        return None if closed or article.attempts + 1 >= most else self._tools.retry_at(article.attempts)

    async def _received(self, article: ArticleState, page: Page | None) -> None:
        articles = self._tools.articles
        if page is None or page.sha256 == article.sha256:
            articles.unchanged(article, Outcome.OK.value)
        elif page.noindex:
            articles.unchanged(article, Outcome.NOINDEX.value)
        elif articles.twin(article, page.sha256) is not None:
            articles.unchanged(article, Outcome.DUPLICATE.value)
        else:
            await self._keep(article, page)

    async def _keep(self, article: ArticleState, page: Page) -> int:
        """Read an article and write its announcements down; how many are new."""
        tools = self._tools
        reader = partial(
            tools.read_article,
            url=article.url,
            anchor=article.anchor,
            content_type=page.content_type,
            wrapper=self._watched.wrapper,
        )
        try:
            read = await parsed_aside(reader, page.body)
        except TooCostly as error:
            raise PageFailed(Outcome.ERROR, f"too_costly: {error}", final=True) from error
        issued = read.issued or article.published
        found = relevant_announcements(read, tools.topic, site_id=article.site_id, url=article.url, issued=issued)
        answered = Answered(page.sha256, page.etag, page.last_modified, tools.now)
        new = tools.articles.record(
            article, read, found, issued, tools.topic.chosen, answered, page.body, tools.watch.near_duplicate_bits
        )
        tools.counters["announcements"] += new
        return new

    # The end of the turn

    def _leave(self) -> None:
        """Plan the next turn, and free the memory of the site's hosts."""
        tools, site_id = self._tools, self._watched.site_id
        failed = self._reason if self._failed and not self._good else None
        tools.sites.site_done(
            site_id,
            tools.now,
            failed=failed,
            retry_at=tools.retry_at(self._state.failures),
            rediscover_seconds=tools.watch.rediscover_days * _DAY if self._searches else None,
        )
        if failed is not None and self._state.failures + 1 == tools.watch.grave_after:
            tools.grave(GraveError(self._moment(), "site", site_id, self._watched.url, failed))
        self._leave_hosts()

    def _leave_hosts(self) -> None:
        tools = self._tools
        for parts in (self._start, *map(split, self._state.hosts), *map(split, self._fetcher.admitted)):
            tools.session.leave(parts, forget=True)

    def _moment(self) -> datetime:
        return self._tools.clock.now()


class _SiteDown(Exception):
    """The host gives nothing for now; ends the turn."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)
