"""What the open sites of one crawl share: the session, the store, orders, the renderer, who uses which host, figures."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field

from mass_pipeline.crawling.fetching.outcomes import Outcome
from mass_pipeline.crawling.fetching.urls import BadUrl, UrlParts, canonicalize, split
from mass_pipeline.crawling.rendering import Renderer
from mass_pipeline.crawling.sites.frontier import OrderOfSite, StopRuleFactory
from mass_pipeline.crawling.sites.store import CrawlStore, SiteRow
from mass_pipeline.crawling.state.session import CrawlSession


@dataclass(slots=True)
class CrawlRun:
    """One run.

    Attributes:
        order: makes the order of a site's frontier. stop_rule: makes what ends the asking of new URLs; None: nothing does.
        renderer: shows pages that only scripts fill; None: they stay as they came.
        counts: pages and sites of this run.
        last_url: finished last.
    """

    session: CrawlSession
    store: CrawlStore
    order: OrderOfSite
    stop_rule: StopRuleFactory | None
    renderer: Renderer | None
    counts: Counter[str] = field(default_factory=Counter)
    last_url: str = ""
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)
    _users: dict[str, set[int]] = field(default_factory=dict)  # host -> sites

    def is_shared(self, parts: UrlParts, site_id: int) -> bool:
        """Note that a site uses a host; whether others do too, so that the store must be asked whose a URL is."""
        users = self._users.setdefault(parts.host.removeprefix("www."), set())
        users.add(site_id)
        return len(users) > 1

    async def reading_turn(self) -> None:
        """Answers that come faster than they can be read are begun one after the other: few trees of pages are in memory."""
        async with self._reading:
            await asyncio.sleep(0)  # the network, and who was begun before, have their turn

    def finished(self, url: str, outcome: Outcome) -> None:
        """A URL has its outcome."""
        self.counts["pages"] += outcome in (Outcome.OK, Outcome.NOT_MODIFIED, Outcome.TRUNCATED)
        self.last_url = url
        self.session.finished(url, outcome.value)

    def leave_hosts(self, row: SiteRow, *, forget: bool) -> None:
        """A turn ends: the pace of its hosts is stored for the next run; memory is freed unless other sites live there."""
        for parts in addresses_of(row):
            self.session.downloader.leave(parts, forget=forget and not self.is_shared(parts, row.site_id))


def addresses_of(row: SiteRow) -> list[UrlParts]:
    """The addresses that a site begins with on its hosts, its start URL last; those that are none left out."""
    found = []
    for url in (*row.hosts, row.start_url):
        try:
            found.append(split(canonicalize(url)))
        except BadUrl:
            continue
    return found
