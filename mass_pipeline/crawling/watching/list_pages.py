"""Read a list page: links to articles with their days, and the way to its further pages (C3, J1). Pure.

Not here: which pages are lists (finding), feeds and sitemaps (pages.feeds), which links were known already (site_visit).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from lxml import etree
from lxml.etree import _Element as Element

from mass_pipeline.crawling.fetching.scope import Scope
from mass_pipeline.crawling.fetching.urls import BadUrl, canonicalize, in_encoding, split
from mass_pipeline.model.errors import UsageError
from mass_pipeline.model.identifiers import fold
from mass_pipeline.reading.text.charset import detect
from mass_pipeline.reading.text.markup_tree import drop_frame, lines_of, parse_markup, text_of
from mass_pipeline.reading.text.publication_date import read_date

_MAX_ARTICLES: Final = 500  # of one page; hazards L1
_MAX_ANCHOR: Final = 200
_READ_MORE: Final = re.compile(r"^\W*(?:(?:czytaj|wiecej|dalej|zobacz|szczegoly|kliknij|read more)\b.{0,20})?\W*$")
_NEXT_WORDS: Final = re.compile(r"^\W*(?:nastepna?|starsze(?: wpisy| posty| artykuly)?|older(?: posts)?|dalej|next)?\W*$")
_NO_ARTICLE: Final = re.compile(
    r"/(?:tags?|category|kategoria|author|autor|feed|rss|login|wp-login\.php|wp-admin|wp-content|search|szukaj)(?:/|$)"
    r"|[?&](?:replytocom|share|print|tmpl|format|action)=|\.(?:jpe?g|png|gif|webp|svg|mp[34]|zip|docx?|xlsx?|ics|xml|css|js)$",
    re.IGNORECASE,
)
_PAGE_PLACE: Final = re.compile(
    r"(?:[?&](?:page|paged|strona|str|p|pg|pn|start|limitstart|offset|from)=|/(?:page|strona|str)[/-]?)(\d+)", re.IGNORECASE
)
_SEVERAL: Final = ""
_LONG_ANCHOR_WORDS: Final = 4  # a menu names its pages in fewer words


@dataclass(frozen=True, slots=True)
class ArticleLink:
    """A link to an article: canonical URL, its words, the day that stands beside it (None without one)."""

    url: str
    anchor: str = ""
    published: date | None = None


@dataclass(frozen=True, slots=True)
class ListReading:
    """What a list page offers.

    Attributes:
        articles: in order of the page, each address once.
        next_page: address of the next page of the list, None on the last.
        feeds: feeds that the page names in its head.
        links: every address in scope on the page, menu included.
        frames: pages shown inside this one.
    """

    articles: tuple[ArticleLink, ...] = ()
    next_page: str | None = None
    feeds: tuple[str, ...] = ()
    links: frozenset[str] = frozenset()
    frames: tuple[str, ...] = ()


def read_list(
    body: bytes, *, url: str, scope: Scope, content_type: str | None = None, xpath: str = "", menu: Collection[str] = ()
) -> ListReading:
    """Read a list page.

    Args:
        body: as received.
        url: its canonical address.
        scope: of the site; other links are left out (J2).
        content_type: header, when known.
        xpath: elements, or addresses, that are links to articles; without it everything in the main part of the page is a
            link to an article that is no pager, no picture, no tag and not in the menu.
        menu: addresses that stand on every page of the site.

    Raises:
        UsageError: the XPath cannot be evaluated.
    """
    tree = parse_markup(body, content_type)
    if tree is None:
        return ListReading()
    base, encoding = _base(tree, url), detect(body, content_type)[0]
    for node in tree.iter("a"):
        if (href := node.get("href")) and not href.isascii():
            node.set("href", in_encoding(href, encoding))
    links = [(node, address) for node in tree.iter("a") if (address := _address(node.get("href"), base, scope))]
    next_page = _next_page(links, url)
    feeds = tuple(dict.fromkeys(_feeds(tree, base)))
    everything = frozenset(address for _, address in links)
    framed = (_address(node.get("src"), base, scope) for node in tree.iter("frame", "iframe"))
    frames = tuple(dict.fromkeys(address for address in framed if address))
    if xpath:
        articles = _chosen(tree, xpath, base, scope)
    else:
        drop_frame(tree)
        pagers = {address for node, address in links if _is_pager(node, address, url)}
        articles = _general(tree, base, scope, {url, *pagers}, frozenset(menu))
    return ListReading(tuple(articles)[:_MAX_ARTICLES], next_page, feeds, everything, frames)


def page_number(url: str) -> int:
    """Number of a page of a list by its address; 1 when it tells none.

    >>> page_number("http://a.pl/news/page/3/"), page_number("http://a.pl/news?start=20"), page_number("http://a.pl/news")
    (3, 20, 1)
    """
    match = _PAGE_PLACE.search(url)
    return int(match[1][:6]) if match else 1


def _base(tree: Element, url: str) -> str:
    stated = next((node.get("href") or "" for node in tree.iter("base")), "")
    try:
        return canonicalize(stated, url) if stated else url
    except BadUrl:
        return url


def _address(href: str | None, base: str, scope: Scope) -> str | None:
    """Canonical address of a link inside the site, None for any other."""
    if not href or href.startswith(("#", "mailto:", "tel:", "javascript:")):
        return None
    try:
        parts = split(canonicalize(href.strip(), base))
    except BadUrl:
        return None
    return scope.spelling(parts).url if scope.covers(parts) else None


def _feeds(tree: Element, base: str) -> Iterator[str]:
    for node in tree.iter("link"):
        kind = (node.get("type") or "").lower()
        if "alternate" in (node.get("rel") or "").lower() and ("rss+xml" in kind or "atom+xml" in kind):
            try:
                address = canonicalize(node.get("href") or "", base)
            except BadUrl:
                continue
            if "/comments/" not in address and "komentarz" not in address:
                yield address


def _is_pager(node: Element, address: str, url: str) -> bool:
    words = fold(text_of(node))
    if "next" in (node.get("rel") or "").split() or "prev" in (node.get("rel") or "").split():
        return True
    return _PAGE_PLACE.search(address) is not None and (words.isdigit() or _NEXT_WORDS.match(words) is not None)


def _next_page(links: list[tuple[Element, str]], url: str) -> str | None:
    """The page after this one: rel=next, then the link named so, then the smallest greater number."""
    for node, address in links:
        if "next" in (node.get("rel") or "").split() and address != url:
            return address
    own = page_number(url)
    later = {page_number(address): address for node, address in reversed(links) if _is_pager(node, address, url)}
    behind = [number for number in later if number > own]
    return later[min(behind)] if behind else None


def _chosen(tree: Element, xpath: str, base: str, scope: Scope) -> list[ArticleLink]:
    try:
        found = tree.xpath(xpath)
    except etree.XPathError as error:
        raise UsageError(f"list XPath {xpath!r}: {error}; correct it in the configuration of the site") from error
    links: list[tuple[Element | None, str]] = []
    for item in found if isinstance(found, list) else [found]:
        if isinstance(item, etree._Element):
            nodes = [item] if item.tag == "a" else list(item.iter("a"))
            links += [(node, address) for node in nodes if (address := _address(node.get("href"), base, scope))]
        elif address := _address(str(item), base, scope):
            links.append((None, address))
    return _merged(links)


def _general(tree: Element, base: str, scope: Scope, excluded: set[str], menu: frozenset[str]) -> list[ArticleLink]:
    links: list[tuple[Element | None, str]] = []
    for node in tree.iter("a"):
        address = _address(node.get("href"), base, scope)
        if address is None or address in excluded or _NO_ARTICLE.search(address) or split(address).path == scope.prefix:
            continue
        links.append((node, address))
    merged = _merged(links)
    return [link for link in merged if link.url not in menu or link.published or len(link.anchor.split()) >= _LONG_ANCHOR_WORDS]


def _merged(links: list[tuple[Element | None, str]]) -> list[ArticleLink]:
    """One entry per address: its best words, and the day nearest to it."""
    words: dict[str, str] = {}
    nodes: dict[str, Element] = {}
    for node, address in links:
        text = "" if node is None else (text_of(node) or node.get("title") or "")[:_MAX_ANCHOR]
        text = "" if _READ_MORE.match(fold(text)) else text
        if len(text) > len(words.get(address, "")) or address not in words:
            words[address] = text
        if node is not None:
            nodes.setdefault(address, node)
    below = _links_below((node, address) for node, address in links if node is not None)
    return [ArticleLink(url, text, _day_beside(nodes.get(url), url, below)) for url, text in words.items()]


def _links_below(links: Iterable[tuple[Element, str]]) -> dict[Element, str]:
    """Element -> the one article to which links in it lead, "" for several; in all no more steps than twice the elements."""
    below: dict[Element, str] = {}
    for node, address in links:
        part: Element | None = node
        while part is not None and below.get(part) not in (address, _SEVERAL):
            below[part] = _SEVERAL if part in below else address
            part = part.getparent()
    return below


def _day_beside(node: Element | None, url: str, below: Mapping[Element, str]) -> date | None:
    """The first date in the greatest part of the page that holds links to this article alone."""
    if node is None:
        return None
    part = node
    while (parent := part.getparent()) is not None and below[parent] == url:
        part = parent
        if part.tag in ("body", "html"):
            break
    if part is not node:
        return read_date("\n".join(lines_of(part)))
    before = node.getprevious()
    text = (node.getparent().text if before is None else before.tail) if before is None or before.tag != "a" else ""
    return read_date(f"{text or ''}\n{text_of(node)}\n{node.tail or ''}")
