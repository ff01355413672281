"""What every request must pass and every answer must carry: host, origin, size; strict headers; no traces on errors.

Source: ASVS 5.0 V3.4 (headers), V3.5.1 and V3.5.3 (cross-site requests), V4.1.3, V16.5.1; hazards W2, W4, W9. The comparison
of Origin and Sec-Fetch-Site follows the W3C Fetch Metadata recommendation.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger(__name__)

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "object-src 'none'; frame-ancestors 'none'; form-action 'self'"
)
HEADERS: Final = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Strict-Transport-Security": "max-age=31536000",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "X-Robots-Tag": "noindex, nofollow",
}
SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
FORM_TYPES: Final = ("application/x-www-form-urlencoded", "multipart/form-data")


class Guard:
    """ASGI middleware around the whole app."""

    def __init__(self, app: ASGIApp, *, public_hosts: Sequence[str], max_body_bytes: int) -> None:
        self.app = app
        self.public_hosts = frozenset(host.casefold() for host in public_hosts)
        self.max_body_bytes = max_body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        answer = _Answer(send)
        refusal = self._refusal(scope["method"], Headers(scope=scope))
        if refusal is not None:
            await _plain_page(*refusal)(scope, receive, answer.send)
            return
        try:
            await self.app(scope, _limited(receive, self.max_body_bytes), answer.send)
        except Exception:  # the border of the app: whoever asks gets no trace, the operator gets it in the log
            log.exception("annotation.request_failed", extra={"method": scope["method"]})
            if answer.started:
                raise
            await _plain_page(500, "Something went wrong here. Please try again in a minute.")(scope, receive, answer.send)

    def _refusal(self, method: str, headers: Headers) -> tuple[int, str] | None:
        if host_name(headers.get("host", "")) not in self.public_hosts:
            return 421, "This server is not reached under this name."
        if method in SAFE_METHODS:
            return None
        if not is_same_origin(headers):
            return 403, "This request did not come from one of our own pages."
        length = headers.get("content-length", "0")
        has_body = length != "0" or "transfer-encoding" in headers
        if has_body and not headers.get("content-type", "").lower().startswith(FORM_TYPES):
            return 415, "Only forms are accepted."
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
    return parts.scheme in ("http", "https") and parts.netloc.casefold() == headers.get("host", "").casefold()


class _Answer:
    """Adds the headers to whatever is sent."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.started = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            if "cache-control" not in headers:
                headers["Cache-Control"] = "no-store"
        await self._send(message)


def _limited(receive: Receive, most: int) -> Receive:
    seen = 0

    async def read() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most:
            raise HTTPException(413)  # the error pages know it; anything else would become a 400 or a 500
        return message

    return read


def _plain_page(status: int, text: str) -> HTMLResponse:
    body = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{status}</title><p>{text}</p></html>'
    return HTMLResponse(body, status_code=status)
