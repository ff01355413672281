"""What scorers take and give: a link that may enter the frontier, and what says how promising it is (V9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from mass_pipeline.crawling.pages.seen_page import SeenPage


@dataclass(frozen=True, slots=True)
class Link:
    """A link that may enter the frontier.

    Attributes:
        url: canonical.
        text: anchor text.
        depth: links from the start page.
        referrer: page it stands on, "" for a start page.
        parish_id: whose site it is.
    """

    url: str
    text: str
    depth: int
    referrer: str
    parish_id: str


class LinkScorer(Protocol):
    """Says how promising a link is: best-first follows the highest score. Plug in by `crawl_sites(order=...)`."""

    def score(self, link: Link) -> float:
        """Any finite number; higher is followed earlier."""
        ...


@runtime_checkable
class PageReader(Protocol):
    """A scorer that learns from the pages of its site as they come in. It serves one site."""

    def saw(self, page: SeenPage) -> bool:
        """Take notice of a page, before its links enter the frontier.

        Returns:
            Whether links that wait already should be scored anew.
        """
        ...
