"""Rows of the state file as values: sites, hosts, URLs. No SQL here (see store), no policy."""

from __future__ import annotations

from dataclasses import dataclass, field

from mass_pipeline.crawler.frontier import Item


@dataclass(slots=True)
class SiteRow:
    """A site as the state file knows it."""

    site_id: int
    parish_id: str
    start_url: str
    scope_prefix: str
    domain: str = ""
    status: str = "new"  # new, open, finished
    outcome: str = ""
    reason: str = ""
    requests: int = 0
    body_bytes: int = 0
    seconds: float = 0.0
    hosts: list[str] = field(default_factory=list)  # start URLs of further hosts, found by redirects


@dataclass(slots=True)
class HostRow:
    """What is remembered of an origin; moments are wall-clock seconds."""

    origin: str
    robots_state: str | None
    robots_reason: str | None
    robots_text: str | None
    robots_at: float | None
    delay: float
    crawl_delay: float
    not_before: float
    failures: int
    mining_text: str | None = None
    mining_at: float | None = None


@dataclass(slots=True)
class KnownUrl:
    """A URL of a site that is being reopened."""

    item: Item
    waiting: bool
    next_try_at: float
    outcome: str | None
    etag: str | None
    last_modified: str | None
    body_sha256: bytes | None
    interval_days: float | None
