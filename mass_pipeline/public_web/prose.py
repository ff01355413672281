"""Pages of text (prose.toml): about the data, privacy, accessibility; and the API for people."""

from __future__ import annotations

import tomllib
from datetime import timedelta
from functools import cache
from importlib import resources
from typing import Any, Final

from starlette.responses import Response

from mass_pipeline.finding.index.library import OpenIndex
from mass_pipeline.finding.index.records import ParishRecord
from mass_pipeline.finding.measured import AT_FIRST_SIGHT, MEASURED, of_rows
from mass_pipeline.public_web.params import Refused
from mass_pipeline.public_web.site import Pages, Site, Visit
from mass_pipeline.public_web.texts import Words

router = Pages()
# A template's lines lose their indentation, which Python needs.
_PYTHON: Final = """import json, urllib.parse, urllib.request

def ask(path, **words):
    with urllib.request.urlopen("{address}/api/v1" + path + "?" + urllib.parse.urlencode(words)) as answer:
        return json.load(answer)

for parish in ask("/parishes", q="{words}")["parishes"]:
    day = ask("/parishes/" + parish["parish_id"] + "/days/{sunday}")
    print(parish["name"], [mass["start_local"][11:16] for mass in day["masses"]])"""


@cache
def _pages(language: str) -> dict[str, Any]:
    table = tomllib.loads(resources.files(__package__).joinpath("prose.toml").read_text(encoding="utf-8"))
    pages: dict[str, Any] = table.get(language) or table["en"]  # frames have no prose of their own
    return pages


@router.get("/o-danych")
@router.get("/prywatnosc")
@router.page("/dostepnosc")
def prose(visit: Visit) -> Response:
    """A page of text."""
    say = visit.say
    name = visit.request.url.path.rsplit("/", 1)[-1]
    title, sections = _pages(say.language)[name]["title"], sections_of(name, visit.site, visit.index, say)
    return visit.page("prose.html", title=title, sections=sections, links=())


def sections_of(name: str, site: Site, index: OpenIndex, say: Words) -> list[tuple[str, list[str]]]:
    """Headings and paragraphs of a page of text; lines with a contact are left out where none is set."""
    values = {
        "generation": index.name,
        "built": say.moment_day(index.built_at),
        "licence": site.config.licence,
        "contact": site.config.contact,
        **_accuracy(say.language),
    }
    return [
        (heading, [line.format(**values) for line in lines if site.config.contact or "{contact}" not in line])
        for heading, lines in _pages(say.language)[name]["sections"]
    ]


def _accuracy(language: str) -> dict[str, str]:
    """How often hours were right, as the page about the data says it."""
    high, good = of_rows(MEASURED, high=True), of_rows(MEASURED, high=False)
    shares = {"high_right": high.right, "good_right": good.right, "first_low": AT_FIRST_SIGHT[0], "first_high": AT_FIRST_SIGHT[1]}
    bounds = {"high_from": f"{high.least:.2f}", "good_from": f"{good.least:.2f}"}
    told = {**bounds, **{name: f"{share * 100:.1f}".removesuffix(".0") for name, share in shares.items()}}
    if language == "pl":
        told = {name: text.replace(".", ",") for name, text in told.items()}
    return {**told, "high_rows": str(high.rows), "good_rows": str(good.rows)}


@router.page("/api")
def api_page(visit: Visit) -> Response:
    """The API for people: what it gives, and three examples that run as they stand, made of a parish of the index."""
    row = visit.connection.execute(
        "SELECT * FROM parish ORDER BY state != 'fresh', latitude IS NULL, town = '', pk LIMIT 1"
    ).fetchone()
    if row is None:
        raise Refused(503, "error_503")
    one, today = ParishRecord.of(row), visit.today
    sunday = today + timedelta((6 - today.weekday()) % 7 or 7)
    return visit.page(
        "api.html",
        latitude=one.latitude or 52.0,
        longitude=one.longitude or 19.0,
        sunday=sunday,
        python=_PYTHON.format(address=visit.address, words=one.slug.replace("-", " "), sunday=sunday),
        town=one.town_key.partition("/")[2],
    )
