"""Objects of the API, under names that stay: JSON and its schemas (OpenAPI 3.1, components) are made of the same members.

Every member is there in every answer, and no other one.
"""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final

from mass_pipeline.finding.expansion import Flag
from mass_pipeline.finding.formats.geojson import POINTS
from mass_pipeline.finding.freshness import STATES
from mass_pipeline.finding.index.changes import CHANGE_SHAPE
from mass_pipeline.finding.index.dictionary import Json, Member, Shape, described, members
from mass_pipeline.finding.index.records import MASS, PARISH, Found
from mass_pipeline.finding.questions.interpretation import READING
from mass_pipeline.public_web.cards import flag_names
from mass_pipeline.public_web.texts import ZONE

OWN_ORDER_NOTE: Final = "24 grudnia od 15:00, w Wielki Czwartek i w Wielkanoc prawie każda parafia ma inny porządek"

TEXT: Final[Json] = {"type": "string"}
_TEXT_OR_NULL: Final[Json] = {"type": ["string", "null"]}
_WHOLE: Final[Json] = {"type": "integer"}
_WHOLE_OR_NULL: Final[Json] = {"type": ["integer", "null"]}
_MOMENT: Final[Json] = {"type": "string", "format": "date-time"}
_DAY: Final[Json] = {"type": "string", "format": "date"}
_TEXTS: Final[Json] = {"type": "array", "items": TEXT}
_ROUGHLY_M: Final = 5_000  # how far from the parish church another place of Mass may be


def _given(of: str = "", **schemas: Json) -> dict[str, Member]:
    """Members that are what the thing, or `of` it, calls so."""
    return {name: Member(schema, attrgetter(f"{of}.{name}" if of else name)) for name, schema in schemas.items()}


_POSITION: Final = Shape(
    members(PARISH, "latitude longitude precision_m method=position_method source_id=position_source_id licence attribution")
)
_WHEELCHAIR: Final = Shape(
    {
        "value": Member(TEXT, attrgetter("wheelchair")),
        "as_of": Member(_TEXT_OR_NULL, attrgetter("wheelchair_at")),
        "licence": Member(TEXT, lambda parish: "ODbL-1.0"),
    }
)
_PAGE: Final = {"page": Member(TEXT, attrgetter("path"))}
_CALENDAR: Final = Member(TEXT, lambda parish: f"/api/v1/parishes/{parish.parish_id}/calendar.ics")
_SITE: Final = Member(_TEXT_OR_NULL, lambda parish: parish.site or None)
_LINKS: Final = Shape({**_PAGE, "site": _SITE, "calendar": _CALENDAR})
PARISH_SHAPE: Final = Shape(
    {
        **members(PARISH, "parish_id name"),
        **members(PARISH, "town voivodeship", or_null=True),
        **members(PARISH, "place=town_key diocese=diocese_key"),
        **_given(state=described({"enum": list(STATES)}, PARISH["state"].meaning)),
        **members(PARISH, "reason", or_null=True),
        **members(PARISH, "checked_at approved_at differs proposals"),
        "position": _POSITION.or_null(lambda parish: parish if parish.point else None),
        "wheelchair": _WHEELCHAIR.or_null(lambda parish: parish if parish.wheelchair else None),
        "links": _LINKS.here(lambda parish: parish),
    },
    "Parish",
)
_CHECKED: Final = Shape(_given(people=_WHOLE, on=TEXT, by={"enum": ["people", "operator"]}))
EVIDENCE: Final = Shape(
    {
        **members(MASS, "quote fetched_at checked_at confidence page_sha256", of="row"),
        "url": Member(MASS["source_url"].schema(or_null=True), lambda mass: mass.link or None),
        **_given(confidence_word={"enum": ["high", "good", "low"]}),
        "checked": _CHECKED.or_null(
            attrgetter("row.checked"),
            "People who were asked about the row and said that it is right: how many, on which day; or the operator",
        ),
    },
    "Evidence",
)


def _stated(of: str) -> dict[str, Member]:
    """What is read of a row; `of` leads to it."""
    return {
        **members(MASS, "language rite", of=of),
        **_given(of, kinds=described(_TEXTS, "Kinds the words state")),
        **_given(f"{of}.row".strip("."), exception={"enum": ["added", "cancelled", "only", None]}),
        "evidence": EVIDENCE.here(attrgetter(of) if of else lambda mass: mass),
    }


_NTH: Final = described({"type": ["array", "null"], "items": _WHOLE}, "Weeks of the month, -1 the last; null: every week")
RULE: Final = Shape(
    {
        **members(MASS, "mass_id"),
        **_given("row.mass", days=described(_TEXTS, "Mo to Su, PH (holy day of obligation), AF (abolished feast)")),
        **members(MASS, "time season", of="row.mass"),
        **_given("row.mass", nth=_NTH),
        **members(MASS, "place note season_days", of="row.mass"),
        **members(MASS, "valid_from valid_to method", of="row"),
        **_stated(""),
    },
    "Rule",
)
_OF_PARISH: Final = Shape(
    {**members(PARISH, "parish_id name"), **members(PARISH, "town", or_null=True), **_PAGE, **members(PARISH, "state")}
)


