"""A page that was just received, as scorers and stop rules see it: what is costly is worked out when first asked for.

Not here: judging the page (scorers, stop_rule), keeping it (store).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from mass_pipeline.crawling.fetching.urls import BadUrl, canonicalize
from mass_pipeline.crawling.pages.links import NO_LINKS, PageLinks, RawLink
from mass_pipeline.reading.text.charset import to_text

if TYPE_CHECKING:
    from mass_pipeline.crawling.pages.relevance import Words

_MOST_LINKS: Final = 1000  # judging one costs up to 0.1 ms; pages with more are traps and lists, whose links look alike


@dataclass(frozen=True, slots=True)
class LinkOnPage:
    """A link with its place on the page.

    Attributes:
        url: canonical.
        position: number among the links of the page, from 0.
        raw: the link as written; its anchor text is read when asked for.
    """

    url: str
    position: int
    raw: RawLink


@dataclass(frozen=True)
class SeenPage:
    """One received page with text.

    Attributes:
        url: canonical address it was asked under.
        depth: links from the start page.
        link_text: anchor text that led to it, "" for a start page.
        body: empty for a page that is gone, or whose text is not wanted.
        encoding: name of the character encoding, "" without text.
        page_links: what the spider read; empty at the greatest depth.
    """

    parish_id: str
    url: str
    depth: int
    link_text: str
    body: bytes = field(repr=False)
    content_type: str | None = None
    encoding: str = "utf-8"
    page_links: PageLinks = field(default=NO_LINKS, repr=False)

    @cached_property
    def words(self) -> Words:
        """The visible words by where they stand; for markup and plain text."""
        from mass_pipeline.crawling.pages.relevance import words_of

        return words_of(to_text(self.body, self.encoding) if self.encoding else "")

    @cached_property
    def links(self) -> tuple[LinkOnPage, ...]:
        """Links that may be followed, in document order, each address once (where it stands first), at most 1,000."""
        base = self.url
        if self.page_links.base:
            base = _canonical(self.page_links.base, base) or base
        found: dict[str, LinkOnPage] = {}
        for position, raw in enumerate(self.page_links.links[:_MOST_LINKS]):
            url = _canonical(raw.href, base) if raw.followed else None
            if url and url not in found:
                found[url] = LinkOnPage(url, position, raw)
        return tuple(found.values())


def _canonical(href: str, base: str) -> str | None:
    try:
        return canonicalize(href, base)
    except BadUrl:
        return None
