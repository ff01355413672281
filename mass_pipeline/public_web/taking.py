"""What others take away or send in: the page of open data, and reports of errors.

A report is appended to the inbox without address or name; nothing else is ever written by this process.
"""

from __future__ import annotations

import secrets
import time as clocks
from typing import Final

import orjson
from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import FileResponse, Response

from mass_pipeline.finding.inbox import LONGEST_TEXT, REPORT_KINDS, Report, append, state_of
from mass_pipeline.finding.index import queries
from mass_pipeline.finding.index.generations import MANIFEST_NAME
from mass_pipeline.model.identifiers import one_line
from mass_pipeline.public_web.methods import OPEN
from mass_pipeline.public_web.params import Params, Refused
from mass_pipeline.public_web.site import Site, language_of, site_of, visited

router = APIRouter()
_DUMPS: Final = "dumps"


@router.get("/dane")
def data(request: Request) -> Response:
    """The files of this generation, with size, digest and licence."""
    site = visited(request)
    with site.reading() as (index, _):
        files = index.generation.manifest().get("files", {})
        assert isinstance(files, dict)
        listed = [(name.split("/", 1)[1], said) for name, said in sorted(files.items()) if name.startswith(f"{_DUMPS}/")]
        return site.page(request, "data.html", index=index, files=listed, licence=site.config.licence)


@router.get("/dane/{generation}/{name}")
def data_file(request: Request, generation: str, name: str) -> Response:
    """One file of a generation that is kept; it never changes."""
    site = visited(request)
    with site.reading() as (index, _):
        folder = index.generation.folder.parent / generation
        path = folder / _DUMPS / name
        is_plain = "/" not in name + generation and ".." not in name + generation and generation.startswith("gen-")
        if not is_plain or not (folder / MANIFEST_NAME).is_file() or not path.is_file():
            raise Refused(404, "error_404")
        return FileResponse(path, headers={**OPEN, "Cache-Control": "public, max-age=31536000, immutable"})


@router.get("/zglos")
def report_form(request: Request) -> Response:
    """The form for reports."""
    site = visited(request)
    params = Params.of(request.query_params)
    with site.reading() as (index, connection):
        one = queries.parish(connection, params.text("parafia"))
        return site.page(request, "report.html", index=index, parish=one, kinds=REPORT_KINDS, longest=LONGEST_TEXT)


@router.post("/zglos")
async def report(request: Request) -> Response:
    """Take a report."""
    site, say = site_of(request), language_of(request)
    key = take_report(site, request, await request.form())
    title = say("report_title")
    root = "/en" if say.language == "en" else ""
    links = [(f"{root}/zglos/{key}", say("report_status", id=key, state=say.named("report_states", "received")))]
    sections = [("", [say("report_done", id=key)])]
    return site.page(request, "prose.html", status=202, max_age=0, title=title, sections=sections, links=links)


@router.get("/zglos/{key}")
def report_state(request: Request, key: str) -> Response:
    """What became of a report."""
    site, say = visited(request), language_of(request)
    state = state_of(site.inbox, key)
    if state is None:
        raise Refused(404, "error_404")
    sections = [("", [say("report_status", id=key, state=say.named("report_states", state))])]
    return site.page(request, "prose.html", max_age=0, title=say("report_title"), sections=sections, links=())


def take_report(site: Site, request: Request, fields: FormData | dict[str, object]) -> str:
    """Check a report and append it to the inbox.

    Returns:
        its identifier.

    Raises:
        Refused: a field is malformed, the parish is unknown, or this network reports too much.
    """
    wait = site.reports.take(site.prefix(request), clocks.monotonic())
    if wait is not None:
        raise Refused(429, "error_429", retry_after=wait)
    said = {
        name: str(fields.get(name) or "")[: LONGEST_TEXT + 1] for name in ("parish_id", "mass_id", "kind", "text", "generation")
    }
    if said["kind"] not in REPORT_KINDS:
        raise Refused(400, "not_accepted", "kind")
    if len(said["text"]) > LONGEST_TEXT or any(len(said[name]) > 80 for name in ("parish_id", "mass_id", "generation")):
        raise Refused(400, "too_long", "text")
    with site.reading() as (index, connection):
        if queries.parish(connection, said["parish_id"]) is None:
            raise Refused(400, "unknown_parish", "parish_id")
        text = one_line(said["text"])
        key = secrets.token_hex(8)
        generation = said["generation"] or index.name
        moment = site.clock().isoformat(timespec="minutes")
        append(site.inbox, Report(key, moment, said["parish_id"], said["mass_id"], said["kind"], text, generation))
    return key


async def api_report(request: Request) -> Response:
    """Take a report as JSON."""
    try:
        fields = orjson.loads(await request.body())
    except orjson.JSONDecodeError as error:
        raise Refused(400, "not_json") from error
    if not isinstance(fields, dict):
        raise Refused(400, "not_json")
    key = take_report(site_of(request), request, fields)
    headers = {**OPEN, "Cache-Control": "no-store"}
    return Response(orjson.dumps({"id": key, "status": f"/zglos/{key}"}), 202, headers, "application/json")
