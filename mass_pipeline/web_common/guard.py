"""What every request must pass and every answer must carry: host, origin, size; strict headers; no traces on errors.

Source: ASVS 5.0 V3.4 (headers), V3.5.1 and V3.5.3 (cross-site requests), V4.1.3, V16.5.1; hazards W2, W4, W9. The comparison
of Origin and Sec-Fetch-Site follows the W3C Fetch Metadata recommendation.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Collection, Mapping, Sequence
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger(__name__)

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; object-src 'none'; frame-ancestors 'none'; form-action 'self'"
)
COMMON_HEADERS: Final = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Strict-Transport-Security": "max-age=31536000",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
MEDIA: Final = {  # of files that are served as they are
    ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".json": "application/json", ".png": "image/png",
}  # fmt: skip
_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "[::1]"})
BODY_SECONDS: Final = 10.0  # within which a request's body must have come: forms are a few hundred bytes
SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
FORM_TYPES: Final = ("application/x-www-form-urlencoded", "multipart/form-data")
JSON_TYPES: Final = ("application/json",)


class Guard:
    """ASGI middleware around the whole app.

    Args:
        app: what is guarded.
        public_hosts: names under which the app is reached; others are refused.
        max_body_bytes: largest request body.
        headers: carried by every answer; the app may set those named in `own` itself.
        own: names of headers that stay as the app sets them.
        problems_under: beginning of the paths whose refusals are problem details (RFC 9457); "" for none.
        foreign_writes: paths that other sites may write to (an API without cookies); forms and JSON alike.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        public_hosts: Sequence[str],
        max_body_bytes: int,
        headers: Mapping[str, str],
        own: Sequence[str] = (),
        foreign_writes: Sequence[str] = (),
        problems_under: str = "",
    ) -> None:
        self.app = app
        self.headers = headers
        self.own = frozenset(own)
        self.foreign_writes = frozenset(foreign_writes)
        self.problems_under = problems_under
        self.public_hosts = frozenset(host.casefold() for host in public_hosts)
        self.max_body_bytes = max_body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        answer = _Answer(send, self.headers, self.own)
        refusal = self._refusal(scope["method"], scope["path"], Headers(scope=scope))
        if refusal is not None:
            await self._page(scope["path"], *refusal)(scope, receive, answer.send)
            return
        try:
            await self.app(scope, _limited(receive, self.max_body_bytes), answer.send)
        except Exception:  # the border of the app: whoever asks gets no trace, the operator gets it in the log
            log.exception("web.request_failed", extra={"method": scope["method"]})
            if answer.started:
                raise
            text = "Something went wrong here. Please try again in a minute."
            await self._page(scope["path"], 500, text)(scope, receive, answer.send)

    def _page(self, path: str, status: int, text: str) -> Response:
        if self.problems_under and path.startswith(self.problems_under):
            problem = {"type": "about:blank", "status": status, "title": text}
            return Response(json.dumps(problem), status, media_type="application/problem+json")
        body = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{status}</title><p>{text}</p></html>'
        return HTMLResponse(body, status_code=status)

    def _refusal(self, method: str, path: str, headers: Headers) -> tuple[int, str] | None:
        if host_name(headers.get("host", "")) not in self.public_hosts:
            return 421, "This server is not reached under this name."
        if method in SAFE_METHODS:
            return None
        is_open = path in self.foreign_writes
        if not is_open and not is_same_origin(headers):
            return 403, "This request did not come from one of our own pages."
        length = headers.get("content-length", "0")
        has_body = length != "0" or "transfer-encoding" in headers
        if has_body and not headers.get("content-type", "").lower().startswith(JSON_TYPES if is_open else FORM_TYPES):
            return 415, "Only JSON is accepted." if is_open else "Only forms are accepted."
        if not (length.isascii() and length.isdigit()) or int(length) > self.max_body_bytes:
            return 413, "The request is too large."
        return None


def host_name(host: str) -> str:
    """Host header without port, lower case.

    >>> host_name("Example.org:8094"), host_name("[::1]:80")
    ('example.org', '[::1]')
    """
    name, _, port = host.rpartition(":")
    return (name if name and port.isdigit() else host).casefold()


def is_same_origin(headers: Headers) -> bool:
    """Whether a writing request comes from our own page: by Sec-Fetch-Site where the browser sends it, and by Origin.

    A request with neither comes from no browser form of ours and is refused.
    """
    site = headers.get("sec-fetch-site")
    if site is not None and site != "same-origin":
        return False
    origin = headers.get("origin")
    if origin is None or origin == "null":
        return site == "same-origin"
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    host = headers.get("host", "").casefold()
    # Without TLS only this machine's own pages are ours: elsewhere an http page of our name is somebody in between.
    is_trustworthy = parts.scheme == "https" or (parts.scheme == "http" and host_name(host) in _LOOPBACK)
    return is_trustworthy and parts.netloc.casefold() == host


class _Answer:
    """Adds the headers to whatever is sent."""

    def __init__(self, send: Send, headers: Mapping[str, str], own: Collection[str]) -> None:
        self._send = send
        self._headers = headers
        self._own = own
        self.started = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            headers = MutableHeaders(scope=message)
            for name, value in self._headers.items():
                if name not in self._own or name not in headers:
                    headers[name] = value
            if "cache-control" not in headers:
                headers["Cache-Control"] = "no-store"
        await self._send(message)


def _limited(receive: Receive, most: int) -> Receive:
    seen, is_whole, ends = 0, False, asyncio.get_running_loop().time() + BODY_SECONDS

    async def read() -> Message:
        nonlocal seen, is_whole
        if is_whole:  # what comes now is the end of the connection, whenever that may be
            return await receive()
        try:
            async with asyncio.timeout_at(ends):
                message = await receive()
        except TimeoutError as error:
            raise HTTPException(408) from error
        is_whole = not message.get("more_body", False)
        seen += len(message.get("body", b""))
        if seen > most:
            raise HTTPException(413)  # the error pages know it; anything else would become a 400 or a 500
        return message

    return read
