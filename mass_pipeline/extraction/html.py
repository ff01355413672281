"""Read HTML: lexbor makes the tree, as browsers do (WHATWG HTML 13.2), and a walk hands it to the builder. Nothing recurses.

lexbor has no limits, and some of its steps look at every open element or attribute: a page beyond what browsers show is cut
down before (docs/decisions/0010-html-by-lexbor.md).
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Any, Final, Protocol

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from mass_pipeline.extraction.builder import PageBuilder
from mass_pipeline.extraction.elements import hidden_by_style

_MOST_TAGS: Final = 200_000  # of a page; the largest labelled page has 8,301
_MANY_TAGS: Final = 3_000
_FEW_TAGS: Final = 1_000  # of a page that needs no cutting
_FEW_LEFT_OPEN: Final = 50  # elements of formatting
_LONG_TAG: Final = 20_000  # characters
_DEEPEST: Final = 1_000  # open elements; browsers stop at 512, real pages at some sixty
_MOST_FORMATTING: Final = 300  # elements of formatting left open
_MOST_REPEATED: Final = 100_000  # elements of formatting that blocks repeat, as nobody closed them
_MOST_ATTRIBUTES: Final = 500  # of one element
_MOST_ATTRIBUTES_OF_A_PAGE: Final = 400_000
# Possessive, and every alternative matches to the end of the source if need be: one pass, whatever comes.
_TAG: Final = re.compile(
    r"""<(?:!--.*?(?:-->|\Z)|(/?)([a-zA-Z][^\s/>]*+)((?:[^>"'=]++|=(?:\s*+(?:"[^"]*+"|'[^']*+')?+)|["'])*+)(?:>|\Z))""", re.S
)
_ATTRIBUTE: Final = re.compile(r"""[^\s"'>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?""")
_FORMATTING: Final = frozenset("b big code em font i nobr s small strike strong tt u".split())  # noqa: SIM905
_STARTS: Final = re.compile(rf"<(?:{'|'.join(_FORMATTING)})[\s>]", re.I)
_ENDS: Final = re.compile(rf"</(?:{'|'.join(_FORMATTING)})>", re.I)
# Elements that nest without end tags no deeper than one, or have no content.
_SHALLOW: Final = frozenset(
    "a area base br caption col colgroup dd dt embed hr img input li link meta option p param source tbody td tfoot th thead tr "  # noqa: SIM905
    "track wbr".split()
)
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


def within_limits(source: str) -> str:
    """The page without what is too much for lexbor; nearly all come back as they are. Linear.

    Left out are what comes after 200,000 tags, tags deeper than 1,000 open elements, formatting that every block repeats because
    it is never closed, and attributes after the five hundredth of an element or the 400,000th of the page; the words stay.
    """
    tags = source.count("<")
    if tags > _MOST_TAGS:
        source = source[: next(islice(re.finditer("<", source), _MOST_TAGS, None)).start()]
    is_small = tags <= _MANY_TAGS and source.count(">") <= _MANY_TAGS and max(map(len, source.split(">"))) <= _LONG_TAG
    if is_small and (tags <= _FEW_TAGS or len(_STARTS.findall(source)) - len(_ENDS.findall(source)) <= _FEW_LEFT_OPEN):
        return source
    return _TAG.sub(_Limits().kept, source)


class _Limits:
    """Open elements while the tags of a page are counted."""

    def __init__(self) -> None:
        self._depth = 0
        self._formatting: list[str] = []  # left open
        self._attributes = 0
        self._repeated = 0  # elements of formatting that blocks have repeated, at most

    def kept(self, match: re.Match[str]) -> str:
        """The tag as it may stay, "" for one that is too much."""
        name = match[2].lower() if match[2] else ""
        if not name:
            return match[0]
        if name in _FORMATTING:
            return self._kept_formatting(name, match)
        closed = ""
        self._repeated += len(self._formatting)
        if self._repeated > _MOST_REPEATED and self._formatting:
            closed = "".join(f"</{one}>" for one in reversed(self._formatting))
            self._formatting.clear()
        if name in _SHALLOW:
            return closed + self._shortened(match)
        before = self._depth
        self._depth = max(0, before + (-1 if match[1] else 1))
        return closed + ("" if max(before, self._depth) > _DEEPEST else self._shortened(match))

    def _kept_formatting(self, name: str, match: re.Match[str]) -> str:
        open_ones = self._formatting
        if match[1]:
            if name in open_ones:
                del open_ones[len(open_ones) - 1 - open_ones[::-1].index(name)]
            return match[0]
        if self._repeated > _MOST_REPEATED or len(open_ones) >= _MOST_FORMATTING:
            return ""
        open_ones.append(name)
        return self._shortened(match)

    def _shortened(self, match: re.Match[str]) -> str:
        """The tag with no more attributes than an element may have."""
        written = match[3] or ""
        number = len(written.split()) + written.count("/")
        self._attributes += number
        if self._attributes > _MOST_ATTRIBUTES_OF_A_PAGE:
            return f"<{match[1]}{match[2]}>"
        if number <= _MOST_ATTRIBUTES:
            return match[0]
        return f"<{match[1]}{match[2]} {' '.join(_ATTRIBUTE.findall(written)[:_MOST_ATTRIBUTES])}>"
