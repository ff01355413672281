"""Coordinates that a parish's own pages state: JSON-LD `geo`, and the meta elements geo.position and ICBM.

Maps embedded in pages are not read: their coordinates belong to others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mass_pipeline.finding.gazetteer import Point

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
