"""The outline of Poland and where a point lies on it: an equirectangular picture, true to scale at 52 degrees north."""

from __future__ import annotations

import csv
import math
from functools import cache
from importlib.resources import files
from typing import Final

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
