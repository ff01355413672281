"""Rows of a directory, of look-ups and of a crawl, for tests that begin with published tables."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from mass_pipeline.model.columns import PARISH_URLS, PARISHES
from mass_pipeline.model.identifiers import url_md5
from mass_pipeline.resources.lake import Lake, table_of

DIOCESES = {"elblaska": "elbląska", "lodzka": "łódzka"}


def publish_directory(lake: Lake, sites: Mapping[str, str | None], *, diocese: str = "lodzka", **statuses: str) -> None:
    """Tables of a directory that lists these parishes, all in one diocese.

    Args:
        lake: where to.
        sites: parish_id -> URL of its site, None for none.
        diocese: key.
        statuses: parish_id -> how its look-up ended; `ok` of others.
    """
    names = {"diocese_key": diocese, "source": "test"}
    parish = {"name": "św. Anny", "town": "Wieś", "address": "Wieś 1", "diocese": DIOCESES[diocese]}
    found = {"scope_prefix": "/", "shared_host": False, "candidates": [], "verified": True}
    lake.publish(PARISHES, {None: [table_of(PARISHES, [{**names, **parish, "parish_id": key} for key in sites])]})
    urls = [{**names, **found, "parish_id": key, "url": url, "status": statuses.get(key, "ok")} for key, url in sites.items()]
    lake.publish(PARISH_URLS, {None: [table_of(PARISH_URLS, urls)]})


def page(parish_id: str, url: str, body: bytes | None, **others: object) -> dict[str, object]:
    """A row of crawled_pages; `body` None: it was not there."""
    host = url.split("/")[2]
    names = {"parish_id": parish_id, "url": url, "final_url": url, "start_url": f"http://{host}/", "domain": host}
    answer = {"outcome": "ok", "status": 200} if body else {"outcome": "http_4xx", "status": 404}
    content = {"body": body, "body_sha256": hashlib.sha256(body).hexdigest() if body else None, "truncated": False}
    kind = {"url_md5": url_md5(url), "content_type": "text/html; charset=utf-8", "depth": 0}
    return {**names, **answer, **content, **kind, **others}
