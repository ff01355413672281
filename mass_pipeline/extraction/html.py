"""Read HTML: lexbor makes the tree, as browsers do (WHATWG HTML 13.2), and a walk hands it to the builder. Nothing recurses.

lexbor has no limits, and some of its steps look at every open element or attribute: a page beyond what browsers show is cut
down before (docs/decisions/0010-html-by-lexbor.md).
"""

from __future__ import annotations

import re
from typing import Any, Final, Protocol

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from mass_pipeline.extraction.builder import PageBuilder
from mass_pipeline.extraction.style_sheets import hidden_by_style

_FEW_TAGS: Final = 2_000  # of a page that needs no cutting
_LONG_TAG: Final = 20_000  # characters
_DEEPEST: Final = 1_000  # open elements; browsers stop at 512, real pages at some sixty
_MOST_FORMATTING: Final = 100  # unclosed elements of formatting, each of which every block below repeats
_MOST_ATTRIBUTES: Final = 500  # of one element
# Possessive, and every alternative matches to the end of the source if need be: one pass, whatever comes.
_TAG: Final = re.compile(
    r"""<(?:!--.*?(?:-->|\Z)|(/?)([a-zA-Z][^\s/>]*+)((?:[^>"'=]++|=(?:\s*+(?:"[^"]*+"|'[^']*+')?+)|["'])*+)(?:>|\Z))""", re.S
)
_ATTRIBUTE: Final = re.compile(r"""[^\s"'>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?""")
_FORMATTING: Final = frozenset("b big code em font i nobr s small strike strong tt u".split())  # noqa: SIM905
# Elements that nest without end tags no deeper than one, or have no content.
_SHALLOW: Final = frozenset(
    "a area base br caption col colgroup dd dt embed hr img input li link meta option p param source tbody td tfoot th thead tr "  # noqa: SIM905
    "track wbr".split()
)
# With scripts, as people see the page, this is no markup (WHATWG HTML 13.2.6.4.4); the first three are passed over as they are.
_NOSCRIPT: Final = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|textarea)\b[^>]*>.*?(?:</\1|\Z)|(<noscript\b[^>]*>.*?</noscript\s*>)", re.S | re.I
)
_HAS_NOSCRIPT: Final = re.compile("<noscript", re.I)


class Reader(Protocol):
    """What a walk over a tree tells of, in document order."""

    def text(self, piece: str) -> None:
        """Text."""

    def open(self, node: LexborNode) -> object:
        """An element begins; what is returned goes to `close`, None passes over its content and its end."""

    def close(self, opened: Any) -> None:
        """An element that was opened ends."""


def feed(builder: PageBuilder, source: str) -> None:
    """Send the elements and the text of a page to the builder.

    Raises:
        MemoryError: the tree needs more than this process may take.
    """
    tree = parsed(source)
    if builder.sheet is None:
        builder.sheet = hidden_by_style(tree, source)
    walk(tree, builder)
    builder.flush()


def walk(tree: LexborHTMLParser, reader: Reader) -> None:
    """Tell a reader of everything in a tree, without recursion: hostile pages are deep."""
    node = tree.root
    around: list[tuple[LexborNode, object]] = []
    while node is not None:
        if node.is_text_node:
            reader.text(node.text_content or "")
        elif node.is_element_node:
            opened = reader.open(node)
            if opened is not None:
                inside = _first_inside(node)
                if inside is not None:
                    around.append((node, opened))
                    node = inside
                    continue
                reader.close(opened)
        following = node.next
        while following is None and around:
            node, opened = around.pop()
            reader.close(opened)
            following = node.next
        node = following


def _first_inside(node: LexborNode) -> LexborNode | None:
    if node.tag != "template":
        return node.first_child
    parts = node.template_fragments()
    return parts[0].first_child if parts else None


def parsed(source: str) -> LexborHTMLParser:
    """The tree of a page as people see it who have scripts, within limits.

    Raises:
        MemoryError: it needs more than this process may take.
    """
    try:
        return LexborHTMLParser(within_limits(_without_noscript(source)).encode("utf-8", "replace"))
    except SelectolaxError as error:  # of a parser that takes every text, when it is given no memory
        raise MemoryError(str(error)) from error


def _without_noscript(source: str) -> str:
    if _HAS_NOSCRIPT.search(source) is None:
        return source
    return _NOSCRIPT.sub(lambda match: "" if match[2] else match[0], source)


def within_limits(source: str) -> str:
    """The page without the tags and attributes that are too many for lexbor; nearly all come back as they are.

    Left out are tags deeper than 1,000 open elements, formatting left open more than a hundred times, and attributes after
    the five hundredth of an element; their words stay. Linear.
    """
    if source.count("<") <= _FEW_TAGS and source.count(">") <= _FEW_TAGS and max(map(len, source.split(">"))) <= _LONG_TAG:
        return source
    return _TAG.sub(_Limits().kept, source)


class _Limits:
    """Open elements while the tags of a page are counted."""

    def __init__(self) -> None:
        self._depth = 0
        self._formatting = 0

    def kept(self, match: re.Match[str]) -> str:
        """The tag as it may stay, "" for one that is too much."""
        name = match[2].lower() if match[2] else ""
        if not name or name in _SHALLOW:
            return self._shortened(match)
        step = -1 if match[1] else 1
        is_formatting = name in _FORMATTING
        is_beyond = max(self._depth, self._depth + step) > _DEEPEST
        if is_formatting:
            is_beyond = is_beyond or max(self._formatting, self._formatting + step) > _MOST_FORMATTING
            self._formatting = max(0, self._formatting + step)
        self._depth = max(0, self._depth + step)
        return "" if is_beyond else self._shortened(match)

    @staticmethod
    def _shortened(match: re.Match[str]) -> str:
        if match[3] is None or len(match[3]) < _LONG_TAG // 10:
            return match[0]
        found = _ATTRIBUTE.findall(match[3])
        return match[0] if len(found) <= _MOST_ATTRIBUTES else f"<{match[1]}{match[2]} {' '.join(found[:_MOST_ATTRIBUTES])}>"
