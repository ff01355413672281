"""What machines ask a site for: feeds of changes, the search description, the manifest, robots and the map of the site."""

from __future__ import annotations

from typing import Final
from xml.sax.saxutils import escape

import orjson
from fastapi import APIRouter, Request
from starlette.responses import FileResponse, Response

from mass_pipeline.finding.formats.atom import feed
from mass_pipeline.finding.index import queries
from mass_pipeline.finding.index.changes import Change
from mass_pipeline.finding.index.library import OpenIndex
from mass_pipeline.finding.index.records import ParishRecord
from mass_pipeline.public_web.params import Refused
from mass_pipeline.public_web.site import STATIC, Site, site_of, visited
from mass_pipeline.public_web.texts import words

router = APIRouter()
_MOST_ENTRIES: Final = 200
_MOST_ADDRESSES: Final = 50_000  # sitemaps.org: of one file


@router.get("/zmiany.atom")
def all_changes(request: Request) -> Response:
    """Changes of all parishes."""
    site = visited(request)
    with site.reading() as (index, connection):
        found = queries.changes(connection, limit=_MOST_ENTRIES)
        known = {one.parish_id: queries.parish(connection, one.parish_id) for one in found}
        content = feed(words("pl")("changes_title"), site.address(request), "/zmiany", _named(found, known), index.built_at)
        return _atom(site, request, index, content)


@router.get("/parafia/{name}/zmiany.atom")
def changes_of_parish(request: Request, name: str) -> Response:
    """Changes of one parish."""
    site = visited(request)
    with site.reading() as (index, connection):
        one = queries.parish(connection, name.rsplit("-", 1)[-1])
        if one is None:
            raise Refused(404, "error_404")
        found = _named(queries.changes(connection, one.parish_id, _MOST_ENTRIES), {one.parish_id: one})
        content = feed(one.label, site.address(request), f"{one.path}/zmiany", found, index.built_at)
        return _atom(site, request, index, content)


def _named(changes: list[Change], known: dict[str, ParishRecord | None]) -> list[tuple[Change, str, str]]:
    found = []
    for change in changes:
        one = known.get(change.parish_id)
        found.append((change, one.label if one else change.parish_id, one.path if one else ""))
    return found


def _atom(site: Site, request: Request, index: OpenIndex, content: str) -> Response:
    return site.cached(request, Response(content, media_type="application/atom+xml; charset=utf-8"), index, 600)


@router.get("/robots.txt")
def robots(request: Request) -> Response:
    """Everything may be read; results are asked for one by one, so they need no crawling."""
    address = site_of(request).address(request)
    return Response(
        f"User-agent: *\nDisallow: /msze\nDisallow: /en/msze\nSitemap: {address}/sitemap.xml\n", media_type="text/plain"
    )


@router.get("/sitemap.xml")
def sitemap(request: Request) -> Response:
    """Pages of all parishes (sitemaps.org)."""
    site = visited(request)
    address = escape(site.address(request))
    with site.reading() as (index, connection):
        rows = connection.execute("SELECT slug, parish_id FROM parish ORDER BY pk LIMIT ?", (_MOST_ADDRESSES - 1,))
        urls = "".join(f"<url><loc>{address}/parafia/{slug}-{key}</loc></url>" for slug, key in rows)
        content = f'<?xml version="1.0" encoding="utf-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{address}/</loc></url>{urls}</urlset>'
        return site.cached(request, Response(content, media_type="application/xml"), index, 600)


@router.get("/opensearch.xml")
def opensearch(request: Request) -> Response:
    """The box as a search engine of the browser (OpenSearch 1.1)."""
    address, say = escape(site_of(request).address(request)), words("pl")
    content = (
        '<?xml version="1.0" encoding="utf-8"?><OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">'
        f"<ShortName>{escape(say('site'))}</ShortName><Description>{escape(say('tagline'))}</Description>"
        f'<Url type="text/html" template="{address}/msze?q={{searchTerms}}"/></OpenSearchDescription>'
    )
    return Response(
        content, media_type="application/opensearchdescription+xml", headers={"Cache-Control": "public, max-age=86400"}
    )


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


@router.get("/sw.js")
def service_worker() -> Response:
    """The service worker; it must stand at the root to see all pages."""
    return FileResponse(STATIC / "sw.js", media_type="text/javascript", headers={"Cache-Control": "no-cache"})
