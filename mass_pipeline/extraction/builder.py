"""Collect the events of a page (text, start tag, end tag) into lines with structure.

The front ends (`html`, `markdown`, `plain`) feed it slices of one source, so every line knows where it stands there.
No recursion and no tree: what is open stands on one stack, so nesting 100,000 deep costs memory, not the interpreter.
"""

from __future__ import annotations

from html import unescape
from typing import Final, NamedTuple

from mass_pipeline.extraction import attributes as attribute_rules
from mass_pipeline.extraction import wording
from mass_pipeline.extraction.drafts import CellDraft, LineDraft, TableDraft
from mass_pipeline.extraction.elements import IMPLIED_ENDS, ROLES, TABLE_PARTS, VOID_ROLES, Role
from mass_pipeline.extraction.opaque import OpaqueFinder
from mass_pipeline.model.document import LineKind, Region

_END_TAG_LOOKS_BACK: Final = 256  # open elements; keeps a page of stray end tags linear
_MAX_SPAN: Final = 200  # columns or rows of one cell; WHATWG allows 1000 and 65534, no schedule needs them
_PUSHED: Final = frozenset(
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
_KINDS: Final = {Role.ITEM: LineKind.LIST_ITEM, Role.TERM: LineKind.TERM, Role.DESCRIPTION: LineKind.LIST_ITEM}
_CONTAINERS: Final = frozenset({Role.CONTAINER, Role.LIST, Role.CELL, Role.TABLE})


class _Open(NamedTuple):
    """An open element and the state to return to behind it."""

    name: str
    block: int
    kind: LineKind
    level: int
    region: Region
    cell: CellDraft | None
    table: TableDraft | None
    bold: int
    hidden: int
    list_depth: int
    preformatted: bool
    first_line: int


class PageBuilder:
    """Turns events into `lines`; `finish` closes the last one."""

    def __init__(self, source: str, *, opaque: OpaqueFinder | None = None) -> None:
        self.source = source
        self.lines: list[LineDraft] = []
        self.tables: list[TableDraft] = []
        self.opaque = opaque
        self.title = ""
        self._stack: list[_Open] = []
        self._open_counts: dict[str, int] = {}
        self._blocks = 0
        self._block = 0
        self._kind = LineKind.TEXT
        self._level = 0
        self._region = Region.MAIN
        self._cell: CellDraft | None = None
        self._table: TableDraft | None = None
        self._bold = 0
        self.hidden = 0
        self._list_depth = 0
        self._preformatted = False
        self._pieces: list[str] = []
        self._spans: list[tuple[int, int]] = []
        self._plain_seen = False
        self._bold_seen = False
        self._raised_from = -1
        self._link_ended = False
        self._alts: list[tuple[str, tuple[int, int]]] = []
        self._gap = False
        self._breaks = 0
        self._paragraph_start = -1

    # text -----------------------------------------------------------------------------------------------------------

    def text(self, start: int, end: int, *, literal: bool = False) -> None:
        """Add the source between two offsets to the current line.

        Args:
            start, end: offsets in the source.
            literal: the source holds no character references (plain text).
        """
        if self.hidden:
            return
        piece = self.source[start:end]
        if self._preformatted and "\n" in piece:
            self._text_lines(start, end, literal)
            return
        if not literal and "&" in piece:
            piece = unescape(piece)
        if self._pieces:
            self._link_ended = False
            gap = "" if self._raised_from >= 0 else wording.glue(self._pieces[-1], piece)
            if gap:
                self._pieces.append(gap)
        elif piece.isspace():
            return
        if self._bold:
            self._bold_seen = True
        elif not self._plain_seen and not piece.isspace():
            self._plain_seen = piece.strip(" \t\r\n\xa0.,;:-–|•") != ""
        self._pieces.append(piece)
        self._spans.append((start, end))

    def _text_lines(self, start: int, end: int, literal: bool) -> None:
        self._preformatted = False
        position = start
        while position <= end:
            stop = self.source.find("\n", position, end)
            stop = end if stop < 0 else stop
            self.text(position, stop, literal=literal)
            if stop == end:
                break
            self.break_line()
            position = stop + 1
        self._preformatted = True

    def start_raised(self) -> None:
        """Superscript or underline begins: perhaps the minutes of an hour."""
        if self._pieces:
            self._raised_from = len(self._pieces)

    def end_raised(self) -> None:
        """Superscript or underline ends: put the colon where it held minutes."""
        mark, self._raised_from = self._raised_from, -1
        if 0 < mark < len(self._pieces):
            joined = wording.raised_minutes("".join(self._pieces[:mark]), "".join(self._pieces[mark:]))
            if joined is not None:
                self._pieces = [joined]

    def break_line(self) -> None:
        """A `<br>` or its like: the second in a row leaves a gap."""
        if not self.flush():
            self._breaks += 1
            self._gap = self._gap or self._breaks > 1

    def rule(self) -> None:
        """A horizontal rule."""
        self.flush()
        self._gap = True

    def flush(self) -> bool:
        """End the current line; says whether there was one."""
        emitted = False
        if self._pieces:
            if self._raised_from >= 0:
                self.end_raised()
            raw = self._pieces[0] if len(self._pieces) == 1 else "".join(self._pieces)
            text = wording.fold(raw)
            if text:
                self._emit(text, tuple(self._spans), self._kind, self._level)
                self._breaks = 1
                emitted = True
            self._pieces = []
            self._spans = []
            self._plain_seen = self._bold_seen = False
        if self._alts:
            alts, self._alts = self._alts, []
            for text, span in alts:
                self._emit(text, (span,), LineKind.ALT, 0)
        return emitted

    def _emit(self, text: str, spans: tuple[tuple[int, int], ...], kind: LineKind, level: int) -> None:
        line = LineDraft(
            text,
            spans,
            kind=kind,
            level=level,
            block=self._block,
            region=self._region,
            cell=self._cell,
            bold=self._bold_seen and not self._plain_seen and kind is not LineKind.ALT,
            after_rule=self._gap,
        )
        self.lines.append(line)
        if self._cell is not None:
            self._cell.lines.append(line)
        self._gap = False

    # elements -------------------------------------------------------------------------------------------------------

    def open(self, name: str, attributes: str = "", start: int = 0, end: int = 0) -> None:
        """A start tag.

        Args:
            name: lower-case element name.
            attributes: attribute text as written.
            start, end: offsets of the tag in the source.
        """
        role = ROLES.get(name, Role.INLINE)
        if self.hidden:
            if role not in VOID_ROLES:
                self._imply_ends(name)
                self._push(name, self.hidden + 1)
            return
        lowered = attributes.lower() if len(attributes) > 1 else ""
        if lowered and role is not Role.ROOT and role not in VOID_ROLES and attribute_rules.is_hidden(lowered):
            self._break_for(role)
            self._imply_ends(name)
            self._push(name, 1)
        elif role in _PUSHED:
            self._open_block(name, role, attributes, lowered)
        elif role is Role.STRONG:
            self._bold += 1
        else:
            self._open_inline(name, role, attributes, lowered, (start, end))

    def _open_block(self, name: str, role: Role, attributes: str, lowered: str) -> None:
        if role is Role.SKIPPED:
            self._push(name, 1)
            return
        self.flush()
        self._paragraph_start = -1
        self._imply_ends(name)
        self._push(name, 0)
        if role in _CONTAINERS:
            self._blocks += 1
            self._block = self._blocks
            self._region = attribute_rules.region_of(name, attributes, self._region)
            self._gap = self._gap and role is not Role.TABLE
        if lowered and attribute_rules.is_bold(lowered):
            self._bold += 1
        self._enter(name, role, lowered)

    def _enter(self, name: str, role: Role, lowered: str) -> None:
        """State inside a block element."""
        if role is Role.HEADING:
            self._kind, self._level = LineKind.HEADING, int(name[1]) if name[1].isdigit() else 7
        elif role is Role.LIST:
            self._list_depth += 1
        elif role in _KINDS:
            self._kind, self._level = _KINDS[role], max(1, self._list_depth)
        elif role is Role.TABLE:
            self._table = TableDraft(self._cell)
            self.tables.append(self._table)
            if self._cell is not None:
                self._cell.table.has_tables = True
        elif role is Role.ROW and self._table is not None:
            self._table.rows.append([])
        elif role is Role.CELL and self._table is not None:
            self._open_cell(name, lowered)
        elif role is Role.PREFORMATTED:
            self._preformatted = True

    def _open_cell(self, name: str, lowered: str) -> None:
        assert self._table is not None
        if not self._table.rows:
            self._table.rows.append([])
        values = attribute_rules.parse_attributes(lowered) if "span" in lowered else {}
        self._cell = CellDraft(
            self._table,
            is_header=name == "th",
            row_span=_span(values.get("rowspan", "1")),
            column_span=_span(values.get("colspan", "1")),
        )
        self._table.rows[-1].append(self._cell)
        self._kind, self._level, self._list_depth = LineKind.CELL, 0, 0
        if name == "th":
            self._bold += 1

    def _open_inline(self, name: str, role: Role, attributes: str, lowered: str, span: tuple[int, int]) -> None:
        if role is Role.BREAK:
            self.break_line()
        elif role is Role.PARAGRAPH:
            self._open_paragraph(lowered)
        elif role is Role.RAISED:
            self.start_raised()
        elif role is Role.IMAGE:
            self._open_image(attributes, span)
        elif role is Role.RULE:
            self.rule()
        elif role is Role.LINK:
            self._open_link(attributes)
        elif role is Role.FRAME and self.opaque is not None:
            self.opaque.frame(name, attributes, self.near())
        elif lowered and role is Role.INLINE:
            self._open_styled(name, lowered)

    def _open_link(self, attributes: str) -> None:
        if self._link_ended and self._pieces and not self._pieces[-1][-1:].isspace():
            self._pieces.append(" ")  # the style sheet parts neighbouring links
        if self.opaque is not None:
            self.opaque.link(attributes)

    def _open_paragraph(self, lowered: str) -> None:
        self.flush()
        if self._stack and self._stack[-1].name == "p":
            self._pop_to(len(self._stack) - 1)
        self._paragraph_start = len(self.lines)
        if lowered and attribute_rules.is_bold(lowered):
            self._push("p", 0)
            self._bold += 1

    def _open_styled(self, name: str, lowered: str) -> None:
        """An inline element whose style shows it as a block, bold or raised."""
        bold, raised, block = (
            attribute_rules.is_bold(lowered),
            attribute_rules.is_raised(lowered),
            attribute_rules.is_block(lowered),
        )
        if block:
            self.flush()
        if bold or block:
            self._push(name, 0)
            self._bold += bold
        if raised:
            self.start_raised()

    def _open_image(self, attributes: str, span: tuple[int, int]) -> None:
        values = attribute_rules.parse_attributes(attributes)
        text = wording.fold(values.get("alt", ""))
        if self.opaque is not None:
            self.opaque.image(values, text, self.near())
        if wording.is_telling(text):
            self._alts.append((text, span))
            if not self._pieces:
                self.flush()

    def close(self, name: str) -> None:
        """An end tag; one that matches nothing is ignored, except `</p>`, which breaks the line."""
        role = ROLES.get(name, Role.INLINE)
        if not self.hidden:
            if role is Role.STRONG:
                self._bold = max(0, self._bold - 1)
                return
            if role is Role.RAISED:
                self.end_raised()
                return
            if role is Role.LINK:
                self._link_ended = True
                if self.opaque is not None and self.opaque.in_link:
                    self.opaque.end_link("".join(self._pieces))
                return
            self._break_for(role)
            if role is Role.PARAGRAPH:
                self._close_paragraph()
        if self._open_counts.get(name):
            self._close_open(name)
        elif self._raised_from >= 0 and role is Role.INLINE:
            self.end_raised()

    def _close_paragraph(self) -> None:
        # An empty paragraph is the blank line of people who write with an editor.
        if self._paragraph_start == len(self.lines):
            self._gap = True
        self._paragraph_start = -1

    def _close_open(self, name: str) -> None:
        barrier = name not in TABLE_PARTS
        lowest = max(0, len(self._stack) - _END_TAG_LOOKS_BACK)
        for depth in range(len(self._stack) - 1, lowest - 1, -1):
            found = self._stack[depth].name
            if found == name:
                self._pop_to(depth)
                return
            if found == "table" or (barrier and found in TABLE_PARTS):
                return

    def _break_for(self, role: Role) -> None:
        if role in _PUSHED or role is Role.PARAGRAPH:
            self.flush()

    def _imply_ends(self, name: str) -> None:
        if self._stack and self._stack[-1].name == "p" and ROLES.get(name, Role.INLINE) in _PUSHED:
            self._pop_to(len(self._stack) - 1)
        rule = IMPLIED_ENDS.get(name)
        if rule is None or not any(self._open_counts.get(ended) for ended in rule[0]):
            return
        lowest = max(0, len(self._stack) - _END_TAG_LOOKS_BACK)
        for depth in range(len(self._stack) - 1, lowest - 1, -1):
            found = self._stack[depth].name
            if found in rule[0]:
                self._pop_to(depth)
                return
            if found in rule[1]:
                return

    def _push(self, name: str, hidden: int) -> None:
        self._stack.append(
            _Open(
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
                len(self.lines),
            )
        )
        self._open_counts[name] = self._open_counts.get(name, 0) + 1
        self.hidden = hidden

    def _pop_to(self, depth: int) -> None:
        """Close everything from `depth` upwards and return to the state before it."""
        if not self.hidden:
            self.flush()
        for opened in self._stack[depth:]:
            self._open_counts[opened.name] -= 1
        opened = self._stack[depth]
        del self._stack[depth:]
        (
            _,
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
            _,
        ) = opened

    def set_title(self, start: int, end: int) -> None:
        """The page's `<title>`; the first one outside hidden parts counts."""
        if not self.title and not self.hidden:
            self.title = wording.fold(unescape(self.source[start:end]))

    def verbatim(self, start: int, end: int) -> None:
        """Text in which line ends count."""
        before, self._preformatted = self._preformatted, True
        self.flush()
        self.text(start, end)
        self.flush()
        self._preformatted = before

    def near(self) -> str:
        """Words shortly before this point: the last heading and the last line."""
        heading = next((line.text for line in reversed(self.lines[-8:]) if line.kind is LineKind.HEADING or line.bold), "")
        last = "".join(self._pieces) or (self.lines[-1].text if self.lines else "")
        return " / ".join(dict.fromkeys(part for part in (heading, wording.fold(last)) if part))

    def finish(self) -> None:
        """End of the source."""
        self.hidden = 0
        self.flush()


def _span(written: str) -> int:
    return max(1, min(_MAX_SPAN, int(written))) if written.isdecimal() and len(written) < 6 else 1
