"""Visible text with its structure: what the extraction hands to the grammar.

A document is a sequence of lines in reading order. A line is the text of one block-level unit (paragraph, list item,
heading, one line of a table cell); inline markup never splits it, `<br>` and block borders do, as does its greatest length.
Every character keeps its offset in the decoded source so that evidence can be shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

LONGEST_LINE: Final = (
    4_000  # characters; what is longer goes on in the next line: of 622 real pages none has a line longer than 3,008
)
DEEPEST_BOX: Final = 200  # steps towards the root; hostile pages nest a hundred thousand deep, real ones some sixty


def end_of_line(text: str, room: int) -> int:
    """Where a text that is too long for a line is broken: behind the last blank that has room; 0 where none has.

    >>> end_of_line("Niedziela 8.00", 12), end_of_line("8.00", 12), end_of_line("Niedziela", 4)
    (10, 4, 0)
    """
    return len(text) if len(text) <= room else text.rfind(" ", 0, room) + 1


class LineKind(StrEnum):
    """What kind of block a line comes from."""

    HEADING = "heading"  # h1..h6, caption, summary, or a line that is bold or emphasised as a whole (level 7)
    TEXT = "text"
    LIST_ITEM = "list_item"  # li, dd
    TERM = "term"  # dt
    CELL = "cell"
    ALT = "alt"  # alternative text of an image
    STRUCTURED = "structured"  # opening hours or events from JSON-LD, written out as text


class Region(StrEnum):
    """Part of the page, from landmarks, roles, ids and class names; MAIN when nothing says otherwise."""

    MAIN = "main"
    HEADER = "header"
    NAV = "nav"
    ASIDE = "aside"
    FOOTER = "footer"


@dataclass(slots=True, unsafe_hash=True)
class Line:
    """One line of visible text.

    Attributes:
        text: white space folded to single spaces, never empty; `<sup>` minutes already written as `7:30`.
        kind: the block it comes from.
        level: 1..6 for headings, 7 for a line that only looks like one; nesting depth (1..) for list items; else 0.
        block: ordinal of the nearest block container (section, div, td, li list, ...); lines of one container share it.
        region: part of the page.
        table: ordinal of the innermost data table, -1 outside; layout tables (one cell, or no row with two short
            cells) count as containers, not tables.
        row, column: cell position in that table (spans resolved), -1 outside.
        row_header, column_header: text of the headers that govern the cell, "" when there are none.
        after_rule: a horizontal rule or blank space (two `<br>`, an empty paragraph) stands before the line.
    """

    text: str
    kind: LineKind = LineKind.TEXT
    level: int = 0
    block: int = 0
    region: Region = Region.MAIN
    table: int = -1
    row: int = -1
    column: int = -1
    row_header: str = ""
    column_header: str = ""
    after_rule: bool = False

    def __reduce__(self) -> tuple[type[Line], tuple[object, ...]]:
        """To another process as the arguments: pickle would make a dictionary for each line and keep them all until its end."""
        return Line, (
            self.text, self.kind, self.level, self.block, self.region, self.table, self.row, self.column,
            self.row_header, self.column_header, self.after_rule,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class OpaqueSource:
    """Something that may hold the schedule but is no text: an image, a PDF, a frame, a script.

    Attributes:
        kind: `image`, `pdf`, `office`, `frame`, `script`, `page` (the page itself is empty until its scripts run), or
            `source code` (the file itself is for tools, not for visitors).
        url: absolute where the page's URL is known, else as written.
        near: the words beside it (heading, alternative text, link text).
    """

    kind: str
    url: str
    near: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A page as people see it.

    Attributes:
        lines: in reading order; empty for a page without text.
        title: text of `<title>` or the first heading, "" when absent.
        url: where it was fetched, "" when unknown.
        link_text: anchor text of the link that led here, "" when unknown.
        source: decoded markup.
        opaque: possible sources that are no text.
        parents: `parents[b]` is the block container around `b`, always of a smaller number; 0 is the page. Empty for texts
            without markup.
    """

    lines: tuple[Line, ...] = ()
    title: str = ""
    url: str = ""
    link_text: str = ""
    source: str = field(default="", repr=False)
    opaque: tuple[OpaqueSource, ...] = ()
    parents: Sequence[int] = field(default=(), repr=False)

    @property
    def text(self) -> str:
        """All lines, joined by newlines."""
        return "\n".join([line.text for line in self.lines])


def common_box(parents: Sequence[int], one: int, other: int) -> int:
    """The innermost box around two boxes, 0 for the page itself.

    Args:
        parents: `Document.parents`; a box is numbered after the one around it.
    """
    if max(one, other) >= len(parents):
        return 0
    for _ in range(DEEPEST_BOX):
        if one == other:
            return one
        if one > other:
            one = parents[one]
        else:
            other = parents[other]
    return 0


@dataclass(frozen=True, slots=True)
class Wrapper:
    """XPath expressions for the fields of one site's pages; "" leaves a field to the general reading."""

    title: str = ""
    date: str = ""
    text: str = ""
    author: str = ""
