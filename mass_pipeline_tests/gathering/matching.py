"""The written cases of matching: read them, serve them (Places emulator and sites on one loopback port), measure policies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from mass_pipeline.crawling import CrawlConfig
from mass_pipeline.crawling.fetching.http_client import RateLimitedClient
from mass_pipeline.crawling.fetching.urls import canonicalize
from mass_pipeline.demo_web.http import Request, Response
from mass_pipeline.demo_web.places import Place, PlacesEmulator, book_from_mapping
from mass_pipeline.demo_web.server import LoopbackServer
from mass_pipeline.gathering.asking import home_reader
from mass_pipeline.gathering.config import PlacesConfig, WebsitesConfig
from mass_pipeline.gathering.lookups import open_ledger, queries
from mass_pipeline.gathering.parish import Parish
from mass_pipeline.gathering.parish_url import ParishUrl
from mass_pipeline.gathering.sharing import site_identity
from mass_pipeline.gathering.state import DiscoveryState
from mass_pipeline.gathering.websites import Sources, find_websites
from mass_pipeline.resources.places_legacy import GooglePlacesLegacy
from mass_pipeline_tests.gathering.support import NOW, parish

FOLDER = Path(__file__).parent
KEY = "AIzaTest"


@dataclass(slots=True)
class Case:
    """One parish: what Places says, which site is its own (None: none is)."""

    kind: str
    parish: Parish
    places: list[Place] = field(default_factory=list)
    own_url: str | None = None


@dataclass(frozen=True, slots=True)
class Cases:
    """All cases of a file, and the pages they speak of."""

    cases: tuple[Case, ...]
    pages: Mapping[str, tuple[str, str]]


def read_cases(path: Path) -> Cases:
    """Read the format that the head of `matching_cases.txt` explains."""
    cases: list[Case] = []
    pages: dict[str, tuple[str, str]] = {}
    kind = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        mark, parts = line[:1], [part.strip() for part in line[1:].split("|")]
        if mark == "[":
            kind = line.strip("[]")
        elif mark == ">":
            cases.append(Case(kind, _parish(parts, len(cases))))
        elif mark in {"+", "-"}:
            _add_place(cases[-1], parts, is_own=mark == "+")
        elif mark == "=":
            pages[canonicalize(parts[0])] = (parts[1], "|".join(parts[2:]))
    return Cases(tuple(cases), pages)


def _parish(parts: list[str], number: int) -> Parish:
    name, town, street, postcode, *hint = parts
    return parish(
        name,
        town,
        parish_id=f"case-{number:03d}",
        street=street or None,
        postcode=postcode or None,
        website_hint=hint[0] if hint else None,
    )


def _add_place(case: Case, parts: list[str], *, is_own: bool) -> None:
    """A line without a place's name only says what the directory's hint is worth; a sixth part is the place's own website."""
    url, name, address, types, phone, website = (*parts, *[""] * (6 - len(parts)))
    if name:
        case.places.append(Place(name, address, website or url, types=tuple(types.split(",")), phone=phone))
    if is_own:
        case.own_url = url


@contextmanager
def serving(cases: Cases) -> Iterator[LoopbackServer]:
    """Places and all sites on loopback."""
    book: dict[str, Sequence[Place]] = {}
    for case in cases.cases:
        for query in queries(case.parish):
            book.setdefault(query, case.places)
    emulator = PlacesEmulator(book_from_mapping(book))

    def respond(request: Request) -> Response:
        if request.host == "127.0.0.1":
            return emulator.respond(request)
        found = cases.pages.get(canonicalize(f"http://{request.host}{request.target}"))
        if found is None:
            return Response.error(404)
        title, text = found
        if title.startswith("->"):
            return Response.redirect(title.removeprefix("->").strip())
        body = text if text.startswith("<frameset") else f"<body><p>{text}</p></body>"
        return Response(200, f"<html><head><title>{title}</title></head>{body}</html>".encode(), "text/html; charset=utf-8")

    server = LoopbackServer(respond)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def look_up(cases: Cases, server: LoopbackServer, state: Path, policy: WebsitesConfig) -> list[ParishUrl]:
    """The rows of all cases under a policy, in the order of the cases."""
    places = PlacesConfig(
        api_key=KEY, units_per_day=100_000, terms_confirmed=True, content_days=30, max_attempts=1, queries_per_second=1000
    )
    crawl = CrawlConfig(allow_private_hosts=True, start_delay_seconds=0.0, host_gap_seconds=0.0, contact="test@parish.example")
    homes = RateLimitedClient(crawl, lambda host, port: ("127.0.0.1", server.port))
    client = GooglePlacesLegacy(places, f"http://127.0.0.1:{server.port}")
    with DiscoveryState(state) as opened, homes as pages:
        ledger = open_ledger(opened, places)
        return find_websites(
            (c.parish for c in cases.cases), Sources(client, places), ledger, policy, home_reader(pages), lambda: NOW
        )


@dataclass(frozen=True, slots=True)
class Score:
    """Precision and recall of accepted sites, and the cases that were decided wrongly."""

    accepted: int
    right: int
    existing: int
    wrong: tuple[str, ...]

    @property
    def precision(self) -> float:
        return self.right / self.accepted if self.accepted else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.existing if self.existing else 1.0


def score(cases: Cases, rows: Sequence[ParishUrl]) -> Score:
    """Compare the accepted URLs with the written answers."""
    by_id = {row.parish_id: row for row in rows}
    accepted = right = existing = 0
    wrong = []
    for case in cases.cases:
        row = by_id[case.parish.parish_id]
        is_right = bool(row.url and case.own_url and site_identity(row.url) == site_identity(canonicalize(case.own_url)))
        accepted, right, existing = accepted + bool(row.url), right + is_right, existing + bool(case.own_url)
        if not is_right and (row.url or case.own_url):
            evidence = [(c.url, *c.evidence) for c in row.candidates]
            wrong.append(
                f"[{case.kind}] {case.parish.name}, {case.parish.town}: {row.status} {row.url}, not {case.own_url}: {evidence}"
            )
    return Score(accepted, right, existing, tuple(wrong))


def by_kind(cases: Cases) -> dict[str, int]:
    """Number of cases per kind."""
    counts: dict[str, int] = defaultdict(int)
    for case in cases.cases:
        counts[case.kind] += 1
    return dict(counts)
