"""Google Places behind one protocol: the legacy API through `googlemaps`, and Places API (New). Plain classes, no Dagster.

Neither client retries by itself: every attempt costs units, so asking again is decided where the quota is kept
(`discovery.lookups`). Source: P3; docs/terms.md.
"""

from __future__ import annotations

from mass_pipeline.discovery.ports import PlacesClient
from mass_pipeline.resources.places_legacy import GooglePlacesLegacy
from mass_pipeline.resources.places_new import FIELD_MASK, GooglePlacesNew

__all__ = ("FIELD_MASK", "GooglePlacesLegacy", "GooglePlacesNew", "PlacesClient")
