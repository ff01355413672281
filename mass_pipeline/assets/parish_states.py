"""The asset `parish_states`: of every parish, how fresh its published order is, or why none is known."""

from __future__ import annotations

from collections import Counter

import dagster as dg

from mass_pipeline.assets.stage import stage
from mass_pipeline.model.columns import PARISH_STATES
from mass_pipeline.publishing.counts import PublishedCounts
from mass_pipeline.publishing.reviews import ReviewLog
from mass_pipeline.publishing.states import diocese_states
from mass_pipeline.resources.lake import Lake, TableReader, table_of
from mass_pipeline.resources.operation import OperationConfig
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.storage import Metadata, Partitions
from mass_pipeline.site_reading.pages import SiteReader


@stage(group="schedules", kinds={"python", "parquet"}, partitioned=True, deps=["crawled_pages", "mass_schedules"])
def parish_states(
    context: dg.AssetExecutionContext,
    parishes: TableReader,
    parish_urls: TableReader,
    lake: dg.ResourceParam[Lake],
    site_reader: dg.ResourceParam[SiteReader],
    settings: dg.ResourceParam[Settings],
) -> Partitions:
    """One state for every parish: fresh, aging or stale by when its pages were confirmed last, or why nothing is known.

    Only sites without a published order are read once more, to say why. An approved order has the date of its approval;
    changes that wait for a person are counted.
    """
    now = settings.section(OperationConfig).clock()()
    reviews = ReviewLog(settings.shared).read()
    columns = ("parish_id", "diocese_key", "status", "url", "candidates")
    sites = {str(row["parish_id"]): row for row in parish_urls.rows(columns)}
    listed = [(str(row["parish_id"]), str(row["diocese_key"])) for row in parishes.rows(("parish_id", "diocese_key"))]
    rows, metadata = {}, dict[str, Metadata]()
    for key in context.partition_keys:
        known = [parish for parish, diocese in listed if diocese == key]
        made, counts = diocese_states(lake, key, known, sites, reviews, site_reader, settings, now)
        rows[key] = table_of(PARISH_STATES, made)
        PublishedCounts(settings.shared).update(key, counts, now)
        metadata[key] = {
            "parishes": len(made),
            "parishes_with_order": sum(bool(row["masses"]) for row in made),
            **{f"state_{name}": count for name, count in sorted(Counter(str(row["state"]) for row in made).items())},
        }
    return Partitions(rows, metadata)
