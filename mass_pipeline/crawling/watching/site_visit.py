"""One site's turn: find its lists, look at those that are due, fetch and read the articles that wait (C1, J1, J4).

Searching and downloading alternate in one stream of requests; whatever a page does ends at the page.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable
from functools import partial
from typing import Final

from mass_pipeline.crawling.fetching.outcomes import Failure, LeasedElsewhere, Outcome
from mass_pipeline.crawling.fetching.urls import split
from mass_pipeline.crawling.watching.articles import relevant_announcements
from mass_pipeline.crawling.watching.fetching import Page, SitePages
from mass_pipeline.crawling.watching.list_poller import ListPoller
from mass_pipeline.crawling.watching.run import WatchRun
from mass_pipeline.crawling.watching.searching import find_on_site
from mass_pipeline.crawling.watching.sites import WatchedSite
from mass_pipeline.crawling.watching.store import ArticleRow, ListState, ReadArticle
from mass_pipeline.model.errors import StorageError

_DAY: Final = 86_400.0


class SiteVisit:
    """The turn of one site."""

    def __init__(self, site: WatchedSite, run: WatchRun) -> None:
        self._site, self._run = site, run
        self._state = run.store.site(site.site_id)
        self._pages = SitePages(site, self._state.hosts, run)
        self._rediscover = None if site.lists else run.watch.rediscover_days * _DAY
        self._failed = self._good = 0
        self._reason = ""

    async def run(self) -> bool:
        """Do everything that is due; never raises for what a site does.

        Returns:
            False when another run is asking its host: what is left is still due.

        Raises:
            StorageError: the state cannot be written.
        """
        run, site_id = self._run, self._site.site_id
        try:
            await self._search()
            await self._look_at_lists()
            for article in run.store.waiting(site_id, run.session.wall, run.watch.articles_per_turn):
                await self._guarded(article.url, self._read(article))
        except LeasedElsewhere:
            self._leave_hosts()
            return False
        except _SiteDown:
            self._search_later()
            self._good = 0
        failed = self._reason if self._failed and not self._good else None
        retry_at = run.retry_at(self._state.failures)
        run.store.site_done(
            site_id, run.session.wall, failed=failed, retry_at=retry_at, rediscover_seconds=self._rediscover
        )  # fmt: skip
        if failed is not None and self._state.failures + 1 == run.watch.grave_after:
            run.grave("site", site_id, self._site.url, failed)
        self._leave_hosts()
        return True

    def _leave_hosts(self) -> None:
        """Free the memory of the site's hosts."""
        for url in (self._site.url, *self._state.hosts, *self._pages.admitted):
            self._run.session.downloader.leave(split(url), forget=True)

    async def _guarded(self, url: str, work: Awaitable[None]) -> bool:
        """Await the work on one page; True when it went well (J4)."""
        error = await self._run.session.survive(url, work)
        if error is None:
            self._good += 1
            return True
        self._failed += 1
        if isinstance(error, Failure):
            self._run.failed(url, error)
            self._reason = error.reason
            if error.host_is_dead:
                raise _SiteDown from error
        else:
            self._run.grave("unexpected", self._site.site_id, url, f"{type(error).__name__}: {error}"[:300])
            self._reason = type(error).__name__
        return False

    # Lists

    async def _search(self) -> None:
        if self._lists_are_outdated() and not await self._guarded(self._site.url, self._find()):
            self._search_later()

    def _lists_are_outdated(self) -> bool:
        found_at, rest = self._state.found_at, self._rediscover
        return rest is not None and (found_at is None or found_at + rest <= self._run.session.wall)

    def _search_later(self) -> None:
        if self._lists_are_outdated():
            retry_at = self._run.retry_at(self._state.failures)
            self._run.store.search_again_at(self._site.site_id, retry_at, self._rediscover or 0.0)

    async def _find(self) -> None:
        """Look for the lists of the site."""
        store, site_id = self._run.store, self._site.site_id
        lists, menu = await find_on_site(self._site.url, self._run, self._pages)
        store.put_found(site_id, lists, menu, self._pages.admitted, self._run.session.wall)
        self._state = store.site(site_id)

    async def _look_at_lists(self) -> None:
        run = self._run
        poller = ListPoller(run, self._site, self._state.menu, self._pages, self._keep_list_page)
        for state in run.store.due_lists(self._site.site_id, run.session.wall):
            try:
                went_well = await self._guarded(state.pending or state.list.url, self._look(poller, state))
            except _SiteDown:
                run.store.list_failed(state.list_id, self._reason, run.retry_at(state.failures))
                raise
            if not went_well:
                run.store.list_failed(state.list_id, self._reason, run.retry_at(state.failures))

    async def _look(self, poller: ListPoller, state: ListState) -> None:
        try:
            await poller.look(state)
        except Failure as failure:
            if state.pending is not None and failure.is_final:
                # a page of the archive that is no more ends the look, not the list
                self._run.failed(state.pending, failure)
                poller.give_up(state)
                return
            if failure.outcome is Outcome.HTTP_4XX and state.list.found:
                self._run.store.list_gone(state.list_id)
            raise

    async def _keep_list_page(self, state: ListState, page: Page) -> bool:
        """A list page that holds announcements itself is an article too; True when it says something new."""
        article = self._run.store.page_itself(self._site.site_id, state)
        return page.sha256 != article.sha256 and await self._keep(article, page) > 0

    # Articles

    async def _read(self, article: ArticleRow) -> None:
        store = self._run.store
        try:
            page = await self._pages.get(article.url, etag=article.etag, last_modified=article.last_modified)
            self._run.counters["articles"] += 1
            if page is None or page.sha256 == article.sha256:
                store.unchanged(article, Outcome.OK.value)
            elif page.noindex:
                store.unchanged(article, Outcome.NOINDEX.value)
            elif store.has_twin(article, page.sha256):
                store.unchanged(article, Outcome.DUPLICATE.value)
            else:
                await self._keep(article, page)
        except (LeasedElsewhere, StorageError, sqlite3.Error):
            raise
        except Failure as failure:
            if not failure.host_is_dead:  # a host that is down costs no article a try
                store.article_failed(article, failure.outcome.value, failure.reason, self._again(article, failure))
            raise
        except Exception:
            store.article_failed(article, Outcome.ERROR.value, "exception", self._again(article, None))
            raise

    def _again(self, article: ArticleRow, failure: Failure | None) -> float | None:
        """When to try a failed article again; None to give up. A page that is not there yet gets two more chances."""
        is_final = failure is not None and failure.is_final
        closed = is_final and failure is not None and failure.outcome is not Outcome.HTTP_4XX
        most = 3 if is_final else self._run.watch.article_attempts
        return None if closed or article.attempts + 1 >= most else self._run.retry_at(article.attempts)

    async def _keep(self, article: ArticleRow, page: Page) -> int:
        """Read an article and write its announcements down; how many are new."""
        run = self._run
        reader = partial(
            run.read_article, url=article.url, anchor=article.anchor, content_type=page.content_type, wrapper=self._site.wrapper
        )  # fmt: skip
        read = await page.read(reader)
        issued = read.issued or article.issued
        found = relevant_announcements(read, run.topic, site_id=article.site_id, url=article.url, issued=issued)
        kept = ReadArticle(read, found, issued, page.body, page.sha256, page.etag, page.last_modified, run.session.wall)
        new = run.store.record(article, kept, run.topic.chosen, run.watch.near_duplicate_bits)
        run.counters["announcements"] += new
        return new


class _SiteDown(Exception):
    """The host gives nothing for now; ends the turn."""
