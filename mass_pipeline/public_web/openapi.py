"""The description of the API (OpenAPI 3.1), made of its routes: each says its name, tag, parameters and answer beside its code.

Parameters are read by `params`, not by the framework.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

from mass_pipeline.finding.inbox import LONGEST_FIELD, LONGEST_TEXT, REPORT, REPORT_KINDS
from mass_pipeline.finding.index.dictionary import Json
from mass_pipeline.public_web.api_shapes import SCHEMAS
from mass_pipeline.public_web.params import LONGEST

_JSON: Final = "application/json"
_TAGS: Final = {
    "Masses": "Masses of dates, near or far",
    "Parishes": "Parishes, their orders and positions",
    "Questions": "What words in a box mean",
    "Data": "The edition in force, and what changed",
    "Reports": "Errors that visitors have found",
}
_REFUSALS: Final = {
    "400": "a parameter is malformed, or something is missing",
    "403": "from a page that may not ask this",
    "404": "nothing of that name",
    "410": "a parish that was removed",
    "413": "the request is too large",
    "415": "not JSON",
    "429": "too many requests; Retry-After says when to come back",
    "503": "no data for now",
}
_HEADERS: Final = {
    "ETag": "For If-None-Match",
    "X-Data-Attribution": "Words that must stand beside the data",
    "Link": "The licence",
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an operation.

    Attributes:
        bounds: of a number, both included. choices: of a closed list.
    """

    name: str
    meaning: str
    kind: str = "string"
    example: object = None
    bounds: tuple[int, int] = (0, 0)
    choices: tuple[str, ...] = ()

    def described(self, path: str) -> Json:
        """As the description has it; one whose name stands in the path must be given."""
        is_in_path = f"{{{self.name}}}" in path
        said = {"name": self.name, "in": "path" if is_in_path else "query", "required": is_in_path, "description": self.meaning}
        schema: Json = {"enum": list(self.choices)} if self.choices else {} if is_in_path else {"maxLength": LONGEST}
        if self.kind != "string":
            schema = {"minimum": self.bounds[0], "maximum": self.bounds[1]}
        example = {} if self.example is None else {"example": self.example}
        return {**said, "schema": {"type": self.kind, **schema}, **example}


def answers(schema: str, *parameters: Parameter, media: str = _JSON) -> Json:
    """What a route adds to its description: parameters, and the schema of its answer by its name; "" for none."""
    return {"parameters": parameters, "schema": schema, "media": media}


def description(routes: Iterable[BaseRoute], licence: str, address: str) -> Json:
    """The document.

    Args:
        routes: of the API.
        licence: SPDX name of the data's licence.
        address: of the site.
    """
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Mass times of Poland's parishes",
            "version": "1",
            "description": "Every hour with the words it was read from, their page, the day it was checked, and how sure the "
            f"reading is. For people: {address}/api",
            "license": {"name": licence, "identifier": licence},
        },
        "servers": [{"url": address or "/"}],
        "tags": [{"name": name, "description": meaning} for name, meaning in _TAGS.items()],
        "paths": {route.path: _operation(route) for route in routes if isinstance(route, APIRoute)},
        "components": {"schemas": SCHEMAS},
    }


def _operation(route: APIRoute) -> Json:
    extra, methods = route.openapi_extra or {}, route.methods or set()
    summary = route.description.partition("\n")[0].removesuffix(".")
    said: Json = {"operationId": route.operation_id, "tags": route.tags, "summary": summary}
    if "POST" in methods:
        said["requestBody"] = {"required": True, "content": {_JSON: {"schema": _REPORT, "example": _EXAMPLE}}}
    else:
        said["parameters"] = [one.described(route.path) for one in extra["parameters"]]
    said["responses"] = _responses(str(route.status_code or 200), extra["media"], extra["schema"])
    return {method.lower(): said for method in methods}


_REPORT: Final[Json] = {
    "type": "object",
    "required": ["parish_id", "kind"],
    "properties": {
        **{name: {**one.schema(), "maxLength": LONGEST_FIELD} for name, one in REPORT.items()},
        "kind": {"type": "string", "enum": list(REPORT_KINDS)},
        "text": {**REPORT["text"].schema(), "maxLength": LONGEST_TEXT},
    },
}
_EXAMPLE: Final = {"parish_id": "p0123456789abcdef", "kind": "wrong_hour", "time": "09:30", "mass_id": ""}


def _responses(status: str, media: str, schema: str) -> Json:
    content = {"schema": _ref(schema)} if schema else {}
    refusals = {
        code: {"description": meaning, "content": {"application/problem+json": {"schema": _ref("Problem")}}}
        for code, meaning in _REFUSALS.items()
    }
    headers = {name: {"description": meaning, "schema": {"type": "string"}} for name, meaning in _HEADERS.items()}
    return {status: {"description": "the answer", "headers": headers, "content": {media: content}}, **refusals}


def _ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}
