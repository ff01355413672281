"""When a standing order has Masses: what hours of other pages, and pages of the same site, are compared by."""

from __future__ import annotations

from collections.abc import Iterable

from mass_pipeline.model.records import ReadMass


def standing_slots(masses: Iterable[ReadMass]) -> frozenset[tuple[str, str]]:
    """(day, time) of an order, holy days included."""
    return frozenset((day, read.mass.time) for read in masses for day in read.mass.days)
