"""A look from beginning to end: chooses what to ask for, asks by the rules of the profile, and gives the page that is printed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.http_client import RateLimitedClient
from mass_pipeline.gathering import deon, tabular
from mass_pipeline.gathering.asking import fetch
from mass_pipeline.gathering.config import DirectoryConfig, PlacesConfig
from mass_pipeline.gathering.dioceses import Dioceses
from mass_pipeline.gathering.gather import read_churches
from mass_pipeline.gathering.lookups import PlacesLookup, open_ledger
from mass_pipeline.gathering.ports import Page
from mass_pipeline.gathering.state import open_state
from mass_pipeline.gathering.tables import voivodeship_of
from mass_pipeline.model.columns import PARISH_URLS
from mass_pipeline.model.errors import ConfigurationError
from mass_pipeline.operations.canary import probes, report
from mass_pipeline.operations.canary.answers import KeptAnswers
from mass_pipeline.resources.clients import places_client
from mass_pipeline.resources.crawling import crawl_config, directory_config
from mass_pipeline.resources.http import RateLimitedHttp
from mass_pipeline.resources.lake import open_lake
from mass_pipeline.resources.operation import OperationConfig
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.web import OpenWeb, Web

_REQUESTS_PER_SITE: Final = 3 * (1 + 2)  # robots.txt, tdmrep.json and the page, of the host and of two it may lead to
_REDIRECTS: Final = 2


@dataclass(frozen=True, slots=True)
class Look:
    """What a look gave.

    Attributes:
        findings: in the order they were made.
        page: lines for people.
    """

    findings: tuple[probes.Finding, ...]
    page: tuple[str, ...]

    @property
    def is_trouble(self) -> bool:
        """Whether anything is not as expected."""
        return any(one.is_trouble for one in self.findings)


def look(
    settings: Settings,
    open_web: OpenWeb,
    told: Callable[[str], None],
    *,
    osm: Path | None = None,
    sites: int = probes.SITES,
) -> Look:
    """Ask the sources of the settings, as little as possible; each request once, none twice within a day.

    Args:
        settings: whose rules and limits hold.
        open_web: the web of the profile.
        told: called with lines of progress; the first says what is asked at most.
        osm: Overpass JSON of churches, for addresses of sites where none was looked up.
        sites: parish sites to ask.

    Raises:
        ConfigurationError: a setting is wrong. BadInput: a file cannot be read. StorageError: answers cannot be kept.
    """
    directory, places, crawl = settings.section(DirectoryConfig), settings.section(PlacesConfig), settings.section(CrawlConfig)
    dioceses = Dioceses.from_csv(settings.dioceses_file)
    kept = KeptAnswers(settings.data_folder / "state" / "canary", _now)
    chosen = probes.sample(_known_sites(settings, osm), settings.general.seed, count=sites)
    walks = deon.SOURCE in directory.used_sources
    told(_announcement(len(chosen), places if places.api_key else None, walks=walks))
    with open_web(settings) as web:
        patient = replace(directory_config(settings, is_local=web.is_local), max_attempts=1)
        usual = replace(crawl_config(settings, is_local=web.is_local), max_attempts=1, max_redirects=_REDIRECTS)
        with (
            RateLimitedClient(patient, web.connect_to, attempts=1, any_type=True) as lists,
            RateLimitedClient(usual, web.connect_to, attempts=1) as homes,
        ):
            fetch_home = kept.through(partial(fetch, homes))
            if walks:
                source = probes.look_at_directory(kept.through(partial(fetch, lists)), directory, dioceses, kept)
            else:
                source = probes.look_at_file(directory, dioceses)
            with _places(settings, web) as (lookup, units):
                found = probes.look_at_places(lookup, source.parish)
                spent = units()
            resolver = probes.look_at_resolver(fetch_home, settings.general.seed, kept)
            seen = probes.look_at_sites(fetch_home, chosen, kept, told)
            asked = {
                "requests to the directory": lists.counters["requests"],
                "to parish sites": homes.counters["requests"],
                "units of Places": spent,
                "answers of an earlier look": kept.reused,
            }
    findings = (source.finding, found, resolver, *seen.findings)
    runs_at_once = settings.section(OperationConfig).crawler_runs_at_once
    costs = list(report.full_run(source, seen, directory, places, crawl, runs_at_once))
    return Look(findings, tuple(report.page(findings, costs, asked, str(kept.folder))))


def _announcement(sites: int, places: PlacesConfig | None, *, walks: bool) -> str:
    """What a look asks at most, redirects included, said before it asks."""
    parts = ["4 requests to the directory"] if walks else []
    if places is not None:
        parts.append(f"{2 * places.search_units + places.details_units} units of Places")
    return f"Asks at most: {', '.join([*parts, f'{sites * _REQUESTS_PER_SITE + 3} requests to {sites} parish sites'])}."


def _now() -> datetime:
    return datetime.now(UTC)


def _never(url: str) -> Page:
    raise ConfigurationError(f"{url}: an extract is read from a file here.")


def _known_sites(settings: Settings, osm: Path | None) -> Iterator[probes.KnownSite]:
    """Addresses of parish sites with their diocese: as looked up, else of OpenStreetMap, else of the table of parishes."""
    looked_up = [row for row in open_lake(settings).published(PARISH_URLS).rows() if row["url"]]
    config = settings.section(DirectoryConfig)
    extract = str(osm) if osm else config.osm_source if "://" not in config.osm_source else ""
    if looked_up:
        yield from (probes.KnownSite(str(row["url"]), str(row["diocese_key"])) for row in looked_up)
    elif extract:
        for church in read_churches(replace(config, osm_source=extract), _never):
            if church.website:
                region = church.diocese or church.voivodeship or voivodeship_of(church.postcode)
                yield probes.KnownSite(church.website, region or "")
    elif config.table_file:
        for parish in tabular.read_table(Path(config.table_file), Dioceses.from_csv(settings.dioceses_file)):
            if parish.website_hint:
                yield probes.KnownSite(parish.website_hint, parish.diocese_key)


@contextmanager
def _places(settings: Settings, web: Web) -> Iterator[tuple[PlacesLookup | None, Callable[[], int]]]:
    """The look-up of one parish, asked once, with as few calls as it can be; and the units it has spent."""
    config = replace(settings.section(PlacesConfig), max_details=1, max_attempts=1)
    with places_client(RateLimitedHttp(settings, web)) as client:
        if client is None:
            yield None, lambda: 0
            return
        with open_state(settings.general.state_database or settings.data_folder / "state" / "discovery.sqlite") as state:
            ledger = open_ledger(state, config)
            before = ledger.look(_now()).spent
            yield PlacesLookup(client, ledger, config, _now), lambda: ledger.look(_now()).spent - before
