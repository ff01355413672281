"""Load one page of a site for the collector: request, redirects, another try, what the page holds. Stores nothing.

Every request goes through the downloader: gate, robots.txt, reservations, pace, and a second method for servers whose HTTP is
broken (B3). Which page comes next is the collector's business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from mass_pipeline.crawling.fetching.chain import Chain, Follower, Stop
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.content_type import named_binary
from mass_pipeline.crawling.fetching.downloader import Downloader
from mass_pipeline.crawling.fetching.outcomes import Outcome
from mass_pipeline.crawling.fetching.scope import Scope, is_blacklisted, registrable_domain
from mass_pipeline.crawling.fetching.urls import base_of, canonical_or_none, identity, split
from mass_pipeline.crawling.pages.links import PageLinks
from mass_pipeline.crawling.pages.spider import ParsedPage, parse_aside
from mass_pipeline.crawling.sites.site_budget import TrapGuard
from mass_pipeline.crawling.web_graph import BadLink, ExternalLink, PagePlace, judge_links
from mass_pipeline.laboratory.link_collection.records import InternalLink, PageFound, SiteStatus, TargetSite


@dataclass(slots=True)
class OpenSite:
    """A site while its pages are read.

    Attributes:
        known: keys of every internal link met so far.
        guard: counts what looks like a trap, over all runs.
    """

    site: TargetSite
    scope: Scope
    guard: TrapGuard
    max_level: int
    domain: str
    known: set[str] = field(default_factory=set)
    hosts: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, site: TargetSite, config: CrawlConfig, max_level: int) -> OpenSite:
        """The site with the hosts that earlier runs found."""
        parts = split(site.start_url)
        scope = Scope(parts, site.scope_prefix, map(split, site.hosts))
        level = site.max_level if site.max_level is not None else max_level
        return cls(site, scope, TrapGuard(config), level, registrable_domain(parts.host), hosts=list(site.hosts))


class PageLoader:
    """Reads pages of open sites.

    Args:
        is_processed: whether a URL of a site was asked before (site number, key).
        has_body: whether another page with these bytes was read before (site number, SHA-256, link).
        merge: identity of links (B4).
    """

    def __init__(
        self,
        downloader: Downloader,
        config: CrawlConfig,
        *,
        is_processed: Callable[[int, str], bool],
        has_body: Callable[[int, bytes, int], bool],
        merge: bool,
    ) -> None:
        self._follower = Follower(
            downloader.fetch, config, attempts=config.max_attempts, patience_seconds=config.max_site_seconds
        )
        self._config = config
        self._is_processed = is_processed
        self._has_body = has_body
        self._merge = merge

    async def load(self, opened: OpenSite, link: InternalLink) -> PageFound:
        """Read the page of a link; never raises for what a server does."""
        if link.level == 0 and is_blacklisted(split(link.url).host, self._config.never_crawl):
            return self._unavailable(Outcome.OUT_OF_SCOPE, f"{opened.domain} is never crawled")
        if opened.guard.is_full(link.url):
            return PageFound(Outcome.TRAP, "enough dated pages of this site were read")
        hosts = list(opened.hosts)
        end = await self._follow(opened, link)
        found = await self._read(opened, link, end)
        if opened.hosts != hosts:
            found.hosts = tuple(opened.hosts)
        found.asked, found.passed, found.final_url = end.asked, list(end.passed), end.url if end.url != link.url else None
        return self._as_start_page(found) if link.level == 0 and end.answer is None else found

    # Requests

    async def _follow(self, opened: OpenSite, link: InternalLink) -> Chain:
        chain = await self._follower.follow(link.url, go_on=partial(self._go_on, opened, link))
        opened.known.update(identity(url, self._merge) for url in chain.passed)
        return chain

    def _go_on(self, opened: OpenSite, link: InternalLink, url: str, target: str) -> Stop | None:
        """Where a redirect leads: on within the site, or out of it (that is a link too), or to what was read before."""
        parts = split(target)
        if link.level == 0 and parts.origin != split(url).origin:
            self._admit(opened, target)
        if not opened.scope.covers(parts):
            return Stop(Outcome.OUT_OF_SCOPE, "redirects to another site")
        if target != link.url and self._is_processed(opened.site.number, identity(target, self._merge)):
            return Stop(Outcome.DUPLICATE, "redirects to a page read before")
        return None

    def _admit(self, opened: OpenSite, target: str) -> None:
        """The start page redirects to another host, to https or to `www.`: that is where the site lives."""
        parts = split(target)
        if not is_blacklisted(parts.host, self._config.never_crawl):
            opened.scope.move(parts)
            if target not in opened.hosts:
                opened.hosts.append(target)

    # Pages

    async def _read(self, opened: OpenSite, link: InternalLink, end: Chain) -> PageFound:
        found = PageFound(end.outcome, end.reason)
        if end.left_for and end.outcome is Outcome.OUT_OF_SCOPE:
            site = registrable_domain(split(end.left_for).host)
            if site != opened.domain:
                found.external = [ExternalLink(opened.site.short_name, link.url, link.level, end.left_for, site, "")]
        answer = end.answer
        if answer is None:
            found.keep_waiting = end.host_is_dead
            found.site_status = SiteStatus.DEFERRED if end.host_is_dead else None
            return found
        found.status, found.size, found.elapsed_ms = answer.status, answer.wire_bytes, round(answer.elapsed * 1000)
        if end.outcome not in (Outcome.OK, Outcome.TRUNCATED):
            if link.level == 0:
                found.site_status = SiteStatus.NOT_AVAILABLE
            return found
        page = await parse_aside(answer)
        found.encoding, found.body_sha256 = page.encoding or None, page.sha256
        found.reason = page.cost or found.reason
        opened.guard.count_page(end.url)
        if answer.body and self._has_body(opened.site.number, page.sha256, link.link_id):
            found.outcome, found.reason = Outcome.DUPLICATE, "same bytes as another page of the site"
            return found
        self._collect(opened, link, end.url, page, found)
        return found

    def _collect(self, opened: OpenSite, link: InternalLink, url: str, page: ParsedPage, found: PageFound) -> None:
        place = PagePlace(opened.site.short_name, link.url, url, opened.site.start_url, opened.domain, link.level)
        judged = list(judge_links(page.links, place))
        found.bad = [one for one in judged if isinstance(one, BadLink)]
        if page.noindex:
            found.outcome, found.reason = Outcome.NOINDEX, "robots directive of the page"
        else:
            found.external = [one for one in judged if isinstance(one, ExternalLink) and one.relation == "external"]
        if not page.nofollow and link.level < opened.max_level:
            found.internal = list(self._internal(opened, url, page.links))

    def _internal(self, opened: OpenSite, url: str, links: PageLinks) -> Iterator[tuple[str, str]]:
        """New URLs of the site in document order, with the reason why one is refused, "" for good ones."""
        base = base_of(url, links.base)
        domains = {opened.domain, registrable_domain(split(url).host)}
        for raw in links.links:
            address = canonical_or_none(raw.href, base) if raw.followed else None
            if address is None:
                continue
            parts = split(address)
            covered = opened.scope.covers(parts)
            if not covered and registrable_domain(parts.host) not in domains:
                continue
            target = opened.scope.spelling(parts).url
            key = identity(target, self._merge)
            if key in opened.known:
                continue
            opened.known.add(key)
            if not covered:
                yield target, "another site of the same domain"
            else:
                yield target, "a file by its name" if named_binary(parts.path) else opened.guard.refuses(target, parts) or ""

    # Sites that cannot be read

    @staticmethod
    def _unavailable(outcome: Outcome, reason: str) -> PageFound:
        return PageFound(outcome, reason, site_status=SiteStatus.NOT_AVAILABLE)

    @staticmethod
    def _as_start_page(found: PageFound) -> PageFound:
        """Without its start page a site is not available, whatever the reason (B3)."""
        found.site_status = SiteStatus.NOT_AVAILABLE
        found.keep_waiting = False
        return found
