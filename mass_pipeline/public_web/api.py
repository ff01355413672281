"""API version 1: what the pages show, as JSON, iCalendar, GeoJSON and JSON Lines. GET only; reports are the one exception.

Field names never change their meaning within a version. Errors are problem+json. Answers tell their generation, licence and
attribution in headers, and may be asked for again with their ETag. FastAPI makes the description of these functions.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import Annotated, Any, Final

import orjson
from fastapi import Path, Query, Request
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from starlette.responses import JSONResponse, Response

from mass_pipeline.finding.formats.geojson import parishes_geojson
from mass_pipeline.finding.formats.ics import calendar
from mass_pipeline.finding.freshness import GOOD, HIGH
from mass_pipeline.finding.gazetteer import Point
from mass_pipeline.finding.index import queries
from mass_pipeline.finding.index.changes import Change as ChangeRow
from mass_pipeline.finding.index.library import OpenIndex
from mass_pipeline.finding.index.records import Found, ParishRecord
from mass_pipeline.finding.nearby import Filters, near
from mass_pipeline.finding.place_candidates import candidates
from mass_pipeline.finding.places import Places as PlaceTable
from mass_pipeline.finding.questions import interpret
from mass_pipeline.finding.searching import FARTHEST_DAYS
from mass_pipeline.public_web.api_models import (
    MOST,
    CalendarQuery,
    Change,
    Changes,
    ChangesQuery,
    Day,
    Horizon,
    Interpretation,
    Mass,
    Masses,
    MassesQuery,
    Meta,
    Parish,
    ParishAnswer,
    Parishes,
    ParishesQuery,
    Place,
    Places,
    PlacesQuery,
    Points,
    Problem,
    QuestionQuery,
    Report,
    ReportTaken,
    Rules,
)
from mass_pipeline.public_web.cards import remarks
from mass_pipeline.public_web.http_answers import OPEN, PROBLEM
from mass_pipeline.public_web.params import Refused
from mass_pipeline.public_web.site import RELATIVE_SECONDS, Pages, Site, Visit, site_of
from mass_pipeline.public_web.taking import take_report
from mass_pipeline.public_web.texts import ZONE, words
from mass_pipeline.schedules.config import FreshnessConfig


class _Api(Pages):
    def count(self, site: Site, request: Request) -> None:
        """Count a request of a program."""
        site.take_api(request)


_TAGS: Final = {
    "Masses": "Masses of dates, near or far",
    "Parishes": "Parishes, their orders and positions",
    "Questions": "What words in a box mean",
    "Data": "The edition in force, and what changed",
    "Reports": "Errors that visitors have found",
}
_REFUSALS: Final = {
    400: "a parameter is malformed or unknown, or something is missing",
    403: "from a page that may not ask this",
    404: "nothing of that name",
    410: "a parish that was removed",
    413: "the request is too large",
    415: "not JSON",
    429: "too many requests; Retry-After says when to come back",
    503: "no data for now",
}
_HEADERS: Final = {
    "ETag": "For If-None-Match",
    "X-Data-Attribution": "Words that must stand beside the data",
    "Link": "The licence, and the next page",
}
_MOST_PARISHES: Final = 20_000
_MOST_TOWNS: Final = 20
_MOST_CHANGES: Final = 2_000
_HOLDS_THE_WORDS: Final = 0.3  # score of a town whose name the words are not
_LONGEST: Final = timedelta(days=60)
_DEFAULT_WINDOW: Final = timedelta(hours=24)
_STEADY_SECONDS: Final = 600
ParishId = Annotated[str, Path(description="Identifier of a parish", examples=["p0123456789abcdef"])]
DayOf = Annotated[str, Path(description="YYYY-MM-DD", examples=["2026-11-29"])]
_headers: dict[str, Any] = {name: {"description": said, "schema": {"type": "string"}} for name, said in _HEADERS.items()}
router = _Api(
    prefix="/api/v1",
    responses={
        200: {"description": "the answer", "headers": _headers},
        **{status: {"description": meaning, "model": Problem} for status, meaning in _REFUSALS.items()},
    },
)


class _GeoJson(JSONResponse):
    media_type = "application/geo+json"


class _Calendar(Response):
    media_type = "text/calendar"


@router.page("/masses", operation_id="listMasses", tags=["Masses"], response_model=Masses)
def masses(visit: Visit, asked: Annotated[MassesQuery, Query()]) -> Response:
    """Masses near a point, of a place or of a parish, within a window of time."""
    first_at = asked.from_ or visit.now
    last_at = asked.to or first_at + _DEFAULT_WINDOW
    if last_at < first_at or last_at - first_at > _LONGEST:
        raise Refused(400, "out_of_bounds", "to")
    limit, offset = asked.limit, asked.cursor
    first, last = _minute(visit.index, first_at), _minute(visit.index, last_at)
    found, total = _masses(visit.index, visit.connection, asked, first, last)
    horizon = Horizon(first_day=visit.index.first_day, last_day=queries.last_day(visit.index))
    cursor = str(offset + limit) if len(found) > offset + limit else None
    said: dict[str, object] = {
        "generation": visit.index.name,
        "from": first_at,
        "to": last_at,
        "horizon": horizon,
        "is_beyond": last_at.date() > horizon.last_day or first_at.date() < horizon.first_day,
        "masses": [Mass.of(one) for one in found[offset : offset + limit]],
        "cursor": cursor,
        "total": total,
    }
    answer = Masses.model_validate(said)
    return _page(visit, answer, RELATIVE_SECONDS)


def asked_masses(request: Request) -> Response:
    """The same without the framework, which takes as long as the search: most of what programs ask is this."""
    return masses(request, asked=MassesQuery.model_validate(dict(request.query_params)))


def _masses(
    index: OpenIndex, connection: sqlite3.Connection, asked: MassesQuery, first: int, last: int
) -> tuple[Sequence[Found], int | None]:
    """Masses of the window, one more than are asked for where there are so many, and how many there are if it is known."""
    filters = Filters(
        language=asked.language, kind=asked.kind, rite=asked.rite, wheelchair=asked.wheelchair,
        min_confidence=asked.min_confidence, exact_season=asked.include == "exact",
    )  # fmt: skip
    if (asked.lat is None) != (asked.lon is None):
        raise Refused(400, "lat_and_lon", "lat" if asked.lat is None else "lon")
    point = None if asked.lat is None or asked.lon is None else Point(round(asked.lat, 3), round(asked.lon, 3))
    parishes: Sequence[ParishRecord]
    if asked.parish:
        one = queries.parish(connection, asked.parish)
        if one is None:
            raise Refused(404, "unknown_parish", "parish")
        parishes = [one]
    elif asked.place:
        town = queries.town_of(connection, asked.place)
        towns = [town] if town else queries.towns_named(connection, asked.place)
        if len(towns) != 1:
            raise Refused(404 if not towns else 400, "error_404" if not towns else "several_towns", "place")
        parishes = queries.parishes_of(connection, "town_key", towns[0].key)
    elif point is None:
        raise Refused(400, "no_place")
    else:
        most = asked.limit + asked.cursor + 1
        hits = near(connection, point, first, last, limit=most, radius_m=asked.radius_m, filters=filters)
        return queries.of_hits(index, connection, hits), None
    found = queries.of_parishes(index, connection, parishes, first, last, filters, point)
    return found, len(found)


@router.page("/parishes", operation_id="listParishes", tags=["Parishes"], response_model=Parishes)
def parishes(visit: Visit, asked: Annotated[ParishesQuery, Query()]) -> Response:
    """Parishes, a hundred at a time; by words, of a diocese, a town, a box, or changed since a moment."""
    conditions, values = _parish_conditions(asked)
    if asked.q:
        fitting = {row[0] for row in visit.connection.execute(f"SELECT pk FROM parish WHERE 1 {conditions}", values)}  # noqa: S608 - ours
        found = [one for one in queries.search_parishes(visit.connection, asked.q, MOST) if one.pk in fitting]
        return _page(visit, _parishes(visit, found, None, len(found)))
    total = visit.connection.execute(f"SELECT count(*) FROM parish WHERE 1 {conditions}", values).fetchone()[0]  # noqa: S608 - ours
    rows = visit.connection.execute(
        f"SELECT * FROM parish WHERE pk > ? {conditions} ORDER BY pk LIMIT ?",  # noqa: S608 - conditions are ours
        [asked.cursor, *values, MOST + 1],
    ).fetchall()
    found = [ParishRecord.of(row) for row in rows[:MOST]]
    return _page(visit, _parishes(visit, found, str(found[-1].pk) if len(rows) > MOST else None, total))


def _parishes(visit: Visit, found: Sequence[ParishRecord], cursor: str | None, total: int) -> Parishes:
    return Parishes(generation=visit.index.name, parishes=[Parish.of(one) for one in found], cursor=cursor, total=total)


def _parish_conditions(asked: ParishesQuery) -> tuple[str, list[object]]:
    conditions, values = "", list[object]()
    for value, column in ((asked.diocese, "diocese_key"), (asked.town, "town_key"), (asked.state, "state")):
        if value:
            conditions += f" AND {column} = ?"
            values.append(value)
    if asked.updated_since:
        conditions += " AND checked_at >= ?"
        values.append(int(asked.updated_since.replace(tzinfo=ZONE).timestamp()))
    if asked.bbox:
        west, south, east, north = _box(asked.bbox)
        conditions += " AND longitude BETWEEN ? AND ? AND latitude BETWEEN ? AND ?"
        values += [west, east, south, north]
    return conditions, values


def _box(text: str) -> tuple[float, float, float, float]:
    try:
        west, south, east, north = (float(part) for part in text.split(","))
    except ValueError as error:
        raise Refused(400, "no_number", "bbox") from error
    if not (-180 <= west <= east <= 180 and -90 <= south <= north <= 90):
        raise Refused(400, "out_of_bounds", "bbox")
    return west, south, east, north


@router.page(
    "/parishes.geojson", operation_id="listParishPoints", tags=["Parishes"], response_model=Points, response_class=_GeoJson
)
def parishes_points(visit: Visit) -> Response:
    """All parishes with a position (RFC 7946)."""
    rows = visit.connection.execute("SELECT * FROM parish ORDER BY pk LIMIT ?", (_MOST_PARISHES,))
    return _answer(visit, parishes_geojson(ParishRecord.of(row) for row in rows), "application/geo+json")


@router.page("/parishes/{parish_id}", operation_id="getParish", tags=["Parishes"], response_model=ParishAnswer)
def parish(visit: Visit, parish_id: ParishId) -> Response:
    """One parish: position, state, how fresh it is, links."""
    return _json(visit, ParishAnswer(**dict(Parish.of(_known(visit.connection, parish_id))), generation=visit.index.name))


@router.page("/parishes/{parish_id}/rules", operation_id="getRules", tags=["Parishes"], response_model=Rules)
def rules(visit: Visit, parish_id: ParishId) -> Response:
    """The published rows of a parish, rules instead of occurrences, with the OpenStreetMap value."""
    one = _known(visit.connection, parish_id)
    confession = queries.confession_of(visit.connection, [one.pk]).get(one.pk, [])
    return _json(visit, Rules.of_parish(one, queries.rules_of(visit.connection, one.pk), confession, visit.index.name))


@router.page("/parishes/{parish_id}/days/{day}", operation_id="getDay", tags=["Masses"], response_model=Day)
def parish_day(visit: Visit, parish_id: ParishId, day: DayOf) -> Response:
    """The Masses of one date, with the basis of the day."""
    try:
        asked = date.fromisoformat(day)
    except ValueError as error:
        raise Refused(400, "no_date", "day") from error
    if abs((asked - visit.today).days) > FARTHEST_DAYS:
        raise Refused(400, "out_of_bounds", "day")
    one = _known(visit.connection, parish_id)
    said = queries.day_of_parish(visit.index, one, queries.rules_of(visit.connection, one.pk), asked)
    return _json(visit, Day.of_parish(said, visit.index.name))


@router.page("/parishes/{parish_id}/calendar.ics", operation_id="getCalendar", tags=["Masses"], response_class=_Calendar)
def parish_calendar(visit: Visit, parish_id: ParishId, asked: Annotated[CalendarQuery, Query()]) -> Response:
    """The next days of a parish as a calendar to subscribe to, or one Mass."""
    one = _known(visit.connection, parish_id)
    known = queries.rules_of(visit.connection, one.pk)
    begin, days = (asked.at.date(), 1) if asked.at else (visit.today, asked.days)
    if abs((begin - visit.today).days) > FARTHEST_DAYS:
        raise Refused(400, "out_of_bounds", "at")
    shown = []
    for offset in range(0 if one.is_doubted else days):
        said = queries.day_of_parish(visit.index, one, known, begin + timedelta(offset))
        shown += sorted([*said.masses, *said.cancelled], key=lambda found: (found.minute, found.mass.pk))
    if asked.at:
        shown = [found for found in shown if found.start == asked.at]
        if not shown:
            raise Refused(404, "error_404", "at")
    content = calendar(one, shown, visit.index.built_at, visit.address, partial(remarks, words("pl")))
    answer = _answer(visit, content, "text/calendar; charset=utf-8")
    answer.headers["Content-Disposition"] = f'inline; filename="{one.slug or one.parish_id}.ics"'
    return answer


@router.page("/places", operation_id="findPlaces", tags=["Questions"], response_model=Places)
def places(visit: Visit, asked: Annotated[PlacesQuery, Query()]) -> Response:
    """Towns that words may mean, the likeliest first."""
    return _json(visit, Places(generation=visit.index.name, places=_towns(asked.q, visit.places, visit.connection)))


def _towns(text: str, table: PlaceTable, connection: sqlite3.Connection) -> list[Place]:
    """Towns of that name, declined, begun or mistyped; after them those whose parishes hold the words, each once."""
    found: dict[str, Place] = {}
    for one in candidates(text, table, _MOST_TOWNS):
        town = queries.town_of(connection, one.town.rows[0].town_key)
        if town is not None:
            found.setdefault(town.key, Place.of_town(town, one.score, one.why))
    for parish in queries.search_parishes(connection, text):
        held = queries.town_of(connection, parish.town_key) if parish.town_key not in found else None
        if held is not None:
            found[held.key] = Place.of_town(held, _HOLDS_THE_WORDS, "its parish has these words")
    return list(found.values())[:_MOST_TOWNS]


@router.page("/interpretation", operation_id="interpretQuestion", tags=["Questions"], response_model=Interpretation)
def interpretation(visit: Visit, asked: Annotated[QuestionQuery, Query()]) -> Response:
    """How a question to the one box is read."""
    read = interpret(asked.q, asked.at or visit.now, visit.places)
    return _json(visit, Interpretation.of_reading(read, visit.index.name), RELATIVE_SECONDS)


@router.page("/changes", operation_id="listChanges", tags=["Data"], response_model=Changes)
def changes(visit: Visit, asked: Annotated[ChangesQuery, Query()]) -> Response:
    """Changes since a moment, newest first."""
    found = [Change.of(one) for one in _changes(visit, asked)]
    return _json(visit, Changes(generation=visit.index.name, changes=found))


@router.page("/changes.jsonl", include_in_schema=False)
def changes_by_line(visit: Visit, asked: Annotated[ChangesQuery, Query()]) -> Response:
    """The same, a JSON object a line: no generator of clients reads this medium."""
    lines = (orjson.dumps(one, option=orjson.OPT_APPEND_NEWLINE) for one in _changes(visit, asked))
    return _answer(visit, b"".join(lines), "application/jsonl")


def _changes(visit: Visit, asked: ChangesQuery) -> Iterator[ChangeRow]:
    since = asked.since and asked.since.replace(tzinfo=ZONE)
    for one in queries.changes(visit.connection, limit=_MOST_CHANGES):
        if since is None or datetime.fromisoformat(one.seen_at) >= since:
            yield one


@router.page("/meta", operation_id="getMeta", tags=["Data"], response_model=Meta)
def meta(visit: Visit) -> Response:
    """The generation in force: when it was built, what it covers, licences, and what words of freshness mean."""
    ages = FreshnessConfig()  # of an index that does not tell its own
    answer = Meta(
        generation=visit.index.name,
        built_at=visit.index.built_at,
        first_day=visit.index.first_day,
        last_day=queries.last_day(visit.index),
        parishes_by_state=queries.states(visit.connection),
        licences={
            "masses": visit.site.config.licence,
            "positions from OpenStreetMap, wheelchair": "ODbL-1.0",
            "positions from GeoNames": "CC-BY-4.0",
        },
        thresholds={
            "fresh_days": float(visit.index.meta.get("fresh_days", ages.fresh_days)),
            "aging_days": float(visit.index.meta.get("stale_days", ages.stale_days)),
            "confidence_high": HIGH,
            "confidence_good": GOOD,
        },
    )
    return _json(visit, answer)


@router.post("/reports", status_code=202, operation_id="sendReport", tags=["Reports"], response_model=ReportTaken)
def send_report(request: Request, report: Report) -> Response:
    """Take a report."""
    key = take_report(site_of(request), request, report.model_dump())
    taken = ReportTaken(id=key, status=f"/zglos/{key}")
    return Response(taken.model_dump_json(), 202, {**OPEN, "Cache-Control": "no-store"}, "application/json")


@router.page("/openapi.json", operation_id="getDescription", tags=["Data"])
def openapi(visit: Visit) -> Response:
    """This description (OpenAPI 3.1)."""
    licence = visit.site.config.licence
    document = get_openapi(
        title="Mass times of Poland's parishes",
        version="1",
        description="Every hour with the words it was read from, their page, the day it was checked, and how sure the "
        f"reading is. For people: {visit.address}/api",
        routes=router.routes,
        tags=[{"name": name, "description": meaning} for name, meaning in _TAGS.items()],
        servers=[{"url": visit.address or "/"}],
        license_info={"name": licence, "identifier": licence},
    )
    for operation in (one for path in document["paths"].values() for one in path.values()):
        operation["responses"].pop("422", None)  # refused as 400, as every malformed parameter is
        for status, said in operation["responses"].items():
            if int(status) >= min(_REFUSALS):
                said["content"] = {PROBLEM: next(iter(said["content"].values()))}
    return _answer(visit, orjson.dumps(document), "application/json")


def _known(connection: sqlite3.Connection, parish_id: str) -> ParishRecord:
    one = queries.parish(connection, parish_id)
    if one is None:
        is_former, _ = queries.alias(connection, parish_id)
        raise Refused(410 if is_former else 404, "unknown_parish")
    return one


def _minute(index: OpenIndex, moment: datetime) -> int:
    return queries.minutes_of(index, moment.date(), moment.hour * 60 + moment.minute)


def _page(visit: Visit, answer: Masses | Parishes, max_age: int = _STEADY_SECONDS) -> Response:
    """The answer with the address of the next page (RFC 8288)."""
    response = _json(visit, answer, max_age)
    if answer.cursor:
        query = visit.request.url.include_query_params(cursor=answer.cursor).query
        response.headers["Link"] += f', <{visit.address}{visit.request.url.path}?{query}>; rel="next"'
    return response


def _json(visit: Visit, answer: BaseModel, max_age: int = _STEADY_SECONDS) -> Response:
    return _answer(visit, answer.model_dump_json(by_alias=True), "application/json", max_age)


def _answer(visit: Visit, content: str | bytes, media_type: str, max_age: int = _STEADY_SECONDS) -> Response:
    answer = visit.answer(content, media_type, max_age)
    answer.headers.update(OPEN)
    return answer
