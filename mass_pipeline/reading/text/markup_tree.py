"""A page as a tree, freed of what is never its subject, and its main text. Used for news and lists of them, not for schedules.

The tree is lexbor's, copied into lxml for the XPath expressions of a site's wrapper. Main text: Sun, Song and Liao, "DOM based
content extraction via text density", SIGIR 2011: the element with the largest sum of composite text densities of its children.
Changed: text that stands directly in an element, between line breaks, counts as children of its own, because pages of 2003
have no paragraphs. Not here: what the page says about itself (news).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from lxml import etree
from lxml.etree import _Element as Element
from selectolax.lexbor import LexborNode

from mass_pipeline.reading.text.charset import decode
from mass_pipeline.reading.text.html import parsed, walk

_NEVER_TEXT: Final = ("script", "style", "noscript", "template", "iframe", "object", "svg", "select", "button", "head")
_FRAME: Final = "frame-of-the-page"  # what an element is called that is to be removed
_FRAME_TAGS: Final = ("nav", "aside", "footer", "form")
_FRAME_ROLES: Final = frozenset({"navigation", "banner", "contentinfo", "complementary", "search"})
_FRAME_NAMES: Final = re.compile(
    r"(?i)(?:^|[\s_-])(?:nav\w*|menu\w*|sidebar|side|(?<!elementor-)widget\w*|footer|stopka|comment\w*|komentarz\w*|related|podobne|"
    r"polecane|"
    r"share\w*|social|udost\w+|addtoany|sharedaddy|breadcrumbs?|pathway|okruszki|cookie\w*|consent|newsletter|tags?|tagi|"
    r"pager|pagination|popular\w*|archive|archiwum|advert\w*|reklama|post-footer|post-labels|modifydate|createdate|author)(?:$|[\s_-])"
)
_MOST_OF_THE_PAGE: Final = 0.6  # a frame name on nearly everything is a slip of the template ("page has-sidebar")
_BLOCKS: Final = frozenset(
    "p div section article main td th tr table ul ol li dl dt dd h1 h2 h3 h4 h5 h6 blockquote pre header center".split()  # noqa: SIM905
)
_SPACES: Final = re.compile(r"[\s\u00a0]+")
_NAME: Final = re.compile(r"[a-z_][\w.-]*", re.ASCII)
_NOT_OF_XML: Final = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF])
_LINK_BLOCK_SHARE: Final = 0.6  # a block whose text is mostly links leads elsewhere
_LINK_BLOCK_TAGS: Final = frozenset({"div", "ul", "ol", "p", "table", "center", "li", "span", "td"})


def parse_markup(content: bytes | str, content_type: str | None = None) -> Element | None:
    """The tree of a page, None when nothing is in it.

    Args:
        content: bytes as received, or decoded text.
        content_type: Content-Type header, when known.
    """
    text = decode(content, content_type).text if isinstance(content, bytes) else content
    copy = _Copy()
    walk(parsed(text), copy)
    tree = copy.close_all()
    return tree if any(len(part) or part.text for part in tree) else None


class _Copy:
    """Makes the same tree for XPath, without what XML cannot hold."""

    def __init__(self) -> None:
        self._tree = etree.TreeBuilder()

    def text(self, piece: str) -> None:
        self._tree.data(piece.translate(_NOT_OF_XML))

    def open(self, node: LexborNode) -> str:
        name = node.tag if node.tag and _NAME.fullmatch(node.tag) else "span"
        values = {key: (value or "").translate(_NOT_OF_XML) for key, value in node.attributes.items() if _NAME.fullmatch(key)}
        self._tree.start(name, values)
        return name

    def close(self, opened: str) -> None:
        self._tree.end(opened)

    def close_all(self) -> Element:
        return self._tree.close()


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
    """Remove scripts, navigation, side columns, comments and the like, in place; what holds most of the text stays. Linear."""
    etree.strip_elements(tree, *_NEVER_TEXT, with_tail=False)
    counts = counted(tree)
    limit = _MOST_OF_THE_PAGE * max(1, counts[tree].characters)
    for node in tree.iterdescendants("*"):
        if counts[node].characters < limit and is_frame(node):
            node.tag = _FRAME
    etree.strip_elements(tree, _FRAME, with_tail=False)


def is_frame(node: Element) -> bool:
    """Whether an element frames the subject of a page, by its tag, role, class or id."""
    if node.tag in _FRAME_TAGS or (node.get("role") or "") in _FRAME_ROLES:
        return True
    names = f"{node.get('class') or ''} {node.get('id') or ''}"
    return bool(names.strip()) and node.tag != "body" and _FRAME_NAMES.search(names) is not None


@dataclass(slots=True)
class Counts:
    """Characters and tags below an element, all and in links."""

    characters: int = 0
    tags: int = 0
    link_characters: int = 0
    link_tags: int = 0

    def add(self, other: Counts) -> None:
        self.characters += other.characters
        self.tags += other.tags
        self.link_characters += other.link_characters
        self.link_tags += other.link_tags


def find_main(tree: Element) -> Element | None:
    """The element that holds the main text; None when the page has no text.

    Args:
        tree: of the page, freed of its frame (`drop_frame`).
    """
    counts = counted(tree)
    whole = counts[tree]
    if not whole.characters:
        return None
    return max(counts, key=lambda node: _density_sum(node, counts, whole))


def main_lines(main: Element) -> list[str]:
    """Lines of the main text, without blocks of links."""
    counts = counted(main)
    for node in list(main.iter("*")):
        below = counts[node]
        is_block = node is not main and node.tag in _LINK_BLOCK_TAGS
        if is_block and below.link_characters > _LINK_BLOCK_SHARE * below.characters:
            for inside in list(node):
                node.remove(inside)
            node.text = None
    return list(lines_of(main))


def counted(tree: Element) -> dict[Element, Counts]:
    """Of each element what is below it; ends of white space do not count."""
    counts = {node: Counts() for node in tree.iter("*")}
    for node in reversed(list(counts)):
        own = counts[node]
        own.characters += len((node.text or "").strip())
        if node.tag == "a" and node.get("href") is not None:
            own.link_characters = own.characters
            own.link_tags += 1
        own.tags += 1
        parent = node.getparent()
        if parent is not None and parent in counts:
            counts[parent].add(own)
            counts[parent].characters += len((node.tail or "").strip())
    return counts


def _density(counts: Counts, whole: Counts) -> float:
    """Composite text density, formula 3 of the paper; zeros in denominators count as ones."""
    characters = counts.characters
    if not characters:
        return 0.0
    links, tags, link_tags = max(1, counts.link_characters), max(1, counts.tags), max(1, counts.link_tags)
    plain = max(1, characters - counts.link_characters)
    base = math.log(characters / plain * counts.link_characters + whole.link_characters / whole.characters * characters + math.e)
    argument = max(1.0, characters / links * tags / link_tags)
    return characters / tags * math.log(argument) / math.log(max(base, 1.01))


def _density_sum(node: Element, counts: dict[Element, Counts], whole: Counts) -> float:
    runs = [len((node.text or "").strip()), *(len((child.tail or "").strip()) for child in node)]
    own = sum(_density(Counts(run, 1), whole) for run in runs if run)
    return own + sum(_density(counts[child], whole) for child in node if child in counts)
