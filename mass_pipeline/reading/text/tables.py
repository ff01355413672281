"""Lines, cells and tables while a page is being read: which tables hold data, their grid, and the headers that govern each cell.

Source: WHATWG HTML 4.9.12.1 (forming a table), cut down to what schedules use. Besides, what is a table to the eye alone: lists
that run side by side (hours | places | days), whose n-th lines belong together like the cells of a row, and hours with their
remarks in boxes of their own, each box a row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from typing import Final, NamedTuple

from mass_pipeline.model.document import LineKind, Region, common_box
from mass_pipeline.reading.text.wording import has_hour
from mass_pipeline.reading.words.weekday_patterns import DAYS_TYPED, SHORT_WEEKDAY_TYPED

TITLE_LEVEL: Final = 3  # of a heading that only the class of its box tells: titles of articles, tabs and boxes
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


Grid = list[dict[int, CellDraft]]


@dataclass(slots=True)
class Headers:
    """Header texts of one table: of its rows by cell, of its columns by number."""

    row: dict[int, str] = field(default_factory=dict)
    column: dict[int, str] = field(default_factory=dict)

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
    begins = 0  # the first row below the last heading
    for number, row in enumerate(grid):
        cells = _distinct(row)
        headers = found[number] = Headers()
        if _is_heading_row(cells, width):
            _mark_heading(cells[0])
            carried, begins = "", number + 1
            continue
        if _is_header_row(cells, grid, number, begins):
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


def _is_header_row(cells: Sequence[CellDraft], grid: Grid, number: int, begins: int) -> bool:
    filled = [cell for cell in cells if cell.lines]
    if len(filled) < 2 and not (filled and filled[0].is_header and filled[0].column > 0):
        return False
    if any(len(cell.text) > _LONGEST_HEADER or (cell.has_hour and not _NAMES_HOURS.fullmatch(cell.text)) for cell in filled):
        return False
    if all(cell.is_header for cell in filled):
        return True
    if number - begins > 1 or _is_property(cells, grid):
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


_LONGEST_LABEL: Final = 60  # characters
_MOST_COLUMNS: Final = 4
BARE_HOUR: Final = re.compile(r"(?:godz\.?\s*)?\d{1,2}[:.]\d\d")
_DAY: Final = re.compile(rf"{DAYS_TYPED}|\b(?:{SHORT_WEEKDAY_TYPED})\b", re.I)


def align(drafts: Sequence[LineDraft], tables: Sequence[TableDraft]) -> int:
    """Note the alignment in the drafts themselves; returns how many groups of lists were aligned."""
    groups = 0
    for columns in (*_cell_rows(tables), *_neighbouring_lists(drafts)):
        hours = _hours_column(columns)
        if hours is None:
            continue
        groups += 1
        for row, lines in enumerate(zip(*columns, strict=True)):
            label = ", ".join(line.text for line in lines if line is not lines[hours])
            for column, line in enumerate(lines):
                line.aligned = Alignment(groups, row, column, label if column == hours else "")
                line.kind, line.level = LineKind.CELL, 0
    return groups


def _cell_rows(tables: Sequence[TableDraft]) -> Iterator[list[list[LineDraft]]]:
    """Cells of one row that hold equally many lines, more than one."""
    for table in tables:
        if table.has_tables:
            continue
        for row in table.rows:
            filled = [cell.lines for cell in row if cell.lines]
            if 1 < len(filled) <= _MOST_COLUMNS and len(filled[0]) > 1 and len({len(lines) for lines in filled}) == 1:
                yield filled


def _neighbouring_lists(drafts: Sequence[LineDraft]) -> Iterator[list[list[LineDraft]]]:
    """Runs of neighbouring blocks outside tables with equally many lines, one of which names days throughout."""
    run: list[list[LineDraft]] = []
    for block in (*_blocks(drafts), []):
        if run and len(block) == len(run[0]) and len(run) < _MOST_COLUMNS:
            run.append(block)
            continue
        if len(run) > 1 and (any(all(_names_day(line) for line in lines) for lines in run) or _starts_with_bare_hours(run)):
            yield run
        run = [block] if block else []


def _blocks(drafts: Sequence[LineDraft]) -> Iterator[list[LineDraft]]:
    """Neighbouring lines of one block outside tables; an empty list stands for a block of one line or a cell."""
    start = 0
    for end in range(1, len(drafts) + 1):
        first = drafts[start]
        if end == len(drafts) or drafts[end].block != first.block or (drafts[end].cell is None) != (first.cell is None):
            yield list(drafts[start:end]) if end - start > 1 and first.cell is None else []
            start = end


def _starts_with_bare_hours(run: Sequence[Sequence[LineDraft]]) -> bool:
    """A list of nothing but hours, and a list of labels right after it (a menu before it would be a coincidence)."""
    return all(line.kind is LineKind.LIST_ITEM for lines in run for line in lines) and all(
        BARE_HOUR.fullmatch(line.text) for line in run[0]
    )


def _names_day(line: LineDraft) -> bool:
    text = line.text
    return len(text) <= _LONGEST_LABEL and _says_day(text)


@lru_cache(maxsize=4096)
def _says_day(text: str) -> bool:
    return _DAY.search(text) is not None and not has_hour(text)


def _hours_column(columns: Sequence[Sequence[LineDraft]]) -> int | None:
    """Index of the one column of hours beside columns of short labels without hours, None when it is not so."""
    hours = [index for index, lines in enumerate(columns) if all(has_hour(line.text) for line in lines)]
    if len(hours) != 1:
        return None
    labels = [line for index, lines in enumerate(columns) if index != hours[0] for line in lines]
    if any(line.kind is LineKind.HEADING or len(line.text) > _LONGEST_LABEL or has_hour(line.text) for line in labels):
        return None
    return hours[0]


_MOST_REMARKS: Final = 3  # lines in a box beside its hour
_LONGEST_REMARK: Final = 80  # characters

Card = list[LineDraft]


def align_cards(drafts: Sequence[LineDraft], parents: Sequence[int], groups: int) -> None:
    """Note the rows in the drafts themselves.

    Args:
        drafts: of the page, in reading order.
        parents: `parents[b]` is the box around box `b`.
        groups: how many lists of the page are aligned already.
    """
    for cards in _runs_of_cards(drafts, parents):
        groups += 1
        for row, card in enumerate(cards):
            for column, line in enumerate(card):
                line.aligned = Alignment(groups, row, min(column, 1), "")
                line.kind, line.level = LineKind.CELL, 0


def _runs_of_cards(drafts: Sequence[LineDraft], parents: Sequence[int]) -> Iterator[list[Card]]:
    """Neighbouring boxes that begin with nothing but an hour, two and more, some of which say something beside it."""
    run: list[Card] = []
    for card in (*_lines_by_hour(drafts), []):
        if run and card and _is_box(run[-1], card[0], parents):
            run.append(card)
            continue
        if len(run) > 1:
            run[-1] = _trimmed(run, parents)
            if any(len(one) > 1 for one in run):
                yield run
        run = [card] if card else []


def _lines_by_hour(drafts: Sequence[LineDraft]) -> Iterator[Card]:
    """Every line that is nothing but an hour, with the few short ones below it; an empty list where others follow."""
    card: Card = []
    for draft in drafts:
        if draft.cell is None and draft.aligned is None and BARE_HOUR.fullmatch(draft.text):
            if card:
                yield card
            card = [draft]
        elif card and _may_be_remark(draft) and len(card) <= _MOST_REMARKS:
            card.append(draft)
        elif card:
            yield from (card, [])
            card = []
    if card:
        yield card


def _may_be_remark(draft: LineDraft) -> bool:
    plain = draft.kind is not LineKind.HEADING and draft.cell is None and draft.aligned is None
    return plain and len(draft.text) <= _LONGEST_REMARK and not BARE_HOUR.match(draft.text)


def _is_box(card: Card, following: LineDraft, parents: Sequence[int]) -> bool:
    """Whether all lines of a card are nearer to its hour than the next hour is."""
    around = common_box(parents, card[0].block, following.block)
    return around != card[0].block and all(common_box(parents, card[0].block, line.block) > around for line in card[1:])


def _trimmed(run: Sequence[Card], parents: Sequence[int]) -> Card:
    """The last card of a run, without the lines that stand below its box."""
    hour = run[-1][0].block
    around = common_box(parents, run[-2][0].block, hour)
    return list(takewhile(lambda line: common_box(parents, hour, line.block) > around, run[-1]))
