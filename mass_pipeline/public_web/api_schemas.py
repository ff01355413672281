"""JSON Schemas of what the API answers (OpenAPI 3.1, components): every key is there in every answer, and no other one."""

from __future__ import annotations

from typing import Final

from mass_pipeline.finding.expansion import Flag
from mass_pipeline.finding.freshness import STATES

Json = dict[str, object]

TEXT: Final[Json] = {"type": "string"}
_TEXT_OR_NULL: Final[Json] = {"type": ["string", "null"]}
_WHOLE: Final[Json] = {"type": "integer"}
_NUMBER: Final[Json] = {"type": "number"}
_YES: Final[Json] = {"type": "boolean"}
_MOMENT: Final[Json] = {"type": "string", "format": "date-time"}
_MOMENT_OR_NULL: Final[Json] = {"type": ["string", "null"], "format": "date-time"}
_DAY: Final[Json] = {"type": "string", "format": "date"}
_DAY_OR_NULL: Final[Json] = {"type": ["string", "null"], "format": "date"}
_COUNTS: Final[Json] = {"type": "object", "additionalProperties": _WHOLE}
_TEXTS: Final[Json] = {"type": "object", "additionalProperties": TEXT}
_EXCEPTION: Final[Json] = {"enum": ["added", "cancelled", "only", None]}


def _said(schema: Json, meaning: str) -> Json:
    return {**schema, "description": meaning}


def _list(of: Json) -> Json:
    return {"type": "array", "items": of}


def ref(name: str) -> Json:
    """A schema of the components by its name."""
    return {"$ref": f"#/components/schemas/{name}"}


def _object(**fields: Json) -> Json:
    return {"type": "object", "required": list(fields), "additionalProperties": False, "properties": fields}


def _or_null(schema: Json) -> Json:
    return {"anyOf": [schema, {"type": "null"}]}


_POSITION: Final = _object(
    latitude=_NUMBER,
    longitude=_NUMBER,
    precision_m=_said({"type": ["integer", "null"]}, "How far the church may be from the point, metres"),
    method=_TEXT_OR_NULL,
    source_id=_TEXT_OR_NULL,
    licence=_TEXT_OR_NULL,
    attribution=_said(_TEXT_OR_NULL, "Words that must stand beside the point"),
)
_PARISH: Final = {
    "parish_id": _said(TEXT, "Stable identifier"),
    "name": _said(TEXT, "Dedication"),
    "town": _TEXT_OR_NULL,
    "voivodeship": _TEXT_OR_NULL,
    "place": _said(TEXT, "Key of the town, as /places gives it"),
    "diocese": TEXT,
    "state": _said({"enum": list(STATES)}, "Freshness of the order, or why none is known"),
    "reason": _TEXT_OR_NULL,
    "checked_at": _said(_MOMENT_OR_NULL, "When the page of the order was last confirmed"),
    "approved_at": _MOMENT_OR_NULL,
    "differs": _said(_YES, "Whether the site says something else than the confirmed order"),
    "proposals": _said(_WHOLE, "Changes that wait for a person"),
    "position": _or_null(_POSITION),
    "wheelchair": _or_null(_object(value=TEXT, as_of=_TEXT_OR_NULL, licence=TEXT)),
    "links": _object(page=TEXT, site=_TEXT_OR_NULL, calendar=TEXT),
}
_GENERATION: Final = {"generation": _said(TEXT, "Name of the edition of the data")}
_CURSOR: Final = _said(_TEXT_OR_NULL, "For the next page; null on the last one")
_READ: Final = {
    "language": _said(_TEXT_OR_NULL, "Language that the words state"),
    "kinds": _list(TEXT),
    "rite": _TEXT_OR_NULL,
    "exception": _EXCEPTION,
    "evidence": ref("Evidence"),
}

