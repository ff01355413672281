"""The asset `candidate_hours`: every hour on the crawled pages, in its context, with what the rules read there (P11-P13, P15)."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import dagster as dg

from mass_pipeline.defs.code_version import LOOKUPS, READING, code_version
from mass_pipeline.defs.conditions import WEEKLY, follow
from mass_pipeline.defs.wiring import PER_DIOCESE, Produced, each_diocese
from mass_pipeline.model.columns import CANDIDATE_HOURS
from mass_pipeline.publishing.directory_lookups import names_of
from mass_pipeline.resources.clients import PageReading
from mass_pipeline.resources.lake import TableReader, table_of
from mass_pipeline.resources.storage import Partitions

if TYPE_CHECKING:
    from mass_pipeline.site_reading.pages import SiteReader

DECIDED_BY: Final = (*READING, LOOKUPS, "learning.schema")


@dg.asset(
    **PER_DIOCESE,
    group_name="learning",
    kinds={"python", "parquet"},
    code_version=code_version(__name__, DECIDED_BY),
    automation_condition=follow("candidate_hours", ["crawled_pages"]),
    freshness_policy=WEEKLY,
)
def candidate_hours(
    context: dg.AssetExecutionContext,
    crawled_pages: TableReader,
    parishes: TableReader,
    site_reader: dg.ResourceParam[PageReading],
) -> Partitions:
    """Hours with the visible words around them, nearest heading, governing day words, and the score of their page.

    A page or site that cannot be read costs only itself: it is logged with its address and counted.
    """
    return each_diocese(
        context,
        lambda diocese: hours_of(context, crawled_pages.required(diocese), names_of(parishes, diocese), site_reader.reader),
    )


def hours_of(
    context: dg.AssetExecutionContext, pages_of_sites: TableReader, names: Mapping[str, Sequence[str]], reader: "SiteReader"
) -> Produced:
    """Rows of `candidate_hours` of some crawled pages.

    Args:
        names: parish -> how it is called.
    """
    from mass_pipeline.site_reading.pages import each_site

    found: list[dict[str, object]] = []
    failed: dict[str, str] = {}
    pages = unreadable = too_costly = 0
    sites = reader.sites(pages_of_sites, names)
    for site, hours in each_site(sites, lambda site: (site, list(site.candidate_rows())), failed):
        pages += len(site.pages)
        unreadable += len(site.unreadable)
        too_costly += site.too_costly
        for url, reason in site.unreadable.items():
            context.log.warning("page.unreadable url=%r reason=%r", url, reason)
        found.extend(hours)
    for parish_id, reason in failed.items():
        context.log.warning("site.unreadable parish_id=%r reason=%r", parish_id, reason)
    figures = {
        "pages": pages,
        "unreadable_pages": unreadable,
        "too_costly_pages": too_costly,
        "failed_sites": len(failed),
        "hours_read_by_rules": sum(row["rule_reading"] is not None for row in found),
    }
    return table_of(CANDIDATE_HOURS, found), figures
