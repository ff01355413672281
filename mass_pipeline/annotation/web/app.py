"""The app: routes, static files, error pages, the guard around all, and the estimate of skills beside it."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path

import anyio.to_thread
import sqlalchemy as sa
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, PlainTextResponse, Response

from mass_pipeline.annotation.database import is_busy
from mass_pipeline.annotation.store import DEFAULT_CAMPAIGN, Store
from mass_pipeline.annotation.web import desk, pages, practice
from mass_pipeline.annotation.web.site import STATIC, Limits, Refusal, Site, compiled_templates
from mass_pipeline.annotation.web.tokens import Signing
from mass_pipeline.web_common.guard import COMMON_HEADERS, MEDIA, Guard
from mass_pipeline.web_common.origins import OriginBook, parse_networks

log = logging.getLogger(__name__)

HEADERS = {
    **COMMON_HEADERS,
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "X-Robots-Tag": "noindex, nofollow",
}

BUSY_RETRY_SECONDS = 2
THREADS = 12  # below the size of the connection pool: a request never waits for a connection while holding one


def create_app(
    store: Store,
    *,
    secret: str,
    clock: Callable[[], datetime],
    steady: Callable[[], float] = time.monotonic,
    rng: random.Random,
    campaign: str = DEFAULT_CAMPAIGN,
    origins: Path | None = None,
    proposal_desk: desk.ProposalDesk | None = None,
) -> FastAPI:
    """The annotation app on an open store.

    Args:
        store: stays open; the caller closes it.
        secret: signs cookies and forms; at least 32 characters, the same after a restart.
        clock: the present moment, aware.
        steady: seconds on a clock that is never set back or forth, for limits.
        rng: draws test questions and the random slice.
        campaign: whose items are asked.
        origins: file that keeps the key of networks over a restart; None keeps it in memory alone.
        proposal_desk: where proposals about schedules wait; None when the app has none.

    Returns:
        an ASGI app without documentation routes; `app.openapi()` still describes it for tests.

    Raises:
        ConfigurationError: malformed trusted proxies.
    """
    app = FastAPI(title="mass_pipeline annotation", docs_url=None, redoc_url=None, openapi_url=None, lifespan=_lifespan)
    config = store.config
    app.state.site = Site(
        store=store,
        campaign=campaign,
        clock=clock,
        steady=steady,
        rng=rng,
        signing=Signing(secret),
        limits=Limits.of(config),
        origins=OriginBook(timedelta(hours=config.rate_key_hours), origins),
        trusted=parse_networks(config.trusted_proxies),
        templates=compiled_templates(),
        proposals=proposal_desk,
    )
    for part in (pages, practice, desk):
        app.include_router(part.router)
    app.add_api_route("/health", _health, include_in_schema=False)
    app.add_api_route("/robots.txt", _robots, include_in_schema=False)
    app.add_api_route("/static/{name}", _static, include_in_schema=False)
    app.add_exception_handler(Refusal, _refused)
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _refused)
    for busy in (sa.exc.OperationalError, sa.exc.TimeoutError):
        app.add_exception_handler(busy, _busy)
    app.add_middleware(Guard, public_hosts=config.public_hosts, max_body_bytes=config.max_body_bytes, headers=HEADERS)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    anyio.to_thread.current_default_thread_limiter().total_tokens = THREADS
    task = asyncio.create_task(_estimate_regularly(app.state.site))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _estimate_regularly(site: Site) -> None:
    """Estimate skills while votes come in; a failure is logged and the next round tries again."""
    last = -1
    while True:
        await asyncio.sleep(site.config.skill_interval_seconds)
        try:
            n_votes = (await asyncio.to_thread(site.store.progress, site.campaign)).n_votes
            if n_votes != last:
                await asyncio.to_thread(_estimate, site)
                last = n_votes
        except Exception:  # the voting must go on; the operator sees it in the log
            log.exception("annotation.estimate_failed")


def _estimate(site: Site) -> None:
    from mass_pipeline.annotation.campaign import refresh_skills  # brings pandas: the first page shall not wait for it

    refresh_skills(site.store, now=site.clock())


def _health() -> PlainTextResponse:
    return PlainTextResponse("ok")


def _robots() -> PlainTextResponse:
    return PlainTextResponse("User-agent: *\nDisallow: /\n")


def _static(name: str) -> Response:
    """Our few files by exact name: nothing that a path could reach outside."""
    known = {path.name: path for path in STATIC.iterdir()}
    if name not in known:
        raise Refusal(404)
    path = known[name]
    return FileResponse(path, media_type=MEDIA[path.suffix], headers={"Cache-Control": "public, max-age=86400"})


def _busy(request: Request, error: Exception) -> Response:
    """The database is held by others: ask again in a moment. Anything else is a fault, which the guard answers."""
    if not is_busy(error):
        raise error
    log.warning("annotation.database_busy")
    return _refused(request, Refusal(503, retry_after=BUSY_RETRY_SECONDS))


def _refused(request: Request, error: Exception) -> Response:
    """A page in the person's language for everything that was refused."""
    site = request.app.state.site
    assert isinstance(site, Site)
    status = getattr(error, "status", None) or getattr(error, "status_code", None) or 422
    retry_after = getattr(error, "retry_after", None)
    response: Response
    if status == 401:
        response = site.page(request, "operator_login.html", status=401, failed=False)
    elif retry_after is not None:
        response = site.page(request, "wait.html", status=status, seconds=retry_after)
        response.headers["Retry-After"] = str(retry_after)
    else:
        response = site.page(request, "error.html", status=status, code=status)
    for name, value in (getattr(error, "headers", None) or {}).items():
        response.headers[name] = value
    return response
