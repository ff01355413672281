"""The asset `parish_states`: of every parish, how fresh its published order is, or why none is known."""

from collections import Counter
from typing import Final

import dagster as dg

from mass_pipeline.defs.code_version import PUBLISHING, URLS, code_version
from mass_pipeline.defs.conditions import WEEKLY, follow
from mass_pipeline.defs.sources import OPT_OUTS
from mass_pipeline.defs.wiring import PER_DIOCESE, Produced, each_diocese
from mass_pipeline.model.columns import PARISH_STATES
from mass_pipeline.publishing.counts import PublishedCounts
from mass_pipeline.publishing.reviews import ReviewLog
from mass_pipeline.resources.clients import PageReading
from mass_pipeline.resources.lake import TableReader, table_of
from mass_pipeline.resources.operation import OperationConfig
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.storage import Partitions

DECIDED_BY: Final = (*PUBLISHING, "publishing.states", *URLS)


@dg.asset(
    **PER_DIOCESE,
    group_name="schedules",
    kinds={"python", "parquet"},
    deps=[OPT_OUTS],
    code_version=code_version(__name__, DECIDED_BY),
    automation_condition=follow(
        "parish_states", ["mass_schedules"], needs=["mass_schedules", "crawled_pages", "parishes", "parish_urls"]
    ),
    freshness_policy=WEEKLY,
)
def parish_states(
    context: dg.AssetExecutionContext,
    parishes: TableReader,
    parish_urls: TableReader,
    crawled_pages: TableReader,
    mass_schedules: TableReader,
    approvals: ReviewLog,
    site_reader: dg.ResourceParam[PageReading],
    settings: dg.ResourceParam[Settings],
) -> Partitions:
    """One state for every parish: fresh, aging or stale by when its pages were confirmed last, or why nothing is known.

    Only sites without a published order are read once more, to say why. An approved order has the date of its approval;
    changes that wait for a person are counted.
    """
    from mass_pipeline.publishing.states import diocese_states

    now = settings.section(OperationConfig).clock()()

    def states_of(diocese: str) -> Produced:
        pages, masses = crawled_pages.required(diocese), mass_schedules.required(diocese)
        made, counts = diocese_states(
            diocese, parishes, parish_urls, pages, masses, approvals.read(), site_reader.reader, settings, now
        )
        PublishedCounts(settings.shared).update(diocese, counts, now)
        figures = {
            "parishes": len(made),
            "parishes_with_order": sum(bool(row["masses"]) for row in made),
            **{f"state_{name}": count for name, count in sorted(Counter(str(row["state"]) for row in made).items())},
        }
        return table_of(PARISH_STATES, made), figures

    return each_diocese(context, states_of)
