"""Pages for people who answer: instructions, task, list, reports on questions, privacy. Every change is a form post and ends in a
redirect."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from sqlalchemy.engine import Connection
from starlette.responses import Response

from mass_pipeline.annotation import voting
from mass_pipeline.annotation.database import reading
from mass_pipeline.annotation.questions import Question, helped_by, is_milestone, read_questions, votes_of
from mass_pipeline.annotation.queue import Draw, block_of, next_question
from mass_pipeline.annotation.reports import LONGEST_COMMENT, REASONS, report
from mass_pipeline.annotation.vocabulary import ANSWERS, Answer, says_nothing
from mass_pipeline.annotation.web.site import Refusal, Site, VoterForm, remember, site_of, voter_form
from mass_pipeline.annotation.web.texts import LANGUAGES
from mass_pipeline.annotation.web.tokens import LANGUAGE_COOKIE, VOTER_COOKIE, VoterCookie, drop_cookie, new_voter_id, set_cookie
from mass_pipeline.model.errors import BadInput

router = APIRouter()
Token = Annotated[str, Form(max_length=500)]
KEYS = {
    "yes": "1", "no": "2", "cancelled": "3", "unknown": "0",
    "other": "2", "not_this_parish": "3", "no_mass": "4", "cannot_tell": "0",
}  # fmt: skip


def to(path: str) -> RedirectResponse:
    """See-other redirect: a reload of the next page sends nothing again."""
    return RedirectResponse(path, status_code=303)


@router.get("/", include_in_schema=False)
def start() -> Response:
    """The app begins with the task; the task begins with the instructions."""
    return to("/task")


@router.get("/instructions", response_class=HTMLResponse)
def show_instructions(request: Request) -> Response:
    """Rules with examples; shown first and again every few days."""
    site = visited(request)
    return site.page(request, "instructions.html", is_known=site.voter(request, site.clock()) is not None)


@router.post("/instructions", status_code=303, response_class=RedirectResponse)
def accept_instructions(request: Request) -> Response:
    """Remember that the rules were read; a new person gets a cookie, and practises first."""
    site = site_of(request)
    now = site.clock()
    known = site.voter(request, now)
    if known is None:
        refuse_when(site.limits.prefix_voters.take(site.prefix(request), site.steady()))
    response = to("/practice" if known is None and site.config.practice_questions else "/task")
    remember(site, response, replace(known, instructed_at=now) if known else VoterCookie(new_voter_id(), now))
    return response


@router.get("/task", response_class=HTMLResponse)
def show_task(request: Request) -> Response:
    """One marked hour and the four answers."""
    site = visited(request)
    now = site.clock()
    voter = site.voter(request, now)
    if voter is None or _must_read_again(site, voter, now):
        return to("/instructions")
    with site.store.engine.begin() as connection:
        draw = Draw.by(site.rng, site.config)
        asked = next_question(connection, voter.voter_id, site.campaign, now, draw, site.config, voter.parish)
        mine = asked.n_votes if asked else votes_of(connection, voter.voter_id)
    if asked is None:
        return _nothing_left(site, request, voter, mine, now)
    return site.page(
        request,
        "task.html",
        question=asked.question,
        previous=asked.previous,
        thanks=is_milestone(mine) and asked.previous is None,
        answers=choices(asked.question.kind),
        token=site.signing.form_token(voter.voter_id, f"task:{asked.candidate_id}", now=now),
        **_frame(site, voter, mine, now),
    )


@router.post("/vote", status_code=303, response_class=RedirectResponse)
def vote(
    request: Request, item: Annotated[str, Form(max_length=64)], answer: Annotated[Answer, Form()], token: Token
) -> Response:
    """Store one answer to an item that this person was shown."""
    site = site_of(request)
    form = voter_form(site, request, token)
    if form.subject != f"task:{item}":
        raise Refusal(403)
    origin = take_votes(site, request, form, 1)
    with site.store.engine.begin() as connection:
        _cast(connection, form, answer, item, origin, site, duration_ms=form.age_ms)
    return to("/task")


def _cast(
    connection: Connection, form: VoterForm, answer: str, item: str, origin: str, site: Site, *, duration_ms: int | None = None
) -> None:
    """Store an answer; raises Refusal 422 for a word that is none to this kind of question."""
    try:
        voting.cast(
            connection, form.voter_id, item, answer, origin=origin, now=form.now, config=site.config, duration_ms=duration_ms
        )
    except BadInput as error:
        raise Refusal(422) from error


@router.post("/undo", status_code=303, response_class=RedirectResponse)
def undo(request: Request, token: Token) -> Response:
    """Take the last standing answer back; its question comes again."""
    return _walk_history(request, token, voting.undo)


@router.post("/redo", status_code=303, response_class=RedirectResponse)
def redo(request: Request, token: Token) -> Response:
    """Restore the answer that was taken back."""
    return _walk_history(request, token, voting.redo)


def _walk_history(request: Request, token: str, step: Callable[..., object]) -> Response:
    site = site_of(request)
    form = voter_form(site, request, token, subject="history")
    take_votes(site, request, form, 1)
    with site.store.engine.begin() as connection:
        step(connection, form.voter_id, now=form.now, config=site.config)
    return to("/task")


@router.get("/list", response_class=HTMLResponse)
def show_list(request: Request) -> Response:
    """All hours of one block at once."""
    site = visited(request)
    now = site.clock()
    voter = site.voter(request, now)
    if voter is None or _must_read_again(site, voter, now):
        return to("/instructions")
    with site.store.engine.begin() as connection:
        draw = Draw(wants_gold=False, wants_random=False, pivot=0.0)
        asked = next_question(connection, voter.voter_id, site.campaign, now, draw, site.config, voter.parish)
        names = block_of(connection, asked.candidate_id, voter.voter_id, now, site.config) if asked else []
        found = read_questions(connection, names)
        mine = votes_of(connection, voter.voter_id)
    if not found:
        return _nothing_left(site, request, voter, mine, now)
    return site.page(
        request,
        "list.html",
        groups=_by_heading([(q, site.signing.form_token(voter.voter_id, f"task:{q.candidate_id}", now=now)) for q in found]),
        answers=ANSWERS,
        **_frame(site, voter, mine, now),
    )


@router.post("/list", status_code=303, response_class=RedirectResponse)
async def save_list(request: Request) -> Response:
    """Store the answers of a list; hours without one stay open."""
    from starlette.concurrency import run_in_threadpool

    async with request.form(max_fields=60, max_files=0) as fields:
        given = {name: str(value) for name, value in fields.multi_items()}
    await run_in_threadpool(_save_answers, request, given)
    return to("/list")


def _save_answers(request: Request, given: dict[str, str]) -> None:
    site = site_of(request)
    chosen: list[tuple[str, str, VoterForm]] = []
    for name, answer in sorted(given.items()):
        if not name.startswith("answer:"):
            continue
        item = name.removeprefix("answer:")
        form = voter_form(site, request, given.get(f"token:{item}", ""), subject=f"task:{item}")
        chosen.append((item, answer, form))
    if not chosen:
        voter_form(site, request, given.get("token", ""), subject="history")
        return
    origin = take_votes(site, request, chosen[0][2], len(chosen))
    for item, answer, form in chosen:
        with site.store.engine.begin() as connection:  # one each: an item is never locked while another is awaited
            _cast(connection, form, answer, item, origin, site)


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


@router.get("/privacy", response_class=HTMLResponse)
def show_privacy(request: Request) -> Response:
    """What is stored, why, how long; and the button that erases it."""
    site = visited(request)
    now = site.clock()
    voter = site.voter(request, now)
    token = site.signing.form_token(voter.voter_id, "forget", now=now) if voter else ""
    return site.page(request, "privacy.html", token=token, config=site.config)


@router.post("/forget", response_class=HTMLResponse)
def forget(request: Request, token: Token) -> Response:
    """Erase everything that belongs to this person's cookie."""
    site = site_of(request)
    form = voter_form(site, request, token, subject="forget")
    with site.store.engine.begin() as connection:
        count = voting.forget(connection, form.voter_id, now=form.now, config=site.config)
    response = site.page(request, "forgotten.html", count=count)
    drop_cookie(response, VOTER_COOKIE)
    return response


