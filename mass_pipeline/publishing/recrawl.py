"""Pages of a diocese that its next crawl asks for before the others: what is published rests on them, or somebody doubts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from mass_pipeline.finding.inbox import Report
from mass_pipeline.finding.reports import doubted_pages
from mass_pipeline.resources.lake import TableReader
from mass_pipeline.schedules.rows import rows_by_parish


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
    return doubted_pages(reports, states, rows_by_parish(schedules.rows())) if reports else {}
