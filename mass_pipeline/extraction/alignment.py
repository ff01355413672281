"""Lists that run side by side (hours | places | days): the n-th lines of all belong together, like the cells of a row.

People make them of cells with line breaks, or of neighbouring lists that the style sheet puts into columns. Only equal
lengths count, exactly one list must hold the hours, and lists outside tables need one that names a day in every line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from mass_pipeline.extraction.drafts import Alignment, LineDraft, TableDraft
from mass_pipeline.extraction.wording import has_hour
from mass_pipeline.language.day_words import SHORT_WEEKDAY_TYPED, WEEKDAY_TYPED
from mass_pipeline.model.document import LineKind

_LONGEST_LABEL: Final = 60  # characters
_MOST_COLUMNS: Final = 4
BARE_HOUR: Final = re.compile(r"(?:godz\.?\s*)?\d{1,2}[:.]\d\d")
_DAY: Final = re.compile(
    rf"{WEEKDAY_TYPED}|powszedn|codzien|[sś]wi[eę]t|uroczyst|\b(?:{SHORT_WEEKDAY_TYPED})\b",
    re.I,
)


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
