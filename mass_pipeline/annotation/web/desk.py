"""Pages of the operator: log-in, figures, disputed items, voters, invitations, and the inbox of proposals about schedules.

What visitors, parishes and the program propose is approved or rejected with one tap. The pages know no store of schedules:
whoever starts the app hands them a `ProposalDesk`. English only; every page needs a session.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal, Protocol

import sqlalchemy as sa
from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.responses import Response

from mass_pipeline.annotation.database import reading
from mass_pipeline.annotation.operators import log_in, log_out, operator_of
from mass_pipeline.annotation.questions import read_questions
from mass_pipeline.annotation.reports import reported_items, reports_on
from mass_pipeline.annotation.schema import decisions, items, voters, votes
from mass_pipeline.annotation.vocabulary import LABELS, STANDINGS, Label, Standing
from mass_pipeline.annotation.web.pages import refuse_when, to
from mass_pipeline.annotation.web.site import Refusal, Site, site_of
from mass_pipeline.annotation.web.tokens import OPERATOR_COOKIE, drop_cookie, set_cookie
from mass_pipeline.model.errors import BadInput, UsageError

router = APIRouter(prefix="/operator")
Token = Annotated[str, Form(max_length=500)]
_SHOWN = 100  # rows of a table; the next ones come when these are dealt with
_PROPOSALS_SHOWN = 50
Verdict = Literal["approve", "reject"]


@dataclass(frozen=True, slots=True)
class Card:
    """A proposal as it is shown.

    Attributes:
        why: where it comes from, in words. words: what its sender wrote, "" for none.
        before, after: lines of the order published now and of the one proposed; of a dated change, its rows alone.
        needs_order: whether it can only be approved with an order in words.
        doubts: what speaks against it.
    """

    proposal_id: str
    parish: str
    why: str
    words: str
    quote: str
    source_url: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    needs_order: bool
    doubts: tuple[str, ...] = ()


class ProposalDesk(Protocol):
    """Where proposals wait."""

    def waiting(self) -> Sequence[Card]:
        """All that wait, those of people first."""

    def decide(self, proposal_id: str, verdict: Verdict, by: str, order: str) -> None:
        """Approve, where needed with an order in words, or reject; raises UsageError when that cannot be."""


@router.get("/login", response_class=HTMLResponse)
def show_login(request: Request) -> Response:
    """Name and password."""
    return site_of(request).page(request, "operator_login.html", failed=False)


@router.post("/login", response_class=HTMLResponse)
def check_login(
    request: Request, name: Annotated[str, Form(max_length=64)], password: Annotated[str, Form(max_length=200)]
) -> Response:
    """Start a session; a wrong name and a wrong password look the same."""
    site = site_of(request)
    now = site.clock()
    refuse_when(site.limits.logins.take(site.prefix(request), site.steady()))
    session = log_in(site.store, name, password, now=now)
    if session is None:
        return site.page(request, "operator_login.html", status=403, failed=True)
    response = to("/operator")
    set_cookie(response, OPERATOR_COOKIE, session, timedelta(hours=site.config.operator_hours))
    return response


@router.post("/logout", status_code=303, response_class=RedirectResponse)
def end_session(request: Request) -> Response:
    """End the session here and in the store."""
    site = site_of(request)
    log_out(site.store, request.cookies.get(OPERATOR_COOKIE, ""))
    response = to("/operator/login")
    drop_cookie(response, OPERATOR_COOKIE)
    return response


@router.get("", response_class=HTMLResponse)
def show_overview(request: Request) -> Response:
    """Figures of the campaign, disputed items first, voters with the lowest record first."""
    # Brings pandas: voters shall not wait for it at the start.
    from mass_pipeline.annotation.campaign import REMEDIES, needs_of, overview, withheld_reasons

    site, name = signed_in(request)
    now = site.clock()
    disputed = _disputed(site)
    with reading(site.store.engine) as connection:
        reported = reported_items(connection, site.campaign, _SHOWN)
    withheld = withheld_reasons(site.store.all_labels(), site.config)
    return site.page(
        request,
        "operator.html",
        operator=name,
        figures=overview(site.store, site.campaign),
        needs=needs_of(site.store, site.campaign, now),
        withheld=[(reason, count, REMEDIES[reason]) for reason, count in withheld.items()],
        disputed=disputed,
        reported=reported,
        voters=_voters(site),
        standings=STANDINGS,
        invite=None,
        has_proposals=site.proposals is not None,
        token=form_token(site, name, now),
    )


@router.get("/item/{candidate_id}", response_class=HTMLResponse)
def show_item(request: Request, candidate_id: str) -> Response:
    """One item with every vote on it, and the form that decides it."""
    site, name = signed_in(request)
    with reading(site.store.engine) as connection:
        found = read_questions(connection, [candidate_id[:64]])
        if not found:
            raise Refusal(404)
        cast = sa.select(votes.c.answer, votes.c.withdrawn, voters.c.standing, voters.c.skill, voters.c.n_compared)
        joined = cast.join(voters, voters.c.voter_id == votes.c.voter_id).where(votes.c.candidate_id == candidate_id)
        rows = connection.execute(joined.order_by(votes.c.vote_id)).all()
        decided = connection.execute(sa.select(decisions).where(decisions.c.candidate_id == candidate_id)).one_or_none()
        reports = reports_on(connection, candidate_id[:64])
    return site.page(
        request,
        "operator_item.html",
        question=found[0],
        votes=rows,
        reports=reports,
        decided=decided,
        labels=LABELS[found[0].kind],
        token=form_token(site, name, site.clock()),
    )


@router.post("/decide", status_code=303, response_class=RedirectResponse)
def decide(
    request: Request,
    item: Annotated[str, Form(max_length=64)],
    label: Annotated[Label, Form()],
    token: Token,
    note: Annotated[str, Form(max_length=500)] = "",
    as_gold: Annotated[Literal["", "yes"], Form()] = "",
) -> Response:
    """Settle an item; the operator's word wins over every vote."""
    site, name = signed_form(request, token)
    try:
        site.store.decide(item, label, operator=name, now=site.clock(), note=note.replace("\x00", ""), as_gold=as_gold == "yes")
    except BadInput as error:
        raise Refusal(404) from error
    return to("/operator")


