"""A first look at the live sources that asks as little as possible: what answers, and what to do where it is not as expected.

One list page and one parish page of the directory, one look-up in Places (paid from the quota's ledger like every other), and
the home pages of some parish sites, by the rules of the profile; each request once.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from mass_pipeline.crawling.fetching.http_client import RateLimitedClient
from mass_pipeline.gathering import deon, osm, tabular
from mass_pipeline.gathering.asking import Directory, FetchResult, fetch
from mass_pipeline.gathering.config import DirectoryConfig, PlacesConfig
from mass_pipeline.gathering.dioceses import Dioceses
from mass_pipeline.gathering.homes import parse_home
from mass_pipeline.gathering.hosts import HostKind, host_of, kind_of
from mass_pipeline.gathering.lookups import PlacesLookup, open_ledger
from mass_pipeline.gathering.parish import Parish
from mass_pipeline.gathering.ports import Page, PlacesDenied
from mass_pipeline.gathering.state import DiscoveryState
from mass_pipeline.model.columns import PARISH_URLS
from mass_pipeline.model.errors import BadInput, ConfigurationError, FetchError, LayoutChanged
from mass_pipeline.model.identifiers import fold
from mass_pipeline.resources.clients import places_client
from mass_pipeline.resources.lake import open_lake
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.web import OpenWeb, RateLimitedHttp, Web, crawl_config, directory_config

SITES: Final = 10
_REDIRECTS: Final = 2
_MANY: Final = 0.5  # of the sites asked: so many of one kind are not chance
_FEW_TO_JUDGE: Final = 4  # sites
_READABLE: Final = "readable"
_REMEDIES: Final = {
    "without an answer": "check this machine's network and resolver first: so many sites are not down at once",
    "on a social network or portal": "the list of sites is old: renew it (parish_urls asks Places and OpenStreetMap)",
    "closed by robots.txt": "their owners say no, and are obeyed: if all are of one provider, ask it",
    "refusing": "their server refuses robots or this address: ask one of the owners before going on",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        topic: what it is.
        seen: one sentence.
        remedy: what to do before a run; "" where all is as expected or nothing was asked.
    """

    topic: str
    seen: str
    remedy: str = ""

    @property
    def line(self) -> str:
        """For people."""
        return f"{self.topic}: {self.seen}" + (f" -> {self.remedy}" if self.remedy else "")


def look(
    settings: Settings, open_web: OpenWeb, told: Callable[[str], None], *, osm_extract: Path | None = None, sites: int = SITES
) -> list[Finding]:
    """Ask the sources of the settings.

    Args:
        settings: whose rules and limits hold.
        open_web: the web of the profile.
        told: called once, with what is asked at most.
        osm_extract: Overpass JSON of churches, for addresses of sites where none was looked up.
        sites: parish sites to ask.

    Raises:
        ConfigurationError: a setting is wrong. BadInput: a file cannot be read.
    """
    directory, places = settings.section(DirectoryConfig), settings.section(PlacesConfig)
    dioceses = Dioceses.from_csv(settings.dioceses_file)
    chosen = _sample(_known_sites(settings, osm_extract), settings.general.seed, sites)
    walks = deon.SOURCE in directory.used_sources
    units = 2 * places.search_units + places.details_units if places.api_key else 0
    told(
        f"Asks at most: {4 if walks else 0} requests to the directory, {units} units of Places, "
        f"{9 * len(chosen)} requests to {len(chosen)} parish sites."  # robots.txt, tdmrep.json and the page, of three hosts
    )
    with open_web(settings) as web:
        patient = replace(directory_config(settings, is_local=web.is_local), max_attempts=1)
        usual = replace(crawl_config(settings, is_local=web.is_local), max_attempts=1, max_redirects=_REDIRECTS)
        with RateLimitedClient(patient, web.connect_to, attempts=1, any_type=True) as lists:
            source, parish = _directory(lists, directory, dioceses) if walks else _file(directory, dioceses)
        with _places(settings, web) as (lookup, spent):
            found = _look_up(lookup, parish)
            found = replace(found, seen=f"{found.seen} ({spent()} units spent)")
        with RateLimitedClient(usual, web.connect_to, attempts=1) as homes:
            return [source, found, _home_pages(homes, chosen)]


def _directory(client: RateLimitedClient, config: DirectoryConfig, dioceses: Dioceses) -> tuple[Finding, Parish | None]:
    """One list page and one parish page, read by the reader of the whole walk."""
    other = "or take the parishes from a file: MASS_PIPELINE_DIRECTORY_TABLE_FILE=parishes.csv"
    pages, asked = Directory(client, 1, _now), []

    def get(url: str) -> Page:
        asked.append(pages.get(url))
        return asked[-1]

    try:
        parish = next(deon.read_directory(get, config, dioceses=dioceses))
    except ConfigurationError as error:
        return Finding("Directory", f"not asked: {error}"), None
    except LayoutChanged as error:
        home = host_of(asked[0].url)
        moved = "" if home == host_of(config.start_url) else f" (it leads to {home})"
        remedy = f"compare its page with the selectors of gathering/config.py ({config.row_selector}), {other}"
        return Finding("Directory", f"expected {error.expectation}, found {error.found}{moved}", remedy), None
    except FetchError as error:
        return Finding("Directory", f"{error.url}: {error.reason}", f"try again in some hours, {other}"), None
    return Finding("Directory", f"as expected: {parish.name}, {parish.town}"), parish


