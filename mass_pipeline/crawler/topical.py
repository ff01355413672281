"""A topical crawl that may leave its sites, within a budget (V9 to V11): where the links of what was read promise the query.

Whole sites are taken, the most promising first, each crawled as any other: one engine, the same manners. What was fetched is
told with its likeness to the query. Source: S. Chakrabarti, M. van den Berg, B. Dom, Focused crawling, Computer Networks 31
(1999) 1623-1640; search length: F. Menczer, G. Pant, P. Srinivasan, ACM TOIT 4 (2004) 378-419, section 4.
Not here: what makes a link promising within a site (scorers).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from mass_pipeline.crawler.fetching.addresses import ConnectTo
from mass_pipeline.crawler.fetching.config import CrawlConfig
from mass_pipeline.crawler.fetching.scope import is_blacklisted, registrable_domain
from mass_pipeline.crawler.fetching.urls import split
from mass_pipeline.crawler.pages.page_words import words_of
from mass_pipeline.crawler.pages.relevance import Words
from mass_pipeline.crawler.sites.engine import crawl_sites
from mass_pipeline.crawler.sites.reading import read_pages
from mass_pipeline.crawler.sites.records import CrawledPage, CrawlReport, Progress, Seed
from mass_pipeline.crawler.sites.scorers.topic import Query, query_topic
from mass_pipeline.crawler.web_graph.external_links import ExternalLink, external_links
from mass_pipeline.extraction.charset import to_text
from mass_pipeline.extraction.door import parsed
from mass_pipeline.guard import TooCostly

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
        search_length: pages fetched up to and with the first relevant one, None when there is none.
    """

    report: CrawlReport
    left_for: dict[str, str]
    likeness: dict[str, float]
    relevant: int
    search_length: int | None


def topical_crawl(
    seeds: Sequence[Seed],
    *,
    state: Path,
    config: CrawlConfig,
    most_sites: int,
    connect_to: ConnectTo | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> TopicalReport:
    """Crawl the seeds, then the sites that their pages lead to, the most promising first.

    Args:
        seeds, state, config, connect_to, on_progress: as for `crawl_sites`; `config.query` is the query.
        most_sites: budget: sites beyond the seeds that may be visited, over all runs of this state.

    Raises:
        StorageError: as `crawl_sites`.
        BadInput: the query is no topic, file or words.
    """
    query = Query(query_topic(config.query))
    crawl = partial(crawl_sites, state=state, config=config, connect_to=connect_to, on_progress=on_progress)
    likeness: dict[str, float] = {}
    report = crawl(seeds)
    own = {seed.parish_id for seed in seeds}
    left_for = _visited(state, own)
    while not report.paused:
        pages = list(read_pages(state))
        likeness |= _likeness(pages, query, likeness)
        promising = _promising(pages, likeness, query, config)
        chosen = list(promising)[: min(_AT_ONCE, most_sites - len(left_for))]
        if not chosen:
            break
        left_for |= {seed.parish_id: seed.url for seed in chosen}
        report = crawl(chosen)
    return _report(report, left_for, read_pages(state), likeness, query)


def _visited(state: Path, own: set[str]) -> dict[str, str]:
    return {page.parish_id: page.start_url for page in read_pages(state) if page.parish_id not in own}


def _likeness(pages: Iterable[CrawledPage], query: Query, known: dict[str, float]) -> dict[str, float]:
    """Of pages that are not known yet; a page whose reading was ended is like nothing."""
    return {page.url: query.likeness(_words(page)) for page in pages if page.body and page.encoding and page.url not in known}


def _words(page: CrawledPage) -> Words:
    encoding = (page.encoding or "").partition(";")[0]
    try:
        return parsed(partial(_words_of_bytes, encoding=encoding), page.body or b"")
    except TooCostly:
        return Words("")


def _words_of_bytes(body: bytes, *, encoding: str) -> Words:
    return words_of(to_text(body, encoding))


def _links_of(page: CrawledPage) -> Iterator[ExternalLink]:
    try:
        yield from parsed(partial(_links_of_bytes, page=replace(page, body=None)), page.body or b"")
    except TooCostly:
        return


def _links_of_bytes(body: bytes, *, page: CrawledPage) -> list[ExternalLink]:
    return external_links([replace(page, body=body)])[0]


def _promising(pages: Sequence[CrawledPage], likeness: dict[str, float], query: Query, config: CrawlConfig) -> Iterator[Seed]:
    """Sites that no page is known of, best first: half what the page with the link says, half the words of and around it."""
    known = {registrable_domain(split(page.start_url).host) for page in pages} | {page.domain for page in pages}
    best: dict[str, tuple[float, str]] = {}
    for page in pages:
        for link in _links_of(page) if page.body else ():
            if link.site in known or is_blacklisted(split(link.url).host, config.never_crawl):
                continue
            words = query.likeness_of_phrase(f"{link.anchor} {link.context}")
            value = _OF_THE_PAGE * likeness.get(page.url, 0.0) + (1 - _OF_THE_PAGE) * words
            if words > 0:  # a good page alone sends nobody to the shops that it links to
                best[link.site] = max(best.get(link.site, (0.0, "")), (value, link.url))
    for site, (_, url) in sorted(best.items(), key=lambda item: (-item[1][0], item[0])):
        yield Seed(site, url)


def _report(
    report: CrawlReport, left_for: dict[str, str], pages: Iterable[CrawledPage], likeness: dict[str, float], query: Query
) -> TopicalReport:
    least = query.topic.thresholds["vector"]
    fetched = sorted((page.fetched_at, page.url) for page in pages if page.fetched_at is not None and page.body)
    relevant = [number for number, (_, url) in enumerate(fetched, 1) if likeness.get(url, 0.0) >= least]
    return TopicalReport(report, left_for, likeness, len(relevant), relevant[0] if relevant else None)
