"""Validators of answers, and whether the client has the answer already; compression, so that each coding has its own validator.

Source: RFC 9110, 8.8.3 (a strong validator differs between codings), 13.1.2 and 13.1.3 (If-None-Match before
If-Modified-Since), 15.4.5 (which headers a 304 carries).
"""

from __future__ import annotations

import gzip
import hashlib
import re
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

_LEAST_BYTES: Final = 1_000  # below, a compressed answer is no smaller on the way
_LEVEL: Final = 5  # 9 saves 2 % of a page and takes twice the time
_GZIP: Final = re.compile(r"(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[^,]*)?(?:,|$)", re.IGNORECASE)
_ON_304: Final = ("ETag", "Cache-Control", "Last-Modified", "Vary", "Link")


def validated(request: Request, response: Response, changed_at: datetime | None) -> Response:
    """The answer in a coding that the client takes, with its validators; 304 when the client has it.

    Args:
        response: with its body and Cache-Control.
        changed_at: when it last changed, aware; None for an answer that changes by the minute, which has no such moment.
    """
    body = bytes(response.body)
    is_coded = len(body) >= _LEAST_BYTES and accepts_gzip(request.headers.get("accept-encoding", ""))
    digest = hashlib.sha256(body).hexdigest()[:16]
    tag = f'"{digest}-gzip"' if is_coded else f'"{digest}"'
    response.headers["ETag"] = tag
    response.headers["Vary"] = "Accept-Encoding"
    if changed_at is not None:
        response.headers["Last-Modified"] = format_datetime(changed_at.astimezone(UTC), usegmt=True)
    if response.status_code == 200 and _is_known(request, tag, changed_at):
        return Response(status_code=304, headers={name: response.headers[name] for name in _ON_304 if name in response.headers})
    if is_coded:
        response.body = gzip.compress(body, _LEVEL, mtime=0)
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Content-Length"] = str(len(response.body))
    return response


def accepts_gzip(accepted: str) -> bool:
    """Whether a header Accept-Encoding admits gzip.

    >>> accepts_gzip("br, gzip"), accepts_gzip("gzip;q=0.5, br"), accepts_gzip("gzip;q=0"), accepts_gzip("")
    (True, True, False, False)
    """
    return _GZIP.search(accepted) is not None


def _is_known(request: Request, tag: str, changed_at: datetime | None) -> bool:
    held = request.headers.get("if-none-match")
    if held is not None:
        return held.strip() == "*" or tag in [one.strip().removeprefix("W/") for one in held.split(",")]
    since = request.headers.get("if-modified-since")
    if since is None or changed_at is None:
        return False
    try:
        moment = parsedate_to_datetime(since)
    except ValueError:
        return False
    return moment.tzinfo is not None and changed_at.replace(microsecond=0) <= moment
