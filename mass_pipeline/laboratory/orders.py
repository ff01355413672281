"""Every order of the frontier that is compared, with every scorer: for `crawl_sites(order=...)` (V9)."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.sites.frontier import SiteOrder, best_first, breadth_first
from mass_pipeline.laboratory.scorers import SCORERS
from mass_pipeline.laboratory.scorers.query import STANDING_ORDER, Query, query_topic
from mass_pipeline.model.errors import UsageError

STRATEGIES: Final = ("breadth_first", "depth_first", "random", "best_first", "n_best_first")
_AT_ONCE: Final = 8  # links that N-best-first chooses at once


@dataclass(frozen=True, slots=True)
class Order:
    """An order of the frontier.

    Attributes:
        strategy: one of `STRATEGIES`.
        scorer: one of `SCORERS`.
        query: what cosine, shark and importance look for: a topic's name, a topic file (.toml), or words.
        seed: of the random order.

    Raises:
        BadInput: when it is called: the query is no topic, file or words.
    """

    strategy: str = "breadth_first"
    scorer: str = "none"
    query: str = STANDING_ORDER
    seed: int = 1

    def __call__(self, config: CrawlConfig, parish_id: str) -> SiteOrder:
        """A fresh order for one site; the random order of a site does not depend on the others."""
        scorer = SCORERS[self.scorer](Query(query_topic(self.query)))
        chance = random.Random(f"{self.seed} {parish_id}")
        match self.strategy:
            case "breadth_first":
                return breadth_first(scorer)
            case "depth_first":
                return SiteOrder(lambda link: (-link.depth, -scorer.score(link)), scorer)
            case "random":
                return SiteOrder(lambda link: (chance.random(), 0.0), SCORERS["none"](Query()))
            case "best_first":
                return best_first(scorer)
            case _:
                return best_first(scorer, batch=_AT_ONCE)


# Those that are compared, by the names the tables show -> (strategy, scorer).
ARMS: Final = {
    "breadth-first": ("breadth_first", "none"),
    "depth-first": ("depth_first", "none"),
    "random": ("random", "none"),
    "breadth-first, likely words first": ("breadth_first", "words"),
    "best-first, words": ("best_first", "words"),
    "best-first, cosine": ("best_first", "cosine"),
    "N-best-first, cosine": ("n_best_first", "cosine"),
    "best-first, shark-search": ("best_first", "shark"),
    "best-first, importance": ("best_first", "importance"),
    "best-first, learnt": ("best_first", "learnt"),
    "N-best-first, learnt": ("n_best_first", "learnt"),
    "breadth-first, learnt": ("breadth_first", "learnt"),
}


def order_of(arm: str, seed: int) -> Order:
    """The order of an arm.

    Raises:
        UsageError: no such arm.
    """
    if arm not in ARMS:
        raise UsageError(f"no strategy {arm!r}; there are: {', '.join(map(repr, ARMS))}")
    strategy, scorer = ARMS[arm]
    return Order(strategy, scorer, seed=seed)
