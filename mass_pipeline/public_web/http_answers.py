"""What HTTP asks of the API and of every address: methods, cross-origin headers, and errors as RFC 9457 problem details."""

from __future__ import annotations

from typing import Final

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mass_pipeline.public_web.params import Refused
from mass_pipeline.public_web.texts import words

API: Final = "/api/"
PROBLEM: Final = "application/problem+json"
_WRITES: Final = "/api/v1/reports"
OPEN: Final = {  # of every answer of the API
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Last-Modified, Link, Retry-After, X-Data-Attribution, Content-Disposition",
    "Cross-Origin-Resource-Policy": "cross-origin",
}


class Methods:
    """ASGI middleware: HEAD is GET without its body, OPTIONS says what an address takes."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        method = scope.get("method", "")
        if method == "HEAD":
            await self.app({**scope, "method": "GET"}, receive, _without_body(send))
        elif method == "OPTIONS":
            await _options(scope["path"])(scope, receive, send)
        else:
            await self.app(scope, receive, send)


def _options(path: str) -> Response:
    methods = "POST, OPTIONS" if path == _WRITES else "GET, HEAD, OPTIONS"
    headers = {"Allow": methods, "Cache-Control": "public, max-age=86400"}
    if path.startswith(API):
        headers |= OPEN | {
            "Access-Control-Allow-Methods": methods,
            "Access-Control-Allow-Headers": "Content-Type, If-None-Match, If-Modified-Since, Accept-Language",
            "Access-Control-Max-Age": "86400",
        }
    return Response(status_code=204, headers=headers)


def _without_body(send: Send) -> Send:
    async def forward(message: Message) -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return forward


def problem(request: Request, refused: Refused) -> Response:
    """The error as application/problem+json."""
    wanted = request.headers.get("accept-language", "")[:2].lower()
    say = words("pl" if wanted == "pl" else "en")
    seconds = refused.retry_after or 60
    key = f"error_{refused.status}"
    title = say(key, seconds=seconds) if say(key, seconds=seconds) != key else str(refused.status)
    detail = "" if refused.reason.startswith("error_") else say(refused.reason)
    body: dict[str, object] = {"type": "about:blank", "status": refused.status, "title": title}
    if detail:
        body["detail"] = detail
    if refused.parameter:
        body["parameter"] = refused.parameter
    if refused.status == 429:
        body["bulk_data"] = "/dane"
    headers = {"Cache-Control": "no-store", **OPEN}
    if refused.retry_after is not None:
        headers["Retry-After"] = str(refused.retry_after)
    return Response(orjson.dumps(body), refused.status, headers, PROBLEM)
