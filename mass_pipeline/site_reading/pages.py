"""Read the crawled pages of a site: bytes -> document -> what the rules read -> candidate hours. No Dagster here.

Two assets need the same readings (candidate hours, schedules); a reader keeps those of small crawls, so that a run over
the whole chain parses each page once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import partial
from itertools import groupby
from typing import Final, Protocol, TypeVar

from mass_pipeline.guard import Guard, TooCostly, seldom_collected
from mass_pipeline.guard.sandbox import parsed
from mass_pipeline.model.columns import ANSWERED_OUTCOMES, GONE, READABLE_OUTCOMES
from mass_pipeline.model.document import Document
from mass_pipeline.reading.regular.reading import PageReading
from mass_pipeline.reading.regular.sites import shows_nothing_by_itself
from mass_pipeline.reading.text.feed_entries import entry_pages, is_feed
from mass_pipeline.reading.words.effective_date import OLD_YEARS
from mass_pipeline.reading.words.masking.lines import with_masked_quotes
from mass_pipeline.site_reading.guarded import read_guarded
from mass_pipeline.site_reading.hours import candidates_of
from mass_pipeline.site_reading.ownership.judging import JudgedPage, judge_page
from mass_pipeline.site_reading.ownership.own_names import OwnNames, own_names

_COLUMNS: Final = (
    "parish_id",
    "url",
    "final_url",
    "depth",
    "link_text",
    "outcome",
    "status",
    "content_type",
    "fetched_at",
    "checked_at",
    "body",
    "body_sha256",
)
_SAID_SO: Final = (404, 410)  # RFC 9110 15.5.5, 15.5.11; a page of an address the parish has left is gone without a status
_MARKUP: Final = "text/html; charset=utf-8"
_LONGEST_REASON: Final = 200
_PAGES_KEPT: Final = 2_000  # about 100 MB of readings: the demo and single dioceses of a test, not a whole country


Row = Mapping[str, object]
_T = TypeVar("_T")


class CrawledRows(Protocol):
    """Rows of crawled_pages, sorted by parish_id and url."""

    def rows(self, columns: Sequence[str]) -> Iterator[Mapping[str, object]]:
        """The rows with these columns, read when asked for."""


@dataclass(frozen=True, slots=True)
class ReadPage:
    """One page with what the rules read on it.

    Attributes:
        checked_at: when its server last confirmed the body; not before `fetched_at`.
        failed: whether the last look at it failed, so that it may have changed since.
        judged: what is its parish's order of today, and what was left out of it; all that was read before it was judged.
    """

    url: str
    sha256: str
    fetched_at: datetime | None
    document: Document
    judged: JudgedPage
    checked_at: datetime | None = None
    failed: bool = False

    @property
    def reading(self) -> PageReading:
        """What is left of the page."""
        return self.judged.reading


@dataclass(frozen=True, slots=True)
class SiteReading:
    """The pages of one parish.

    Attributes:
        pages: sorted by URL.
        unreadable: URL -> reason of pages that could not be read; `TooCostly: ...` of those whose reading was ended.
        own: how the parish names itself.
        today: the day of which its order is asked; None before it was judged.
    """

    parish_id: str
    pages: tuple[ReadPage, ...]
    unreadable: Mapping[str, str] = field(default_factory=dict)
    own: OwnNames = field(default_factory=OwnNames)
    today: date | None = None

    @property
    def judged(self) -> list[JudgedPage]:
        """The pages as they were judged."""
        return [page.judged for page in self.pages]

    @property
    def too_costly(self) -> int:
        """How many pages were not read because it would have cost too much."""
        return sum(reason.startswith(TooCostly.__name__) for reason in self.unreadable.values())

    def left_behind(self, age: timedelta) -> frozenset[str]:
        """Addresses of pages that have failed for so long while others of the site were confirmed."""
        moments = [page.checked_at for page in self.pages if page.checked_at is not None]
        newest = max(moments, default=None)
        return frozenset(
            page.url
            for page in self.pages
            if page.failed and newest is not None and page.checked_at is not None and newest - page.checked_at > age
        )

    def candidate_rows(self) -> Iterator[dict[str, object]]:
        """Rows of candidate_hours."""
        for page in self.pages:
            for hour in candidates_of(page.reading, self.parish_id):
                yield hour.as_row()


class SiteReader:
    """Reads pages, and remembers the readings of the last ones.

    Args:
        today: the day of which orders are asked, in Poland.
        guard: where pages are read that are not ordinary; None for the one that all readings of this process share.
    """

    def __init__(self, today: Callable[[], date], guard: Guard | None = None) -> None:
        self._today = today
        self._guard = guard
        self._kept: dict[tuple[str, str, str], tuple[Document, PageReading]] = {}
        self._ended: dict[tuple[str, str, str], TooCostly] = {}  # a second asset does not pay for them again

    def sites(self, crawled: CrawledRows, names: Mapping[str, Sequence[str]] | None = None) -> Iterator[SiteReading]:
        """The sites of crawled pages, one after the other; parishes without pages are left out.

        Args:
            crawled: sorted by parish_id, url.
            names: what the directory calls a parish and its place, by parish_id.
        """
        for parish_id, rows in groupby(crawled.rows(_COLUMNS), key=lambda row: str(row["parish_id"])):
            readable = rows_to_read(rows)
            if readable:
                with seldom_collected():  # a search after every page goes through more and more of what is kept
                    site = self._site(parish_id, readable, (names or {}).get(parish_id, ()))
                yield site

    def _site(self, parish_id: str, rows: Sequence[Row], names: Sequence[str]) -> SiteReading:
        """The site; without pages when it cannot be read."""
        try:
            return self._judged(self._read_site(parish_id, rows), names)
        except Exception as error:  # whatever a site does, it ends at the site
            return SiteReading(parish_id, (), {_address(rows[0]): _reason(error)}, today=self._today())

    def _judged(self, site: SiteReading, names: Sequence[str]) -> SiteReading:
        """The site without what its pages say of other churches and other times."""
        own = own_names([page.document for page in site.pages], *names)
        today = self._today()
        pages = tuple(replace(page, judged=judge_page(page.reading, own, today)) for page in site.pages)
        return replace(site, pages=pages, own=own, today=today)

    def _read_site(self, parish_id: str, rows: Iterable[Row]) -> SiteReading:
        pages: dict[str, ReadPage] = {}
        unreadable: dict[str, str] = {}
        kept = list(rows)
        self._read_rows(kept, pages, unreadable)
        if any(shows_nothing_by_itself(page.reading) for page in pages.values()):
            entries = list(self._entries(kept, {url for url, page in pages.items() if page.document.lines}, unreadable))
            stated: dict[str, ReadPage] = {}
            self._read_rows(entries, stated, unreadable)
            pages |= {url: page for url, page in stated.items() if page.reading.notices}
            pages = dict(sorted(pages.items()))
        return SiteReading(parish_id, tuple(pages.values()), unreadable)

    def _read_rows(self, rows: Iterable[Row], pages: dict[str, ReadPage], unreadable: dict[str, str]) -> None:
        for row in rows:
            url = _address(row)
            if url in pages or url in unreadable:  # two addresses that lead to one page
                continue
            try:
                document, reading = self._read(row, url)
            except Exception as error:  # whatever a page does, it ends at the page
                unreadable[url] = _reason(error)
                continue
            fetched_at, checked_at = _moment(row["fetched_at"]), _moment(row["checked_at"])
            failed = row["outcome"] not in ANSWERED_OUTCOMES
            sha256 = str(row["body_sha256"])
            pages[url] = ReadPage(url, sha256, fetched_at, document, JudgedPage(reading), checked_at or fetched_at, failed)

    def _entries(self, rows: Iterable[Row], shown: Set[str], unreadable: dict[str, str]) -> Iterator[Row]:
        """Entries of the feeds among the rows, as rows of their own; of those that no page shows, and that are not old.

        Args:
            shown: addresses whose own pages have a text.
            unreadable: gets the feeds whose entries cannot be read.
        """
        for row in rows:
            body = row["body"]
            if not isinstance(body, bytes) or not is_feed(body):
                continue
            try:
                entries = parsed(partial(entry_pages, url=_address(row)), body, guard=self._guard)
            except Exception as error:  # whatever a feed does, it ends at the feed
                unreadable[_address(row)] = _reason(error)
                continue
            for entry in entries:
                is_old = entry.published is not None and entry.published.year <= self._today().year - OLD_YEARS
                if entry.url not in shown and not is_old:
                    told = {
                        "final_url": entry.url,
                        "link_text": entry.title,
                        "content_type": _MARKUP,
                        "body": entry.markup.encode(),
                    }
                    yield {**row, **told}

    def _read(self, row: Mapping[str, object], url: str) -> tuple[Document, PageReading]:
        key = (str(row["body_sha256"]), url, str(row["link_text"] or ""))
        if key in self._ended:
            raise self._ended[key]
        if key not in self._kept:
            body = row["body"]
            assert isinstance(body, bytes)
            content_type = str(row["content_type"]) if row["content_type"] else None
            if len(self._kept) >= _PAGES_KEPT:
                self._kept.clear()
            try:
                self._kept[key] = read_guarded(body, content_type=content_type, url=url, link_text=key[2], guard=self._guard)
            except TooCostly as error:
                self._ended[key] = error
                raise
        return self._kept[key]


def each_site(sites: Iterable[SiteReading], work: Callable[[SiteReading], _T], failed: dict[str, str]) -> Iterator[_T]:
    """What some work makes of every site; one that it fails on costs only itself.

    Args:
        failed: gets the reasons of those sites, by parish_id.
    """
    for site in sites:
        try:
            made = work(site)
        except Exception as error:  # whatever a site does, it ends at the site
            failed[site.parish_id] = _reason(error)
            continue
        yield made


def _address(row: Row) -> str:
    return str(row["final_url"] or row["url"])


def _reason(error: Exception) -> str:
    return with_masked_quotes(f"{type(error).__name__}: {error}")[:_LONGEST_REASON]


def _moment(value: object) -> datetime | None:
    return value if isinstance(value, datetime) else None


def rows_to_read(rows: Iterable[Mapping[str, object]]) -> Sequence[Mapping[str, object]]:
    """Rows of one site that hold a text worth reading, in their order: a page keeps its last body when a look at it fails.

    A page its server calls gone is not read, unless nothing of the site answers any more: then a site that is down for a season,
    or answers 404 to everything, still has its last known order, with the date on which it was confirmed.

    Args:
        rows: of crawled_pages, with `outcome`, `status` and `body`.
    """
    kept = [row for row in rows if row["body"]]
    if any(row["outcome"] in ANSWERED_OUTCOMES for row in kept):
        return [row for row in kept if row["outcome"] in READABLE_OUTCOMES]
    return [row for row in kept if row["outcome"] in READABLE_OUTCOMES or (row["outcome"] == GONE and row["status"] in _SAID_SO)]
