"""The app: routes in two languages, API, static files, errors as pages or problem+json, and the guard around all."""

from __future__ import annotations

import logging
import sqlite3
from functools import partial
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from mass_pipeline.model.errors import StorageError
from mass_pipeline.public_web import api, confirming, feeds, maps, news, pages, prose, taking
from mass_pipeline.public_web.conditional import validated
from mass_pipeline.public_web.http_answers import API, Methods, problem
from mass_pipeline.public_web.moving import ADDRESS
from mass_pipeline.public_web.params import Moved, Refused
from mass_pipeline.public_web.site import STATIC, Site, inline, language_of, site_of
from mass_pipeline.public_web.texts import LANGUAGES
from mass_pipeline.web_common.guard import COMMON_HEADERS, MEDIA, Guard

log = logging.getLogger(__name__)

HEADERS: Final = {**COMMON_HEADERS, "Permissions-Policy": "camera=(), geolocation=(self), microphone=()"}
OWN_HEADERS: Final = ("Content-Security-Policy", "Cross-Origin-Resource-Policy")  # the widget and the API open them
MAX_BODY_BYTES: Final = 16_384
# What most requests ask for, found without going through all routes and answered without a change of threads: reading a few
# milliseconds from a mapped file, that change took a third of the time. The same functions are registered below with the rest.
_HOT: Final = (("/msze", pages.results), ("/en/msze", pages.results), ("/api/v1/masses", api.asked_masses))


def create_app(site: Site) -> FastAPI:
    """The public site and API over the index in force.

    Args:
        site: what the pages share.
    """
    app = FastAPI(title="mass_pipeline public", docs_url=None, redoc_url=None, openapi_url=None)
    app.state.site = site
    app.include_router(feeds.router)
    app.include_router(api.router)
    for router in (pages.router, news.router, prose.router, taking.router, confirming.router, maps.router):
        app.include_router(router)
        for language in LANGUAGES[1:]:
            app.include_router(router, prefix=f"/{language}")
    for language in LANGUAGES[1:]:
        app.add_api_route(f"/{language}", pages.home, include_in_schema=False)
    app.add_api_route("/static/{name}", partial(_static, STATIC), include_in_schema=False)
    app.add_api_route(f"{ADDRESS}{{name}}", partial(_static, site.moving.folder), include_in_schema=False)
    app.add_api_route("/zdrowie", _health, include_in_schema=False)
    for kind in (Refused, Moved, HTTPException, StorageError, sqlite3.Error, RequestValidationError, ValidationError):
        app.add_exception_handler(kind, _refused)
    app.router.routes[:0] = [Route(path, inline(answer)) for path, answer in _HOT]
    app.add_middleware(Methods)
    app.add_middleware(
        Guard,
        public_hosts=site.config.public_hosts,
        max_body_bytes=MAX_BODY_BYTES,
        headers=HEADERS,
        own=OWN_HEADERS,
        foreign_writes=("/api/v1/reports",),
        problems_under=API,
    )
    return app


def _static(folder: Path, request: Request, name: str) -> Response:
    path = folder / Path(name).name
    if path.suffix not in MEDIA or not path.is_file():
        raise Refused(404, "error_404")
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return validated(request, Response(path.read_bytes(), media_type=MEDIA[path.suffix], headers=headers), None)


def _health(request: Request) -> Response:
    """200 while a generation young enough is served."""
    site = site_of(request)
    with site.reading() as (index, _):
        is_old = site.is_old(index)
        text = f"{index.name} {index.built_at.isoformat()}\n"
    return Response(text, 503 if is_old else 200, media_type="text/plain", headers={"Cache-Control": "no-store"})


def _refused(request: Request, error: Exception) -> Response:
    """An error as a page in the visitor's language, as problem+json under /api/; a page that moved as its address."""
    if isinstance(error, Moved):
        return RedirectResponse(error.path, status_code=301)
    refused = error if isinstance(error, Refused) else _refusal(error)
    if isinstance(error, (StorageError, sqlite3.Error)):
        log.error("public.storage", extra={"reason": str(error)})
    if request.url.path.startswith(API):
        return problem(request, refused)
    say = language_of(request)
    status = refused.status
    title = say(f"error_{status}", seconds=refused.retry_after or 60) if status in (400, 404, 410, 429, 503) else str(status)
    text = "" if refused.reason.startswith("error_") else say(refused.reason)
    if status == 410:
        text = say("error_410_text")
    if refused.parameter:
        text = f"{refused.parameter}: {text}"
    response = site_of(request).page(request, "error.html", status=status, max_age=0, title=title, text=text)
    if refused.retry_after is not None:
        response.headers["Retry-After"] = str(refused.retry_after)
    return response


_REASONS: Final = {  # pydantic's types of errors -> keys of texts
    "extra_forbidden": "unknown_parameter", "literal_error": "not_accepted", "bool_parsing": "not_accepted",
    "float_parsing": "no_number", "int_parsing": "no_number", "finite_number": "no_number", "string_too_long": "too_long",
    "greater_than_equal": "out_of_bounds", "less_than_equal": "out_of_bounds", "json_invalid": "not_json",
    "model_attributes_type": "not_json", "bad_characters": "bad_characters", "no_date": "no_date",
}  # fmt: skip


def _refusal(error: Exception) -> Refused:
    if isinstance(error, (StorageError, sqlite3.Error)):
        return Refused(503, "")  # the disk refuses, or a file of the generation is gone: trying again later may help
    if not isinstance(error, (RequestValidationError, ValidationError)):
        return Refused(error.status_code if isinstance(error, HTTPException) else 400, "")
    first, reason = error.errors()[0], _REASONS.get(error.errors()[0]["type"], "not_accepted")
    return Refused(400, reason, "" if reason == "not_json" else str(first["loc"][-1])[:40])
