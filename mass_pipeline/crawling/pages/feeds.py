"""Feeds and sitemaps: RSS, Atom, sitemaps, sitemap indexes and plain lists of addresses, as entries with their days.

Hostile input is expected: entities stay unresolved, nothing is loaded, sizes are capped. Norms: RSS 2.0, RFC 4287 (Atom),
sitemaps.org 0.9 (at most 50,000 entries and 50 MB; we read 10 MiB). Not here: whether an entry may be fetched.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

from lxml.etree import _Element as Element

from mass_pipeline.crawling.fetching.urls import canonical_or_none
from mass_pipeline.reading.text.feed_entries import address_of, children_of, name_of, published_on, root_of, text_of

FeedKind = Literal["rss", "atom", "sitemap", "sitemap_index", "list", "none"]

MAX_BYTES: Final = 10 * 2**20  # hazards T12
MAX_ENTRIES: Final = 50_000  # sitemaps.org
_MAX_TITLE: Final = 300
_KINDS: Final[dict[str, FeedKind]] = {
    "rss": "rss",
    "RDF": "rss",
    "feed": "atom",
    "urlset": "sitemap",
    "sitemapindex": "sitemap_index",
}
_ENTRY_TAGS: Final = {"rss": "item", "atom": "entry", "sitemap": "url", "sitemap_index": "sitemap"}
_DATE_TAGS: Final = ("pubDate", "published", "date", "updated", "lastmod")
_SPACES: Final = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a feed or of a list page: canonical address, its words, day of publication or change (None when not given)."""

    url: str
    anchor: str = ""
    published: date | None = None


@dataclass(frozen=True, slots=True)
class Feed:
    """What a document offers; `none` and no entries when it is no feed. Entries in order, each address once."""

    kind: FeedKind
    entries: tuple[Entry, ...] = ()


def read_feed(content: bytes, url: str = "") -> Feed:
    """Read a feed or sitemap.

    Args:
        content: body as received; gzip is unpacked, up to 10 MiB.
        url: canonical address of the document, for relative links.
    """
    body = _unpacked(content[:MAX_BYTES])
    root = root_of(body)
    if root is None:
        return _read_list(body.removeprefix(b"\xef\xbb\xbf"))
    kind = _KINDS.get(name_of(root), "none")
    if kind == "none":
        return Feed("none")
    nodes = (node for node in root.iter("{*}*") if name_of(node) == _ENTRY_TAGS[kind])
    return Feed(kind, _unique(_entry(node, kind, url) for node in nodes))


def _unpacked(content: bytes) -> bytes:
    if not content.startswith(b"\x1f\x8b"):
        return content
    try:
        return zlib.decompressobj(wbits=31).decompress(content, MAX_BYTES)
    except zlib.error:
        return b""


def _read_list(body: bytes) -> Feed:
    """A sitemap in plain text: one address per line."""
    lines = body.decode("utf-8", "replace").splitlines()[:MAX_ENTRIES]
    addresses = [line.strip() for line in lines if line.strip()]
    if not addresses or not all(line.startswith(("http://", "https://")) for line in addresses):
        return Feed("none")
    return Feed("list", _unique(_made(address, "", None, "") for address in addresses))


def _entry(node: Element, kind: FeedKind, base: str) -> Entry | None:
    children = children_of(node)
    is_of_map = kind in ("sitemap", "sitemap_index")  # some write the address without <loc>
    address = _own_text(children.get("loc", node)) if is_of_map else address_of(node, base)
    return _made(address, text_of(children.get("title")), published_on(children, _DATE_TAGS), base)


def _made(address: str, title: str, day: date | None, base: str) -> Entry | None:
    url = canonical_or_none(address, base or None) if address else None
    return Entry(url, title[:_MAX_TITLE], day) if url else None


def _unique(entries: Iterator[Entry | None]) -> tuple[Entry, ...]:
    found: dict[str, Entry] = {}
    for entry in entries:
        if entry is not None and len(found) < MAX_ENTRIES:
            found.setdefault(entry.url, entry)
    return tuple(found.values())


def _own_text(node: Element) -> str:
    """Text of an element without that of the elements in it: entries within entries would be read again for each of them."""
    parts = [node.text, *(child.tail for child in node)]
    return _SPACES.sub(" ", "".join(part for part in parts if part)).strip()
