"""The real table of 2018 through the look-ups: 10,130 parishes, the outcomes of 2018 served by the Places emulator, pages written
for their parishes. Load, not truth: what the real sites say is not known here."""

from __future__ import annotations

import resource
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mass_pipeline.crawling import CrawlConfig
from mass_pipeline.crawling.fetching.http_client import RateLimitedClient
from mass_pipeline.crawling.fetching.urls import canonical_or_none
from mass_pipeline.demo_web.http import Request, Response
from mass_pipeline.demo_web.places import PlacesEmulator
from mass_pipeline.demo_web.server import LoopbackServer
from mass_pipeline.gathering.asking import home_reader
from mass_pipeline.gathering.config import PlacesConfig, WebsitesConfig
from mass_pipeline.gathering.dioceses import Dioceses
from mass_pipeline.gathering.hosts import host_of
from mass_pipeline.gathering.lookups import open_ledger
from mass_pipeline.gathering.parish import Parish
from mass_pipeline.gathering.parish_url import ParishUrl
from mass_pipeline.gathering.sharing import site_identity
from mass_pipeline.gathering.state import DiscoveryState
from mass_pipeline.gathering.tabular import read_table
from mass_pipeline.gathering.websites import Sources, find_websites
from mass_pipeline.model.columns import PARISH_URLS, URL_STATUSES
from mass_pipeline.resources.lake import table_of
from mass_pipeline.resources.places_legacy import GooglePlacesLegacy
from mass_pipeline_tests.gathering.outcomes import Outcome, book_of, read_outcomes
from mass_pipeline_tests.shared import ROOT, shared_folder

KEY = "AIzaTest"


def read_input(rows: int | None) -> tuple[list[Parish], list[Outcome]]:
    folder = shared_folder("directory")
    dioceses = Dioceses.from_csv(ROOT / "data" / "dioceses.csv")
    parishes = list(read_table(folder / "parishes-2018.tsv", dioceses))[:rows]
    return parishes, read_outcomes(folder / "places-outcomes-2018.tsv")[:rows]


def home_pages(parishes: Sequence[Parish], outcomes: Sequence[Outcome]) -> Mapping[str, bytes]:
    """A home page for every URL, written for the first parish that has it."""
    pages: dict[str, bytes] = {}
    for parish, outcome in zip(parishes, outcomes, strict=True):
        title = f"Parafia {parish.name}, {parish.town}"
        body = f"<html><head><title>{title}</title></head><body><p>{title}. Msze święte, kancelaria.</p></body></html>"
        pages.setdefault(site_identity(canonical_or_none(outcome.url) or outcome.url), body.encode())
    return pages


def look_up(folder: Path, parishes: list[Parish], outcomes: list[Outcome], policy: WebsitesConfig) -> list[ParishUrl]:
    """Every parish through ledger, googlemaps client, emulator and (with the evidence policy) home pages."""
    emulator, pages = PlacesEmulator(book_of(parishes, outcomes)), home_pages(parishes, outcomes)

    def respond(request: Request) -> Response:
        if request.host == "127.0.0.1":
            return emulator.respond(request)
        page = pages.get(site_identity(f"http://{request.host}{request.target}"))
        return Response(200, page, "text/html; charset=utf-8") if page else Response.error(404)

    server = LoopbackServer(respond)
    server.start()
    try:
        days = 30.0 if policy.policy == "first_result" else 0.0
        places = PlacesConfig(
            api_key=KEY,
            units_per_day=10**6,
            terms_confirmed=True,
            content_days=days,
            parallel_lookups=16,
            max_attempts=1,
            queries_per_second=1000,
        )
        client = GooglePlacesLegacy(places, f"http://127.0.0.1:{server.port}")
        crawl = CrawlConfig(
            allow_private_hosts=True, start_delay_seconds=0.0, host_gap_seconds=0.0, contact="test@parish.example"
        )
        homes = RateLimitedClient(crawl, lambda host, port: ("127.0.0.1", server.port))
        with DiscoveryState(folder / "state.sqlite") as state, homes as asked:
            ledger = open_ledger(state, places)
            return find_websites(parishes, Sources(client, places), ledger, policy, home_reader(asked), lambda: datetime.now(UTC))
    finally:
        server.stop()


def check(parishes: Sequence[Parish], rows: Sequence[ParishUrl]) -> None:
    """What must hold however many rows there are."""
    assert len(rows) == len({row.parish_id for row in rows}) == len(parishes)
    assert {row.status for row in rows} <= set(URL_STATUSES) - {"pending", "error"}
    assert table_of(PARISH_URLS, map(asdict, rows)).num_rows == len(parishes)

    chosen = Counter(site_identity(row.url) for row in rows if row.url)
    assert max(chosen.values()) == 1, "a URL would be crawled for two parishes"
    hosts = Counter(host_of(row.url) for row in rows if row.url)
    assert all(row.shared_host for row in rows if row.url and hosts[host_of(row.url)] > 1)
    assert all(row.scope_prefix for row in rows if row.url)


@pytest.mark.shared
class TestRealTable:
    @pytest.mark.slow
    @pytest.mark.parametrize("policy", ["first_result", "evidence"])
    def test_the_first_rows(self, tmp_path: Path, policy: str) -> None:
        parishes, outcomes = read_input(80)

        check(parishes, look_up(tmp_path, parishes, outcomes, WebsitesConfig(policy=policy)))

    @pytest.mark.soak
    @pytest.mark.parametrize("policy", ["first_result", "evidence"])
    def test_all_rows_in_five_minutes_and_a_gibibyte(self, tmp_path: Path, policy: str) -> None:
        began = time.monotonic()
        parishes, outcomes = read_input(None)
        rows = look_up(tmp_path, parishes, outcomes, WebsitesConfig(policy=policy))
        seconds, mebibytes = time.monotonic() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{policy}: {seconds:.0f} s, {mebibytes:.0f} MiB, {dict(Counter(row.status for row in rows))}")

        check(parishes, rows)
        assert len({row.diocese_key for row in rows}) == 46
        assert seconds < 300
        assert mebibytes < 1024
