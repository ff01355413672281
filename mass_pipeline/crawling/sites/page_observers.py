"""Who takes notice of the pages of one site before their links are followed: scorer and stop rule. No requests, no policy."""

from __future__ import annotations

from collections.abc import Iterable

from mass_pipeline.crawling.fetching.transport import Answer
from mass_pipeline.crawling.pages.links import PageLinks
from mass_pipeline.crawling.pages.seen_page import SeenPage
from mass_pipeline.crawling.pages.spider import ParsedPage, read_body_aside
from mass_pipeline.crawling.sites.frontier import Item, SiteFrontier
from mass_pipeline.crawling.sites.rows import KnownUrl
from mass_pipeline.crawling.sites.store import CrawlStore
from mass_pipeline.crawling.sites.strategies import SiteOrder, StopRule
from mass_pipeline.guard.sandbox import in_parsing_thread
from mass_pipeline.model.identifiers import url_md5


class PageObservers:
    """Scorer and stop rule of one site."""

    def __init__(self, parish_id: str, order: SiteOrder, stop_rule: StopRule | None, frontier: SiteFrontier) -> None:
        self._parish_id = parish_id
        self._order = order
        self._stop_rule = stop_rule
        self._frontier = frontier

    @property
    def stopped(self) -> str:
        """Why no new page is asked for, "" while they are."""
        return self._stop_rule.reason if self._stop_rule is not None else ""

    async def recall(self, pages: Iterable[KnownUrl], store: CrawlStore) -> None:
        """Tell of the pages that earlier runs stored."""
        known = list(pages)
        if not known or not (self._order.reads_pages or self._stop_rule is not None):
            return
        for one in known:
            found = store.body_of(bytes.fromhex(url_md5(one.item.url)))
            if found is not None:
                read = await read_body_aside(found[1], None)
                await self.tell(one.item, found[1], None, read.encoding.partition(";")[0], read.links)
        self._frontier.resort()

    async def tell_answer(self, item: Item, answer: Answer, page: ParsedPage) -> None:
        """Tell of a page that has just come."""
        await self.tell(item, answer.body, answer.headers.get("Content-Type"), page.encoding.partition(";")[0], page.links)

    async def tell(self, item: Item, body: bytes, content_type: str | None, encoding: str, links: PageLinks) -> None:
        """Tell of a page, before its links enter the frontier."""
        page = SeenPage(self._parish_id, item.url, item.depth, item.text, body, content_type, encoding, links)
        if self._stop_rule is not None:
            await in_parsing_thread(self._stop_rule.saw, page)
        if self._order.saw(page):
            self._frontier.resort()
