"""The asset `announcements`: what the parishes' sites announce about Masses, polled and kept for ever (C1-C8, J1, J6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import dagster as dg

from mass_pipeline.defs.code_version import code_version
from mass_pipeline.defs.sources import OPERATOR_TABLES, OPT_OUTS
from mass_pipeline.defs.stage import CRAWLER_POOL, Made, stage
from mass_pipeline.model.columns import ANNOUNCEMENTS
from mass_pipeline.publishing.seeds import seeds_of
from mass_pipeline.resources.lake import TableReader, table_of
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.web import Web

_MOST_SITES: Final = 20


@stage(
    group="schedules",
    kinds={"python", "aiohttp", "parquet"},
    partitioned=True,
    optional=["crawled_pages"],
    deps=[OPT_OUTS, OPERATOR_TABLES],
    pool=CRAWLER_POOL,
    retries=True,
)
def announcements(
    context: dg.AssetExecutionContext,
    diocese: str,
    parish_urls: TableReader,
    crawled_pages: TableReader,
    settings: dg.ResourceParam[Settings],
    web: dg.ResourceParam[Web],
) -> Made:
    """Announcements about Masses and services, one row each, with the day they were issued and the dated changes they make.

    Lists of news are found among the crawled pages and looked at when something new is likely; articles are fetched once.
    Rows of earlier runs stay; what an article no longer says for its day is withdrawn. A run does what is due and ends.
    """
    seeds = seeds_of(parish_urls, diocese)
    if not seeds:
        return Made(table_of(ANNOUNCEMENTS, []), {"sites": 0})
    from mass_pipeline.publishing.announcements import watch_diocese

    made = watch_diocese(diocese, crawled_pages, seeds, settings, web, code_version("announcements"))
    for url, reason in made.failed.items():
        context.log.warning("announcement.unreadable url=%r reason=%r", url, reason)
    context.log.info("watch.ended diocese=%s looks=%d", diocese, made.figures["looks"])
    return Made(table_of(ANNOUNCEMENTS, made.rows), {**made.figures, "failing": _reasons(made.failing)})


def _reasons(failing: Mapping[str, str]) -> dg.MetadataValue:
    """Sites that could not be polled, and why."""
    lines = [f"| {site} | {reason.replace('|', '/')[:120]} |" for site, reason in list(failing.items())[:_MOST_SITES]]
    return dg.MetadataValue.md("\n".join(["| site | reason |", "|---|---|", *lines]))
