"""Read the crawled pages of a site: bytes -> document -> what the rules read -> candidate hours. No Dagster here.

Two assets need the same readings (candidate hours, schedules); a reader keeps those of small crawls, so that a run over
the whole chain parses each page once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Final

from mass_pipeline.extraction.candidates import find_candidates
from mass_pipeline.extraction.reader import read_document
from mass_pipeline.model.columns import CANDIDATE_HOURS, READABLE_OUTCOMES
from mass_pipeline.model.document import Document
from mass_pipeline.model.errors import MassPipelineError
from mass_pipeline.resources.lake import TableReader
from mass_pipeline.schedule_grammar import PageReading, read_page

_COLUMNS: Final = (
    "parish_id",
    "url",
    "final_url",
    "depth",
    "link_text",
    "outcome",
    "content_type",
    "fetched_at",
    "body",
    "body_sha256",
)
_PAGES_KEPT: Final = 2_000  # about 100 MB of readings: the demo and single dioceses of a test, not a whole country


@dataclass(frozen=True, slots=True)
class ReadPage:
    """One page with what the rules read on it."""

    url: str
    sha256: str
    fetched_at: datetime | None
    document: Document
    reading: PageReading


@dataclass(frozen=True, slots=True)
class SiteReading:
    """The pages of one parish.

    Attributes:
        pages: sorted by URL.
        unreadable: URL -> reason of pages that could not be read.
    """

    parish_id: str
    pages: tuple[ReadPage, ...]
    unreadable: Mapping[str, str] = field(default_factory=dict)

    def candidate_rows(self) -> Iterator[dict[str, object]]:
        """Rows of candidate_hours."""
        for page in self.pages:
            masses = {place: verdict.mass for place, verdict in page.reading.verdicts.items() if verdict.mass is not None}
            hours = find_candidates(page.document, parish_id=self.parish_id, page_score=page.reading.score, readings=masses)
            for hour in hours:
                yield {name: getattr(hour, name) for name in CANDIDATE_HOURS.names}


class SiteReader:
    """Reads pages, and remembers the readings of the last ones."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str, str], tuple[Document, PageReading]] = {}

    def sites(self, crawled: TableReader) -> Iterator[SiteReading]:
        """The sites of crawled pages (sorted by parish_id, url), one after the other; parishes without pages are left out."""
        readable = (row for row in crawled.rows(_COLUMNS) if row["outcome"] in READABLE_OUTCOMES and row["body"])
        for parish_id, rows in groupby(readable, key=lambda row: str(row["parish_id"])):
            yield self._read_site(parish_id, rows)

    def _read_site(self, parish_id: str, rows: Iterable[Mapping[str, object]]) -> SiteReading:
        pages: list[ReadPage] = []
        unreadable: dict[str, str] = {}
        seen: set[str] = set()
        for row in rows:
            url = str(row["final_url"] or row["url"])
            if url in seen:  # two addresses that lead to one page
                continue
            seen.add(url)
            try:
                document, reading = self._read(row, url)
            except (MassPipelineError, ValueError, RecursionError) as error:
                unreadable[url] = f"{type(error).__name__}: {error}"[:200]
                continue
            fetched_at = row["fetched_at"]
            moment = fetched_at if isinstance(fetched_at, datetime) else None
            pages.append(ReadPage(url, str(row["body_sha256"]), moment, document, reading))
        return SiteReading(parish_id, tuple(pages), unreadable)

    def _read(self, row: Mapping[str, object], url: str) -> tuple[Document, PageReading]:
        key = (str(row["body_sha256"]), url, str(row["link_text"] or ""))
        if key not in self._kept:
            body = row["body"]
            assert isinstance(body, bytes)
            content_type = str(row["content_type"]) if row["content_type"] else None
            document = read_document(body, content_type=content_type, url=url, link_text=key[2])
            if len(self._kept) >= _PAGES_KEPT:
                self._kept.clear()
            self._kept[key] = (document, read_page(document))
        return self._kept[key]
