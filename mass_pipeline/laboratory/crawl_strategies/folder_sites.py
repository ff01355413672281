"""Real sites saved as folders of pages, put back on a web: which address each page had, what links to it, where it starts.

A folder holds the pages of one site. The order of its files says nothing: numbers before their names are left out, and links that
have to be made up stand in seeded random order. Files in, addresses and bytes out; serving them is the caller's.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import chain
from pathlib import Path
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from mass_pipeline.crawling.fetching.urls import BadUrl, canonicalize, split
from mass_pipeline.crawling.pages.links import read_links
from mass_pipeline.crawling.pages.relevance import words_of
from mass_pipeline.model.identifiers import slug
from mass_pipeline.reading.text.charset import decode

_NUMBER: Final = re.compile(r"^\d{1,3}-")
_STARTS: Final = ("index", "home", "start", "main", "strona-glowna", "default")
_MARKUP: Final = frozenset({".html", ".htm", ".php", ".xhtml"})
_MOST_ANCHOR_CHARS: Final = 60
_DEPTH: Final = 3  # P5
_MOST_ALIKE: Final = 200  # files of one name


@dataclass(frozen=True, slots=True)
class ServedPage:
    """A page with its address and its bytes; `file` is "" for a start page that had to be made up."""

    url: str
    file: str
    body: bytes = field(repr=False)
    content_type: str


@dataclass(frozen=True, slots=True)
class FolderSite:
    """A site on its own host.

    Attributes:
        pages: URL -> page; the start page is among them.
        reached: URLs that the pages' own links lead to from the start page, before links were made up.
    """

    name: str
    start_url: str
    pages: Mapping[str, ServedPage]
    reached: frozenset[str]


def read_sites(folder: Path, seed: int) -> list[FolderSite]:
    """Every site of a folder of folders, sorted by name; folders without files are left out."""
    folders = sorted(path for path in folder.iterdir() if path.is_dir())
    return [read_site(path, seed) for path in folders if any(path.iterdir())]


def read_site(folder: Path, seed: int) -> FolderSite:
    """Put one site together: addresses from canonical links, else from the links of its pages, else from the file names.

    Links of a page to its own host by https lead to http, the only thing a loopback server speaks.

    Pages that no link leads to get one on the start page, with their heading as its text; without a start page one is made.
    """
    files = sorted(path for path in folder.iterdir() if path.is_file())
    bodies = {path: path.read_bytes() for path in files}
    texts = {path: decode(body).text for path, body in bodies.items() if path.suffix in _MARKUP}
    host = _host_of(texts.values()) or f"{slug(folder.name) or 'site'}.example"
    root = f"http://{host}/"
    bodies = {path: body.replace(f"https://{host}".encode(), root[:-1].encode()) for path, body in bodies.items()}
    addresses = _addresses(files, texts, root)
    start = _start_of(addresses, root)
    pages = {url: ServedPage(url, path.name, bodies[path], _content_type(path)) for path, url in addresses.items()}
    if start is None:
        start = root
        pages[start] = ServedPage(start, "", b"<html><body></body></html>", "text/html; charset=utf-8")
    reached = _reached(start, pages)
    orphans = [url for url in pages if url not in reached]
    random.Random(f"{seed} {folder.name}").shuffle(orphans)
    if orphans:
        pages[start] = _with_links(pages[start], [pages[url] for url in orphans])
    return FolderSite(folder.name, start, pages, frozenset(reached))


def _host_of(texts: Collection[str]) -> str:
    """Host that most pages name as their own, "" when few do."""
    hosts = Counter(split(url).host for url in map(_canonical_of, texts) if url)
    (host, count), *_ = [*hosts.most_common(1), ("", 0)]
    return host if count > len(texts) / 2 else ""


def _canonical_of(text: str) -> str | None:
    """Absolute address a page gives itself: `<link rel=canonical>`, else og:url; None without one."""
    tree = LexborHTMLParser(text)
    for node, name in ((tree.css_first("link[rel=canonical]"), "href"), (tree.css_first('meta[property="og:url"]'), "content")):
        written = node.attributes.get(name) if node is not None else None
        if written and "://" in written:
            try:
                return canonicalize(written).replace("https://", "http://", 1)
            except BadUrl:
                continue
    return None


def _addresses(files: Sequence[Path], texts: Mapping[Path, str], root: str) -> dict[Path, str]:
    """File -> its address, no two alike: the first wish of each that is free, the surest wishes of all files first."""
    stems = {path: slug(_NUMBER.sub("", path.stem)) or "page" for path in files}
    linked, canonical = _linked_by_stem(texts, root), {path: _canonical_of(text) for path, text in texts.items()}
    unnamed = Counter(stems[path] for path in files if not canonical.get(path))
    wishes = [(path, url) for path, url in canonical.items() if url and url.startswith(root)]
    for path in files:
        if unnamed[stems[path]] == 1:  # of several pages with one name nobody knows which is meant
            wishes += [(path, url) for url in linked.get(stems[path], ())]
    found: dict[Path, str] = {}
    taken: set[str] = set()
    last = ((path, url) for path in files for url in _free_names(root, stems[path], path.suffix))
    for wisher, url in chain(wishes, last):
        if wisher not in found and url not in taken:
            found[wisher] = url
            taken.add(url)
    return found


def _linked_by_stem(texts: Mapping[Path, str], root: str) -> dict[str, list[str]]:
    """Last part of an address, without its ending -> addresses of the site that end so, the most linked first."""
    counts: Counter[str] = Counter(url for text in texts.values() for url in _urls_of(text, root, root))
    found: dict[str, list[str]] = {}
    for url, _ in counts.most_common():
        path = split(url).path
        name = path.rstrip("/").rpartition("/")[2].rpartition(".")
        found.setdefault(slug(name[0] or name[2]) or "index", []).append(url)
    return found


def _free_names(root: str, stem: str, suffix: str) -> Iterator[str]:
    if stem == "index":
        yield root
    yield f"{root}{stem}{suffix}"
    yield from (f"{root}{stem}-{number}{suffix}" for number in range(2, _MOST_ALIKE))


def _start_of(addresses: Mapping[Path, str], root: str) -> str | None:
    by_url = {url: path for path, url in addresses.items() if path.suffix in _MARKUP}
    if root in by_url:
        return root
    named = {slug(_NUMBER.sub("", path.stem)): url for url, path in sorted(by_url.items(), reverse=True)}
    return next((named[name] for name in _STARTS if name in named), None)


def _urls_of(text: str, page_url: str, root: str) -> Iterator[str]:
    """Addresses of the site that a page links to."""
    for link in read_links(text).links:
        try:
            url = canonicalize(link.href, page_url).replace("https://", "http://", 1)
        except BadUrl:
            continue
        if url.startswith(root):
            yield url


def _reached(start: str, pages: Mapping[str, ServedPage]) -> set[str]:
    """Pages within reach of the start page over links between the pages, at most three steps."""
    root = start[: start.find("/", 8) + 1]
    reached, edge = {start}, [start]
    for _ in range(_DEPTH):
        following: list[str] = []
        for url in edge:
            page = pages[url]
            if page.content_type.startswith("text/html"):
                following += [to for to in _urls_of(decode(page.body).text, url, root) if to in pages and to not in reached]
                reached.update(following)
        edge = list(dict.fromkeys(following))
    return reached


def _with_links(start: ServedPage, pages: Sequence[ServedPage]) -> ServedPage:
    """The start page with a list of links at its end, in the page's own encoding where that can write them."""
    links = "".join(f'<li><a href="{escape(page.url)}">{escape(_name_of(page))}</a></li>' for page in pages)
    block = f"<ul>{links}</ul>".encode("ascii", "xmlcharrefreplace")
    head, body, tail = start.body.rpartition(b"</body>")
    whole = head + block + body + tail if body else start.body + block
    return ServedPage(start.url, start.file, whole, start.content_type)


def _name_of(page: ServedPage) -> str:
    """What a menu would call the page: its first heading, else its title, else its file."""
    text = decode(page.body).text
    if page.content_type.startswith("text/html"):
        tree = LexborHTMLParser(text)
        heading = tree.css_first("h1") or tree.css_first("h2")
        words = " ".join(heading.text(separator=" ").split()) if heading is not None else words_of(text).title
    else:
        words = next((line.lstrip("# ").strip() for line in text.splitlines() if line.startswith("#")), "")
    return (words or _NUMBER.sub("", page.file).partition(".")[0])[:_MOST_ANCHOR_CHARS]


def _content_type(path: Path) -> str:
    return "text/html" if path.suffix in _MARKUP else "text/plain; charset=utf-8"
