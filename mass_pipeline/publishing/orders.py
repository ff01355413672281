"""Which Masses of a diocese are published, proposed or withheld: the rows of `mass_schedules`, with their evidence (P18, V12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from mass_pipeline.learning.model import Trained
from mass_pipeline.model.records import ReadMass, SiteSchedule
from mass_pipeline.publishing.directory_lookups import directory_hosts_of, host_of, names_of
from mass_pipeline.publishing.reviews import ReviewLog, Reviews
from mass_pipeline.reading.changes import change_of
from mass_pipeline.reading.formats.osm import describe_service_times
from mass_pipeline.resources.lake import TableReader
from mass_pipeline.schedules.announced import Announced
from mass_pipeline.schedules.checked import RowAnswer, context_of, row_id
from mass_pipeline.schedules.config import FreshnessConfig
from mass_pipeline.schedules.publication import Publication, publish
from mass_pipeline.schedules.reviews import pending
from mass_pipeline.schedules.rows import ScheduleRow, rows_by_parish
from mass_pipeline.schedules.standing_order import Corroboration, Order, confirmed_wrong, settle, unread
from mass_pipeline.site_reading.combine import decided_schedule
from mass_pipeline.site_reading.hours import candidates_of
from mass_pipeline.site_reading.ownership.confidence import PUBLISH_FROM
from mass_pipeline.site_reading.ownership.sites import order_of, schedule_of_pages
from mass_pipeline.site_reading.pages import SiteReader, SiteReading, each_site


@dataclass(frozen=True, slots=True)
class Upstream:
    """What the orders of a diocese are made of.

    Attributes:
        key: of the diocese.
        parishes: the directory.
        crawled_pages, announcements: of the diocese.
        earlier: rows of its orders that are published so far.
    """

    key: str
    parishes: TableReader
    crawled_pages: TableReader
    announcements: TableReader
    earlier: TableReader


@dataclass(frozen=True, slots=True)
class DioceseOrders:
    """What is published of one diocese.

    Attributes:
        rows: of `mass_schedules`, by parish.
        figures: what the UI shows and plots.
        failed: parish_id -> why its site could not be read.
    """

    rows: list[dict[str, object]]
    figures: Mapping[str, int]
    failed: Mapping[str, str]


def publish_diocese(
    upstream: Upstream,
    site_reader: SiteReader,
    model: Trained | None,
    log: ReviewLog,
    ages: FreshnessConfig,
    answers: Sequence[RowAnswer] = (),
) -> DioceseOrders:
    """The rows of a diocese: what its sites, its directory and its announcements state, and people approved; what is withheld, or
    differs from what was approved, is proposed in the log.

    Args:
        upstream: the tables.
        site_reader: reads the sites.
        model: judges hours, where there is one.
        log: of proposals and decisions.
        ages: of pages that count.
        answers: what people settled about rows; rows that an approved report took out are known from the log.

    Raises:
        StorageError: a table or the log is damaged.
    """
    reviews = log.read()
    said = {one.row_id: one for one in (*answers, *confirmed_wrong(reviews.decisions))}
    read, statuses, failed = _read_orders(upstream, site_reader, model, ages, said.values())
    known = _approved_of(upstream, reviews)
    announced = announced_changes(upstream.announcements)
    published = {
        parish: publish(parish, read.get(parish, Order()), announced.get(parish, ()), reviews.decisions)
        for parish in sorted({*read, *known, *announced})
    }
    log.propose(one for publication in published.values() for one in publication.proposals)
    rows = [row for parish, publication in published.items() for row in publication_rows(parish, publication)]
    figures = {
        **_heard_figures(rows),
        "failed_sites": len(failed),
        "rows_withheld": sum(len(order.waiting) for order in read.values()),
        "parishes_with_schedule": sum(bool(publication.standing) for publication in published.values()),
        **{f"status_{status}": count for status, count in sorted(statuses.items())},
        **{f"method_{method}": count for method, count in sorted(Counter(str(row["method"]) for row in rows).items())},
        **_review_figures(published, log.read()),
    }
    return DioceseOrders(rows, figures, failed)


def _read_orders(
    upstream: Upstream,
    site_reader: SiteReader,
    model: Trained | None,
    ages: FreshnessConfig,
    answers: Iterable[RowAnswer],
) -> tuple[dict[str, Order], Counter[str], dict[str, str]]:
    """Standing orders that the sites of a diocese state, by parish; how the readings ended; and why those failed that did."""
    read: dict[str, Order] = {}
    statuses: Counter[str] = Counter()
    failed: dict[str, str] = {}
    stale = timedelta(ages.stale_days)
    directories = directory_hosts_of(upstream.parishes, upstream.key)
    last = rows_by_parish(upstream.earlier.rows(), standing=True)
    answers_of: dict[str, list[RowAnswer]] = {}
    for answer in answers:
        answers_of.setdefault(answer.parish_id, []).append(answer)
    sites = site_reader.sites(upstream.crawled_pages, names_of(upstream.parishes, upstream.key))

    def read_site(whole: SiteReading) -> tuple[str, str, Order]:
        site, directory = _apart(whole, directories.get(whole.parish_id, ""))
        answers = answers_of.get(site.parish_id, ())
        schedule = schedule_of(site, model, stale)
        order = _order_of(site, schedule, answers)
        evidence = Corroboration(
            () if directory is None else tuple(rows_of(directory, schedule_of(directory, model, stale).masses)),
            answers,
            list(_still_stated(whole, unread(site.parish_id, (*order.published, *order.waiting), answers))),
            last.get(site.parish_id, ()),
        )
        order = settle(site.parish_id, order, evidence, PUBLISH_FROM, ages.publish_from)
        return site.parish_id, schedule.status, order

    for parish, status, order in each_site(sites, read_site, failed):
        statuses[status] += 1
        read[parish] = order
    return read, statuses, failed


def _order_of(site: SiteReading, schedule: SiteSchedule, answers: Sequence[RowAnswer]) -> Order:
    """The order that the site states, with its evidence."""
    waiting = tuple(rows_of(site, (one.read for one in schedule.withheld), answers))
    reasons = tuple(dict.fromkeys(reason for one in schedule.withheld for reason in one.reasons))
    return Order(tuple(rows_of(site, schedule.masses, answers)), waiting, reasons)


def _still_stated(site: SiteReading, answers: Sequence[RowAnswer]) -> Iterator[tuple[RowAnswer, ScheduleRow]]:
    """Answers whose lines a page of the site has as they were, with what stands over them; each with its row on that page."""
    wanted = {one.context: one for one in answers if one.context}
    for page in site.pages if wanted else ():
        for hour in candidates_of(page.reading, site.parish_id):
            answer = wanted.pop(context_of(hour.time, hour.heading, hour.day_scope, hour.left, hour.right), None)
            if answer is not None:
                row = ScheduleRow(answer.mass, page.url, answer.quote, page.sha256, page.fetched_at, checked_at=page.checked_at)
                yield answer, row


def _apart(site: SiteReading, host: str) -> tuple[SiteReading, SiteReading | None]:
    """The parish's own pages and those on the host of its directory, where it has both."""
    listed = [page for page in site.pages if host and host_of(page.url) == host]
    if not listed or len(listed) == len(site.pages):
        return site, None
    own = tuple(page for page in site.pages if page not in listed)
    return replace(site, pages=own), replace(site, pages=tuple(listed), unreadable={})