def _file(config: DirectoryConfig, dioceses: Dioceses) -> tuple[Finding, Parish | None]:
    """A table of parishes, or an OSM extract, as the source of parishes; nothing is asked."""
    is_table = tabular.SOURCE in config.used_sources
    path = Path(config.table_file if is_table else config.osm_source)
    try:
        if is_table:
            parishes = list(tabular.read_table(path, dioceses))
        else:
            parishes = list(osm.osm_parishes(osm.read_overpass(path.read_bytes(), str(path)), dioceses))
    except (BadInput, OSError, ConfigurationError) as error:
        return Finding(str(path), str(error), "mend the file; nothing was asked"), None
    if not parishes:
        return Finding(str(path), "no parish in it", "see docs/directory.md, or use another source"), None
    return Finding(str(path), f"as expected: {len(parishes):,} parishes"), parishes[0]


@contextmanager
def _places(settings: Settings, web: Web) -> Iterator[tuple[PlacesLookup | None, Callable[[], int]]]:
    """The look-up of one parish, asked once, with as few calls as it can be (None without a key); and the units it has spent."""
    config = replace(settings.section(PlacesConfig), max_details=1, max_attempts=1)
    with places_client(RateLimitedHttp(settings, web)) as client:
        if client is None:
            yield None, int
            return
        with DiscoveryState(settings.general.state_database or settings.data_folder / "state" / "discovery.sqlite") as state:
            ledger = open_ledger(state, config)
            before = ledger.look(_now()).spent
            yield PlacesLookup(client, ledger, config, _now), lambda: ledger.look(_now()).spent - before


def _look_up(lookup: PlacesLookup | None, parish: Parish | None) -> Finding:
    if lookup is None or parish is None:
        return Finding("Places", "not asked: no key is set" if lookup is None else "not asked: no parish to ask about")
    try:
        found = lookup.look_up(parish)
    except PlacesDenied as error:
        return Finding("Places", f"the key is refused: {error}", "check the API and the restrictions of the key with Google")
    name = f"{parish.name}, {parish.town}"
    if lookup.stopped or found.status == "error":
        remedy = "wait until units come free; failed calls count as spent"
        return Finding("Places", lookup.stopped or found.reason, remedy)
    if found.status == "pending":
        return Finding("Places", f"not asked: {name} was looked up some minutes ago")
    if not found.places:
        return Finding("Places", f"nothing is known of {name}", "look it up by hand: if Google knows it, check the key")
    return Finding("Places", f"as expected: {name}, {found.places[0].website or 'without a site'}")


def _known_sites(settings: Settings, extract: Path | None) -> Iterator[str]:
    """Addresses of parish sites: as looked up, else of OpenStreetMap, else of the table of parishes."""
    config = settings.section(DirectoryConfig)
    path = extract or (Path(config.osm_source) if config.osm_source and "://" not in config.osm_source else None)
    looked_up = [str(row["url"]) for row in open_lake(settings).published(PARISH_URLS).rows() if row["url"]]
    if looked_up:
        yield from looked_up
    elif path is not None:
        yield from (church.website for church in osm.read_overpass(path.read_bytes(), str(path)))
    elif config.table_file:
        for parish in tabular.read_table(Path(config.table_file), Dioceses.from_csv(settings.dioceses_file)):
            yield parish.website_hint or ""


def _sample(urls: Iterable[str], seed: int, count: int) -> list[str]:
    """Sites with hosts of their own, one for each host; the same seed gives the same ones."""
    own = sorted({host_of(url): url for url in urls if url and kind_of(url) is HostKind.OWN}.values())
    return random.Random(seed).sample(own, min(count, len(own)))


def _home_pages(client: RateLimitedClient, urls: list[str]) -> Finding:
    """What the home pages of parish sites are, and what many of them have in common."""
    if not urls:
        return Finding("Parish sites", "not asked: no address is known (--osm churches.json gives some)")
    answers = [fetch(client, url) for url in urls]
    kinds = Counter(_kind(answer) for answer in answers)
    seen = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    kind, count = next(((kind, n) for kind, n in kinds.most_common() if kind != _READABLE), ("", 0))
    same = max(Counter(answer.body for answer in answers if answer.body).values(), default=0)
    if len(urls) >= _FEW_TO_JUDGE and same >= _MANY * len(urls):
        remedy = "something stands between (a provider, a log-in): ask from another network or resolver"
        return Finding("Parish sites", f"{seen}; {same} hosts answer with the same page", remedy)
    is_common = len(urls) >= _FEW_TO_JUDGE and count >= _MANY * len(urls)
    return Finding("Parish sites", seen, _REMEDIES.get(kind, "open some of them in a browser first") if is_common else "")


def _kind(answer: FetchResult) -> str:
    """What a home page is, in a few words."""
    target = kind_of(answer.final_url or answer.url)
    if answer.outcome == "out_of_scope" or target is HostKind.SOCIAL:
        return "on a social network or portal"
    if answer.outcome == "forbidden_by_robots":
        return "closed by robots.txt"
    if answer.status in (401, 403, 429, 451):
        return "refusing"
    if answer.outcome in ("dns_error", "timeout", "refused", "deferred"):
        return "without an answer"
    if target is HostKind.PARKED or answer.outcome not in ("ok", "truncated"):
        return "parked" if target is HostKind.PARKED else answer.outcome.replace("_", " ")
    home = parse_home(answer.final_url or answer.url, answer.body, answer.content_type)
    return _READABLE if "parafi" in fold(home.text) else "without the word parafia"


def _now() -> datetime:
    return datetime.now(UTC)
