"""Read HTML: lexbor makes the tree, as browsers do (WHATWG HTML 13.2), and a walk hands it to the builder. Nothing recurses.

lexbor has no limits: a page whose tree would cost too much is cut down before (`tree_cost`). Why this parser:
docs/decisions/0010-html-by-lexbor.md.
"""

from __future__ import annotations

import re
from typing import Any, Final, Protocol

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from mass_pipeline.reading.text.builder import PageBuilder
from mass_pipeline.reading.text.elements import hidden_by_style
from mass_pipeline.reading.text.tree_cost import within_limits

# With scripts, as people see the page, this is no markup (WHATWG HTML 13.2.6.4.4); the first three are passed over as they are.
_NOSCRIPT: Final = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|textarea)\b[^<>]*+>.*?(?:</\1|\Z)|<noscript\b[^<>]*+>.*?(?:(</noscript\s*+>)|\Z)",
    re.S | re.I,
)
_PART_OF_TABLE: Final = re.compile(r"\s*+<(?:tr|td|th|tbody|thead)[\s>]", re.I)
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
    text, begin, end = reader.text, reader.open, reader.close
    while node is not None:
        if node.is_text_node:
            text(node.text_content or "")
        elif node.is_element_node:
            opened = begin(node)
            if opened is not None:
                inside = node.first_child if node.tag != "template" else _shadow(node)
                if inside is not None:
                    around.append((node, opened))
                    node = inside
                    continue
                end(opened)
        following = node.next
        while following is None and around:
            node, opened = around.pop()
            end(opened)
            following = node.next
        node = following


def _shadow(node: LexborNode) -> LexborNode | None:
    parts = node.template_fragments()
    return parts[0].first_child if parts else None


def parsed(source: str) -> LexborHTMLParser:
    """The tree of a page as people see it who have scripts, within limits.

    Raises:
        MemoryError: it needs more than this process may take.
    """
    if _PART_OF_TABLE.match(source):  # cut out of one: browsers take such tags for none
        source = f"<table>{source}"
    try:
        return LexborHTMLParser(within_limits(_without_noscript(source)).encode("utf-8", "replace"))
    except SelectolaxError as error:  # of a parser that takes every text, when it is given no memory
        raise MemoryError(str(error)) from error


def _without_noscript(source: str) -> str:
    if _HAS_NOSCRIPT.search(source) is None:
        return source
    return _NOSCRIPT.sub(lambda match: "" if match[2] else match[0], source)  # one that is never closed stays
