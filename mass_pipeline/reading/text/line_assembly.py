"""Turn the drafts of a page into the lines of a `Document`: table positions, headings that only look like headings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from mass_pipeline.model.document import Line, LineKind, Region
from mass_pipeline.reading.text.builder import PageBuilder
from mass_pipeline.reading.text.tables import (
    TITLE_LEVEL,
    CellDraft,
    Headers,
    LineDraft,
    TableDraft,
    align,
    align_cards,
    find_headers,
    is_data_table,
    place,
)
from mass_pipeline.reading.text.wording import has_hour

# Looked up for every line: a member of an enumeration costs three times a global name.
_CELL, _HEADING, _LIST_ITEM, _TEXT, _MAIN = LineKind.CELL, LineKind.HEADING, LineKind.LIST_ITEM, LineKind.TEXT, Region.MAIN
_LOOKS_LIKE_HEADING: Final = 7
_HEADING_RUN: Final = 3  # more bold lines in a row are a bold paragraph, not headings
_MENU_RUN: Final = 4  # fewer links in a row may be what a text refers to
_LONGEST_MENU_ITEM: Final = 40  # characters
_LONGEST_HEADING: Final = 120  # characters


def finish_lines(builder: PageBuilder) -> tuple[Line, ...]:
    """Lines in reading order with every field filled; empty for a page without text."""
    places = _Places(builder.tables)
    builder.lines = [draft for draft in builder.tabs.headed(builder.lines, builder.parents) if draft.text]
    _leave_layout_tables(builder.lines, builder.tables)
    align_cards(builder.lines, builder.parents, align(builder.lines, builder.tables))
    _mark_titles(builder.lines)
    _mark_bold_headings(builder.lines)
    _mark_menus(builder.lines)
    lines = tuple([places.line(draft) for draft in builder.lines])
    _untie(builder.tables)
    return lines


def _untie(tables: Sequence[TableDraft]) -> None:
    """Tables, cells and drafts point to each other; untied they are freed at once and not left to the garbage collector."""
    for table in tables:
        for row in table.rows:
            for cell in row:
                cell.lines.clear()
        table.rows.clear()


def _leave_layout_tables(drafts: Sequence[LineDraft], tables: Sequence[TableDraft]) -> None:
    """A cell of a table that only lays out the page is a container like any other.

    Args:
        tables: all of the page, the outer ones before those inside.
    """
    around: dict[int, CellDraft | None] = {}  # table -> the nearest cell around it that is one of data
    for table in tables:
        outer = table.outer
        around[id(table)] = outer if outer is None or outer.table.is_data else around[id(outer.table)]
    for draft in drafts:
        if draft.cell is not None and not draft.cell.table.is_data:
            draft.cell = around[id(draft.cell.table)]
        if draft.cell is None and draft.kind is _CELL:
            draft.kind = _TEXT


def _mark_titles(drafts: Sequence[LineDraft]) -> None:
    """The line of a box or cell that is a title by its class; of several lines in one box none is."""
    titles = [draft for draft in drafts if draft.level == TITLE_LEVEL and (draft.kind is _TEXT or draft.kind is _CELL)]
    lines_of = Counter(draft.block for draft in titles)
    for draft in titles:
        alone = lines_of[draft.block] == 1 and len(draft.text) <= _LONGEST_HEADING and not has_hour(draft.text)
        if alone:
            draft.kind = _HEADING
        else:
            draft.level = 0


def _mark_bold_headings(drafts: Sequence[LineDraft]) -> None:
    """A short run of bold lines followed by plain text of the same region stands over that text."""
    run: list[LineDraft] = []
    for draft in drafts:
        if draft.bold and (draft.kind is _TEXT or draft.kind is _LIST_ITEM) and len(draft.text) <= _LONGEST_HEADING:
            if has_hour(draft.text):
                _as_headings(run)  # bold hours under a bold line
                run = []
                continue
            run.append(draft)
            continue
        if run:
            if draft.kind is not _HEADING:
                _as_headings(run)
            run = []


def _mark_menus(drafts: Sequence[LineDraft]) -> None:
    """Several lines in a row that are nothing but links are a menu, whatever element holds them."""
    run: list[LineDraft] = []
    for draft in (*drafts, None):
        if draft is not None and draft.is_link and _may_be_menu_item(draft):
            run.append(draft)
            continue
        if run:
            if len(run) >= _MENU_RUN:
                for line in run:
                    line.region = Region.NAV
            run = []


def _may_be_menu_item(draft: LineDraft) -> bool:
    is_plain = draft.region is _MAIN and (draft.kind is _TEXT or draft.kind is _LIST_ITEM or draft.kind is _CELL)
    if not is_plain or len(draft.text) > _LONGEST_MENU_ITEM or has_hour(draft.text):
        return False
    return any(character.isalnum() for character in draft.text)  # a dash in a cell is no link


def _as_headings(run: Sequence[LineDraft]) -> None:
    if len(run) <= _HEADING_RUN:
        for line in run:
            line.kind, line.level = _HEADING, _LOOKS_LIKE_HEADING


class _Places:
    """Table coordinates and headers of drafts."""

    def __init__(self, tables: Sequence[TableDraft]) -> None:
        self._ordinals: dict[int, int] = {}
        self._headers: dict[int, dict[int, Headers]] = {}
        for table in tables:
            table.is_data = is_data_table(table)
            if table.is_data:
                self._ordinals[id(table)] = len(self._ordinals)
                self._headers[id(table)] = find_headers(place(table))

    def line(self, draft: LineDraft) -> Line:
        """The finished line."""
        table = row = column = -1
        row_header = column_header = ""
        cell = draft.cell
        headers = self._headers[id(cell.table)].get(cell.row) if cell is not None else None
        if headers is not None and cell is not None:
            column_header = headers.over(cell)
        if draft.aligned is not None:
            # A line of parallel lists is the cell of a table that only the eye sees.
            place = draft.aligned
            table, row, column, row_header = len(self._ordinals) + place.group - 1, place.row, place.column, place.label
        elif cell is not None:
            table, row, column = self._ordinals[id(cell.table)], cell.row, cell.column
            row_header = headers.row.get(id(cell), "") if headers is not None else ""
        return Line(
            draft.text, draft.kind, draft.level, draft.block, draft.region, table, row, column, row_header, column_header,
            draft.after_rule,
        )  # fmt: skip
