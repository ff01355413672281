"""GeoJSON (RFC 7946) of parishes: points with identifier, name, town, state, and how exact the point is."""

from __future__ import annotations

from collections.abc import Iterable

import orjson

from mass_pipeline.finding.index.records import ParishRecord


def parishes_geojson(parishes: Iterable[ParishRecord]) -> bytes:
    """A FeatureCollection of the parishes that have a position."""
    features = [_feature(one) for one in parishes if one.latitude is not None]
    return orjson.dumps({"type": "FeatureCollection", "features": features})


def _feature(parish: ParishRecord) -> dict[str, object]:
    point = {"type": "Point", "coordinates": [parish.longitude, parish.latitude]}
    properties = {
        "name": parish.name,
        "town": parish.town or None,
        "state": parish.state,
        "precision_m": parish.precision_m,
        "method": parish.position_method,
        "licence": parish.licence,
        "attribution": parish.attribution,
        "page": parish.path,
    }
    return {"type": "Feature", "id": parish.parish_id, "geometry": point, "properties": properties}
