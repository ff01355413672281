"""External links of crawled pages, and the links that cannot be read (B1, B3). Every href and frame address is taken."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from mass_pipeline.crawling.fetching.content_type import HEAD_BYTES, is_markup
from mass_pipeline.crawling.fetching.scope import registrable_domain
from mass_pipeline.crawling.fetching.urls import BadUrl, canonicalize, identity, split
from mass_pipeline.crawling.pages.anchor_context import words_around
from mass_pipeline.crawling.pages.links import PageLinks, read_links
from mass_pipeline.reading.text.charset import decode


class PageInSet(Protocol):
    """What is needed of a crawled page; `crawler.CrawledPage` has it."""

    @property
    def parish_id(self) -> str: ...
    @property
    def url(self) -> str: ...
    @property
    def final_url(self) -> str | None: ...
    @property
    def domain(self) -> str: ...
    @property
    def depth(self) -> int: ...
    @property
    def content_type(self) -> str | None: ...
    @property
    def body(self) -> bytes | None: ...


@dataclass(frozen=True, slots=True)
class ExternalLink:
    """A link that leaves its site.

    Attributes:
        parish_id: site of the target set it was found on.
        source_url: page. level: least number of links from the start page to it.
        url: where it leads, canonical. site: registrable domain of that.
        anchor: words of the link; "" when it has none.
        context: words before and after it with the link as `[...]` between them; "" when it stands alone.
    """

    parish_id: str
    source_url: str
    level: int
    url: str
    site: str
    anchor: str
    context: str = ""


@dataclass(frozen=True, slots=True)
class BadLink:
    """A link that is no http(s) address.

    Attributes:
        href: as written, at most 200 characters.
        reason: `scheme` (javascript, mailto, ...), `unparsable`, `too_long` or `no_host`.
    """

    parish_id: str
    source_url: str
    href: str
    reason: str


def external_links(pages: Iterable[PageInSet], *, merge_case_and_slash: bool = False) -> tuple[list[ExternalLink], list[BadLink]]:
    """External and bad links of the pages of a target set.

    Args:
        pages: crawled pages; those without a body give nothing.
        merge_case_and_slash: count links that differ in case or a trailing slash as one (B4).

    Returns:
        External links, each once per site with its page of least level, sorted by site, level, page and address; bad
        links, each once per page.
    """
    best: dict[tuple[str, str], ExternalLink] = {}
    bad: dict[tuple[str, str, str], BadLink] = {}
    for page in pages:
        for link in links_of(page):
            if isinstance(link, BadLink):
                bad[link.parish_id, link.source_url, link.href] = link
                continue
            key = (link.parish_id, identity(link.url, merge_case_and_slash))
            known = best.get(key)
            if known is None or (link.level, link.source_url, link.url) < (known.level, known.source_url, known.url):
                best[key] = link
    ordered = sorted(best.values(), key=lambda link: (link.parish_id, link.level, link.source_url, link.url))
    return ordered, sorted(bad.values(), key=lambda link: (link.parish_id, link.source_url, link.href))


def links_of(page: PageInSet) -> Iterator[ExternalLink | BadLink]:
    """External and bad links of one page in document order, repeated ones too; none for what is no HTML."""
    if not page.body or not is_markup(page.body[:HEAD_BYTES], page.content_type):
        return
    text = decode(page.body, page.content_type)
    yield from judge_links(read_links(text.text, encoding=text.encoding), page)


def judge_links(found: PageLinks, page: PageInSet) -> Iterator[ExternalLink | BadLink]:
    """Those of a page's links that leave its site, and those that are no web address; inner ones are passed over.

    A site's own are the domain of its start page and the one that the page was found on, for sites that have moved.
    """
    base = page.final_url or page.url
    own = {page.domain, registrable_domain(split(base).host)}
    if found.base:
        with contextlib.suppress(BadUrl):  # a base that is no address is no base (WHATWG HTML 4.2.3)
            base = canonicalize(found.base, base)
    for raw in found.links:
        try:
            url = canonicalize(raw.href, base)
        except BadUrl as error:
            yield BadLink(page.parish_id, page.url, raw.href[:200], str(error))
            continue
        site = registrable_domain(split(url).host)
        if site not in own:
            context = "" if raw.node is None else words_around(raw.node)
            yield ExternalLink(page.parish_id, page.url, page.depth, url, site, raw.text(), context)


def target_domains(start_urls: Iterable[object]) -> set[str]:
    """Registrable domains of a target set: of every start URL that is one."""
    domains = set()
    for url in start_urls:
        with contextlib.suppress(BadUrl):
            domains.add(registrable_domain(split(canonicalize(str(url or ""))).host))
    return domains
