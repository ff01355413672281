"""The figures of a run: the crawl report of a partition, and its view for people (Markdown)."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from mass_pipeline.crawling.fetching.outcomes import Outcome
from mass_pipeline.crawling.sites.records import BUDGET_SPENT, SERIES_REPEATS, CrawlReport, SiteReport
from mass_pipeline.crawling.state import schema

_COUNTED: Final = (
    "early_requests", "robots_refused", "tdm_reserved", "retry_after_obeyed", "blocked_addresses", "rendered_pages",
    "not_rendered_pages", "damaged_pages",
)  # fmt: skip
_WAITING_OUTCOMES: Final = ("deferred",)


def make_report(
    state: Path,
    seconds: float,
    cpu_seconds: float,
    counters: Mapping[str, int],
    most: Mapping[str, float],
    parishes: set[str],
    paused: str = "",
) -> CrawlReport:
    """Report of the given parishes.

    Args:
        counters, most: of the downloader.
        parishes: parish ids of this run's seeds; other sites of the state do not count.
        paused: why the run ended early, "" when it did not.
    """
    connection = schema.open_for_reading(state, schema.CRAWL_FILE)
    try:
        sites, outcomes = _sites(connection, parishes, paused), _outcomes(connection, parishes)
    finally:
        connection.close()
    return CrawlReport(
        seconds=seconds,
        cpu_seconds=cpu_seconds,
        requests=counters.get("requests", 0),
        body_bytes=counters.get("body_bytes", 0),
        pages=sum(site.pages for site in sites),
        outcomes=dict(sorted(outcomes.items())),
        politeness=_politeness(counters, most),
        sites=sites,
        finished=not paused and "waiting" not in outcomes and not any(outcomes.get(outcome) for outcome in _WAITING_OUTCOMES),
        paused=paused,
    )


def _sites(connection: sqlite3.Connection, parishes: set[str], paused: str) -> tuple[SiteReport, ...]:
    pages: dict[int, int] = dict(
        connection.execute(
            "SELECT u.site_id,count(*) FROM pages p JOIN urls u USING(url_id) WHERE p.body IS NOT NULL GROUP BY u.site_id"
        ).fetchall()
    )
    left_out: dict[int, dict[str, int]] = {}
    for site, reason, count in connection.execute(
        "SELECT site_id,reason,count(*) FROM urls WHERE reason IN (?,?) GROUP BY 1,2", (BUDGET_SPENT, SERIES_REPEATS)
    ):
        left_out.setdefault(site, {})[reason] = count
    rows = connection.execute(
        "SELECT site_id,parish_id,start_url,outcome,reason,requests,body_bytes,seconds,status FROM sites ORDER BY parish_id"
    )
    return tuple(
        SiteReport(
            parish,
            url,
            *_ending(outcome, reason, status, paused),
            pages.get(site, 0),
            requests,
            size,
            seconds,
            left_out.get(site, {}),
        )
        for site, parish, url, outcome, reason, requests, size, seconds, status in rows
        if parish in parishes
    )


def _outcomes(connection: sqlite3.Connection, parishes: set[str]) -> dict[str, int]:
    counted = connection.execute(
        "SELECT s.parish_id,u.outcome,count(*) FROM urls u JOIN sites s USING(site_id) GROUP BY 1,2 ORDER BY 1,2"
    )
    outcomes: dict[str, int] = {}
    for parish, outcome, count in counted:
        if parish in parishes:
            outcomes[outcome or "waiting"] = outcomes.get(outcome or "waiting", 0) + count
    return outcomes


def _politeness(counters: Mapping[str, int], most: Mapping[str, float]) -> dict[str, float]:
    return {
        "most_in_flight_per_host": most.get("in_flight_per_host", 0.0),
        "longest_crawl_delay_s": most.get("crawl_delay_s", 0.0),
        **{name: float(counters.get(name, 0)) for name in _COUNTED},
    }


def _ending(outcome: str, reason: str, status: str, paused: str) -> tuple[str, str]:
    return (Outcome.PAUSED_DISK.value, paused) if paused and status != "finished" else (outcome, reason)


_MOST_SITES: Final = 60  # rows shown: what needs a look stands first, and the UI stays quick


def left_out(site: SiteReport) -> str:
    """What limits of the crawl left out of a site (P5), "" when nothing."""
    return ", ".join(f"{count} ({reason})" for reason, count in sorted(site.left_out.items()))


def sites_markdown(report: CrawlReport) -> str:
    """One line per site, those that gave fewest pages first; the head alone for a crawl without sites."""
    lines = ["| site | outcome | pages | requests | kB | seconds | not asked for |", "|---|---|---|---|---|---|---|"]
    sites = sorted(report.sites, key=lambda site: (site.pages, site.start_url))
    for site in sites[:_MOST_SITES]:
        outcome = f"{site.outcome} ({site.reason})" if site.reason else str(site.outcome)
        size = site.body_bytes / 1000
        lines.append(
            f"| {_cell(site.start_url)} | {_cell(outcome)} | {site.pages} | {site.requests} | {size:.0f} | {site.seconds:.1f} | "
            f"{left_out(site)} |"
        )
    if len(sites) > _MOST_SITES:
        lines.append(f"| and {len(sites) - _MOST_SITES} more | | | | | | |")
    return "\n".join(lines)


def _cell(text: str) -> str:
    """Text of the web as plain text of a Markdown cell: no markup, no cell border, no line break."""
    return "".join(c if c.isalnum() or c in " .:/-_()%=&?,;+~@" else f"&#{ord(c)};" for c in text)
