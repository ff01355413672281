"""What each HTML element does to visible text: breaks lines, opens containers, hides its content.

Source: WHATWG HTML, section 15 (Rendering), with the elements that old parish pages use.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final


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
    VOID = 20
    ROOT = 21  # html and body: never hidden, never closed early
    PREFORMATTED = 22


def _roles() -> dict[str, Role]:
    groups: dict[Role, str] = {
        Role.CONTAINER: "div section article main nav aside header footer form fieldset center blockquote figure address dl "
        "details dialog hgroup search noscript frameset noframes object button marquee",
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
        Role.IMAGE: "img image",
        Role.SKIPPED: "template select datalist svg math canvas audio video map",
        Role.STRONG: "b strong big",
        Role.RAISED: "sup u",
        Role.LINK: "a",
        Role.FRAME: "frame iframe embed",
        Role.VOID: "area base basefont bgsound col input keygen link meta param source track wbr",
        Role.ROOT: "html body head",
        Role.PREFORMATTED: "pre listing",
    }
    return {name: role for role, names in groups.items() for name in names.split()}


ROLES: Final = _roles()
STRUCK_OUT: Final = frozenset({"s", "strike", "del"})  # said to hold no longer: "<s>7:00</s> 7:30"
RAW_TEXT: Final = frozenset({"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "plaintext"})
PUSHED: Final = frozenset(
    {
        Role.CONTAINER,
        Role.HEADING,
        Role.LIST,
        Role.ITEM,
        Role.TERM,
        Role.DESCRIPTION,
        Role.TABLE,
        Role.ROW_GROUP,
        Role.ROW,
        Role.CELL,
        Role.SKIPPED,
        Role.PREFORMATTED,
    }
)
CONTAINERS: Final = frozenset({Role.CONTAINER, Role.LIST, Role.CELL, Role.TABLE})
VOID_ROLES: Final = frozenset({Role.BREAK, Role.RULE, Role.IMAGE, Role.VOID})
TABLE_PARTS: Final = frozenset({"table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption"})

# HTML elements that end a drawing or formula left open (WHATWG HTML 13.2.6.5).
_BREAKS_OUT: Final = """
b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre
ruby s small span strong strike sub sup table tt u ul var
"""
BREAKS_OUT: Final = frozenset(_BREAKS_OUT.split())
FOREIGN: Final = frozenset({"svg", "math"})

# Start tag -> (open elements it ends, elements beyond which it does not look). WHATWG HTML 13.1.2.4 (optional tags).
IMPLIED_ENDS: Final[dict[str, tuple[frozenset[str], frozenset[str]]]] = {
    "li": (frozenset({"li"}), frozenset({"ul", "ol", "menu", "dir", "td", "th", "table"})),
    "dt": (frozenset({"dt", "dd"}), frozenset({"dl", "td", "th", "table"})),
    "dd": (frozenset({"dt", "dd"}), frozenset({"dl", "td", "th", "table"})),
    "td": (frozenset({"td", "th"}), frozenset({"tr", "table"})),
    "th": (frozenset({"td", "th"}), frozenset({"tr", "table"})),
    "tr": (frozenset({"tr", "caption"}), frozenset({"thead", "tbody", "tfoot", "table"})),
    "thead": (frozenset({"thead", "tbody", "tfoot", "caption"}), frozenset({"table"})),
    "tbody": (frozenset({"thead", "tbody", "tfoot", "caption"}), frozenset({"table"})),
    "tfoot": (frozenset({"thead", "tbody", "tfoot", "caption"}), frozenset({"table"})),
}
