"""Parse a page: charset, digest, links, robots directives. Bytes in, values out; no frontier, no network (P6: the spider)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from mass_pipeline.crawler.config import ROBOT_NAME
from mass_pipeline.crawler.content_type import HEAD_BYTES, is_markup
from mass_pipeline.crawler.links import NO_LINKS, PageLinks, read_links, refresh_header, robots_header
from mass_pipeline.crawler.outcomes import Outcome
from mass_pipeline.crawler.transport import Answer
from mass_pipeline.extraction.charset import detect, to_text


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """What a page holds.

    Attributes:
        encoding: name and reason, as the column `encoding` keeps them: `utf-8; valid UTF-8`; "" for a PDF file.
        sha256: of the body.
        links: empty for what is no HTML.
    """

    encoding: str
    sha256: bytes
    links: PageLinks
    noindex: bool
    nofollow: bool


def parse(answer: Answer, *, with_links: bool = True) -> ParsedPage:
    """Read an answer with status 200 whose body is text or a PDF file.

    Args:
        with_links: False at the greatest depth: the tree is then built only when the page may hold robots directives.
    """
    body = answer.body
    tag = answer.headers.get("X-Robots-Tag")
    noindex, nofollow = robots_header(tag) if tag else (False, False)
    noindex |= answer.headers.get("tdm-reservation") == "1"  # TDMRep: rights to mine the text are reserved
    if body.startswith(b"%PDF-"):
        return ParsedPage("", hashlib.sha256(body).digest(), NO_LINKS, noindex, nofollow)
    content_type = answer.headers.get("Content-Type")
    encoding, reason = detect(body, content_type)
    links = NO_LINKS
    if is_markup(body[:HEAD_BYTES], content_type) and (with_links or _may_direct_robots(body)):
        links = read_links(body if reason in ("valid UTF-8", "ASCII only") else to_text(body, encoding))
    refresh = refresh_header(answer.headers.get("Refresh"))
    if refresh is not None:
        links = PageLinks(links.base, [refresh, *links.links], links.noindex, links.nofollow)
    return ParsedPage(
        f"{encoding}; {reason}", hashlib.sha256(body).digest(), links, noindex or links.noindex, nofollow or links.nofollow
    )


def judge(answer: Answer, page: ParsedPage, *, is_copy: bool) -> tuple[Outcome, str]:
    """How a received page ends, and why.

    Args:
        is_copy: another page of the site has the same bytes.
    """
    if page.noindex:
        return Outcome.NOINDEX, "robots directive of the page"
    if is_copy and answer.body:
        return Outcome.DUPLICATE, "same bytes as another page of the site"
    if answer.truncated or not answer.complete:
        return Outcome.TRUNCATED, "longer than the limit" if answer.truncated else answer.fault
    return Outcome.OK, ""


def _may_direct_robots(body: bytes) -> bool:
    lower = body.lower()
    return b"robots" in lower or b"tdm-reservation" in lower or ROBOT_NAME.lower().encode() in lower or b"\0" in body[:HEAD_BYTES]
