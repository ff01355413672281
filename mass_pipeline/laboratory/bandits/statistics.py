"""What a policy sees of a site, and the interface of every policy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(slots=True)
class SiteStatistics:
    """The pages of one site fetched so far.

    Attributes:
        site: index of the site in its set.
        is_open: whether the site has pages left.
        rewards: external links found on each page, in the order of fetching.
        total: external links found.
        largest: the largest reward, 0 before the first page.
        seconds: that its pages took.
    """

    site: int
    is_open: bool = True
    rewards: list[float] = field(default_factory=list)
    total: float = 0.0
    largest: float = 0.0
    seconds: float = 0.0

    @property
    def pages(self) -> int:
        """Number of pages fetched."""
        return len(self.rewards)

    @property
    def mean(self) -> float:
        """External links per page; 0 before the first."""
        return self.total / len(self.rewards) if self.rewards else 0.0

    def record(self, reward: float, seconds: float = 0.0) -> None:
        """Note the external links found on the next page, and how long it took."""
        self.seconds += seconds
        self.rewards.append(reward)
        self.total += reward
        self.largest = max(self.largest, reward)


class Policy(Protocol):
    """Chooses the site of the next page. One instance serves one run and may keep state."""

    def choose(self, sites: Sequence[SiteStatistics]) -> int:
        """Index of an open site.

        Args:
            sites: every site of the set in order; at least one is open.
        """
        ...


def open_sites(sites: Sequence[SiteStatistics]) -> list[SiteStatistics]:
    """Sites that have pages left, in order: of equal ones, `max` and `min` take the first."""
    return [site for site in sites if site.is_open]


def least_visited(sites: Sequence[SiteStatistics], least: int) -> SiteStatistics | None:
    """The first open site with fewer than `least` pages, None when there is none."""
    return next((site for site in sites if site.is_open and site.pages < least), None)
