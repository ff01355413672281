"""What others take away or send in: the page of open data, and reports of errors.

A report is appended to the inbox without address or name; this process writes to the inbox alone.
"""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Final

from fastapi import Request
from starlette.datastructures import FormData
from starlette.responses import FileResponse, Response

from mass_pipeline.finding.corrections import FARTHEST, BadField
from mass_pipeline.finding.inbox import (
    LONGEST_FIELD,
    LONGEST_TEXT,
    REPORT,
    REPORT_KINDS,
    Report,
    append,
    harmless,
    report_of,
    state_of,
)
from mass_pipeline.finding.index import queries
from mass_pipeline.finding.index.generations import MANIFEST_NAME
from mass_pipeline.finding.order import order_lists
from mass_pipeline.public_web.http_answers import OPEN
from mass_pipeline.public_web.params import Refused
from mass_pipeline.public_web.site import Pages, Site, Visit, language_of, private, site_of, visited
from mass_pipeline.public_web.texts import ZONE

router = Pages()
_DUMPS: Final = "dumps"
_DAYS: Final = ("Su PH", "Su", "PH", "Mo Tu We Th Fr Sa", "Mo Tu We Th Fr", "Mo", "Tu", "We", "Th", "Fr", "Sa")


@router.page("/dane")
def data(visit: Visit) -> Response:
    """The files of this generation, with size, digest and licence."""
    files = visit.index.generation.manifest().get("files", {})
    assert isinstance(files, dict)
    listed = [(name.split("/", 1)[1], said) for name, said in sorted(files.items()) if name.startswith(f"{_DUMPS}/")]
    return visit.page("data.html", files=listed, licence=visit.site.config.licence)


@router.page("/dane/{generation}/{name}")
def data_file(visit: Visit, generation: str, name: str) -> Response:
    """One file of a generation that is kept; it never changes."""
    folder = visit.index.generation.folder.parent / generation
    path = folder / _DUMPS / name
    is_plain = "/" not in name + generation and ".." not in name + generation and generation.startswith("gen-")
    if not is_plain or not (folder / MANIFEST_NAME).is_file() or not path.is_file():
        raise Refused(404, "error_404")
    return FileResponse(path, headers={**OPEN, "Cache-Control": "public, max-age=31536000, immutable"})


@router.page("/zglos")
def report_form(visit: Visit) -> Response:
    """The form for reports: what is wrong, and the right hour for whoever knows it."""
    params = visit.params
    one = queries.parish(visit.connection, params.text("parafia"))
    today = visit.today
    return visit.page(
        "report.html", parish=one, kinds=REPORT_KINDS, longest=LONGEST_TEXT, day_sets=_DAYS,
        lists=order_lists(queries.rules_of(visit.connection, one.pk)) if one else (), meant=params.text("msza"),
        today=today, farthest=today + FARTHEST,
    )  # fmt: skip


@router.post("/zglos")
async def report(request: Request) -> Response:
    """Take a report; its page is shown at once."""
    site, say = site_of(request), language_of(request)
    key = take_report(site, request, await request.form())
    taken = report_of(site.inbox, key)
    assert taken is not None
    page = _page_of_report(request, site, taken, say("report_done"), 202)
    page.headers["Location"] = f"{say.root}/zglos/{key}"
    return page


@router.get("/zglos/{key}")
def report_state(request: Request, key: str) -> Response:
    """What became of a report; whoever has its address sees what it says of the order, never its words."""
    site = visited(request)
    taken = report_of(site.inbox, key)
    if taken is None:
        raise Refused(404, "error_404")
    return _page_of_report(request, site, taken, "", 200)


def _page_of_report(request: Request, site: Site, one: Report, thanks: str, status: int) -> Response:
    say = language_of(request)
    state = say.named("report_states", state_of(site.inbox, one.report_id) or "received")
    address = f"{say.root}/zglos/{one.report_id}"
    links = [(address, f"{site.address(request)}{address}")]
    with site.reading() as (_, connection):
        parish = queries.parish(connection, one.parish_id)
    if parish is not None:
        links.append((f"{say.root}{parish.path}", parish.label))
    sent = say.moment_day(datetime.fromisoformat(one.sent_at))
    days = say.days(one.days.split()) if one.days else ""
    what = ", ".join(word for word in (say.named("report_kinds", one.kind), days, one.day, one.time) if word) + "."
    said = say("report_of", name=parish.label if parish else "–", day=sent, what=what)
    lines = [line for line in (thanks, say("report_status", state=state), said) if line]
    title, sections = say("report_title"), [("", lines)]
    return private(site.page(request, "prose.html", status=status, max_age=0, title=title, sections=sections, links=links))


def take_report(site: Site, request: Request, fields: FormData | dict[str, object]) -> str:
    """Check a report and append it to the inbox.

    Returns:
        its identifier, which is the key to its page.

    Raises:
        Refused: a field is malformed, the parish is unknown, or this network reports too much.
    """
    site.take_report(request)
    said = {name: str(fields.get(name) or "")[: LONGEST_TEXT + 1] for name in REPORT}
    if said["kind"] not in REPORT_KINDS:
        raise Refused(400, "not_accepted", "kind")
    if len(said["text"]) > LONGEST_TEXT or any(len(said[name]) > LONGEST_FIELD for name in REPORT if name != "text"):
        raise Refused(400, "too_long", "text")
    with site.reading() as (index, connection):
        if queries.parish(connection, said["parish_id"]) is None:
            raise Refused(400, "unknown_parish", "parish_id")
        moment = site.clock().astimezone(ZONE).isoformat(timespec="minutes")
        words = {**said, "text": harmless(said["text"], LONGEST_TEXT), "generation": said["generation"] or index.name}
        one = Report(report_id=secrets.token_hex(8), sent_at=moment, **words)
        try:
            one.correction()
        except BadField as error:
            raise Refused(400, "not_accepted", error.field) from error
        append(site.inbox, one)
    return one.report_id
