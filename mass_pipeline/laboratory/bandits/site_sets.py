"""Generated site sets with the page and link counts published for the document's sample, to compare policies on (B10).

What is published fixes the counts per site, and, through the total of R1, how strongly links gather near the start page: R1
reads N/K pages of every site whatever it finds, so its total depends on nothing else. What is not published, how many links
stand together on a page and how many first pages hold none, are the two parameters of a shape; the comparison is made over all
of them (docs/link-bandits.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from mass_pipeline.laboratory.bandits.game import Rewards

SetName = Literal["institutes", "universities", "mixed"]
Decline = Literal["hyperbolic", "exponential"]
Counts = tuple[tuple[int, int], ...]

PUBLISHED_COUNTS: Final[Counts] = (  # (pages, external links) of the mixed sample, B10
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
PUBLISHED_TOTALS: Final[Mapping[SetName, tuple[int, int, int]]] = {  # links that R1, R2, R3 found with 2,000 pages, B10
    "institutes": (417, 816, 457),
    "universities": (1337, 774, 1447),
    "mixed": (949, 994, 1078),
}
# The table names its sites: the first five are institutes, the last five universities. Each set has ten; of the other five of
# either theme only the sum is published (with these 105,711 pages and 8,990 links), so the known five stand twice.
OWN_COUNTS: Final[Mapping[SetName, Counts]] = {
    "institutes": PUBLISHED_COUNTS[:5] * 2,
    "universities": PUBLISHED_COUNTS[5:] * 2,
    "mixed": PUBLISHED_COUNTS,
}
PUBLISHED_BUDGET: Final = 2000
_QUANTILES: Final = 16  # of the number of empty first pages, for its mean over sites
_BISECTIONS: Final = 40


@dataclass(frozen=True, slots=True)
class Shape:
    """How the links of a site lie along its pages in breadth-first order.

    Attributes:
        links_per_page: mean number of links on a page that gets any at once (geometric).
        empty_pages: mean number of first pages (menus, news) that hold none (exponential, drawn per site).
        near_start_pages: scale s of the decline after them.
        decline: chance of a page at distance d: 1 / (1 + d/s), or exp(-d/s).
    """

    links_per_page: float
    empty_pages: float
    near_start_pages: float
    decline: Decline = "hyperbolic"


def calibrated(
    name: SetName,
    links_per_page: float,
    empty_pages: float,
    decline: Decline = "hyperbolic",
    counts: Counts = PUBLISHED_COUNTS,
) -> Shape:
    """The shape with these two parameters under which R1 is expected to find what it is published to have found.

    Nothing is fitted to the totals of R2 and R3: what they find on these sets is a prediction.
    """
    return Shape(links_per_page, empty_pages, _scale(PUBLISHED_TOTALS[name][0], empty_pages, decline, counts), decline)


def site_set(shape: Shape, seed: int, counts: Counts = PUBLISHED_COUNTS) -> list[Rewards]:
    """Rewards of every page of every site, in breadth-first order.

    Args:
        seed: of everything drawn.
        counts: (pages, external links) per site; each site has exactly these.
    """
    rng = np.random.default_rng(seed)
    return [_site(pages, links, shape, rng) for pages, links in counts]


def _site(pages: int, links: int, shape: Shape, rng: np.random.Generator) -> Rewards:
    empty = min(int(rng.exponential(shape.empty_pages)), pages // 2)
    groups: list[int] = []
    while (left := links - sum(groups)) > 0:
        groups.append(min(left, int(rng.geometric(1 / shape.links_per_page))))
    reach = np.cumsum(_weights(pages - empty, shape.near_start_pages, shape.decline))
    where = empty + np.searchsorted(reach, rng.random(len(groups)) * reach[-1])
    return np.bincount(where, weights=groups, minlength=pages).astype(np.int64)


def _weights(pages: int, scale: float, decline: Decline) -> NDArray[np.float64]:
    distance = np.arange(pages, dtype=np.float64) / scale
    weights: NDArray[np.float64] = 1 / (1 + distance) if decline == "hyperbolic" else np.exp(-distance)
    return weights


@lru_cache(maxsize=256)
def _scale(r1_links: float, empty_pages: float, decline: Decline, counts: Counts) -> float:
    """Scale of the decline at which R1's expected total is `r1_links`, by bisection: it falls as the scale grows."""
    low, high = 0.1, 1e6
    for _ in range(_BISECTIONS):
        middle = float(np.sqrt(low * high))
        if expected_r1(Shape(1, empty_pages, middle, decline), counts) > r1_links:
            low = middle
        else:
            high = middle
    return float(np.sqrt(low * high))


def expected_r1(shape: Shape, counts: Sequence[tuple[int, int]] = PUBLISHED_COUNTS, budget: int = PUBLISHED_BUDGET) -> float:
    """Links expected on the first budget / K pages of every site: what R1 finds, whatever links_per_page is."""
    levels = (np.arange(_QUANTILES) + 0.5) / _QUANTILES
    empties = -shape.empty_pages * np.log1p(-levels)
    share = budget // len(counts)
    total = 0.0
    for pages, links in counts:
        for empty in empties:
            beginning = min(int(empty), pages // 2)
            reach = np.cumsum(_weights(pages - beginning, shape.near_start_pages, shape.decline))
            read = min(share, pages) - beginning
            total += links * (reach[read - 1] / reach[-1] if read > 0 else 0.0) / _QUANTILES
    return total


# Of the shapes with 1 to 20 links per page and 0 to 50 empty pages, those whose R2/R1 and R3/R1 come nearest to the published
# ratios over seeds 0 to 7 (`mass-pipeline lab bandits --fit`; docs/link-bandits.md).
NEAREST_SHAPES: Final[Mapping[SetName, Shape]] = {
    "institutes": Shape(2, 0, 1372),
    "universities": Shape(10, 15, 102),
    "mixed": Shape(5, 10, 233),
}
