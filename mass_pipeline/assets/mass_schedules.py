"""The asset `mass_schedules`: the published Mass schedule of every parish, with evidence (P18, V12)."""

from __future__ import annotations

import time

import dagster as dg

from mass_pipeline.assets.stage import stage
from mass_pipeline.classification.model import Trained
from mass_pipeline.model.columns import MASS_SCHEDULES
from mass_pipeline.publishing.orders import publish_diocese
from mass_pipeline.publishing.reviews import ReviewLog
from mass_pipeline.resources.annotations import AnnotationStore
from mass_pipeline.resources.lake import Lake, table_of
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.storage import Metadata, Partitions
from mass_pipeline.schedules.config import FreshnessConfig
from mass_pipeline.site_reading.pages import SiteReader


@stage(
    group="schedules", kinds={"python", "parquet"}, partitioned=True, deps=["crawled_pages", "candidate_hours", "announcements"]
)
def mass_schedules(
    context: dg.AssetExecutionContext,
    hours_classifier: Trained | None,
    lake: dg.ResourceParam[Lake],
    site_reader: dg.ResourceParam[SiteReader],
    settings: dg.ResourceParam[Settings],
    annotations: dg.ResourceParam[AnnotationStore],
) -> Partitions:
    """Standing schedules: what the rules accept, completed and corrected by the classifier; every row with its source.

    Each row names the page, the words on it, the digest of the page and when it was fetched; `service_times` holds the
    parish's standing order for OpenStreetMap. Announcements add dated exceptions (column `exception`). An order that a
    person approved stays until a person approves another; what differs is proposed (`mass-pipeline schedules`). Rows that
    people settled are published or left out until the lines they rest on change (`mass-pipeline annotate`). Parishes of
    which nothing is known have no row.
    """
    rows, metadata = {}, dict[str, Metadata]()
    answers = annotations.rows()
    for key in context.partition_keys:
        started = time.perf_counter()
        made = publish_diocese(
            lake, key, site_reader, hours_classifier, ReviewLog(settings.shared), settings.section(FreshnessConfig), answers
        )
        for parish, reason in made.failed.items():
            context.log.warning("site.unreadable parish_id=%r reason=%r", parish, reason)
        rows[key] = table_of(MASS_SCHEDULES, made.rows)
        metadata[key] = {**made.figures, "seconds": time.perf_counter() - started}
    return Partitions(rows, metadata)
