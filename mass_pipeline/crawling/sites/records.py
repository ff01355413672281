"""What goes into a crawl and what comes out: seeds, pages, progress, reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from mass_pipeline.crawling.fetching.outcomes import UNANSWERED
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
