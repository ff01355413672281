"""Values of a watch: its progress, grave errors, published announcements. Plain values, no behaviour."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class WatchProgress:
    """Live counters of a running watch (J5).

    Attributes:
        sites: watched. failing: those whose last look failed. open: those being asked now.
        looks: at lists, of this run. requests, articles, announcements, errors: of this run; announcements are new ones.
        seconds: since the start of this run.
        next_due: when the next site is due, None while one is.
        url: the address finished last.
    """

    sites: int
    failing: int
    open: int
    looks: int
    requests: int
    articles: int
    announcements: int
    errors: int
    seconds: float
    next_due: datetime | None
    url: str


@dataclass(frozen=True, slots=True)
class GraveError:
    """Something an operator should know now.

    Attributes:
        kind: `site` (its looks fail again and again), `unexpected` (an exception at a page), `storage` (the watch ended).
        site_id, url: where; "" when it concerns the whole watch.
        more: grave errors that were not reported since the last message, because there were too many.
    """

    at: datetime
    kind: str
    site_id: str
    url: str
    reason: str
    more: int = 0


Notify = Callable[[GraveError], None]
"""Tells an operator; must not raise, and must come back soon."""


@dataclass(frozen=True, slots=True)
class PublishedAnnouncement:
    """One relevant announcement as the state holds it: the structured record of C6, split into single announcements.

    Attributes:
        site_id: the parish, or another name of the site. site: its host.
        list_url, source, anchor: how its article was found.
        issued: day of publication, None when nobody tells.
        position: place among the announcements of its article, from 0.
        text: its words. model, score: by which it was kept.
        article_sha256: digest of the article's body.
        reading: what `keep_readings` was given for it, "" for nothing.
    """

    announcement_id: str
    site_id: str
    url: str
    site: str
    list_url: str | None
    source: str
    anchor: str
    title: str
    author: str
    meta_keywords: str
    meta_description: str
    issued: date | None
    position: int
    text: str
    topic: str
    model: str
    score: float
    article_sha256: str
    first_seen_at: datetime
    fetched_at: datetime
    reading: str = ""


@dataclass(frozen=True, slots=True)
class WatchReport:
    """One run in figures.

    Attributes:
        new_announcements: found in this run.
        failing: site -> reason, of sites whose last look failed.
        early_requests, most_in_flight_per_host: 0 and at most 1 unless something is wrong.
    """

    seconds: float
    sites: int
    looks: int
    requests: int
    articles: int
    new_announcements: int
    errors: int
    failing: dict[str, str]
    early_requests: int
    most_in_flight_per_host: int