@router.post("/language", status_code=303, response_class=RedirectResponse)
def set_language(request: Request, language: Annotated[str, Form(max_length=2)]) -> Response:
    """Polish or English from now on."""
    if language not in LANGUAGES:
        raise Refusal(422)
    response = to("/task")
    set_cookie(response, LANGUAGE_COOKIE, language, timedelta(days=site_of(request).config.cookie_days))
    return response


@router.get("/invite/{token}", response_class=HTMLResponse)
def show_invite(request: Request, token: str) -> Response:
    """An invitation to the trusted voters; accepted by a button, so that a link preview accepts nothing."""
    site = visited(request)
    now = site.clock()
    invitation = site.signing.read_invite(token, now=now)
    if invitation is None or site.store.is_invitation_used(invitation.name):
        return site.page(request, "message.html", status=404, title="invite_title", text="invite_bad")
    return site.page(request, "invite.html", token=token)


@router.post("/invite", status_code=303, response_class=RedirectResponse)
def accept_invite(request: Request, token: Token) -> Response:
    """Become a trusted voter; each invitation works once."""
    site = site_of(request)
    now = site.clock()
    refuse_when(site.limits.prefix_voters.take(site.prefix(request), site.steady()))
    invitation = site.signing.read_invite(token, now=now)
    if invitation is None:
        raise Refusal(403)
    known = site.voter(request, now)
    voter = known or VoterCookie(new_voter_id(), now - timedelta(days=site.config.instructions_days + 1))
    if not site.store.accept_invitation(voter.voter_id, invitation.name, now=now):
        raise Refusal(403)
    response = to("/task")
    remember(site, response, replace(voter, parish=invitation.parish))
    return response


