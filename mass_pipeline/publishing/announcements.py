"""What the parishes' sites announce about Masses, polled and kept for ever: the rows of `announcements` (C1-C8, J1, J6)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, Final, TypedDict

from mass_pipeline.crawl_readers.articles import read_article
from mass_pipeline.crawling import Seed
from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.crawling.fetching.scope import Scope
from mass_pipeline.crawling.fetching.urls import canonical_or_none, split
from mass_pipeline.crawling.pages.relevance import Topic, load_topic, topic_path
from mass_pipeline.crawling.state.schema import WATCH_FILE
from mass_pipeline.crawling.watching.config import PollingConfig, WatchConfig
from mass_pipeline.crawling.watching.engine import watch_sites
from mass_pipeline.crawling.watching.finding import SitePage, find_lists
from mass_pipeline.crawling.watching.records import PublishedAnnouncement, WatchReport
from mass_pipeline.crawling.watching.sites import WatchedSite, read_sites, with_configuration
from mass_pipeline.crawling.watching.store import keep_readings, next_due, read_announcements_of, searched_sites
from mass_pipeline.guard import TooCostly
from mass_pipeline.guard.sandbox import parsed
from mass_pipeline.model.columns import ANNOUNCEMENTS, READABLE_OUTCOMES
from mass_pipeline.reading.changes import ScheduleChange, change_of, read_changes
from mass_pipeline.reading.changes.issued import InferredDay, Sheet, inferred_days
from mass_pipeline.reading.words.masking.lines import masked
from mass_pipeline.resources.alerts import Alerts, notify_of
from mass_pipeline.resources.lake import TableReader
from mass_pipeline.resources.operation import OperationConfig
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.web import Web, crawl_config

_PAGE_COLUMNS: Final = ("parish_id", "url", "final_url", "depth", "link_text", "outcome", "content_type", "body")


@dataclass(frozen=True)
class FrozenClock(Clock):
    """A wall clock that stands still, so that the same pages give the same bytes; waiting is real."""

    moment: datetime

    def now(self) -> datetime:
        """See `Clock.now`."""
        return self.moment


@dataclass(frozen=True, slots=True)
class DioceseAnnouncements:
    """What is published of one diocese.

    Attributes:
        rows: of `announcements`, by site.
        figures: what the UI shows and plots.
        failing: site -> why it could not be polled.
        failed: address -> why an announcement could not be read.
    """

    rows: list[dict[str, object]]
    figures: Mapping[str, int | float]
    failing: Mapping[str, str]
    failed: Mapping[str, str]


def watch_diocese(
    key: str, crawled_pages: TableReader, seeds: list[Seed], settings: Settings, web: Web, version: str = ""
) -> DioceseAnnouncements:
    """Poll what is due of the sites of a diocese, and lay out all its announcements, those of earlier runs too.

    Args:
        key: of the diocese.
        crawled_pages: where the lists of new sites are found; empty before its first crawl.
        seeds: its sites, sorted by parish_id.
        settings: of watch, polling and crawl.
        web: that is asked.
        version: of the code that reads; what an earlier one read is read anew.
    """
    config = settings.section(WatchConfig)
    topic = load_topic(topic_path(config.topic))
    configured = read_sites(Path(config.sites_file)) if config.sites_file else []
    state = state_folder(settings, key)
    sites = watched_sites(seeds, crawled_pages, searched_sites(state), topic, config.lists_per_site)
    report = _watch(with_configuration(sites, configured), state, topic, settings, web)
    parishes = {seed.parish_id for seed in seeds}
    reader = ChangesReader(version)
    rows = announcement_rows((one for one in read_announcements_of(state) if one.site_id in parishes), reader)
    keep_readings(state, topic.name, reader.fresh)
    figures = {**_figures(report, rows), "unreadable_announcements": len(reader.failed)}
    return DioceseAnnouncements(rows, figures, report.failing, reader.failed)


def state_folder(settings: Settings, key: str) -> Path:
    """Where the watch of a diocese keeps its state."""
    return settings.data_folder / "state" / "watch" / key


def announcements_due(settings: Settings, key: str) -> datetime | None:
    """When a site of a diocese is due; the beginning of time before its first poll, None when it watches no site."""
    state = state_folder(settings, key)
    return next_due(state) if (state / WATCH_FILE).exists() else datetime(1970, 1, 1, tzinfo=UTC)


def _watch(sites: list[WatchedSite], state: Path, topic: Topic, settings: Settings, web: Web) -> WatchReport:
    operation = settings.section(OperationConfig)
    config = settings.section(WatchConfig)
    clock: Clock = FrozenClock(operation.clock()()) if operation.is_frozen else Clock()
    return watch_sites(
        sites,
        state=state,
        topic=topic,
        read_article=read_article,
        crawl=crawl_config(settings, is_local=web.is_local),
        watch=config,
        polling=settings.section(PollingConfig),
        connect_to=web.connect_to,
        clock=clock,
        once=True,
        notify=notify_of(Alerts.of(settings)),
    )


def watched_sites(seeds: list[Seed], pages: TableReader, searched: Collection[str], topic: Topic, most: int) -> list[WatchedSite]:
    """The sites of a diocese; new ones with the lists that their crawled pages show, others are searched by the watch.

    Args:
        seeds: sorted by parish_id; one whose URL is no address is left out.
        pages: crawled pages, sorted by parish_id.
        searched: parishes whose lists the watch knows already.
        most: lists per site.
    """
    found: dict[str, WatchedSite] = {}
    for seed in seeds:
        if url := canonical_or_none(seed.url if "://" in seed.url else f"http://{seed.url}"):
            found[seed.parish_id] = WatchedSite(seed.parish_id, url, seed.scope_prefix)
    if found.keys() <= set(searched):
        return list(found.values())
    for parish_id, site_pages in _pages_by_parish(pages):
        site = found.get(parish_id)
        if site is not None and parish_id not in searched:
            answered = site_pages[0].url  # where the start page answered, perhaps on another host
            scope = Scope(split(site.url), site.scope_prefix)
            hosts = () if scope.covers(split(answered)) else (answered,)
            scope.admit(split(answered))
            lists = find_lists(site_pages, scope=scope, topic=topic, most=most, read_article=read_article)
            found[parish_id] = replace(site, crawled_lists=lists.lists, crawled_menu=lists.menu, crawled_hosts=hosts)
    return list(found.values())


def _pages_by_parish(pages: TableReader) -> Iterator[tuple[str, list[SitePage]]]:
    """Readable pages of one parish after the other, least depth first, each address once."""
    readable = (row for row in pages.rows(_PAGE_COLUMNS) if row["outcome"] in READABLE_OUTCOMES and _is_page(row["body"]))
    for parish_id, rows in groupby(readable, key=lambda row: str(row["parish_id"])):
        ordered = sorted(rows, key=lambda row: (row["depth"], row["url"]))
        unique = {page.url: page for page in map(_site_page, reversed(ordered))}
        yield parish_id, list(reversed(unique.values()))


def _is_page(body: object) -> bool:
    return isinstance(body, bytes) and bool(body) and not body.startswith(b"%PDF-")


def _site_page(row: Mapping[str, object]) -> SitePage:
    body = row["body"]
    assert isinstance(body, bytes)
    content_type = str(row["content_type"]) if row["content_type"] else None
    return SitePage(str(row["final_url"] or row["url"]), body, str(row["link_text"] or ""), content_type)


class ChangesReader:
    """Reads the changes that announcements make, each once for a version of the code, where its reading can be ended.

    Args:
        version: of the code that reads.

    Attributes:
        fresh: announcement_id -> reading, of those that were read now, for `keep_readings`.
        failed: address -> reason of those that could not be read.
    """

    def __init__(self, version: str = "") -> None:
        self._version = version
        self.fresh: dict[str, str] = {}
        self.failed: dict[str, str] = {}

    def changes_of(self, one: PublishedAnnouncement, issued: date) -> list[ScheduleChange]:
        """The changes of an announcement; none when it cannot be read."""
        known = self._kept(one, issued)
        if known is None:
            known = self._read(one.text, issued)
            self.fresh[one.announcement_id] = json.dumps(known, default=str, ensure_ascii=False)
        if known["failed"]:
            self.failed[one.url] = known["failed"]
        return [_change_of(change) for change in known["changes"]]

    def _kept(self, one: PublishedAnnouncement, issued: date) -> _Reading | None:
        known: _Reading | None = json.loads(one.reading) if one.reading else None
        of_now = known is not None and (known["version"], known["issued"]) == (self._version, issued.isoformat())
        return known if of_now else None

    def _read(self, text: str, issued: date) -> _Reading:
        changes: list[dict[str, Any]] = []
        failed = ""
        try:
            changes = [asdict(change) for change in parsed(partial(read_changes, issued=issued), text)]
        except Exception as error:  # whatever an announcement does, it ends at the announcement
            failed = f"{type(error).__name__}: {error}" if isinstance(error, TooCostly) else type(error).__name__
        return {"version": self._version, "issued": issued.isoformat(), "failed": failed, "changes": changes}


class _Reading(TypedDict):
    version: str
    issued: str
    failed: str
    changes: list[dict[str, Any]]


def _change_of(values: Mapping[str, Any]) -> ScheduleChange:
    """The change that `asdict` and JSON have gone over."""
    days = {name: values[name] and date.fromisoformat(str(values[name])) for name in ("valid_from", "valid_to")}
    return change_of({**values, **days})


def announcement_rows(published: Iterable[PublishedAnnouncement], reader: ChangesReader) -> list[dict[str, object]]:
    """Rows of `announcements`, in order; the day of a sheet that its page does not tell is derived from its name and the sheets
    beside it where they leave one day.

    Args:
        published: sorted by site.
        reader: of their changes.
    """
    rows = []
    for _, of_site in groupby(published, key=lambda one: one.site_id):
        known = list(of_site)
        days = inferred_days([_sheet(list(of_article)) for _, of_article in groupby(known, key=lambda one: one.url)])
        rows += [announcement_row(one, reader, days.get(one.url)) for one in known]
    return rows


def _sheet(of_article: Sequence[PublishedAnnouncement]) -> Sheet:
    first = of_article[0]
    issued = next((one.issued for one in of_article if one.issued is not None), None)
    text = "\n".join(one.text for one in of_article)
    return Sheet(first.url, (first.title, first.anchor), text, issued, min(one.first_seen_at for one in of_article).date())


def announcement_row(one: PublishedAnnouncement, reader: ChangesReader, inferred: InferredDay | None = None) -> dict[str, object]:
    """A row of `announcements`; better code reads the changes of old announcements anew.

    The words as written stay in the state of the watch; whatever may be a person's is hidden here.

    Args:
        one: as the watch kept it.
        reader: of its changes.
        inferred: its day, where its page tells none; changes read with a day that nothing confirms wait for a person.
    """
    issued = one.issued or (inferred.day if inferred else None)
    changes = reader.changes_of(one, issued) if issued is not None else []
    if inferred is not None and one.issued is None and not inferred.is_confirmed:
        changes = [replace(change, doubts=tuple(dict.fromkeys((*change.doubts, "day")))) for change in changes]
    row: dict[str, object] = {name: getattr(one, name) for name in ANNOUNCEMENTS.names if hasattr(one, name)}
    return row | {
        "issued": issued,
        "parish_id": one.site_id,
        **{name: masked(str(getattr(one, name))) for name in ("anchor", "title", "text")},
        "author": None if not one.author else masked(one.author),
        "meta_keywords": masked(one.meta_keywords) if one.meta_keywords else None,
        "meta_description": masked(one.meta_description) if one.meta_description else None,
        "changes": [_change_row(change) for change in changes],
    }


def _change_row(change: ScheduleChange) -> dict[str, object]:
    return {name: _listed(value) for name, value in asdict(change).items()}


def _listed(value: object) -> object:
    if isinstance(value, dict):
        return {name: _listed(inner) for name, inner in value.items()}
    return list(value) if isinstance(value, tuple) else value


def _figures(report: WatchReport, rows: list[dict[str, object]]) -> dict[str, int | float]:
    """What the UI plots of one run."""
    changes = [change for row in rows for change in row["changes"]]  # type: ignore[attr-defined]
    kinds = Counter(str(change["kind"]) for change in changes)
    return {
        "sites": report.sites,
        "looks": report.looks,
        "requests": report.requests,
        "articles_read": report.articles,
        "new_announcements": report.new_announcements,
        "errors": report.errors,
        "failing_sites": len(report.failing),
        "parishes_with_announcements": len({row["parish_id"] for row in rows}),
        "dated_announcements": sum(row["issued"] is not None for row in rows),
        "early_requests": report.early_requests,
        "most_in_flight_per_host": report.most_in_flight_per_host,
        "seconds": report.seconds,
        **{f"changes_{kind}": count for kind, count in sorted(kinds.items())},
        "changes_doubtful": sum(bool(change["doubts"]) for change in changes),
    }
