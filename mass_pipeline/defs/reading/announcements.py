"""The asset `announcements`: what the parishes' sites announce about Masses, polled and kept for ever (C1-C8, J1, J6)."""

from collections.abc import Mapping
from typing import Final

import dagster as dg

from mass_pipeline.defs.code_version import READING, code_version
from mass_pipeline.defs.conditions import DAILY, follow
from mass_pipeline.defs.sources import OPERATOR_TABLES, OPT_OUTS
from mass_pipeline.defs.wiring import CRAWLER_POOL, MAY_BE_MISSING, PER_DIOCESE, RETRIES, Produced, each_diocese
from mass_pipeline.model.columns import ANNOUNCEMENTS
from mass_pipeline.publishing.seeds import seeds_of
from mass_pipeline.resources.lake import TableReader, table_of
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.storage import Partitions
from mass_pipeline.resources.web import Web

_MOST_SITES: Final = 20
DECIDED_BY: Final = (*READING, "reading.changes", "publishing.announcements", "publishing.seeds", "crawl_readers", "crawling")
_VERSION: Final = code_version(__name__, DECIDED_BY)


@dg.asset(
    **PER_DIOCESE,
    group_name="schedules",
    kinds={"python", "aiohttp", "parquet"},
    ins={"crawled_pages": MAY_BE_MISSING},
    deps=[OPT_OUTS, OPERATOR_TABLES],
    pool=CRAWLER_POOL,
    retry_policy=RETRIES,
    code_version=_VERSION,
    automation_condition=follow("announcements", ["crawled_pages"]),  # a poll asks nobody before a look is due
    freshness_policy=DAILY,
)
def announcements(
    context: dg.AssetExecutionContext,
    parish_urls: TableReader,
    crawled_pages: TableReader,
    settings: dg.ResourceParam[Settings],
    web: dg.ResourceParam[Web],
) -> Partitions:
    """Announcements about Masses and services, one row each, with the day they were issued and the dated changes they make.

    Lists of news are found among the crawled pages and looked at when something new is likely; articles are fetched once.
    Rows of earlier runs stay; what an article no longer says for its day is withdrawn. A run does what is due and ends.
    """
    from mass_pipeline.publishing.announcements import watch_diocese

    def watch(diocese: str) -> Produced:
        seeds = seeds_of(parish_urls, diocese)
        if not seeds:
            return table_of(ANNOUNCEMENTS, []), {"sites": 0}
        made = watch_diocese(diocese, crawled_pages.of(diocese), seeds, settings, web, _VERSION)
        for url, reason in made.failed.items():
            context.log.warning("announcement.unreadable url=%r reason=%r", url, reason)
        context.log.info("watch.ended diocese=%s looks=%d", diocese, made.figures["looks"])
        return table_of(ANNOUNCEMENTS, made.rows), {**made.figures, "failing": _reasons(made.failing)}

    return each_diocese(context, watch)


def _reasons(failing: Mapping[str, str]) -> dg.MetadataValue:
    """Sites that could not be polled, and why."""
    lines = [f"| {site} | {reason.replace('|', '/')[:120]} |" for site, reason in list(failing.items())[:_MOST_SITES]]
    return dg.MetadataValue.md("\n".join(["| site | reason |", "|---|---|", *lines]))
