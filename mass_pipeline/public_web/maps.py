"""The map of churches: a picture by voivodeships without scripts, and a map that moves where Leaflet was fetched.

The ground of both is `static/ground.json` (data/ground/make_ground.py): voivodeships, rivers, lakes and towns.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Any, Final

import orjson
from starlette.responses import Response

from mass_pipeline.finding.expansion import ASSUMED_ONLY, MINUTES_A_DAY, Flag
from mass_pipeline.finding.freshness import IN_TIME_SEARCH
from mass_pipeline.finding.index import queries
from mass_pipeline.model.identifiers import slug
from mass_pipeline.public_web.cards import short_day
from mass_pipeline.public_web.params import Refused
from mass_pipeline.public_web.site import RELATIVE_SECONDS, STATIC, Pages, Visit
from mass_pipeline.web_common.guard import CONTENT_SECURITY_POLICY

_NARROWING: Final = math.cos(math.radians(52))
_WIDTH: Final = 640
_MARGIN: Final = 0.1  # degrees around what is drawn
_NAMED: Final = 14  # towns whose names a picture holds
_APART: Final = 34  # units of the picture between two names


@cache
def ground() -> dict[str, Any]:
    """Lines of the ground: latitudes and longitudes in turn."""
    found: dict[str, Any] = orjson.loads(STATIC.joinpath("ground.json").read_bytes())
    return found


@dataclass(frozen=True, slots=True)
class Picture:
    """A part of the country as SVG.

    Attributes:
        north, west: of its upper left corner, degrees. scale: units a degree of longitude. height: in units.
    """

    north: float
    west: float
    scale: float
    height: int

    @classmethod
    def of(cls, lines: Sequence[Sequence[float]]) -> Picture:
        """The picture that holds some lines.

        >>> Picture.of([[50.0, 20.0, 52.0, 22.0]]).at(51.0, 21.0)
        (320.0, 519.8)
        """
        north, south = max(max(line[::2]) for line in lines) + _MARGIN, min(min(line[::2]) for line in lines) - _MARGIN
        west, east = min(min(line[1::2]) for line in lines) - _MARGIN, max(max(line[1::2]) for line in lines) + _MARGIN
        scale = _WIDTH / (east - west)
        return cls(north, west, scale, round((north - south) * scale / _NARROWING))

    def at(self, latitude: float, longitude: float) -> tuple[float, float]:
        """Place on the picture, in its units from the upper left."""
        x = (longitude - self.west) * self.scale
        return round(x, 1), round((self.north - latitude) * self.scale / _NARROWING, 1)

    def path(self, line: Sequence[float]) -> str:
        """A line as a path of SVG."""
        return "M" + "L".join("{:g} {:g}".format(*self.at(*point)) for point in zip(line[::2], line[1::2], strict=True))

    def names(self, towns: Sequence[Sequence[Any]]) -> list[tuple[float, float, str]]:
        """Names of the largest towns that do not stand in each other's way."""
        found: list[tuple[float, float, str]] = []
        for latitude, longitude, name, _ in towns:
            x, y = self.at(latitude, longitude)
            is_free = all(abs(x - other[0]) > 2 * _APART or abs(y - other[1]) > _APART for other in found)
            if 0 < x < _WIDTH - _APART and 0 < y < self.height and is_free:
                found.append((x, y, name))
            if len(found) == _NAMED:
                break
        return found


router = Pages()
_EXACT_M: Final = 2_000  # farther off, a point is a town and no church
_DAYS: Final = 8
_MASSES: Final = 4
_MASSES_OF_A_DAY: Final = 12
# A Mass that is stated for its hour counts as such, though another row only assumes it.
_CHURCHES: Final = """
SELECT latitude, longitude, name, coalesce((SELECT t.name FROM town t WHERE t.key = town_key), town), slug || '-' || parish_id,
  iif(state IN (?, ?), (SELECT json_group_array(json_array(t, assumed)) FROM (
    SELECT t - ? AS t, min(flags & ? != 0) AS assumed FROM occ
    WHERE occ.parish = parish.pk AND occ.t BETWEEN ? AND ? AND flags & ? = 0 GROUP BY occ.t ORDER BY occ.t LIMIT ?)), '[]')
FROM parish WHERE precision_m < ? ORDER BY pk
"""


