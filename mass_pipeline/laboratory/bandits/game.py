"""The game: a page budget over sites whose pages come in a fixed order; how a policy does, and how well one could do.

X(i, j) is the number of external links on the j-th page of site i in breadth-first order (B2, B6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mass_pipeline.laboratory.bandits.statistics import Policy, SiteStatistics

Rewards = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Game:
    """One run of a policy.

    Attributes:
        links: external links found after each page, cumulative; one entry per page fetched.
        pages: pages fetched on each site.
    """

    links: Rewards
    pages: tuple[int, ...]

    @property
    def total(self) -> int:
        """External links found with the whole budget."""
        return int(self.links[-1]) if self.links.size else 0


def play(policy: Policy, sites: Sequence[Rewards], budget: int) -> Game:
    """Let a policy spend a budget.

    Args:
        sites: rewards of every page of every site, in order.
        budget: pages; the game ends earlier when every site is exhausted.
    """
    state = [SiteStatistics(i, is_open=rewards.size > 0) for i, rewards in enumerate(sites)]
    found = np.zeros(min(budget, sum(rewards.size for rewards in sites)), dtype=np.int64)
    total = 0
    for step in range(found.size):
        chosen = state[policy.choose(state)]
        reward = int(sites[chosen.site][chosen.pages])
        chosen.record(reward)
        chosen.is_open = chosen.pages < sites[chosen.site].size
        total += reward
        found[step] = total
    return Game(found, tuple(site.pages for site in state))


def oracle(sites: Sequence[Rewards], budget: int) -> Rewards:
    """The most links any policy can find with 0, 1, ..., budget pages: pages of a site come in order, sites in any share.

    Returns:
        `(budget + 1,)`; exact, by dynamic programming over the sites.
    """
    best = np.zeros(budget + 1, dtype=np.int64)
    for rewards in sites:
        prefix = np.concatenate(([0], np.cumsum(rewards[:budget])))
        merged = best.copy()
        for pages in range(1, prefix.size):
            np.maximum(merged[pages:], best[: budget + 1 - pages] + prefix[pages], out=merged[pages:])
        best = merged
    return best
