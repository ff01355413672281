"""Links of a page: every href and frame address, base, meta refresh, robots directives. Markup in, plain values out.

Resolving and judging links is not done here (see urls, scope, traps).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

MAX_LINKS: Final = 5000  # per page; hazards L1: a trap page holds 10^5
MAX_TEXT_CHARS: Final = 200
_REFRESH: Final = re.compile(r"\s*\d*(?:\.\d*)?\s*[;,]?\s*(?:url\s*=)?\s*[\"']?([^\"'>]+)", re.IGNORECASE)
_WANTED: Final = "a[href],area[href],frame[src],iframe[src],base[href],meta[content]"


class RawLink(NamedTuple):
    """A link as written; text and rel are read when asked for, because most links of a page are known already.

    Attributes:
        href: the attribute's value.
        node: the element, None for links without text.
    """

    href: str
    node: LexborNode | None = None

    def text(self) -> str:
        """Anchor text, else the alternative text of its image, else its title."""
        return "" if self.node is None else _text(self.node)

    @property
    def followed(self) -> bool:
        """False for rel=nofollow."""
        rel = self.node.attrs.get("rel") if self.node is not None else None
        return rel is None or "nofollow" not in rel.lower()


@dataclass(frozen=True, slots=True)
class PageLinks:
    """What a page says about where to go on.

    Attributes:
        base: `<base href>` as written, None without one.
        links: in document order, at most 5,000.
        noindex, nofollow: robots directives of the markup.
    """

    base: str | None
    links: list[RawLink]
    noindex: bool = False
    nofollow: bool = False


def read_links(markup: bytes | str, agent: str = "masspipelinebot") -> PageLinks:
    """Every link of a page; broken markup is repaired as browsers do (V7), never raises.

    Args:
        markup: UTF-8 bytes or text.
        agent: robots meta elements with this name count too.
    """
    found: list[RawLink] = []
    base: str | None = None
    words: set[str] = set()
    for node in LexborHTMLParser(markup).css(_WANTED)[:MAX_LINKS]:  # one walk over the tree for everything
        tag = node.tag
        if tag == "a" or tag == "area":
            found.append(RawLink(node.attrs["href"] or "", node))
        elif tag == "meta":
            _read_meta(node, agent, words, found)
        elif tag == "base":
            base = base or node.attributes.get("href")
        else:
            found.append(RawLink(node.attributes.get("src") or ""))
    return PageLinks(base, found, *_directives(words))


def robots_header(value: str | None, agent: str = "masspipelinebot") -> tuple[bool, bool]:
    """`(noindex, nofollow)` of an X-Robots-Tag header; parts named for other robots are ignored.

    >>> robots_header("googlebot: noindex"), robots_header("NoIndex, nofollow")
    ((False, False), (True, True))
    """
    words: set[str] = set()
    applies = True
    for part in (value or "").lower().split(","):
        name, colon, rest = part.partition(":")
        if colon and name.strip() not in ("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"):
            applies = name.strip() == agent
            part = rest
        if applies:
            words.add(part.strip())
    return _directives(words)


def refresh_header(value: str | None) -> RawLink | None:
    """Link of a Refresh header, None without one."""
    match = _REFRESH.match(value or "")
    return RawLink(match[1].strip()) if match and not match[1].strip().isdigit() else None


def _directives(words: set[str]) -> tuple[bool, bool]:
    return bool(words & {"noindex", "none"}), bool(words & {"nofollow", "none"})


def _read_meta(node: LexborNode, agent: str, words: set[str], found: list[RawLink]) -> None:
    attributes = node.attributes
    name = (attributes.get("name") or attributes.get("http-equiv") or "").strip().lower()
    content = attributes.get("content") or ""
    if name == "refresh":
        match = _REFRESH.match(content)
        if match and not match[1].strip().isdigit():
            found.append(RawLink(match[1].strip()))
    elif name in ("robots", agent):
        words.update(word.strip() for word in content.lower().split(","))


def _text(node: LexborNode) -> str:
    words = " ".join(node.text(deep=True).split())[:MAX_TEXT_CHARS]
    if words:
        return words
    image = node.css_first("img[alt]")
    words = (image.attributes.get("alt") if image else None) or node.attributes.get("title") or ""
    return " ".join(words.split())[:MAX_TEXT_CHARS]
