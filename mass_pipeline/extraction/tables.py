"""Decide which tables hold data, place their cells in a grid, and find the headers that govern each cell.

Source: WHATWG HTML 4.9.12.1 (forming a table), cut down to what schedules use.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from mass_pipeline.extraction.drafts import CellDraft, TableDraft
from mass_pipeline.model.document import LineKind

_SHORT_CELL: Final = 80  # characters; longer cells are prose
_LONGEST_DATA_CELL: Final = 700  # characters; a table with a longer cell lays out the page
_LINES_OF_A_ROW: Final = 3  # a single row with longer cells sets columns of text side by side
_LONGEST_HEADER: Final = 60  # characters
_LABEL_AND_VALUE: Final = 2  # cells
# Places that the spanning cells of a table may fill: a cell of 5,000 rows and 50 columns costs its page a quarter of a million.
_PLACES_OF_A_TABLE: Final = 10_000
_PLACES_OF_A_CELL: Final = 20
_MOST_SPANNED: Final = 50  # columns
BETWEEN_HEADERS: Final = " | "
_NAMES_COLUMN: Final = re.compile(
    r"(?:dzie[nń]|dni|kiedy|termin|data|pora|okres|czas|miejsce|godzin[ay]|godz\.|rodzaj|co|msz[ae]|nabo[żz]e[nń]stw[oa])"
    r"(?: tygodnia| dnia| [śs]w\S*| roku)?\W*",
    re.IGNORECASE,
)
_NAMES_HOURS: Final = re.compile(r"godz(?:in[ay])?\.?", re.IGNORECASE)  # over a column of hours
Grid = list[dict[int, CellDraft]]


class Headers:
    """Header texts of one table by cell."""

    __slots__ = ("column", "row")

    def __init__(self) -> None:
        self.row: dict[int, str] = {}
        self.column: dict[int, str] = {}

    def over(self, cell: CellDraft) -> str:
        """The header of its column; of all of them, set off by bars, for a cell that spans several."""
        if cell.column_span == 1:
            return self.column.get(cell.column, "")
        columns = range(cell.column, min(cell.column + cell.column_span, _MOST_SPANNED))
        return BETWEEN_HEADERS.join(dict.fromkeys(self.column[at] for at in columns if self.column.get(at)))


def place(table: TableDraft) -> Grid:
    """Give every cell its row and column, spans resolved; returns row -> column -> cell."""
    grid: Grid = [{} for _ in table.rows]
    places = _PLACES_OF_A_TABLE + _PLACES_OF_A_CELL * sum(map(len, table.rows))
    for row, cells in enumerate(table.rows):
        column = 0
        for cell in cells:
            while column in grid[row]:
                column += 1
            cell.row, cell.column = row, column
            if cell.row_span == cell.column_span == 1 or places < 0:
                grid[row][column] = cell
            else:
                places -= _spread(cell, grid)
            column += cell.column_span
    return grid


def _spread(cell: CellDraft, grid: Grid) -> int:
    """Put a cell that spans rows or columns into all its places that are still free; how many it asked for."""
    rows = range(cell.row, min(cell.row + cell.row_span, len(grid)))
    for below in rows:
        for across in range(cell.column, cell.column + cell.column_span):
            grid[below].setdefault(across, cell)
    return len(rows) * cell.column_span


def is_data_table(table: TableDraft) -> bool:
    """Whether rows and columns mean something: some row has two short cells, and no cell is a page of its own."""
    for row in table.rows:
        for cell in row:
            cell.settle()
    if table.has_tables or not any(len(row) > 1 for row in table.rows):
        return False
    if len(table.rows) == 1 and any(len(cell.lines) > _LINES_OF_A_ROW for cell in table.rows[0]):
        return False
    two_short = False
    for row in table.rows:
        lengths = [len(cell.text) for cell in row if cell.lines]
        if lengths and max(lengths) > _LONGEST_DATA_CELL:
            return False
        two_short = two_short or sum(length <= _SHORT_CELL for length in lengths) > 1
    return two_short


def find_headers(grid: Grid) -> dict[int, Headers]:
    """Headers of every row: row -> texts by column (column headers) and by cell id (row headers).

    A header row comes before the hours and has none itself; a row's header stands left of its first hour. A row
    that one cell fills is a heading over the rows below.
    """
    found: dict[int, Headers] = {}
    width = max(map(len, grid), default=0)
    columns: dict[int, str] = {}
    carried = ""
    for number, row in enumerate(grid):
        cells = _distinct(row)
        headers = found[number] = Headers()
        if _is_heading_row(cells, width):
            _mark_heading(cells[0])
            carried = ""
            continue
        if _is_header_row(cells, grid, number):
            columns = _merge(columns, row, continued=number > 0 and not found[number - 1].row and bool(columns))
            carried = ""
            continue
        headers.column = columns
        label = _row_label(cells)
        if label is None:
            label = carried if cells and not cells[0].lines else ""
        carried = label
        for cell in cells:
            if label and cell.has_hour:
                headers.row[id(cell)] = label
    return found


def _distinct(row: dict[int, CellDraft]) -> list[CellDraft]:
    cells = [row[column] for column in sorted(row)]
    return list(dict.fromkeys(cells))


def _is_heading_row(cells: Sequence[CellDraft], width: int) -> bool:
    if len(cells) != 1:
        return False
    filled = [cell for cell in cells if cell.lines]
    if len(filled) != 1 or filled[0].has_hour or len(filled[0].text) > _LONGEST_HEADER:
        return False
    return filled[0].column_span > 1 and filled[0].column_span >= width


def _mark_heading(cell: CellDraft) -> None:
    for line in cell.lines:
        line.kind, line.level, line.cell = LineKind.HEADING, line.level or 7, None


def _is_header_row(cells: Sequence[CellDraft], grid: Grid, number: int) -> bool:
    filled = [cell for cell in cells if cell.lines]
    if len(filled) < 2 and not (filled and filled[0].is_header and filled[0].column > 0):
        return False
    if any(len(cell.text) > _LONGEST_HEADER or (cell.has_hour and not _NAMES_HOURS.fullmatch(cell.text)) for cell in filled):
        return False
    if all(cell.is_header for cell in filled):
        return True
    if number > 1 or _is_property(cells, grid):
        return False
    # What spans down from this row into rows of hours is a label of rows, not of columns.
    return any(cell.has_hour and cell.row > number for row in grid[number + 1 :] for cell in row.values())


def _is_property(cells: Sequence[CellDraft], grid: Grid) -> bool:
    """`Odpust | 6 sierpnia` over `Msze św. w niedziele | 8.00`: a label and its value, not the heads of two columns."""
    if len(cells) != _LABEL_AND_VALUE or not cells[0].lines or _NAMES_COLUMN.fullmatch(cells[0].text):
        return False
    if all(line.bold for cell in cells for line in cell.lines):
        return False
    return all(len(row) == _LABEL_AND_VALUE and not row[0].has_hour for row in grid)


def _merge(columns: dict[int, str], row: dict[int, CellDraft], *, continued: bool) -> dict[int, str]:
    """Column headers after a header row; a second one directly below the first refines it."""
    merged: dict[int, str] = {}
    for column, cell in row.items():
        above = columns.get(column, "") if continued else ""
        merged[column] = f"{above} {cell.text}".strip() if above != cell.text else above
    return merged


def _row_label(cells: Sequence[CellDraft]) -> str | None:
    """Text of the cells left of the first hour, None when there are none."""
    parts: list[str] = []
    for cell in cells:
        text = cell.text
        if cell.has_hour and not cell.is_header:
            break
        if len(text) <= _LONGEST_HEADER and any(character.isalnum() for character in text):
            parts.append(text)
    else:
        return None if not parts else parts[0]
    return ", ".join(parts) if parts else None
