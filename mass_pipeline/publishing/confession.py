"""When one can confess, as the pages of a diocese's parishes say: the rows of `confession_hours`. No Dagster here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from mass_pipeline.model.columns import GONE
from mass_pipeline.publishing.directory_lookups import names_of
from mass_pipeline.reading.confession import Confession, confessions_of
from mass_pipeline.reading.regular.schedule_blocks import names_several_parishes
from mass_pipeline.resources.lake import TableReader
from mass_pipeline.site_reading.pages import CrawledRows, ReadPage, SiteReader, SiteReading, each_site

_NAMES_IT: Final = re.compile(rb"(?i)spowied|spowiad|pokut|pojedn|konfesj")


@dataclass(frozen=True, slots=True)
class DioceseConfession:
    """What is published of one diocese.

    Attributes:
        rows: of `confession_hours`, by parish.
        failed: parish_id -> why its site could not be read.
    """

    rows: list[dict[str, object]]
    failed: Mapping[str, str]


def confession_of_diocese(
    key: str, parishes: TableReader, crawled_pages: TableReader, site_reader: SiteReader
) -> DioceseConfession:
    """The rows of a diocese; of each parish those of the one page that says most.

    Args:
        key: of the diocese.
        parishes, crawled_pages: the directory, and the pages of the diocese.
        site_reader: reads the pages that name confession.
    """
    failed: dict[str, str] = {}
    sites = site_reader.sites(_Naming(crawled_pages), names_of(parishes, key))
    return DioceseConfession([row for rows in each_site(sites, _rows_of_site, failed) for row in rows], failed)


@dataclass(frozen=True, slots=True)
class _Naming:
    """The crawled pages that name confession, without those that are gone."""

    pages: CrawledRows

    def rows(self, columns: Sequence[str]) -> Iterator[Mapping[str, object]]:
        """Rows with these columns, `body` and `outcome` among them."""
        for row in self.pages.rows(columns):
            if row["outcome"] != GONE and isinstance(row["body"], bytes) and _NAMES_IT.search(row["body"]):
                yield row


def _rows_of_site(site: SiteReading) -> list[dict[str, object]]:
    said = [(page, confessions_of(page.document)) for page in site.pages if not _is_of_others(page)]
    stated = [(page, rows) for page, rows in said if rows]
    if not stated:
        return []
    page, rows = min(stated, key=lambda one: (-len(one[1]), not one[0].reading.masses, len(one[0].url), one[0].url))
    return [_row(site.parish_id, page, one) for one in rows]


def _is_of_others(page: ReadPage) -> bool:
    """Whether the page is one of another church, or of several parishes."""
    return bool(page.judged.set_aside and not page.reading.masses) or names_several_parishes(page.document)


def _row(parish_id: str, page: ReadPage, one: Confession) -> dict[str, object]:
    return {
        **asdict(one),
        "parish_id": parish_id,
        "days": list(one.days),
        "nth": list(one.nth) if one.nth else None,
        "source_url": page.url,
        "page_sha256": page.sha256,
        "fetched_at": page.fetched_at,
        "checked_at": page.checked_at,
    }
