"""Read one list page or one detail page of a directory in deon.pl's form. No network and no judgement of the whole here.

Selectors come from `DirectoryConfig`, because the directory's layout may change without us (original-system 5.1).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

import soupsieve
from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString

from mass_pipeline.gathering.config import DirectoryConfig

_PARSER = "lxml"


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
    soup = BeautifulSoup(body, _PARSER)
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
    soup = BeautifulSoup(body, _PARSER)
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
