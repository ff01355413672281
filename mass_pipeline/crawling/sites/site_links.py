"""Links of one open site: which enter its frontier, which are written down as refused, and why.

Policies (scope, traps, identity) are asked in order; no network here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from mass_pipeline.crawling.fetching.content_type import named_binary
from mass_pipeline.crawling.fetching.outcomes import Outcome
from mass_pipeline.crawling.fetching.scope import Scope
from mass_pipeline.crawling.fetching.urls import BadUrl, UrlParts, base_of, canonicalize, identity, split
from mass_pipeline.crawling.pages.links import PageLinks, read_links
from mass_pipeline.crawling.sites.frontier import Added, Item, Link, SiteFrontier
from mass_pipeline.crawling.sites.run import CrawlRun
from mass_pipeline.crawling.sites.site_budget import TrapGuard
from mass_pipeline.crawling.sites.store import MAX_REFUSED_LINKS, SiteRow
from mass_pipeline.model.identifiers import url_md5
from mass_pipeline.reading.text.charset import decode

_MAX_MEMO: Final = 20_000  # hrefs remembered per site
_NOTHING: Final = ""


class SiteLinks:
    """Turns links into frontier items.

    Args:
        finish: ends an item that leaves the frontier unasked.
    """

    def __init__(
        self, row: SiteRow, run: CrawlRun, scope: Scope, frontier: SiteFrontier, guard: TrapGuard,
        finish: Callable[[Item, Outcome, str], None],
    ) -> None:  # fmt: skip
        self.config, self.scope = run.session.config, scope
        self._row, self._run, self._store = row, run, run.store
        self._frontier, self._guard, self._finish = frontier, guard, finish
        self._memo: dict[str, int] = {}  # href as written -> least depth it was looked at
        self._refused = 0

    def start(self, url: str) -> bool:
        """Enter the start URL unless it is known; False when it belongs to another site."""
        item = Item(0, url, identity(url, self.config.merge_case_and_slash), 0)
        return self._frontier.status(item.key, 0) is not Added.NEW or self._enter(item, split(url), _NOTHING, _NOTHING)

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
            if not link.followed:
                self.refuse(item.url_id, link.href, Outcome.FORBIDDEN_BY_ROBOTS, "nofollow", _NOTHING)
                continue
            if key:
                memo[key] = depth
            self._found(item, link.href, base, depth, link.text)

    def redirect(self, item: Item, target: str) -> None:
        """Consider the target of a redirect: as deep as the URL that redirects, asked exactly as it says."""
        if item.hops >= self.config.max_redirects:
            self.refuse(item.url_id, target, Outcome.TRAP, f"more than {self.config.max_redirects} redirects", _NOTHING)
            return
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

    def refuse(self, referrer_id: int, href: str, outcome: Outcome, reason: str, text: str) -> None:
        """Write down a link that is not followed."""
        self._refused += 1
        if self._refused <= MAX_REFUSED_LINKS:
            self._store.put_refused_link(self._row.site_id, referrer_id, href, outcome, reason, text)

    def link_of(self, item: Item, referrer: str = _NOTHING) -> Link:
        """What the strategy sees of an item."""
        return Link(item.url, item.text, item.depth, referrer, self._row.parish_id)

    def _found(self, page: Item, href: str, base: str, depth: int, text: Callable[[], str]) -> None:
        try:
            url = canonicalize(href, base)
        except BadUrl as error:
            self.refuse(page.url_id, href, Outcome.BAD_URL, str(error), text())
            return
        self._consider(Item(0, url, _NOTHING, depth, page.url_id), page.url, text)

    def _consider(self, item: Item, referrer: str, text: Callable[[], str]) -> None:
        """Take a URL into the frontier, or write down why not."""
        item.key = identity(item.url, self.config.merge_case_and_slash)
        status = self._frontier.status(item.key, item.depth)
        if status is Added.KNOWN:
            return
        if status is Added.SHORTER:
            self._expand_again(item)
            return
        parts = split(item.url)
        if not self.scope.covers(parts):
            self.refuse(item.referrer_id or 0, item.url, Outcome.OUT_OF_SCOPE, "another site", text())
        elif not item.hops and (spelled := self.scope.spelling(parts)) != parts:
            self._frontier.remember(item.key, item.depth)
            item.url = spelled.url
            self._consider(item, referrer, text)
        elif (refusal := self._refusal(item, parts, status)) is not None:
            self._frontier.remember(item.key, item.depth)
            self.refuse(item.referrer_id or 0, item.url, *refusal, text())
        else:
            self._enter(item, parts, text(), referrer)

    def _refusal(self, item: Item, parts: UrlParts, status: Added) -> tuple[Outcome, str] | None:
        if named_binary(parts.path) and not (self.config.keep_pdf and parts.path.lower().endswith(".pdf")):
            return Outcome.NOT_TEXT, "by its name"
        if status is Added.FULL:
            return Outcome.TRAP, "the frontier of the site is full"
        reason = self._guard.refuses(item.url, parts)
        return None if reason is None else (Outcome.TRAP, reason)

    def _enter(self, item: Item, parts: UrlParts, text: str, referrer: str) -> bool:
        """Add a URL that is new to this site; False when it belongs to another one."""
        md5 = bytes.fromhex(url_md5(item.url))
        if self._run.is_shared(parts, self._row.site_id) and self._store.owner_of(md5) not in (None, self._row.site_id):
            self.refuse(item.referrer_id or 0, item.url, Outcome.DUPLICATE, "belongs to another parish", text)
            self._frontier.remember(item.key, item.depth)
            return False
        item.url_id = self._store.new_url_id()
        item.text = text
        self._frontier.add(item, self.link_of(item, referrer))
        self._store.add_url(self._row.site_id, item, md5)
        for dropped in self._frontier.dropped:
            self._finish(dropped, Outcome.TRAP, "pushed out of a full frontier")
        self._frontier.dropped.clear()
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
