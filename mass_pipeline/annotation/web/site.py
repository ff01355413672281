"""What every page needs: the store, the clock, chance, signatures, templates, limits in memory alone (no address reaches a disk:
hazards W6, W7), who sent a form and whether they may; and the answers they share."""

from __future__ import annotations

import hashlib
import random
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import jinja2
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.store import Progress, Store
from mass_pipeline.annotation.web.texts import choose_language, texts
from mass_pipeline.annotation.web.tokens import LANGUAGE_COOKIE, VOTER_COOKIE, Signing, VoterCookie, set_cookie
from mass_pipeline.web_common.limits import SlidingWindow
from mass_pipeline.web_common.origins import Network, OriginBook, client_prefix

if TYPE_CHECKING:
    from mass_pipeline.annotation.web.desk import ProposalDesk

STATIC: Final = Path(__file__).with_name("static")
TEMPLATES: Final = Path(__file__).with_name("templates")
PROGRESS_LIFE: Final = timedelta(seconds=5)  # counting a campaign of 50,000 items takes 30 ms: not for every page


class Refusal(Exception):
    """The request cannot be served; the handler shows a page in the person's language."""

    def __init__(self, status: int, *, retry_after: int | None = None) -> None:
        self.status = status
        self.retry_after = retry_after
        super().__init__(f"HTTP {status}")


@dataclass(frozen=True, slots=True)
class Limits:
    """One window for each thing that can be done too often; moments are seconds of a clock that is never set."""

    votes: SlidingWindow
    prefix_votes: SlidingWindow
    prefix_pages: SlidingWindow
    prefix_voters: SlidingWindow
    logins: SlidingWindow

    @classmethod
    def of(cls, config: AnnotationConfig) -> Limits:
        """The limits of the settings."""
        return cls(
            votes=SlidingWindow(config.votes_per_minute, 60.0),
            prefix_votes=SlidingWindow(config.prefix_votes_per_minute, 60.0),
            prefix_pages=SlidingWindow(config.prefix_pages_per_minute, 60.0),
            prefix_voters=SlidingWindow(config.prefix_voters_per_hour, 3600.0),
            logins=SlidingWindow(config.logins_per_minute, 60.0),
        )

    def take_votes(self, voter_id: str, prefix: str, now: float, count: int) -> int | None:
        """Count answers of a voter and its network; the seconds to wait when one of both has answered too often."""
        return self.votes.take(voter_id, now, count) or self.prefix_votes.take(prefix, now, count)


@dataclass(slots=True)
class Site:
    """The running app's things."""

    store: Store
    campaign: str
    clock: Callable[[], datetime]
    steady: Callable[[], float]
    rng: random.Random
    signing: Signing
    limits: Limits
    origins: OriginBook
    trusted: tuple[Network, ...]
    templates: jinja2.Environment
    proposals: ProposalDesk | None = None
    _progress: tuple[datetime, Progress] | None = field(default=None)
    _counting: threading.Lock = field(default_factory=threading.Lock)

    @property
    def config(self) -> AnnotationConfig:
        """Settings of the store."""
        return self.store.config

    def progress(self, now: datetime) -> Progress:
        """Progress of the campaign, some seconds old at most, or as known while somebody else is counting."""
        known = self._progress
        if known is not None and timedelta(0) <= now - known[0] < PROGRESS_LIFE:
            return known[1]
        if known is not None and self._counting.locked():
            return known[1]
        with self._counting:
            if self._progress is known or self._progress is None:
                self._progress = (now, self.store.progress(self.campaign))
            return self._progress[1]

    def prefix(self, request: Request) -> str:
        """Network of the client; never stored."""
        peer = request.client.host if request.client else None
        return client_prefix(peer, request.headers.getlist("x-forwarded-for"), self.trusted)

    def voter(self, request: Request, now: datetime) -> VoterCookie | None:
        """The voter whose signed cookie the request carries."""
        life = timedelta(days=self.config.cookie_days)
        return self.signing.read_voter(request.cookies.get(VOTER_COOKIE), now=now, life=life)

    def page(self, request: Request, template: str, *, status: int = 200, **values: object) -> HTMLResponse:
        """A page in the person's language; the operator's desk is there in English alone."""
        is_desk = template.startswith("operator")
        chosen = choose_language(request.cookies.get(LANGUAGE_COOKIE), request.headers.get("accept-language", ""))
        language = "en" if is_desk else chosen
        words: Mapping[str, str] = texts(language)
        html = self.templates.get_template(template).render(t=words, language=language, is_desk=is_desk, **values)
        return HTMLResponse(html, status_code=status)


@cache
def compiled_templates() -> jinja2.Environment:
    """All templates, compiled before the first people wait, and once in a process: nothing in them is of a single site."""
    templates = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, undefined=jinja2.StrictUndefined, auto_reload=False
    )
    templates.globals["asset"] = {path.name: f"/static/{path.name}?v={_digest(path)}" for path in STATIC.iterdir()}
    for name in templates.list_templates():
        templates.get_template(name)
    return templates


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:8]


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
