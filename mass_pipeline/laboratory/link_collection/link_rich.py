"""A web rich in links for the collection of external links: ten sites of a theme, their published counts scaled down, over HTTP.

Pages form a tree, so that breadth-first order is the order of the rewards. Every second site is written in windows-1251 and does
not say so; every start page links to another host of its own domain. What the sites link to are companions of one site, of two
and of three. Nothing is collected here.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.web_graph import ExternalLink
from mass_pipeline.demo_web.http import Request, Response
from mass_pipeline.demo_web.server import LoopbackServer
from mass_pipeline.laboratory.bandits.config import LinkBanditConfig
from mass_pipeline.laboratory.bandits.game import Rewards
from mass_pipeline.laboratory.bandits.site_sets import NEAREST_SHAPES, OWN_COUNTS, PUBLISHED_BUDGET, SetName, Shape, site_set
from mass_pipeline.laboratory.link_collection.collector import collect_links
from mass_pipeline.laboratory.link_collection.reading import read_external_links
from mass_pipeline.laboratory.link_collection.records import CollectionSettings, CollectReport
from mass_pipeline.laboratory.link_collection.store import LinkStore, add_site

SCALE: Final = 20
_CHILDREN: Final = 6  # of a page: five levels hold the largest site
_COMPANIONS: Final = 2  # of each group of sites
_FOLDER_PAGES: Final = 200  # below one prefix: more would look like a trap
_WORDS: Final = {"institutes": "Институт", "universities": "Университет", "mixed": "Учреждение"}


@dataclass(frozen=True, slots=True)
class LinkRichSite:
    """One site: its place in the set, host, and the external links that each of its pages brings, in breadth-first order."""

    place: int
    host: str
    rewards: Rewards

    @property
    def start_url(self) -> str:
        """Where a collection begins."""
        return f"http://{self.host}/"

    @property
    def charset(self) -> str:
        """Of its pages; none of them names it."""
        return "windows-1251" if self.place % 2 else "utf-8"


class LinkRichWeb:
    """Serves the sites of a theme on loopback; a context manager.

    Args:
        theme: whose published counts are scaled.
        seed: of where the links lie.

    Attributes:
        sites: in order.
    """

    def __init__(self, theme: SetName, seed: int = 1) -> None:
        shape = NEAREST_SHAPES[theme]
        scaled = Shape(shape.links_per_page, shape.empty_pages / SCALE, shape.near_start_pages / SCALE, shape.decline)
        counts = tuple((max(1, round(pages / SCALE)), round(links / SCALE)) for pages, links in OWN_COUNTS[theme])
        self._theme = theme
        self.sites = tuple(
            LinkRichSite(place, f"{theme}{place}.example", rewards)
            for place, rewards in enumerate(site_set(scaled, seed, counts))
        )
        self._by_host = {site.host: site for site in self.sites}
        self._server = LoopbackServer(self._respond)

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._server.stop()

    def connect_to(self, host: str, port: int) -> tuple[str, int] | None:
        """Its own hosts live on loopback; no other is there."""
        return ("127.0.0.1", self._server.port) if host in self._by_host else None

    def companions(self, pages: int) -> dict[str, int]:
        """Site that is linked to -> how many sites of the set link to it, on so many first pages of each."""
        linking: dict[str, set[int]] = {}
        for site in self.sites:
            for link in range(int(site.rewards[:pages].sum())):
                linking.setdefault(_companion(site.place, link), set()).add(site.place)
        return {host: len(places) for host, places in sorted(linking.items())}

    def _respond(self, request: Request) -> Response:
        site, name = self._by_host.get(request.host), request.path.rpartition("/")[2] or "0"
        if site is None or not name.isdigit() or request.path != _path(page := int(name)) or page >= len(site.rewards):
            return Response.error(404)
        title = f"{_WORDS[self._theme]} {site.place}: страница {page}"
        text = f"<html><body><h1>{title}</h1>{''.join(self._links(site, page))}</body></html>"
        return Response(body=text.encode(site.charset), content_type="text/html")

    def _links(self, site: LinkRichSite, page: int) -> Iterator[str]:
        for child in range(_CHILDREN * page + 1, min(_CHILDREN * page + _CHILDREN + 1, len(site.rewards))):
            yield f'<p><a href="{_path(child)}">страница {child}</a></p>'
        if page == 0:
            yield f'<p><a href="http://library.{site.host}/">библиотека</a></p>'
        first = int(site.rewards[:page].sum())
        for link in range(first, first + int(site.rewards[page])):
            url = f"http://{_companion(site.place, link)}/{site.place}/{link}"
            yield f'<p>Смотрите <a href="{escape(url)}">источник {link}</a></p>'


def _path(page: int) -> str:
    return f"/{page // _FOLDER_PAGES}/{page}" if page else "/"


def _companion(place: int, link: int) -> str:
    """Whom a link leads to: in turn a companion of a triple of sites, of a pair, of its site alone."""
    group = 2 - link % 3  # the first link of a triple of sites leads to one companion
    return f"companion-{'abc'[group]}{place // (group + 1)}-{link // 3 % _COMPANIONS}.example"


THEMES: Final[tuple[SetName, ...]] = ("institutes", "universities", "mixed")
POLICIES: Final = ("r1", "r2", "r3")
BANDITS: Final = LinkBanditConfig(budget_pages=PUBLISHED_BUDGET // SCALE, step_pages=2, first_pages=1)


def collected(
    web: LinkRichWeb, state: Path, policy: str, config: CrawlConfig, bandits: LinkBanditConfig = BANDITS
) -> CollectReport:
    """A collection from all sites of the web in a new state folder."""
    with LinkStore(state, create=True) as store:
        for site in web.sites:
            add_site(store, site.start_url)
    settings = CollectionSettings(policy=policy, budget_pages=bandits.budget_pages, max_level=bandits.max_level)
    return collect_links(state, settings, config=config, bandits=bandits, connect_to=web.connect_to)


def external_links_of(state: Path) -> list[ExternalLink]:
    """What a collection holds."""
    with LinkStore(state) as store:
        return read_external_links(store)


def served_table(seeds: int) -> Iterator[str]:
    """Links that R1, R2 and R3 find with 100 pages over HTTP, the mean over seeds."""
    config = CrawlConfig(allow_private_hosts=True, no_delay=True)
    yield from (f"| set | {' | '.join(name.upper() for name in POLICIES)} |", "|---|---|---|---|")
    for theme in THEMES:
        means = []
        for policy in POLICIES:
            found = 0
            for seed in range(1, seeds + 1):
                with LinkRichWeb(theme, seed) as web, tempfile.TemporaryDirectory() as folder:
                    found += collected(web, Path(folder), policy, config).new_links
            means.append(f"{found / seeds:.0f}")
        yield f"| {theme} | {' | '.join(means)} |"
