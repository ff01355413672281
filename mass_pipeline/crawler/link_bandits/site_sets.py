"""Site sets to compare policies on, with the page and link counts published for the document's sample (B10).

Two shapes: university-like sites spread few links over many pages, behind first pages that hold none; institute-like sites
hold many links on few pages. In both, pages nearer to the start page hold more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from mass_pipeline.crawler.link_bandits.game import Rewards

Shape = Literal["universities", "institutes", "mixed"]
SHAPES: Final[Sequence[Shape]] = ("institutes", "universities", "mixed")

PUBLISHED_COUNTS: Final = (  # (pages, external links), B10
    (1298, 29),
    (1100, 69),
    (2411, 48),
    (39292, 3192),
    (3523, 129),
    (431, 19),
    (1766, 409),
    (1471, 214),
    (12935, 903),
    (7253, 1048),
)
_LARGE_SITE_PAGES: Final = 3000  # in the mixed set, sites of more pages are university-like
_MENU_PAGES: Final = 20.0  # mean number of first pages (menus, news) without any external link on university-like sites
_NEAR_START_PAGES: Final = 100.0  # scale of the decline of links with the distance from the start page
_LINKS_PER_LIST: Final = 15.0  # mean number of links on a list page of an institute-like site


def site_set(shape: Shape, seed: int, counts: Sequence[tuple[int, int]] = PUBLISHED_COUNTS) -> list[Rewards]:
    """Rewards of every page of every site, in breadth-first order.

    Args:
        shape: of all sites, or "mixed": large sites university-like, small ones institute-like.
        seed: of everything drawn.
        counts: (pages, external links) per site.
    """
    rng = np.random.default_rng(seed)
    sites = []
    for pages, links in counts:
        spread = shape == "universities" or (shape == "mixed" and pages > _LARGE_SITE_PAGES)
        sites.append(spread_site(pages, links, rng) if spread else concentrated_site(pages, links, rng))
    return sites


def spread_site(pages: int, links: int, rng: np.random.Generator) -> Rewards:
    """Links one by one on many pages: none on the first pages, then fewer and fewer with the distance."""
    menu = min(int(rng.exponential(_MENU_PAGES)), pages // 2)
    where = menu + rng.choice(pages - menu, size=links, p=_declining(pages - menu))
    return np.bincount(where, minlength=pages).astype(np.int64)


def concentrated_site(pages: int, links: int, rng: np.random.Generator) -> Rewards:
    """Links on few list pages (partners, addresses), each with many."""
    rewards = np.zeros(pages, dtype=np.int64)
    weights = _declining(pages)
    left = links
    while left > 0:
        here = min(left, 1 + int(rng.exponential(_LINKS_PER_LIST)))
        rewards[rng.choice(pages, p=weights)] += here
        left -= here
    return rewards


def _declining(pages: int) -> NDArray[np.float64]:
    weights = 1 / (1 + np.arange(pages, dtype=np.float64) / _NEAR_START_PAGES)
    shares: NDArray[np.float64] = weights / weights.sum()
    return shares
