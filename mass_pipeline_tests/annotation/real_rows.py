"""Questions about rows of real and written sites, made as the pipeline makes them: crawled pages, reading, tables, questions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from mass_pipeline.model.columns import ANNOUNCEMENTS, CANDIDATE_HOURS, CRAWLED_PAGES, MASS_SCHEDULES, PARISHES
from mass_pipeline.publishing.orders import Upstream, publish_diocese
from mass_pipeline.publishing.reviews import ReviewLog
from mass_pipeline.publishing.row_questions import row_questions
from mass_pipeline.resources.lake import Lake, open_lake, table_of
from mass_pipeline.resources.settings import load_settings
from mass_pipeline.schedules.checked import RowAnswer, RowQuestion
from mass_pipeline.schedules.config import FreshnessConfig
from mass_pipeline.site_reading.pages import SiteReader, each_site

TODAY = date(2026, 11, 26)
MOMENT = datetime(2026, 11, 20, 3, tzinfo=UTC)
KEY = "lodzka"

Sites = Mapping[str, Sequence[tuple[str, bytes]]]  # parish_id -> address and body of its pages


def crawled_row(parish: str, url: str, body: bytes) -> dict[str, object]:
    """A row of crawled_pages."""
    return {
        "parish_id": parish, "url": url, "final_url": url, "url_md5": hashlib.md5(url.encode()).hexdigest(),
        "start_url": url, "domain": "anna.example", "depth": 0, "referrer": None, "link_text": None, "outcome": "ok",
        "status": 200, "content_type": "text/html; charset=utf-8", "encoding": "utf-8", "etag": None, "last_modified": None,
        "fetched_at": MOMENT, "checked_at": MOMENT, "asked_at": MOMENT, "elapsed_ms": 1, "truncated": False, "rendering": None,
        "body": body, "body_sha256": hashlib.sha256(body).hexdigest(),
    }  # fmt: skip


def directory_row(parish: str) -> dict[str, object]:
    """A row of parishes."""
    texts = dict.fromkeys((one.name for one in PARISHES.columns if not one.nullable), "")
    given = {"parish_id": parish, "name": "Parafia św. Anny", "town": "Lipowiec", "diocese_key": KEY, "fetched_at": MOMENT}
    return {one.name: None for one in PARISHES.columns} | texts | given


def build(lake: Lake, log: ReviewLog, reader: SiteReader, answers: Sequence[RowAnswer] = ()) -> None:
    """Publish the schedules and the candidate hours of the crawled diocese."""
    tables = (CRAWLED_PAGES, ANNOUNCEMENTS, MASS_SCHEDULES)
    upstream = Upstream(KEY, lake.reader(PARISHES), *(lake.published(one, [KEY]) for one in tables))
    made = publish_diocese(upstream, reader, None, log, FreshnessConfig(), answers)
    lake.publish(MASS_SCHEDULES, {KEY: [table_of(MASS_SCHEDULES, made.rows)]})
    failed: dict[str, str] = {}
    hours = each_site(reader.sites(lake.reader(CRAWLED_PAGES, [KEY])), lambda site: list(site.candidate_rows()), failed)
    lake.publish(CANDIDATE_HOURS, {KEY: [table_of(CANDIDATE_HOURS, [row for found in hours for row in found])]})
    assert not failed


def questions_of(sites: Sites, folder: Path) -> Iterator[RowQuestion]:
    """Every row that the sites are read to state, published or waiting, as a question; one of each site in turn."""
    settings = load_settings({"MASS_PIPELINE_DATA_FOLDER": str(folder)}, with_removals=False)
    lake, log, reader = open_lake(settings), ReviewLog(settings.shared), SiteReader(lambda: TODAY)
    pages = [crawled_row(parish, *page) for parish, known in sorted(sites.items()) for page in sorted(known)]
    lake.publish(CRAWLED_PAGES, {KEY: [table_of(CRAWLED_PAGES, pages)]})
    lake.publish(PARISHES, {None: [table_of(PARISHES, [directory_row(name) for name in sorted(sites)])]})
    build(lake, log, reader)
    asked = row_questions(lake, [KEY], log.read(), (), whole=set(sites))
    number: dict[str, int] = {}
    order = []
    for one in asked:
        number[one.parish_id] = number.get(one.parish_id, 0) + 1
        order.append((number[one.parish_id], one.row_id))
    by_id = {one.row_id: one for one in asked}
    yield from (by_id[name] for _, name in sorted(order))
