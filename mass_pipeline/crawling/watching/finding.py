"""Which pages of a site list its news (C1, C3), by words, links and days; what such a page links to, and its pager (J1). Pure.

Works on pages already fetched, from a crawl or from the watcher's own visits. Not here: feeds and sitemaps (pages.feeds).
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from typing import Final

from lxml import etree
from lxml.etree import _Element as Element

from mass_pipeline.crawling.fetching.scope import Scope
from mass_pipeline.crawling.fetching.urls import base_of, canonical_or_none, in_encoding, is_dated, split
from mass_pipeline.crawling.pages.feeds import Entry
from mass_pipeline.crawling.pages.relevance import Topic
from mass_pipeline.crawling.watching.articles import Article, ArticleReader
from mass_pipeline.crawling.watching.sites import WatchedList
from mass_pipeline.guard.sandbox import parsed
from mass_pipeline.model.errors import UsageError
from mass_pipeline.model.identifiers import fold
from mass_pipeline.reading.text.charset import detect
from mass_pipeline.reading.text.markup_tree import drop_frame, lines_of, parse_markup, text_of
from mass_pipeline.reading.words.written_dates import read_date

log = logging.getLogger(__name__)

_BETWEEN: Final = re.compile(r"[\W_]+")  # addresses join words by anything
_LEAST_SCORE: Final = 2.2
_LEAST_ARTICLES: Final = 2
_LEAST_ITEMS: Final = 3
_ITEMS_BONUS: Final = 0.3  # less than two links: a list of weekly announcements outranks the announcements of one week
_DATED_WITHOUT_WORDS: Final = 4  # so many dated links make a page a list whatever it is called
_MENU_SHARE: Final = 0.7  # an address that stands on so many pages of the site belongs to its menu
_MENU_PAGES: Final = 3
_READ_AT_MOST: Final = 40  # pages of a site that are read to find its lists


@dataclass(frozen=True, slots=True)
class SitePage:
    """A fetched page of a site.

    Attributes:
        url: that answered, after redirects.
        link_text: of the link that led there.
        sha256: of the body.
        noindex: it must not be kept. nofollow: its links must not be followed.
    """

    url: str
    body: bytes = field(repr=False)
    link_text: str = ""
    content_type: str | None = None
    sha256: bytes = b""
    etag: str | None = None
    last_modified: str | None = None
    noindex: bool = False
    nofollow: bool = False


@dataclass(frozen=True, slots=True)
class SiteLists:
    """The lists of a site, best first, and the addresses of its menu."""

    lists: tuple[WatchedList, ...] = ()
    menu: frozenset[str] = frozenset()


def promise_of(words: Iterable[str], topic: Topic) -> float:
    """How much the words of a link, an address or a heading promise a list of news: the best weight of the topic's words."""
    folded = _BETWEEN.sub(" ", fold(" ".join(words)))
    return max((weight for word, weight in topic.list_words.items() if f" {word}" in f" {folded}"), default=0.0)


def find_lists(pages: Sequence[SitePage], *, scope: Scope, topic: Topic, most: int, read_article: ArticleReader) -> SiteLists:
    """The pages of a site that list news, each read through the door behind which its reading can be ended.

    Args:
        pages: the start page first; each address once.
        scope: of the site.
        topic: its `list_words` name such pages.
        most: lists wanted, feeds included.
        read_article: how a page is read as an article.

    Returns:
        At most `most` lists: feeds named by the chosen pages, then pages by score; none when nothing looks like one.
    """
    readings: dict[str, ListReading] = {}
    articles: dict[str, Article] = {}
    for page in pages:
        with _to_its_end(page):
            readings[page.url] = parsed(list_reader(page, scope), page.body)
    for page in named_for_news(pages, topic):
        with _to_its_end(page):
            articles[page.url] = parsed(article_of(page, read_article), page.body)
    return lists_among(pages, readings, articles, topic=topic, most=most)


@contextmanager
def _to_its_end(page: SitePage) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # whatever a page does, it ends at the page
        log.warning("page.unreadable url=%r error=%s", page.url, type(error).__name__)


def list_reader(page: SitePage, scope: Scope) -> partial[ListReading]:
    """Reads the body of a page as a list."""
    return partial(read_list, url=page.url, scope=scope, content_type=page.content_type)


def article_of(page: SitePage, read_article: ArticleReader) -> partial[Article]:
    """Reads the body of a page as an article."""
    return partial(read_article, url=page.url, anchor=page.link_text, content_type=page.content_type)


def named_for_news(pages: Sequence[SitePage], topic: Topic) -> list[SitePage]:
    """The pages whose words promise a list most, best first; so many as are read."""
    return sorted(pages, key=lambda page: -promise_of((page.url, page.link_text), topic))[:_READ_AT_MOST]


