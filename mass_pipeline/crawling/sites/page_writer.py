"""What is written down of a page that came, did not change or was lost, and when it is asked for again. No requests."""

from __future__ import annotations

from collections.abc import Mapping

from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.outcomes import Outcome
from mass_pipeline.crawling.fetching.transport import Answer
from mass_pipeline.crawling.pages.spider import ParsedPage
from mass_pipeline.crawling.sites.frontier import Item
from mass_pipeline.crawling.sites.recrawl import DAY_SECONDS, days_after_loss, next_interval_days
from mass_pipeline.crawling.sites.rows import KnownUrl, PageRow
from mass_pipeline.crawling.sites.store import CrawlStore


class PageKeeper:
    """Of one site.

    Args:
        known: URLs with a page of an earlier run, by number; of the site, which fills it.
    """

    def __init__(self, site_id: int, config: CrawlConfig, store: CrawlStore, clock: Clock, known: Mapping[int, KnownUrl]) -> None:
        self._site_id = site_id
        self._config = config
        self._store = store
        self._clock = clock
        self._known = known

    def keep(self, item: Item, answer: Answer, page: ParsedPage, rendering: str | None, *, has_body: bool) -> None:
        """A page came.

        Args:
            rendering: what came of showing it to a browser.
            has_body: whether its text is kept.
        """
        known = self._known.get(item.url_id)
        changed = known is not None and known.body_sha256 != page.sha256
        days = next_interval_days(known.interval_days if known else None, changed, self._config)
        now, again_at = self._in_days(0), self._in_days(days)
        row = PageRow.of(
            item.url_id, answer, page, now=now, days=days, again_at=again_at, has_body=has_body, rendering=rendering
        )  # fmt: skip
        self._store.put_page(self._site_id, row)

    def unchanged(self, item: Item) -> None:
        """Its server says that a known page is what it was."""
        days = next_interval_days(self._known[item.url_id].interval_days, False, self._config)
        self._store.page_checked(item.url_id, days, self._in_days(days), self._clock.now().timestamp())

    def ended(self, item: Item, outcome: Outcome) -> None:
        """A look at a URL ended: a page that was known and seems lost is asked for again soon."""
        if (days := days_after_loss(self._known.get(item.url_id), outcome, self._config)) is not None:
            self._store.page_checked(item.url_id, days, self._in_days(days))

    def _in_days(self, days: float) -> float:
        return self._clock.now().timestamp() + days * DAY_SECONDS
