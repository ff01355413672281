"""Walk a directory in deon.pl's form: list pages, then one detail page per parish, with a canary against layout changes.

Source: P1. Selectors come from `DirectoryConfig`, because the directory's layout may change without us.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urljoin, urlsplit

import soupsieve
from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString

from mass_pipeline.gathering.address import parse_address
from mass_pipeline.gathering.config import DirectoryConfig
from mass_pipeline.gathering.dioceses import Dioceses
from mass_pipeline.gathering.parish import Parish, entry_id
from mass_pipeline.gathering.ports import Fetch, Page
from mass_pipeline.gathering.tables import voivodeship_of
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


# single pages ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ListRow:
    """One parish on a list page: name, absolute URL of its detail page, and the cells by their configured names."""

    name: str
    detail_url: str
    cells: dict[str, str]


@dataclass(frozen=True, slots=True)
class ListPage:
    """A list page: its rows in order, and the highest page number its pager names (1 without a pager)."""

    title: str
    rows: tuple[ListRow, ...]
    last_page: int
    has_pager: bool


@dataclass(frozen=True, slots=True)
class DetailPage:
    """A detail page: pieces of the address in order (empty when the block is missing), and the web site it names."""

    address_parts: tuple[str, ...]
    website: str | None


def read_list_page(body: bytes, url: str, config: DirectoryConfig) -> ListPage:
    """Rows and pager of a list page; a page without any gives no rows and last page 1.

    Args:
        body: as received; the encoding is found by BeautifulSoup (header charset is not needed, meta is enough).
        url: for resolving links.
    """
    soup = BeautifulSoup(body, "lxml")
    rows = tuple(_rows(soup, url, config))
    numbers = list(_pager_numbers(soup, url, config))
    return ListPage(_title(soup), rows, max(numbers, default=1), bool(numbers))


def _rows(soup: BeautifulSoup, url: str, config: DirectoryConfig) -> Iterator[ListRow]:
    for cell in soup.select(config.row_selector):
        link = cell.find("a", href=True)
        if not isinstance(link, Tag):
            continue
        name = _text(link) or " ".join(str(link.get("title", "")).split())
        following = [_text(sibling) for sibling in cell.find_next_siblings("td") if isinstance(sibling, Tag)]
        if not name or len(following) < len(config.row_cells):
            continue
        cells = dict(zip(config.row_cells, following, strict=False))
        yield ListRow(name, urljoin(url, str(link["href"])), cells)


def _pager_numbers(soup: BeautifulSoup, url: str, config: DirectoryConfig) -> Iterator[int]:
    first = urlsplit(urljoin(config.start_url, "."))
    pattern = re.compile(re.escape(first.path + config.page_path).replace(re.escape("{page}"), r"(\d{1,6})") + r"\Z")
    for link in soup.find_all("a", href=True):
        target = urlsplit(urljoin(url, str(link["href"])))
        found = pattern.match(target.path)
        if found and target.hostname == first.hostname:
            yield int(found[1])


def list_page_url(config: DirectoryConfig, number: int) -> str:
    """URL of the n-th list page; the first has its own address.

    >>> list_page_url(DirectoryConfig(), 2)
    'https://www.deon.pl/parafie-koscioly/strona,2.html'
    """
    return config.start_url if number == 1 else urljoin(config.start_url, config.page_path.format(page=number))


def read_detail_page(body: bytes, url: str, config: DirectoryConfig) -> DetailPage:
    """Address pieces and web site of a detail page; each may be missing."""
    soup = BeautifulSoup(body, "lxml")
    heading = soup.select_one(config.address_selector)
    block = _next_matching(heading, config.address_block_selector) if heading else None
    parts = tuple(" ".join(piece.split()) for piece in block.stripped_strings) if block else ()
    return DetailPage(tuple(part for part in parts if part), _website(soup, url, config))


def _next_matching(start: Tag, selector: str) -> Tag | None:
    """The first element after `start` in document order that the selector matches (`css` needs a parent, not a start)."""
    return next((tag for tag in start.find_all_next(True) if isinstance(tag, Tag) and soupsieve.match(selector, tag)), None)


def _website(soup: BeautifulSoup, url: str, config: DirectoryConfig) -> str | None:
    for label in soup.select("b, strong"):
        words = _text(label)
        if not words.lower().startswith(config.website_label):
            continue
        inside = words[len(config.website_label) :].strip()
        return _as_url(inside or _until_break(label), url)
    return None


def _until_break(label: Tag) -> str:
    """Text after the label up to `<br>`; the target of a link there counts more than its words."""
    pieces: list[str] = []
    for node in label.next_siblings:
        if isinstance(node, Tag):
            if node.name == "br":
                break
            link = node if node.name == "a" else node.find("a", href=True)
            if isinstance(link, Tag) and link.get("href"):
                return str(link["href"])
            pieces.append(_text(node))
        elif isinstance(node, NavigableString):
            pieces.append(str(node))
    return " ".join(" ".join(pieces).split())


def _as_url(words: str, base: str) -> str | None:
    """An http(s) URL from what people write after "www:"; None when it is none.

    The base is not used to resolve it: "www.parafia.example" is a host here, never a path of the directory.
    """
    text = words.split()[0].rstrip(".,;") if words.split() else ""
    if not text:
        return None
    if not re.match(r"https?://", text, re.IGNORECASE):
        text = "http://" + text.lstrip("/")
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
    except ValueError:
        return None
    if "." not in host or host == urlsplit(base).hostname:
        return None
    return text


def _title(soup: BeautifulSoup) -> str:
    return _text(soup.title)[:80] if soup.title else ""


def _text(tag: Tag) -> str:
    return " ".join(tag.get_text(" ").split())
