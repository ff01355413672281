"""Two stronger policies: they forget, because external links grow rarer (or come in one section) as a site is crawled.

Sources: discounted Thompson sampling: Raj and Kalyani, "Taming non-stationary bandits", arXiv:1707.09727; posterior for
counts: Gamma-Poisson conjugacy. Rotting bandits: Seznec, Menard, Lazaric and Valko, "A single algorithm for both restless
and rested rotting bandits" (RAW-UCB), AISTATS 2020.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from mass_pipeline.laboratory.bandits.statistics import SiteStatistics, least_visited, open_sites

_PRIOR_PAGES = 10.0  # a site nobody has seen is taken for the average of all, on the word of so many pages
_LEAST_PRIOR_EVENTS = 0.2  # and never for hopeless (both swept over 24 shapes of site sets: docs/link-bandits.md)


class DiscountedThompson:
    """Draws each site's rate of links from its discounted Gamma posterior and takes the largest draw.

    What was seen of a site fades with its own further pages, because they differ from its first ones, and slowly with pages
    fetched elsewhere, so that a site left alone becomes interesting again.

    Args:
        site_memory_pages: pages of the site after which the weight of an observation has fallen to 1/e.
        memory_pages: the same for pages of the whole set.
        seed: of the draws.
    """

    def __init__(self, site_memory_pages: float, memory_pages: float, seed: int) -> None:
        self._keep_own = math.exp(-1 / site_memory_pages)
        self._memory = memory_pages
        self._random = random.Random(seed)
        self._sites: list[_Remembered] = []
        self._links = self._squares = 0.0
        self._pages = 0

    def choose(self, sites: Sequence[SiteStatistics]) -> int:
        if not self._sites:
            self._sites = [_Remembered() for _ in sites]
        for site in sites:
            self._learn(site, self._sites[site.site])
        # Links per independent event: a page of fifty links is one discovery, not fifty (index of dispersion).
        scale = max(1.0, self._squares / self._links) if self._links else 1.0
        mean = self._links / self._pages if self._pages else 1.0
        prior = max(_PRIOR_PAGES * mean / scale, _LEAST_PRIOR_EVENTS)
        return max(open_sites(sites), key=lambda site: self._draw(self._sites[site.site], prior, scale)).site

    def _learn(self, site: SiteStatistics, known: _Remembered) -> None:
        for reward in site.rewards[known.seen :]:
            keep = self._keep_own * self._faded(known)
            known.links, known.pages, known.at = known.links * keep + reward, known.pages * keep + 1, self._pages
            self._links += reward
            self._squares += reward * reward
            self._pages += 1
        known.seen = site.pages

    def _faded(self, known: _Remembered) -> float:
        return math.exp((known.at - self._pages) / self._memory)

    def _draw(self, known: _Remembered, prior: float, scale: float) -> float:
        faded = self._faded(known)
        return self._random.gammavariate(prior + known.links * faded / scale, scale / (known.pages * faded + _PRIOR_PAGES))


@dataclass(slots=True)
class _Remembered:
    """Discounted links and pages of a site as they stood when `at` pages of the set had been fetched."""

    links: float = 0.0
    pages: float = 0.0
    at: int = 0
    seen: int = 0


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
        return max(open_sites(sites), key=lambda site: _rotting_index(site, width)).site


def _rotting_index(site: SiteStatistics, width: float) -> float:
    """Least upper bound over windows of 1, 2, 4, ... latest pages and all of them."""
    best = site.mean + width / math.sqrt(site.pages)
    window = 1
    while window < site.pages:
        best = min(best, site.latest_mean(window) + width / math.sqrt(window))
        window *= 2
    return best
