"""API version 1: what the pages show, as JSON, iCalendar, GeoJSON and JSON Lines. GET only; reports are the one exception.

Field names never change their meaning within a version. Errors are problem+json. Answers tell their generation, licence and
attribution in headers, and may be asked for again with their ETag.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any, Final

import orjson
from fastapi import Request
from starlette.responses import Response

from mass_pipeline.finding.formats.geojson import parishes_geojson
from mass_pipeline.finding.formats.ics import calendar
from mass_pipeline.finding.freshness import GOOD, HIGH
from mass_pipeline.finding.index import queries
from mass_pipeline.finding.index.dictionary import Shape
from mass_pipeline.finding.index.library import OpenIndex
from mass_pipeline.finding.index.records import Found, ParishRecord
from mass_pipeline.finding.nearby import Filters, near
from mass_pipeline.finding.place_candidates import candidates
from mass_pipeline.finding.places import Places
from mass_pipeline.finding.questions import interpret
from mass_pipeline.finding.statements import KINDS, LANGUAGES, RITES
from mass_pipeline.public_web.api_shapes import (
    DAY,
    INTERPRETATION,
    MASSES,
    META,
    PARISH_ANSWER,
    PARISHES,
    PLACES,
    RULES,
)
from mass_pipeline.public_web.cards import remarks
from mass_pipeline.public_web.http_answers import OPEN
from mass_pipeline.public_web.openapi import Parameter, answers, description
from mass_pipeline.public_web.params import Params, Refused
from mass_pipeline.public_web.site import RELATIVE_SECONDS, Pages, Site, Visit
from mass_pipeline.public_web.taking import api_report
from mass_pipeline.public_web.texts import ZONE, words
from mass_pipeline.schedules.config import FreshnessConfig


class _Api(Pages):
    def count(self, site: Site, request: Request) -> None:
        """Count a request of a program."""
        site.take_api(request)


router = _Api(prefix="/api/v1")
MOST: Final = 100
_MOST_PARISHES: Final = 20_000
_MOST_TOWNS: Final = 20
_HOLDS_THE_WORDS: Final = 0.3  # score of a town whose name the words are not
_DEFAULT_WINDOW: Final = timedelta(hours=24)
_STEADY_SECONDS: Final = 600
_ONE: Final = Parameter("parish_id", "Identifier of a parish", example="p0123456789abcdef")
_RADIUS: Final = Parameter("radius_m", "Radius in metres", "number", bounds=(1, 200_000))
_LANGUAGE: Final = Parameter("language", "Stated language", choices=LANGUAGES)
_KIND: Final = Parameter("kind", "Stated kind", choices=KINDS)
_RITE: Final = Parameter("rite", "Stated rite", choices=RITES)
_CONFIDENCE: Final = Parameter("min_confidence", "Least confidence", "number", bounds=(0, 1))
_SEASONS: Final = Parameter("include", "exact: no Masses of seasons about to change", choices=("exact", "approximate"))
_LIMIT: Final = Parameter("limit", "At most so many", "integer", bounds=(1, MOST))
_CURSOR: Final = Parameter("cursor", "As the last answer gave it", "integer", bounds=(0, 5_000))
_PARISH_CURSOR: Final = Parameter("cursor", "As the last answer gave it", "integer", bounds=(0, 10_000_000))
_DAYS: Final = Parameter("days", "How many", "integer", 60, (1, 180))
_AT: Final = Parameter("at", "Only the Mass that begins then", example="2026-11-29T17:00")
_OF_MASSES: Final = (
    Parameter("lat", "Latitude, with lon", "number", 50.061, (-90, 90)),
    Parameter("lon", "Longitude, with lat", "number", 19.937, (-180, 180)),
    _RADIUS,
    Parameter("place", "Town: its name, or voivodeship/town as /places gives it"),
    Parameter("parish", "Identifier of a parish"),
    Parameter("from", "RFC 3339, or local without offset; now by default"),
    Parameter("to", "Likewise; a day later by default, 60 days at most"),
    _LANGUAGE,
    _KIND,
    _RITE,
    Parameter("wheelchair", "1: OpenStreetMap says yes or limited", choices=("1", "0", "true", "false")),
    _CONFIDENCE,
    _SEASONS,
    _LIMIT,
    _CURSOR,
)
_OF_PARISHES: Final = (
    Parameter(
        "q", "Words of the town, dedication, street or postcode; the best hundred, without a cursor", example="mariacka krakow"
    ),
    Parameter("diocese", "Key of the diocese", example="krakowska"),
    Parameter("town", "voivodeship/town", example="malopolskie/krakow"),
    Parameter("state", "State of the order"),
    Parameter("updated_since", "Confirmed since this moment"),
    Parameter("bbox", "west,south,east,north in degrees", example="19.8,49.9,20.2,50.2"),
    _PARISH_CURSOR,
)
_OF_A_QUESTION: Final = (
    Parameter("q", "The question", example="msza jutro po 18 w Gnieźnie"),
    Parameter("at", "Asked when", example="2026-11-22T09:00"),
)


def _get(
    path: str, name: str, tag: str, schema: str, *parameters: Parameter, media: str = "application/json"
) -> Callable[[Callable[..., Response]], Callable[..., Response]]:
    """A route that says what its description needs."""
    return router.page(path, operation_id=name, tags=[tag], openapi_extra=answers(schema, *parameters, media=media))


@_get("/masses", "listMasses", "Masses", "Masses", *_OF_MASSES)
def masses(visit: Visit) -> Response:
    """Masses near a point, of a place or of a parish, within a window of time."""
    params = visit.params
    first_at, last_at = _window(params, visit.now)
    filters = Filters(
        language=params.choice(_LANGUAGE.name, _LANGUAGE.choices),
        kind=params.choice(_KIND.name, _KIND.choices),
        rite=params.choice(_RITE.name, _RITE.choices),
        wheelchair=params.flag("wheelchair"),
        min_confidence=params.number(_CONFIDENCE.name, *_CONFIDENCE.bounds) or 0.0,
        exact_season=params.choice(_SEASONS.name, _SEASONS.choices) == "exact",
    )
    limit, offset = params.whole(_LIMIT.name, 20, *_LIMIT.bounds), params.whole(_CURSOR.name, 0, *_CURSOR.bounds)
    first, last = _minute(visit.index, first_at), _minute(visit.index, last_at)
    found = _masses(visit.index, visit.connection, params, first, last, filters, limit + offset + 1)
    page = found[offset : offset + limit]
    cursor = str(offset + limit) if len(found) > offset + limit else None
    answer = _given(**{"from": first_at, "to": last_at}, masses=page, cursor=cursor)
    return _json(visit, MASSES, answer, RELATIVE_SECONDS)


def _masses(
    index: OpenIndex, connection: sqlite3.Connection, params: Params, first: int, last: int, filters: Filters, most: int
) -> Sequence[Found]:
    point, place, parish_id = params.point(), params.text("place"), params.text("parish")
    if parish_id:
        one = queries.parish(connection, parish_id)
        if one is None:
            raise Refused(404, "unknown_parish", "parish")
        return queries.of_parishes(index, connection, [one], first, last, filters, point)[:most]
    if place:
        town = queries.town_of(connection, place)
        towns = [town] if town else queries.towns_named(connection, place)
        if len(towns) != 1:
            raise Refused(404 if not towns else 400, "error_404" if not towns else "several_towns", "place")
        parishes = queries.parishes_of(connection, "town_key", towns[0].key)
        return queries.of_parishes(index, connection, parishes, first, last, filters, point)[:most]
    if point is None:
        raise Refused(400, "no_place")
    radius = params.number(_RADIUS.name, *_RADIUS.bounds) or 50_000.0
    hits = near(connection, point, first, last, limit=most, radius_m=radius, filters=filters)
    return queries.of_hits(index, connection, hits)


@_get("/parishes", "listParishes", "Parishes", "Parishes", *_OF_PARISHES)
def parishes(visit: Visit) -> Response:
    """Parishes, a hundred at a time; by words, of a diocese, a town, a box, or changed since a moment."""
    params = visit.params
    start = params.whole(_PARISH_CURSOR.name, 0, *_PARISH_CURSOR.bounds)
    conditions, values = _parish_conditions(params)
    if params.text("q"):
        named = _named_parishes(visit.connection, params.text("q"), conditions, values)
        return _json(visit, PARISHES, _given(parishes=named, cursor=None))
    rows = visit.connection.execute(
        f"SELECT * FROM parish WHERE pk > ? {conditions} ORDER BY pk LIMIT ?",  # noqa: S608 - conditions are ours
        [start, *values, MOST + 1],
    ).fetchall()
    found = [ParishRecord.of(row) for row in rows[:MOST]]
    cursor = str(found[-1].pk) if len(rows) > MOST else None
    return _json(visit, PARISHES, _given(parishes=found, cursor=cursor))


def _named_parishes(connection: sqlite3.Connection, words: str, conditions: str, values: list[object]) -> list[ParishRecord]:
    """Parishes that hold all words, best first, as far as they fulfil the conditions."""
    fitting = {row[0] for row in connection.execute(f"SELECT pk FROM parish WHERE 1 {conditions}", values)}  # noqa: S608 - ours
    return [one for one in queries.search_parishes(connection, words, MOST) if one.pk in fitting]


def _parish_conditions(params: Params) -> tuple[str, list[object]]:
    conditions, values = "", list[object]()
    for name, column in (("diocese", "diocese_key"), ("town", "town_key"), ("state", "state")):
        if params.text(name):
            conditions += f" AND {column} = ?"
            values.append(params.text(name))
    if params.text("updated_since"):
        conditions += " AND checked_at >= ?"
        values.append(int(_moment(params, "updated_since").replace(tzinfo=ZONE).timestamp()))
    if params.text("bbox"):
        west, south, east, north = _box(params.text("bbox"))
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


@_get("/parishes.geojson", "listParishPoints", "Parishes", "Points", media="application/geo+json")
def parishes_points(visit: Visit) -> Response:
    """All parishes with a position (RFC 7946)."""
    rows = visit.connection.execute("SELECT * FROM parish ORDER BY pk LIMIT ?", (_MOST_PARISHES,))
    content = parishes_geojson(ParishRecord.of(row) for row in rows)
    return _answer(visit, content, "application/geo+json")


@_get("/parishes/{parish_id}", "getParish", "Parishes", "ParishAnswer", _ONE)
def parish(visit: Visit, parish_id: str) -> Response:
    """One parish: position, state, how fresh it is, links."""
    return _json(visit, PARISH_ANSWER, _known(visit.connection, parish_id))


@_get("/parishes/{parish_id}/rules", "getRules", "Parishes", "Rules", _ONE)
def rules(visit: Visit, parish_id: str) -> Response:
    """The published rows of a parish, rules instead of occurrences, with the OpenStreetMap value."""
    one = _known(visit.connection, parish_id)
    return _json(visit, RULES, _given(parish=one, rules=queries.rules_of(visit.connection, one.pk)))


@_get("/parishes/{parish_id}/days/{day}", "getDay", "Masses", "Day", _ONE, Parameter("day", "YYYY-MM-DD", example="2026-11-29"))
def parish_day(visit: Visit, parish_id: str, day: str) -> Response:
    """The Masses of one date, with the basis of the day."""
    asked = _day(day)
    if abs((asked - visit.today).days) > 400:
        raise Refused(400, "out_of_bounds", "day")
    one = _known(visit.connection, parish_id)
    said = queries.day_of_parish(visit.index, one, queries.rules_of(visit.connection, one.pk), asked)
    return _json(visit, DAY, said)


@_get("/parishes/{parish_id}/calendar.ics", "getCalendar", "Masses", "", _ONE, _DAYS, _AT, media="text/calendar")
def parish_calendar(visit: Visit, parish_id: str) -> Response:
    """The next days of a parish as a calendar to subscribe to."""
    params = visit.params
    days, at = params.whole(_DAYS.name, 60, *_DAYS.bounds), _moment(params, "at") if params.text("at") else None
    one = _known(visit.connection, parish_id)
    known = queries.rules_of(visit.connection, one.pk)
    shown = []
    for offset in range(0 if one.is_doubted else 1 if at else days):
        said = queries.day_of_parish(visit.index, one, known, (at.date() if at else visit.today) + timedelta(offset))
        shown += sorted([*said.masses, *said.cancelled], key=lambda found: (found.minute, found.mass.pk))
    if at:
        shown = [found for found in shown if found.start == at]
        if not shown:
            raise Refused(404, "error_404", "at")
    content = calendar(one, shown, visit.index.built_at, visit.address, partial(remarks, words("pl")))
    answer = _answer(visit, content, "text/calendar; charset=utf-8")
    answer.headers["Content-Disposition"] = f'inline; filename="{one.slug or one.parish_id}.ics"'
    return answer


@_get("/places", "findPlaces", "Questions", "Places", Parameter("q", "Words", example="krakow"))
def places(visit: Visit) -> Response:
    """Towns that words may mean, the likeliest first."""
    params = visit.params
    words = params.text("q")
    found = _towns(words, visit.places, visit.connection)
    return _json(visit, PLACES, _given(places=found))


def _towns(words: str, places: Places, connection: sqlite3.Connection) -> list[SimpleNamespace]:
    """Towns of that name, declined, begun or mistyped; after them those whose parishes hold the words, each once."""
    found: dict[str, SimpleNamespace] = {}
    for one in candidates(words, places, _MOST_TOWNS):
        town = queries.town_of(connection, one.town.rows[0].town_key)
        if town is not None:
            found.setdefault(town.key, _given(town=town, score=one.score, why=one.why))
    for parish in queries.search_parishes(connection, words):
        held = queries.town_of(connection, parish.town_key) if parish.town_key not in found else None
        if held is not None:
            found[held.key] = _given(town=held, score=_HOLDS_THE_WORDS, why="its parish has these words")
    return list(found.values())[:_MOST_TOWNS]


@_get("/interpretation", "interpretQuestion", "Questions", "Interpretation", *_OF_A_QUESTION)
def interpretation(visit: Visit) -> Response:
    """How a question to the one box is read."""
    params = visit.params
    at = _moment(params, "at") if params.text("at") else visit.now
    read = interpret(params.query.get("q", ""), at, visit.places)
    return _json(visit, INTERPRETATION, read, RELATIVE_SECONDS)


@_get("/changes", "listChanges", "Data", "", Parameter("since", "ISO moment", example="2026-11-20"), media="application/jsonl")
def changes(visit: Visit) -> Response:
    """Changes since a moment, newest first, one JSON object (Change) a line."""
    params = visit.params
    since = params.text("since")
    found = [one for one in queries.changes(visit.connection, limit=2_000) if not since or one.seen_at >= since]
    lines = b"".join(orjson.dumps(one, option=orjson.OPT_APPEND_NEWLINE) for one in found)
    return _answer(visit, lines, "application/jsonl")


@_get("/meta", "getMeta", "Data", "Meta")
def meta(visit: Visit) -> Response:
    """The generation in force: when it was built, what it covers, licences, and what words of freshness mean."""
    ages = FreshnessConfig()  # of an index that does not tell its own
    answer = _given(
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
    return _json(visit, META, answer)


router.post("/reports", status_code=202, operation_id="sendReport", tags=["Reports"], openapi_extra=answers("ReportTaken"))(
    api_report
)


@_get("/openapi.json", "getDescription", "Data", "")
def openapi(visit: Visit) -> Response:
    """This description (OpenAPI 3.1)."""
    content = orjson.dumps(description(router.routes, visit.site.config.licence, visit.address))
    return _answer(visit, content, "application/json")


def _known(connection: sqlite3.Connection, parish_id: str) -> ParishRecord:
    one = queries.parish(connection, parish_id)
    if one is None:
        is_former, _ = queries.alias(connection, parish_id)
        raise Refused(410 if is_former else 404, "unknown_parish")
    return one


def _window(params: Params, now: datetime) -> tuple[datetime, datetime]:
    """From and to as local wall clock; a day from now when nothing is said."""
    first = _moment(params, "from") if params.text("from") else now
    last = _moment(params, "to") if params.text("to") else first + _DEFAULT_WINDOW
    if last < first or last - first > timedelta(days=60):
        raise Refused(400, "out_of_bounds", "to")
    return first, last


def _moment(params: Params, name: str) -> datetime:
    """A moment as local wall clock: RFC 3339 with its offset, or local without."""
    try:
        found = datetime.fromisoformat(params.text(name).replace(" ", "+"))
        return found.astimezone(ZONE).replace(tzinfo=None) if found.tzinfo else found
    except (ValueError, OverflowError) as error:
        raise Refused(400, "no_date", name) from error


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise Refused(400, "no_date", "day") from error


def _minute(index: OpenIndex, moment: datetime) -> int:
    return queries.minutes_of(index, moment.date(), moment.hour * 60 + moment.minute)


def _given(**values: object) -> SimpleNamespace:
    """What an answer is made of that is no record."""
    return SimpleNamespace(**values)


def _json(visit: Visit, shape: Shape, thing: Any, max_age: int = _STEADY_SECONDS) -> Response:
    body = {"generation": visit.index.name, **shape.of(thing)}
    return _answer(visit, orjson.dumps(body), "application/json", max_age)


def _answer(visit: Visit, content: str | bytes, media_type: str, max_age: int = _STEADY_SECONDS) -> Response:
    answer = visit.answer(content, media_type, max_age)
    answer.headers.update(OPEN)
    return answer
