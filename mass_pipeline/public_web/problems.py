"""Errors of the API: RFC 9457 problem details, in Polish or English, with the parameter named."""

from __future__ import annotations

import orjson
from starlette.requests import Request
from starlette.responses import Response

from mass_pipeline.public_web.methods import OPEN
from mass_pipeline.public_web.params import Refused
from mass_pipeline.public_web.texts import words


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
    return Response(orjson.dumps(body), refused.status, headers, "application/problem+json")
