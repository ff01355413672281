"""A generation of the public index out of the published tables: built, judged, and put in force unless the gate objects."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.scope import OptOuts
from mass_pipeline.crawling.watching.records import PublishedAnnouncement
from mass_pipeline.crawling.watching.store import read_announcements_of
from mass_pipeline.finding.config import PublicConfig
from mass_pipeline.finding.formats.dumps import write_dumps
from mass_pipeline.finding.freshness import IN_TIME_SEARCH
from mass_pipeline.finding.index.building import Figures, Horizon, build_index
from mass_pipeline.finding.index.changes import Former, changes_since, objections, read_former
from mass_pipeline.finding.index.facts import ParishFacts
from mass_pipeline.finding.index.generations import INDEX_NAME, Generation, Generations
from mass_pipeline.finding.index.news import DAYS, NewsItem
from mass_pipeline.finding.index.records import ConfessionRecord
from mass_pipeline.finding.index.schema import require_sqlite
from mass_pipeline.model.columns import (
    ANNOUNCEMENTS,
    CONFESSION_HOURS,
    MASS_SCHEDULES,
    PARISH_POSITIONS,
    PARISH_STATES,
    PARISH_URLS,
    PARISHES,
)
from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.states import KNOWN_STATES
from mass_pipeline.publishing.generations import generations_of
from mass_pipeline.publishing.positions import MapFiles, towns_of
from mass_pipeline.reading.words.masking.lines import masked
from mass_pipeline.resources.lake import Lake, TableReader
from mass_pipeline.resources.operation import OperationConfig
from mass_pipeline.resources.settings import Settings
from mass_pipeline.schedules.config import FreshnessConfig
from mass_pipeline.schedules.freshness import freshness, why_not_in_force
from mass_pipeline.schedules.rows import ScheduleRow

Row = Mapping[str, Any]  # a row of a published table, by column
# Columns that go into the index as they are.
_OF_DIRECTORY: Final = (
    "parish_id", "name", "town", "voivodeship", "diocese_key", "diocese", "deanery", "street", "postcode", "directory_url",
    "source",
)  # fmt: skip
_OF_POSITION: Final = ("latitude", "longitude", "precision_m", "licence", "attribution", "wheelchair", "wheelchair_at")
_OF_ORDER: Final = ("service_times", "service_times_points", "service_times_note")
HELD: Final = "an operator went back to an earlier one, which holds until `mass-pipeline public rollback --lift`"
_POLAND: Final = ZoneInfo("Europe/Warsaw")


@dataclass(frozen=True, slots=True)
class PublishedTables:
    """What the index shows: whole tables, and the file of towns where the settings name one."""

    parishes: TableReader
    parish_urls: TableReader
    parish_positions: TableReader
    mass_schedules: TableReader
    confession_hours: TableReader
    parish_states: TableReader
    announcements: TableReader
    gazetteer: Path | None

    @classmethod
    def of(cls, lake: Lake, settings: Settings) -> PublishedTables:
        """Those of a lake.

        Raises:
            StorageError: the directory or the look-ups were never published.
        """
        return cls(
            lake.reader(PARISHES),
            lake.reader(PARISH_URLS),
            lake.published(PARISH_POSITIONS),
            lake.published(MASS_SCHEDULES),
            lake.published(CONFESSION_HOURS),
            lake.published(PARISH_STATES),
            lake.published(ANNOUNCEMENTS),
            MapFiles.of(settings).gazetteer,
        )

    def news(self, today: date, without: Collection[str]) -> Iterator[NewsItem]:
        """What was kept lately.

        Args:
            today: in Poland.
            without: parish_ids that wish not to be shown.
        """
        rows = self.announcements.rows(["parish_id", "url", "site", "title", "issued", "position", "text", "first_seen_at"])
        yield from _news((row for row in rows if row["parish_id"] not in without), today)

    def facts(self, now: datetime, ages: FreshnessConfig) -> Iterator[ParishFacts]:
        """Every parish of the directory with what the tables say of it; `ages` of fresh and aging orders."""
        sites = {str(row["parish_id"]): row for row in self.parish_urls.rows(["parish_id", "status", "url"])}
        points = _by_parish(self.parish_positions.rows())
        states = _by_parish(self.parish_states.rows())
        orders, confession = _all_by_parish(self.mass_schedules.rows()), _all_by_parish(self.confession_hours.rows())
        for row in self.parishes.rows():
            key = str(row["parish_id"])
            facts = _facts(row, sites.get(key, {}), points.get(key, {}), states.get(key, {}), orders.get(key, []), now, ages)
            yield replace(facts, confession=tuple(_confession(confession.get(key, []), now, ages)))


def portal_news(state: str, today: date, removals: OptOuts) -> Iterator[NewsItem]:
    """What a watch over portals kept lately, masked as announcements of parishes are; nothing without a folder.

    Args:
        removals: pages that are not shown, at the wish of their owner; the watch forgets them when it runs next.

    Raises:
        StorageError: the folder has no state of a watch.
    """
    if state:
        kept = (one for one in read_announcements_of(Path(state)) if not removals.covers(one.url))
        yield from _news(map(_row_of_portal, kept), today)


def _row_of_portal(one: PublishedAnnouncement) -> Row:
    own = {name: getattr(one, name) for name in ("url", "site", "issued", "position", "first_seen_at")}
    return {**own, "parish_id": one.site_id, "title": masked(one.title), "text": masked(one.text)}


def _news(rows: Iterable[Row], today: date) -> Iterator[NewsItem]:
    for row in rows:
        seen = row["first_seen_at"]
        day = min(row["issued"] or seen.astimezone(_POLAND).date(), today)
        if (today - day).days < DAYS:
            yield NewsItem(
                day, row["url"], row["position"], row["parish_id"], row["site"], row["title"], row["text"], seen.isoformat()
            )


def publish_index(tables: PublishedTables, settings: Settings) -> Generation:
    """Build a generation from the published tables and put it in force unless the gate objects.

    Returns:
        the new generation; its manifest lists the objections, none when it is in force.

    Raises:
        StorageError: the disk refuses; the last generation stays.
    """
    require_sqlite()
    config = settings.section(PublicConfig)
    operation = settings.section(OperationConfig)
    ages = settings.section(FreshnessConfig)
    now = operation.clock()()
    today = operation.today()
    generations = generations_of(settings)
    former = _former(generations)
    everybody = list(tables.facts(now, ages))
    parishes = [one for one in everybody if one.parish_id not in config.opt_out and one.state != "opt_out"]
    crawl = settings.section(CrawlConfig)
    removals = OptOuts.of(crawl.removed_hosts, crawl.removed_urls)
    without = {*config.opt_out, *(one.parish_id for one in everybody if one.state == "opt_out")}
    known = read_former(former) if former else Former({})
    withdrawn = {key: None for key in known.rows if key not in {one.parish_id for one in parishes}}

    def write(folder: Path) -> dict[str, object]:
        index = folder / INDEX_NAME
        figures = build_index(
            index, parishes, Horizon(today - timedelta(1), config.horizon_days), now,
            changes=changes_since(known, parishes, now) if former else (),
            news=chain(tables.news(today, without), portal_news(config.portals_state, today, removals)),
            aliases={**dict(known.aliases), **withdrawn},
            localities=towns_of(tables.gazetteer),
            meta=_meta(config, operation, ages),
        )  # fmt: skip
        against = objections(
            index, former, today,
            min_parishes_share=config.min_parishes_share, min_occurrences_share=config.min_occurrences_share,
        )  # fmt: skip
        files = write_dumps(
            index, folder / "dumps", today=today, built_at=now, licence=config.licence,
            directory_confirmed=config.directory_confirmed, address=config.base_url,
        )  # fmt: skip
        is_tried = _can_serve() and figures.parishes > 0
        against += _tried(index, now) if is_tried else []
        against += [HELD] if generations.is_held else []
        return {
            "built_at": now.isoformat(), **_figures(figures, parishes), "dump_files": files, "is_tried": is_tried,
            "objections": against,
        }  # fmt: skip

    generation = generations.build(now, write)
    if not generation.manifest()["objections"]:
        generations.put_in_force(generation)
    generations.forget_old(config.keep_generations)
    return generation


def _can_serve() -> bool:
    """Whether the site can be started here: the extra `public` is installed."""
    return find_spec("fastapi") is not None and find_spec("jinja2") is not None


def _tried(index: Path, now: datetime) -> list[str]:
    """What the site, started on the index, does not answer."""
    from mass_pipeline.public_web.trial import trial

    return trial(index, now)


def _meta(config: PublicConfig, operation: OperationConfig, ages: FreshnessConfig) -> dict[str, str]:
    """What the index says of itself."""
    return {
        "licence": config.licence,
        "timezone": operation.timezone,
        "fresh_days": f"{ages.fresh_days:g}",
        "stale_days": f"{ages.stale_days:g}",
    }


def _figures(built: Figures, parishes: Sequence[ParishFacts]) -> dict[str, object]:
    """What the manifest says of a generation."""
    states = Counter(one.state for one in parishes)
    return {
        "parishes": built.parishes,
        "with_order": built.with_order,
        "masses": built.masses,
        "occurrences": built.occurrences,
        "states": dict(sorted(states.items())),
    }


def _former(generations: Generations) -> Path | None:
    """The index in force; a damaged one is nothing to compare with."""
    try:
        present = generations.current()
    except StorageError:
        return None
    return present.index if present else None


def _facts(parish: Row, site: Row, point: Row, state: Row, order: list[Row], now: datetime, ages: FreshnessConfig) -> ParishFacts:
    rows = tuple(ScheduleRow.from_dict(row) for row in order)
    word, reason, checked_at = _state(site, state, rows, now, ages)
    told: dict[str, Any] = {name: _text(parish[name]) for name in _OF_DIRECTORY}
    told |= {name: point.get(name) for name in _OF_POSITION}
    told |= {name: _text(order[0][name]) for name in _OF_ORDER} if order else {}
    return ParishFacts(
        site=_text(site.get("url")) if site.get("status") == "ok" else "",
        state=word,
        reason=reason,
        state_url=_text(state.get("url")),
        checked_at=checked_at,
        approved_at=_moment(state.get("approved_at")),
        differs=bool(state.get("differs")),
        proposals=int(state.get("proposals") or 0),
        position_method=point.get("method"),
        position_source_id=point.get("source_id"),
        **told,
        rows=rows,
    )


def _state(
    site: Row, state: Row, rows: tuple[ScheduleRow, ...], now: datetime, ages: FreshnessConfig
) -> tuple[str, str, datetime | None]:
    """State today, its reason in words, and when the order was last confirmed; freshness is that of now, not of the table."""
    confirmed = [moment for row in rows if row.exception is None and (moment := row.checked_at or row.fetched_at)]
    checked_at = _moment(state.get("checked_at")) or max(confirmed, default=None)
    said = _text(state.get("state"))
    if said and said not in KNOWN_STATES:
        return said, _text(state.get("reason")), checked_at
    if any(row.exception is None for row in rows):
        why = why_not_in_force(rows, now.astimezone(_POLAND).date())
        return ("not_said_current" if why else freshness(checked_at, now, ages)), why, checked_at
    if said:
        return "no_schedule", _text(state.get("reason")), checked_at
    status = site.get("status")
    return ("no_schedule" if status == "ok" else "pending" if status == "pending" else "no_site"), "", checked_at


def _confession(rows: Iterable[Row], now: datetime, ages: FreshnessConfig) -> Iterator[ConfessionRecord]:
    """Hours of confession whose page was confirmed lately."""
    for row in rows:
        checked_at = _moment(row["checked_at"]) or _moment(row["fetched_at"])
        if freshness(checked_at, now, ages) in IN_TIME_SEARCH:
            plain = {name: row[name] for name in ("tied", "start", "until", "minutes", "masses", "source_url", "quote")}
            yield ConfessionRecord(days=tuple(row["days"]), nth=tuple(row["nth"] or ()), checked_at=checked_at, **plain)


def _all_by_parish(rows: Iterable[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[str(row["parish_id"])].append(row)
    return found


def _by_parish(rows: Iterable[Row]) -> dict[str, Row]:
    return {str(row["parish_id"]): row for row in rows}


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _moment(value: object) -> datetime | None:
    return value if isinstance(value, datetime) else None
