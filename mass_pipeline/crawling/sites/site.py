"""Crawl one site: take a URL, fetch it, keep the page, follow its links (the eight-step data flow of P6). One request at a time.

Policies decide, this module only asks them in order; everything that must survive goes to the store at once.
"""

from __future__ import annotations

import asyncio
import heapq
import sqlite3
from collections.abc import Awaitable, Callable
from typing import Final

from mass_pipeline.crawling.fetching.chain import Stop, judge_answer, next_hop
from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.downloader import Downloader
from mass_pipeline.crawling.fetching.gate import GateRefusal
from mass_pipeline.crawling.fetching.outcomes import RETRIED_STATUSES, TEMPORARY, Failure, LeasedElsewhere, Outcome
from mass_pipeline.crawling.fetching.scope import Scope, is_blacklisted, registrable_domain
from mass_pipeline.crawling.fetching.transport import Answer
from mass_pipeline.crawling.fetching.urls import BadUrl, UrlParts, canonicalize, identity, split
from mass_pipeline.crawling.pages.links import NO_LINKS
from mass_pipeline.crawling.pages.near_duplicates import SeriesGuard
from mass_pipeline.crawling.pages.spider import judge
from mass_pipeline.crawling.rendering import Renderer
from mass_pipeline.crawling.sites.frontier import Item, SiteFrontier, SiteOrder, StopRule, names_masses_or_announcements
from mass_pipeline.crawling.sites.page_writer import PageKeeper, PageObservers
from mass_pipeline.crawling.sites.records import BUDGET_SPENT, RENDERED, SERIES_REPEATS
from mass_pipeline.crawling.sites.scripted import ScriptedPages
from mass_pipeline.crawling.sites.site_budget import SiteBudget, TrapGuard
from mass_pipeline.crawling.sites.site_links import SiteLinks
from mass_pipeline.crawling.sites.sitemaps import SitemapSource
from mass_pipeline.crawling.sites.store import FORMER_SITE, MOST_DEATHS, CrawlStore, KnownUrl, SiteRow
from mass_pipeline.model.errors import StorageError

_NEVER: Final = 1e12  # seconds since 1970: far beyond any crawl
_ANSWERED: Final = ("ok", "not_modified")
_LEFT: Final = (Outcome.REDIRECT, Outcome.GONE)  # the page that was there is not there any more

# How large a site is shows late: counting only what waits, start pages came last and large sites found out too late that they
# are large (docs/crawler.md has the measurement). On the sites of the benchmark kit 5, 10 and 20 do equally well.
_URLS_PER_LEVEL: Final = 10


class ParsePriority:
    """Whose answer is read next when the processor cannot keep up: the site with the longest way to go.

    A host is asked one request at a time, so the largest site decides when a crawl ends; it should never wait for the small ones.
    """

    __slots__ = ("_number", "_running", "_waiting")

    def __init__(self) -> None:
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._number = 0
        self._running = False

    async def turn(self, waiting: int, levels_left: int) -> None:
        """Wait until nobody with more work left is waiting.

        Args:
            waiting: URLs in the site's frontier.
            levels_left: how many links deeper than this page the site is crawled.
        """
        work_left = waiting + _URLS_PER_LEVEL * levels_left
        loop = asyncio.get_running_loop()
        ready = loop.create_future()
        self._number += 1
        heapq.heappush(self._waiting, (-work_left, self._number, ready))
        if not self._running:
            self._running = True
            loop.call_soon(self._next)
        await ready

    def _next(self) -> None:
        """Let one go on, then let the network speak before the next."""
        while self._waiting:
            ready = heapq.heappop(self._waiting)[2]
            if not ready.done():
                ready.set_result(None)
                break
        self._running = bool(self._waiting)
        if self._running:
            asyncio.get_running_loop().call_soon(self._next)


