"""Of every parish, how fresh its published order is, or why none is known: the rows of `parish_states`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Final
from urllib.parse import urlsplit

from mass_pipeline.crawling import CrawlConfig
from mass_pipeline.crawling.fetching.scope import is_blacklisted
from mass_pipeline.crawling.sites.records import NOT_RENDERED
from mass_pipeline.publishing.directory_lookups import names_of
from mass_pipeline.publishing.reviews import Reviews
from mass_pipeline.reading.words.effective_date import over_or_to_come
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.resources.lake import TableReader
from mass_pipeline.resources.settings import Settings
from mass_pipeline.schedules.config import FreshnessConfig
from mass_pipeline.schedules.reviews import is_of_order, left_out, pending
from mass_pipeline.schedules.rows import ScheduleRow, rows_by_parish
from mass_pipeline.schedules.states import SeenSite, State, Unread, known_state, unknown_state
from mass_pipeline.site_reading.ownership.evidence import tells_that_it_is_over
from mass_pipeline.site_reading.ownership.sites import schedule_of_pages
from mass_pipeline.site_reading.pages import SiteReader, SiteReading, each_site

Row = Mapping[str, object]
_SITE_COLUMNS: Final = ("parish_id", "diocese_key", "status", "url", "candidates")
_PAGE_COLUMNS: Final = (
    "parish_id",
    "start_url",
    "depth",
    "referrer",
    "outcome",
    "body_sha256",
    "checked_at",
    "asked_at",
    "rendering",
)


def diocese_states(
    key: str,
    parishes: TableReader,
    parish_urls: TableReader,
    crawled_pages: TableReader,
    mass_schedules: TableReader,
    reviews: Reviews,
    site_reader: SiteReader,
    settings: Settings,
    now: datetime,
) -> tuple[list[dict[str, object]], dict[str, int]]:
    """Rows of `parish_states` for one diocese, and how many rows of its order each parish has published.

    Args:
        key: of the diocese.
        parishes, parish_urls: the directory, and what look-ups gave.
        crawled_pages, mass_schedules: of the diocese.
        reviews: what was proposed and decided.
        site_reader: reads the sites without an order once more, to say why.
        settings: ages of orders, and hosts whose owners opted out.
        now: the present moment.
    """
    listed = parishes.rows(("parish_id", "diocese_key"))
    known = [str(row["parish_id"]) for row in listed if row["diocese_key"] == key]
    looked_up = ((str(row["parish_id"]), row) for row in parish_urls.rows(_SITE_COLUMNS) if row["diocese_key"] == key)
    diocese = _Diocese(crawled_pages, mass_schedules, names_of(parishes, key), site_reader, settings, now)
    rows = list(diocese.rows(known, dict(looked_up), reviews))
    return rows, {parish: len(order) for parish, order in diocese.orders.items()}


def _likeliest(found: Row) -> str:
    """Address of the site a look-up that chose none found likeliest, "" for none.

    A site whose owner wants no part is never asked, so no look-up can verify and choose it.
    """
    candidates = found.get("candidates")
    return str(candidates[0]["url"] or "") if isinstance(candidates, list) and candidates else ""


class _Diocese:
    """The published tables of one diocese.

    Attributes:
        orders: parish -> rows of its published standing order.
    """

    def __init__(
        self,
        crawled_pages: TableReader,
        mass_schedules: TableReader,
        names: Mapping[str, tuple[str, ...]],
        site_reader: SiteReader,
        settings: Settings,
        now: datetime,
    ) -> None:
        self._crawled = crawled_pages
        self._names = names
        self._site_reader = site_reader
        self._freshness = settings.section(FreshnessConfig)
        self._removed: tuple[str, ...] = settings.section(CrawlConfig).removed_hosts
        self._now = now
        self.orders = rows_by_parish(mass_schedules.rows(), standing=True)

    def rows(self, parishes: Sequence[str], sites: Mapping[str, Row], reviews: Reviews) -> Iterator[dict[str, object]]:
        """A row for each parish."""
        seen = seen_sites(self._crawled.rows(_PAGE_COLUMNS))
        approved = {
            one.proposal.parish_id: datetime.fromisoformat(one.at)
            for one in reviews.decisions
            if one.verdict == "approved" and is_of_order(one)
        }
        waiting = pending(reviews.proposals, reviews.decisions)
        differing = {one.parish_id for one in waiting if one.origin == "crawl"}
        proposals = Counter(one.parish_id for one in waiting)
        gone = left_out(reviews.decisions)
        withheld = {one.parish_id: one.doubts for one in waiting if one.origin == "withheld"}
        unread = self._unread({parish for parish in parishes if parish not in self.orders}, withheld)
        for parish in parishes:
            found = sites.get(parish, {})
            url = str(found.get("url") or "")
            site = seen.get(parish, SeenSite(url)) if url else None
            opted_out = parish in gone or is_blacklisted(urlsplit(url or _likeliest(found)).hostname or "", self._removed)
            state = self._state(parish, str(found.get("status", "pending")), site, unread.get(parish), opted_out)
            yield {
                "parish_id": parish,
                "state": state.name,
                "reason": state.reason,
                "url": state.url,
                "masses": len(self.orders.get(parish, ())),
                "fetched_at": state.fetched_at,
                "checked_at": state.checked_at,
                "asked_at": site.asked_at if site else None,
                "approved_at": approved.get(parish),
                "differs": parish in differing,
                "proposals": proposals[parish],
            }

    def _state(self, parish: str, status: str, site: SeenSite | None, unread: Unread | None, opted_out: bool) -> State:
        order = self.orders.get(parish)
        if order and not opted_out:
            return known_state(order, site, self._now, self._freshness, over=words_of_an_end(order, self._now.date()))
        return unknown_state(status, site, unread, opted_out=opted_out)

    def _unread(self, parishes: set[str], reasons: Mapping[str, Sequence[str]]) -> dict[str, Unread]:
        """What the sites of these parishes say; those without a page are left out.

        Args:
            reasons: why what a site says waits for a person, by parish.
        """
        readings = self._site_reader.sites(self._crawled.among(parishes), self._names)

        def unread(site: SiteReading) -> tuple[str, Unread]:
            schedule = schedule_of_pages(site.judged)
            against = [reason for one in schedule.withheld for reason in one.reasons]
            is_over = bool(against) and not schedule.masses and all(map(tells_that_it_is_over, against))
            return site.parish_id, Unread(schedule, site.unreadable, reasons.get(site.parish_id, ()), is_over)

        return dict(each_site(readings, unread, {}))


def words_of_an_end(order: Sequence[ScheduleRow], today: date) -> str:
    """Words by which every row of an order is over; "" when one of them does not say so."""
    said = [over_or_to_come(fold(row.quote), today, is_heading=False) for row in order]
    words = {one[1] for one in said if one is not None and one[0] == "over"}
    return "; ".join(sorted(words)) if all(one is not None and one[0] == "over" for one in said) else ""


def seen_sites(rows: Iterable[Row]) -> dict[str, SeenSite]:
    """parish_id -> what the crawl knows of its site.

    Args:
        rows: of crawled_pages.
    """
    found: dict[str, SeenSite] = {}
    for row in rows:
        parish = str(row["parish_id"])
        one = found.get(parish, SeenSite(str(row["start_url"])))
        is_start = row["depth"] == 0 and row["referrer"] is None
        found[parish] = SeenSite(
            one.url,
            str(row["outcome"]) if is_start else one.outcome,
            one.bodies + (row["body_sha256"] is not None),
            _later(one.confirmed_at, row["checked_at"]),
            _later(one.asked_at, row["asked_at"]),
            one.not_rendered or _why_not_rendered(row["rendering"]),
        )
    return found


def _why_not_rendered(rendering: object) -> str:
    told = str(rendering or "")
    return told.removeprefix(NOT_RENDERED) if told.startswith(NOT_RENDERED) else ""


def _later(one: datetime | None, other: object) -> datetime | None:
    moments = [moment for moment in (one, other) if isinstance(moment, datetime)]
    return max(moments, default=None)
