"""The demo web as a whole: `DemoWeb` composes it, serves it, and knows the truth about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from mass_pipeline.demo_web.annotations import Annotation, LabelledAnnouncement, annotations_of, announcements_of
from mass_pipeline.demo_web.compose import ComposedPage, Workshop, compose_site
from mass_pipeline.demo_web.directory import DIRECTORY_HOST, DIRECTORY_PATH, detail_path, directory_host
from mass_pipeline.demo_web.hosts import add_behaviour
from mass_pipeline.demo_web.http import Host, Request, Response
from mass_pipeline.demo_web.places import PlacesBook, PlacesEmulator, demo_book
from mass_pipeline.demo_web.portals import load_articles, portal_hosts
from mass_pipeline.demo_web.server import LoopbackServer, Served
from mass_pipeline.demo_web.source import DEMO_FOLDER, SiteSource, load_sites
from mass_pipeline.model.records import Mass

DEFAULT_SEED: Final = 20261120
_LOOPBACK: Final = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class DemoParish:
    """A parish of the demo web, by its directory page, with everything that is known about it."""

    site: SiteSource
    directory_url: str
    pages: tuple[ComposedPage, ...]

    @property
    def key(self) -> str:
        """Name of the source; key of `DemoWeb.truth`."""
        return self.site.key

    @property
    def start_url(self) -> str:
        """The address of its site."""
        return self.site.start_url


class DemoWeb:
    """Directory, Places and parish sites on one loopback port, told apart by the Host header. A context manager.

    Args:
        sites: None for the bundled sites; a number for that many, the bundled ones first, the rest generated; or the sites.
        seed: of the generated sites.
        folder: sources, data/demo of the project by default.
        port: 0 picks a free one.
        places: another book for the Places emulator, for example `book_from_mapping(...)`.

    Attributes:
        parishes: in directory order.
        truth: parish key -> standing schedule as a polite reader may find it; () where none can be.
        annotations: labelled hours of all pages. announcements: labelled announcements.
        portal_articles: labelled articles of the news portals.
        places: the emulator, to order faults from.
    """

    def __init__(
        self,
        sites: int | Sequence[SiteSource] | None = None,
        seed: int = DEFAULT_SEED,
        *,
        folder: Path = DEMO_FOLDER,
        port: int = 0,
        places: PlacesBook | None = None,
    ) -> None:
        self._hosts: dict[str, Host] = {}
        sources = _sources(folder, sites, seed)
        self.parishes = self._compose(sources, Workshop.open(folder))
        self._hosts[DIRECTORY_HOST] = directory_host(sources)
        self.portal_articles = load_articles(folder)
        self._hosts |= portal_hosts(self.portal_articles)
        self.places = PlacesEmulator(places or demo_book(sources))
        self._server = LoopbackServer(self._respond, port)

    def _compose(self, sources: Sequence[SiteSource], workshop: Workshop) -> tuple[DemoParish, ...]:
        parishes = []
        for number, site in enumerate(sources, start=1):
            host = self._hosts.setdefault(site.host, Host(site.host))
            pages = compose_site(site, workshop, host)
            add_behaviour(site, host, self._hosts)
            parishes.append(DemoParish(site, f"http://{DIRECTORY_HOST}{detail_path(site, number)}", pages))
        return tuple(parishes)

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._server.stop()

    def _respond(self, request: Request) -> Response:
        if request.host in (_LOOPBACK, "localhost"):
            return self.places.respond(request)
        host = self._hosts.get(request.host)
        return host.respond(request) if host is not None else Response.error(404)

    def connect_to(self, host: str, port: int) -> tuple[str, int] | None:
        """Where to connect for a logical host: the loopback server for its own hosts, None for any other."""
        return (_LOOPBACK, self.port) if host.lower().rstrip(".") in self._hosts else None

    @property
    def port(self) -> int:
        """Port of the server, 0 before it runs."""
        return self._server.port

    @property
    def hosts(self) -> tuple[str, ...]:
        """Every virtual host, sorted."""
        return tuple(sorted(self._hosts))

    @property
    def directory_url(self) -> str:
        """First list page of the directory."""
        return f"http://{DIRECTORY_HOST}{DIRECTORY_PATH}"

    @property
    def places_base_url(self) -> str:
        """Base URL for a Places client of either API."""
        return f"http://{_LOOPBACK}:{self.port}"

    @property
    def requests(self) -> Sequence[Served]:
        """Every request answered so far, in order."""
        return tuple(self._server.log)

    @cached_property
    def truth(self) -> Mapping[str, tuple[Mass, ...]]:
        """Parish key -> standing schedule."""
        return {parish.key: parish.site.truth for parish in self.parishes}

    @cached_property
    def truth_by_directory_url(self) -> Mapping[str, tuple[Mass, ...]]:
        """The same by the parish's page in the directory."""
        return {parish.directory_url: parish.site.truth for parish in self.parishes}

    @cached_property
    def annotations(self) -> tuple[Annotation, ...]:
        """Labelled hours, by parish, page and order on the page; none of sites that nobody may fetch."""
        open_sites = (p for p in self.parishes if p.site.readable not in ("robots_503", "opted_out"))
        return tuple(annotations_of((p.key, p.directory_url, p.pages) for p in open_sites))

    @cached_property
    def announcements(self) -> tuple[LabelledAnnouncement, ...]:
        """Labelled announcements, by parish and page."""
        return tuple(announcements_of((p.key, p.pages) for p in self.parishes))


def _sources(folder: Path, count: int | Sequence[SiteSource] | None, seed: int) -> tuple[SiteSource, ...]:
    if isinstance(count, Sequence):
        return tuple(count)
    bundled = load_sites(folder)
    if count is None or count <= len(bundled):
        return bundled[:count]
    from mass_pipeline.demo_web.generator import generate_sites

    return (*bundled, *generate_sites(count - len(bundled), seed))


def all_hours(parishes: Iterable[DemoParish]) -> int:
    """Number of labelled hours."""
    return sum(len(page.hours) for parish in parishes for page in parish.pages)