SCHEMAS: Final[dict[str, Json]] = {
    "Problem": {
        "type": "object",
        "required": ["type", "status", "title"],
        "additionalProperties": False,
        "properties": {
            "type": TEXT,
            "status": _WHOLE,
            "title": TEXT,
            "detail": TEXT,
            "parameter": _said(TEXT, "The parameter at fault"),
            "bulk_data": _said(TEXT, "Where all data can be downloaded, for who asks too often"),
        },
    },
    "Evidence": _object(
        quote=_said(TEXT, "The words of the page"),
        url=_TEXT_OR_NULL,
        fetched_at=_MOMENT_OR_NULL,
        checked_at=_said(_MOMENT_OR_NULL, "When the page was last confirmed to say so"),
        confidence=_said(_NUMBER, "Probability that the row is right"),
        confidence_word={"enum": ["high", "good", "low"]},
        page_sha256=TEXT,
        checked=_said(
            _or_null(_object(people=_WHOLE, on=TEXT, by={"enum": ["people", "operator"]})),
            "People who were asked about the row and said that it is right: how many, on which day; or the operator",
        ),
    ),
    "Parish": _object(**_PARISH),
    "Mass": _object(
        mass_id=TEXT,
        start=_said(_MOMENT, "With the offset of the day"),
        start_local=_said(TEXT, "Wall clock in Poland"),
        parish=_object(parish_id=TEXT, name=TEXT, town=_TEXT_OR_NULL, page=TEXT, state=TEXT),
        place=_said(_TEXT_OR_NULL, "Where, when not in the parish church"),
        note=_TEXT_OR_NULL,
        distance_m={"type": ["integer", "null"]},
        precision_m={"type": ["integer", "null"]},
        status=_said({"enum": ["confirmed", "tentative", "cancelled"]}, "tentative: only assumed for its day; flags say why"),
        flags=_list({"enum": [one.name.lower() for one in Flag if one.name]}),
        **_READ,
    ),
    "Rule": _object(
        mass_id=TEXT,
        days=_said(_list(TEXT), "Mo to Su, PH (holy day of obligation), AF (abolished feast)"),
        time=TEXT,
        season=TEXT,
        season_days=_said(TEXT, "First and last day of the season, MM-DD/MM-DD, inclusive; empty: the season says it"),
        nth=_said({"type": ["array", "null"], "items": _WHOLE}, "Weeks of the month, -1 the last; null: every week"),
        place=TEXT,
        note=TEXT,
        valid_from=_DAY_OR_NULL,
        valid_to=_DAY_OR_NULL,
        method=TEXT,
        **_READ,
    ),
    "Change": _object(seen_at=TEXT, parish_id=TEXT, kind=TEXT, before=TEXT, after=TEXT, quote=TEXT, source_url=TEXT),
    "Masses": _object(**_GENERATION, **{"from": TEXT, "to": TEXT}, masses=_list(ref("Mass")), cursor=_CURSOR),
    "Parishes": _object(**_GENERATION, parishes=_list(ref("Parish")), cursor=_CURSOR),
    "ParishAnswer": _object(**_GENERATION, **_PARISH),
    "Rules": _object(
        **_GENERATION,
        parish=ref("Parish"),
        rules=_list(ref("Rule")),
        service_times=_said(_TEXT_OR_NULL, "For OpenStreetMap, hours open-ended (08:00+)"),
        service_times_points=_said(_TEXT_OR_NULL, "The same with hours as points of time (08:00)"),
        service_times_note=_said(_TEXT_OR_NULL, "What that syntax cannot say"),
    ),
    "Day": _object(
        **_GENERATION,
        date=_DAY,
        basis=TEXT,
        masses=_list(ref("Mass")),
        cancelled=_list(ref("Mass")),
        perhaps=_said(_list(ref("Mass")), "Left out only because the order changes about that day"),
    ),
    "Places": _object(
        **_GENERATION,
        places=_list(_object(place=TEXT, name=TEXT, voivodeship=_TEXT_OR_NULL, parishes=_WHOLE, score=_NUMBER, why=TEXT)),
    ),
    "Interpretation": _object(
        id={"type": "null"},
        place={"type": ["object", "null"]},
        dates=_list(_DAY),
        **{"from": _TEXT_OR_NULL, "to": _TEXT_OR_NULL},
        standing={"type": ["string", "array", "null"]},
        pick=_TEXT_OR_NULL,
        language=_TEXT_OR_NULL,
        kind=_TEXT_OR_NULL,
        wheelchair={"type": ["boolean", "null"]},
        feast=_TEXT_OR_NULL,
        radius_m=_said({"type": ["integer", "null"]}, "Metres round the place"),
        asks_obligation=_said({"type": ["boolean", "null"]}, "Whether the days are holy days of obligation is asked"),
        unread=_list(TEXT),
        not_served=_said(_list(TEXT), "Words that ask for something else than Masses; unread too"),
        error=_TEXT_OR_NULL,
        did_you_mean=_list(_object(name=TEXT, voivodeship=_TEXT_OR_NULL, parishes=_WHOLE)),
        also=_said(_list(_object(name=TEXT, voivodeship=_TEXT_OR_NULL, parishes=_WHOLE)), "Towns named beside the place"),
    ),
    "Meta": _object(
        **_GENERATION,
        built_at=_MOMENT,
        first_day=_DAY,
        last_day=_DAY,
        parishes_by_state=_COUNTS,
        licences=_TEXTS,
        thresholds={"type": "object", "additionalProperties": _NUMBER},
    ),
    "ReportTaken": _object(id=TEXT, status=_said(TEXT, "Page that says what became of it")),
    "Points": _object(type={"const": "FeatureCollection"}, features=_list({"type": "object"})),
}
