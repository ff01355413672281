"""One tag of markup, understood: element, role, and what its attributes do to the text. Cached, as tags repeat."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from mass_pipeline.extraction import attributes as rules
from mass_pipeline.extraction.elements import CONTAINERS, IMPLIED_ENDS, PUSHED, RAW_TEXT, ROLES, STRUCK_OUT, VOID_ROLES, Role
from mass_pipeline.extraction.tabs import label_of, pane_of

_NAME: Final = re.compile(r"</?([a-zA-Z][^\s/>]*+)")
_CACHED_TAGS: Final = 8192  # tags with addresses rarely repeat; the others are a few hundred kinds
_LONGEST_ATTRIBUTES: Final = 20_000  # characters of one tag that are understood; inlined pictures are longer
_TEXTS: Final = frozenset({"p", "span", "font", "a", "small", "li", "h1", "h2", "h3", "h4", "h5", "h6"})  # not boxes
_MAX_SPAN: Final = 200  # columns or rows of one cell; WHATWG allows 1000 and 65534, no schedule needs them


class Tag:
    """A start or end tag.

    Attributes:
        name: lower-case element name, "" for comments and declarations.
        attributes: attribute text as written.
        row_span, column_span: rows and columns that a cell covers.
        hidden_id: id of a hidden element, by which a link or button may open it.
        is_struck_out: its text is crossed out.
        is_title: a box or cell that is a heading by its class.
        pane, pane_label: names of the pane of tabs that it is, or of the one that it labels.
        is_pushed: stands on the stack of open elements.
        is_container: its lines share a block.
        implied_ends: elements that its start ends, and those beyond which it does not look.
        is_inert: neither breaks a line nor changes how text is read.
    """

    __slots__ = (
        "attributes",
        "breaks_line",
        "column_span",
        "hidden_id",
        "implied_ends",
        "is_block",
        "is_bold",
        "is_container",
        "is_end",
        "is_hidden",
        "is_inert",
        "is_pushed",
        "is_raised",
        "is_raw",
        "is_self_closed",
        "is_struck_out",
        "is_title",
        "is_void",
        "name",
        "pane",
        "pane_label",
        "region",
        "role",
        "row_span",
    )

    def __init__(self, name: str, attributes: str, *, is_end: bool) -> None:
        self.name = name
        self.attributes = attributes
        self.is_end = is_end
        self.role = ROLES.get(name, Role.INLINE)
        self.is_void = self.role in VOID_ROLES or name == "embed"
        self.is_pushed = self.role in PUSHED
        self.is_container = self.role in CONTAINERS
        self.breaks_line = self.is_pushed or self.role is Role.PARAGRAPH
        self.implied_ends = IMPLIED_ENDS.get(name)
        self.is_raw = name in RAW_TEXT and not is_end
        self.is_self_closed = attributes.rstrip().endswith("/")
        self.is_struck_out = self.is_title = False
        self.is_hidden = self.is_bold = self.is_raised = self.is_block = False
        self.hidden_id = ""
        self.pane: tuple[str, ...] = ()
        self.pane_label: tuple[str, ...] = ()
        self.row_span = self.column_span = 1
        self.region: rules.RegionHint | None = None
        if not is_end:
            self._read_attributes()
        inert_role = self.role in (Role.INLINE, Role.VOID, Role.ROOT)
        self.is_inert = not name or (inert_role and not (self.is_hidden or self.is_bold or self.is_raised or self.is_block))

    def _read_attributes(self) -> None:
        lowered = self.attributes.lower()
        is_struck_out = "line-through" in lowered and rules.strikes_out(rules.parse_attributes(lowered).get("style", ""))
        self.is_struck_out = self.is_hidden = is_struck_out or self.name in STRUCK_OUT
        if self.role is not Role.ROOT and not self.is_void and len(lowered) > 1:
            self.is_hidden |= rules.is_hidden(lowered) or (self.name in _TEXTS and rules.is_unseen(lowered))
            self.hidden_id = rules.parse_attributes(self.attributes).get("id", "") if self.is_hidden else ""
            self.is_bold = rules.is_bold(lowered)
            self.is_raised = rules.is_raised(lowered)
            self.is_block = rules.is_block(lowered)
        if self.role is Role.CELL and "span" in lowered:
            values = rules.parse_attributes(lowered)
            self.row_span, self.column_span = _span(values.get("rowspan", "1")), _span(values.get("colspan", "1"))
        if self.role in (Role.LINK, Role.CONTAINER, Role.ITEM):
            self.pane_label = label_of(lowered, self.attributes)
        if self.role is Role.CONTAINER or (self.role in CONTAINERS and "-show" in lowered):
            self.pane = pane_of(lowered, self.attributes)
        if self.role in (Role.CONTAINER, Role.LIST, Role.TABLE, Role.CELL):
            self.region = rules.region_hint(self.name, self.attributes)
            self.is_title = rules.is_title(lowered)


@lru_cache(maxsize=_CACHED_TAGS)
def tag_of(markup: str) -> Tag:
    """Read one token of markup; anything but a tag gives a nameless, inert one."""
    match = _NAME.match(markup)
    if match is None:
        return Tag("", "", is_end=False)
    attributes = markup[match.end() : -1 if markup[-1] == ">" else None]
    return Tag(match[1].lower(), attributes[:_LONGEST_ATTRIBUTES], is_end=markup[1] == "/")


def plain_tag(name: str, *, is_end: bool = False) -> Tag:
    """A tag without attributes."""
    return tag_of(f"</{name}>" if is_end else f"<{name}>")


def _span(written: str) -> int:
    return max(1, min(_MAX_SPAN, int(written))) if written.isdecimal() and len(written) < 6 else 1
