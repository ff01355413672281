"""Parse a page: charset, digest, links, robots directives; as scorers and stop rules see it (`SeenPage`). No network (P6: the
spider).

Large bodies, feeds too, are read beside the event loop, in a process that can be ended.
"""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final

from mass_pipeline.crawling.fetching.config import ROBOT_NAME
from mass_pipeline.crawling.fetching.content_type import HEAD_BYTES, is_markup
from mass_pipeline.crawling.fetching.outcomes import Outcome
from mass_pipeline.crawling.fetching.transport import Answer
from mass_pipeline.crawling.fetching.urls import base_of, canonical_or_none
from mass_pipeline.crawling.pages.links import NO_LINKS, PageLinks, RawLink, detached, read_links, refresh_header, robots_header
from mass_pipeline.guard import Guard, Limits, TooCostly
from mass_pipeline.reading.text.charset import detect, to_text

if TYPE_CHECKING:
    from mass_pipeline.crawling.pages.feeds import Feed
    from mass_pipeline.crawling.pages.relevance import Words

log = logging.getLogger(__name__)

LARGE_BYTES: Final = 500_000  # a tree of that takes 10 to 30 ms; the event loop may be held for 200 at most
LARGE_FEED_BYTES: Final = 100_000  # a sitemap of that has a thousand entries: 50 ms
_LIMITS: Final = Limits(cpu_seconds=5, wall_seconds=300)  # a page of 5 MB takes half a second, a sitemap three


@cache
def shared_guard() -> Guard:
    """Begins with the first large body and ends with the program."""
    return Guard(_LIMITS, modules=(__name__, "mass_pipeline.crawling.pages.feeds"))


async def read_feed_aside(content: bytes, url: str) -> Feed:
    """`read_feed`; of a large or packed one in the other process. One that cannot be read has no entries."""
    from mass_pipeline.crawling.pages import feeds  # lxml takes memory that few crawls need

    try:
        if len(content) <= LARGE_FEED_BYTES and not content.startswith(b"\x1f\x8b"):
            return feeds.read_feed(content, url)
        return await shared_guard().call_aside(feeds.read_feed, content, url, size=len(content))
    except Exception as error:  # whatever a feed does, it ends at the feed
        log.warning("feed.unreadable url=%r error=%s", url, type(error).__name__)
        return feeds.Feed("none")


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """What a page holds.

    Attributes:
        encoding: name and reason, as the column `encoding` keeps them: `utf-8; valid UTF-8`; "" for a PDF file.
        links: empty for what is no HTML.
        cost: why its links were not read, "" when they were.
        sha256: of the body. noindex, nofollow: by body and headers; all three only of a whole answer.
    """

    encoding: str
    links: PageLinks
    cost: str = ""
    sha256: bytes = b""
    noindex: bool = False
    nofollow: bool = False


async def parse_aside(answer: Answer, *, with_links: bool = True) -> ParsedPage:
    """Read an answer with status 200 whose body is text or a PDF file; a large page in another process, where it can be ended.

    Args:
        with_links: False at the greatest depth: the tree is then built only when the page may hold robots directives.

    Returns:
        For a page that was ended: no links, the reason in `cost`, and no leave to keep it where it may forbid that.
    """
    return _with_headers(answer, await read_body_aside(answer.body, answer.headers.get("Content-Type"), with_links))


async def read_body_aside(body: bytes, content_type: str | None, with_links: bool = True) -> ParsedPage:
    """`read_body`; of a large one in another process. One that was ended has no links, and the reason."""
    if body.startswith(b"%PDF-"):
        return ParsedPage("", NO_LINKS)
    if len(body) <= LARGE_BYTES:
        return read_body(body, content_type, with_links)
    try:
        return await shared_guard().call_aside(_read_detached, body, content_type, with_links, size=len(body))
    except TooCostly as error:
        may_forbid = b"noindex" in body.lower() or b"tdm-reservation" in body.lower()
        return ParsedPage("", PageLinks(None, [], noindex=may_forbid), f"too_costly: {error}")


def read_body(body: bytes, content_type: str | None, with_links: bool) -> ParsedPage:
    """Character set and links of a text."""
    encoding, reason = detect(body, content_type)
    links = NO_LINKS
    if is_markup(body[:HEAD_BYTES], content_type) and (with_links or _may_direct_robots(body)):
        is_plain = reason in ("valid UTF-8", "ASCII only")
        links = read_links(body if is_plain else to_text(body, encoding), encoding="utf-8" if is_plain else encoding)
    return ParsedPage(f"{encoding}; {reason}", links)


def _read_detached(body: bytes, content_type: str | None, with_links: bool) -> ParsedPage:
    page = read_body(body, content_type, with_links)
    return replace(page, links=detached(page.links))


def _with_headers(answer: Answer, page: ParsedPage) -> ParsedPage:
    """What body and headers of an answer say together."""
    tag = answer.headers.get("X-Robots-Tag")
    noindex, nofollow = robots_header(tag) if tag else (False, False)
    noindex |= answer.headers.get("tdm-reservation") == "1"  # TDMRep: rights to mine the text are reserved
    links, refresh = page.links, None if answer.body.startswith(b"%PDF-") else refresh_header(answer.headers.get("Refresh"))
    if refresh is not None:
        links = replace(links, links=[refresh, *links.links])
    digest = hashlib.sha256(answer.body).digest()
    return replace(page, links=links, sha256=digest, noindex=noindex or links.noindex, nofollow=nofollow or links.nofollow)


def judge(answer: Answer, page: ParsedPage, *, is_copy: bool) -> tuple[Outcome, str]:
    """How a received page ends, and why.

    Args:
        is_copy: another page of the site has the same bytes.
    """
    if page.noindex:
        return Outcome.NOINDEX, "robots directive of the page"
    if is_copy and answer.body:
        return Outcome.DUPLICATE, "same bytes as another page of the site"
    return (Outcome.TRUNCATED, answer.cut_short) if answer.cut_short else (Outcome.OK, page.cost)


def _may_direct_robots(body: bytes) -> bool:
    lower = body.lower()
    return b"robots" in lower or b"tdm-reservation" in lower or ROBOT_NAME.lower().encode() in lower or b"\0" in body[:HEAD_BYTES]


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
        base = base_of(self.url, self.page_links.base)
        found: dict[str, LinkOnPage] = {}
        for position, raw in enumerate(self.page_links.links[:_MOST_LINKS]):
            url = canonical_or_none(raw.href, base) if raw.followed else None
            if url and url not in found:
                found[url] = LinkOnPage(url, position, raw)
        return tuple(found.values())
