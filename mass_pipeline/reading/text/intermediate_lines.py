"""Lines, cells and tables while a page is being read; the finished values are `model.document`."""

from __future__ import annotations

from typing import Final, NamedTuple

from mass_pipeline.model.document import LineKind, Region
from mass_pipeline.reading.text.wording import has_hour

TITLE_LEVEL: Final = 3  # of a heading that only the class of its box tells: titles of articles, tabs and boxes


class CellDraft:
    """A table cell: where it stands in its table, and the lines inside."""

    __slots__ = ("column", "column_span", "has_hour", "is_header", "lines", "row", "row_span", "table", "text")

    def __init__(self, table: TableDraft, is_header: bool, row_span: int, column_span: int) -> None:
        self.table = table
        self.is_header = is_header
        self.row_span = row_span
        self.column_span = column_span
        self.row = -1
        self.column = -1
        self.lines: list[LineDraft] = []
        self.text = ""
        self.has_hour = False

    def settle(self) -> None:
        """The lines are complete: note their joined text, and whether an hour stands in it."""
        lines = self.lines
        if lines:
            self.text = lines[0].text if len(lines) == 1 else " ".join([line.text for line in lines])
            self.has_hour = has_hour(self.text)


class TableDraft:
    """A table: its rows of cells, and the cell that holds it."""

    __slots__ = ("has_tables", "is_data", "outer", "rows")

    def __init__(self, outer: CellDraft | None) -> None:
        self.outer = outer
        self.rows: list[list[CellDraft]] = []
        self.has_tables = False
        self.is_data = False


class Alignment(NamedTuple):
    """Place of a line among lists that run side by side.

    Attributes:
        group: ordinal of the lists, from 1.
        row, column: which line of which list.
        label: the lines beside an hour, "" for the labels themselves.
    """

    group: int
    row: int
    column: int
    label: str


class LineDraft:
    """A line whose table position and headings are still open."""

    __slots__ = ("after_rule", "aligned", "block", "bold", "cell", "is_link", "kind", "level", "region", "text")

    def __init__(
        self,
        text: str,
        kind: LineKind,
        level: int,
        block: int,
        region: Region,
        cell: CellDraft | None,
        bold: bool,
        after_rule: bool,
    ) -> None:
        self.text = text
        self.kind = kind
        self.level = level
        self.block = block
        self.region = region
        self.cell = cell
        self.bold = bold
        self.after_rule = after_rule
        self.aligned: Alignment | None = None
        self.is_link = False
