"""Crawl one site: take a URL, fetch it, keep the page, follow its links (the eight-step data flow of P6). One request at a time.

Policies decide, this module only asks them in order; everything that must survive goes to the store at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from mass_pipeline.crawler.clock import Clock
from mass_pipeline.crawler.config import CrawlConfig
from mass_pipeline.crawler.content_type import named_binary
from mass_pipeline.crawler.downloader import Downloader, Failure
from mass_pipeline.crawler.frontier import Added, Item, SiteFrontier
from mass_pipeline.crawler.gate import GateRefusal
from mass_pipeline.crawler.links import PageLinks, read_links
from mass_pipeline.crawler.near_duplicates import SeriesGuard
from mass_pipeline.crawler.outcomes import REFUSING_STATUSES, RETRIED_STATUSES, TEMPORARY, Outcome, outcome_of_status
from mass_pipeline.crawler.recrawl import DAY_SECONDS, next_interval_days
from mass_pipeline.crawler.scope import Scope, is_blacklisted, registrable_domain
from mass_pipeline.crawler.spider import ParsedPage, parse
from mass_pipeline.crawler.store import MAX_REFUSED_LINKS, CrawlStore, KnownUrl, SiteRow
from mass_pipeline.crawler.strategies import Link, Strategy
from mass_pipeline.crawler.transport import Answer
from mass_pipeline.crawler.traps import TrapGuard
from mass_pipeline.crawler.urls import BadUrl, UrlParts, canonicalize, identity, split
from mass_pipeline.extraction.charset import decode
from mass_pipeline.model.identifiers import url_md5

_BUDGET: Final = "page budget of the site is spent"
MAX_MEMO: Final = 20_000  # hrefs remembered per site


class SiteCrawl:
    """One open site.

    Args:
        row: the site as the store knows it; updated in place.
        shared: whether a URL of a host may belong to another site (then the store is asked).
        on_page: told the URL and outcome of every finished URL.
        on_error: told about an unexpected exception at a page (J4).
    """

    def __init__(
        self,
        row: SiteRow,
        *,
        config: CrawlConfig,
        store: CrawlStore,
        downloader: Downloader,
        strategy: Strategy,
        clock: Clock,
        shared: Callable[[UrlParts, int], bool],
        on_page: Callable[[str, Outcome], None],
        on_error: Callable[[str, Exception], None],
    ) -> None:
        self.row = row
        self._config = config
        self._store = store
        self._downloader = downloader
        self._clock = clock
        self._shared = shared
        self._on_page = on_page
        self._on_error = on_error
        self._frontier = SiteFrontier(strategy, config.frontier_capacity, drop_worst=config.strategy == "best_first")
        self._guard = TrapGuard(config)
        self._series = SeriesGuard(config.near_duplicate_bits)
        self._digests: dict[bytes, int] = {}
        self._known: dict[int, KnownUrl] = {}
        self._memo: dict[str, int] = {}  # href as written -> least depth it was looked at
        self._dead: dict[str, str] = {}
        self._refused = 0
        self._scope: Scope | None = None

    async def run(self) -> None:
        """Crawl until nothing is left, the budget is spent or the host is dead; never raises for what a site does."""
        began = self._clock.steady()
        earlier = self.row.seconds
        self.row.status = "open"
        self._store.put_site(self.row)
        if self._open():
            await self._work(began)
        self.row.status = "finished"
        self.row.seconds = earlier + self._clock.steady() - began
        self._store.put_site(self.row)

    # Opening

    def _open(self) -> bool:
        """Load what is known and enter the start URL; False when the start URL cannot be crawled at all."""
        try:
            start = canonicalize(self.row.start_url)
        except BadUrl as error:
            return self._end_site(Outcome.BAD_URL, str(error))
        parts = split(start)
        self.row.domain = registrable_domain(parts.host)
        if is_blacklisted(parts.host, self._config.never_crawl):
            return self._end_site(Outcome.OUT_OF_SCOPE, f"{self.row.domain} is never crawled")
        self._scope = Scope(parts, self.row.scope_prefix)
        for host in self.row.hosts:
            self._scope.admit(split(host))
        for known in self._store.load_urls(self.row.site_id):
            self._restore(known)
        item = Item(0, start, identity(start, self._config.merge_case_and_slash), 0)
        if self._frontier.status(item.key, 0) is Added.NEW and not self._enter(item, parts, ""):
            return self._end_site(Outcome.DUPLICATE, "the start page belongs to another parish")
        return True

    def _restore(self, known: KnownUrl) -> None:
        item = known.item
        item.key = identity(item.url, self._config.merge_case_and_slash)
        if known.body_sha256 is not None:
            self._known[item.url_id] = known
            self._digests.setdefault(known.body_sha256, item.url_id)
            self._guard.count_page(item.url)
        if known.waiting and item.attempts <= self._config.max_attempts:
            self._frontier.add(item, self._link(item))
            return
        self._frontier.remember(item.key, item.depth)
        if known.waiting:
            self._finish(item, Outcome.ERROR, "the process died again and again while asking for it")

    def _end_site(self, outcome: Outcome, reason: str) -> bool:
        self.row.outcome, self.row.reason = outcome.value, reason
        return False

    # The loop

    async def _work(self, began: float) -> None:
        while True:
            now = self._clock.steady()
            if now - began > self._config.max_site_seconds:
                self._defer_rest("time budget of the site is spent")
                return
            item = self._frontier.take(now)
            if item is None:
                due = self._frontier.due_at()
                if due is None:
                    return
                await asyncio.sleep(max(due - now, 0.0))
                continue
            try:
                await self._visit(item)
            except Exception as error:  # J4: whatever a page does, it ends at the page
                self._on_error(item.url, error)
                self._finish(item, Outcome.ERROR, f"{type(error).__name__}")

    async def _visit(self, item: Item) -> None:
        """Ask for one URL."""
        if not item.known and self._guard.is_full(item.url):
            self._finish(item, Outcome.TRAP, _BUDGET)
            return
        parts = split(item.url)
        if not item.known and self._series.is_closed(parts.path + parts.query):
            self._finish(item, Outcome.TRAP, "its series repeats itself")
            return
        if parts.host in self._dead:
            self._finish(item, Outcome.DEFERRED, self._dead[parts.host])
            return
        item.attempts += 1
        self._store.leased.add(item.url_id)
        try:
            answer = await self._downloader.fetch(item.url, parts, self._conditions(item))
        except GateRefusal as error:
            self._finish(item, error.outcome, error.reason)
        except Failure as error:
            self._failed(item, parts, error)
        else:
            self.row.requests += 1
            self.row.body_bytes += answer.wire_bytes
            self._answered(item, parts, answer)

    def _conditions(self, item: Item) -> dict[str, str]:
        known = self._known.get(item.url_id)
        if known is None:
            return {}
        headers = {"If-None-Match": known.etag, "If-Modified-Since": known.last_modified}
        return {name: value for name, value in headers.items() if value}

    def _failed(self, item: Item, parts: UrlParts, error: Failure) -> None:
        if error.host_is_dead:
            self._dead[parts.host] = error.reason
        elif error.retriable and item.attempts < self._config.max_attempts:
            self._retry(item)  # the pace of the host holds the wait
            return
        self._finish(item, error.outcome, error.reason)

    def _retry(self, item: Item) -> None:
        self._store.put_retry(item, self._clock.now().timestamp())
        self._frontier.retry(item, self._clock.steady())

    def _defer_rest(self, reason: str) -> None:
        for item in self._frontier.drain():
            self._finish(item, Outcome.DEFERRED, reason)

    # Answers

    def _answered(self, item: Item, parts: UrlParts, answer: Answer) -> None:
        status = answer.status
        if status == 304 and item.known:
            self._unchanged(item)
        elif status in RETRIED_STATUSES and item.attempts < self._config.max_attempts:
            self._retry(item)
        elif status in (301, 302, 303, 307, 308) and answer.headers.get("Location"):
            self._redirected(item, answer.headers["Location"], status)
        elif status == 200:
            self._received(item, parts, answer)
        elif status in (404, 410) and item.known:
            self._store.page_checked(item.url_id, self._config.revisit_max_days, self._in_days(self._config.revisit_max_days))
            self._finish(item, Outcome.GONE, f"HTTP {status}", status=status)
        elif status in REFUSING_STATUSES:
            self._finish(item, Outcome.REFUSED, f"HTTP {status}", status=status)
        else:
            outcome = outcome_of_status(status)
            self._finish(item, Outcome.PROTOCOL_ERROR if outcome is Outcome.OK else outcome, f"HTTP {status}", status=status)

    def _unchanged(self, item: Item) -> None:
        days = next_interval_days(self._known[item.url_id].interval_days, False, self._config)
        self._store.page_checked(item.url_id, days, self._in_days(days))
        self._finish(item, Outcome.NOT_MODIFIED, "", status=304)

    def _redirected(self, item: Item, location: str, status: int) -> None:
        try:
            target = canonicalize(location, item.url)
        except BadUrl as error:
            self._finish(item, Outcome.BAD_URL, f"redirects to a bad address ({error})", status=status)
            return
        self._finish(item, Outcome.REDIRECT, "", final_url=target, status=status)
        if item.hops >= self._config.max_redirects:
            self._refuse(item.url_id, target, Outcome.TRAP, f"more than {self._config.max_redirects} redirects", "")
            return
        parts = split(target)
        assert self._scope is not None
        if item.depth == 0 and item.referrer_id is None and not self._scope.covers(parts):
            self._admit(target, parts)
        self._consider(
            target, Item(0, target, "", item.depth, item.referrer_id, item.text, hops=item.hops + 1), lambda: item.text
        )

    def _admit(self, target: str, parts: UrlParts) -> None:
        """The start URL redirects to another host: that host belongs to the site too."""
        if is_blacklisted(parts.host, self._config.never_crawl):
            return
        assert self._scope is not None
        self._scope.admit(parts)
        self.row.hosts.append(target)
        self._shared(parts, self.row.site_id)  # announces the host
        self._store.put_site(self.row)

    def _received(self, item: Item, parts: UrlParts, answer: Answer) -> None:
        if answer.bomb:
            self._finish(item, Outcome.TOO_LARGE, "decompression bomb", status=200)
            return
        if not answer.complete and item.attempts < 2:
            self._retry(item)
            return
        if not answer.is_text:
            self._finish(item, Outcome.NOT_TEXT, answer.headers.get("Content-Type", "")[:100], status=200)
            return
        page = parse(answer)
        self._series.repeats(parts.path + parts.query, answer.body)
        outcome, reason = self._judge(item, answer, page)
        self._keep(item, answer, page, outcome)
        self._finish(item, outcome, reason, status=200)
        if outcome is not Outcome.DUPLICATE and not page.nofollow:
            self._follow(item, page.links)

    def _judge(self, item: Item, answer: Answer, page: ParsedPage) -> tuple[Outcome, str]:
        if page.noindex:
            return Outcome.NOINDEX, "robots directive of the page"
        twin = self._digests.setdefault(page.sha256, item.url_id)
        if twin != item.url_id and answer.body:
            return Outcome.DUPLICATE, "same bytes as another page of the site"
        if answer.truncated or not answer.complete:
            return Outcome.TRUNCATED, "longer than the limit" if answer.truncated else "the connection broke"
        return Outcome.OK, ""

    def _keep(self, item: Item, answer: Answer, page: ParsedPage, outcome: Outcome) -> None:
        known = self._known.get(item.url_id)
        changed = known is not None and known.body_sha256 != page.sha256
        days = next_interval_days(known.interval_days if known else None, changed, self._config)
        has_body = outcome in (Outcome.OK, Outcome.TRUNCATED)
        headers = answer.headers
        now = self._clock.now().timestamp()
        values = (
            item.url_id, headers.get("Content-Type"), page.encoding, headers.get("ETag"), headers.get("Last-Modified"), now,
            round(answer.elapsed * 1000), answer.truncated, answer.tls_verified, page.sha256, days, now + days * DAY_SECONDS,
        )  # fmt: skip
        self._store.put_page(self.row.site_id, values, answer.body if has_body else None)
        if has_body and known is None:
            self._guard.count_page(item.url)

    def _in_days(self, days: float) -> float:
        return self._clock.now().timestamp() + days * DAY_SECONDS

    # Links

    def _follow(self, item: Item, links: PageLinks) -> None:
        depth = item.depth + 1
        if depth > self._config.max_depth:
            return
        base = item.url
        if links.base:
            try:
                base = canonicalize(links.base, item.url)
            except BadUrl:
                base = item.url
        folder = base[: base.rfind("/") + 1]
        memo = self._memo
        if len(memo) > MAX_MEMO:
            memo.clear()
        for link in links.links:
            key = _memo_key(link.href, folder)
            if depth >= memo.get(key, depth + 1):
                continue  # looked at before: navigation repeats on every page
            if not link.followed:
                self._refuse(item.url_id, link.href, Outcome.FORBIDDEN_BY_ROBOTS, "nofollow", "")
                continue
            if key:
                memo[key] = depth
            self._link_found(item, link.href, base, depth, link.text)

    def _link_found(self, item: Item, href: str, base: str, depth: int, text: Callable[[], str]) -> None:
        try:
            url = canonicalize(href, base)
        except BadUrl as error:
            self._refuse(item.url_id, href, Outcome.BAD_URL, str(error), text())
            return
        self._consider(url, Item(0, url, "", depth, item.url_id), text)

    def _consider(self, url: str, item: Item, text: Callable[[], str]) -> None:
        """Take a URL into the frontier, or write down why not."""
        assert self._scope is not None
        item.key = identity(url, self._config.merge_case_and_slash)
        status = self._frontier.status(item.key, item.depth)
        if status is Added.KNOWN:
            return
        if status is Added.SHORTER:
            self._shorter(item)
            return
        parts = split(url)
        source = item.referrer_id or 0
        if not self._scope.covers(parts):
            self._refuse(source, url, Outcome.OUT_OF_SCOPE, "another site", text())
        elif named_binary(parts.path) and not (self._config.keep_pdf and parts.path.lower().endswith(".pdf")):
            self._refuse(source, url, Outcome.NOT_TEXT, "by its name", text())
            self._frontier.remember(item.key, item.depth)
        elif (reason := self._guard.refuses(url, parts)) is not None:
            self._refuse(source, url, Outcome.TRAP, reason, "")
        elif status is Added.FULL:
            self._refuse(source, url, Outcome.TRAP, "the frontier of the site is full", "")
        else:
            self._enter(item, parts, text())

    def _enter(self, item: Item, parts: UrlParts, text: str) -> bool:
        """Add a URL that is new to this site; False when it belongs to another one."""
        md5 = bytes.fromhex(url_md5(item.url))
        if self._shared(parts, self.row.site_id) and self._store.owner_of(md5) not in (None, self.row.site_id):
            self._refuse(item.referrer_id or 0, item.url, Outcome.DUPLICATE, "belongs to another parish", text)
            self._frontier.remember(item.key, item.depth)
            return False
        item.url_id = self._store.new_url_id()
        item.text = text
        self._frontier.add(item, self._link(item))
        self._store.add_url(self.row.site_id, item, md5)
        for dropped in self._frontier.dropped:
            self._finish(dropped, Outcome.TRAP, "pushed out of a full frontier")
        self._frontier.dropped.clear()
        return True

    def _shorter(self, item: Item) -> None:
        """Visited before over a longer way: its links may now be within reach."""
        found = self._store.body_of(item.url, bytes.fromhex(url_md5(item.url)))
        if found is not None:
            item.url_id = found[0]
            self._store.set_waiting(item)
            self._follow(item, read_links(decode(found[1]).text))

    def _link(self, item: Item) -> Link:
        return Link(item.url, item.text, item.depth, "", self.row.parish_id)

    def _refuse(self, referrer_id: int, href: str, outcome: Outcome, reason: str, text: str) -> None:
        self._refused += 1
        if self._refused <= MAX_REFUSED_LINKS:
            self._store.put_refused_link(self.row.site_id, referrer_id, href, outcome, reason, text)

    def _finish(
        self, item: Item, outcome: Outcome, reason: str, *, final_url: str | None = None, status: int | None = None
    ) -> None:
        self._store.finish_url(item, outcome, reason, self._clock.now().timestamp(), final_url, status)
        # The site ends as its start page did, unless something better came of it behind a redirect.
        if item.depth == 0 and item.referrer_id is None:
            self.row.outcome, self.row.reason = outcome.value, reason
        elif outcome in TEMPORARY and outcome is Outcome.DEFERRED and self.row.outcome in ("ok", "not_modified"):
            self.row.reason = reason
        self._on_page(item.url, outcome)


def _memo_key(href: str, folder: str) -> str:
    """What decides where an href leads: itself, or with the folder of its page; "" when it needs the whole page address."""
    if href[:1] == "/" or href[:4] == "http":
        return href
    return "" if href[:1] in ("?", "") else f"{folder}\n{href}"
