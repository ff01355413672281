"""A page as a tree, freed of what is never its subject, and the text of a part of it. Used for news, not for schedules.

Not here: which part is the main text (main_text), what the page says about itself (news).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from lxml import etree
from lxml.etree import _Element as Element

from mass_pipeline.extraction.charset import decode

_NEVER_TEXT: Final = ("script", "style", "noscript", "template", "iframe", "object", "svg", "select", "button", "form", "head")
_FRAME_TAGS: Final = ("nav", "aside", "footer")
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
_MOST_TAGS: Final = 200_000  # of a page, opening and closing; the largest labelled page has 8,301
_SPACES: Final = re.compile(r"[\s\u00a0]+")
_WORD: Final = re.compile(r"[^\s\u00a0]+")


def parse_markup(content: bytes | str, content_type: str | None = None) -> Element | None:
    """The tree of a page, None when it holds no element; of its tags the first 200,000 are read.

    Args:
        content: bytes as received, or decoded text.
        content_type: Content-Type header, when known.
    """
    text = decode(content, content_type).text if isinstance(content, bytes) else content
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True, huge_tree=True)
    data = _with_few_tags(text).replace("\x00", "").encode("utf-8", "replace")
    return etree.fromstring(data, parser) if data.strip() else None


def _with_few_tags(text: str) -> str:
    """A page up to the tag that is one too many: an element costs some 300 bytes in the tree, and as much in its readers."""
    if text.count("<") <= _MOST_TAGS:
        return text
    at = -1
    for _ in range(_MOST_TAGS + 1):
        at = text.find("<", at + 1)
    return text[:at]


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
    """Remove scripts, navigation, side columns, comments and the like, in place; what holds most of the text stays.

    Linear in the page: however deep such elements are nested, the text of each is measured once.
    """
    found = []
    walk = etree.iterwalk(tree, events=("start",), tag=_NEVER_TEXT)
    for _, node in walk:
        found.append(node)
        walk.skip_subtree()
    _remove(found)
    limit = _MOST_OF_THE_PAGE * max(1, len(text_of(tree)))
    meant, behind = [], 0
    for frame in _frames(tree):
        if frame.length < limit and frame.first >= behind:  # else it went with the one around it
            meant.append(frame.node)
            behind = frame.behind
    _remove(meant)


def is_frame(node: Element) -> bool:
    """Whether an element frames the subject of a page, by its tag, role, class or id."""
    if node.tag in _FRAME_TAGS or (node.get("role") or "") in _FRAME_ROLES:
        return True
    names = f"{node.get('class') or ''} {node.get('id') or ''}"
    return bool(names.strip()) and node.tag != "body" and _FRAME_NAMES.search(names) is not None


@dataclass(slots=True)
class _Frame:
    """An element that frames the page: its number among all of them, that of the first after it, the length of its text."""

    node: Element
    first: int
    behind: int = 0
    length: int = 0


def _frames(tree: Element) -> list[_Frame]:
    """The frames below the root, in document order."""
    found: list[_Frame] = []
    spans: list[tuple[int, int]] = []
    pieces: list[str] = []
    open_frames: list[int] = []  # for each open element its place in `found`, or -1
    at = number = 0
    for event, node in etree.iterwalk(tree, events=("start", "end")):
        if event == "start":
            is_one = node is not tree and is_frame(node)
            open_frames.append(len(found) if is_one else -1)
            if is_one:
                found.append(_Frame(node, number))
                spans.append((at, at))
            number += 1
            text = node.text
        else:
            place = open_frames.pop()
            if place >= 0:
                found[place].behind = number
                spans[place] = spans[place][0], at
            text = node.tail if node is not tree else None
        if text:
            pieces.append(text)
            at += len(text)
    words = _Words("".join(pieces))
    for frame, (start, end) in zip(found, spans, strict=True):
        frame.length = words.length(start, end)
    return found


class _Words:
    """Where the words of a text stand, so that the length of any part of it with its white space folded is known at once."""

    def __init__(self, text: str) -> None:
        spans = [match.span() for match in _WORD.finditer(text)]
        self._starts = [start for start, _ in spans]
        self._ends = [end for _, end in spans]
        self._letters = [0, *accumulate(end - start for start, end in spans)]

    def length(self, start: int, end: int) -> int:
        """The length of a part as `text_of` would give it."""
        first = bisect_right(self._ends, start)
        last = bisect_left(self._starts, end) - 1
        if last < first:
            return 0
        cut = max(0, start - self._starts[first]) + max(0, self._ends[last] - end)
        return self._letters[last + 1] - self._letters[first] - cut + last - first


def _remove(nodes: Iterable[Element]) -> None:
    """Take elements out of their tree; the text after each joins what stands before it.

    Args:
        nodes: in document order, none within another one.
    """
    joined: tuple[Element, bool] | None = None  # whose text grows: an element, and whether it is the text after it
    pieces: list[str] = []
    for node in nodes:
        parent, before = node.getparent(), node.getprevious()
        if parent is None:
            continue
        place = (parent, False) if before is None else (before, True)
        if place != joined:
            _join(joined, pieces)
            joined, pieces = place, []
        pieces.append(node.tail or "")
        parent.remove(node)
    _join(joined, pieces)


def _join(place: tuple[Element, bool] | None, pieces: list[str]) -> None:
    text = "".join(pieces)
    if place is None or not text:
        return
    element, is_behind = place
    if is_behind:
        element.tail = (element.tail or "") + text
    else:
        element.text = (element.text or "") + text
