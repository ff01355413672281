"""Where a parish is, and how exactly that is known: a ladder of sources, the first that answers decides.

Steps: the operator's table; a church of OpenStreetMap that only this parish fits; coordinates on the parish's own site (JSON-LD
`geo`, the meta elements geo.position and ICBM; no embedded maps, whose coordinates belong to others); the town, where one of
that name lies in the voivodeship; the town of the post office; parishes of the same postcode. Google Places is no step: its
terms forbid it. Distances of the steps against known positions: docs/api.md.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import date, datetime
from typing import Final, Literal

from mass_pipeline.finding import gazetteer
from mass_pipeline.finding.gazetteer import Gazetteer, Point, distance_m
from mass_pipeline.gathering.address import parse_address
from mass_pipeline.gathering.dedication import is_same_patron
from mass_pipeline.gathering.osm import ATTRIBUTION as OSM_ATTRIBUTION
from mass_pipeline.gathering.osm import Church
from mass_pipeline.model.identifiers import fold

_NUMBER: Final = r"\s*[\"']?\s*(-?\d{1,3}\.\d{3,12})\s*[\"']?"
_JSON_LD: Final = re.compile(
    rb"<script[^>]{0,200}application/ld\+json[^>]{0,200}>(.{0,60000}?)</script>", re.IGNORECASE | re.DOTALL
)
_LATITUDE: Final = re.compile(rf"\"latitude\"\s*:{_NUMBER}".encode())
_LONGITUDE: Final = re.compile(rf"\"longitude\"\s*:{_NUMBER}".encode())
_META: Final = re.compile(
    rb"<meta[^>]{0,100}name\s*=\s*[\"']?(?:geo\.position|ICBM)[\"']?[^>]{0,100}content\s*=\s*[\"'](-?\d{1,3}\.\d{3,12})\s*[;,]\s*(-?\d{1,3}\.\d{3,12})",
    re.IGNORECASE,
)
_SOUTH, _NORTH, _WEST, _EAST = 48.9, 54.95, 14.0, 24.2  # bounds of Poland: a swapped or foreign pair is no position of a parish


def points_of_page(body: bytes) -> list[Point]:
    """Points in Poland that a page states; a JSON-LD block with several points states none.

    >>> points_of_page(b'<meta name="geo.position" content="54.10; 19.40"><meta name="ICBM" content="54.123,19.456">')
    [Point(latitude=54.123, longitude=19.456)]
    """
    return [point for point in _stated(body) if _SOUTH < point.latitude < _NORTH and _WEST < point.longitude < _EAST]


def _stated(body: bytes) -> Iterator[Point]:
    for block in _JSON_LD.findall(body):
        latitudes, longitudes = _LATITUDE.findall(block), _LONGITUDE.findall(block)
        if len(latitudes) == len(longitudes) == 1:
            yield Point(float(latitudes[0]), float(longitudes[0]))
    for latitude, longitude in _META.findall(body):
        yield Point(float(latitude), float(longitude))


Method = Literal["table", "osm", "site", "locality", "post_town", "postcode"]
EXACT_M: Final = 100
VILLAGE_M: Final = 2_000
ABOUT_M: Final = 5_000
TOWN_OF_MANY: Final = 2  # from so many parishes on the centre of a town says little about one of them
_NEAR_TOWN_M: Final = 6_000  # a church without a town's name is looked for so far round the centre
_FAR_FROM_TOWN_M: Final = 30_000  # coordinates on a site farther from its town than this are not the church's


@dataclass(frozen=True, slots=True)
class Home:
    """What of a parish the ladder needs."""

    parish_id: str
    name: str
    town: str
    voivodeship: str | None
    postcode: str | None
    address: str = ""


@dataclass(frozen=True, slots=True)
class StatedPoint:
    """A point somebody states for a parish, and where it stands."""

    point: Point
    source: str
    source_id: str = ""


@dataclass(frozen=True, slots=True)
class Position:
    """One row of `parish_positions` without the moment; no point: only what is known beside it."""

    parish_id: str
    point: Point | None = None
    precision_m: int | None = None
    method: Method | None = None
    source: str | None = None
    source_id: str | None = None
    wheelchair: str | None = None
    wheelchair_at: date | None = None
    licence: str | None = None
    attribution: str | None = None

    def as_dict(self, checked_at: datetime) -> dict[str, object]:
        """The row of the table."""
        own = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "point"}
        point = asdict(self.point) if self.point else {"latitude": None, "longitude": None}
        return {**own, **point, "checked_at": checked_at}


def find_positions(
    homes: Sequence[Home],
    towns: Gazetteer,
    table: Mapping[str, StatedPoint] | None = None,
    churches: Iterable[Church] = (),
    sites: Mapping[str, Sequence[StatedPoint]] | None = None,
) -> list[Position]:
    """Climb the ladder for every parish.

    Args:
        homes: all parishes.
        towns: the gazetteer.
        table: parish_id -> the operator's point.
        churches: of an OpenStreetMap extract.
        sites: parish_id -> points its own pages state.

    Returns:
        one position per parish in the given order.
    """
    matched = match_churches(homes, list(churches), towns)
    sizes = Counter((fold(home.town), home.voivodeship) for home in homes)
    found = [
        _with_wheelchair(_best(home, towns, table or {}, matched, sites or {}, sizes), matched.get(home.parish_id))
        for home in homes
    ]
    return _by_postcode(homes, found)


def match_churches(homes: Sequence[Home], churches: Sequence[Church], towns: Gazetteer) -> dict[str, Church]:
    """parish_id -> the church of OpenStreetMap that only this parish fits, and that fits only this parish."""
    by_town: dict[str, list[Church]] = defaultdict(list)
    for church in churches:
        if church.latitude is not None and church.longitude is not None:
            by_town[fold(church.town)].append(church)
    fitting = {home.parish_id: _fitting(home, by_town, towns) for home in homes}
    times = Counter(church.osm_id for found in fitting.values() for church in found)
    return {key: found[0] for key, found in fitting.items() if len(found) == 1 and times[found[0].osm_id] == 1}


def _fitting(home: Home, by_town: Mapping[str, Sequence[Church]], towns: Gazetteer) -> list[Church]:
    """Churches of the town with the parish's patron; of those that name no town, the ones round its centre."""
    centre = towns.find(home.town, home.voivodeship)
    named = [
        church
        for church in by_town.get(fold(home.town), ())
        if not _lies_elsewhere(church, home, centre.point if centre else None)
    ]
    unnamed = [church for church in by_town.get("", ()) if centre and distance_m(centre.point, _point(church)) <= _NEAR_TOWN_M]
    return [church for church in (*named, *unnamed) if is_same_patron(home.name, church.name, home.town)]


