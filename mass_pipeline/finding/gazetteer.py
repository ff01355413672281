"""Towns with positions: the gazetteer file, looked up by folded name and voivodeship."""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mass_pipeline.model.errors import BadInput
from mass_pipeline.model.identifiers import fold

EARTH_RADIUS_M: Final = 6_371_008.8  # mean radius (IUGG)
ATTRIBUTION: Final = "GeoNames, CC BY 4.0, https://www.geonames.org/"


@dataclass(frozen=True, slots=True)
class Point:
    """A place on earth, in degrees (WGS 84)."""

    latitude: float
    longitude: float


@dataclass(frozen=True, slots=True)
class Locality:
    """A town or village of the gazetteer."""

    name: str
    voivodeship: str
    point: Point
    population: int
    source_id: str


class Gazetteer:
    """Localities by name and voivodeship; a name that stands twice in one voivodeship is no answer."""

    def __init__(self, localities: Iterable[Locality]) -> None:
        self._by_name: dict[tuple[str, str], list[Locality]] = defaultdict(list)
        for one in localities:
            self._by_name[fold(one.name), fold(one.voivodeship)].append(one)

    def __iter__(self) -> Iterator[Locality]:
        """Every locality, by name and voivodeship."""
        return (one for _, found in sorted(self._by_name.items()) for one in found)

    def find(self, name: str, voivodeship: str | None) -> Locality | None:
        """The only locality of that name there; None when there is none or several, or the voivodeship is not known."""
        found = self._by_name.get((fold(name), fold(voivodeship or "")), [])
        return found[0] if len(found) == 1 else None


def read_gazetteer(path: Path) -> Gazetteer:
    """Read a file with the columns name, voivodeship, latitude, longitude, population, geonames_id, tab-separated.

    Raises:
        BadInput: the file is missing or malformed.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t")
            return Gazetteer(list(_localities(rows)))
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise BadInput(f"{path}: cannot be read as a gazetteer ({error}); see data/gazetteer/pl.tsv for its form.") from error


def _localities(rows: Iterable[Mapping[str, str]]) -> Iterator[Locality]:
    for row in rows:
        point = Point(float(row["latitude"]), float(row["longitude"]))
        yield Locality(row["name"], row["voivodeship"], point, int(row["population"]), f"geonames/{row['geonames_id']}")


def middle(points: Sequence[Point]) -> Point:
    """The middle of some points, at least one.

    >>> middle([Point(50.0, 19.0), Point(51.0, 20.0)])
    Point(latitude=50.5, longitude=19.5)
    """
    return Point(sum(one.latitude for one in points) / len(points), sum(one.longitude for one in points) / len(points))


def distance_m(one: Point, other: Point) -> float:
    """Length of the great circle between two points, in metres.

    >>> round(distance_m(Point(50.06, 19.94), Point(52.23, 21.01)) / 1000)
    253
    """
    south, north = math.radians(one.latitude), math.radians(other.latitude)
    half = math.sin((north - south) / 2) ** 2
    half += math.cos(south) * math.cos(north) * math.sin(math.radians(other.longitude - one.longitude) / 2) ** 2
    return 2 * EARTH_RADIUS_M * math.asin(math.sqrt(min(1.0, half)))
