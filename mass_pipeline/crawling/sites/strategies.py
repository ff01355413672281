"""Order of the frontier (V1): breadth-first, or best-first. A link in, a sort key out. Others are passed to `crawl_sites`.

What makes a link promising is a scorer's to say (`scorers`); breadth-first asks it too, for links of equal depth.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.pages.seen_page import SeenPage
from mass_pipeline.crawling.sites.scorers.ports import Link, LinkScorer, PageReader
from mass_pipeline.crawling.sites.scorers.words import ScheduleWords


class StopRule(Protocol):
    """Decides for one site when nothing new has to be asked any more."""

    def saw(self, page: SeenPage) -> None:
        """Take notice of a page; a page seen again replaces what it said before."""
        ...

    @property
    def reason(self) -> str:
        """Why no further URL is asked; "" while the crawl goes on."""
        ...


StopRuleFactory = Callable[[], StopRule]
SortKey = tuple[float, float]
Strategy = Callable[[Link], SortKey]


class SiteOrder:
    """The order of one site's frontier, told of its pages.

    Args:
        key: sort key of a link; smaller keys leave the frontier first, ties in order of discovery.
        scorer: what `key` asks; told of pages where it reads them.
        batch: links chosen at once.
        drops_worst: a full frontier drops its worst link, not the newest.

    Attributes:
        reads_pages: whether the scorer takes notice of pages.
    """

    def __init__(self, key: Strategy, scorer: LinkScorer, *, batch: int = 1, drops_worst: bool = False) -> None:
        self.key, self.batch, self.drops_worst = key, batch, drops_worst
        self._reader = scorer if isinstance(scorer, PageReader) else None
        self.reads_pages = self._reader is not None

    def saw(self, page: SeenPage) -> bool:
        """Whether the waiting links should be sorted anew."""
        return self._reader is not None and self._reader.saw(page)


OrderOfSite = Callable[[CrawlConfig, str], SiteOrder]  # settings and parish_id; called once for each site


def breadth_first(scorer: LinkScorer) -> SiteOrder:
    """Level by level; the scorer orders the links of a level."""
    return SiteOrder(lambda link: (link.depth, -scorer.score(link)), scorer)


def best_first(scorer: LinkScorer, *, batch: int = 1) -> SiteOrder:
    """The highest score first; so many at a time before what they led to is looked at (N-best-first)."""
    return SiteOrder(lambda link: (-scorer.score(link), link.depth), scorer, batch=batch, drops_worst=True)


def configured_order(config: CrawlConfig, parish_id: str) -> SiteOrder:
    """A fresh order for one site, by `config.strategy` and `config.scorer`."""
    scorer: LinkScorer = ScheduleWords()
    if config.scorer == "learnt":
        from mass_pipeline.crawling.sites.scorers.learnt import LearntScorer  # its topic and weights cost memory and a start

        scorer = LearntScorer()
    return best_first(scorer) if config.strategy == "best_first" else breadth_first(scorer)
