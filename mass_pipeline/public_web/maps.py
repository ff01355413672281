"""The map of churches: a picture with lists, and a map that moves where Leaflet was fetched."""

from __future__ import annotations

import csv
import math
from datetime import timedelta
from functools import cache
from importlib.resources import files
from typing import Final

import orjson
from starlette.responses import Response

from mass_pipeline.finding.expansion import ASSUMED_ONLY, MINUTES_A_DAY, Flag
from mass_pipeline.finding.freshness import IN_TIME_SEARCH
from mass_pipeline.finding.index import queries
from mass_pipeline.finding.index.records import ParishRecord
from mass_pipeline.public_web.cards import short_day
from mass_pipeline.public_web.site import CONTENT_SECURITY_POLICY, RELATIVE_SECONDS, Pages, Visit

_WEST, _EAST, _SOUTH, _NORTH = 14.0, 24.25, 48.95, 54.95
_NARROWING: Final = math.cos(math.radians(52))
WIDTH: Final = 640
HEIGHT: Final = round(WIDTH * (_NORTH - _SOUTH) / ((_EAST - _WEST) * _NARROWING))


def at(latitude: float, longitude: float) -> tuple[float, float]:
    """Place on the picture, in its units from the upper left.

    >>> at(54.95, 14.0)
    (0.0, 0.0)
    """
    x = (longitude - _WEST) / (_EAST - _WEST) * WIDTH
    return round(x, 1), round((_NORTH - latitude) / (_NORTH - _SOUTH) * HEIGHT, 1)


@cache
def outline() -> tuple[tuple[float, float], ...]:
    """Latitude and longitude of the points of the outline."""
    with files(__package__).joinpath("outline.csv").open(encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return tuple((float(row["latitude"]), float(row["longitude"])) for row in rows)


@cache
def land() -> str:
    """The outline as a path of SVG."""
    points = [at(latitude, longitude) for latitude, longitude in outline()]
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points) + "Z"


router = Pages()
_POINTS_WITH_NAMES: Final = 300  # beyond, points are a picture and dioceses are the list
_EXACT_M: Final = 2_000  # farther off, a point is a town and no church
_DAYS: Final = 8
_MASSES: Final = 4
# A Mass that is stated for its hour counts as such, though another row only assumes it.
_CHURCHES: Final = """
SELECT latitude, longitude, name, town, slug || '-' || parish_id,
  iif(state IN (?, ?), (SELECT json_group_array(json_array(t, assumed)) FROM (
    SELECT t - ? AS t, min(flags & ? != 0) AS assumed FROM occ
    WHERE occ.parish = parish.pk AND occ.t BETWEEN ? AND ? AND flags & ? = 0 GROUP BY occ.t ORDER BY occ.t LIMIT ?)), '[]')
FROM parish WHERE precision_m < ? ORDER BY pk
"""


@router.page("/mapa")
def map_page(visit: Visit) -> Response:
    """Outline and points, drawn here; the list of dioceses comes before it."""
    rows = visit.connection.execute(
        "SELECT * FROM parish WHERE precision_m < ? AND state IN (?, ?) ORDER BY latitude DESC, pk",
        (_EXACT_M, *IN_TIME_SEARCH),
    )
    known = [ParishRecord.of(row) for row in rows]
    points = [(*at(one.point.latitude, one.point.longitude), one) for one in known if one.point]
    page = visit.page(
        "map.html",
        dioceses=queries.dioceses(visit.connection),
        points=points if len(points) <= _POINTS_WITH_NAMES else [],
        dots=sorted({(round(x), round(y)) for x, y, _ in points}) if len(points) > _POINTS_WITH_NAMES else [],
        land=land(),
        width=WIDTH,
        height=HEIGHT,
        moving=visit.site.moving,
    )
    if visit.site.moving.addresses and visit.site.moving.origin:
        policy = CONTENT_SECURITY_POLICY.replace("img-src 'self'", f"img-src 'self' {visit.site.moving.origin}")
        page.headers["Content-Security-Policy"] = policy
    return page


@router.page("/mapa/punkty.json")
def map_points(visit: Visit) -> Response:
    """Every church with an exact position and its next Masses, for the map that moves.

    `churches` are rows of latitude, longitude, name, town, page, and Masses as minutes from today's midnight with 1 when the
    hour is only assumed; `days` are the words for today and the days after it, `land` the outline.
    """
    language, minute = visit.say.language, visit.now.replace(second=0, microsecond=0)
    key = (visit.index.name, language, minute)
    known = visit.site.map_points.get(language)
    if known is None or known[0] != key:
        known = visit.site.map_points[language] = (key, _points(visit))
    return visit.answer(known[1], "application/json", RELATIVE_SECONDS)


def _points(visit: Visit) -> bytes:
    now, say = visit.now, visit.say
    midnight = queries.minutes_of(visit.index, now.date())
    first, last = midnight + now.hour * 60 + now.minute, midnight + _DAYS * MINUTES_A_DAY - 1
    values = (*IN_TIME_SEARCH, midnight, int(ASSUMED_ONLY), first, last, int(Flag.CANCELLED), _MASSES, _EXACT_M)
    later = [now.date() + timedelta(days) for days in range(2, _DAYS)]
    return orjson.dumps(
        {
            "days": [say("today"), say("tomorrow"), *(f"{say.weekday(day)} {short_day(day)}" for day in later)],
            "land": outline(),
            "churches": [
                (round(latitude, 5), round(longitude, 5), name, town, page, orjson.loads(masses))
                for latitude, longitude, name, town, page, masses in visit.connection.execute(_CHURCHES, values)
                if latitude is not None
            ],
        }
    )
