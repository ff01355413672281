"""Collect the elements and text of a page into lines: pieces joined, minutes raised, blank space noted, cells in their tables.

`html.walk` calls `open`, `text` and `close` in document order. What an element means is `elements`'.
"""

from __future__ import annotations

from typing import Final

from selectolax.lexbor import LexborNode

from mass_pipeline.model.document import LONGEST_LINE, LineKind, Region, end_of_line
from mass_pipeline.reading.text import wording
from mass_pipeline.reading.text.elements import Element, HiddenByStyle, Role, attributes_of, element_of
from mass_pipeline.reading.text.tables import TITLE_LEVEL, CellDraft, LineDraft, TableDraft
from mass_pipeline.reading.text.tabs import Tabs
from mass_pipeline.reading.text.unreadable_media import OpaqueFinder

_TAIL_PIECES: Final = 24
_TAIL_CHARACTERS: Final = 300
_RAISED_LENGTH: Final = 3  # characters of raised minutes with the colon put before them
_MOST_LINES: Final = 20_000  # of one page; fifteen years of announcements on one page are a fourth of it
_BROKEN_HEADING: Final = 60  # characters; a longer first line stands by itself
_PUNCTUATION: Final = " \t\r\n\xa0.,;:-–|•"  # says nothing about whether a line is bold
_LONGEST_STRUCK_OUT: Final = 400  # characters; beyond, an end tag was forgotten and would hide the rest of the page
_MOST_SOUGHT: Final = 100  # hidden elements per page of which it is asked whether they are shown; each costs a search
_OPENERS: Final = (("#", '"'), ("#", "'"), ("('", "'"), ('("', '"'), ('controls="', '"'), ("controls='", "'"), ('target="', '"'))
_MOST_TABLE_PARTS: Final = 60_000  # tables, rows and cells of one page, most of them without words: it has 20,000 lines
_SAYING_NOTHING: Final = frozenset({"area", "base", "col", "link", "meta", "param", "source", "track"})
_MOST_BETWEEN: Final = 20  # tags between two pieces of text that are looked at
# Looked up for every element: a member of an enumeration costs three times a global name.
_BREAK, _CELL, _CONTAINER, _FRAME, _IMAGE = Role.BREAK, Role.CELL, Role.CONTAINER, Role.FRAME, Role.IMAGE
_INLINE, _LINK, _PARAGRAPH, _RULE, _SKIPPED = Role.INLINE, Role.LINK, Role.PARAGRAPH, Role.RULE, Role.SKIPPED
_HEADING, _LIST, _TABLE, _ROW, _PREFORMATTED = Role.HEADING, Role.LIST, Role.TABLE, Role.ROW, Role.PREFORMATTED
_STRONG, _VERBATIM, _TITLE, _SCRIPT = Role.STRONG, Role.VERBATIM, Role.TITLE, Role.SCRIPT
_KINDS: Final = {Role.ITEM: LineKind.LIST_ITEM, Role.TERM: LineKind.TERM, Role.DESCRIPTION: LineKind.LIST_ITEM}
_ALT: Final = LineKind.ALT

# State to return to after a block element: block, kind, level, region, cell, table, list depth, preformatted.
_State = tuple[int, LineKind, int, Region, CellDraft | None, TableDraft | None, int, bool]


