"""A page as a tree, freed of what is never its subject, and the text of a part of it. Used for news, not for schedules.

Not here: which part is the main text (main_text), what the page says about itself (news).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lxml import etree
from lxml.etree import _Element as Element

from mass_pipeline.extraction.charset import decode

_NEVER_TEXT: Final = ("script", "style", "noscript", "template", "iframe", "object", "svg", "select", "button", "form", "head")
_FRAME_TAGS: Final = ("nav", "aside", "footer")
_FRAME_ROLES: Final = frozenset({"navigation", "banner", "contentinfo", "complementary", "search"})
_FRAME_NAMES: Final = re.compile(
    r"(?i)(?:^|[\s_-])(?:nav\w*|menu\w*|sidebar|side|widget\w*|footer|stopka|comment\w*|komentarz\w*|related|podobne|polecane|"
    r"share\w*|social|udost\w+|addtoany|sharedaddy|breadcrumbs?|pathway|okruszki|cookie\w*|consent|newsletter|tags?|tagi|"
    r"pager|pagination|popular\w*|archive|archiwum|advert\w*|reklama|post-footer|post-labels|modifydate|createdate|author)(?:$|[\s_-])"
)
_MOST_OF_THE_PAGE: Final = 0.6  # a frame name on nearly everything is a slip of the template ("page has-sidebar")
_BLOCKS: Final = frozenset(
    "p div section article main td th tr table ul ol li dl dt dd h1 h2 h3 h4 h5 h6 blockquote pre header center".split()  # noqa: SIM905
)
_SPACES: Final = re.compile(r"[\s\u00a0]+")


def parse_markup(content: bytes | str, content_type: str | None = None) -> Element | None:
    """The tree of a page, None when it holds no element.

    Args:
        content: bytes as received, or decoded text.
        content_type: Content-Type header, when known.
    """
    text = decode(content, content_type).text if isinstance(content, bytes) else content
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True, huge_tree=True)
    data = text.replace("\x00", "").encode("utf-8", "replace")
    return etree.fromstring(data, parser) if data.strip() else None


def text_of(element: Element) -> str:
    """All text below an element, white space folded."""
    return _SPACES.sub(" ", "".join(str(part) for part in element.itertext())).strip()


def lines_of(element: Element) -> Iterator[str]:
    """Text below an element, one line per block or line break; no empty lines."""
    pieces: list[str] = []
    for event, node in etree.iterwalk(element, events=("start", "end")):
        breaks = node.tag in _BLOCKS or node.tag in ("br", "hr")
        if breaks:
            yield from _flush(pieces)
        if event == "start":
            pieces.append(node.text or "")
        elif node is not element:
            pieces.append(node.tail or "")
    yield from _flush(pieces)


def _flush(pieces: list[str]) -> Iterator[str]:
    line = _SPACES.sub(" ", "".join(pieces)).strip()
    pieces.clear()
    if line:
        yield line


def drop_frame(tree: Element) -> None:
    """Remove scripts, navigation, side columns, comments and the like, in place; what holds most of the text stays."""
    for node in list(tree.iter(*_NEVER_TEXT)):
        _remove(node)
    limit = _MOST_OF_THE_PAGE * max(1, len(text_of(tree)))
    for node in list(tree.iter()):
        if node.getparent() is not None and is_frame(node) and len(text_of(node)) < limit:
            _remove(node)


def is_frame(node: Element) -> bool:
    """Whether an element frames the subject of a page, by its tag, role, class or id."""
    if node.tag in _FRAME_TAGS or (node.get("role") or "") in _FRAME_ROLES:
        return True
    names = f"{node.get('class') or ''} {node.get('id') or ''}"
    return bool(names.strip()) and node.tag != "body" and _FRAME_NAMES.search(names) is not None


def _remove(node: Element) -> None:
    parent = node.getparent()
    if parent is None:
        return
    tail, before = node.tail or "", node.getprevious()
    parent.remove(node)
    if tail and before is not None:
        before.tail = (before.tail or "") + tail
    elif tail:
        parent.text = (parent.text or "") + tail
