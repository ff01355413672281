"""Two stronger policies: they forget, because external links grow rarer (or come in one section) as a site is crawled.

Sources: discounted Thompson sampling: Raj and Kalyani, "Taming non-stationary bandits", arXiv:1707.09727; posterior for
counts: Gamma-Poisson conjugacy. Rotting bandits: Seznec, Menard, Lazaric and Valko, "A single algorithm for both restless
and rested rotting bandits" (RAW-UCB), AISTATS 2020.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from mass_pipeline.crawler.link_bandits.statistics import SiteStatistics, open_sites

_PRIOR_SHAPE = 0.5  # Jeffreys prior of a Poisson rate


class DiscountedThompson:
    """Draws each site's rate of links from its discounted Gamma posterior and takes the largest draw.

    Args:
        memory_pages: pages of a site after which the weight of a reward has fallen to 1/e.
        seed: of the draws.
    """

    def __init__(self, memory_pages: float, seed: int) -> None:
        self._keep = math.exp(-1 / memory_pages)
        self._random = random.Random(seed)
        self._links: dict[int, float] = {}
        self._pages: dict[int, float] = {}
        self._seen: dict[int, int] = {}

    def choose(self, sites: Sequence[SiteStatistics]) -> int:
        for site in sites:
            self._learn(site)
        fresh = next((site for site in sites if site.is_open and not site.pages), None)
        if fresh is not None:
            return fresh.site
        scale = self._scale(sites)
        return max(open_sites(sites), key=lambda site: self._draw(site.site, scale)).site

    def _learn(self, site: SiteStatistics) -> None:
        for reward in site.rewards[self._seen.get(site.site, 0) :]:
            self._links[site.site] = self._links.get(site.site, 0.0) * self._keep + reward
            self._pages[site.site] = self._pages.get(site.site, 0.0) * self._keep + 1
        self._seen[site.site] = site.pages

    def _scale(self, sites: Sequence[SiteStatistics]) -> float:
        """Links per independent event: the index of dispersion; a page of fifty links is one discovery, not fifty."""
        rewards = [reward for site in sites for reward in site.rewards]
        total = sum(rewards)
        return max(1.0, sum(reward * reward for reward in rewards) / total) if total else 1.0

    def _draw(self, site: int, scale: float) -> float:
        shape = _PRIOR_SHAPE + self._links.get(site, 0.0) / scale
        return self._random.gammavariate(shape, scale / (self._pages.get(site, 0.0) + _PRIOR_SHAPE))


class RottingUcb:
    """RAW-UCB: for every window of a site's latest pages an upper bound of the rate; the least of them is its index.

    Args:
        confidence: multiplies the width of the interval; 1 is the theory, less explores less.
    """

    def __init__(self, confidence: float) -> None:
        self._confidence = confidence

    def choose(self, sites: Sequence[SiteStatistics]) -> int:
        fresh = next((site for site in sites if site.is_open and not site.pages), None)
        if fresh is not None:
            return fresh.site
        rewards = [reward for site in sites for reward in site.rewards]
        mean = sum(rewards) / len(rewards)
        deviation = math.sqrt(sum((reward - mean) ** 2 for reward in rewards) / len(rewards)) or 1.0
        width = self._confidence * deviation * math.sqrt(2 * math.log(len(rewards) + 1))
        return max(open_sites(sites), key=lambda site: (_rotting_index(site.rewards, width), -site.site)).site


def _rotting_index(rewards: Sequence[float], width: float) -> float:
    """Least upper bound over windows of 1, 2, 4, ... latest pages and all of them."""
    best = math.inf
    total, pages, window = 0.0, 0, 1
    for reward in reversed(rewards):
        total, pages = total + reward, pages + 1
        if pages == window or pages == len(rewards):
            best = min(best, total / pages + width / math.sqrt(pages))
            window *= 2
    return best
