"""The policies of the source document: site after site, a quantum in turn, and the rules R1, R2, R3 (B6-B9)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mass_pipeline.laboratory.bandits.statistics import SiteStatistics, least_visited, open_sites


class Sequential:
    """Site after site, each to its end (B6)."""

    def choose(self, sites: Sequence[SiteStatistics]) -> int:
        return open_sites(sites)[0].site


class Quantum:
    """A quantum of pages per site in turn (B6).

    Args:
        quantum: pages per turn.
    """

    def __init__(self, quantum: int) -> None:
        self._quantum = quantum

    def choose(self, sites: Sequence[SiteStatistics]) -> int:
        # Least turns first: a closed site is passed over, and nothing depends on how a run was resumed.
        return min(open_sites(sites), key=lambda site: site.pages // self._quantum).site


class QuantumOfTime:
    """A quantum of time per site in turn (B6): the time that its pages took, pauses between them left out.

    Args:
        seconds: per turn.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def choose(self, sites: Sequence[SiteStatistics]) -> int:
        return min(open_sites(sites), key=lambda site: site.seconds // self._seconds).site


class R1:
    """N/K pages on each site, to the nearest whole page, the rest on the best one: the argmax of the sum (B7).

    Args:
        budget: N, pages of the whole run.
    """

    def __init__(self, budget: int) -> None:
        self._budget = budget

    def choose(self, sites: Sequence[SiteStatistics]) -> int:
        share = math.ceil(self._budget / len(sites) - 0.5)
        unfinished = least_visited(sites, share)
        return (unfinished or max(open_sites(sites), key=lambda site: site.total)).site


class R2:
    """An index of Gittins' kind with step n: n pages on every site, then n pages at a time on argmax s(i)/t(i) (B8).

    Args:
        step: n.
    """

    def __init__(self, step: int) -> None:
        self._step = step
        self._current = -1
        self._left = 0

    def choose(self, sites: Sequence[SiteStatistics]) -> int:
        unfinished = least_visited(sites, self._step)
        if unfinished is not None:
            return unfinished.site
        if self._left == 0 or not sites[self._current].is_open:
            self._current = max(open_sites(sites), key=lambda site: site.mean).site
            self._left = self._step
        self._left -= 1
        return self._current


class R3:
    """UCB1: m pages on every site, then one at a time on argmax mean(i)/Xmax + sqrt(2 ln n / t(i)) (B9).

    `n` is the number of pages fetched so far, `Xmax` the largest reward seen.

    Args:
        first: m.
    """

    def __init__(self, first: int) -> None:
        self._first = first

    def choose(self, sites: Sequence[SiteStatistics]) -> int:
        unfinished = least_visited(sites, self._first)
        if unfinished is not None:
            return unfinished.site
        fetched = sum(site.pages for site in sites)
        largest = max(site.largest for site in sites) or 1.0

        def index(site: SiteStatistics) -> float:
            return site.mean / largest + math.sqrt(2 * math.log(fetched) / site.pages)

        return max(open_sites(sites), key=index).site
