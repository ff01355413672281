"""Entries of a feed (RSS 2.0, RSS 1.0, RFC 4287 Atom) that hold their text, each as a page of its own with address and day.

Hostile input is expected: entities stay unresolved, nothing is loaded, sizes are capped. Feeds as lists of addresses are
`crawler.pages.feeds`'s, which walks them by what stands here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from email.utils import parsedate_to_datetime
from html import escape
from typing import Final
from urllib.parse import urlsplit

import ada_url
from lxml import etree
from lxml.etree import _Element as Element

_BEGINS: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^<>]*>\s*)?(?:<\?xml-stylesheet[^<>]*>\s*)?(?:<!--.*?-->\s*)?<(?:rss|feed|rdf:rdf)[\s>]",
    re.I | re.S,
)
_LOOKED_AT: Final = 4_096  # bytes
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
    return _BEGINS.match(body[:_LOOKED_AT]) is not None


def entry_pages(body: bytes, *, url: str = "") -> tuple[EntryPage, ...]:
    """The entries of a feed that hold their text, in its order, at most 30; each address once.

    A text that ends as if cut short is left out, for half an order is worse than none, and so are entries of other hosts.

    Args:
        body: as received.
        url: address of the feed; relative addresses are resolved against it.
    """
    root = root_of(body.lstrip(b"\xef\xbb\xbf \t\r\n"))
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
    """The root of an XML document, repaired as far as that goes; None for anything else."""
    if not body.startswith(b"<"):
        return None
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def name_of(node: Element) -> str:
    """Name of an element without its namespace, "" for comments."""
    return etree.QName(node).localname if isinstance(node.tag, str) else ""


def text_of(node: Element | None) -> str:
    """Text of an element and what is in it, as far as anybody would write one."""
    return _SPACES.sub(" ", "".join(_parts(node, _LONGEST_TEXT))).strip()


def day_of(text: str) -> date | None:
    """Day of an RFC 822 or ISO 8601 date, as written, without change of zone; None for anything else."""
    try:
        return datetime.fromisoformat(text[:10]).date()
    except ValueError:
        pass
    try:
        return parsedate_to_datetime(text).date()
    except (ValueError, TypeError, IndexError):
        return None


def address_of(entry: Element) -> str:
    """Where an entry of a feed stands, as written; "" when it does not say."""
    children = _children(entry)
    if name_of(entry) == "entry":
        links = [child for child in entry if name_of(child) == "link"]
        best = next((link for link in links if link.get("rel", "alternate") == "alternate"), None)
        return "" if best is None else str(best.get("href") or "")
    guid = children.get("guid")
    is_link = guid is not None and guid.get("isPermaLink", "true") != "false"
    return text_of(children.get("link")) or (text_of(guid) if is_link else "")


def _page(entry: Element, base: str) -> EntryPage | None:
    children = _children(entry)
    text = _text(children)
    if not text.strip():
        return None
    address = _joined(base, address_of(entry))
    if _host(address) != _host(base):
        return None
    title = text_of(children.get("title"))
    day = next((day_of(text_of(children[name])) for name in _DAYS if name in children), None)
    shown = f"<p>{day.day}.{day.month:02}.{day.year}</p>" if day else ""
    markup = (
        f"<!DOCTYPE html><html><head><title>{escape(title)}</title></head>"
        f"<body><main><h1>{escape(title)}</h1>{shown}{text}</main></body></html>"
    )
    return EntryPage(address, title, day, markup)


def _text(children: dict[str, Element]) -> str:
    for name in _WHOLE:
        if name in children:
            return _markup_of(children[name])
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


def _children(entry: Element) -> dict[str, Element]:
    return {name_of(child): child for child in reversed(entry) if isinstance(child.tag, str)}


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
