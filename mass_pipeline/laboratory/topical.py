"""A topical crawl that may leave its sites, within a budget (V9 to V11): where the links of what was read promise the query.

Whole sites are taken, the most promising first, each crawled as any other: one engine, the same manners. What was fetched is
reported with its likeness to the query. Source: S. Chakrabarti, M. van den Berg, B. Dom, Focused crawling, Computer Networks 31
(1999) 1623-1640; search length: F. Menczer, G. Pant, P. Srinivasan, ACM TOIT 4 (2004) 378-419, section 4.
Not here: what makes a link promising within a site (scorers).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from mass_pipeline.crawling.fetching.addresses import ConnectTo
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.scope import is_blacklisted, registrable_domain
from mass_pipeline.crawling.fetching.urls import split
from mass_pipeline.crawling.pages.links import read_links
from mass_pipeline.crawling.pages.relevance import Words, words_of
from mass_pipeline.crawling.pages.spider import SeenPage
from mass_pipeline.crawling.sites.engine import crawl_sites
from mass_pipeline.crawling.sites.reading import read_pages
from mass_pipeline.crawling.sites.records import CrawledPage, CrawlReport, Progress, Seed
from mass_pipeline.crawling.web_graph import ExternalLink, external_links
from mass_pipeline.guard import TooCostly
from mass_pipeline.guard.sandbox import parsed
from mass_pipeline.laboratory.crawl_strategies.metrics import Visit, search_lengths
from mass_pipeline.laboratory.orders import Order
from mass_pipeline.laboratory.scorers.importance import PageImportance
from mass_pipeline.laboratory.scorers.query import Query, query_topic
from mass_pipeline.reading.text.charset import to_text

_AT_ONCE: Final = 5  # sites of one round: what they bring changes which ones come next
_OF_THE_PAGE: Final = 0.5  # what the page that holds a link says of it, against the link's own words


@dataclass(frozen=True, slots=True)
class TopicalReport:
    """What a topical crawl brought.

    Attributes:
        report: of the last round; its outcomes count the whole state.
        left_for: site -> address, of the sites beyond the seeds, in the order they were visited; a site is its domain.
        likeness: URL -> likeness to the query, 0 to 1, of every page that was kept.
        relevant: pages whose likeness reaches the topic's threshold.
        search_length: share of the relevant pages -> pages fetched until it was reached; empty when there are none.
    """

    report: CrawlReport
    left_for: dict[str, str]
    likeness: dict[str, float]
    relevant: int
    search_length: dict[float, int]


def topical_crawl(
    seeds: Sequence[Seed],
    *,
    state: Path,
    config: CrawlConfig,
    order: Order,
    most_sites: int,
    connect_to: ConnectTo | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> TopicalReport:
    """Crawl the seeds, then the sites that their pages lead to, the most promising first.

    Args:
        seeds, state, config, connect_to, on_progress: as for `crawl_sites`.
        order: its query is the query of the crawl.
        most_sites: budget: sites beyond the seeds that may be visited, over all runs of this state.

    Raises:
        StorageError: as `crawl_sites`.
        BadInput: the query is no topic, file or words.
    """
    query = Query(query_topic(order.query))
    crawl = partial(crawl_sites, state=state, config=config, order=order, connect_to=connect_to, on_progress=on_progress)
    found = _Found(query, config)
    report = crawl(seeds)
    left_for = _visited(state, {seed.parish_id for seed in seeds})
    while not report.paused:
        found.look_at(read_pages(state))
        chosen = found.best(min(_AT_ONCE, most_sites - len(left_for)))
        if not chosen:
            break
        left_for |= {seed.parish_id: seed.url for seed in chosen}
        report = crawl(chosen)
    found.look_at(read_pages(state))
    return _report(report, left_for, read_pages(state), found.likeness, query)


class _Found:
    """What the pages read so far tell: each page is parsed once.

    Attributes:
        likeness: URL -> likeness to the query of every page with a body.
    """

    def __init__(self, query: Query, config: CrawlConfig) -> None:
        self.likeness: dict[str, float] = {}
        self._query = query
        self._config = config
        self._visited: set[str] = set()
        self._best: dict[str, tuple[float, str]] = {}

    def look_at(self, pages: Iterable[CrawledPage]) -> None:
        """Take notice of pages; those known are passed over."""
        for page in pages:
            self._visited |= {page.domain, registrable_domain(split(page.start_url).host)}
            if page.body and page.encoding and page.url not in self.likeness:
                read = _read(page)
                self.likeness[page.url] = self._query.likeness(read.words)
                for link in read.external:
                    self._weigh(link, self.likeness[page.url])

    def _weigh(self, link: ExternalLink, of_page: float) -> None:
        words = self._query.likeness_of_phrase(f"{link.anchor} {link.context}")
        # A good page alone sends nobody to the shops that it links to.
        if words > 0 and not is_blacklisted(split(link.url).host, self._config.never_crawl):
            value = _OF_THE_PAGE * of_page + (1 - _OF_THE_PAGE) * words
            self._best[link.site] = max(self._best.get(link.site, (0.0, "")), (value, link.url))

    def best(self, most: int) -> list[Seed]:
        """Sites that no page is known of, best first: half what the page with the link says, half the words of and around it."""
        waiting = ((site, found) for site, found in self._best.items() if site not in self._visited)
        ordered = sorted(waiting, key=lambda item: (-item[1][0], item[0]))
        return [Seed(site, url) for site, (_, url) in ordered[: max(0, most)]]


def _visited(state: Path, own: set[str]) -> dict[str, str]:
    return {page.parish_id: page.start_url for page in read_pages(state) if page.parish_id not in own}


@dataclass(frozen=True, slots=True)
class _Read:
    """The words of a page, its links to other sites, and the addresses it links to within its own."""

    words: Words
    external: Sequence[ExternalLink]
    inner: Sequence[str]


def _read(page: CrawledPage) -> _Read:
    """Nothing of a page that costs too much."""
    try:
        return parsed(partial(_read_bytes, page=replace(page, body=None)), page.body or b"")
    except TooCostly:
        return _Read(Words(""), (), ())


def _read_bytes(body: bytes, *, page: CrawledPage) -> _Read:
    text = to_text(body, (page.encoding or "").partition(";")[0])
    seen = SeenPage(page.parish_id, page.url, page.depth, "", b"", page_links=read_links(text))
    return _Read(words_of(text), external_links([replace(page, body=body)])[0], [link.url for link in seen.links])


def _report(
    report: CrawlReport, left_for: dict[str, str], pages: Iterable[CrawledPage], likeness: dict[str, float], query: Query
) -> TopicalReport:
    least = query.topic.thresholds["vector"]
    fetched = sorted((page.fetched_at, page.url) for page in pages if page.fetched_at is not None and page.body)
    relevant = {url for _, url in fetched if likeness.get(url, 0.0) >= least}
    lengths = search_lengths([Visit(url) for _, url in fetched], relevant)
    found = {share: pages for share, pages in lengths.items() if pages is not None}
    return TopicalReport(report, left_for, likeness, len(relevant), found)


def importance_of(pages: Iterable[CrawledPage], query: Query) -> dict[str, float]:
    """URL -> importance of each page with words, among the pages of its site (V10)."""
    sites: dict[str, PageImportance] = {}
    for page in sorted(pages, key=lambda one: (one.parish_id, one.depth, one.url)):
        if page.body and page.encoding:
            site = sites.setdefault(page.parish_id, PageImportance(query=query))
            read = _read(page)
            site.read(page.url, page.depth, read.words, read.inner)
    return {url: value for site in sites.values() for url, value in site.importance().items()}
