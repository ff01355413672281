"""What a collection of external links is made of: sites, turns, figures. Plain values, no behaviour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from mass_pipeline.crawling.web_graph import BadLink, ExternalLink


class SiteStatus(StrEnum):
    """How a site of the target set stands."""

    WAITING = "waiting"  # pages are left
    FINISHED = "finished"  # every page within the maximal level was read
    NOT_AVAILABLE = "not_available"  # its start page cannot be loaded (B3); tried again by the next start
    DEFERRED = "deferred"  # its host asked for rest or failed too often; the next start goes on


class LinkState(StrEnum):
    """Whether an internal link was processed (B1)."""

    WAITING = "waiting"
    PROCESSED = "processed"
    BEYOND = "beyond"  # deeper than a maximal level that was lowered later
    REFUSED = "refused"  # a trap, a file that holds no text, another site of the domain; never asked


@dataclass(frozen=True, slots=True)
class TargetSite:
    """A seed (B1).

    Attributes:
        number: in the order of adding; never used twice.
        short_name: unique handle of the commands.
        scope_prefix: path that belongs to the site on a shared host, else `/`.
        max_level: greatest level read, None for the default of the collection.
        hosts: further start addresses, found by redirects of the start page.
    """

    number: int
    full_name: str
    short_name: str
    start_url: str
    scope_prefix: str = "/"
    max_level: int | None = None
    status: str = SiteStatus.WAITING
    reason: str = ""
    hosts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CollectionSettings:
    """Settings of a collection, kept in its state (B1).

    Attributes:
        policy: name of a policy; "" for the one that the theme asks for.
        theme: of the target set, "" when unknown (B10).
        budget_pages: N, pages over all sites and runs.
        max_level: default for all sites (B2).
        merge_case_and_slash: count links that differ in case or a trailing slash as one (B4); fixed by the first page.
        seed: of the random policies.
    """

    policy: str = ""
    theme: str = ""
    budget_pages: int = 2000
    max_level: int = 5
    merge_case_and_slash: bool = False
    seed: int = 1


@dataclass(frozen=True, slots=True)
class InternalLink:
    """An internal link that waits."""

    link_id: int
    url: str
    level: int


@dataclass(slots=True)
class PageFound:
    """What an answered page gave; everything of one turn is stored together or not at all.

    Attributes:
        asked: whether a server was asked at all: then the turn counts as a page of the budget.
        passed: URLs of the redirects and the page itself: none of them is asked again.
        internal: canonical URL and, for links that are refused, the reason ("" for good ones), in document order.
        hosts: new start addresses of the site, None when they have not changed.
        site_status: new status of the site, None to leave it.
        keep_waiting: the link stays for the next start.
    """

    outcome: str
    reason: str = ""
    status: int | None = None
    encoding: str | None = None
    final_url: str | None = None
    body_sha256: bytes | None = None
    elapsed_ms: int = 0
    size: int = 0
    asked: bool = False
    passed: Sequence[str] = ()
    internal: Sequence[tuple[str, str]] = ()
    external: Sequence[ExternalLink] = ()
    bad: Sequence[BadLink] = ()
    hosts: tuple[str, ...] | None = None
    site_status: SiteStatus | None = None
    keep_waiting: bool = False


@dataclass(frozen=True, slots=True)
class TurnLogged:
    """A turn that a policy gave to a site: what policies learn from, in order.

    Attributes:
        asked: whether a page was asked for; without one the site had nothing left that may be asked.
        new_links: the reward.
        seconds: that the page took.
    """

    number: int
    asked: bool
    new_links: int
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class SiteFigures:
    """How a site stands, for people.

    Attributes:
        level: greatest level read so far, None before the first page.
    """

    site: TargetSite
    pages: int
    waiting: int
    external: int
    bad: int
    level: int | None


@dataclass(frozen=True, slots=True)
class CollectionStatus:
    """How a collection stands, for people.

    Attributes:
        process: number of the process that collects, None when nobody does.
        policy: in use, or that the next start will use.
        stopping: whether the process was asked to stop.
        last_url, last_at: the page read last.
    """

    settings: CollectionSettings
    policy: str
    process: int | None
    stopping: bool
    pages: int
    external: int
    bad: int
    last_url: str
    last_at: datetime | None
    sites: tuple[SiteFigures, ...] = field(default=())

    @property
    def links_per_page(self) -> float:
        """External links found per page read; 0 before the first."""
        return self.external / self.pages if self.pages else 0.0


@dataclass(frozen=True, slots=True)
class CollectReport:
    """One run of the collector.

    Attributes:
        pages, new_links: of this run.
        ended: why it ended: `budget`, `finished`, `stopped`.
    """

    policy: str
    pages: int
    new_links: int
    requests: int
    seconds: float
    ended: str
