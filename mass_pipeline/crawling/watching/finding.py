"""Which pages of a site list its news: scored by their words, their links to articles, the days beside them (C1, C3). Pure.

Works on pages already fetched, from a crawl or from the watcher's own first visit.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from mass_pipeline.crawling.fetching.scope import Scope
from mass_pipeline.crawling.fetching.urls import is_dated
from mass_pipeline.crawling.pages.relevance import Topic
from mass_pipeline.crawling.watching.articles import Article, ArticleReader
from mass_pipeline.crawling.watching.list_pages import ArticleLink, ListReading, page_number, read_list
from mass_pipeline.crawling.watching.sites import WatchedList
from mass_pipeline.guard.sandbox import parsed
from mass_pipeline.model.identifiers import fold

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
    """A fetched page of a site."""

    url: str
    body: bytes = field(repr=False)
    link_text: str = ""
    content_type: str | None = None


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


def _without(reading: ListReading, menu: frozenset[str]) -> tuple[ArticleLink, ...]:
    return tuple(link for link in reading.articles if link.url not in menu or link.published is not None)


def _score(page: SitePage, links: Sequence[ArticleLink], article: Article, topic: Topic) -> float:
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
