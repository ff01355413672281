"""What the directory calls the parishes of a diocese: names by which their pages are told from those of others."""

from __future__ import annotations

from mass_pipeline.model.columns import PARISHES
from mass_pipeline.resources.lake import Lake


def names_of(lake: Lake, key: str) -> dict[str, tuple[str, ...]]:
    """Name and town by parish_id; none while no directory was read."""
    if not lake.has(PARISHES):
        return {}
    rows = lake.reader(PARISHES).rows(["parish_id", "name", "town", "diocese_key"])
    return {str(row["parish_id"]): (str(row["name"]), str(row["town"])) for row in rows if row["diocese_key"] == key}
