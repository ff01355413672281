"""The description of the API (OpenAPI 3.1), written by hand: parameters are read by `params`, not by the framework."""

from __future__ import annotations

from typing import Final

from mass_pipeline.finding.inbox import LONGEST_TEXT, REPORT_KINDS
from mass_pipeline.finding.statements import KINDS, LANGUAGES, RITES

Json = dict[str, object]
_NUMBER: Final = "number"
_STRING: Final = "string"
_WHOLE: Final = "integer"


def description(licence: str, address: str) -> Json:
    """The document.

    Args:
        licence: SPDX name of the data's licence.
        address: of the site.
    """
    parish = [_param("parish_id", _STRING, "Identifier of a parish", where="path")]
    paths: Json = {
        "/api/v1/masses": _get("Masses near a point, of a place, or of a parish", _masses_parameters()),
        "/api/v1/parishes": _get("Parishes, a hundred at a time", _parishes_parameters()),
        "/api/v1/parishes.geojson": _get("Parishes with a position", [], "application/geo+json"),
        "/api/v1/parishes/{parish_id}": _get("One parish", parish),
        "/api/v1/parishes/{parish_id}/rules": _get("Published rows of a parish", parish),
        "/api/v1/parishes/{parish_id}/days/{day}": _get(
            "Masses of one date", [*parish, _param("day", _STRING, "YYYY-MM-DD", where="path")]
        ),
        "/api/v1/parishes/{parish_id}/calendar.ics": _get(
            "Calendar of a parish", [*parish, _param("days", _WHOLE, "1 to 180", minimum=1, maximum=180)], "text/calendar"
        ),
        "/api/v1/places": _get("Towns that words may mean", [_param("q", _STRING, "Words", maxLength=200)]),
        "/api/v1/interpretation": _get(
            "How a question is read", [_param("q", _STRING, "The question", maxLength=200), _param("at", _STRING, "Moment")]
        ),
        "/api/v1/changes": _get("Changes, newest first", [_param("since", _STRING, "ISO moment")], "application/jsonl"),
        "/api/v1/meta": _get("The generation in force", []),
        "/api/v1/openapi.json": _get("This description", []),
        "/api/v1/reports": {"post": _report()},
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Mass times of Poland's parishes", "version": "1", "license": {"name": licence, "identifier": licence}},
        "servers": [{"url": address or "/"}],
        "paths": paths,
    }


def _masses_parameters() -> list[Json]:
    return [
        _param("lat", _NUMBER, "Latitude, with lon", minimum=-90, maximum=90),
        _param("lon", _NUMBER, "Longitude, with lat", minimum=-180, maximum=180),
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
        _param("diocese", _STRING, "Key of the diocese"),
        _param("town", _STRING, "voivodeship/town"),
        _param("state", _STRING, "State of the order"),
        _param("updated_since", _STRING, "Confirmed since this moment"),
        _param("bbox", _STRING, "west,south,east,north in degrees"),
        _param("cursor", _WHOLE, "As the last answer gave it", minimum=0, maximum=10_000_000),
    ]


def _param(name: str, kind: str, meaning: str, where: str = "query", **bounds: object) -> Json:
    schema = {"type": kind, **bounds}
    return {"name": name, "in": where, "required": where == "path", "description": meaning, "schema": schema}


def _get(summary: str, parameters: list[Json], media: str = "application/json") -> Json:
    return {"get": {"summary": summary, "parameters": parameters, "responses": _responses("200", media)}}


def _report() -> Json:
    fields = {
        "parish_id": {"type": _STRING, "maxLength": 80},
        "mass_id": {"type": _STRING, "maxLength": 80},
        "kind": {"type": _STRING, "enum": list(REPORT_KINDS)},
        "text": {"type": _STRING, "maxLength": LONGEST_TEXT},
        "generation": {"type": _STRING, "maxLength": 80},
    }
    schema = {"type": "object", "required": ["parish_id", "kind"], "properties": fields}
    body = {"required": True, "content": {"application/json": {"schema": schema}}}
    return {"summary": "Report an error", "requestBody": body, "responses": _responses("202", "application/json")}


def _responses(status: str, media: str) -> Json:
    problem = {"description": "problem details (RFC 9457)", "content": {"application/problem+json": {}}}
    refusals = dict.fromkeys(("400", "403", "404", "410", "413", "415", "429", "503"), problem)
    return {status: {"description": "the answer", "content": {media: {}}}, **refusals}
