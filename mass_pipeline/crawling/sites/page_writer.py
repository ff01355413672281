"""What becomes of a page that came, did not change or was lost: who is told, what is written down, when asked again (J6).

No requests. The interval rule is Heritrix' and Nutch's adaptive schedule in its simplest form: multiply or divide by a constant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.outcomes import LOST, Outcome
from mass_pipeline.crawling.fetching.transport import Answer
from mass_pipeline.crawling.pages.links import PageLinks
from mass_pipeline.crawling.pages.seen_page import SeenPage
from mass_pipeline.crawling.pages.spider import ParsedPage, read_body_aside
from mass_pipeline.crawling.sites.frontier import Item, SiteFrontier, SiteOrder, StopRule
from mass_pipeline.crawling.sites.run import CrawlRun
from mass_pipeline.crawling.sites.store import DAY_SECONDS, CrawlStore, KnownUrl, PageRow
from mass_pipeline.guard.sandbox import in_parsing_thread
from mass_pipeline.model.identifiers import url_md5

_LONGER: Final = 1.5
_SHORTER: Final = 0.5


def days_after_loss(known: KnownUrl | None, outcome: str, config: CrawlConfig) -> float | None:
    """Days until a page is asked for that was known and is gone now, or leads elsewhere: soon, since webmasters err; then later.

    Args:
        known: the page as it stood before this visit; None for one nothing was kept of.
        outcome: of this visit.

    Returns:
        None for an outcome that is no loss.
    """
    if known is None or outcome not in LOST:
        return None
    return next_interval_days(known.interval_days, False, config) if known.outcome == outcome else config.revisit_min_days


def next_interval_days(previous: float | None, changed: bool, config: CrawlConfig) -> float:
    """Days until the next visit of a page.

    Args:
        previous: days between the last two visits; None for a page seen for the first time.
        changed: whether its body differs from the stored one.

    >>> next_interval_days(None, False, CrawlConfig()), next_interval_days(8, True, CrawlConfig())
    (7.0, 4.0)
    """
    if previous is None:
        return config.revisit_first_days
    wanted = previous * (_SHORTER if changed else _LONGER)
    return min(max(wanted, config.revisit_min_days), config.revisit_max_days)


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
                await self.tell(one.item, found[1], None, read.encoding, read.links)
        self._frontier.resort()

    async def tell(self, item: Item, body: bytes, content_type: str | None, encoding: str, links: PageLinks) -> None:
        """Tell of a page, before its links enter the frontier; `encoding` with its reason, as a row has it."""
        name = encoding.partition(";")[0]
        page = SeenPage(self._parish_id, item.url, item.depth, item.text, body, content_type, name, links)
        if self._stop_rule is not None:
            await in_parsing_thread(self._stop_rule.saw, page)
        if self._order.saw(page):
            self._frontier.resort()


class PageKeeper:
    """Of one site.

    Args:
        known: URLs with a page of an earlier run, by number; of the site, which fills it.
    """

    def __init__(self, site_id: int, run: CrawlRun, known: Mapping[int, KnownUrl]) -> None:
        self._site_id, self._known = site_id, known
        self._config, self._store, self._clock = run.session.config, run.store, run.session.clock

    def keep(self, item: Item, answer: Answer, page: ParsedPage, rendering: str | None, *, has_body: bool) -> None:
        """A page came.

        Args:
            rendering: what came of showing it to a browser.
            has_body: whether its text is kept.
        """
        known = self._known.get(item.url_id)
        changed = known is not None and known.body_sha256 != page.sha256
        days = next_interval_days(known.interval_days if known else None, changed, self._config)
        now, headers = self._in_days(0), answer.headers
        row = PageRow(
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
            next_visit_at=now + days * DAY_SECONDS,
            confirmed_at=now,
            rendering=rendering,
        )
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
