"""The next Masses near a point: a scan of the hours when few begin, the tree of positions when many do. Exact either way.

Distances are those of the great circle, by the cosine of the middle latitude: within Poland right to one in a thousand.
Ranked by distance with half the uncertainty of the position added, then by hour: a church known only by its town never stands
before an exact one within that uncertainty. Measured figures: docs/finding.md.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import orjson

from mass_pipeline.finding.expansion import SEASON_DOUBTS, Flag
from mass_pipeline.finding.gazetteer import Point
from mass_pipeline.finding.index.schema import UNIT_M, UNITS_PER_DEGREE

SCAN_BELOW: Final = 2_500  # Masses in the window; more are found sooner through the tree of positions
_LEAST_RADIUS_M: Final = 2_000.0
_AREA_M2: Final = 3.127e11  # of Poland
_WIDEST_M: Final = 800_000.0  # across Poland
_MID: Final = math.pi / 180 / UNITS_PER_DEGREE / 2  # sum of two latitudes in units -> their mean in radians
_FEW: Final = 1_000  # rows that state a language; with more of them circles are sooner
_READ_AT_ONCE: Final = 8  # parishes whose Masses are looked up together at first; then twice as many
_LEAST_NARROWING: Final = 0.01  # near the poles a box of longitudes holds everything


@dataclass(frozen=True, slots=True)
class Filters:
    """What a Mass must state or have to be found; None and False: no matter."""

    language: str | None = None
    kind: str | None = None
    rite: str | None = None
    wheelchair: bool = False
    min_confidence: float = 0.0
    exact_season: bool = False

    @property
    def are_set(self) -> bool:
        """Whether any of them narrows the search."""
        return self != Filters()

    def sql(self) -> tuple[str, list[object]]:
        """Conditions on mass m and parish p, with their values."""
        said: list[tuple[str, object]] = []
        if self.language:
            said.append(("m.language = ?", self.language))
        if self.kind:
            said.append(("(' ' || m.kinds || ' ') LIKE ?", f"% {self.kind} %"))
        if self.rite:
            said.append(("m.rite = ?", self.rite))
        if self.wheelchair:
            said.append(("p.wheelchair IN ('yes', 'limited') AND ?", 1))
        if self.min_confidence > 0:
            said.append(("m.confidence >= ?", self.min_confidence))
        if self.exact_season:
            said.append(("o.flags & ? = 0", int(SEASON_DOUBTS)))
        return "".join(f" AND {condition}" for condition, _ in said), [value for _, value in said]


Ranked = tuple[float, int, int, int, int, float]  # rank, minute, mass, parish, flags, distance in units


@dataclass(frozen=True, slots=True)
class Hit:
    """A Mass near the point: keys of the index and its distance."""

    minute: int
    mass: int
    parish: int
    flags: int
    distance_m: float


def near(
    connection: sqlite3.Connection,
    point: Point,
    first: int,
    last: int,
    *,
    limit: int,
    radius_m: float = _WIDEST_M,
    filters: Filters | None = None,
) -> list[Hit]:
    """The nearest Masses that begin within a window.

    Args:
        connection: of an index.
        point: of the asker.
        first, last: window, in minutes since the horizon's first day, both included.
        limit: at most so many.
        radius_m: none farther than this.
        filters: what they must state.

    Returns:
        nearest first; ties by hour.
    """
    chosen = filters or Filters()
    masses = expected(connection, first, last)
    if not chosen.are_set and masses <= SCAN_BELOW:
        return _scan(connection, point, first, last, limit, radius_m)
    is_rare = chosen.language is not None and _is_rare(connection, chosen.language)
    # Three times as many Masses would lie within it if they were spread evenly over Poland: they are not.
    first_radius = max(_LEAST_RADIUS_M, math.sqrt(3 * limit * _AREA_M2 / (math.pi * max(masses, 1))))
    radius = radius_m if is_rare else min(first_radius, radius_m)
    found: list[Ranked] = []
    read = 0
    while True:
        around = _parishes_within(connection, point, radius, chosen, is_rare)
        is_last = radius >= radius_m
        # A parish outside the circle ranks after its radius: up to there the order of those within is settled.
        settled = around if is_last else [one for one in around if one.rank <= radius / UNIT_M]
        read = _read_on(connection, settled, read, found, limit, (first, last), chosen)
        if is_last or len(found) >= limit:
            found.sort()
            return [Hit(t, mass, parish, flags, away * UNIT_M) for _, t, mass, parish, flags, away in found[:limit]]
        radius = min(radius * 2, radius_m)


def nearest_parishes(connection: sqlite3.Connection, point: Point, count: int, radius_m: float) -> list[tuple[int, float]]:
    """Keys and distances (m) of the parishes nearest to a point, at most `count` within the radius; nearest first."""
    radius = min(_LEAST_RADIUS_M, radius_m)
    while True:
        around = _parishes_within(connection, point, radius, Filters(), is_rare=False)
        settled = around if radius >= radius_m else [one for one in around if one.rank <= radius / UNIT_M]
        if radius >= radius_m or len(settled) >= count:
            return [(one.pk, one.distance * UNIT_M) for one in settled[:count]]
        radius = min(radius * 2, radius_m)


def _is_rare(connection: sqlite3.Connection, language: str) -> bool:
    """Whether so few Masses state a language that their own index leads to them sooner than circles about the point."""
    rows = connection.execute("SELECT 1 FROM mass WHERE language = ? LIMIT ?", (language, _FEW)).fetchall()
    return len(rows) < _FEW


def expected(connection: sqlite3.Connection, first: int, last: int) -> int:
    """How many Masses begin within a window, from the histogram of hours."""
    rows = connection.execute(
        "SELECT before FROM hour_count WHERE hour IN (?, ?) ORDER BY hour", (max(0, first // 60), last // 60 + 1)
    ).fetchall()
    return int(rows[-1][0] - rows[0][0]) if len(rows) == 2 else 0


def _scan(connection: sqlite3.Connection, point: Point, first: int, last: int, limit: int, radius_m: float) -> list[Hit]:
    x, y = _units(point)
    query = (
        "SELECT t, mass, parish, flags, sqrt(pow((x - :x) * cos((y + :y) * :mid), 2) + (y - :y) * (y - :y)) AS d FROM occ_t "
        "WHERE t BETWEEN :first AND :last AND x IS NOT NULL AND d <= :radius ORDER BY d + half, t, mass LIMIT :limit"
    )
    values = {
        "x": x, "y": y, "mid": _MID, "first": first, "last": last, "radius": radius_m / UNIT_M, "limit": limit,
    }  # fmt: skip
    return [Hit(t, mass, parish, flags, d * UNIT_M) for t, mass, parish, flags, d in connection.execute(query, values)]


class _Near(NamedTuple):
    """A parish about the point: rank and distance in units, key of the index. Sorted as it stands: by rank."""

    rank: float
    pk: int
    distance: float


def _parishes_within(
    connection: sqlite3.Connection, point: Point, radius_m: float, filters: Filters, is_rare: bool
) -> list[_Near]:
    """The parishes within a radius that may have such a Mass, best first: distance with half its uncertainty ranks them."""
    query, values = "SELECT b.pk, b.x0, b.y0, p.precision_m ", list[object]()
    if is_rare:
        query += "FROM (SELECT DISTINCT parish FROM mass WHERE language = ?) s CROSS JOIN parish_pos b ON b.pk = s.parish "
        values.append(filters.language)
    else:
        query += "FROM parish_pos b "
    query += "CROSS JOIN parish p ON p.pk = b.pk WHERE b.x1 >= ? AND b.x0 <= ? AND b.y1 >= ? AND b.y0 <= ?"
    values += _box(point, radius_m)
    if filters.language and not is_rare:
        query += " AND EXISTS (SELECT 1 FROM mass m WHERE m.language = ? AND m.parish = b.pk)"
        values.append(filters.language)
    if filters.wheelchair:
        query += " AND p.wheelchair IN ('yes', 'limited')"
    rows = connection.execute(query, values)
    x, y = _units(point)
    radius = radius_m / UNIT_M
    found = []
    for pk, at_x, at_y, precision_m in rows:
        distance = math.hypot((at_x - x) * math.cos((at_y + y) * _MID), at_y - y)
        if distance <= radius:
            found.append(_Near(distance + round((precision_m or 0) / 2 / UNIT_M), pk, distance))
    found.sort()
    return found


def _read_on(
    connection: sqlite3.Connection,
    parishes: Sequence[_Near],
    read: int,
    found: list[Ranked],
    limit: int,
    window: tuple[int, int],
    filters: Filters,
) -> int:
    """Add Masses of the parishes from number `read` on, in their order, until there are enough; how many are read then.

    Parishes of one rank are read together: the hour orders their Masses.
    """
    many = _READ_AT_ONCE
    while read < len(parishes) and len(found) < limit:
        end = min(read + many, len(parishes))
        while end < len(parishes) and parishes[end].rank == parishes[end - 1].rank:
            end += 1
        found += _masses_of(connection, parishes[read:end], window, filters)
        read, many = end, many * 2
    return read


def _masses_of(
    connection: sqlite3.Connection, parishes: Sequence[_Near], window: tuple[int, int], filters: Filters
) -> Iterator[Ranked]:
    by_key = {one.pk: one for one in parishes}
    conditions, values = filters.sql()
    query = (
        "SELECT o.t, o.mass, o.parish, o.flags FROM occ o "  # noqa: S608 - conditions are written above
        f"{'JOIN mass m ON m.pk = o.mass JOIN parish p ON p.pk = o.parish ' if conditions else ''}"
        f"WHERE o.parish IN (SELECT value FROM json_each(?)) AND o.t BETWEEN ? AND ? AND o.flags & ? = 0{conditions}"
    )
    for t, mass, parish, flags in connection.execute(query, [json_list(by_key), *window, int(Flag.CANCELLED), *values]):
        one = by_key[parish]
        yield one.rank, t, mass, parish, flags, one.distance


def json_list(keys: Iterable[int]) -> str:
    """Keys as one value of a statement: it takes any number of them, `json_each` parts them."""
    return orjson.dumps(list(keys)).decode()


def _box(point: Point, radius_m: float) -> tuple[int, int, int, int]:
    """Least and greatest x, least and greatest y of what may lie within a radius."""
    x, y = _units(point)
    radius = radius_m / UNIT_M
    wide = radius / max(math.cos((2 * abs(y) + radius) * _MID), _LEAST_NARROWING)
    return math.floor(x - wide), math.ceil(x + wide), math.floor(y - radius), math.ceil(y + radius)


def _units(point: Point) -> tuple[float, float]:
    """Position in units."""
    return point.longitude * UNITS_PER_DEGREE, point.latitude * UNITS_PER_DEGREE
