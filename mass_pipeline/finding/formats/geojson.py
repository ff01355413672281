"""GeoJSON (RFC 7946) of parishes: points with identifier, name, town, state, and how exact the point is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import orjson

from mass_pipeline.finding.index.dictionary import Json, Member, Shape, members
from mass_pipeline.finding.index.records import PARISH, ParishRecord

_PROPERTIES: Final = Shape(
    {
        **members(PARISH, "name"),
        **members(PARISH, "town", or_null=True),
        **members(PARISH, "state precision_m method=position_method licence attribution"),
        "page": Member({"type": "string"}, lambda parish: parish.path),
    }
)
_FEATURE: Final[Json] = {
    "type": "object",
    "required": ["type", "id", "geometry", "properties"],
    "properties": {"type": {"const": "Feature"}, "id": PARISH["parish_id"].schema(), "properties": _PROPERTIES.schema},
}
POINTS: Final[Json] = {  # JSON Schema of the collection
    "type": "object",
    "required": ["type", "features"],
    "properties": {"type": {"const": "FeatureCollection"}, "features": {"type": "array", "items": _FEATURE}},
}


def parishes_geojson(parishes: Iterable[ParishRecord]) -> bytes:
    """A FeatureCollection of the parishes that have a position."""
    features = [_feature(one) for one in parishes if one.latitude is not None]
    return orjson.dumps({"type": "FeatureCollection", "features": features})


def _feature(parish: ParishRecord) -> Json:
    point = {"type": "Point", "coordinates": [parish.longitude, parish.latitude]}
    return {"type": "Feature", "id": parish.parish_id, "geometry": point, "properties": _PROPERTIES.of(parish)}