@router.page("/mapa")
def map_page(visit: Visit) -> Response:
    """The picture: voivodeships to choose from, or the towns of one; the map that moves takes its place."""
    lands, chosen = {slug(name): name for name in ground()["lands"]}, visit.params.text("woj")
    if chosen and chosen not in lands:
        raise Refused(404, "error_404")
    shown = {key: name for key, name in lands.items() if chosen in ("", key)}
    picture = Picture.of([ground()["lands"][name] for name in shown.values()])
    towns = queries.towns(visit.connection, "p.town_key LIKE ?", [f"{chosen}/%"]) if chosen else []
    days = [visit.today + timedelta(n) for n in range(_DAYS)]
    page = visit.page(
        "map.html",
        chosen=lands.get(chosen, ""),
        lands=[(key, name, picture.path(ground()["lands"][name])) for key, name in shown.items()],
        rivers=[picture.path(line) for line in ground()["rivers"]],
        lakes=[picture.path(line) for line in ground()["lakes"]],
        towns=[
            (*picture.at(one.centre.latitude, one.centre.longitude), round(3 + math.sqrt(one.parishes), 1), one)
            for one in towns
            if one.centre
        ],
        names=picture.names(ground()["towns"]),
        by_name=sorted(towns, key=lambda one: one.name),
        width=_WIDTH,
        height=picture.height,
        days=[(day, _day_name(visit, day)) for day in days],
        moving=visit.site.moving,
    )
    if visit.site.moving.addresses and visit.site.moving.origin:
        policy = CONTENT_SECURITY_POLICY.replace("img-src 'self'", f"img-src 'self' {visit.site.moving.origin}")
        page.headers["Content-Security-Policy"] = policy
    return page


def _day_name(visit: Visit, day: date) -> str:
    after = (day - visit.today).days
    return visit.say(("today", "tomorrow")[after]) if after < 2 else f"{visit.say.weekday(day)} {short_day(day)}"


@router.page("/mapa/punkty.json")
def map_points(visit: Visit) -> Response:
    """Every church with an exact position and its next Masses, or those of the day `dzien`, for the map that moves.

    `churches` are rows of latitude, longitude, name, town, page, and Masses as minutes from today's midnight with 1 when the
    hour is only assumed; `days` are the words for today and the days after it.
    """
    language, minute, day = visit.say.language, visit.now.replace(second=0, microsecond=0), visit.params.day("dzien")
    if day is not None and not 0 <= (day - visit.today).days < _DAYS:
        raise Refused(400, "out_of_bounds", "dzien")
    key, kept = (visit.index.name, language, minute), f"{language} {day}"
    known = visit.site.map_points.get(kept)
    if known is None or known[0] != key:
        known = visit.site.map_points[kept] = (key, _points_json(visit, day))
    return visit.answer(known[1], "application/json", RELATIVE_SECONDS)


def _points_json(visit: Visit, day: date | None) -> bytes:
    now = visit.now
    midnight = queries.minutes_of(visit.index, now.date())
    begin = queries.minutes_of(visit.index, day) if day else midnight
    first, last = max(begin, midnight + now.hour * 60 + now.minute), begin + (1 if day else _DAYS) * MINUTES_A_DAY - 1
    most = _MASSES_OF_A_DAY if day else _MASSES
    values = (*IN_TIME_SEARCH, midnight, int(ASSUMED_ONLY), first, last, int(Flag.CANCELLED), most, _EXACT_M)
    return orjson.dumps(
        {
            "days": [_day_name(visit, now.date() + timedelta(n)) for n in range(_DAYS)],
            "churches": [
                (round(latitude, 5), round(longitude, 5), name, town, page, orjson.loads(masses))
                for latitude, longitude, name, town, page, masses in visit.connection.execute(_CHURCHES, values)
                if latitude is not None
            ],
        }
    )