class PageBuilder:
    """Lines of one page, and the state in which text is read.

    Attributes:
        lines: finished lines in reading order.
        title: the page's title, "" when none was met.
        tables, tabs: every table, label and pane met, in order.
        opaque: collects posters, documents, frames and scripts.
        parents: of every block container, the number of the one around it.
        sheet: what the style sheet of the page hides, None when nothing.
    """

    def __init__(self, source: str, opaque: OpaqueFinder) -> None:
        self.lines: list[LineDraft] = []
        self.title = ""
        self.tables: list[TableDraft] = []
        self.tabs = Tabs()
        self.opaque = opaque
        self.parents = [0]
        self.sheet: HiddenByStyle | None = None
        self._source = source
        self._states: list[_State] = []
        self._paragraphs: list[int] = []  # of each open one how many lines stood before it, -1 for one without content
        self._block = 0
        self._kind = LineKind.TEXT
        self._level = 0
        self._region = Region.MAIN
        self._cell: CellDraft | None = None
        self._table: TableDraft | None = None
        self._list_depth = 0
        self._preformatted = False
        self._bold = 0
        self._table_parts = 0
        self._sought = 0
        self._pieces: list[str] = []
        self._between: list[str] = []  # tags since the last piece: "/b", "span", "span.class"
        self._length = 0
        self._plain_seen = False
        self._bold_seen = False
        self._unlinked_seen = False
        self._raised_from = -1
        self._link_ended = False
        self._in_link = False
        self._alts: list[str] = []
        self._gap = False
        self._breaks = 0

    # elements ---------------------------------------------------------------------------------------------------------------

    def open(self, node: LexborNode) -> Element | None:
        """An element begins; None when its content is not to be read."""
        if node.tag in _SAYING_NOTHING:
            return None
        element = element_of(node)
        role = element.role
        if (element.is_hidden or self.sheet is not None) and self._is_hidden(element, node):
            self._pass_over(element)
            return None
        if element.is_bold:
            self._bold += 1
        if element.is_block:
            self._open_block(element)
        elif role is _PARAGRAPH:
            self.flush()
            self._paragraphs.append(-1 if node.first_child is None else len(self.lines))
        elif role is _INLINE or role is _STRONG or role is _LINK or role is Role.RAISED:
            self._open_inline(element, node)
        elif role is not Role.ROOT and role is not _SKIPPED:
            self._void(element, node)
            return None
        return element

    def close(self, element: Element) -> None:
        """An element that was opened ends."""
        role = element.role
        if element.is_raised and self._raised_from >= 0:
            self._end_raised()
        if element.breaks_line and (self._pieces or self._alts):
            self.flush()
        if element.is_bold:
            self._bold -= 1
        if element.is_block:
            (
                self._block,
                self._kind,
                self._level,
                self._region,
                self._cell,
                self._table,
                self._list_depth,
                self._preformatted,
            ) = self._states.pop()
        elif role is _PARAGRAPH:
            # An empty paragraph is the blank line of people who write with an editor.
            self._gap = self._paragraphs.pop() == len(self.lines) or self._gap
        elif self._pieces and not element.is_void:
            self._note_between(f"/{element.name}")
        if role is _LINK:
            self._link_ended = True
            self._in_link = False
            if self.opaque.in_link:
                self.opaque.end_link(self._tail())

    def _is_hidden(self, element: Element, node: LexborNode) -> bool:
        if not element.is_hidden:
            return self.sheet is not None and element.role is not Role.ROOT and self.sheet.hides(element.values)
        if element.role is _SKIPPED:
            return not element.holds_shadow
        self._sought += 1
        if self._sought > _MOST_SOUGHT:
            return True
        if element.is_struck_out:
            return len(node.text()) <= _LONGEST_STRUCK_OUT
        name = element.values.get("id")
        return not name or not any(f"{mark}{name}{quote}" in self._source for mark, quote in _OPENERS)

    def _pass_over(self, element: Element) -> None:
        """An element that is not shown; a cell that is struck out keeps its place."""
        if element.breaks_line:
            self.flush()
        if element.role is _CELL and element.is_struck_out:
            cell, kind, level, depth = self._cell, self._kind, self._level, self._list_depth
            self._open_cell(element)
            self._cell, self._kind, self._level, self._list_depth = cell, kind, level, depth

    def _open_block(self, element: Element) -> None:
        if self._pieces or self._alts:
            self.flush()
        self._states.append(
            (self._block, self._kind, self._level, self._region, self._cell, self._table, self._list_depth, self._preformatted)
        )
        role = element.role
        if element.is_container:
            self.parents.append(self._block)
            self._block = len(self.parents) - 1
            if element.region is not None:
                self._region = element.region.inside(self._region)
        if role is _CELL:
            self._open_cell(element)
        elif role is not _CONTAINER:
            self._enter(element)
        if element.pane or element.pane_label:
            self.tabs.note(element.pane, element.pane_label, len(self.lines), self._block)
        if element.is_title and (role is _CELL or role is _CONTAINER):
            self._level = TITLE_LEVEL

    def _enter(self, element: Element) -> None:
        """State inside a block element."""
        role = element.role
        if role is _HEADING:
            self._kind, self._level = LineKind.HEADING, element.level
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

    def _open_cell(self, element: Element) -> None:
        if self._table is None or not self._has_room():
            return
        if not self._table.rows:
            self._table.rows.append([])
        self._cell = CellDraft(self._table, element.name == "th", element.row_span, element.column_span)
        self._table.rows[-1].append(self._cell)
        self._kind, self._level, self._list_depth = LineKind.CELL, 0, 0

    def _has_room(self) -> bool:
        """Whether one more table, row or cell is made; counts it. What comes after the last line that is read needs none."""
        self._table_parts += 1
        return self._table_parts <= _MOST_TABLE_PARTS and len(self.lines) < _MOST_LINES

    def _open_inline(self, element: Element, node: LexborNode) -> None:
        if element.breaks_line:
            self.flush()
        if element.role is _LINK:
            self._open_link(element, node)
        if self._pieces:
            self._note_between(f"{element.name}.class" if "class" in element.values else element.name)
            if element.is_raised:
                self._raised_from = len(self._pieces)

    def _note_between(self, tag: str) -> None:
        if len(self._between) < _MOST_BETWEEN:
            self._between.append(tag)

    def _open_link(self, element: Element, node: LexborNode) -> None:
        if self._link_ended and self._pieces and not self._pieces[-1][-1:].isspace():
            self._pieces.append(" ")  # the style sheet parts neighbouring links
        self._in_link = "href" in element.values
        self.opaque.link((node.attributes["href"] or "") if self._in_link else "")
        if element.pane_label and not self._pieces:
            self.tabs.note((), element.pane_label, len(self.lines), self._block)

    def _void(self, element: Element, node: LexborNode) -> None:
        """An element whose content is no part of the flow of text."""
        role = element.role
        if role is _BREAK:
            self._break_line()
        elif role is _IMAGE:
            self._image(attributes_of(node))
        elif role is _RULE:
            self.flush()
            self._gap = True
        elif role is _FRAME:
            self.opaque.frame(attributes_of(node), self.near())
        elif role is _SCRIPT:
            self.opaque.script(attributes_of(node), node.text(), self.near)
        elif role is _TITLE:
            self.title = self.title or wording.fold(node.text())
        elif role is _VERBATIM:
            self.flush()
            self._text_lines(node.text())
            self.flush()

    def _image(self, values: dict[str, str]) -> None:
        text = wording.fold(values.get("alt", ""))
        self.opaque.image(values, text, self.near)
        if wording.is_telling(text):
            self._alts.append(text)
            if not self._pieces:
                self.flush()

    # text -------------------------------------------------------------------------------------------------------------------

    def text(self, piece: str) -> None:
        """Text where it stands; half of all is the line ends and blanks between two tags."""
        if self._preformatted and "\n" in piece:
            self._text_lines(piece)
        elif self._pieces or not piece.isspace():
            self._add(piece)

    def _text_lines(self, text: str) -> None:
        """Text in which line ends count."""
        first, *others = text.split("\n")
        before, self._preformatted = self._preformatted, True
        self._add_if_any(first)
        for line in others:
            self._break_line()
            self._add_if_any(line)
        self._preformatted = before

    def _add_if_any(self, piece: str) -> None:
        if self._pieces or (piece and not piece.isspace()):
            self._add(piece)

    def _add(self, piece: str) -> None:
        while len(piece) > (room := LONGEST_LINE - self._length):
            end = end_of_line(piece, room) or (0 if self._length else room)
            if end:
                self._add_to_line(piece[:end])
            self.flush()
            piece = piece[end:]
        if self._pieces or not piece.isspace():
            self._add_to_line(piece)

    def _add_to_line(self, piece: str) -> None:
        pieces = self._pieces
        if pieces:
            self._link_ended = False
            if self._raised_from < 0 and piece[:1].isalnum() and pieces[-1][-1:].isalnum() and self._is_parted(piece):
                pieces.append(" ")
        if self._bold or not self._plain_seen or not self._unlinked_seen:
            self._note_style(piece)
        pieces.append(piece)
        self._between.clear()
        self._length += len(piece)

    def _note_style(self, piece: str) -> None:
        """Whether the line has bold text, text that is not bold, and text outside links; punctuation says nothing."""
        if self._bold:
            self._bold_seen = True
        if (self._plain_seen or self._bold) and (self._unlinked_seen or self._in_link):
            return
        if piece.strip(_PUNCTUATION):
            self._plain_seen = self._plain_seen or not self._bold
            self._unlinked_seen = self._unlinked_seen or not self._in_link

    def _is_parted(self, piece: str) -> bool:
        """Whether the style sheet, not a space, parts this piece from the one before."""
        before = self._pieces[-1]
        if before[-1].isalpha() and piece[0].isalpha():
            return wording.is_styled_gap(self._between, before, piece)
        if before[-1].isdigit() and piece[0].isdigit():
            if before[0] == ":" and len(before) == _RAISED_LENGTH:
                return True  # `7<sup>00</sup>8<sup>30</sup>`
            if wording.are_neighbours(self._between):
                return wording.is_whole_time(self._tail())
        return wording.is_new_time(before, piece)

    def _end_raised(self) -> None:
        """Superscript or underline ends: put the colon where it held minutes."""
        mark, self._raised_from = self._raised_from, -1
        pieces = self._pieces
        if 0 < mark < len(pieces) and wording.is_raised_minutes(self._tail(mark), "".join(pieces[mark:])):
            while mark and not pieces[mark - 1].strip():
                mark -= 1
                del pieces[mark]
            pieces[mark - 1] = pieces[mark - 1].rstrip()
            pieces[mark] = ":" + pieces[mark].lstrip()

    def _tail(self, end: int | None = None) -> str:
        """The last words of the current line; never the whole of it, which may be megabytes."""
        pieces = self._pieces if end is None else self._pieces[max(0, end - _TAIL_PIECES) : end]
        return "".join(pieces[-_TAIL_PIECES:])[-_TAIL_CHARACTERS:]

    def _break_line(self) -> None:
        """A `<br>` or its like: the second in a row leaves a gap; inside a heading the words go on."""
        if self._kind is LineKind.HEADING and self._pieces and not self._preformatted:
            heading = self._tail()
            if len(heading) < _BROKEN_HEADING and not wording.has_hour(heading) and heading.rstrip()[-1:] not in ":;,":
                self._pieces.append(" ")
                return
        if not self.flush():
            self._breaks += 1
            self._gap = self._gap or self._breaks > 1

    def flush(self) -> bool:
        """End the current line; says whether there was one."""
        emitted = False
        if self._pieces:
            if self._raised_from >= 0:
                self._end_raised()
            text = wording.fold(self._pieces[0] if len(self._pieces) == 1 else "".join(self._pieces))
            if text:
                self._emit(text, self._kind, self._level, is_link=not self._unlinked_seen)
                self._breaks = 1
                emitted = True
            self._pieces = []
            self._between.clear()
            self._length = 0
            self._plain_seen = self._bold_seen = self._unlinked_seen = False
        if self._alts:
            alts, self._alts = self._alts, []
            for text in alts:
                self._emit(text, _ALT, 0)
        return emitted

    def _emit(self, text: str, kind: LineKind, level: int, *, is_link: bool = False) -> None:
        if len(self.lines) >= _MOST_LINES:
            return
        bold = self._bold_seen and not self._plain_seen and kind is not _ALT
        line = LineDraft(text, kind, level, self._block, self._region, self._cell, bold, self._gap, is_link)
        self.lines.append(line)
        if self._cell is not None:
            self._cell.lines.append(line)
        self._gap = False

    def structured(self, text: str) -> None:
        """A line written out from machine-readable hours; it stands nowhere in the visible text."""
        folded = wording.fold(text)
        if folded:
            self._block = max((line.block for line in self.lines), default=0) + 1
            self._emit(folded, LineKind.STRUCTURED, 0)

    def near(self) -> str:
        """Words shortly before this point: the last heading and the last line."""
        heading = next((line.text for line in reversed(self.lines[-8:]) if line.kind is LineKind.HEADING or line.bold), "")
        last = self._tail() or (self.lines[-1].text if self.lines else "")
        return " / ".join(dict.fromkeys(part for part in (heading, wording.fold(last)) if part))
