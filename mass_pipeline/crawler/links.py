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
_WANTED: Final = "a[href],area[href],frame[src],iframe[src],base[href],meta[content]"


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
    found: list[RawLink] = []
    base: str | None = None
    words: set[str] = set()
    for node in LexborHTMLParser(markup).css(_WANTED)[:MAX_LINKS]:  # one walk over the tree for everything
        tag = node.tag
        if tag == "a" or tag == "area":
            found.append(_of_anchor(node))
        elif tag == "meta":
            _read_meta(node, agent, words, found)
        elif tag == "base":
            base = base or node.attributes.get("href")
        else:
            found.append(RawLink(node.attributes.get("src") or "", _no_text, True))
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
    return RawLink(match[1].strip(), _no_text, True) if match and not match[1].strip().isdigit() else None


def _directives(words: set[str]) -> tuple[bool, bool]:
    return bool(words & {"noindex", "none"}), bool(words & {"nofollow", "none"})


def _read_meta(node: object, agent: str, words: set[str], found: list[RawLink]) -> None:
    attributes = node.attributes  # type: ignore[attr-defined]
    name = (attributes.get("name") or attributes.get("http-equiv") or "").strip().lower()
    content = attributes.get("content") or ""
    if name == "refresh":
        match = _REFRESH.match(content)
        if match and not match[1].strip().isdigit():
            found.append(RawLink(match[1].strip(), _no_text, True))
    elif name in ("robots", agent):
        words.update(word.strip() for word in content.lower().split(","))


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
