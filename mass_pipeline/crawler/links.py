"""Links of a page: every href and frame address, base, meta refresh, robots directives. Markup in, plain values out.

Resolving and judging links is not done here (see urls, scope, traps).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from selectolax.lexbor import LexborHTMLParser

MAX_LINKS: Final = 5000  # per page; hazards L1: a trap page holds 10^5
MAX_TEXT_CHARS: Final = 200
_REFRESH: Final = re.compile(r"\s*\d*(?:\.\d*)?\s*[;,]?\s*(?:url\s*=)?\s*[\"']?([^\"'>]+)", re.IGNORECASE)
_LINKS: Final = "a[href],area[href]"
_FRAMES: Final = "frame[src],iframe[src]"


class RawLink(NamedTuple):
    """A link as written.

    Attributes:
        href: the attribute's value.
        text: gives the anchor text when called; reading it costs, most links are known already.
        followed: False for rel=nofollow.
    """

    href: str
    text: Callable[[], str]
    followed: bool


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
    tree = LexborHTMLParser(markup)
    found = [_of_anchor(node) for node in tree.css(_LINKS)[:MAX_LINKS]]
    # Most pages have none of the rest: a search in the raw text is cheaper than another walk over the tree.
    lower = markup.lower()
    base = None
    noindex = nofollow = False
    if _has(lower, "frame"):
        found += [RawLink(node.attributes.get("src") or "", _no_text, True) for node in tree.css(_FRAMES)[:MAX_LINKS]]
    if _has(lower, "<base"):
        node = tree.css_first("base[href]")
        base = node.attributes.get("href") if node else None
    if _has(lower, "refresh") or _has(lower, "robots") or _has(lower, agent):
        refresh, noindex, nofollow = _read_meta(tree, agent)
        found += [RawLink(href, _no_text, True) for href in refresh]
    return PageLinks(base, found, noindex, nofollow)


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


def _directives(words: set[str]) -> tuple[bool, bool]:
    return bool(words & {"noindex", "none"}), bool(words & {"nofollow", "none"})


def _read_meta(tree: LexborHTMLParser, agent: str) -> tuple[list[str], bool, bool]:
    refresh: list[str] = []
    words: set[str] = set()
    for node in tree.css("meta[content]"):
        attributes = node.attributes
        content = attributes.get("content") or ""
        if (attributes.get("http-equiv") or "").strip().lower() == "refresh":
            match = _REFRESH.match(content)
            refresh += [match[1].strip()] if match and not match[1].strip().isdigit() else []
        elif (attributes.get("name") or "").strip().lower() in ("robots", agent):
            words.update(word.strip() for word in content.lower().split(","))
    return (refresh, *_directives(words))


def _of_anchor(node: object) -> RawLink:
    attributes = node.attrs  # type: ignore[attr-defined]  # attribute access without building a dict of all
    rel = attributes.get("rel")
    return RawLink(attributes["href"] or "", lambda: _text(node), rel is None or "nofollow" not in rel.lower())


def _text(node: object) -> str:
    text = node.text(deep=True)  # type: ignore[attr-defined]
    return " ".join(text.split())[:MAX_TEXT_CHARS] or _alternative(node)


def _alternative(node: object) -> str:
    image = node.css_first("img[alt]")  # type: ignore[attr-defined]
    words = (image.attributes.get("alt") if image else None) or node.attributes.get("title") or ""  # type: ignore[attr-defined]
    return " ".join(words.split())[:MAX_TEXT_CHARS]


def _no_text() -> str:
    return ""


def _has(lower: bytes | str, word: str) -> bool:
    return word.encode() in lower if isinstance(lower, bytes) else word in lower
