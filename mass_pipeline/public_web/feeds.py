"""What machines ask a site for: feeds of changes, the manifest, robots and the map of the site."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final
from xml.sax.saxutils import escape

import orjson
from fastapi import Request
from starlette.responses import Response

from mass_pipeline.finding.formats.atom import feed
from mass_pipeline.finding.index import queries
from mass_pipeline.finding.index.changes import Change
from mass_pipeline.finding.index.records import ParishRecord, moment
from mass_pipeline.public_web.params import Refused
from mass_pipeline.public_web.site import Pages, Visit, site_of
from mass_pipeline.public_web.texts import LANGUAGES, words

router = Pages()
_INDEXED: Final = LANGUAGES[:2]  # the others are frames of the same words
_XML: Final = '<?xml version="1.0" encoding="utf-8"?>'
_ATOM: Final = "application/atom+xml; charset=utf-8"
_SITEMAPS: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
_MOST_ENTRIES: Final = 200
_MOST_READ: Final = 20_000  # changes looked through for those of a town
_MOST_ADDRESSES: Final = 50_000  # sitemaps.org: of one file


@router.page("/zmiany.atom")
def all_changes(visit: Visit) -> Response:
    """Changes of all parishes."""
    found = queries.changes(visit.connection, limit=_MOST_ENTRIES)
    known = {one.parish_id: queries.parish(visit.connection, one.parish_id) for one in found}
    return _feed(visit, words("pl")("changes_title"), "/zmiany", found, known)


@router.page("/parafia/{name}/zmiany.atom")
def changes_of_parish(visit: Visit, name: str) -> Response:
    """Changes of one parish."""
    one = queries.parish(visit.connection, name.rsplit("-", 1)[-1])
    if one is None:
        raise Refused(404, "error_404")
    found = queries.changes(visit.connection, one.parish_id, _MOST_ENTRIES)
    return _feed(visit, one.label, one.path, found, {one.parish_id: one}, f"{one.path}/zmiany.atom")


@router.page("/miejscowosc/{voivodeship}/{town}/zmiany.atom")
def changes_of_town(visit: Visit, voivodeship: str, town: str) -> Response:
    """Changes of the parishes of a town."""
    listed = {one.parish_id: one for one in queries.parishes_of(visit.connection, "town_key", f"{voivodeship}/{town}")}
    if not listed:
        raise Refused(404, "error_404")
    changes = [change for change in queries.changes(visit.connection, limit=_MOST_READ) if change.parish_id in listed]
    page = f"/miejscowosc/{voivodeship}/{town}"
    title = next(iter(listed.values())).town or words("pl")("no_town")
    return _feed(visit, title, page, changes[:_MOST_ENTRIES], listed, f"{page}/zmiany.atom")


def _feed(
    visit: Visit,
    title: str,
    page: str,
    changes: list[Change],
    known: Mapping[str, ParishRecord | None],
    own: str = "/zmiany.atom",
) -> Response:
    """A feed of changes with the names and pages of their parishes, as far as these are known."""
    parishes = [known.get(change.parish_id) for change in changes]
    named = [
        (change, one.label if one else change.parish_id, one.path if one else "")
        for change, one in zip(changes, parishes, strict=True)
    ]
    return visit.answer(feed(title, visit.address, page, own, named, visit.index.built_at, words("pl").short_row), _ATOM)


@router.get("/robots.txt")
def robots(request: Request) -> Response:
    """Everything may be read; results are asked for one by one, so they need no crawling."""
    address = site_of(request).address(request)
    return Response(
        f"User-agent: *\nDisallow: /msze\nDisallow: /en/msze\nSitemap: {address}/sitemap.xml\n", media_type="text/plain"
    )


@router.page("/sitemap.xml")
def sitemaps(visit: Visit) -> Response:
    """The maps of the site, one for each language (sitemaps.org)."""
    address = escape(visit.address)
    day = visit.index.built_at.date()
    maps = "".join(f"<sitemap><loc>{address}/sitemap-{one}.xml</loc><lastmod>{day}</lastmod></sitemap>" for one in _INDEXED)
    content = f'{_XML}<sitemapindex xmlns="{_SITEMAPS}">{maps}</sitemapindex>'
    return visit.answer(content, "application/xml")


@router.page("/sitemap-{language}.xml")
def sitemap(visit: Visit, language: str) -> Response:
    """Pages of all towns and parishes in a language, with the day on which their hours were last confirmed."""
    if language not in _INDEXED:
        raise Refused(404, "error_404")
    root = escape(visit.address) + ("/en" if language == "en" else "")
    pages: list[tuple[str, datetime | None]] = [("" if language == "en" else "/", visit.index.built_at)]
    towns = visit.connection.execute("SELECT town_key, max(checked_at) FROM parish GROUP BY town_key ORDER BY town_key")
    pages += [(f"/miejscowosc/{key}", moment(checked)) for key, checked in towns]
    parishes = visit.connection.execute("SELECT slug, parish_id, checked_at FROM parish ORDER BY pk")
    pages += [(f"/parafia/{slug}-{key}", moment(checked)) for slug, key, checked in parishes]
    urls = "".join(
        f"<url><loc>{root}{path}</loc>{f'<lastmod>{at.date()}</lastmod>' if at else ''}</url>"
        for path, at in pages[:_MOST_ADDRESSES]
    )
    content = f'{_XML}<urlset xmlns="{_SITEMAPS}">{urls}</urlset>'
    return visit.answer(content, "application/xml")


@router.get("/manifest.webmanifest")
def manifest(request: Request) -> Response:
    """The site as an app on a phone's first page."""
    say = words("pl")
    body = {
        "name": say("site"),
        "short_name": say("site"),
        "start_url": "/",
        "display": "minimal-ui",
        "background_color": "#f6f4ee",
        "theme_color": "#14406b",
        "icons": [{"src": "/static/icon.svg", "sizes": "any", "type": "image/svg+xml"}],
    }
    return Response(
        orjson.dumps(body), media_type="application/manifest+json", headers={"Cache-Control": "public, max-age=86400"}
    )