def lists_among(
    pages: Sequence[SitePage],
    readings: Mapping[str, ListReading],
    articles: Mapping[str, Article],
    *,
    topic: Topic,
    most: int,
) -> SiteLists:
    """`find_lists` of pages that were read.

    Args:
        readings: of all pages that could be read.
        articles: of those that `named_for_news` gives and could be read.
    """
    # Calendars and archives have pages of their own kind in any number: they say nothing about the menu of the others. A menu
    # often leaves out the page it stands on.
    menu = menu_of([reading.links | {url} for url, reading in readings.items() if not is_dated(url)])
    named = [page for page in named_for_news(pages, topic) if page.url in readings and page.url in articles]
    scored = sorted(
        ((_score(page, _without(readings[page.url], menu), articles[page.url], topic), page.url) for page in named),
        key=lambda item: (-item[0], item[1]),
    )
    linked = _linked_from(readings, menu)
    scores = {url: score for score, url in scored}
    good = [url for score, url in scored if score >= _LEAST_SCORE and not _is_article(url, linked, scores)]
    feeds = dict.fromkeys(
        feed for url in (*good, *(page.url for page in pages[:1])) if url in readings for feed in readings[url].feeds
    )
    lists = [WatchedList(feed, "feed", found=True) for feed in feeds][:1] + [WatchedList(url, found=True) for url in good]
    return SiteLists(tuple(lists[:most]), menu)


def menu_of(links: Sequence[frozenset[str]]) -> frozenset[str]:
    """Addresses that stand on nearly every page; empty for fewer than three pages, which tell nothing."""
    if len(links) < _MENU_PAGES:
        return frozenset()
    counts: dict[str, int] = {}
    for page in links:
        for address in page:
            counts[address] = counts.get(address, 0) + 1
    return frozenset(address for address, count in counts.items() if count >= _MENU_SHARE * len(links))


def _without(reading: ListReading, menu: frozenset[str]) -> tuple[Entry, ...]:
    return tuple(link for link in reading.articles if link.url not in menu or link.published is not None)


def _score(page: SitePage, links: Sequence[Entry], article: Article, topic: Topic) -> float:
    dated = sum(link.published is not None or is_dated(link.url) for link in links)
    promise = promise_of((page.url, page.link_text, article.title, *article.headings[:1]), topic)
    # A young list has one entry; where the page's own words say that it is a list, that is enough.
    least = 1 if promise >= _LEAST_SCORE else _LEAST_ARTICLES
    holds = len(links) >= least or len(article.items) >= _LEAST_ITEMS
    if not holds or (promise == 0 and dated < _DATED_WITHOUT_WORDS):
        return 0.0
    share = dated / len(links) if links else 0.0
    return promise + min(len(links), 10) * 0.2 + 2 * share + (_ITEMS_BONUS if len(article.items) >= _LEAST_ITEMS else 0.0)


def _linked_from(readings: Mapping[str, ListReading], menu: frozenset[str]) -> dict[str, set[str]]:
    """Address -> pages that name it as an article."""
    linked: dict[str, set[str]] = {}
    for url, reading in readings.items():
        for link in _without(reading, menu):
            linked.setdefault(link.url, set()).add(url)
    return linked


def _is_article(url: str, linked: Mapping[str, set[str]], scores: Mapping[str, float]) -> bool:
    """A page of announcements that another list links to is an article of that list; further pages of a list are no lists."""
    better = (other for other in linked.get(url, ()) if other != url and scores.get(other, 0.0) > scores[url])
    return is_dated(url) or page_number(url) > 1 or any(better)


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
class ListReading:
    """What a list page offers.

    Attributes:
        articles: in order of the page, each address once.
        next_page: address of the next page of the list, None on the last.
        feeds: feeds that the page names in its head.
        links: every address in scope on the page, menu included.
        frames: pages shown inside this one.
    """

    articles: tuple[Entry, ...] = ()
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
    base, encoding = base_of(url, next((node.get("href") for node in tree.iter("base")), None)), detect(body, content_type)[0]
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


def _address(href: str | None, base: str, scope: Scope) -> str | None:
    """Canonical address of a link inside the site, None for any other."""
    if not href or href.startswith(("#", "mailto:", "tel:", "javascript:")):
        return None
    address = canonical_or_none(href.strip(), base)
    return scope.spelling(split(address)).url if address and scope.covers(split(address)) else None


def _feeds(tree: Element, base: str) -> Iterator[str]:
    for node in tree.iter("link"):
        kind = (node.get("type") or "").lower()
        if "alternate" in (node.get("rel") or "").lower() and ("rss+xml" in kind or "atom+xml" in kind):
            address = canonical_or_none(node.get("href") or "", base)
            if address and "/comments/" not in address and "komentarz" not in address:
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


def _chosen(tree: Element, xpath: str, base: str, scope: Scope) -> list[Entry]:
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


def _general(tree: Element, base: str, scope: Scope, excluded: set[str], menu: frozenset[str]) -> list[Entry]:
    links: list[tuple[Element | None, str]] = []
    for node in tree.iter("a"):
        address = _address(node.get("href"), base, scope)
        if address is None or address in excluded or _NO_ARTICLE.search(address) or split(address).path == scope.prefix:
            continue
        links.append((node, address))
    merged = _merged(links)
    return [link for link in merged if link.url not in menu or link.published or len(link.anchor.split()) >= _LONG_ANCHOR_WORDS]


def _merged(links: list[tuple[Element | None, str]]) -> list[Entry]:
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
    return [Entry(url, text, _day_of_article(nodes.get(url), url, below)) for url, text in words.items()]


def _links_below(links: Iterable[tuple[Element, str]]) -> dict[Element, str]:
    """Element -> the one article to which links in it lead, "" for several; in all no more steps than twice the elements."""
    below: dict[Element, str] = {}
    for node, address in links:
        part: Element | None = node
        while part is not None and below.get(part) not in (address, _SEVERAL):
            below[part] = _SEVERAL if part in below else address
            part = part.getparent()
    return below


def _day_of_article(node: Element | None, url: str, below: Mapping[Element, str]) -> date | None:
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
