"""Requests and answers of the demo web, and the table of what one host serves. No sockets here; see server.

Belongs here: conditional requests (RFC 9110 13), redirects, a failure that recovers, answers made on demand.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus

LAST_MODIFIED = "Mon, 09 Nov 2026 06:30:00 GMT"


@dataclass(frozen=True, slots=True)
class Request:
    """One request: host without port, path with query, header names in lower case."""

    method: str
    host: str
    target: str
    headers: Mapping[str, str]
    body: bytes = b""

    @property
    def path(self) -> str:
        """The target without its query."""
        return self.target.partition("?")[0]


@dataclass(frozen=True, slots=True)
class Response:
    """One answer; `delay_seconds` passes before the first byte is sent."""

    status: int = 200
    body: bytes = b""
    content_type: str = "text/html"
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_seconds: float = 0.0

    @classmethod
    def redirect(cls, location: str, status: int = 301) -> Response:
        """A redirect to an absolute or relative URL."""
        return cls(status, b"", "text/html; charset=utf-8", {"Location": location})

    @classmethod
    def error(cls, status: int, headers: Mapping[str, str] | None = None) -> Response:
        """A short error page in Polish."""
        words = {404: "Nie ma takiej strony", 500: "Błąd serwera", 503: "Serwis chwilowo niedostępny"}
        phrase = words.get(status) or HTTPStatus(status).phrase
        page = f"<html><head><title>{status}</title></head><body><h1>{phrase}</h1></body></html>"
        return cls(status, page.encode(), "text/html; charset=utf-8", headers or {})


@dataclass(frozen=True, slots=True)
class Resource:
    """A page or file as it lies on a host.

    Attributes:
        response: what a good request gets.
        failures: how many first requests get a 500 instead.
        validators: whether ETag and Last-Modified are sent and conditional requests answered with 304.
    """

    response: Response
    failures: int = 0
    validators: bool = True


Maker = Callable[[Request], Response | None]


@dataclass(slots=True)
class Host:
    """What one virtual host serves.

    Attributes:
        name: host name, lower case, no port.
        resources: target (path with query) -> resource.
        makers: asked in order for targets without resource (calendars, shared error pages).
    """

    name: str
    resources: dict[str, Resource] = field(default_factory=dict)
    makers: list[Maker] = field(default_factory=list)
    _served: dict[str, int] = field(default_factory=dict)

    def add(self, target: str, response: Response, *, failures: int = 0, validators: bool = True) -> None:
        """Put a resource under a target; a target already taken is an error of the composer."""
        if target in self.resources:
            raise ValueError(f"{self.name}{target}: two pages for one address")
        self.resources[target] = Resource(response, failures, validators)

    def respond(self, request: Request) -> Response:
        """Answer a request; 404 for what is not there."""
        resource = self.resources.get(request.target)
        if resource is None:
            made = (maker(request) for maker in self.makers)
            return next((response for response in made if response is not None), None) or Response.error(404)
        count = self._served[request.target] = self._served.get(request.target, 0) + 1
        if count <= resource.failures:
            return Response.error(500)
        return conditional(request, resource.response) if resource.validators else resource.response


def etag_of(body: bytes) -> str:
    """Strong validator of a body."""
    return f'"{hashlib.sha256(body).hexdigest()[:16]}"'


def conditional(request: Request, response: Response) -> Response:
    """Add validators to a 200 and turn it into 304 where the client has it already (RFC 9110 13.2)."""
    if response.status != 200:
        return response
    etag = etag_of(response.body)
    headers = {**response.headers, "ETag": etag, "Last-Modified": LAST_MODIFIED}
    asked = request.headers.get("if-none-match")
    if asked is not None:
        known = etag in (tag.strip().removeprefix("W/") for tag in asked.split(","))
    else:
        known = request.headers.get("if-modified-since") == LAST_MODIFIED
    if known:
        return Response(304, b"", response.content_type, headers)
    return Response(200, response.body, response.content_type, headers, response.delay_seconds)
