"""The strategies that are compared, by the names the tables show."""

from __future__ import annotations

from typing import Final

from mass_pipeline.laboratory.orders import Order
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


def order_of(arm: str, seed: int) -> Order:
    """The order of an arm.

    Raises:
        UsageError: no such arm.
    """
    if arm not in ARMS:
        raise UsageError(f"no strategy {arm!r}; there are: {', '.join(map(repr, ARMS))}")
    strategy, scorer = ARMS[arm]
    return Order(strategy, scorer, seed=seed)
