"""Site sets to compare policies on, with the page and link counts published for the document's sample (B10).

Two shapes: university-like sites spread few links over many pages; institute-like sites hold many links on few pages,
which stand together (a section of partners, an address list). In both, pages near the start page hold more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import numpy as np

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
_NEAR_START_PAGES: Final = 60.0  # scale of the decline of links with the distance from the start page
_LINKS_PER_SECTION: Final = 120.0
_LINKS_PER_LIST_PAGE: Final = 12.0


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
    """Links one by one on pages, more of them near the start page."""
    weights = 1 / (1 + np.arange(pages) / _NEAR_START_PAGES)
    where = rng.choice(pages, size=links, p=weights / weights.sum())
    return np.bincount(where, minlength=pages).astype(np.int64)


def concentrated_site(pages: int, links: int, rng: np.random.Generator) -> Rewards:
    """Links on list pages that stand together in sections, sections anywhere but rather early."""
    rewards = np.zeros(pages, dtype=np.int64)
    left = links
    while left > 0:
        section = min(left, 1 + int(rng.exponential(_LINKS_PER_SECTION)))
        start = int(pages * rng.beta(0.7, 3.0))
        for page in range(start, pages):
            if section <= 0:
                break
            here = min(section, 1 + int(rng.exponential(_LINKS_PER_LIST_PAGE)))
            rewards[page] += here
            section -= here
            left -= here
    return rewards
