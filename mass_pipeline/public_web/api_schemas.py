"""JSON Schemas of what the API answers (OpenAPI 3.1, components): every key is there in every answer, and no other one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mass_pipeline.finding.expansion import Flag
from mass_pipeline.finding.freshness import STATES
from mass_pipeline.finding.index.changes import CHANGE
from mass_pipeline.finding.index.dictionary import Column
from mass_pipeline.finding.index.records import MASS, PARISH

Json = dict[str, object]
_FORMATS: Final = {"datetime": "date-time", "date": "date"}

TEXT: Final[Json] = {"type": "string"}
_TEXT_OR_NULL: Final[Json] = {"type": ["string", "null"]}
_WHOLE: Final[Json] = {"type": "integer"}
_NUMBER: Final[Json] = {"type": "number"}
_MOMENT: Final[Json] = {"type": "string", "format": "date-time"}
_DAY: Final[Json] = {"type": "string", "format": "date"}
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


def _column(column: Column, *, or_null: bool = False) -> Json:
    """The schema of a column of the index; `or_null` where the API says null for an empty text."""
    form = _FORMATS.get(column.kind)
    kind = "string" if form else column.kind
    schema: Json = {"type": [kind, "null"] if column.is_nullable or or_null else kind}
    return {**schema, **({"format": form} if form else {}), **({"description": column.meaning} if column.meaning else {})}


def _columns(columns: Mapping[str, Column], names: str, *, or_null: bool = False) -> dict[str, Json]:
    return {name: _column(columns[name], or_null=or_null) for name in names.split()}


_POSITION: Final = _object(
    **_columns(PARISH, "latitude longitude precision_m"),
    method=_column(PARISH["position_method"]),
    source_id=_column(PARISH["position_source_id"]),
    **_columns(PARISH, "licence attribution"),
)
_PARISH: Final = {
    **_columns(PARISH, "parish_id name"),
    **_columns(PARISH, "town voivodeship", or_null=True),
    "place": _column(PARISH["town_key"]),
    "diocese": _column(PARISH["diocese_key"]),
    "state": _said({"enum": list(STATES)}, PARISH["state"].meaning),
    **_columns(PARISH, "reason", or_null=True),
    **_columns(PARISH, "checked_at approved_at differs proposals"),
    "position": _or_null(_POSITION),
    "wheelchair": _or_null(_object(value=TEXT, as_of=_TEXT_OR_NULL, licence=TEXT)),
    "links": _object(page=TEXT, site=_TEXT_OR_NULL, calendar=TEXT),
}
_GENERATION: Final = {"generation": _said(TEXT, "Name of the edition of the data")}
_CURSOR: Final = _said(_TEXT_OR_NULL, "For the next page; null on the last one")
_READ: Final = {
    **_columns(MASS, "language rite"),
    "kinds": _said(_list(TEXT), "Kinds the words state"),
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
        **_columns(MASS, "quote fetched_at checked_at confidence page_sha256"),
        url=_column(MASS["source_url"], or_null=True),
        confidence_word={"enum": ["high", "good", "low"]},
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
        days=_said(_list(TEXT), "Mo to Su, PH (holy day of obligation), AF (abolished feast)"),
        nth=_said({"type": ["array", "null"], "items": _WHOLE}, "Weeks of the month, -1 the last; null: every week"),
        **_columns(MASS, "mass_id time season season_days place note valid_from valid_to method"),
        **_READ,
    ),
    "Change": _object(**dict.fromkeys(CHANGE, TEXT)),
    "Masses": _object(**_GENERATION, **{"from": TEXT, "to": TEXT}, masses=_list(ref("Mass")), cursor=_CURSOR),
    "Parishes": _object(**_GENERATION, parishes=_list(ref("Parish")), cursor=_CURSOR),
    "ParishAnswer": _object(**_GENERATION, **_PARISH),
    "Rules": _object(
        **_GENERATION,
        parish=ref("Parish"),
        rules=_list(ref("Rule")),
        **_columns(PARISH, "service_times service_times_points service_times_note", or_null=True),
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
