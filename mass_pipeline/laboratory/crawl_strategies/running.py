"""Crawl the same web with a strategy and note the requests of each site in order: over real HTTP, or a graph in memory.

Requests are counted where they arrive: at the server. What manners ask for (robots.txt, tdmrep.json) is not counted; redirects,
404 and repeated tries are.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from mass_pipeline.crawling.fetching.addresses import ConnectTo
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.urls import canonicalize
from mass_pipeline.crawling.sites.engine import crawl_sites
from mass_pipeline.crawling.sites.frontier import Added, Item, Link, SiteFrontier
from mass_pipeline.crawling.sites.records import Seed
from mass_pipeline.demo_web.server import Served
from mass_pipeline.laboratory.crawl_strategies.graphs import Graph
from mass_pipeline.laboratory.crawl_strategies.metrics import Visit
from mass_pipeline.laboratory.orders import Order

_MANNERS: Final = ("/robots.txt", "/.well-known/tdmrep.json")


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What is known of a page beforehand: relevance 0 to 1, and whether it states the schedule."""

    relevance: float
    states_schedule: bool


@dataclass(frozen=True, slots=True)
class EvaluatedSite:
    """A site with its labels.

    Attributes:
        seed: where its crawl starts.
        prefix: `http://host/path` that its addresses begin with.
        pages: URL -> facts.
        by_own_links: the site's own links lead to the schedule, and it is not on the start page.
    """

    seed: Seed
    prefix: str
    pages: Mapping[str, PageFacts]
    by_own_links: bool = False

    @property
    def targets(self) -> frozenset[str]:
        """Pages that state the schedule."""
        return frozenset(url for url, facts in self.pages.items() if facts.states_schedule)

    @property
    def starts_on_target(self) -> bool:
        """Whether the start page states it: then every strategy needs one request."""
        return self.seed.url in self.targets

    def visit(self, url: str) -> Visit:
        """The request as the measures see it."""
        facts = self.pages.get(url)
        return Visit(url) if facts is None else Visit(url, facts.relevance, facts.states_schedule)


@dataclass(slots=True)
class ServedWeb:
    """Sites on a loopback server.

    Attributes:
        sites: those with a page that states the schedule.
        connect_to: leads every host to the server.
        log: the server's requests so far.
    """

    sites: Sequence[EvaluatedSite]
    connect_to: ConnectTo
    log: Callable[[], Sequence[Served]]
    _seen: int = 0

    def requested(self) -> list[str]:
        """URLs asked for since the last call, in order."""
        served = self.log()[self._seen :]
        self._seen += len(served)
        return [canonicalize(f"http://{one.host}{one.target}") for one in served]


def crawl_web(
    web: ServedWeb, config: CrawlConfig, order: Order, starts: Mapping[str, str] | None = None
) -> dict[str, tuple[Visit, ...]]:
    """Crawl every site once.

    Args:
        starts: parish_id -> another start URL; sites without one are left out.

    Returns:
        parish_id -> its requests in order.
    """
    sites = [site for site in web.sites if starts is None or site.seed.parish_id in starts]
    seeds = [replace(site.seed, url=starts[site.seed.parish_id]) if starts else site.seed for site in sites]
    web.requested()
    with tempfile.TemporaryDirectory(prefix="mass-pipeline-evaluate-") as folder:
        crawl_sites(seeds, state=Path(folder), config=config, order=order, connect_to=web.connect_to)
    return _by_site(sites, web.requested())


def _by_site(sites: Iterable[EvaluatedSite], requested: Iterable[str]) -> dict[str, tuple[Visit, ...]]:
    visits: dict[str, list[Visit]] = {site.seed.parish_id: [] for site in sites}
    owners = sorted(sites, key=lambda site: -len(site.prefix))
    for url in requested:
        site = next((one for one in owners if url.startswith(one.prefix)), None)
        if site is not None and not url.endswith(_MANNERS):
            visits[site.seed.parish_id].append(site.visit(url))
    return {name: tuple(found) for name, found in visits.items()}


def disjoint_starts(sites: Iterable[EvaluatedSite], seed: int) -> tuple[dict[str, str], dict[str, str]]:
    """Two inner pages of each site, one of each half of its pages; sites with fewer than two such pages are left out.

    Pages that state the schedule are no starts: there would be nothing left to find.
    """
    halves: tuple[dict[str, str], dict[str, str]] = {}, {}
    for site in sites:
        chance = random.Random(f"{seed} {site.seed.parish_id}")
        inner = sorted(url for url, facts in site.pages.items() if not facts.states_schedule and url != site.seed.url)
        if len(inner) >= 2:
            for half, url in zip(halves, chance.sample(inner, 2), strict=True):
                half[site.seed.parish_id] = url
    return halves


def crawl_graph(
    graph: Graph, seeds: Sequence[str], order: Order, most: int, config: CrawlConfig | None = None
) -> tuple[Visit, ...]:
    """Crawl a graph in memory with the same frontier and scorers; at most so many pages.

    Args:
        seeds: start URLs, none of them a target.
        config: how many links may wait.
    """
    config = config or CrawlConfig()
    of_graph = order(config, "graph")
    frontier = SiteFrontier(of_graph.key, config.frontier_capacity, drop_worst=of_graph.drops_worst, batch=of_graph.batch)
    for number, url in enumerate(seeds):
        frontier.add(Item(number, url, url, 0), Link(url, "", 0, "", "graph"))
    visits: list[Visit] = []
    while len(visits) < most and (item := frontier.take(0.0)) is not None:
        visits.append(graph.visit(item.url))
        page = graph.page(item.url, item.depth, item.text)
        if of_graph.observe(page):
            frontier.resort()
        for link in page.links:
            if frontier.status(link.url, item.depth + 1) is Added.NEW:
                text = link.raw.text()
                found = Item(0, link.url, link.url, item.depth + 1, text=text)
                frontier.add(found, Link(link.url, text, item.depth + 1, item.url, "graph"))
    return tuple(visits)