@lru_cache(maxsize=4_096)
def _with_offset(start: datetime) -> str:
    """A wall clock in Poland as RFC 3339: Masses of one window begin at few moments."""
    return start.replace(tzinfo=ZONE).isoformat()


def _precision_m(found: Found) -> int | None:
    known = found.parish.precision_m
    return _ROUGHLY_M if found.flags & Flag.OTHER_PLACE and known else known


_STATUS: Final = described(
    {"enum": ["confirmed", "tentative", "cancelled"]}, "tentative: only assumed for its day; flags say why"
)
_FLAGS: Final[Json] = {"type": "array", "items": {"enum": [one.name.lower() for one in Flag if one.name]}}
MASS_SHAPE: Final = Shape(
    {
        **members(MASS, "mass_id", of="mass"),
        "start": Member(described(_MOMENT, "With the offset of the day"), lambda found: _with_offset(found.start)),
        "start_local": Member(described(TEXT, "Wall clock in Poland"), attrgetter("start")),
        "parish": _OF_PARISH.here(attrgetter("parish")),
        **members(MASS, "place note", of="mass.row.mass", or_null=True),
        "distance_m": Member(_WHOLE_OR_NULL, lambda found: None if found.distance_m is None else round(found.distance_m)),
        "precision_m": Member(_WHOLE_OR_NULL, _precision_m),
        **_given(status=_STATUS),
        "flags": Member(_FLAGS, lambda found: [name.lower() for name in flag_names(found.flags)]),
        **_stated("mass"),
    },
    "Mass",
)


def _note_on_order(answer: Any) -> str | None:
    one = answer.parish
    return "; ".join(filter(None, (one.service_times_note, OWN_ORDER_NOTE))) if one.service_times else None


_CURSOR: Final = _given(cursor=described(_TEXT_OR_NULL, "For the next page; null on the last one"))
MASSES: Final = Shape(
    {**_given("", **{"from": TEXT, "to": TEXT}), "masses": MASS_SHAPE.each(attrgetter("masses")), **_CURSOR}, "Masses"
)
PARISHES: Final = Shape({"parishes": PARISH_SHAPE.each(attrgetter("parishes")), **_CURSOR}, "Parishes")
PARISH_ANSWER: Final = Shape(PARISH_SHAPE.members, "ParishAnswer")
RULES: Final = Shape(
    {
        "parish": PARISH_SHAPE.here(attrgetter("parish")),
        "rules": RULE.each(attrgetter("rules")),
        **members(PARISH, "service_times service_times_points", of="parish", or_null=True),
        "service_times_note": Member(PARISH["service_times_note"].schema(or_null=True), _note_on_order),
    },
    "Rules",
)
DAY: Final = Shape(
    {
        "date": Member(_DAY, attrgetter("schedule.day")),
        **_given("schedule", basis=TEXT),
        "masses": MASS_SHAPE.each(attrgetter("masses")),
        "cancelled": MASS_SHAPE.each(attrgetter("cancelled")),
        "perhaps": MASS_SHAPE.each(attrgetter("perhaps"), "Left out only because the order changes about that day"),
    },
    "Day",
)
_PLACE: Final = Shape(
    {
        "place": Member(TEXT, attrgetter("town.key")),
        **_given("town", name=TEXT),
        "voivodeship": Member(_TEXT_OR_NULL, lambda meant: meant.town.voivodeship or None),
        **_given("town", parishes=_WHOLE),
        **_given(score={"type": "number"}, why=TEXT),
    }
)
PLACES: Final = Shape({"places": _PLACE.each(attrgetter("places"))}, "Places")
META: Final = Shape(
    _given(
        built_at=_MOMENT,
        first_day=_DAY,
        last_day=_DAY,
        parishes_by_state={"type": "object", "additionalProperties": _WHOLE},
        licences={"type": "object", "additionalProperties": TEXT},
        thresholds={"type": "object", "additionalProperties": {"type": "number"}},
    ),
    "Meta",
)
INTERPRETATION: Final = Shape({"id": Member({"type": "null"}, lambda read: None), **READING.members}, READING.name)
REPORT_TAKEN: Final = Shape(_given(id=TEXT, status=described(TEXT, "Page that says what became of it")), "ReportTaken")
_GENERATION: Final = _given(generation=described(TEXT, "Name of the edition of the data"))
_OF_A_GENERATION: Final = (MASSES, PARISHES, PARISH_ANSWER, RULES, DAY, PLACES, INTERPRETATION, META)
_PROBLEM: Final = Shape(
    _given(
        type=TEXT,
        status=_WHOLE,
        title=TEXT,
        detail=TEXT,
        parameter=described(TEXT, "The parameter at fault"),
        bulk_data=described(TEXT, "Where all data can be downloaded, for who asks too often"),
    )
)
SCHEMAS: Final[dict[str, Json]] = {
    "Problem": {**_PROBLEM.schema, "required": ["type", "status", "title"]},
    "Points": POINTS,
    **{one.name: one.schema for one in (EVIDENCE, PARISH_SHAPE, MASS_SHAPE, RULE, CHANGE_SHAPE, REPORT_TAKEN)},
    **{one.name: Shape({**_GENERATION, **one.members}).schema for one in _OF_A_GENERATION},
}
