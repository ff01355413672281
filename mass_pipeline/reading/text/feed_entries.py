"""Entries of a feed (RSS 2.0, RSS 1.0, RFC 4287 Atom) that hold their text, each as a page of its own with address and day.

Hostile input is expected: entities stay unresolved, nothing is loaded, sizes are capped. Feeds as lists of addresses are
`crawling.pages.feeds`'s, which walks them by what stands here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from email.utils import parsedate_to_datetime
from html import escape
from html.entities import html5
from typing import Final
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import ada_url
from lxml import etree
from lxml.etree import _Element as Element

from mass_pipeline.reading.words.written_dates import read_date

_BEGINS: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^<>]*>\s*)?(?:<\?xml-stylesheet[^<>]*>\s*)?(?:<!--.*?-->\s*)?<(?:rss|feed|rdf:rdf)[\s>]",
    re.I | re.S,
)
_LOOKED_AT: Final = 4_096  # bytes
_ROOT: Final = re.compile(rb"<\?xml\s|<(?:rss|feed|rdf:rdf|urlset|sitemapindex)[\s>]", re.I)
_MARKUP: Final = re.compile(rb"<(?:!doctype\s+)?html\b", re.I)
_AMPERSAND: Final = re.compile(rb"<!\[CDATA\[(?:.*?\]\]>|.*)|&(?:#\d{1,7};|#x[\da-f]{1,6};|([a-z]\w{0,30};))?", re.I | re.S)
_OF_XML: Final = frozenset({b"lt;", b"gt;", b"amp;", b"quot;", b"apos;"})
_POLAND: Final = ZoneInfo("Europe/Warsaw")
_ENTRIES: Final = ("item", "entry")
_DAYS: Final = ("pubDate", "published", "date", "updated")
_WHOLE: Final = ("encoded", "content")  # the text itself: content:encoded of RSS, content of Atom
_PERHAPS_CUT: Final = "description"
_CUT: Final = re.compile(r"(?:…|\.\.\.|\[…\]|\[\.\.\.\]|więcej|dalej|more)\W*\Z", re.I)
_TAGS: Final = re.compile(r"<[^<>]*>")
_SPACES: Final = re.compile(r"\s+")
_LONGEST_TEXT: Final = 20_000  # characters of a title, link or day: more is an entry that swallowed others
_LONGEST_PAGE: Final = 200_000  # characters of markup
_MOST_ENTRIES: Final = 30


@dataclass(frozen=True, slots=True)
class EntryPage:
    """An entry as a page.

    Attributes:
        url: its own address, absolute; that of the feed when it names none.
        title: "" when it has none.
        published: day, None when it does not tell.
        markup: a whole page: title, day, text.
    """

    url: str
    title: str
    published: date | None
    markup: str


def is_feed(body: bytes) -> bool:
    """Whether a body begins like a feed."""
    return _BEGINS.match(_from_root(body[:_LOOKED_AT])) is not None


def entry_pages(body: bytes, *, url: str = "") -> tuple[EntryPage, ...]:
    """The entries of a feed that hold their text, in its order, at most 30; each address once.

    A text that ends as if cut short is left out, for half an order is worse than none, and so are entries of other hosts.

    Args:
        body: as received.
        url: address of the feed; relative addresses are resolved against it.
    """
    root = root_of(body)
    if root is None:
        return ()
    found: dict[str, EntryPage] = {}
    for node in root.iter("{*}*"):
        page = _page(node, url) if name_of(node) in _ENTRIES else None
        if page is not None:
            found.setdefault(page.url, page)
        if len(found) == _MOST_ENTRIES:
            break
    return tuple(found.values())


def root_of(body: bytes) -> Element | None:
    """The root of an XML document, repaired as far as that goes; None for anything else.

    Warnings of a server before it are passed over; an ampersand that begins no entity of XML is one of the text.
    """
    body = _from_root(body)
    if not body.startswith(b"<"):
        return None
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        is_ascii_like = b"\0" not in body[:4] and body[:2] not in (b"\xfe\xff", b"\xff\xfe")
        return etree.fromstring(_AMPERSAND.sub(_as_xml, body) if is_ascii_like else body, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def _from_root(body: bytes) -> bytes:
    body = body.lstrip(b"\xef\xbb\xbf \t\r\n")
    root = _ROOT.search(body, 0, _LOOKED_AT)
    is_page = root is None or _MARKUP.search(body, 0, root.start()) is not None
    return body if root is None or is_page else body[root.start() :]


def _as_xml(match: re.Match[bytes]) -> bytes:
    """An ampersand with what follows, or a stretch that is text anyway, as XML has it; names of HTML as numbers."""
    name = match[1]
    if len(match[0]) > 1 and (name is None or name in _OF_XML):
        return match[0]
    letters = html5.get(name.decode()) if name else None
    return b"&amp;" + (name or b"") if letters is None else letters.encode("ascii", "xmlcharrefreplace")


def name_of(node: Element) -> str:
    """Name of an element without its namespace, "" for comments."""
    return etree.QName(node).localname if isinstance(node.tag, str) else ""


def text_of(node: Element | None) -> str:
    """Text of an element and what is in it, as far as anybody would write one."""
    return _SPACES.sub(" ", "".join(_parts(node, _LONGEST_TEXT))).strip()


def day_of(text: str) -> date | None:
    """Day in Poland of an RFC 822 or ISO 8601 moment, or of a date in any usual notation; None for anything else.

    >>> day_of("Sat, 28 Nov 2026 23:30:00 GMT"), day_of("Pt, 27 lis 2026 10:00:00 +0100")
    (datetime.date(2026, 11, 29), datetime.date(2026, 11, 27))
    """
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            moment = read(text)
            return (moment.astimezone(_POLAND) if moment.tzinfo else moment).date()
        except Exception:  # noqa: S112  # the libraries promise nothing for text that is no date
            continue
    return read_date(text)


def published_on(children: Mapping[str, Element], names: Iterable[str] = _DAYS) -> date | None:
    """The first day that one of these children tells."""
    days = (day_of(text_of(children[name])) for name in names if name in children)
    return next((day for day in days if day is not None), None)


def address_of(entry: Element, base: str = "") -> str:
    """Where an entry of a feed stands, as written, or by its `xml:base` (RFC 4287, 2); "" when it does not say.

    Args:
        base: address of the feed.
    """
    links = [child for child in entry if name_of(child) == "link"]
    if name_of(entry) == "entry":
        best = next((link for link in links if link.get("rel", "alternate") == "alternate"), None)
        return "" if best is None else _from_base(best, str(best.get("href") or ""), base)
    guid = next((child for child in entry if name_of(child) == "guid"), None)
    named = [*links, *([] if guid is None or guid.get("isPermaLink", "true") == "false" else [guid])]
    return next((_from_base(one, text, base) for one in named if (text := text_of(one))), "")


def _from_base(node: Element, address: str, base: str) -> str:
    own = node.base
    return _joined(_joined(base, str(own)), address) if own and address else address


def _page(entry: Element, base: str) -> EntryPage | None:
    children = children_of(entry)
    text = _text(children)
    if not text.strip():
        return None
    address = _joined(base, address_of(entry, base))
    if _host(address) != _host(base):
        return None
    title = text_of(children.get("title"))
    day = published_on(children)
    shown = f"<p>{day.day}.{day.month:02}.{day.year}</p>" if day else ""
    markup = (
        f"<!DOCTYPE html><html><head><title>{escape(title)}</title></head>"
        f"<body><main><h1>{escape(title)}</h1>{shown}{text}</main></body></html>"
    )
    return EntryPage(address, title, day, markup)


def _text(children: dict[str, Element]) -> str:
    for name in _WHOLE:
        markup = _markup_of(children[name]) if name in children else ""
        if markup.strip():
            return markup
    text = _markup_of(children[_PERHAPS_CUT]) if _PERHAPS_CUT in children else ""
    return "" if _CUT.search(_TAGS.sub("", text).strip()) else text


def _markup_of(node: Element) -> str:
    """Markup that an element holds, written out or escaped; "" for what lies elsewhere, or is too long to be an entry."""
    if node.get("type") == "xhtml":
        markup = b"".join(etree.tostring(child, encoding="utf-8", with_tail=False, method="html") for child in node).decode()
    else:
        markup = "".join(_parts(node, _LONGEST_PAGE))
        if node.get("type") == "text":
            markup = f"<p>{escape(markup)}</p>"
    return markup if len(markup) <= _LONGEST_PAGE else ""


def children_of(entry: Element) -> dict[str, Element]:
    """Children by name: of several the first in the namespace of the entry itself, else the first."""
    children = [child for child in reversed(entry) if isinstance(child.tag, str)]
    own = etree.QName(entry).namespace
    return {name_of(child): child for child in sorted(children, key=lambda child: etree.QName(child).namespace == own)}


def _parts(node: Element | None, most: int) -> Iterator[str]:
    length = 0
    for part in () if node is None else node.itertext():
        yield str(part)
        length += len(part)
        if length > most:
            return


def _joined(base: str, address: str) -> str:
    try:
        return str(ada_url.join_url(base, address)) if base and address else address or base
    except ValueError:
        return base


def _host(address: str) -> str:
    return urlsplit(address).netloc.lower().removeprefix("www.")
