"""Load one page of a site for the collector: request, redirects, another try, what the page holds. Stores nothing.

Every request goes through the downloader: gate, robots.txt, reservations, pace, and a second method for servers whose HTTP is
broken (B3). Which page comes next is the collector's business.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

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
from mass_pipeline.laboratory.link_collection.store import LinkStore


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

    @classmethod
    def of(cls, site: TargetSite, config: CrawlConfig, max_level: int) -> OpenSite:
        """The site with the hosts that earlier runs found."""
        parts = split(site.start_url)
        scope = Scope(parts, site.scope_prefix, site.hosts)
        level = site.max_level if site.max_level is not None else max_level
        return cls(site, scope, TrapGuard(config), level, registrable_domain(parts.host))


class PageLoader:
    """Reads pages of open sites.

    Args:
        store: knows what was read before.
        merge: identity of links (B4).
    """

    def __init__(self, downloader: Downloader, config: CrawlConfig, store: LinkStore, *, merge: bool) -> None:
        self._follower = Follower(
            downloader.fetch, config, attempts=config.max_attempts, patience_seconds=config.max_site_seconds
        )
        self._config, self._store, self._merge = config, store, merge

    async def load(self, opened: OpenSite, link: InternalLink) -> PageFound:
        """Read the page of a link; never raises for what a server does."""
        if link.level == 0 and is_blacklisted(split(link.url).host, self._config.never_crawl):
            reason = f"{opened.domain} is never crawled"
            return PageFound(Outcome.OUT_OF_SCOPE, reason, site_status=SiteStatus.NOT_AVAILABLE)
        if opened.guard.is_full(link.url):
            return PageFound(Outcome.TRAP, "enough dated pages of this site were read")

        def go_on(url: str, target: str) -> Stop | None:
            is_known = target != link.url and self._store.is_processed(opened.site.number, identity(target, self._merge))
            return Stop(Outcome.DUPLICATE, "redirects to a page read before") if is_known else None

        end = await self._follower.follow(link.url, scope=opened.scope, is_start=link.level == 0, go_on=go_on)
        opened.known.update(identity(url, self._merge) for url in end.passed)
        found = await self._read(opened, link, end)
        found.hosts = tuple(opened.scope.moved_to)
        found.asked, found.passed, found.final_url = end.asked, list(end.passed), end.url if end.url != link.url else None
        if link.level == 0 and end.answer is None:  # without its start page a site is not available, whatever the reason (B3)
            found.site_status, found.keep_waiting = SiteStatus.NOT_AVAILABLE, False
        return found

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
        if answer.body and self._store.has_body(opened.site.number, page.sha256, link.link_id):
            found.outcome, found.reason = Outcome.DUPLICATE, "same bytes as another page of the site"
            return found
        self._collect(opened, link, end.url, page, found)
        return found

    def _collect(self, opened: OpenSite, link: InternalLink, url: str, page: ParsedPage, found: PageFound) -> None:
        place = PagePlace(opened.site.short_name, link.url, url, opened.site.start_url, opened.domain, link.level)
        judged = list(judge_links(page.links, place))
        found.bad = [bad for bad in judged if isinstance(bad, BadLink)]
        if page.noindex:
            found.outcome, found.reason = Outcome.NOINDEX, "robots directive of the page"
        else:
            found.external = [away for away in judged if isinstance(away, ExternalLink) and away.relation == "external"]
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
