"""The asset `crawled_pages`: every page of the parishes' own sites, to depth 3, politely (P5-P10)."""

from collections.abc import Collection, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import dagster as dg
import pyarrow as pa

from mass_pipeline.defs.code_version import code_version
from mass_pipeline.defs.conditions import WEEKLY
from mass_pipeline.defs.sources import OPT_OUTS
from mass_pipeline.defs.wiring import (
    CRAWLER_POOL,
    MAY_BE_MISSING,
    PER_DIOCESE,
    RETRIES,
    Produced,
    discovery_state,
    each_diocese,
)
from mass_pipeline.model.columns import CRAWLED_PAGES
from mass_pipeline.model.errors import DiskFull
from mass_pipeline.model.identifiers import ParishId
from mass_pipeline.publishing.seeds import seeds_of
from mass_pipeline.resources.lake import Lake, TableReader, table_of
from mass_pipeline.resources.operation import OperationConfig
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.storage import Metadata, Partitions
from mass_pipeline.resources.web import Web, crawl_config

if TYPE_CHECKING:
    from mass_pipeline.crawling import CrawlReport

_MOMENTS: Final = ("fetched_at", "checked_at", "asked_at")
_PAGES_PER_CHUNK: Final = 100  # bodies are up to 5 MiB: chunks stay well below a gigabyte
DECIDED_BY: Final = (
    "crawl_readers.stop_rule",
    "crawling",
    "reading.text.charset",
    "reading.text.feed_entries",
    "guard",
    "model.sniffing",
    "publishing.seeds",
)


@dg.asset(
    **PER_DIOCESE,
    group_name="crawl",
    kinds={"python", "aiohttp", "parquet"},
    ins={"published_schedules": MAY_BE_MISSING},
    deps=[OPT_OUTS],
    pool=CRAWLER_POOL,
    retry_policy=RETRIES,
    code_version=code_version(__name__, DECIDED_BY),
    freshness_policy=WEEKLY,
)
def crawled_pages(
    context: dg.AssetExecutionContext,
    parish_urls: TableReader,
    published_schedules: TableReader,
    visitor_reports: Path,
    lake: dg.ResourceParam[Lake],
    settings: dg.ResourceParam[Settings],
    web: dg.ResourceParam[Web],
) -> Partitions:
    """Pages of the parishes' sites with how each fetch ended; bodies as received.

    robots.txt is obeyed, hosts are left their pauses, and a crawl that was interrupted goes on where it was. A diocese
    without sites gives an empty partition.
    """
    from mass_pipeline.crawl_readers.stop_rule import ScheduleFoundTwice
    from mass_pipeline.crawling import crawl_sites
    from mass_pipeline.finding.inbox import read_reports, states
    from mass_pipeline.gathering.decisions import record_crawl
    from mass_pipeline.publishing.recrawl import doubted_of, evidence_of
    from mass_pipeline.resources.crawl_snapshots import CrawlSnapshots

    def crawl_diocese(diocese: str) -> Produced:
        seeds, published = seeds_of(parish_urls, diocese), published_schedules.of(diocese)
        if not seeds:
            return table_of(CRAWLED_PAGES, []), {"sites": 0}
        crawl = crawl_config(settings, is_local=web.is_local)
        operation = settings.section(OperationConfig)
        state = settings.data_folder / "state" / "crawl" / diocese
        snapshots = CrawlSnapshots.of(settings)
        snapshots.fetch(diocese)
        report = crawl_sites(
            seeds,
            state=state,
            config=crawl,
            connect_to=web.connect_to,
            stop_rule=ScheduleFoundTwice if crawl.stop_when_found else None,
            evidence=evidence_of(published, lake.published(CRAWLED_PAGES, [diocese])),
            doubted=doubted_of(published, list(read_reports(visitor_reports)), states(visitor_reports)),
        )
        snapshots.keep(diocese)
        if report.paused:
            raise DiskFull(f"{diocese}: {report.paused}. The old partition stays; free space and run the diocese again.")
        report.require_an_answer()
        with discovery_state(settings) as discovery:  # sites dead for some runs are looked up again
            record_crawl(discovery, {ParishId(site.parish_id): site.outcome for site in report.sites})
        context.log.info("crawl.ended diocese=%s sites=%d pages=%d", diocese, len(report.sites), report.pages)
        fetched_at = operation.clock()() if operation.is_frozen else None
        return page_chunks(state, {seed.parish_id for seed in seeds}, fetched_at), report_metadata(report)

    return each_diocese(context, crawl_diocese)


def page_chunks(state: Path, parishes: Collection[str], fetched_at: datetime | None) -> Iterator[pa.Table]:
    """Stored pages in chunks, sorted by (parish_id, url).

    Args:
        state: folder of the crawl.
        parishes: whose pages count; a parish that has no site any more keeps none in the table.
        fetched_at: replaces the real moments when time is frozen.
    """
    from mass_pipeline.crawling import read_pages

    chunk: list[dict[str, object]] = []
    for page in read_pages(state):
        if page.parish_id not in parishes:
            continue
        row: dict[str, object] = {name: getattr(page, name) for name in CRAWLED_PAGES.names if name not in _MOMENTS}
        moments = {name: getattr(page, name) for name in _MOMENTS}
        row |= {name: fetched_at if fetched_at and at else at for name, at in moments.items()}
        chunk.append(row)
        if len(chunk) == _PAGES_PER_CHUNK:
            yield table_of(CRAWLED_PAGES, chunk)
            chunk = []
    if chunk:
        yield table_of(CRAWLED_PAGES, chunk)


def report_metadata(report: "CrawlReport") -> Metadata:
    """What the UI shows of one crawl."""
    from mass_pipeline.crawling.sites.records import sites_markdown

    return {
        "seconds": report.seconds,
        "sites": len(report.sites),
        "requests": report.requests,
        "body_bytes": report.body_bytes,
        "finished": report.finished,
        "sites_of_the_crawl": dg.MetadataValue.md(sites_markdown(report)),
        **{f"outcome_{name}": count for name, count in sorted(report.outcomes.items())},
        **{name: float(value) for name, value in sorted(report.politeness.items())},
    }
