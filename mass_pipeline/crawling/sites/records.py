"""What goes into a crawl and what comes out: seeds, pages, progress, reports."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

from mass_pipeline.crawling.fetching.outcomes import UNANSWERED, Outcome
from mass_pipeline.crawling.state import schema
from mass_pipeline.model.errors import NetworkAway

RENDERED: Final = "rendered: "  # begins the column `rendering` of a page whose body is what a browser showed
NOT_RENDERED: Final = "not rendered: "  # ... of one that a browser should have shown and did not

# Why a URL of a site was never asked for
BUDGET_SPENT: Final = "page budget of the site is spent"
SERIES_REPEATS: Final = "its series repeats itself"


@dataclass(frozen=True, slots=True)
class Seed:
    """One site to crawl: P5 gives each parish one start URL.

    Attributes:
        parish_id: whom the pages belong to; unique in a crawl.
        url: start URL.
        scope_prefix: path that belongs to the parish on a shared host, else `/`.
    """

    parish_id: str
    url: str
    scope_prefix: str = "/"


@dataclass(frozen=True, slots=True)
class CrawledPage:
    """One row of the table `crawled_pages`, with its columns as attributes, and some more at the end.

    Attributes:
        outcome: of the last look. Whatever it is, a body that was stored before stays: with `not_modified` (unchanged),
            with `gone` (vanished since), and with failures; `checked_at` tells how old the knowledge is.
        reason: detail of the outcome, for people.
        tls_verified: whether the certificate was good (True for http).
        checked_at: when its server last confirmed the body: sent it, or said that it is unchanged.
        asked_at: when the page was last asked for, whatever came of it.
        rendering: what came of showing the page to a browser; None when it was not. `rendered: ...` when the body is what
            the browser showed.
    """

    parish_id: str
    url: str
    final_url: str | None
    url_md5: str
    start_url: str
    domain: str
    depth: int
    referrer: str | None
    link_text: str | None
    outcome: str
    status: int | None
    content_type: str | None
    encoding: str | None
    etag: str | None
    last_modified: str | None
    fetched_at: datetime | None
    elapsed_ms: int | None
    truncated: bool
    body: bytes | None = field(repr=False)
    body_sha256: str | None
    reason: str = ""
    tls_verified: bool = True
    checked_at: datetime | None = None
    asked_at: datetime | None = None
    rendering: str | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """Live counters of a running crawl (J5).

    Attributes:
        seconds: since the start of this run.
        url: the URL finished last.
        paused: why the crawl waits (no room on the disk), "" while it runs.
    """

    sites_total: int
    sites_finished: int
    sites_open: int
    requests: int
    pages: int
    body_bytes: int
    seconds: float
    url: str
    paused: str = ""


@dataclass(frozen=True, slots=True)
class SiteReport:
    """How one site ended.

    Attributes:
        outcome: of the start page, or `deferred` when the site waits for the next run.
        seconds: wall time the site was open, all runs together.
        left_out: reason -> pages of it that are not asked for: `BUDGET_SPENT`, `SERIES_REPEATS`.
    """

    parish_id: str
    start_url: str
    outcome: str
    reason: str
    pages: int
    requests: int
    body_bytes: int
    seconds: float
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_silent(self) -> bool:
        """Whether no word came from its host; one that refuses us by a status (`HTTP 403`) has answered."""
        return self.outcome in UNANSWERED and not self.reason.startswith("HTTP ")


@dataclass(frozen=True, slots=True)
class CrawlReport:
    """One run in figures: the crawl report table of a partition.

    Attributes:
        outcomes: outcome -> URLs that ended so, over the whole state.
        sites: one row per site, sorted by parish_id.
        requests, body_bytes: of this run.
        pages: stored pages of the whole state.
        politeness: `early_requests` and `most_in_flight_per_host` (0 and 1 unless something is wrong),
            `longest_crawl_delay_s`, `robots_refused`, `tdm_reserved`, `retry_after_obeyed`, `blocked_addresses`;
            `rendered_pages`, `not_rendered_pages`: shown to a browser, and not though they should have been;
            `damaged_pages`: stored ones that were not what was stored once, and were asked for anew.
        finished: whether nothing waits for another run.
        paused: why the run ended early (no room on the disk), "" when it did not; its open sites have the outcome `paused_disk`.
    """

    seconds: float
    cpu_seconds: float
    requests: int
    body_bytes: int
    pages: int
    outcomes: Mapping[str, int]
    politeness: Mapping[str, float]
    sites: tuple[SiteReport, ...]
    finished: bool
    paused: str = ""

    def require_an_answer(self) -> None:
        """Refuse a crawl of sites none of which answered.

        Raises:
            NetworkAway: in all likelihood the network of this machine is out of order, not every site.
        """
        if self.sites and all(site.is_silent for site in self.sites):
            ends = ", ".join(f"{name} {count}" for name, count in Counter(site.outcome for site in self.sites).most_common())
            raise NetworkAway(
                f"None of {len(self.sites)} sites answered ({ends}). Check the network and the resolver of this machine, then "
                "run the crawl again: it goes on where it was."
            )


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
            Outcome.PAUSED_DISK.value if paused and status != "finished" else outcome,
            paused if paused and status != "finished" else reason,
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
