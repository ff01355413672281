"""The operator's inbox: what visitors, parishes and the program propose about schedules, each approved or rejected with one tap.

The pages know no store of schedules: whoever starts the app hands them a `ProposalDesk`. English only; each needs a session.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, Protocol

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from mass_pipeline.annotation.web.desk import Token, form_token, signed_form, signed_in
from mass_pipeline.annotation.web.pages import to
from mass_pipeline.annotation.web.site import Refusal, Site
from mass_pipeline.model.errors import UsageError

router = APIRouter(prefix="/operator/proposals")
_SHOWN = 50  # the next ones come when these are dealt with
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


@router.get("", response_class=HTMLResponse)
def show_proposals(request: Request) -> Response:
    """What waits, each with its buttons."""
    site, name = signed_in(request)
    return _page(request, site, name, "")


@router.post("", response_class=HTMLResponse)
def decide(
    request: Request,
    proposal: Annotated[str, Form(max_length=64)],
    verdict: Annotated[Verdict, Form()],
    token: Token,
    order: Annotated[str, Form(max_length=2_000)] = "",
) -> Response:
    """Decide about one; what cannot be is said above the list, and changes nothing."""
    site, name = signed_form(request, token)
    try:
        _desk(site).decide(proposal, verdict, name, order.strip())
    except UsageError as error:
        return _page(request, site, name, str(error), 409)
    return to("/operator/proposals")


def _page(request: Request, site: Site, name: str, trouble: str, status: int = 200) -> Response:
    waiting = _desk(site).waiting()
    token = form_token(site, name, site.clock())
    return site.page(
        request,
        "operator_proposals.html",
        status=status,
        cards=waiting[:_SHOWN],
        count=len(waiting),
        token=token,
        trouble=trouble,
    )  # fmt: skip


def _desk(site: Site) -> ProposalDesk:
    if site.proposals is None:
        raise Refusal(404)
    return site.proposals