def choices(kind: str) -> list[tuple[str, str]]:
    """Answers to a question of this kind with their keys, in the order of the buttons: "no" stands on the left of "yes"."""
    words: list[tuple[str, str]] = [(answer, KEYS[answer]) for answer in ANSWERS[kind]]
    return [words[1], words[0], *words[2:]] if kind == "hour" else words


def _by_heading(asked: list[tuple[Question, str]]) -> list[tuple[Question, list[tuple[Question, str]]]]:
    """Questions of a list under what stands over them, with the first of each such group."""
    groups: dict[tuple[str, str], list[tuple[Question, str]]] = {}
    for question, token in asked:
        groups.setdefault((question.heading, question.day_scope), []).append((question, token))
    return [(group[0][0], group) for group in groups.values()]


def _must_read_again(site: Site, voter: VoterCookie, now: datetime) -> bool:
    return now - voter.instructed_at >= timedelta(days=site.config.instructions_days)


def _frame(site: Site, voter: VoterCookie, mine: int, now: datetime) -> dict[str, Any]:
    """What the task and the list page share."""
    return {
        "mine": mine,
        "percent": int(100 * site.progress(now).share_done),
        "history_token": site.signing.form_token(voter.voter_id, "history", now=now),
    }


def _nothing_left(site: Site, request: Request, voter: VoterCookie, mine: int, now: datetime) -> Response:
    is_done = site.store.progress(site.campaign).n_open == 0
    why = "parish_done" if voter.parish else "done" if is_done else "nothing"
    with reading(site.store.engine) as connection:
        helped = helped_by(connection, voter.voter_id)
    return site.page(request, "done.html", why=why, helped=helped, **_frame(site, voter, mine, now))


def visited(request: Request) -> Site:
    """The running app's things, with a page counted for the client's network; raises Refusal 429."""
    site = site_of(request)
    refuse_when(site.limits.prefix_pages.take(site.prefix(request), site.steady()))
    return site


def take_votes(site: Site, request: Request, form: VoterForm, count: int) -> str:
    """Count answers for the voter and for its network; returns the token of the network, or raises Refusal 429."""
    prefix = site.prefix(request)
    refuse_when(site.limits.take_votes(form.voter_id, prefix, site.steady(), count))
    return site.origins.token(prefix, form.now)


def refuse_when(retry_after: int | None) -> None:
    """Raise Refusal 429 when there is a time to wait."""
    if retry_after is not None:
        raise Refusal(429, retry_after=retry_after)
