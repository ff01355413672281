"""The next Masses near a point: a scan of the hours when few begin, the tree of positions when many do. Exact either way.

Distances are those of the great circle, by the cosine of the middle latitude: within Poland right to one in a thousand.
Ranked by distance with half the uncertainty of the position added, then by hour: a church known only by its town never stands
before an exact one within that uncertainty. Measured figures: docs/finding.md.
"""

from __future__ import annotations

import math
import sqlite3
from dataclasses import dataclass
from typing import Final

from mass_pipeline.finding.expansion import Flag
from mass_pipeline.finding.gazetteer import Point
from mass_pipeline.finding.index.schema import UNIT_M, UNITS_PER_DEGREE

SCAN_BELOW: Final = 2_500  # Masses in the window; more are found sooner through the tree of positions
_LEAST_RADIUS_M: Final = 2_000.0
_AREA_M2: Final = 3.127e11  # of Poland
_WIDEST_M: Final = 800_000.0  # across Poland
_MID: Final = math.pi / 180 / UNITS_PER_DEGREE / 2  # sum of two latitudes in units -> their mean in radians
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
            said.append(("o.flags & ? = 0", int(Flag.APPROXIMATE_SEASON | Flag.SEASON_UNKNOWN)))
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
    if chosen.language:  # few Masses state one: they are asked through their own index
        return _hits(_within(connection, point, first, last, radius_m, chosen), limit)
    masses = expected(connection, first, last)
    if not chosen.are_set and masses <= SCAN_BELOW:
        return _scan(connection, point, first, last, limit, radius_m)
    radius = min(_first_radius(masses, limit), radius_m)
    while True:
        ranked = _within(connection, point, first, last, radius, chosen)
        # A Mass outside the circle ranks after its radius: so many ranked within it are the answer.
        is_settled = len(ranked) >= limit and ranked[limit - 1][0] <= radius / UNIT_M
        if is_settled or radius >= radius_m:
            return _hits(ranked, limit)
        radius = min(radius * 2, radius_m)


def _first_radius(masses: int, limit: int) -> float:
    """Metres within which so many Masses would be found if they were spread evenly over Poland."""
    return max(_LEAST_RADIUS_M, math.sqrt(limit * _AREA_M2 / (math.pi * max(masses, 1))))


def _hits(ranked: list[Ranked], limit: int) -> list[Hit]:
    return [Hit(t, mass, parish, flags, distance * UNIT_M) for _, t, mass, parish, flags, distance in ranked[:limit]]


_FROM_BOX: Final = "FROM parish_pos b JOIN occ o ON o.parish = b.pk JOIN parish p ON p.pk = b.pk "
_FROM_LANGUAGE: Final = (
    "FROM mass m INDEXED BY mass_language CROSS JOIN parish p ON p.pk = m.parish CROSS JOIN parish_pos b ON b.pk = m.parish "
    "CROSS JOIN occ o ON o.parish = m.parish AND o.mass = m.pk "
)


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


def _within(
    connection: sqlite3.Connection, point: Point, first: int, last: int, radius_m: float, filters: Filters
) -> list[Ranked]:
    """All Masses within a radius, best first: distance with half its uncertainty, hour and row rank them."""
    x, y = _units(point)
    radius = radius_m / UNIT_M
    wide = radius / max(math.cos((2 * abs(y) + radius) * _MID), _LEAST_NARROWING)
    conditions, values = filters.sql()
    box = (math.floor(x - wide), math.ceil(x + wide), math.floor(y - radius), math.ceil(y + radius))
    query = (
        "SELECT o.t, o.mass, o.parish, o.flags, b.x0, b.y0, ifnull(p.precision_m, 0) "
        + (_FROM_LANGUAGE if filters.language else _FROM_BOX)
        + ("JOIN mass m ON m.pk = o.mass " if conditions and not filters.language else "")
        + "WHERE b.x1 >= ? AND b.x0 <= ? AND b.y1 >= ? AND b.y0 <= ? AND o.t BETWEEN ? AND ? AND o.flags & ? = 0"
        + conditions
    )
    ranked: list[Ranked] = []
    for t, mass, parish, flags, at_x, at_y, precision in connection.execute(
        query, [*box, first, last, int(Flag.CANCELLED), *values]
    ):
        distance = math.hypot((at_x - x) * math.cos((at_y + y) * _MID), at_y - y)
        rank = distance + round(precision / 2 / UNIT_M)
        if distance <= radius:
            ranked.append((rank, t, mass, parish, flags, distance))
    ranked.sort()
    return ranked


def _units(point: Point) -> tuple[float, float]:
    """Position in units."""
    return point.longitude * UNITS_PER_DEGREE, point.latitude * UNITS_PER_DEGREE