class SiteCrawl:
    """One open site.

    Args:
        row: the site as the store knows it; updated in place.
        order: what leaves the frontier next.
        ends: moment of the steady clock when the time of the whole crawl is spent.
        shared: whether a URL of a host may belong to another site (then the store is asked).
        room: waits while the disk is full; gives the seconds that took.
        on_page: told the URL and outcome of every finished URL.
        on_error: told about an unexpected exception at a page (J4).
        stop_rule: ends the asking of new URLs; known ones are still visited again.
        renderer: shows pages that only scripts fill; None: they stay as they came.
    """

    def __init__(
        self,
        row: SiteRow,
        *,
        config: CrawlConfig,
        store: CrawlStore,
        downloader: Downloader,
        order: SiteOrder,
        clock: Clock,
        turns: ParsePriority,
        ends: float,
        shared: Callable[[UrlParts, int], bool],
        room: Callable[[], Awaitable[float]],
        on_page: Callable[[str, Outcome], None],
        on_error: Callable[[str, Exception], None],
        stop_rule: StopRule | None = None,
        renderer: Renderer | None = None,
    ) -> None:
        self.row = row
        self._config = config
        self._store = store
        self._downloader = downloader
        self._clock = clock
        self._turns = turns
        self._shared, self._room = shared, room
        self._on_page, self._on_error = on_page, on_error
        self._frontier = SiteFrontier(order.key, config.frontier_capacity, drop_worst=order.drops_worst, batch=order.batch)
        self._audience = PageObservers(row.parish_id, order, stop_rule, self._frontier)
        self._guard = TrapGuard(config)
        self._series = SeriesGuard(config.near_duplicate_bits)
        self._digests: dict[bytes, int] = {}  # of pages that stand; a page with the same bytes is a copy
        self._copies: dict[bytes, list[Item]] = {}  # of an earlier run, not asked for: by digest
        self._known: dict[int, KnownUrl] = {}
        self._keeper = PageKeeper(row.site_id, config, store, clock, self._known)
        self._scripted = ScriptedPages(row, config, renderer)
        self._patience = SiteBudget(config, ends)
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
            if self._audience.stopped and self.row.outcome in _ANSWERED:
                self.row.reason = f"stopped: {self._audience.stopped}"
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
        scope = Scope(parts, self.row.scope_prefix)
        for host in self.row.hosts:
            scope.admit(split(host))
            scope.prefer(split(host))
        self._links = SiteLinks(
            self.row, scope, config=self._config, store=self._store, frontier=self._frontier, guard=self._guard,
            shared=self._shared, finish=self._finish,
        )  # fmt: skip
        for known in self._store.load_urls(self.row.site_id):
            if known.item.url == start or scope.covers(split(known.item.url)):
                self._restore(known, self._links)
            else:
                self._former.append(known)
        await self._audience.recall(self._known.values(), self._store)
        if self._config.sitemaps != "never" and self._config.max_depth > 0:
            self._sitemaps = SitemapSource(start, self._config, self._downloader, self._links)
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
            self._frontier.add(item, links.link_of(item), last=item.depth > 0 and self._patience.asks_last(known.outcome))
            return
        self._frontier.remember(item.key, item.depth)
        if known.outcome and item.depth == 0 and item.referrer_id is None:
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
            began += await self._room()
            now = self._clock.steady()
            if spent := self._patience.spent(began, now):
                self._defer_rest(spent)
                return True
            item = self._frontier.take(now)
            try:
                if item is not None:
                    await self._visit(item)
                elif not await self._more_to_come(now):
                    return True
            except LeasedElsewhere as error:
                if self._parks(item, error):
                    return False
            except (StorageError, sqlite3.Error):
                raise  # the state file, not the page
            except Exception as error:  # J4: whatever a page does, it ends at the page
                self._on_error(self.row.start_url if item is None else item.url, error)
                if item is not None:
                    self._finish(item, Outcome.ERROR, f"{type(error).__name__}")

    async def _more_to_come(self, now: float) -> bool:
        """Wait for the next delayed URL; without one look into sitemaps, once per run and when there is room for more pages."""
        due = self._frontier.due_at()
        if due is not None:
            await self._clock.sleep(max(due - now, 0.0))
            return True
        sitemaps, self._sitemaps = self._sitemaps, None
        stopped = self._patience.given_up or self._audience.stopped
        if sitemaps is None or stopped or not self.row.requests or self._guard.is_full(self.row.start_url):
            return False
        try:
            found = await sitemaps.find(self._frontier.known)
        except LeasedElsewhere:
            self._sitemaps = sitemaps
            raise
        self.row.requests += sitemaps.requests
        return found > 0

    def _parks(self, item: Item | None, error: LeasedElsewhere) -> bool:
        """Put off what another run keeps from being asked; False when that has lasted too long."""
        now = self._clock.steady()
        if item is not None:
            item.attempts -= 1
            self._store.put_retry(item, self._clock.now().timestamp())
            self._frontier.retry(item, now)
        if self._patience.lasts(now):
            return True
        self._sitemaps = None
        self._defer_rest(error.reason)
        return False

    async def _visit(self, item: Item) -> None:
        if item.depth and not item.known and self._audience.stopped:
            self._finish(item, Outcome.NOT_NEEDED, self._audience.stopped)
            return
        if not item.known and self._guard.is_full(item.url):
            self._finish(item, Outcome.TRAP, BUDGET_SPENT)
            return
        parts = split(item.url)
        if not item.known and self._series.is_closed(parts.path + parts.query) and not self._is_of_services(item):
            self._finish(item, Outcome.TRAP, SERIES_REPEATS)
            return
        if parts.host in self._patience.given_up:
            self._finish(item, Outcome.DEFERRED, self._patience.given_up[parts.host])
            return
        item.attempts += 1
        self._store.leased.add(item.url_id)
        known = self._known.get(item.url_id)
        try:
            answer = await self._downloader.fetch(item.url, parts, known.conditions if known else {})
        except GateRefusal as error:
            self._finish(item, error.outcome, error.reason)
        except Failure as error:
            await self._failed(item, parts, error)
        else:
            self._patience.parked_at = None
            self.row.requests += 1
            self.row.body_bytes += answer.wire_bytes
            await self._turns.turn(len(self._frontier), self._config.max_depth - item.depth)
            await self._answered(item, parts, answer)

    def _is_of_services(self, item: Item) -> bool:
        assert self._links is not None
        return names_masses_or_announcements(self._links.link_of(item))

    async def _failed(self, item: Item, parts: UrlParts, error: Failure) -> None:
        if error.host_is_dead:
            self._patience.given_up[parts.host] = error.reason
        elif error.retriable and self._patience.allows(item.attempts, parts.host):
            self._retry(item)  # the pace of the host holds the wait
            return
        partial = self._partial.pop(item.url_id, None)
        if partial is not None:
            await self._received(item, parts, partial)
            return
        self._finish(item, error.outcome, error.reason)

    def _retry(self, item: Item) -> None:
        self._store.put_retry(item, self._clock.now().timestamp())
        self._frontier.retry(item, self._clock.steady())

    def _defer_rest(self, reason: str) -> None:
        for item in self._frontier.drain():
            self._finish(item, Outcome.DEFERRED, reason)

    # Answers

    async def _answered(self, item: Item, parts: UrlParts, answer: Answer) -> None:
        self._patience.saw(parts.host, item.url_id, answer)
        status = answer.status
        if status == 304 and (known := self._known.get(item.url_id)) is not None:
            if (page := await self._scripted.kept(item.url, known, answer, self._store)) is not None:
                await self._received(item, parts, page)
                return
            self._keeper.unchanged(item)
            self._finish(item, Outcome.NOT_MODIFIED, "", status=304)
        elif status in RETRIED_STATUSES and self._patience.allows(item.attempts, parts.host):
            self._retry(item)
        elif (target := next_hop(answer, item.url)) is not None:
            self._redirected(item, target, status)
        elif status == 200:
            await self._received(item, parts, answer)
        elif status in (404, 410) and item.known:
            await self._audience.tell(item, b"", None, "", NO_LINKS)
            self._finish(item, Outcome.GONE, f"HTTP {status}", status=status)
        else:
            self._finish(item, *judge_answer(answer), status=status)

    def _redirected(self, item: Item, target: str | Stop, status: int) -> None:
        if isinstance(target, Stop):
            self._finish(item, target.outcome, target.reason, status=status)
            return
        assert self._links is not None
        parts = split(target)
        if item.depth == 0 and item.referrer_id is None and parts.origin != split(item.url).origin:
            self._admit(target, parts, self._links)
        self._links.redirect(item, target)
        self._finish(item, Outcome.REDIRECT, "", final_url=target, status=status)

    def _admit(self, target: str, parts: UrlParts, links: SiteLinks) -> None:
        """The start URL redirects to another host, to https or to `www.`: that is where the site lives."""
        if is_blacklisted(parts.host, self._config.never_crawl + self._config.removed_hosts):
            return
        links.scope.admit(parts)
        links.scope.prefer(parts)
        if target not in self.row.hosts:
            self.row.hosts.append(target)
        self._shared(parts, self.row.site_id)  # announces the host
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
        came = await self._scripted.received(item.url, answer, with_links=item.depth < self._config.max_depth)
        known, answer, page = self._known.get(item.url_id), came.answer, came.page
        if came.failed and known is not None and (known.rendering or "").startswith(RENDERED):
            self._finish(item, Outcome.DEFERRED, came.rendering or "", status=200)  # what it showed before is kept
            return
        twin = self._digests.setdefault(page.sha256, item.url_id)
        outcome, reason = judge(answer, page, is_copy=twin != item.url_id)
        if outcome is Outcome.DUPLICATE:
            self._series.note_copy(parts.path + parts.query)
        else:
            self._series.repeats(parts.path + parts.query, answer.body)
        if outcome in (Outcome.OK, Outcome.TRUNCATED):
            await self._audience.tell_answer(item, answer, page)
        await asyncio.sleep(0)  # 5,000 links that came from the process aside took some time: others have their turn
        # From here on nothing is waited for: a page and its links are committed together.
        has_body = outcome in (Outcome.OK, Outcome.TRUNCATED)
        self._keeper.keep(item, answer, page, came.rendering, has_body=has_body)
        if has_body and known is None:
            self._guard.count_page(item.url)
        if outcome is not Outcome.DUPLICATE and not page.nofollow:
            assert self._links is not None
            self._links.follow(item, page.links)
        self._finish(item, outcome, reason, status=200)  # last: a page counts as done only together with its links

    def _finish(
        self, item: Item, outcome: Outcome, reason: str, *, final_url: str | None = None, status: int | None = None
    ) -> None:
        self._store.finish_url(item, outcome, reason, self._clock.now().timestamp(), final_url, status)
        self._keeper.ended(item, outcome)
        if outcome in _LEFT:
            self._leave_to_copies(item)
        # The site ends as its start page did, unless something better came after a redirect.
        if item.depth == 0 and item.referrer_id is None and reason != FORMER_SITE:
            self.row.outcome, self.row.reason = outcome.value, reason
        elif outcome in TEMPORARY and outcome is Outcome.DEFERRED and self.row.outcome in _ANSWERED:
            self.row.reason = reason
        self._on_page(item.url, outcome)
