"""The asset `confession_hours`: when one can confess in every week, with evidence."""

from typing import Final

import dagster as dg

from mass_pipeline.defs.code_version import LOOKUPS, READING, code_version
from mass_pipeline.defs.conditions import WEEKLY, follow
from mass_pipeline.defs.wiring import PER_DIOCESE, Produced, each_diocese
from mass_pipeline.model.columns import CONFESSION_HOURS
from mass_pipeline.resources.clients import PageReading
from mass_pipeline.resources.lake import TableReader, table_of
from mass_pipeline.resources.storage import Partitions

DECIDED_BY: Final = (*READING, "reading.confession", "publishing.confession", LOOKUPS)


@dg.asset(
    **PER_DIOCESE,
    group_name="schedules",
    kinds={"python", "parquet"},
    code_version=code_version(__name__, DECIDED_BY),
    automation_condition=follow("confession_hours", ["crawled_pages"], needs=["crawled_pages", "parishes"]),
    freshness_policy=WEEKLY,
)
def confession_hours(
    context: dg.AssetExecutionContext,
    parishes: TableReader,
    crawled_pages: TableReader,
    site_reader: dg.ResourceParam[PageReading],
) -> Partitions:
    """Standing hours of confession: by days and clock, or tied to the Masses ("half an hour before each"), with words and date.

    Only statements of which every word is known are published; one of a week, a season or a group of people is none.
    Of a parish the rows are those of the one page that says most.
    """
    from mass_pipeline.publishing.confession import confession_of_diocese

    def confession_of(diocese: str) -> Produced:
        made = confession_of_diocese(diocese, parishes, crawled_pages.required(diocese), site_reader.reader)
        for parish, reason in made.failed.items():
            context.log.warning("site.unreadable parish_id=%r reason=%r", parish, reason)
        stating = len({row["parish_id"] for row in made.rows})
        figures = {"parishes_with_confession": stating, "failed_sites": len(made.failed)}
        return table_of(CONFESSION_HOURS, made.rows), figures

    return each_diocese(context, confession_of)
