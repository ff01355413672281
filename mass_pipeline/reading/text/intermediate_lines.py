"""Lines, cells and tables while a page is being read; the finished values are `model.document`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mass_pipeline.model.document import LineKind, Region
from mass_pipeline.reading.text.wording import has_hour

TITLE_LEVEL: Final = 3  # of a heading that only the class of its box tells: titles of articles, tabs and boxes


@dataclass(slots=True, eq=False)
class CellDraft:
    """A table cell: where it stands in its table, and the lines inside."""

    table: TableDraft
    is_header: bool
    row_span: int
    column_span: int
    row: int = -1
    column: int = -1
    lines: list[LineDraft] = field(default_factory=list)
    text: str = ""
    has_hour: bool = False

    def settle(self) -> None:
        """The lines are complete: note their joined text, and whether an hour stands in it."""
        self.text = " ".join([line.text for line in self.lines])
        self.has_hour = has_hour(self.text)


@dataclass(slots=True, eq=False)
class TableDraft:
    """A table: its rows of cells, and the cell that holds it."""

    outer: CellDraft | None
    rows: list[list[CellDraft]] = field(default_factory=list)
    has_tables: bool = False
    is_data: bool = False


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


@dataclass(slots=True, eq=False)
class LineDraft:
    """A line whose table position and headings are still open."""

    text: str
    kind: LineKind
    level: int
    block: int
    region: Region
    cell: CellDraft | None = None
    bold: bool = False
    after_rule: bool = False
    is_link: bool = False
    aligned: Alignment | None = None