@router.post("/standing", status_code=303, response_class=RedirectResponse)
def set_standing(
    request: Request, voter: Annotated[str, Form(max_length=64)], standing: Annotated[Standing, Form()], token: Token
) -> Response:
    """Trust, un-ban or shadow-ban a voter."""
    site, name = signed_form(request, token)
    try:
        site.store.set_standing(voter, standing, by=name, now=site.clock())
    except BadInput as error:
        raise Refusal(404) from error
    return to("/operator")


@router.post("/refresh", status_code=303, response_class=RedirectResponse)
def estimate_now(request: Request, token: Token) -> Response:
    """Estimate everybody's skill now instead of in a minute."""
    from mass_pipeline.annotation.campaign import refresh_skills

    site, _ = signed_form(request, token)
    refresh_skills(site.store, now=site.clock())
    return to("/operator")


@router.post("/invite", response_class=HTMLResponse)
def make_invite(request: Request, token: Token) -> Response:
    """An invitation link for one trusted voter, shown once."""
    site, name = signed_form(request, token)
    now = site.clock()
    return site.page(request, "operator_invite.html", operator=name, invite=f"/invite/{site.signing.invite(now=now)}")


@router.get("/proposals", response_class=HTMLResponse)
def show_proposals(request: Request) -> Response:
    """What waits, each with its buttons."""
    site, name = signed_in(request)
    return _proposals(request, site, name)


@router.post("/proposals", response_class=HTMLResponse)
def decide_proposal(
    request: Request,
    proposal: Annotated[str, Form(max_length=64)],
    verdict: Annotated[Verdict, Form()],
    token: Token,
    order: Annotated[str, Form(max_length=2_000)] = "",
) -> Response:
    """Decide about one; what cannot be is said above the list, and changes nothing."""
    site, name = signed_form(request, token)
    try:
        _inbox(site).decide(proposal, verdict, name, order.strip())
    except UsageError as error:
        return _proposals(request, site, name, str(error), 409)
    return to("/operator/proposals")


def _proposals(request: Request, site: Site, name: str, trouble: str = "", status: int = 200) -> Response:
    waiting, token = _inbox(site).waiting(), form_token(site, name, site.clock())
    shown = {"cards": waiting[:_PROPOSALS_SHOWN], "count": len(waiting), "token": token, "trouble": trouble}
    return site.page(request, "operator_proposals.html", status=status, **shown)


def _inbox(site: Site) -> ProposalDesk:
    if site.proposals is None:
        raise Refusal(404)
    return site.proposals


def signed_in(request: Request) -> tuple[Site, str]:
    """The site and the operator's name; raises Refusal 401 without a session."""
    site = site_of(request)
    session = request.cookies.get(OPERATOR_COOKIE)
    name = operator_of(site.store, session, now=site.clock()) if session else None
    if name is None:
        raise Refusal(401)
    return site, name


def signed_form(request: Request, token: str) -> tuple[Site, str]:
    """The same for a form; raises Refusal 403 when it was not signed for this operator."""
    site, name = signed_in(request)
    form = site.signing.read_form(token, voter_id=f"operator {name}", now=site.clock())
    if form is None:
        raise Refusal(403)
    return site, name


def form_token(site: Site, name: str, now: datetime) -> str:
    """What an operator's forms carry."""
    return site.signing.form_token(f"operator {name}", "operator", now=now)


def _disputed(site: Site) -> Sequence[sa.Row[Any, Any, Any, Any, Any]]:
    query = (
        sa.select(items.c.candidate_id, items.c.raw, items.c.heading, items.c.n_votes, items.c.probability)
        .where(items.c.campaign == site.campaign, items.c.state == "disputed")
        .order_by(items.c.candidate_id)
        .limit(_SHOWN)
    )
    with reading(site.store.engine) as connection:
        return connection.execute(query).all()


def _voters(site: Site) -> Sequence[sa.Row[Any]]:
    query = sa.select(voters).where(voters.c.n_votes > 0).order_by(voters.c.skill.asc(), voters.c.voter_id).limit(_SHOWN)
    with reading(site.store.engine) as connection:
        return connection.execute(query).all()
