"""Who sent a form, and may they? Cookie and token must fit each other."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from starlette.requests import Request
from starlette.responses import Response

from mass_pipeline.annotation.web.site import Refusal, Site
from mass_pipeline.annotation.web.tokens import VOTER_COOKIE, VoterCookie, set_cookie


@dataclass(frozen=True, slots=True)
class VoterForm:
    """A form that one of our pages made for this voter.

    Attributes:
        subject: what it was made for.
        age_ms: how long ago, in milliseconds.
    """

    voter_id: str
    subject: str
    now: datetime
    age_ms: int


def site_of(request: Request) -> Site:
    """The running app's things."""
    site = request.app.state.site
    assert isinstance(site, Site)
    return site


def voter_form(site: Site, request: Request, token: str, *, subject: str | None = None) -> VoterForm:
    """Check a voter's form.

    Raises:
        Refusal: 403 without a valid cookie, or with a token that is not ours, another voter's, too old, or made for
            something else than `subject` (None accepts any).
    """
    now = site.clock()
    voter = site.voter(request, now)
    if voter is None:
        raise Refusal(403)
    form = site.signing.read_form(token, voter_id=voter.voter_id, now=now)
    if form is None or (subject is not None and form.subject != subject):
        raise Refusal(403)
    age_ms = int((now - form.issued_at).total_seconds() * 1000)
    return VoterForm(voter.voter_id, form.subject, now, age_ms)


def remember(site: Site, response: Response, voter: VoterCookie) -> None:
    """Give the browser its signed cookie."""
    set_cookie(response, VOTER_COOKIE, site.signing.voter_cookie(voter), timedelta(days=site.config.cookie_days))
