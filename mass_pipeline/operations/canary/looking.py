"""A look from beginning to end: chooses what to ask for, asks by the rules of the profile, and gives the page that is printed."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from mass_pipeline.model.identifiers import one_line
from mass_pipeline.operations.canary import probes
from mass_pipeline.operations.canary.probes import DirectoryLook, Finding, KeptAnswers, SitesLook
from mass_pipeline.resources.clients import places_client
from mass_pipeline.resources.lake import open_lake
from mass_pipeline.resources.operation import OperationConfig
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.web import OpenWeb, RateLimitedHttp, Web, crawl_config, directory_config

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
    costs = list(full_run(source, seen, directory, places, crawl, runs_at_once))
    return Look(findings, tuple(page(findings, costs, asked, str(kept.folder))))


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


_PAGES_PER_SITE: Final = 33  # asked of a site in a first crawl: 3,279 of 100 sites in the benchmark crawl_speed
_TYPICAL_BYTES: Final = 40_000  # of a page, where no site has answered
_WIDTH: Final = 100
_MB: Final = 1e6


@dataclass(frozen=True, slots=True)
class Cost:
    """What one stage of a full run would take. Figures are estimates from this look, rounded when they are printed."""

    stage: str
    requests: int
    hours: float
    megabytes: float
    note: str = ""


def full_run(
    directory: DirectoryLook,
    sites: SitesLook,
    directory_config: DirectoryConfig,
    places: PlacesConfig,
    crawl: CrawlConfig,
    runs_at_once: int,
) -> Iterator[Cost]:
    """Directory, Places and crawl of the whole country, reckoned from what this look saw; nothing when no parish is known.

    Args:
        directory: says how many parishes there are.
        sites: its answers give the size and the speed of a page.
        directory_config, places, crawl: the limits a run would keep.
        runs_at_once: crawls at the same time.
    """
    parishes = directory.parishes
    if not parishes:
        return
    if directory.page_bytes:
        requests = parishes + -(-parishes // directory_config.rows_per_page) + 1
        hours = requests * directory_config.request_gap_seconds / 3600
        yield Cost("Directory", requests, hours, requests * directory.page_bytes / _MB)
    if places.api_key:
        per_parish = places.search_units + (places.details_units if places.api == "legacy" else 0)
        units = parishes * per_parish
        days = units / places.units_per_day if places.units_per_day else 0.0
        calls = parishes * (2 if places.api == "legacy" else 1)
        note = f"{units:,} units or more: {days:,.0f} days at {places.units_per_day:,} units a day"
        yield Cost("Places", calls, days * places.window_hours, 0.0, note)
    read = [one for one in sites.answers if one.body]
    size = sum(len(one.body) for one in read) / len(read) if read else _TYPICAL_BYTES
    wait = crawl.host_gap_seconds + (sum(one.elapsed_ms or 0 for one in read) / len(read) / 1000 if read else 1.0)
    pages = parishes * _PAGES_PER_SITE
    hours = pages * wait / (crawl.sites_at_once * runs_at_once) / 3600
    yield Cost(
        "First crawl", pages, hours, pages * size / _MB, f"with a site for each parish and {_PAGES_PER_SITE} pages of each"
    )


def page(findings: Sequence[Finding], costs: Sequence[Cost], asked: Mapping[str, int], folder: str) -> list[str]:
    """All of it as lines for a terminal.

    Args:
        findings: in the order they were made.
        costs: see `full_run`.
        asked: what was asked in this look, by kind.
        folder: where the answers are kept.
    """
    lines = ["What answered"]
    for one in findings:
        lines += _wrapped(f"  {one.topic + ':':18}{one.verdict.value}. {one_line(one.seen)}", 20)
        lines += [line for where in one.where for line in _wrapped(f"{'':20}{one_line(where)}", 22)]
    lines += ["", "What a full run would take (estimates)"]
    for cost in costs:
        figures = f"{_round(cost.requests)} requests, {_hours(cost.hours)}" + (
            f", {_round(cost.megabytes)} MB" if cost.megabytes else ""
        )
        lines += _wrapped(f"  {cost.stage + ':':18}{figures}{f' ({cost.note})' if cost.note else ''}", 20)
    if not costs:
        lines.append("  unknown: no source of parishes can be read yet")
    lines += ["", "What to do next"]
    steps = [f"{one.topic}: {one.remedy}" for one in findings if one.remedy]
    if not any(one.is_trouble for one in findings):
        steps.append("Nothing stands against a run: one diocese first (docs/operating.md, Going live).")
    for number, step in enumerate(steps, start=1):
        lines += _wrapped(f"  {number}. {one_line(step)}", 5)
    counted = ", ".join(f"{count} {kind}" for kind, count in asked.items())
    lines += ["", *_wrapped(f"Asked now: {counted}. Answers are kept in {folder}; for a day they are not asked for again.", 0)]
    return lines


def _wrapped(line: str, indent: int) -> list[str]:
    return textwrap.wrap(line, _WIDTH, subsequent_indent=" " * indent, drop_whitespace=True, break_long_words=False)


def _round(value: float) -> str:
    """Two digits that count.

    >>> _round(11_144), _round(0.4)
    ('11,000', '1')
    """
    if value < 1:
        return "1"
    digits = len(str(int(value))) - 2
    return f"{round(value, -digits) if digits > 0 else round(value):,.0f}"


def _hours(value: float) -> str:
    if value < 1:
        return f"{max(1, round(value * 60))} min"
    return f"{value:.1f} h" if value < 48 else f"{value / 24:.0f} days"
