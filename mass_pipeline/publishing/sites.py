"""The sites of a diocese as the published tables have them: what is crawled and watched, how the directory names its parishes,
and which pages its next crawl asks for before the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from urllib.parse import urlsplit

from mass_pipeline.crawling import Seed
from mass_pipeline.finding.inbox import Report
from mass_pipeline.finding.reports import doubted_pages
from mass_pipeline.resources.lake import TableReader
from mass_pipeline.schedules.rows import ScheduleRow


def seeds_of(parish_urls: TableReader, key: str) -> list[Seed]:
    """Sites of a diocese to crawl, sorted by parish: every parish whose look-up gave a URL."""
    seeds = [
        Seed(str(row["parish_id"]), str(row["url"]), str(row["scope_prefix"] or "/"))
        for row in parish_urls.rows(("parish_id", "diocese_key", "url", "scope_prefix"))
        if row["url"] and row["diocese_key"] == key
    ]
    return sorted(seeds, key=lambda seed: seed.parish_id)


def names_of(parishes: TableReader, key: str) -> dict[str, tuple[str, ...]]:
    """Name and town by parish_id, of a diocese."""
    rows = parishes.rows(["parish_id", "name", "town", "diocese_key"])
    return {str(row["parish_id"]): (str(row["name"]), str(row["town"])) for row in rows if row["diocese_key"] == key}


def directory_hosts_of(parishes: TableReader, key: str) -> dict[str, str]:
    """Host of the directory's page by parish_id, where it names one."""
    rows = parishes.rows(["parish_id", "directory_url", "diocese_key"])
    pages = {str(row["parish_id"]): str(row["directory_url"] or "") for row in rows if row["diocese_key"] == key}
    return {parish: host for parish, url in pages.items() if (host := host_of(url))}


def host_of(url: str) -> str:
    """Host without `www.`; "" of what is no address."""
    return (urlsplit(url).hostname or "").removeprefix("www.")


def evidence_of(schedules: TableReader, pages: TableReader) -> set[str]:
    """Pages that the published schedules of a diocese rest on, and feeds whose entries they are.

    Args:
        schedules: rows of `mass_schedules`.
        pages: its crawled pages of before.
    """
    rows = list(schedules.rows(["source_url", "page_sha256"]))
    found, bodies = {str(row["source_url"]) for row in rows}, {str(row["page_sha256"]) for row in rows}
    crawled = pages.rows(["url", "body_sha256"]) if found else ()
    return found | {str(row["url"]) for row in crawled if row["body_sha256"] in bodies}


def doubted_of(schedules: TableReader, reports: Sequence[Report], states: Mapping[str, str]) -> dict[str, datetime]:
    """Pages whose hours visitors of the public site reported, with the moment of the last report.

    Args:
        schedules: rows of `mass_schedules`.
        reports, states: what was reported, and what became of it.
    """
    if not reports:
        return {}
    rows: dict[str, list[ScheduleRow]] = {}
    for row in schedules.rows():
        rows.setdefault(str(row["parish_id"]), []).append(ScheduleRow.from_dict(row))
    return doubted_pages(reports, states, rows)
