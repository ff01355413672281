"""Order of the frontier (V1, V9): breadth-first, depth-first, random, best-first, N-best-first. A link in, a sort key out.

What makes a link promising is a scorer's to say (`scorers`); breadth-first and depth-first ask it too, for links of equal depth.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final, Protocol

from mass_pipeline.crawler.fetching.config import CrawlConfig
from mass_pipeline.crawler.pages.seen_page import SeenPage
from mass_pipeline.crawler.sites.scorers import make_scorer
from mass_pipeline.crawler.sites.scorers.ports import Link, LinkScorer, PageReader

BEST_FIRST: Final = frozenset({"best_first", "n_best_first"})


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
SortKey = tuple[float, float, float]
Strategy = Callable[[Link], SortKey]


def strategy_of(config: CrawlConfig, scorer: LinkScorer | None = None, *, site: str = "") -> Strategy:
    """Sort key of the configured strategy; smaller keys leave the frontier first, ties in order of discovery.

    Args:
        scorer: None means the one that `config.scorer` names.
        site: whose frontier it is; the random order of a site does not depend on the others.
    """
    scoring = scorer or make_scorer(config)
    chance = random.Random(f"{config.seed} {site}")

    def breadth_first(link: Link) -> SortKey:
        return link.depth, -scoring.score(link), 0.0

    def depth_first(link: Link) -> SortKey:
        return -link.depth, -scoring.score(link), 0.0

    def at_random(link: Link) -> SortKey:
        return chance.random(), 0.0, 0.0

    def best_first(link: Link) -> SortKey:
        return -scoring.score(link), link.depth, 0.0

    orders: dict[str, Strategy] = {
        "breadth_first": breadth_first,
        "depth_first": depth_first,
        "random": at_random,
        "best_first": best_first,
        "n_best_first": best_first,
    }
    return orders[config.strategy]


class SiteOrder:
    """The order of one site's frontier, told of its pages.

    Args:
        scorer: one for every site, without memory of pages or with its own care for it; None: a fresh one by `config.scorer`.

    Attributes:
        key: sort key of a link.
        batch: links chosen at once.
        drops_worst: a full frontier drops its worst link, not the newest.
        reads_pages: whether the scorer takes notice of pages.
    """

    def __init__(self, config: CrawlConfig, scorer: LinkScorer | None, parish_id: str) -> None:
        scoring = scorer or make_scorer(config)
        self._reader = scoring if isinstance(scoring, PageReader) and config.strategy != "random" else None
        self.key = strategy_of(config, scoring, site=parish_id)
        self.batch = config.best_at_once if config.strategy == "n_best_first" else 1
        self.drops_worst = config.strategy in BEST_FIRST
        self.reads_pages = self._reader is not None

    def saw(self, page: SeenPage) -> bool:
        """Whether the waiting links should be sorted anew."""
        return self._reader is not None and self._reader.saw(page)