def _lies_elsewhere(church: Church, home: Home, centre: Point | None) -> bool:
    """Whether a church of a town of that name belongs to another town of that name."""
    if church.postcode and home.postcode and church.postcode[:2] != home.postcode[:2]:
        return True
    return centre is not None and distance_m(centre, _point(church)) > _FAR_FROM_TOWN_M


def _best(
    home: Home,
    towns: Gazetteer,
    table: Mapping[str, StatedPoint],
    matched: Mapping[str, Church],
    sites: Mapping[str, Sequence[StatedPoint]],
    sizes: Mapping[tuple[str, str | None], int],
) -> Position:
    nothing = Position(home.parish_id)
    if home.parish_id in table:
        given = table[home.parish_id]
        return _exact(nothing, "table", given)
    if home.parish_id in matched:
        church = matched[home.parish_id]
        return replace(
            nothing, point=_point(church), precision_m=EXACT_M, method="osm", source="OpenStreetMap", source_id=church.osm_id,
            licence="ODbL-1.0", attribution=OSM_ATTRIBUTION,
        )  # fmt: skip
    centre = towns.find(home.town, home.voivodeship)
    stated = _agreed(sites.get(home.parish_id, ()), centre.point if centre else None)
    if stated is not None:
        return _exact(nothing, "site", stated)
    if centre is not None:
        exactness = VILLAGE_M if sizes[fold(home.town), home.voivodeship] < TOWN_OF_MANY else ABOUT_M
        return _of_town(nothing, "locality", centre, exactness)
    post_town = parse_address(home.address.split("|"), home.town).post_town if home.address else None
    office = towns.find(post_town, home.voivodeship) if post_town else None
    return nothing if office is None else _of_town(nothing, "post_town", office, ABOUT_M)


def _exact(nothing: Position, method: Method, given: StatedPoint) -> Position:
    return replace(nothing, point=given.point, precision_m=EXACT_M, method=method, source=given.source, source_id=given.source_id)


def _of_town(nothing: Position, method: Method, town: gazetteer.Locality, precision_m: int) -> Position:
    return replace(
        nothing, point=town.point, precision_m=precision_m, method=method, source="GeoNames", source_id=town.source_id,
        licence="CC-BY-4.0", attribution=gazetteer.ATTRIBUTION,
    )  # fmt: skip


def _agreed(stated: Sequence[StatedPoint], centre: Point | None) -> StatedPoint | None:
    """The point a site states, unless its pages state several places, or one far from its town."""
    if not stated or any(distance_m(stated[0].point, one.point) > EXACT_M for one in stated[1:]):
        return None
    if centre is not None and distance_m(centre, stated[0].point) > _FAR_FROM_TOWN_M:
        return None
    return stated[0]


def _with_wheelchair(position: Position, church: Church | None) -> Position:
    if church is None or not church.wheelchair:
        return position
    day = church.mapped_at.date() if church.mapped_at else None
    return replace(position, wheelchair=church.wheelchair, wheelchair_at=day)


def _by_postcode(homes: Sequence[Home], found: Sequence[Position]) -> list[Position]:
    """The last step: the middle of the parishes of the same postcode, for those that no other step reached."""
    points: dict[str, list[Point]] = defaultdict(list)
    for home, position in zip(homes, found, strict=True):
        if home.postcode and position.point is not None and (position.precision_m or ABOUT_M) < ABOUT_M:
            points[home.postcode].append(position.point)
    return [_from_neighbours(home, one, points.get(home.postcode or "", ())) for home, one in zip(homes, found, strict=True)]


def _from_neighbours(home: Home, position: Position, near: Sequence[Point]) -> Position:
    if position.point is not None or not near:
        return position
    point = gazetteer.middle(near)
    return replace(
        position, point=Point(round(point.latitude, 5), round(point.longitude, 5)), precision_m=ABOUT_M, method="postcode",
        source="parishes of the same postcode", source_id=home.postcode,
    )  # fmt: skip


def _point(church: Church) -> Point:
    assert church.latitude is not None
    assert church.longitude is not None
    return Point(church.latitude, church.longitude)
