"""Helpers of the tests of the public site: an index in force, the site over it, and a visitor."""

from __future__ import annotations

import contextlib
import re
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

import uvicorn
from starlette.testclient import TestClient

from mass_pipeline.finding.config import PublicConfig
from mass_pipeline.finding.index.facts import ParishFacts
from mass_pipeline.finding.index.generations import INDEX_NAME, Generation, Generations
from mass_pipeline.finding.index.library import Library
from mass_pipeline.finding.index.news import NewsItem
from mass_pipeline.public_web.app import create_app
from mass_pipeline.public_web.site import Site, make_site
from mass_pipeline_tests.finding.made import NOW, WEEK, index_of, parish, row

CHRISTMAS = date(2026, 12, 25)
PARISHES = (
    parish(1, town="Młyny", voivodeship="pomorskie", wheelchair="yes", wheelchair_at=date(2026, 11, 1)),
    parish(2, [row(["Su"], "11:00", note="po angielsku"), row(WEEK, "18:00")], town="Młyny", voivodeship="pomorskie"),
    parish(3, [row(["Su"], "10:00")], town="Młyny", voivodeship="pomorskie", state="stale"),
    parish(4, town="Młyny", voivodeship="pomorskie", state="image_only", service_times="", latitude=None, longitude=None),
    parish(5, town="Lipa", voivodeship="śląskie", precision_m=5_000, position_method="locality"),
    parish(6, town="Lipa", voivodeship="opolskie"),
    parish(
        7,
        [
            row(["Su", "PH"], "09:00"),
            row(["Fr"], "22:00", exception="added", valid_from=CHRISTMAS, valid_to=CHRISTMAS, quote="Pasterka o 22:00"),
            row(["We"], "17:00", exception="cancelled", valid_from=date(2026, 11, 25), valid_to=date(2026, 11, 25)),
            row(WEEK, "17:00"),
        ],
        town="Zdrój",
        name="Wszystkich Świętych",
    ),
)
PARISHES = (*PARISHES[:3], replace(PARISHES[3], rows=()), *PARISHES[4:])

# Two of a parish, and one of a portal, which is no parish
NEWS = (
    NewsItem(date(2026, 11, 22), "http://parafia-mlyny.pl/ogloszenia/48", 0, "p000001", "parafia-mlyny.pl", "Ogłoszenia",
             "W niedzielę Msza o 9.00 będzie za <zmarłych>.", "2026-11-22T09:00:00+00:00"),
    NewsItem(date(2026, 11, 22), "http://parafia-mlyny.pl/ogloszenia/48", 1, "p000001", "parafia-mlyny.pl", "Ogłoszenia",
             "Roraty codziennie o 6.30. " * 20, "2026-11-22T09:00:00+00:00"),
    NewsItem(date(2026, 11, 20), "https://portal.example/adwent?a=1&b=2", 0, "portal", "portal.example", "Adwent w diecezji",
             "Rekolekcje w katedrze.", "2026-11-21T05:00:00+00:00"),
)  # fmt: skip


def published(folder: Path, parishes: Sequence[ParishFacts] = PARISHES, built_at: datetime = NOW, **values: Any) -> Generation:
    """A generation of these parishes, in force."""

    def write(aside: Path) -> dict[str, object]:
        index_of(aside / INDEX_NAME, parishes, built_at=built_at, **{"news": NEWS, **values})
        return {"objections": []}

    generations = Generations(folder / "public")
    made = generations.build(built_at, write)
    generations.put_in_force(made)
    return made


def site_over(folder: Path, at: datetime = NOW, map_assets: Path = Path("/absent"), **config: Any) -> Site:
    """The site over the index of a folder; its clock stands (at a Sunday morning), its limits are wide."""
    wide = {"pages_per_minute": 100_000, "api_per_minute": 100_000, "public_hosts": ("localhost",)}
    return make_site(
        Library(folder / "public"),
        replace(PublicConfig(), **{**wide, **config}),
        lambda: at,
        folder / "inbox",
        map_assets=map_assets,
    )


class Visitor:
    """A browser-like client without scripts."""

    def __init__(self, site: Site, **headers: str) -> None:
        self.site = site
        self.client = TestClient(
            create_app(site), base_url="https://localhost", follow_redirects=False, raise_server_exceptions=False, headers=headers
        )

    def get(self, path: str, **values: Any) -> Any:
        """An answer."""
        return self.client.get(path, **values)

    def page(self, path: str) -> str:
        """The words of a page that is there."""
        response = self.get(path)
        assert response.status_code == 200, (path, response.status_code, response.text[:500])
        return str(response.text)

    def hours(self, path: str, section: str = "Msze święte") -> list[str]:
        """Hours of one list of a page of results, by time: the list is by church."""
        page = self.page(path)
        found = re.search(rf"<h2[^>]*>{re.escape(section)}</h2>(.*?)(?:<h2|\Z)", page, re.DOTALL)
        hours = re.findall(r'<time datetime="([^"]*)">(\d\d:\d\d)</time>', found[1]) if found else []
        return [hour for _, hour in sorted(hours)]


@contextlib.contextmanager
def served(site: Site) -> Iterator[str]:
    """A site on a free port of loopback; its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    server = uvicorn.Server(uvicorn.Config(create_app(site), port=port, log_level="warning", access_log=False))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join()


def look_again(visitor: Visitor) -> None:
    """Let the site look for a new generation now, and wait until it has judged it."""
    visitor.site.library._looked = float("-inf")
    visitor.get("/zdrowie")
    visitor.site.library.settle()


def links(page: str) -> list[str]:
    """Addresses of all links and forms of a page."""
    return re.findall(r'(?:href|action|src)="([^"]*)"', page)
