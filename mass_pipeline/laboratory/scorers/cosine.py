"""Naive best-first: a link is as good as the page it stands on is like the topic.

Source: F. Menczer, G. Pant, P. Srinivasan, Topical Web Crawlers: Evaluating Adaptive Algorithms, ACM TOIT 4 (2004) 378-419,
section 3 (Best-First). Ties, so the links of one page, are followed in order of depth and discovery.
"""

from __future__ import annotations

from mass_pipeline.crawling.pages.spider import SeenPage
from mass_pipeline.crawling.sites.frontier import Link
from mass_pipeline.laboratory.scorers.query import Query


class CosineOfPage:
    """Score: cosine of the query and the best page known to hold the link, 0 to 1; 0 for a start page."""

    def __init__(self, query: Query | None = None) -> None:
        self._query = query or Query()
        self._best: dict[str, float] = {}

    def observe(self, page: SeenPage) -> bool:
        """Remember the page's likeness for each of its links; waiting links rise when a better page holds them."""
        value = self._query.likeness(page.words)
        rises = False
        for link in page.links:
            known = self._best.get(link.url)
            if known is None or value > known:
                self._best[link.url] = value
                rises |= known is not None
        return rises

    def score(self, link: Link) -> float:
        """See the class."""
        return self._best.get(link.url, 0.0)
