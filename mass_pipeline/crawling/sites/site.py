"""Crawl one site: take a URL, fetch it, keep the page, follow its links (the eight-step data flow of P6). One request at a time.

Policies decide, this module only asks them in order; everything that must survive goes to the store at once.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from mass_pipeline.crawling.fetching.chain import Stop, judge_answer, next_hop
from mass_pipeline.crawling.fetching.outcomes import RETRIED_STATUSES, TEMPORARY, Failure, LeasedElsewhere, Outcome
from mass_pipeline.crawling.fetching.scope import Scope, is_blacklisted, registrable_domain
from mass_pipeline.crawling.fetching.transport import Answer
from mass_pipeline.crawling.fetching.urls import BadUrl, UrlParts, canonicalize, identity, split
from mass_pipeline.crawling.pages.links import NO_LINKS, PageLinks
from mass_pipeline.crawling.pages.near_duplicates import SeriesGuard
from mass_pipeline.crawling.pages.spider import ParsedPage, SeenPage, judge, read_body_aside
from mass_pipeline.crawling.sites.frontier import Item, SiteFrontier, names_masses_or_announcements
from mass_pipeline.crawling.sites.records import BUDGET_SPENT, NOT_RENDERED, RENDERED, SERIES_REPEATS
from mass_pipeline.crawling.sites.scripted import ScriptedPages
from mass_pipeline.crawling.sites.site_budget import SiteBudget, TrapGuard, days_after_loss, next_interval_days
from mass_pipeline.crawling.sites.site_links import SiteLinks, SitemapSource
from mass_pipeline.crawling.sites.store import DAY_SECONDS, FORMER_SITE, MOST_DEATHS, KnownUrl, PageRow, SiteRow
from mass_pipeline.guard.sandbox import in_parsing_thread
from mass_pipeline.model.identifiers import url_md5

if TYPE_CHECKING:
    from mass_pipeline.crawling.sites.engine import CrawlRun

_NEVER: Final = 1e12  # seconds since 1970: far beyond any crawl
_ANSWERED: Final = ("ok", "not_modified")
_LEFT: Final = (Outcome.REDIRECT, Outcome.GONE)  # the page that was there is not there any more


class SiteCrawl:
    """One open site.

    Args:
        row: the site as the store knows it; updated in place.
        run: what all sites share.
    """

    def __init__(self, row: SiteRow, run: CrawlRun) -> None:
        self.row, self._run = row, run
        self._store, self._session, self._clock = run.store, run.session, run.session.clock
        self._config = config = run.session.config
        order = run.order(config, row.parish_id)
        self._frontier = SiteFrontier(order.key, config.frontier_capacity, drop_worst=order.drops_worst, batch=order.batch)
        self._order, self._stop_rule = order, run.stop_rule() if run.stop_rule else None
        self._guard = TrapGuard(config)
        self._series = SeriesGuard(config.near_duplicate_bits)
        self._digests: dict[bytes, int] = {}  # of pages that stand; a page with the same bytes is a copy
        self._copies: dict[bytes, list[Item]] = {}  # of an earlier run, not asked for: by digest
        self._known: dict[int, KnownUrl] = {}
        self._scripted = ScriptedPages(row, run)
        self._budget = SiteBudget(config, run.session.began + config.max_crawl_seconds)
        self._former: list[KnownUrl] = []  # URLs of an address the parish has left
        self._partial: dict[int, Answer] = {}  # incomplete answers whose URL is asked once more
        self._links: SiteLinks | None = None
        self._sitemaps: SitemapSource | None = None

    async def run(self) -> bool:
        """Crawl until nothing is left, the budget is spent or the host is dead; never raises for what a site does.

        Returns:
            False when another run is asking its host: call again, after the other sites.
        """
        began = self._clock.steady()
        earlier = self.row.seconds
        if self._links is None:
            self.row.status = "open"
            self._store.put_site(self.row)
        done = await self._work(began) if self._links is not None or await self._open() else True
        if done:
            self._leave_former_site()
            if self._stopped and self.row.outcome in _ANSWERED:
                self.row.reason = f"stopped: {self._stopped}"
            self.row.status = "finished"
        self.row.seconds = earlier + self._clock.steady() - began
        self._store.put_site(self.row)
        return done

    # Opening

    async def _open(self) -> bool:
        """Load what is known and enter the start URL; False when the start URL cannot be crawled at all."""
        try:
            start = canonicalize(self.row.start_url)
        except BadUrl as error:
            self._former = self._store.load_urls(self.row.site_id)
            return self._end_site(Outcome.BAD_URL, str(error))
        parts = split(start)
        self.row.domain = registrable_domain(parts.host)
        if is_blacklisted(parts.host, self._config.never_crawl):
            self._former = self._store.load_urls(self.row.site_id)
            return self._end_site(Outcome.OUT_OF_SCOPE, f"{self.row.domain} is never crawled")
        scope = Scope(parts, self.row.scope_prefix, self.row.hosts)
        self.row.hosts = scope.moved_to
        self._links = SiteLinks(self.row, self._run, scope, self._frontier, self._guard)
        for known in self._store.load_urls(self.row.site_id):
            if known.item.url == start or scope.covers(split(known.item.url)):
                self._restore(known, self._links)
            else:
                self._former.append(known)
        await self._recall()
        if self._config.sitemaps != "never" and self._config.max_depth > 0:
            self._sitemaps = SitemapSource(start, self._session.downloader, self._links)
        return self._links.start(start) or self._end_site(Outcome.DUPLICATE, "the start page belongs to another parish")

    def _restore(self, known: KnownUrl, links: SiteLinks) -> None:
        item = known.item
        item.key = identity(item.url, self._config.merge_case_and_slash)
        if known.body_sha256 is not None:
            self._guard.count_page(item.url)
        if known.outcome == Outcome.DUPLICATE:
            self._series.note_copy(item.url[item.url.find("/", 8) :])
            if known.body_sha256 is not None and not known.waiting:
                self._copies.setdefault(known.body_sha256, []).append(item)
        elif known.body_sha256 is not None:
            self._known[item.url_id] = known
            if known.outcome not in _LEFT:
                self._digests.setdefault(known.body_sha256, item.url_id)
        if known.waiting and known.deaths < MOST_DEATHS:
            # Else the same failing pages ended every run, and nobody ever asked for the others.
            self._frontier.add(item, links.link_of(item), last=item.depth > 0 and known.outcome == Outcome.HTTP_5XX)
            return
        self._frontier.remember(item.key, item.depth)
        if known.outcome and item.is_start:
            self.row.outcome = known.outcome  # a run that was killed wrote down the page, not the site
        if known.waiting:
            self._finish(item, Outcome.ERROR, "the process died again and again while asking for it")

    def _leave_to_copies(self, item: Item) -> None:
        """A page that went, as when a site moves, leaves its bytes to the others that have them."""
        known = self._known.get(item.url_id)
        if known is None or known.body_sha256 is None or self._digests.get(known.body_sha256) != item.url_id:
            return
        del self._digests[known.body_sha256]
        assert self._links is not None
        for copy in self._copies.pop(known.body_sha256, []):
            self._frontier.add(copy, self._links.link_of(copy))

    def _leave_former_site(self) -> None:
        """Pages outside the site are of an address the parish has left: marked, not deleted, and not asked for again."""
        for known in self._former:
            if known.waiting or known.outcome not in (Outcome.GONE, Outcome.OUT_OF_SCOPE):
                self._store.page_checked(known.item.url_id, self._config.revisit_max_days, _NEVER)
                outcome = Outcome.OUT_OF_SCOPE if known.body_sha256 is None else Outcome.GONE
                self._finish(known.item, outcome, FORMER_SITE)

    def _end_site(self, outcome: Outcome, reason: str) -> bool:
        self.row.outcome, self.row.reason = outcome.value, reason
        return False

    # The loop

    async def _work(self, began: float) -> bool:
        while True:
            began += await self._session.room.wait()
            now = self._clock.steady()
            if spent := self._budget.spent(began, now):
                self._defer_rest(spent)
                return True
            item = self._frontier.take(now)
            if item is None and not self._comes_more():
                return True
            url, work = (self.row.start_url, self._more(now)) if item is None else (item.url, self._visit(item))
            try:
                error = await self._session.survive(url, work)
            except LeasedElsewhere as elsewhere:
                if self._parks(item, elsewhere):
                    return False
            else:
                if error is not None and item is not None:
                    self._finish(item, Outcome.ERROR, f"{type(error).__name__}")
            for dropped in self._frontier.dropped:
                self._finish(dropped, Outcome.TRAP, "pushed out of a full frontier")
            self._frontier.dropped.clear()

    def _comes_more(self) -> bool:
        """Whether a delayed URL will be due, or sitemaps may be asked: once per run, and when there is room for more pages."""
        stopped = self._budget.given_up or self._stopped
        asks = self._sitemaps is not None and self.row.requests and not stopped and not self._guard.is_full(self.row.start_url)
        return self._frontier.due_at() is not None or bool(asks)

    async def _more(self, now: float) -> None:
        """Wait for the next delayed URL; without one look into sitemaps."""
        if (due := self._frontier.due_at()) is not None:
            await self._clock.sleep(max(due - now, 0.0))
        elif (sitemaps := self._sitemaps) is not None:
            self._sitemaps = None
            try:
                await sitemaps.find(self._frontier.known)
            except LeasedElsewhere:
                self._sitemaps = sitemaps
                raise
            self.row.requests += sitemaps.requests

    def _parks(self, item: Item | None, error: LeasedElsewhere) -> bool:
        """Put off what another run keeps from being asked; False when that has lasted too long."""
        now = self._clock.steady()
        if item is not None:
            item.attempts -= 1
            self._store.put_retry(item, self._session.wall)
            self._frontier.retry(item, now)
        if self._budget.lasts(now):
            return True
        self._sitemaps = None
        self._defer_rest(error.reason)
        return False

    async def _visit(self, item: Item) -> None:
        if item.depth and not item.known and self._stopped:
            self._finish(item, Outcome.NOT_NEEDED, self._stopped)
            return
        if not item.known and self._guard.is_full(item.url):
            self._finish(item, Outcome.TRAP, BUDGET_SPENT)
            return
        parts = split(item.url)
        assert self._links is not None
        is_closed = not item.known and self._series.is_closed(parts.path + parts.query)
        if is_closed and not names_masses_or_announcements(self._links.link_of(item)):
            self._finish(item, Outcome.TRAP, SERIES_REPEATS)
            return
        if parts.host in self._budget.given_up:
            self._finish(item, Outcome.DEFERRED, self._budget.given_up[parts.host])
            return
        item.attempts += 1
        self._store.leased.add(item.url_id)
        known = self._known.get(item.url_id)
        try:
            answer = await self._session.downloader.fetch(item.url, parts, known.conditions if known else {})
        except Failure as error:
            await self._failed(item, parts, error)
        else:
            self._budget.parked_at = None
            self.row.requests += 1
            self.row.body_bytes += answer.wire_bytes
            await self._run.reading_turn()
            await self._answered(item, parts, answer)

    async def _failed(self, item: Item, parts: UrlParts, error: Failure) -> None:
        if error.host_is_dead:
            self._budget.given_up[parts.host] = error.reason
        elif error.retriable and self._budget.allows(item.attempts, parts.host):
            self._retry(item)  # the pace of the host holds the wait
            return
        partial = self._partial.pop(item.url_id, None)
        if partial is not None:
            await self._received(item, parts, partial)
            return
        self._finish(item, error.outcome, error.reason)

    def _retry(self, item: Item) -> None:
        self._store.put_retry(item, self._session.wall)
        self._frontier.retry(item, self._clock.steady())

    def _defer_rest(self, reason: str) -> None:
        for item in self._frontier.drain():
            self._finish(item, Outcome.DEFERRED, reason)

    # Answers

    async def _answered(self, item: Item, parts: UrlParts, answer: Answer) -> None:
        self._budget.observe(parts.host, item.url_id, answer)
        status = answer.status
        if status == 304 and (known := self._known.get(item.url_id)) is not None:
            if (page := await self._scripted.kept(item.url, known, answer, self._store)) is not None:
                await self._received(item, parts, page)
                return
            days = next_interval_days(known.interval_days, False, self._config)
            self._store.page_checked(item.url_id, days, self._in_days(days), self._session.wall)
            self._finish(item, Outcome.NOT_MODIFIED, "", status=304)
        elif status in RETRIED_STATUSES and self._budget.allows(item.attempts, parts.host):
            self._retry(item)
        elif (target := next_hop(answer, item.url)) is not None:
            self._redirected(item, target, status)
        elif status == 200:
            await self._received(item, parts, answer)
        elif status in (404, 410) and item.known:
            await self._tell(item, b"", None, "", NO_LINKS)
            self._finish(item, Outcome.GONE, f"HTTP {status}", status=status)
        else:
            self._finish(item, *judge_answer(answer), status=status)

    def _redirected(self, item: Item, target: str | Stop, status: int) -> None:
        if isinstance(target, Stop):
            self._finish(item, target.outcome, target.reason, status=status)
            return
        assert self._links is not None
        never = self._config.never_crawl + self._config.removed_hosts
        if item.is_start and self._links.scope.follow_start(item.url, target, never):
            self._moved(split(target), self._links)
        self._links.redirect(item, target)
        self._finish(item, Outcome.REDIRECT, "", final_url=target, status=status)

    def _moved(self, parts: UrlParts, links: SiteLinks) -> None:
        """The site lives on another host as well: what was known of it there comes back."""
        self._run.is_shared(parts, self.row.site_id)  # announces the host
        for known in self._former:
            if links.scope.covers(split(known.item.url)):
                self._restore(known, links)
        self._former = [known for known in self._former if not links.scope.covers(split(known.item.url))]
        self._store.put_site(self.row)

    async def _received(self, item: Item, parts: UrlParts, answer: Answer) -> None:
        if answer.bomb:
            self._finish(item, Outcome.TOO_LARGE, "decompression bomb", status=200)
            return
        if not answer.complete:
            partial = self._partial.pop(item.url_id, None)
            if partial is None and item.attempts < min(2, self._config.max_attempts):
                self._partial[item.url_id], answer.slot = answer, None
                self._retry(item)
                return
            answer = max(answer, partial or answer, key=lambda one: len(one.body))
        if not answer.is_text:
            self._finish(item, Outcome.NOT_TEXT, answer.headers.get("Content-Type", "")[:100], status=200)
            return
        with_links = item.depth < self._config.max_depth
        answer, page, rendering = await self._scripted.received(item.url, answer, with_links=with_links)
        known = self._known.get(item.url_id)
        if known is not None and (known.rendering or "").startswith(RENDERED) and (rendering or "").startswith(NOT_RENDERED):
            self._finish(item, Outcome.DEFERRED, rendering or "", status=200)  # what it showed before is kept
            return
        twin = self._digests.setdefault(page.sha256, item.url_id)
        outcome, reason = judge(answer, page, is_copy=twin != item.url_id)
        if outcome is Outcome.DUPLICATE:
            self._series.note_copy(parts.path + parts.query)
        else:
            self._series.repeats(parts.path + parts.query, answer.body)
        if outcome in (Outcome.OK, Outcome.TRUNCATED):
            await self._tell(item, answer.body, answer.headers.get("Content-Type"), page.encoding, page.links)
        await asyncio.sleep(0)  # 5,000 links that came from the process aside took some time: others have their turn
        # From here on nothing is waited for: a page and its links are committed together.
        has_body = outcome in (Outcome.OK, Outcome.TRUNCATED)
        self._store.put_page(self.row.site_id, self._row_of(item, answer, page, rendering, has_body=has_body))
        if has_body and known is None:
            self._guard.count_page(item.url)
        if outcome is not Outcome.DUPLICATE and not page.nofollow:
            assert self._links is not None
            self._links.follow(item, page.links)
        self._finish(item, outcome, reason, status=200)  # last: a page counts as done only together with its links

    def _row_of(self, item: Item, answer: Answer, page: ParsedPage, rendering: str | None, *, has_body: bool) -> PageRow:
        """What is kept of a page that came, and when it is asked for again."""
        known, headers, now = self._known.get(item.url_id), answer.headers, self._session.wall
        changed = known is not None and known.body_sha256 != page.sha256
        days = next_interval_days(known.interval_days if known else None, changed, self._config)
        return PageRow(
            url_id=item.url_id,
            content_type=headers.get("Content-Type"),
            encoding=page.encoding or None,
            etag=headers.get("ETag") if answer.complete else None,  # else all of it is asked for next time
            last_modified=headers.get("Last-Modified") if answer.complete else None,
            fetched_at=now,
            elapsed_ms=round(answer.elapsed * 1000),
            truncated=answer.truncated or not answer.complete,
            tls_verified=answer.tls_verified,
            body=answer.body if has_body else None,
            body_sha256=page.sha256,
            dictionary_id=None,
            interval_days=days,
            next_visit_at=self._in_days(days),
            confirmed_at=now,
            rendering=rendering,
        )

    def _in_days(self, days: float) -> float:
        return self._session.wall + days * DAY_SECONDS

    # Scorer and stop rule, which are told of pages

    @property
    def _stopped(self) -> str:
        """Why no new page is asked for, "" while they are."""
        return self._stop_rule.reason if self._stop_rule is not None else ""

    async def _recall(self) -> None:
        """Tell of the pages that earlier runs stored."""
        if not self._known or not (self._order.reads_pages or self._stop_rule is not None):
            return
        for known in list(self._known.values()):
            found = self._store.body_of(bytes.fromhex(url_md5(known.item.url)))
            if found is not None:
                read = await read_body_aside(found[1], None)
                await self._tell(known.item, found[1], None, read.encoding, read.links)
        self._frontier.resort()

    async def _tell(self, item: Item, body: bytes, content_type: str | None, encoding: str, links: PageLinks) -> None:
        """Tell of a page, before its links enter the frontier; `encoding` with its reason, as a row has it."""
        name = encoding.partition(";")[0]
        page = SeenPage(self.row.parish_id, item.url, item.depth, item.text, body, content_type, name, links)
        if self._stop_rule is not None:
            await in_parsing_thread(self._stop_rule.observe, page)
        if self._order.observe(page):
            self._frontier.resort()

    def _finish(
        self, item: Item, outcome: Outcome, reason: str, *, final_url: str | None = None, status: int | None = None
    ) -> None:
        self._store.finish_url(item, outcome, reason, self._session.wall, final_url, status)
        if (days := days_after_loss(self._known.get(item.url_id), outcome, self._config)) is not None:
            self._store.page_checked(item.url_id, days, self._in_days(days))
        if outcome in _LEFT:
            self._leave_to_copies(item)
        # The site ends as its start page did, unless something better came after a redirect.
        if item.is_start and reason != FORMER_SITE:
            self.row.outcome, self.row.reason = outcome.value, reason
        elif outcome in TEMPORARY and outcome is Outcome.DEFERRED and self.row.outcome in _ANSWERED:
            self.row.reason = reason
        self._run.finished(item.url, outcome)