def _approved_of(upstream: Upstream, reviews: Reviews) -> set[str]:
    """Parishes of a diocese with an approved order, also those whose site was not read this time."""
    approved = {one.proposal.parish_id for one in reviews.decisions if one.verdict == "approved"}
    if not approved:
        return set()
    rows = upstream.parishes.rows(["parish_id", "diocese_key"])
    return {str(row["parish_id"]) for row in rows if row["diocese_key"] == upstream.key and row["parish_id"] in approved}


def announced_changes(announcements: TableReader) -> dict[str, list[Announced]]:
    """Changes by parish out of the announcements of a diocese."""
    found: dict[str, list[Announced]] = {}
    columns = ["parish_id", "url", "issued", "article_sha256", "fetched_at", "changes"]
    for row in announcements.rows(columns):
        if row["issued"] is None:
            continue
        for change in row["changes"]:  # type: ignore[attr-defined]
            one = Announced(change_of(change), row["issued"], str(row["url"]), str(row["article_sha256"]), row["fetched_at"])  # type: ignore[arg-type]
            found.setdefault(str(row["parish_id"]), []).append(one)
    return found


def publication_rows(parish_id: str, publication: Publication) -> Iterator[dict[str, object]]:
    """Rows of mass_schedules for one parish; `service_times` tells the standing order alone."""
    osm = describe_service_times([row.mass for row in publication.standing])
    return (row.as_dict(parish_id, osm.value, points=osm.points, note=osm.note) for row in publication.rows)


