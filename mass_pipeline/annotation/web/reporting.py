"""Pages on which a person says what is wrong with a question."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.responses import Response

from mass_pipeline.annotation import voting
from mass_pipeline.annotation.database import reading
from mass_pipeline.annotation.questions import read_questions
from mass_pipeline.annotation.reports import LONGEST_COMMENT, REASONS, report
from mass_pipeline.annotation.vocabulary import says_nothing
from mass_pipeline.annotation.web.pages import Token, take_votes, to, visited
from mass_pipeline.annotation.web.site import Refusal, Site, VoterForm, site_of, voter_form

router = APIRouter()


@router.get("/report", response_class=HTMLResponse)
def show_report(request: Request, token: Annotated[str, Query(max_length=500)] = "") -> Response:
    """The question once more, reasons to choose from, and room for a comment."""
    site = visited(request)
    _, item = _of_item(site, request, token)
    with reading(site.store.engine) as connection:
        found = read_questions(connection, [item])
    if not found:
        raise Refusal(404)
    return site.page(request, "report.html", question=found[0], token=token, reasons=REASONS, longest=LONGEST_COMMENT)


@router.post("/report", status_code=303, response_class=RedirectResponse)
def send_report(
    request: Request,
    token: Token,
    reason: Annotated[Literal["private", "not_an_hour", "unreadable", "other"], Form()],
    comment: Annotated[str, Form(max_length=4 * LONGEST_COMMENT)] = "",
) -> Response:
    """Keep the report; the question itself is answered with "I can't tell", so that another one comes."""
    site = site_of(request)
    form, item = _of_item(site, request, token)
    with reading(site.store.engine) as connection:
        found = read_questions(connection, [item])
    if not found:
        raise Refusal(404)
    origin = take_votes(site, request, form, 1)
    with site.store.engine.begin() as connection:
        voting.cast(connection, form.voter_id, item, says_nothing(found[0].kind), origin=origin, now=form.now, config=site.config)
        report(connection, form.voter_id, item, reason, comment, now=form.now)
    return to("/reported")


@router.get("/reported", response_class=HTMLResponse)
def show_thanks(request: Request) -> Response:
    """Thanks, and the way back."""
    site = visited(request)
    return site.page(request, "message.html", title="report_thanks", text="report_after")


def _of_item(site: Site, request: Request, token: str) -> tuple[VoterForm, str]:
    """The form and the item it was made for; raises Refusal 403 for another kind of form."""
    form = voter_form(site, request, token)
    kind, _, item = form.subject.partition(":")
    if kind != "task":
        raise Refusal(403)
    return form, item
