"""Walk a directory in deon.pl's form: list pages, then one detail page per parish, with a canary against layout changes.

Source: P1; original-system 5.1. Reading single pages is the business of `deon_pages`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from mass_pipeline.gathering.address import parse_address
from mass_pipeline.gathering.config import DirectoryConfig
from mass_pipeline.gathering.deon_pages import DetailPage, ListPage, ListRow, list_page_url, read_detail_page, read_list_page
from mass_pipeline.gathering.dioceses import Dioceses
from mass_pipeline.gathering.parish import Parish, entry_id
from mass_pipeline.gathering.ports import Fetch, Page
from mass_pipeline.gathering.postcodes import voivodeship_of
from mass_pipeline.model.errors import ConfigurationError, LayoutChanged

SOURCE: Final = "deon"
_EARLY_DETAILS: Final = 20  # a captcha wall should stop the walk after some pages, not after ten thousand
_BROKEN_ROW: Final = "rows with a link and the cells after it"


def read_directory(
    fetch: Fetch, config: DirectoryConfig, *, dioceses: Dioceses, previous_count: int | None = None
) -> Iterator[Parish]:
    """Every parish of the directory, in its order; lazily, one list page and its detail pages at a time.

    Args:
        fetch: gives pages; raises `FetchError` when a page cannot be had after all retries.
        config: where to begin, and the selectors.
        dioceses: gives the keys of the dioceses.
        previous_count: number of parishes of the last good run, None when there was none.

    Returns:
        Parishes; never an empty walk: that is a changed layout. Publish only after the iterator has ended well.

    Raises:
        LayoutChanged: the canary failed: too few rows on a page, a missing pager page, too few rows with a diocese, too few
            detail pages with an address, or a total too far from the last run's.
        ConfigurationError: live fetching is not allowed by the settings.
        FetchError: a page could not be fetched.
    """
    _require_consent(config)
    canary = _Canary(config, previous_count)
    seen: set[str] = set()
    number = last = 1
    while number <= last:
        page = fetch(list_page_url(config, number))
        listing = read_list_page(page.body, page.url, config)
        last = max(last, listing.last_page)
        canary.look_at_list(listing, number, last)
        for row in listing.rows:
            if row.detail_url in seen:
                continue
            seen.add(row.detail_url)
            yield _read_parish(row, fetch(row.detail_url), config, dioceses, canary)
        number += 1
    canary.look_at_all()


def _require_consent(config: DirectoryConfig) -> None:
    if not config.allow_live:
        raise ConfigurationError(
            f"Fetching {config.start_url} is switched off: read docs/terms.md, make sure that the directory's terms or its "
            "owner allow it, then set MASS_PIPELINE_DIRECTORY_ALLOW_LIVE=true; or take parishes from a file with "
            "MASS_PIPELINE_DIRECTORY_TABLE_FILE."
        )


def _read_parish(row: ListRow, page: Page, config: DirectoryConfig, dioceses: Dioceses, canary: _Canary) -> Parish:
    detail = read_detail_page(page.body, page.url, config)
    canary.look_at_row(row)
    canary.look_at_detail(detail, page)
    town, diocese = row.cells.get("town", ""), row.cells.get("diocese", "")
    address = parse_address(detail.address_parts or (row.name, town), town)
    voivodeship = (row.cells.get("voivodeship") or address.voivodeship or "").lower()
    return Parish(
        parish_id=entry_id(SOURCE, _without_scheme(row.detail_url)),
        name=row.name,
        town=town,
        voivodeship=voivodeship or voivodeship_of(address.postcode),
        address=address.text,
        street=address.street,
        postcode=address.postcode,
        deanery=row.cells.get("deanery") or None,
        diocese=diocese,
        diocese_key=dioceses.key_of(diocese),
        directory_url=row.detail_url,
        website_hint=detail.website,
        source=SOURCE,
        fetched_at=page.fetched_at,
    )


def _without_scheme(url: str) -> str:
    """A parish keeps its identifier when the directory moves to https."""
    return url.split("://", 1)[-1]


@dataclass(slots=True)
class _Canary:
    """Counts what a healthy directory always has, and stops the walk loudly when it is missing."""

    config: DirectoryConfig
    previous_count: int | None
    rows: int = 0
    rows_with_diocese: int = 0
    details: int = 0
    details_with_address: int = 0
    _source: str = field(init=False)

    def __post_init__(self) -> None:
        self._source = f"The directory {self.config.start_url}"

    def look_at_list(self, listing: ListPage, number: int, last: int) -> None:
        """Every page but the last must be (nearly) full; the last must not be empty; a full first page needs a pager."""
        count, config = len(listing.rows), self.config
        wanted = min(config.canary_rows, config.rows_per_page) if number < last or number == 1 else 1
        if count < wanted:
            found = f"{count} on page {number} of {last} (title {listing.title!r})"
            raise LayoutChanged(self._source, f"at least {wanted} {_BROKEN_ROW}", found)
        if number == 1 and not listing.has_pager and self.previous_count is not None and self.previous_count > count:
            raise LayoutChanged(self._source, f"a pager, as the last run had {self.previous_count} parishes", "none on page 1")
        if number < last and not listing.has_pager:
            raise LayoutChanged(self._source, "a pager on every list page", f"none on page {number} of {last}")

    def look_at_row(self, row: ListRow) -> None:
        self.rows += 1
        self.rows_with_diocese += bool(row.cells.get("diocese"))

    def look_at_detail(self, detail: DetailPage, page: Page) -> None:
        self.details += 1
        self.details_with_address += bool(detail.address_parts)
        if self.details == _EARLY_DETAILS:
            self._require_shares(page.url)

    def look_at_all(self) -> None:
        """Totals at the end of the walk."""
        self._require_shares("the whole directory")
        previous, tolerance = self.previous_count, self.config.canary_count_tolerance
        if previous and abs(self.rows - previous) > tolerance * previous:
            raise LayoutChanged(
                self._source, f"{previous} parishes as in the last run, give or take {tolerance:.0%}", str(self.rows)
            )

    def _require_shares(self, where: str) -> None:
        shares = (
            ("rows with a diocese", self.rows_with_diocese, self.rows, self.config.canary_diocese_share),
            ("detail pages with an address", self.details_with_address, self.details, self.config.canary_address_share),
        )
        for what, count, total, least in shares:
            if total and count < least * total:
                raise LayoutChanged(self._source, f"at least {least:.0%} {what}", f"{count} of {total} (up to {where})")
