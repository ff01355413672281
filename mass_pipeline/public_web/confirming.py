"""The page behind a parish's link, and the small page that a parish shows within its own."""

from __future__ import annotations

import time as clocks
from datetime import timedelta
from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from mass_pipeline.finding.index import queries
from mass_pipeline.finding.order import order_lists
from mass_pipeline.finding.parish_links import LONGEST_TEXT, SAYINGS, answer, link_of
from mass_pipeline.public_web.params import Refused
from mass_pipeline.public_web.site import language_of, site_of, visited

router = APIRouter()
_WIDGET_POLICY: Final = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *"
_WIDGET_DAYS: Final = 7


@router.get("/potwierdz/{token}")
def confirm_page(request: Request, token: str) -> Response:
    """The order a parish is asked about. Reading it writes nothing."""
    site = visited(request)
    link = link_of(site.inbox, token, site.clock())
    with site.reading() as (_, connection):
        one = queries.parish(connection, link.parish_id) if link else None
        if one is None:
            raise Refused(404, "confirm_bad")
        lists = order_lists(queries.rules_of(connection, one.pk))
        page = site.page(request, "confirm.html", max_age=0, parish=one, lists=lists, token=token, longest=LONGEST_TEXT)
        page.headers["Cache-Control"] = "no-store"
        page.headers["X-Robots-Tag"] = "noindex"
        return page


@router.post("/potwierdz/{token}")
async def confirm(request: Request, token: str) -> Response:
    """Take the parish's answer, once."""
    site, say = site_of(request), language_of(request)
    wait = site.reports.take(site.prefix(request), clocks.monotonic())
    if wait is not None:
        raise Refused(429, "error_429", retry_after=wait)
    fields = await request.form()
    said = next((one for one in SAYINGS if one == fields.get("says")), None)
    if said is None:
        raise Refused(400, "not_accepted", "says")
    if not answer(site.inbox, token, said, str(fields.get("text") or ""), site.clock()):
        raise Refused(404, "confirm_bad")
    sections = [("", [say("confirm_done")])]
    return site.page(request, "prose.html", status=202, max_age=0, title=say("confirm_title"), sections=sections, links=())


@router.get("/widget/{parish_id}")
def widget(request: Request, parish_id: str) -> Response:
    """The next days of a parish, to be framed by its own site; no script, no cookie, no link to follow unasked."""
    site = visited(request)
    with site.reading() as (index, connection):
        one = queries.parish(connection, parish_id)
        if one is None:
            raise Refused(404, "unknown_parish")
        rules, today = queries.rules_of(connection, one.pk), site.now().date()
        days = [queries.day_of_parish(index, one, rules, today + timedelta(offset)) for offset in range(_WIDGET_DAYS)]
        page = site.page(request, "widget.html", index=index, parish=one, days=days)
        page.headers["Content-Security-Policy"] = _WIDGET_POLICY
        page.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        return page
