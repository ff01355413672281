"""A trial of a generation before it is put in force: the site is started on it and asked what its visitors will ask.

The questions come from the index itself: its largest town, and the parishes whose names are the longest, the shortest, in
another script, or without a town, so that whatever a row of the directory holds is asked about.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final
from urllib.parse import quote

import httpx

from mass_pipeline.finding.config import PublicConfig
from mass_pipeline.finding.expansion import MINUTES_A_DAY
from mass_pipeline.finding.freshness import IN_TIME_SEARCH
from mass_pipeline.finding.index.library import OpenIndex, Unreleased
from mass_pipeline.finding.index.records import ParishRecord
from mass_pipeline.public_web.app import create_app
from mass_pipeline.public_web.site import make_site

_HOST: Final = "localhost"
_ENOUGH: Final = 100_000  # requests a minute: the trial is no visitor to be slowed down
_STEADY: Final = (
    "/", "/en", "/mapa", "/mapa/punkty.json", "/zmiany", "/o-danych", "/sitemap.xml", "/api/v1/meta", "/api/v1/parishes",
    "/api/v1/parishes.geojson",
)  # fmt: skip
_EXTREMES: Final = (
    "length(name) DESC", "length(name)", "length(town) DESC", "length(town)", "unicode(name) DESC", "unicode(town) DESC",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Asked:
    """An address, and words that its answer must hold."""

    path: str
    words: str = ""


def trial(path: Path, now: datetime) -> list[str]:
    """Why the site over an index may not be shown to visitors; [] when every page and answer asked for is there.

    Args:
        path: of the index; open data may lie beside it.
        now: the moment of the visit, aware UTC.

    Raises:
        StorageError: the file is no readable index.
    """
    library = Unreleased(path)
    index = library.present(0)
    try:
        with index.connection() as connection:
            questions = list(dict.fromkeys(_questions(index, connection)))
        config = replace(
            PublicConfig(), public_hosts=(_HOST,), trusted_proxies=(), pages_per_minute=_ENOUGH, api_per_minute=_ENOUGH
        )
        site = make_site(library, config, lambda: now, path.parent)
        return asyncio.run(_ask(httpx.ASGITransport(create_app(site)), questions))
    finally:
        index.retire()


async def _ask(transport: httpx.ASGITransport, questions: list[_Asked]) -> list[str]:
    found = []
    async with httpx.AsyncClient(transport=transport, base_url=f"https://{_HOST}") as client:
        for asked in questions:
            response = await client.get(asked.path)
            if response.status_code != 200:
                found.append(f"{asked.path} answers {response.status_code}")
            elif asked.words not in response.text:
                found.append(f"{asked.path} lacks {asked.words!r}")
    return found


def _questions(index: OpenIndex, connection: sqlite3.Connection) -> Iterator[_Asked]:
    yield from map(_Asked, _STEADY)
    for order in _EXTREMES:
        one = ParishRecord.of(connection.execute(f"SELECT * FROM parish ORDER BY {order}, pk LIMIT 1").fetchone())  # noqa: S608
        yield _Asked(one.path)
        yield _Asked(f"/miejscowosc/{one.town_key}")
        yield _Asked(f"/msze?q={quote(one.label[:150])}")
        yield _Asked(f"/api/v1/places?q={quote(one.town)}")
    yield from _of_the_fullest_day(index, connection)


def _of_the_fullest_day(index: OpenIndex, connection: sqlite3.Connection) -> Iterator[_Asked]:
    """The town and day with the most Masses: their hours must be on the page, in the API and in the calendar."""
    row = connection.execute(
        f"SELECT parish.*, t FROM occ_t JOIN parish ON parish.pk = occ_t.parish WHERE state IN (?, ?) "  # noqa: S608
        f"GROUP BY town_key, t / {MINUTES_A_DAY} ORDER BY count(*) DESC, t LIMIT 1",
        IN_TIME_SEARCH,
    ).fetchone()
    if row is None:
        return
    *values, minute = row
    one = ParishRecord.of(values)
    day = index.first_day + timedelta(minute // MINUTES_A_DAY)
    hour = f"{minute % MINUTES_A_DAY // 60:02d}:{minute % 60:02d}"
    yield _Asked(f"/msze?miejsce={one.town_key}&dzien={day}&od={hour}&do={hour}", f">{hour}<")
    yield _Asked(f"/en/msze?miejsce={one.town_key}&dzien={day}&od={hour}&do={hour}", f">{hour}<")
    yield _Asked(f"/api/v1/masses?place={one.town_key}&from={day}T{hour}&to={day}T{hour}", f"{day}T{hour}")
    yield _Asked(f"{one.path}/{day}", f">{hour}<")
    yield _Asked(f"/api/v1/parishes/{one.parish_id}/days/{day}", f"{day}T{hour}")
    yield _Asked(f"/api/v1/parishes/{one.parish_id}/calendar.ics", "BEGIN:VEVENT")
    yield _Asked(f"/diecezja/{one.diocese_key}", one.path)
