"""Two stronger policies: they forget, because external links grow rarer (or come in one section) as a site is crawled.

Sources: discounted Thompson sampling: Raj and Kalyani, "Taming non-stationary bandits", arXiv:1707.09727; posterior for
counts: Gamma-Poisson conjugacy. Rotting bandits: Seznec, Menard, Lazaric and Valko, "A single algorithm for both restless
and rested rotting bandits" (RAW-UCB), AISTATS 2020.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from mass_pipeline.crawler.link_bandits.statistics import SiteStatistics, least_visited, open_sites

_PRIOR_SHAPE = 1.0  # one link on one page: hopeful enough to look at a poor site again (swept 0.5 and 1: docs/link-bandits.md)
_PRIOR_PAGES = 1.0


class DiscountedThompson:
    """Draws each site's rate of links from its discounted Gamma posterior and takes the largest draw.

    What was seen of a site fades with every page fetched anywhere, so a site left alone becomes interesting again.

    Args:
        memory_pages: pages (of all sites) after which the weight of an observation has fallen to 1/e.
        seed: of the draws.
    """

    def __init__(self, memory_pages: float, seed: int) -> None:
        self._keep = math.exp(-1 / memory_pages)
        self._random = random.Random(seed)
        self._links: list[float] = []
        self._pages: list[float] = []
        self._seen: list[int] = []
        self._total = self._squares = 0.0

    def choose(self, sites: Sequence[SiteStatistics]) -> int:
        if not self._links:
            self._links, self._pages, self._seen = ([0.0] * len(sites), [0.0] * len(sites), [0] * len(sites))
        for site in sites:
            self._learn(site)
        # Links per independent event: a page of fifty links is one discovery, not fifty (index of dispersion).
        scale = max(1.0, self._squares / self._total) if self._total else 1.0
        return max(open_sites(sites), key=lambda site: self._draw(site.site, scale)).site

    def _learn(self, site: SiteStatistics) -> None:
        for reward in site.rewards[self._seen[site.site] :]:
            self._links = [links * self._keep for links in self._links]
            self._pages = [pages * self._keep for pages in self._pages]
            self._links[site.site] += reward
            self._pages[site.site] += 1
            self._total += reward
            self._squares += reward * reward
        self._seen[site.site] = site.pages

    def _draw(self, site: int, scale: float) -> float:
        shape = _PRIOR_SHAPE + self._links[site] / scale
        return self._random.gammavariate(shape, scale / (self._pages[site] + _PRIOR_PAGES))


class RottingUcb:
    """RAW-UCB: for every window of a site's latest pages an upper bound of the rate; the least of them is its index.

    Args:
        confidence: multiplies the width of the interval; 1 is the theory, less explores less.
    """

    def __init__(self, confidence: float) -> None:
        self._confidence = confidence

    def choose(self, sites: Sequence[SiteStatistics]) -> int:
        fresh = least_visited(sites, 1)
        if fresh is not None:
            return fresh.site
        pages = sum(site.pages for site in sites)
        mean = sum(site.total for site in sites) / pages
        variance = sum(site.squares for site in sites) / pages - mean * mean
        width = self._confidence * math.sqrt(max(variance, 0.0) * 2 * math.log(pages + 1))
        return max(open_sites(sites), key=lambda site: (_rotting_index(site, width), -site.site)).site


def _rotting_index(site: SiteStatistics, width: float) -> float:
    """Least upper bound over windows of 1, 2, 4, ... latest pages and all of them."""
    best = site.mean + width / math.sqrt(site.pages)
    window = 1
    while window < site.pages:
        best = min(best, site.latest_mean(window) + width / math.sqrt(window))
        window *= 2
    return best
