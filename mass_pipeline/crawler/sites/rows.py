"""Rows of the state file as values: sites, URLs. No SQL here (see store), no policy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from mass_pipeline.crawler.sites.frontier import Item

MOST_DEATHS: Final = 5  # so often in a row a process may die while asking for a URL before a crawl leaves it out once


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
    deaths: int = 0  # of processes in a row, while this URL was being asked for or read

    @property
    def conditions(self) -> dict[str, str]:
        """Headers that ask for the page only if it has changed."""
        headers = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in headers.items() if value}
