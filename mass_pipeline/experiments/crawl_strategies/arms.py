"""The strategies that are compared, by the names the tables show."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mass_pipeline.crawler.fetching.config import CrawlConfig
from mass_pipeline.model.errors import UsageError

# name -> (strategy, scorer)
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


def config_of(arm: str, base: CrawlConfig, seed: int) -> CrawlConfig:
    """Settings of an arm.

    Raises:
        UsageError: no such arm.
    """
    if arm not in ARMS:
        raise UsageError(f"no strategy {arm!r}; there are: {', '.join(map(repr, ARMS))}")
    strategy, scorer = ARMS[arm]
    return replace(base, strategy=strategy, scorer=scorer, seed=seed)
