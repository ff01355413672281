"""The asset `mass_schedules`: the published Mass schedule of every parish, with evidence (P18, V12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import dagster as dg

from mass_pipeline.defs.stage import Made, stage
from mass_pipeline.model.columns import MASS_SCHEDULES
from mass_pipeline.publishing.reviews import ReviewLog
from mass_pipeline.resources.annotations import AnnotationStore
from mass_pipeline.resources.lake import TableReader, table_of
from mass_pipeline.resources.settings import Settings
from mass_pipeline.schedules.config import FreshnessConfig

if TYPE_CHECKING:
    from mass_pipeline.learning.model import Trained
    from mass_pipeline.site_reading.pages import SiteReader


@stage(
    group="schedules",
    kinds={"python", "parquet"},
    partitioned=True,
    optional=["announcements"],
)
def mass_schedules(
    context: dg.AssetExecutionContext,
    diocese: str,
    parishes: TableReader,
    crawled_pages: TableReader,
    announcements: TableReader,
    hours_classifier: Trained | None,
    approvals: ReviewLog,
    labels: AnnotationStore,
    earlier: TableReader,
    site_reader: dg.ResourceParam[SiteReader],
    settings: dg.ResourceParam[Settings],
) -> Made:
    """Standing schedules: what the rules accept, completed and corrected by the classifier; every row with its source.

    Each row names the page, the words on it, the digest of the page and when it was fetched; `service_times` holds the
    parish's standing order for OpenStreetMap. Announcements add dated exceptions (column `exception`). An order that a
    person approved stays until a person approves another; what differs is proposed (`mass-pipeline schedules`). Rows that
    people settled are published or left out until the lines they rest on change (`mass-pipeline annotate`). Parishes of
    which nothing is known have no row.
    """
    from mass_pipeline.publishing.orders import Upstream, publish_diocese

    upstream = Upstream(diocese, parishes, crawled_pages, announcements, earlier)
    ages = settings.section(FreshnessConfig)
    made = publish_diocese(upstream, site_reader, hours_classifier, approvals, ages, labels.rows())
    for parish, reason in made.failed.items():
        context.log.warning("site.unreadable parish_id=%r reason=%r", parish, reason)
    return Made(table_of(MASS_SCHEDULES, made.rows), made.figures)
