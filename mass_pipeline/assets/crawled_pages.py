"""The asset `crawled_pages`: every page of the parishes' own sites, to depth 3, politely (P5-P10)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

import dagster as dg
import pyarrow as pa

from mass_pipeline.assets.stage import CRAWLER_POOL, discovery_state, image, stage
from mass_pipeline.crawl_readers.stop_rule import ScheduleFoundTwice
from mass_pipeline.crawler import CrawlReport, crawl_sites, read_pages
from mass_pipeline.crawler.sites.report_view import outcomes_plot, sites_markdown
from mass_pipeline.discovery.decisions import record_crawl
from mass_pipeline.finding.inbox import read_reports, states
from mass_pipeline.finding.reports import doubted_pages
from mass_pipeline.model.columns import CRAWLED_PAGES, MASS_SCHEDULES
from mass_pipeline.model.errors import DiskFull
from mass_pipeline.model.identifiers import ParishId
from mass_pipeline.publishing.seeds import seeds_by_diocese
from mass_pipeline.resources.crawl_snapshots import CrawlSnapshots
from mass_pipeline.resources.crawling import crawl_config
from mass_pipeline.resources.lake import Lake, TableReader, table_of
from mass_pipeline.resources.operation import OperationConfig
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.storage import Metadata, Partitions
from mass_pipeline.resources.web import Web
from mass_pipeline.schedules.rows import ScheduleRow

_MOMENTS: Final = ("fetched_at", "checked_at", "asked_at")
_PAGES_PER_CHUNK: Final = 100  # bodies are up to 5 MiB: chunks stay well below a gigabyte


@stage(group="crawl", kinds={"python", "aiohttp", "parquet"}, partitioned=True, pool=CRAWLER_POOL, retries=True)
def crawled_pages(
    context: dg.AssetExecutionContext,
    parish_urls: TableReader,
    settings: dg.ResourceParam[Settings],
    web: dg.ResourceParam[Web],
    lake: dg.ResourceParam[Lake],
) -> Partitions:
    """Pages of the parishes' sites with how each fetch ended; bodies as received.

    robots.txt is obeyed, hosts are left their pauses, and a crawl that was interrupted goes on where it was. A diocese
    without sites gives an empty partition.
    """
    config = crawl_config(settings, is_local=web.is_local)
    operation = settings.section(OperationConfig)
    fetched_at = operation.clock()() if operation.is_frozen else None
    rows: dict[str, pa.Table | Iterator[pa.Table]] = {}
    metadata: dict[str, Metadata] = {}
    seeds = seeds_by_diocese(parish_urls)
    snapshots = CrawlSnapshots.of(settings)
    for key in context.partition_keys:
        if key not in seeds:
            rows[key], metadata[key] = table_of(CRAWLED_PAGES, []), {"sites": 0}
            continue
        state = settings.data_folder / "state" / "crawl" / key
        snapshots.fetch(key)
        stop_rule = ScheduleFoundTwice if config.stop_when_found else None
        report = crawl_sites(
            seeds[key],
            state=state,
            config=config,
            connect_to=web.connect_to,
            stop_rule=stop_rule,
            evidence=evidence_of(lake, key),
            doubted=doubted_of(lake, key, settings.data_folder / "public-inbox"),
        )
        snapshots.keep(key)
        if report.paused:
            raise DiskFull(f"{key}: {report.paused}. The old partition stays; free space and run the diocese again.")
        report.require_an_answer()
        with discovery_state(settings) as discovery:  # sites dead for some runs are looked up again
            record_crawl(discovery, {ParishId(site.parish_id): site.outcome for site in report.sites})
        rows[key] = page_chunks(state, {seed.parish_id for seed in seeds[key]}, fetched_at)
        metadata[key] = report_metadata(report, settings)
        context.log.info("crawl.ended diocese=%s sites=%d pages=%d", key, len(report.sites), report.pages)
    return Partitions(rows, metadata)


def evidence_of(lake: Lake, key: str) -> set[str]:
    """Pages that the published schedules of a diocese rest on, and feeds whose entries they are; none before the first one."""
    rows = list(lake.published(MASS_SCHEDULES, [key]).rows(["source_url", "page_sha256"]))
    found, bodies = {str(row["source_url"]) for row in rows}, {str(row["page_sha256"]) for row in rows}
    pages = lake.published(CRAWLED_PAGES, [key]).rows(["url", "body_sha256"]) if found else ()
    return found | {str(row["url"]) for row in pages if row["body_sha256"] in bodies}


def doubted_of(lake: Lake, key: str, inbox: Path) -> dict[str, datetime]:
    """Pages whose hours visitors of the public site reported, with the moment of the last report; none without reports."""
    reports = list(read_reports(inbox))
    if not reports:
        return {}
    rows: dict[str, list[ScheduleRow]] = {}
    for row in lake.published(MASS_SCHEDULES, [key]).rows():
        rows.setdefault(str(row["parish_id"]), []).append(ScheduleRow.from_dict(row))
    return doubted_pages(reports, states(inbox), rows)


def page_chunks(state: Path, parishes: Collection[str], fetched_at: datetime | None) -> Iterator[pa.Table]:
    """Stored pages in chunks, sorted by (parish_id, url).

    Args:
        state: folder of the crawl.
        parishes: whose pages count; a parish that has no site any more keeps none in the table.
        fetched_at: replaces the real moments when time is frozen.
    """
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


def report_metadata(report: CrawlReport, settings: Settings) -> Metadata:
    """What the UI shows and plots of one crawl."""
    return {
        "seconds": report.seconds,
        "sites": len(report.sites),
        "requests": report.requests,
        "body_bytes": report.body_bytes,
        "finished": report.finished,
        "sites_of_the_crawl": dg.MetadataValue.md(sites_markdown(report)),
        "outcomes": image(lambda: outcomes_plot(report), "outcomes", settings),
        **{f"outcome_{name}": count for name, count in sorted(report.outcomes.items())},
        **{name: float(value) for name, value in sorted(report.politeness.items())},
    }
