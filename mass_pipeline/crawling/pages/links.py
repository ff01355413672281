"""Links of a page: every href and frame address, words around them, base, meta refresh, robots directives, and whether the page
waits for its scripts. Markup in, plain values out; resolving and judging links is not done here (see urls, scope, site_budget).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import unescape
from typing import Final, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from mass_pipeline.crawling.fetching.config import ROBOT_NAME
from mass_pipeline.crawling.fetching.urls import from_header, in_encoding
from mass_pipeline.reading.text.tree_cost import is_pathological

_INLINE: Final = frozenset({"a", "b", "em", "font", "i", "small", "span", "strong", "u"})
_SIDE_CHARS: Final = 100
_MOST_STEPS: Final = 12  # siblings looked at on each side: menus hold hundreds of links without words between them
_MOST_CLIMBS: Final = 4


def words_around(node: LexborNode) -> str:
    """Words before and after a link, its own left out as `[...]`; "" when it stands alone.

    Only siblings are read (of the link, or of the inline elements it is wrapped in), so that a page of thousands of links
    costs no more than its size.

    >>> from selectolax.lexbor import LexborHTMLParser
    >>> tree = LexborHTMLParser("<p>Transmisja w <b><a href='http://r.example'>radiu</a></b> co niedzielę</p>")
    >>> words_around(tree.css_first("a"))
    'Transmisja w [...] co niedzielę'
    """
    top = node
    for _ in range(_MOST_CLIMBS):
        parent = top.parent
        if parent is None or parent.tag not in _INLINE or top.prev is not None or top.next is not None:
            break
        top = parent
    before, behind = _side(top, forward=False), _side(top, forward=True)
    return f"{before} [...] {behind}".strip() if before or behind else ""


def _side(node: LexborNode, *, forward: bool) -> str:
    words = ""
    sibling = node.next if forward else node.prev
    for _ in range(_MOST_STEPS):
        if sibling is None or len(words) >= _SIDE_CHARS:
            break
        if sibling.tag not in ("script", "style", "_comment", "-comment"):
            found = " ".join((sibling.text(deep=True) or "").split())
            words = f"{words} {found}".strip() if forward else f"{found} {words}".strip()
        sibling = sibling.next if forward else sibling.prev
    return words[:_SIDE_CHARS].strip() if forward else words[-_SIDE_CHARS:].strip()


SHORTEST_TEXT: Final = 120  # characters; "Wczytywanie", "włącz JavaScript" and a name are shorter
MOST_LINKS: Final = 20  # their names alone are a text: seven letters each
_UNSEEN: Final = frozenset({"script", "style", "noscript", "template", "title"})
_TIME: Final = re.compile(r"\b\d{1,2}[:.]\d\d\b")


def is_shell(tree: LexborHTMLParser) -> bool:
    """Whether a page has scripts and next to no text: fewer than 120 characters, and no time of day among them.

    >>> is_shell(LexborHTMLParser('<div id="app"></div><script src="/app.js"></script>'))
    True
    >>> is_shell(LexborHTMLParser('<p>Niedziela: 8:00, 10:30</p><script src="/app.js"></script>'))
    False
    """
    return bool(tree.tags("script")) and tree.body is not None and not _shows_text(tree.body)


def _shows_text(body: LexborNode) -> bool:
    characters = 0
    waiting = [body]
    while waiting:
        for node in waiting.pop().iter(include_text=True):
            if node.is_text_node:
                words = " ".join((node.text_content or "").split())
                characters += len(words)
                if characters >= SHORTEST_TEXT or _TIME.search(words):
                    return True
            elif node.tag == "template" and "shadowrootmode" in node.attrs:
                return True  # its text is no part of the tree, and whoever declares a shadow root has filled it
            elif node.tag not in _UNSEEN:
                waiting.append(node)
    return False


_OUR_NAME: Final = ROBOT_NAME.lower()
MAX_LINKS: Final = 5000  # per page; hazards L1: a trap page holds 10^5
MAX_TEXT_CHARS: Final = 200
_PLAIN_LINK: Final = re.compile(
    r"<(a|area|frame|iframe|base|meta)\s[^<>]{0,500}?(?:href|src|content)\s*=\s*(?:\"([^\"]{0,4097})|'([^']{0,4097})|([^\s>\"']{1,4097}))",
    re.IGNORECASE,
)
_REFRESH: Final = re.compile(r"\s*\d*(?:\.\d*)?\s*[;,]?\s*(?:url\s*=)?\s*[\"']?([^\"'>]+)", re.IGNORECASE)
_FEED_TYPES: Final = ("rss+xml", "atom+xml")
_MOST_FEEDS: Final = 3
_OPENS: Final = re.compile(r"""(?:location(?:\.href)?\s*=|location\.(?:assign|replace)\(|\bopen\()\s*(['"])([^'"\s]{1,2000})\1""")
_ADDRESS: Final = re.compile(r"https?:|/|\?|\.\.?/|[\w./-]+\.(?:html?|php|aspx?)\b", re.IGNORECASE)
_MOST_OPTIONS: Final = 200  # of one list; longer ones are calendars and countries
_FRAMES: Final = frozenset({"frame", "iframe"})
_LESS_COMMON: Final = frozenset({"area", *_FRAMES})
_LEADING: Final = "a[href],area[href],frame[src],iframe[src]"
_OTHERS: Final = "area[href],frame[src],iframe[src],base[href],meta[content],select[onchange],[onclick]"


class RawLink(NamedTuple):
    """A link as written; text and rel are read when asked for, because most links of a page are known already.

    Attributes:
        href: the attribute's value.
        node: the element, None for links without text, and for those whose page was read elsewhere.
        words, may_follow: what text and rel say, where the page was read elsewhere.
    """

    href: str
    node: LexborNode | None = None
    words: str = ""
    may_follow: bool = True

    def text(self) -> str:
        """Anchor text, else the alternative text of its image, else its title."""
        return self.words if self.node is None else _text(self.node)

    @property
    def followed(self) -> bool:
        """False for rel=nofollow."""
        if self.node is None:
            return self.may_follow
        rel = self.node.attrs.get("rel")
        return rel is None or "nofollow" not in rel.lower()


@dataclass(frozen=True, slots=True)
class PageLinks:
    """What a page says about where to go on.

    Attributes:
        base: `<base href>` as written, None without one.
        links: in document order, at most 5,000.
        noindex, nofollow: robots directives of the markup.
        is_shell: nothing is seen of the page before its scripts have run.
        feeds: that the head of a shell names, at most 3; no reader sees them, so that they are no links of other pages.
    """

    base: str | None
    links: list[RawLink]
    noindex: bool = False
    nofollow: bool = False
    is_shell: bool = False
    feeds: tuple[RawLink, ...] = ()


NO_LINKS: Final = PageLinks(None, [])


def read_links(markup: bytes | str, encoding: str = "utf-8") -> PageLinks:
    """Every link of a page; broken markup is repaired as browsers do (V7), never raises.

    Args:
        markup: UTF-8 bytes or text.
        encoding: of the page, in which the queries of its links are sent.
    """
    if is_pathological(markup):
        return _read_plainly(markup, encoding)
    found: list[RawLink] = []
    base: str | None = None
    words: set[str] = set()
    tree = LexborHTMLParser(markup)
    others = tree.css(_OTHERS)[:MAX_LINKS]
    for node in others:
        if node.tag == "meta":
            _read_meta(node, words, found)
        elif node.tag == "base":
            base = base or node.attributes.get("href")
    found += _anchors(tree, with_frames=any(node.tag in _LESS_COMMON for node in others))
    for node in others:
        found += _scripted_links(node)
    if encoding != "utf-8" and not all(link.href.isascii() for link in found):
        found = [RawLink(in_encoding(link.href, encoding), *link[1:]) for link in found]
    if len(found) < MOST_LINKS and is_shell(tree):
        return PageLinks(base, found, *_directives(words), is_shell=True, feeds=_feed_links(tree))
    return PageLinks(base, found, *_directives(words))


def _anchors(tree: LexborHTMLParser, *, with_frames: bool) -> list[RawLink]:
    """Links in document order; one walk for a kind of element costs half of one for four."""
    found = []
    for node in (tree.css(_LEADING) if with_frames else tree.tags("a"))[:MAX_LINKS]:
        try:
            found.append(RawLink(node.attrs["href"] or "", node))
        except KeyError:
            if node.tag in _FRAMES:
                found.append(RawLink(node.attributes.get("src") or ""))
    return found


def _scripted_links(node: LexborNode) -> Iterator[RawLink]:
    """Where a list to choose from, or an element that is clicked, leads: where the address is written there as it is."""
    literal = _OPENS.search(node.attributes.get("onclick") or "")
    if literal is not None:
        yield RawLink(literal[2], node)
    if node.tag == "select":
        for option in node.css("option[value]")[:_MOST_OPTIONS]:
            if _ADDRESS.match(option.attrs["value"] or ""):
                yield RawLink(option.attrs["value"] or "", option)


def _feed_links(tree: LexborHTMLParser) -> tuple[RawLink, ...]:
    named = [
        RawLink(node.attrs["href"] or "", None, node.attrs.get("title") or "")
        for node in tree.css("link[rel][href][type]")
        if "alternate" in (node.attrs["rel"] or "").lower() and any(kind in (node.attrs["type"] or "") for kind in _FEED_TYPES)
    ]
    return tuple(named[:_MOST_FEEDS])


def detached(links: PageLinks) -> PageLinks:
    """The same without the tree: every text read, so that it can be sent from process to process."""
    return replace(links, links=[RawLink(link.href, None, link.text(), link.followed) for link in links.links])


def _read_plainly(markup: bytes | str, encoding: str) -> PageLinks:
    """Links by their look alone, without anchor texts; for markup no tree should be built of."""
    text = markup.decode("utf-8", "replace") if isinstance(markup, bytes) else markup
    found: list[RawLink] = []
    base: str | None = None
    noindex = "noindex" in text.lower()  # better none than against the owner's wish
    for match in _PLAIN_LINK.finditer(text):
        tag = match[1].lower()
        href = unescape(match[2] or match[3] or match[4] or "")
        if tag == "base":
            base = base or href
        elif tag != "meta":
            found.append(RawLink(in_encoding(href, encoding)))
        if len(found) >= MAX_LINKS:
            break
    return PageLinks(base, found, noindex)


def robots_header(value: str | None) -> tuple[bool, bool]:
    """`(noindex, nofollow)` of an X-Robots-Tag header; parts named for other robots are ignored.

    >>> robots_header("googlebot: noindex"), robots_header("NoIndex, nofollow")
    ((False, False), (True, True))
    """
    words: set[str] = set()
    applies = True
    for part in (value or "").lower().split(","):
        name, colon, rest = part.partition(":")
        if colon and name.strip() not in ("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"):
            applies = name.strip() == _OUR_NAME
            part = rest
        if applies:
            words.add(part.strip())
    return _directives(words)


def refresh_header(value: str | None) -> RawLink | None:
    """Link of a Refresh header, None without one."""
    match = _REFRESH.match(value or "")
    return RawLink(from_header(match[1].strip())) if match and not match[1].strip().isdigit() else None


def _directives(words: set[str]) -> tuple[bool, bool]:
    return bool(words & {"noindex", "none", "noarchive"}), bool(words & {"nofollow", "none"})


def _read_meta(node: LexborNode, words: set[str], found: list[RawLink]) -> None:
    attributes = node.attributes
    name = (attributes.get("name") or attributes.get("http-equiv") or "").strip().lower()
    content = attributes.get("content") or ""
    if name == "refresh":
        match = _REFRESH.match(content)
        if match and not match[1].strip().isdigit():
            found.append(RawLink(match[1].strip()))
    elif name == "tdm-reservation":
        words.update(("noindex",) if content.strip() == "1" else ())
    elif name in ("robots", _OUR_NAME):
        words.update(word.strip() for word in content.lower().split(","))


def _text(node: LexborNode) -> str:
    words = " ".join(node.text(deep=True).split())[:MAX_TEXT_CHARS]
    if words:
        return words
    image = node.css_first("img[alt]")
    words = (image.attributes.get("alt") if image else None) or node.attributes.get("title") or ""
    return " ".join(words.split())[:MAX_TEXT_CHARS]
