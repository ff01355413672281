"""The asset `mass_schedules`: the published Mass schedule of every parish, with evidence (P18, V12)."""

from typing import Final

import dagster as dg

from mass_pipeline.defs.code_version import PUBLISHING, code_version
from mass_pipeline.defs.conditions import WEEKLY, follow
from mass_pipeline.defs.wiring import MAY_BE_MISSING, PER_DIOCESE, Produced, each_diocese
from mass_pipeline.model.columns import MASS_SCHEDULES
from mass_pipeline.publishing.reviews import ReviewLog
from mass_pipeline.resources.annotations import AnnotationStore
from mass_pipeline.resources.clients import PageReading
from mass_pipeline.resources.lake import Lake, TableReader, table_of
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.storage import ModelInUse, Partitions
from mass_pipeline.schedules.config import FreshnessConfig

DECIDED_BY: Final = PUBLISHING


@dg.asset(
    **PER_DIOCESE,
    group_name="schedules",
    kinds={"python", "parquet"},
    ins={"announcements": MAY_BE_MISSING},
    code_version=code_version(__name__, DECIDED_BY),
    automation_condition=follow(
        "mass_schedules",
        ["crawled_pages", "announcements", "hours_classifier", "approvals"],
        needs=["crawled_pages", "parishes", "hours_classifier"],
        after=["announcements"],  # in a run of its own: a poll that fails must not take the publication of what was read with it
    ),
    freshness_policy=WEEKLY,
)
def mass_schedules(
    context: dg.AssetExecutionContext,
    parishes: TableReader,
    crawled_pages: TableReader,
    announcements: TableReader,
    hours_classifier: ModelInUse,
    approvals: ReviewLog,
    labels: AnnotationStore,
    lake: dg.ResourceParam[Lake],
    site_reader: dg.ResourceParam[PageReading],
    settings: dg.ResourceParam[Settings],
) -> Partitions:
    """Standing schedules: what the rules accept, completed and corrected by the classifier; every row with its source.

    Each row names the page, the words on it, the digest of the page and when it was fetched; `service_times` holds the
    parish's standing order for OpenStreetMap. Announcements add dated exceptions (column `exception`). An order that a
    person approved stays until a person approves another; what differs is proposed (`mass-pipeline schedules`). Rows that
    people settled are published or left out until the lines they rest on change (`mass-pipeline annotate`). Parishes of
    which nothing is known have no row.
    """
    from mass_pipeline.publishing.orders import Upstream, publish_diocese

    ages = settings.section(FreshnessConfig)

    def schedules_of(diocese: str) -> Produced:
        earlier = lake.published(MASS_SCHEDULES, [diocese])
        upstream = Upstream(diocese, parishes, crawled_pages.required(diocese), announcements.of(diocese), earlier)
        made = publish_diocese(upstream, site_reader.reader, hours_classifier.model, approvals, ages, labels.rows())
        for parish, reason in made.failed.items():
            context.log.warning("site.unreadable parish_id=%r reason=%r", parish, reason)
        return table_of(MASS_SCHEDULES, made.rows), made.figures

    return each_diocese(context, schedules_of)