def _heard_figures(rows: Iterable[Mapping[str, object]]) -> dict[str, int]:
    """How many rows other sources agree with or contradict."""
    said = Counter(f"{one['source']}_{one['says']}" for row in rows for one in row["heard"])  # type: ignore[attr-defined]
    return dict(sorted(said.items()))


def _review_figures(published: Mapping[str, Publication], reviews: Reviews) -> dict[str, int]:
    waiting = [one for one in pending(reviews.proposals, reviews.decisions) if one.parish_id in published]
    exceptions = Counter(f"exceptions_{row.exception}" for one in published.values() for row in one.exceptions)
    return {
        **dict(sorted(exceptions.items())),
        "changes_unresolved": sum(len(one.unresolved) for one in published.values()),
        "changes_for_review": sum(one.origin == "exception" for one in waiting),
        "orders_approved": sum(one.approved for one in published.values()),
        "orders_differing_from_approved": sum(one.differs for one in published.values()),
        "proposals_waiting": len(waiting),
    }


def schedule_of(site: SiteReading, model: Trained | None, stale: timedelta = timedelta.max) -> SiteSchedule:
    """What the site says about the standing order of Masses, judged by the classifier where there is one.

    Args:
        site: its pages; those that have failed for longer than `stale` count only when the others state no order.
    """
    old = site.left_behind(stale)
    if old:
        rest = replace(site, pages=tuple(page for page in site.pages if page.url not in old))
        schedule = schedule_of(rest, model)
        if schedule.masses:
            return schedule
    pages = site.judged
    schedule = schedule_of_pages(pages)
    if site.today is None:
        return decided_schedule(schedule, [page.reading for page in pages], site.parish_id, model)
    return order_of(schedule, pages, site.own, site.parish_id, model)


def rows_of(site: SiteReading, masses: Iterable[ReadMass], answers: Iterable[RowAnswer] = ()) -> Iterator[ScheduleRow]:
    """Rows of what a site states, by the words that people were asked about where they were; a Mass whose evidence is no
    crawled page is left out."""
    pages = {page.url: page for page in site.pages}
    asked = {one.row_id for one in answers}
    seen = set()
    for read in masses:
        stated = dict.fromkeys(one.source_url for one in read.evidence if one.source_url in pages and one.quote)
        if not stated or read.mass in seen:
            continue
        seen.add(read.mass)
        url, *others = stated
        for other in others if asked else ():
            if row_id(site.parish_id, read.mass, read.quote_of(other)) in asked:
                url = other
        page = pages[url]
        yield ScheduleRow(
            read.mass,
            url,
            read.quote_of(url),
            page.sha256,
            page.fetched_at,
            read.method,
            read.confidence,
            checked_at=page.checked_at,
        )
