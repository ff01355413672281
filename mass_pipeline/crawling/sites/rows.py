"""Rows of the state file as values: sites, URLs, pages. No SQL here (see store), no policy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mass_pipeline.crawling.fetching.transport import Answer
from mass_pipeline.crawling.pages.spider import ParsedPage
from mass_pipeline.crawling.sites.frontier import Item

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
    outcome: str | None
    etag: str | None
    last_modified: str | None
    body_sha256: bytes | None
    interval_days: float | None
    deaths: int = 0  # of processes in a row, while this URL was being asked for or read
    rendering: str | None = None  # what came of showing the page to a browser; None when it was not

    @property
    def conditions(self) -> dict[str, str]:
        """Headers that ask for the page only if it has changed."""
        headers = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in headers.items() if value}


class UrlRow(NamedTuple):
    """A URL that enters the frontier: the columns of `urls` that are known then."""

    url_id: int
    site_id: int
    url: str
    url_md5: bytes
    depth: int
    referrer_id: int | None
    link_text: str
    hops: int


class PageRow(NamedTuple):
    """A page: the columns of `pages`, in their order. Moments are seconds since 1970."""

    url_id: int
    content_type: str | None
    encoding: str | None
    etag: str | None
    last_modified: str | None
    fetched_at: float
    elapsed_ms: int
    truncated: bool
    tls_verified: bool
    body: bytes | None
    body_sha256: bytes
    dictionary_id: int | None
    interval_days: float
    next_visit_at: float
    confirmed_at: float
    rendering: str | None

    @classmethod
    def of(
        cls,
        url_id: int,
        answer: Answer,
        page: ParsedPage,
        *,
        now: float,
        days: float,
        again_at: float,
        has_body: bool,
        rendering: str | None = None,
    ) -> PageRow:
        """The row of a page that was just received.

        Args:
            days, again_at: until it is asked for again, and when that is.
            has_body: whether its text is kept.
            rendering: what came of showing it to a browser.
        """
        headers = answer.headers
        return cls(
            url_id=url_id,
            content_type=headers.get("Content-Type"),
            encoding=page.encoding or None,
            etag=headers.get("ETag") if answer.complete else None,  # else all of it is asked for next time
            last_modified=headers.get("Last-Modified") if answer.complete else None,
            fetched_at=now,
            elapsed_ms=round(answer.elapsed * 1000),
            truncated=answer.truncated or not answer.complete,
            tls_verified=answer.tls_verified,
            body=answer.body if has_body else None,
            body_sha256=page.sha256,
            dictionary_id=None,
            interval_days=days,
            next_visit_at=again_at,
            confirmed_at=now,
            rendering=rendering,
        )
