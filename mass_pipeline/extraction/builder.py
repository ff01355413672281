"""Collect the events of a page (text, start tag, end tag) into lines with structure.

The front ends (`html`, `markdown`, `plain`) feed it slices of one source, so every line knows where it stands there.
No recursion and no tree: what is open stands on one stack, so nesting 100,000 deep costs memory, not the interpreter.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from mass_pipeline.extraction import wording
from mass_pipeline.extraction.attributes import parse_attributes
from mass_pipeline.extraction.drafts import TITLE_LEVEL, CellDraft, TableDraft
from mass_pipeline.extraction.elements import BREAKS_OUT, FOREIGN, ROLES, TABLE_PARTS, Role
from mass_pipeline.extraction.flow import TextFlow
from mass_pipeline.extraction.opaque import OpaqueFinder
from mass_pipeline.extraction.style_sheets import HiddenByStyle, hidden_by_style
from mass_pipeline.extraction.tabs import Tabs
from mass_pipeline.extraction.tags import Tag, plain_tag
from mass_pipeline.model.document import LineKind, Region

_LONGEST_STRUCK_OUT: Final = 400  # characters; beyond, an end tag was forgotten and would hide the rest of the page
_MOST_OPENERS_SOUGHT: Final = 100  # hidden elements per page; each costs a search through the source
_OPENERS: Final = (("#", '"'), ("#", "'"), ("('", "'"), ('("', '"'), ('controls="', '"'), ("controls='", "'"), ('target="', '"'))
_DEEPEST: Final = 5_000  # open elements; what is deeper stands beside the last one, as in browsers (there from 512 on)
_MOST_TABLE_PARTS: Final = 60_000  # tables, rows and cells of one page, most of them without words: it has 20,000 lines
_END_TAG_LOOKS_BACK: Final = 256  # open elements; keeps a page of stray end tags linear
# Looked up for every tag: a member of an enumeration costs three times a global name.
_BREAK, _CELL, _CONTAINER, _FRAME, _IMAGE, _INLINE = Role.BREAK, Role.CELL, Role.CONTAINER, Role.FRAME, Role.IMAGE, Role.INLINE
_LINK, _PARAGRAPH, _RAISED, _RULE = Role.LINK, Role.PARAGRAPH, Role.RAISED, Role.RULE
_SKIPPED, _STRONG, _HEADING, _LIST, _TABLE, _ROW = Role.SKIPPED, Role.STRONG, Role.HEADING, Role.LIST, Role.TABLE, Role.ROW
_PREFORMATTED = Role.PREFORMATTED
_KINDS: Final = {Role.ITEM: LineKind.LIST_ITEM, Role.TERM: LineKind.TERM, Role.DESCRIPTION: LineKind.LIST_ITEM}

# Name of an open element and the state to return to after it:
# block, kind, level, region, cell, table, bold, hidden, list depth, preformatted.
_Open = tuple[str, int, LineKind, int, Region, CellDraft | None, TableDraft | None, int, int, int, bool]


class PageBuilder(TextFlow):
    """Turns tags and text into `lines`; `finish` closes the last one.

    Attributes:
        tables, tabs: every table, label and pane met, in order.
        opaque: collects posters, documents, frames and scripts, when wanted.
        parents: of every block container, the number of the one around it.
        is_counting: tags without effect must be reported too (inside hidden parts and styled inline elements).
        sheet: what the style sheet of the page hides, None when nothing.
    """

    __slots__ = (
        "_blocks",
        "_inline_open",
        "_list_depth",
        "_open_counts",
        "_openers_sought",
        "_paragraph_start",
        "_stack",
        "_table",
        "_table_parts",
        "is_counting",
        "opaque",
        "parents",
        "sheet",
        "tables",
        "tabs",
    )

    def __init__(self, source: str, *, opaque: OpaqueFinder | None = None) -> None:
        super().__init__(source)
        self.tables: list[TableDraft] = []
        self.tabs = Tabs()
        self.opaque = opaque
        self.sheet = hidden_by_style(source)
        self.is_counting = False
        self._stack: list[_Open] = []
        self._open_counts: defaultdict[str, int] = defaultdict(int)
        self._inline_open = 0
        self._blocks = 0
        self.parents = [0]
        self._table: TableDraft | None = None
        self._table_parts = 0
        self._list_depth = 0
        self._paragraph_start = -1
        self._openers_sought = 0

    def open(self, name: str) -> None:
        """A start tag without attributes."""
        self.tag(plain_tag(name), 0, 0)

    def close(self, name: str) -> None:
        """An end tag."""
        self._close(plain_tag(name, is_end=True))

    def tag(self, tag: Tag, start: int, end: int) -> None:
        """A tag.

        Args:
            tag: what it says.
            start, end: offsets of the tag in the source.
        """
        if self.hidden and tag.name in BREAKS_OUT:
            self._leave_foreign(tag)
        if tag.is_end:
            self._close(tag)
        elif self.hidden:
            if not tag.is_void and tag.name:
                self._imply_ends(tag)
                self._push(tag.name, self.hidden + 1)
        elif (tag.is_hidden and not self._is_shown_after_all(tag, end)) or (
            self.sheet is not None and self._is_hidden_by_sheet(self.sheet, tag)
        ):
            if tag.role is _CELL and tag.is_struck_out:  # it keeps its place
                self._open_block(tag)
                self.hidden = 1
                return
            self._break_for(tag)
            self._imply_ends(tag)
            self._push(tag.name, 1)
        elif tag.is_pushed:
            self._open_block(tag)
        elif tag.role is _STRONG:
            self._bold += 1
        else:
            self._open_inline(tag, start, end)

    def _leave_foreign(self, tag: Tag) -> None:
        """An HTML element ends an unclosed drawing or formula, which would hide the rest of the page."""
        if tag.is_end and tag.name not in ("p", "br"):
            return
        for depth in range(len(self._stack) - 1, max(0, len(self._stack) - _END_TAG_LOOKS_BACK) - 1, -1):
            name = self._stack[depth][0]
            if name in FOREIGN:
                self._pop_to(depth)
            elif name == "foreignobject" or name in ROLES:
                return

    def _is_shown_after_all(self, tag: Tag, end: int) -> bool:
        """Whether a link or button names the hidden element, so that a click shows it, or what is struck out never ends."""
        if tag.is_struck_out:
            return f"</{tag.name}" not in self.source[end : end + _LONGEST_STRUCK_OUT].lower()
        self._openers_sought += 1
        if not tag.hidden_id or self._openers_sought > _MOST_OPENERS_SOUGHT:
            return False
        return any(f"{mark}{tag.hidden_id}{quote}" in self.source for mark, quote in _OPENERS)

    def _is_hidden_by_sheet(self, sheet: HiddenByStyle, tag: Tag) -> bool:
        return tag.role is not Role.ROOT and not tag.is_void and sheet.hides(tag.attributes)

    def _open_block(self, tag: Tag) -> None:
        role = tag.role
        if role is _SKIPPED:
            # A template with a shadow root is shown (WHATWG HTML 4.12.3); any other waits for a script.
            self._push(tag.name, 0 if "shadowrootmode" in tag.attributes.lower() else 1)
            return
        if self._pieces or self._alts:
            self.flush()
        self._paragraph_start = -1
        if self._stack and (tag.implied_ends is not None or self._stack[-1][0] == "p"):
            self._imply_ends(tag)
        self._push(tag.name, 0)
        if tag.is_container:
            self._blocks += 1
            self.parents.append(self._block)
            self._block = self._blocks
            if tag.region is not None:
                self._region = tag.region.inside(self._region)
        if tag.is_bold:
            self._bold += 1
        if role is _CELL:
            self._open_cell(tag)
        elif role is not _CONTAINER:
            self._enter(tag.name, role)
        if tag.is_title or tag.pane or tag.pane_label:
            self._head(tag)

    def _head(self, tag: Tag) -> None:
        """A heading by its class, a pane of tabs, or the label of one."""
        self.tabs.note(tag.pane, tag.pane_label, len(self.lines), self._block)
        if tag.is_title and tag.role in (_CELL, _CONTAINER):
            self._level = TITLE_LEVEL

    def _enter(self, name: str, role: Role) -> None:
        """State inside a block element."""
        if role is _HEADING:
            self._kind, self._level = LineKind.HEADING, int(name[1]) if name[1].isdigit() else 7
        elif role is _LIST:
            self._list_depth += 1
        elif role in _KINDS:
            self._kind, self._level = _KINDS[role], max(1, self._list_depth)
        elif role is _TABLE and self._has_room():
            self._table = TableDraft(self._cell)
            self.tables.append(self._table)
            if self._cell is not None:
                self._cell.table.has_tables = True
        elif role is _ROW and self._table is not None and self._has_room():
            self._table.rows.append([])
        elif role is _PREFORMATTED:
            self._preformatted = True

    def _open_cell(self, tag: Tag) -> None:
        if self._table is None or not self._has_room():
            return
        if not self._table.rows:
            self._table.rows.append([])
        self._cell = CellDraft(self._table, tag.name == "th", tag.row_span, tag.column_span)
        self._table.rows[-1].append(self._cell)
        self._kind, self._level, self._list_depth = LineKind.CELL, 0, 0
        if tag.name == "th":
            self._bold += 1

    def _has_room(self) -> bool:
        """Whether one more table, row or cell is made; counts it. What comes after the last line that is read needs none."""
        self._table_parts += 1
        return self._table_parts <= _MOST_TABLE_PARTS and not self.is_full

    def _open_inline(self, tag: Tag, start: int, end: int) -> None:
        role = tag.role
        if role is _BREAK:
            self.break_line()
        elif role is _PARAGRAPH:
            self._open_paragraph(tag)
        elif role is _LINK:
            self._open_link(tag)
        elif role is _RAISED:
            self.start_raised()
        elif role is _IMAGE:
            self._open_image(tag, (start, end))
        elif role is _RULE:
            self.rule()
        elif role is _FRAME and self.opaque is not None:
            self.opaque.frame(tag.attributes, self.near())
        elif role is _INLINE:
            self._open_styled(tag)

    def _open_link(self, tag: Tag) -> None:
        if self._link_ended and self._pieces and not self._pieces[-1][-1:].isspace():
            self._pieces.append(" ")  # the style sheet parts neighbouring links
        self._in_link = "href" in tag.attributes.lower()
        if tag.pane_label and not self._pieces:
            self.tabs.note((), tag.pane_label, len(self.lines), self._block)
        if self.opaque is not None:
            self.opaque.link(tag.attributes)

    def _open_paragraph(self, tag: Tag) -> None:
        self.flush()
        if self._stack and self._stack[-1][0] == "p":
            self._pop_to(len(self._stack) - 1)
        self._paragraph_start = len(self.lines)
        if tag.is_bold:
            self._push("p", 0)
            self._bold += 1

    def _open_styled(self, tag: Tag) -> None:
        """An inline element whose style shows it as a block, bold or raised, or one inside such an element."""
        if tag.is_block:
            self.flush()
        if tag.is_bold or tag.is_block or tag.is_raised or self._open_counts.get(tag.name):
            self._push(tag.name, 0)
            self._inline_open += 1
            self.is_counting = True
            self._bold += tag.is_bold
        if tag.is_raised:
            self.start_raised()

    def _open_image(self, tag: Tag, span: tuple[int, int]) -> None:
        values = parse_attributes(tag.attributes)
        text = wording.fold(values.get("alt", ""))
        if self.opaque is not None:
            self.opaque.image(values, text, self.near)
        if wording.is_telling(text):
            self._alts.append((text, span))
            if not self._pieces:
                self.flush()

    def _close(self, tag: Tag) -> None:
        """An end tag; one that matches nothing is ignored, except `</p>`, which breaks the line."""
        stack = self._stack
        if tag.is_pushed and stack and stack[-1][0] == tag.name and not self._inline_open:
            if (self._pieces or self._alts) and not self.hidden:
                self.flush()
            self._restore(stack.pop())
            return
        if not self.hidden:
            if tag.role is _STRONG:
                self._bold = max(0, self._bold - 1)
                return
            if tag.role is _LINK:
                self._close_link()
                return
            self._close_line(tag)
        if self._open_counts.get(tag.name):
            self._close_open(tag.name)

    def _close_line(self, tag: Tag) -> None:
        """What an end tag does to the text, whether or not an element is open."""
        if self._raised_from >= 0 and tag.role in (_RAISED, _INLINE):
            self.end_raised()
        if tag.breaks_line and (self._pieces or self._alts):
            self.flush()
        if tag.role is _PARAGRAPH:
            self._close_paragraph()

    def _close_link(self) -> None:
        self._link_ended = True
        self._in_link = False
        if self.opaque is not None and self.opaque.in_link:
            self.opaque.end_link(self._tail())

    def _close_paragraph(self) -> None:
        if self._paragraph_start == len(self.lines):
            self._gap = True  # an empty paragraph is the blank line of people who write with an editor
        self._paragraph_start = -1

    def _close_open(self, name: str) -> None:
        stack = self._stack
        if stack[-1][0] == name:
            self._pop_to(len(stack) - 1)
            return
        barrier = name not in TABLE_PARTS
        for depth in range(len(stack) - 2, max(0, len(stack) - _END_TAG_LOOKS_BACK) - 1, -1):
            found = stack[depth][0]
            if found == name:
                self._pop_to(depth)
                return
            if found == "table" or (barrier and found in TABLE_PARTS):
                return

    def _break_for(self, tag: Tag) -> None:
        if tag.breaks_line and (self._pieces or self._alts):
            self.flush()

    def _imply_ends(self, tag: Tag) -> None:
        stack = self._stack
        if stack and tag.is_pushed and stack[-1][0] == "p":
            self._pop_to(len(stack) - 1)
        if tag.implied_ends is None or not stack:
            return
        ended, borders = tag.implied_ends
        if stack[-1][0] in borders:
            return
        for depth in range(len(stack) - 1, max(0, len(stack) - _END_TAG_LOOKS_BACK) - 1, -1):
            found = stack[depth][0]
            if found in ended:
                self._pop_to(depth)
                return
            if found in borders:
                return

    def _push(self, name: str, hidden: int) -> None:
        if len(self._stack) >= _DEEPEST:
            self._pop_to(len(self._stack) - 1)
        self._stack.append(
            (
                name, self._block, self._kind, self._level, self._region, self._cell, self._table, self._bold,
                self.hidden, self._list_depth, self._preformatted,
            )
        )  # fmt: skip
        self._open_counts[name] += 1
        if hidden:
            self.hidden = hidden
            self.is_counting = True

    def _pop_to(self, depth: int) -> None:
        """Close everything from `depth` upwards and return to the state before it."""
        if self._pieces or self._alts:
            self._flush_for_end(depth)
        stack = self._stack
        for opened in stack[depth + 1 :]:
            self._open_counts[opened[0]] -= 1
            if self._inline_open and opened[0] not in ROLES:
                self._inline_open -= 1
        opened = stack[depth]
        del stack[depth:]
        if self._inline_open and opened[0] not in ROLES:
            self._inline_open -= 1
        self._restore(opened)

    def _restore(self, opened: _Open) -> None:
        """Return to the state before an element that was taken from the stack."""
        (
            name,
            self._block,
            self._kind,
            self._level,
            self._region,
            self._cell,
            self._table,
            self._bold,
            self.hidden,
            self._list_depth,
            self._preformatted,
        ) = opened
        self._open_counts[name] -= 1
        self.is_counting = self.hidden > 0 or self._inline_open > 0

    def _flush_for_end(self, depth: int) -> None:
        """End the line, unless only hidden or inline elements end here."""
        if not self.hidden and any(opened[0] in ROLES for opened in self._stack[depth:]):
            self.flush()
