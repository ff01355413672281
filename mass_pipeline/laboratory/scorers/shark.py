"""Shark-search: a link inherits from its ancestors, and its anchor and the words around it have their say.

Source: M. Hersovici, M. Jacovi, Y. Maarek, D. Pelleg, M. Shtalhaim, S. Ur, The shark-search algorithm. An application: tailored
Web site mapping, Computer Networks and ISDN Systems 30 (1998) 317-326, figure 2. The formulas are the paper's.
"""

from __future__ import annotations

from typing import Final

from mass_pipeline.crawling.pages.links import words_around
from mass_pipeline.crawling.pages.spider import LinkOnPage, SeenPage
from mass_pipeline.crawling.sites.frontier import Link
from mass_pipeline.laboratory.scorers.query import Query

# Values of the comparison of Menczer, Pant and Srinivasan 2004; on parish sites the anchor says most, and beta gives it most.
DECAY: Final = 0.5  # delta: what a link inherits of its page
ANCHOR_SHARE: Final = 0.8  # beta: anchor against the words around it
INHERITED_SHARE: Final = 0.5  # gamma: ancestors against neighbourhood


class SharkSearch:
    """Score: potential score of the paper, 0 to 1, the highest of all pages that hold the link."""

    def __init__(self, query: Query | None = None) -> None:
        self._query = query or Query()
        self._potential: dict[str, float] = {}
        self._inherited: dict[str, float] = {}

    def observe(self, page: SeenPage) -> bool:
        """Score the links of the page; waiting links rise when they stand on a better page too."""
        own = self._query.likeness(page.words)
        handed_on = DECAY * (own if own > 0 else self._inherited.get(page.url, 0.0))
        rises = False
        for link in page.links:
            value = INHERITED_SHARE * handed_on + (1 - INHERITED_SHARE) * neighbourhood(link, self._query)
            known = self._potential.get(link.url)
            if known is None or value > known:
                self._potential[link.url] = value
                rises |= known is not None
            self._inherited[link.url] = max(handed_on, self._inherited.get(link.url, 0.0))
        return rises

    def score(self, link: Link) -> float:
        """See the class; a link no page is known for has its anchor alone."""
        known = self._potential.get(link.url)
        return (1 - INHERITED_SHARE) * self._query.likeness_of_phrase(link.text) if known is None else known


def neighbourhood(link: LinkOnPage, query: Query) -> float:
    """Neighbourhood score: the anchor, and the words around it, which count in full where the anchor fits the topic."""
    anchor = query.likeness_of_phrase(link.raw.text())
    context = 1.0 if anchor > 0 else query.likeness_of_phrase(words_around(link.raw.node) if link.raw.node is not None else "")
    return ANCHOR_SHARE * anchor + (1 - ANCHOR_SHARE) * context
