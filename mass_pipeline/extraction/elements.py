"""What an element does to visible text: breaks lines, opens a container, hides its content, heads what follows.

Source: WHATWG HTML, section 15 (Rendering), with the elements that old parish pages use. `attributes` reads the style.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from typing import Final

from selectolax.lexbor import LexborNode

from mass_pipeline.extraction import attributes as rules
from mass_pipeline.extraction.tabs import CLICKS, CONDITIONS, label_of, pane_of


class Role(IntEnum):
    """What the reader does when it meets the element."""

    INLINE = 0
    CONTAINER = 1  # opens a block container: lines inside share an ordinal
    PARAGRAPH = 2  # breaks the line, opens no container
    HEADING = 3
    LIST = 4
    ITEM = 5
    TERM = 6
    DESCRIPTION = 7
    TABLE = 8
    ROW_GROUP = 9
    ROW = 10
    CELL = 11
    BREAK = 12
    RULE = 13
    IMAGE = 14
    SKIPPED = 15  # the content is never shown
    STRONG = 16
    RAISED = 17  # superscript or underlined: may hold minutes
    LINK = 18
    FRAME = 19
    ROOT = 20  # html and body: never hidden
    PREFORMATTED = 21
    VERBATIM = 22  # the content is text as it is written
    TITLE = 23
    SCRIPT = 24


def _roles() -> dict[str, Role]:
    groups: dict[Role, str] = {
        Role.CONTAINER: "div section article main nav aside header footer form fieldset center blockquote figure address dl "
        "details dialog hgroup search noscript frameset object button marquee",
        Role.PARAGRAPH: "p legend figcaption optgroup",
        Role.HEADING: "h1 h2 h3 h4 h5 h6 caption summary",
        Role.LIST: "ul ol menu dir",
        Role.ITEM: "li",
        Role.TERM: "dt",
        Role.DESCRIPTION: "dd",
        Role.TABLE: "table",
        Role.ROW_GROUP: "thead tbody tfoot",
        Role.ROW: "tr",
        Role.CELL: "td th",
        Role.BREAK: "br",
        Role.RULE: "hr",
        Role.IMAGE: "img",
        Role.SKIPPED: "template select datalist svg math canvas audio video map style noembed noframes rt rp",
        Role.STRONG: "b strong big",
        Role.RAISED: "sup u",
        Role.LINK: "a",
        Role.FRAME: "frame iframe embed",
        Role.ROOT: "html body head",
        Role.PREFORMATTED: "pre listing",
        Role.VERBATIM: "textarea xmp plaintext",
        Role.TITLE: "title",
        Role.SCRIPT: "script",
    }
    return {name: role for role, names in groups.items() for name in names.split()}


_ROLES: Final = _roles()
_BLOCKS: Final = frozenset(range(Role.CONTAINER, Role.BREAK)) | {Role.PREFORMATTED}
_CONTAINERS: Final = frozenset({Role.CONTAINER, Role.LIST, Role.CELL, Role.TABLE})
_ALWAYS_SHOWN: Final = frozenset({Role.ROOT, Role.BREAK, Role.RULE, Role.IMAGE, Role.FRAME})
_LABELS: Final = frozenset({Role.LINK, Role.CONTAINER, Role.ITEM})
_STRUCK_OUT: Final = frozenset({"s", "strike", "del"})  # said to hold no longer: "<s>7:00</s> 7:30"
_VOID: Final = frozenset({"input", "wbr"})
_TEXTS: Final = frozenset({"p", "span", "font", "a", "small", "li", "h1", "h2", "h3", "h4", "h5", "h6"})  # not boxes
_MAX_SPAN: Final = 200  # columns or rows of one cell; WHATWG allows 1000 and 65534, no schedule needs them
# Attributes that say what an element does to text, beside those of its address.
_MEANT: Final = frozenset({
    "class", "id", "role", "style", "hidden", "rowspan", "colspan", "aria-controls", "aria-selected", "aria-labelledby",
    "data-target", "data-bs-target", "data-state", "shadowrootmode", *CLICKS, *CONDITIONS,
})  # fmt: skip
_LONGEST_KEPT: Final = 1_000  # characters of an attribute; an element with a longer one hardly repeats
_CACHED: Final = 8192  # of a site there are a few hundred kinds of elements


class Element:
    """An element by its name and attributes.

    Attributes:
        name: lower case.
        values: the attributes that say so, by lower-case name; of addresses those within the page.
        level: of a heading, 7 where its name holds none.
        breaks_line, is_block: ends the line before and after it; and changes how what is inside is read.
        is_container: its lines share a block.
        is_void: an inline element without content.
        is_hidden: its text is not shown, unless a link names it.
        is_struck_out: its text is crossed out.
        is_bold, is_raised: by its style.
        is_title: a box or cell that is a heading by its class.
        row_span, column_span: rows and columns that a cell covers.
        pane, pane_label: names of the pane of tabs that it is, or of the one that it labels.
        region: what it says about its part of the page.
    """

    __slots__ = (
        "breaks_line", "column_span", "is_block", "is_bold", "is_container", "is_hidden", "is_raised", "is_struck_out",
        "is_title", "is_void", "level", "name", "pane", "pane_label", "region", "role", "row_span", "values",
    )  # fmt: skip

    def __init__(self, name: str, values: dict[str, str]) -> None:
        self.name = name
        self.values = values
        self.role = role = _ROLES.get(name, Role.INLINE)
        self.is_block = role in _BLOCKS and role is not Role.PARAGRAPH
        self.is_container = role in _CONTAINERS
        self.is_void = name in _VOID
        self.breaks_line = role in _BLOCKS
        self.level = int(name[1]) if role is Role.HEADING and name[1].isdigit() else 7
        style = values["style"].lower() if "style" in values else ""
        self.is_struck_out = name in _STRUCK_OUT or (style != "" and rules.strikes_out(style))
        self.is_hidden = role is Role.SKIPPED or (role not in _ALWAYS_SHOWN and self._is_hidden(style))
        self.is_bold = name == "th" or (style != "" and rules.is_bold(style))
        self.is_raised = role is Role.RAISED or (style != "" and rules.is_raised(style))
        if style and role is Role.INLINE:
            self.breaks_line = rules.is_block(style)
        self.row_span, self.column_span = _span(values.get("rowspan", "")), _span(values.get("colspan", ""))
        boxed = self.is_container
        self.pane_label = label_of(values) if role in _LABELS else ()
        self.pane = pane_of(values, is_box=role is Role.CONTAINER) if boxed else ()
        self.region = rules.region_hint(name, values) if boxed else None
        self.is_title = boxed and rules.is_title(values)

    def _is_hidden(self, style: str) -> bool:
        if self.is_struck_out:
            return True
        if not style and "hidden" not in self.values:
            return False
        return rules.is_hidden(self.values, style) or (self.name in _TEXTS and rules.is_unseen(style))

    @property
    def holds_shadow(self) -> bool:
        """A template with a shadow root is shown (WHATWG HTML 4.12.3); any other waits for a script."""
        return "shadowrootmode" in self.values


def element_of(node: LexborNode) -> Element:
    """What an element of a tree does."""
    name = node.tag or ""
    values = node.attributes
    if not values:
        return _cached(name)
    meant = [(key, value or "") for key, value in values.items() if key in _MEANT or key[:8] == "data-tab"]
    if name == "a" and "href" in values:
        address = values["href"] or ""
        meant.append(("href", address if address[:1] == "#" else ""))
    if any(len(value) > _LONGEST_KEPT for _, value in meant):
        return Element(name, dict(meant))
    return _cached(name, *meant)


def attributes_of(node: LexborNode) -> dict[str, str]:
    """All attributes of an element of a tree by lower-case name, "" for those without a value."""
    return {key: value or "" for key, value in node.attributes.items()}


@lru_cache(maxsize=_CACHED)
def _cached(name: str, *attributes: tuple[str, str]) -> Element:
    return Element(name, dict(attributes))


def _span(written: str) -> int:
    return max(1, min(_MAX_SPAN, int(written))) if written.isdecimal() and len(written) < 6 else 1
