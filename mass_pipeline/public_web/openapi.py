"""The description of the API (OpenAPI 3.1), written by hand: parameters are read by `params`, not by the framework."""

from __future__ import annotations

from typing import Final

from mass_pipeline.finding.inbox import LONGEST_TEXT, REPORT_KINDS
from mass_pipeline.finding.statements import KINDS, LANGUAGES, RITES
from mass_pipeline.public_web.api_schemas import SCHEMAS, Json, ref

_NUMBER: Final = "number"
_STRING: Final = "string"
_WHOLE: Final = "integer"


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


def description(licence: str, address: str) -> Json:
    """The document.

    Args:
        licence: SPDX name of the data's licence.
        address: of the site.
    """
    parish = [_param("parish_id", _STRING, "Identifier of a parish", "p0123456789abcdef", where="path")]
    one = "/api/v1/parishes/{parish_id}"
    paths: Json = {
        "/api/v1/masses": _get(
            "listMasses", "Masses", "Masses near a point, of a place, or of a parish", "Masses", _masses_parameters()
        ),
        "/api/v1/parishes": _get("listParishes", "Parishes", "Parishes, a hundred at a time", "Parishes", _parishes_parameters()),
        "/api/v1/parishes.geojson": _get(
            "listParishPoints", "Parishes", "Parishes with a position (RFC 7946)", "Points", [], "application/geo+json"
        ),
        one: _get("getParish", "Parishes", "One parish", "ParishAnswer", parish),
        f"{one}/rules": _get("getRules", "Parishes", "Published rows of a parish, rules instead of dates", "Rules", parish),
        f"{one}/days/{{day}}": _get(
            "getDay", "Masses", "Masses of one date", "Day",
            [*parish, _param("day", _STRING, "YYYY-MM-DD", "2026-11-29", where="path")],
        ),
        f"{one}/calendar.ics": _get(
            "getCalendar", "Masses", "Calendar of a parish (RFC 5545)", None,
            [*parish, _param("days", _WHOLE, "1 to 180", 60, minimum=1, maximum=180)], "text/calendar",
        ),
        "/api/v1/places": _get("findPlaces", "Questions", "Towns that words may mean", "Places", [_words("Words", "krakow")]),
        "/api/v1/interpretation": _get(
            "interpretQuestion", "Questions", "How a question is read", "Interpretation",
            [_words("The question", "msza jutro po 18 w Gnieźnie"), _param("at", _STRING, "Asked when", "2026-11-22T09:00")],
        ),
        "/api/v1/changes": _get(
            "listChanges", "Data", "Changes, newest first, one JSON object (Change) a line", None,
            [_param("since", _STRING, "ISO moment", "2026-11-20")], "application/jsonl",
        ),
        "/api/v1/meta": _get("getMeta", "Data", "The generation in force", "Meta", []),
        "/api/v1/openapi.json": _get("getDescription", "Data", "This description", None, []),
        "/api/v1/reports": {"post": _report()},
    }  # fmt: skip
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
        "paths": paths,
        "components": {"schemas": SCHEMAS},
    }


def _words(meaning: str, example: str) -> Json:
    return _param("q", _STRING, meaning, example, maxLength=200)


def _masses_parameters() -> list[Json]:
    return [
        _param("lat", _NUMBER, "Latitude, with lon", 50.061, minimum=-90, maximum=90),
        _param("lon", _NUMBER, "Longitude, with lat", 19.937, minimum=-180, maximum=180),
        _param("radius_m", _NUMBER, "Radius in metres", minimum=1, maximum=200_000),
        _param("place", _STRING, "Town: its name, or voivodeship/town as /places gives it", maxLength=200),
        _param("parish", _STRING, "Identifier of a parish", maxLength=200),
        _param("from", _STRING, "RFC 3339, or local without offset; now by default"),
        _param("to", _STRING, "Likewise; a day later by default, 60 days at most"),
        _param("language", _STRING, "Stated language", enum=list(LANGUAGES)),
        _param("kind", _STRING, "Stated kind", enum=list(KINDS)),
        _param("rite", _STRING, "Stated rite", enum=list(RITES)),
        _param("wheelchair", _STRING, "1: OpenStreetMap says yes or limited", enum=["1", "0", "true", "false"]),
        _param("min_confidence", _NUMBER, "Least confidence", minimum=0, maximum=1),
        _param("include", _STRING, "exact: no Masses of seasons about to change", enum=["exact", "approximate"]),
        _param("limit", _WHOLE, "At most so many", minimum=1, maximum=100),
        _param("cursor", _WHOLE, "As the last answer gave it", minimum=0, maximum=5_000),
    ]


def _parishes_parameters() -> list[Json]:
    return [
        _words("Words of the town, dedication, street or postcode; the best hundred, without a cursor", "mariacka krakow"),
        _param("diocese", _STRING, "Key of the diocese", "krakowska"),
        _param("town", _STRING, "voivodeship/town", "malopolskie/krakow"),
        _param("state", _STRING, "State of the order"),
        _param("updated_since", _STRING, "Confirmed since this moment"),
        _param("bbox", _STRING, "west,south,east,north in degrees", "19.8,49.9,20.2,50.2"),
        _param("cursor", _WHOLE, "As the last answer gave it", minimum=0, maximum=10_000_000),
    ]


def _param(name: str, kind: str, meaning: str, example: object = None, *, where: str = "query", **bounds: object) -> Json:
    schema = {"type": kind, **bounds}
    said = {} if example is None else {"example": example}
    return {"name": name, "in": where, "required": where == "path", "description": meaning, "schema": schema, **said}


def _get(
    operation: str, tag: str, summary: str, schema: str | None, parameters: list[Json], media: str = "application/json"
) -> Json:
    said = {"operationId": operation, "tags": [tag], "summary": summary, "parameters": parameters}
    return {"get": {**said, "responses": _responses("200", media, schema)}}


def _report() -> Json:
    fields = {
        "parish_id": {"type": _STRING, "maxLength": 80},
        "mass_id": {"type": _STRING, "maxLength": 80},
        "kind": {"type": _STRING, "enum": list(REPORT_KINDS)},
        "text": {"type": _STRING, "maxLength": LONGEST_TEXT},
        "generation": {"type": _STRING, "maxLength": 80},
        "time": {"type": _STRING, "description": "The right hour, HH:MM", "maxLength": 80},
        "days": {"type": _STRING, "description": "Days it holds for, as in `days` of a rule, with spaces", "maxLength": 80},
        "day": {"type": _STRING, "description": "The only date it holds for, YYYY-MM-DD", "maxLength": 80},
    }
    schema = {"type": "object", "required": ["parish_id", "kind"], "properties": fields}
    example = {"parish_id": "p0123456789abcdef", "kind": "wrong_hour", "time": "09:30", "mass_id": ""}
    body = {"required": True, "content": {"application/json": {"schema": schema, "example": example}}}
    said = {"operationId": "sendReport", "tags": ["Reports"], "summary": "Report an error"}
    return {**said, "requestBody": body, "responses": _responses("202", "application/json", "ReportTaken")}


def _responses(status: str, media: str, schema: str | None) -> Json:
    content: Json = {} if schema is None else {"schema": ref(schema)}
    refusals: Json = {
        code: {"description": meaning, "content": {"application/problem+json": {"schema": ref("Problem")}}}
        for code, meaning in _REFUSALS.items()
    }
    headers = {name: {"description": meaning, "schema": {"type": _STRING}} for name, meaning in _HEADERS.items()}
    return {status: {"description": "the answer", "headers": headers, "content": {media: content}}, **refusals}
