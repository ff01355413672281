"""Plans that have hours at one side, days at the other and signs where they meet: each sign stands for its hour.

`6.30 | ● | ● | | ○` below `Pn | Wt | Śr | Nd` says the same as the hour in each of those cells, with the sign after it, which
a legend may explain. Not here: what the signs mean (`reading.grammar.reader`).
"""

from __future__ import annotations

import re
from typing import Final

from mass_pipeline.extraction.drafts import CellDraft, LineDraft, TableDraft
from mass_pipeline.language.marks import SIGNS

_HOUR: Final = re.compile(r"(?:godz\.? ?|o )?\d{1,2}[.:]\d\d")
_MARK: Final = re.compile(rf"[*+x×•{SIGNS}]{{1,3}}|tak|v", re.IGNORECASE)
_BLANK: Final = re.compile(r"[\W_]{0,3}")
_LEAST_HOURS: Final = 2
_LEAST_DAYS: Final = 2


def write_hours_into_plans(table: TableDraft) -> None:
    """Put the hour before the sign in every cell of such a plan; other tables stay as they are. Cells must be settled."""
    for hour, cells in _rows(table) or _columns(table):
        line = hour.lines[0]
        for cell in cells:
            if _is_mark(cell):
                _write(line, cell)
        line.text = ""  # it is said where it holds
        hour.lines.clear()
        hour.settle()
        hour.text, hour.has_hour = "", False


def _rows(table: TableDraft) -> list[tuple[CellDraft, list[CellDraft]]]:
    """Each hour at the left with the cells beside it; empty when anything else stands in them."""
    lines = [row for row in table.rows[1:] if row]
    return _by_hours(lines) if len(table.rows) > _LEAST_HOURS and not any(map(_is_hour, table.rows[0])) else []


def _columns(table: TableDraft) -> list[tuple[CellDraft, list[CellDraft]]]:
    """Each hour at the top with the cells below it; empty when anything else stands in them."""
    width = {len(row) for row in table.rows}
    if len(width) != 1 or len(table.rows) <= _LEAST_DAYS or not all(map(_is_hour, table.rows[0][1:])):
        return []
    return _by_hours([list(column) for column in zip(*table.rows, strict=True)][1:])


def _by_hours(lines: list[list[CellDraft]]) -> list[tuple[CellDraft, list[CellDraft]]]:
    if len(lines) < _LEAST_HOURS or not all(_is_hour(line[0]) for line in lines):
        return []
    cells = [cell for line in lines for cell in line[1:]]
    if not all(_is_mark(cell) or _BLANK.fullmatch(cell.text) for cell in cells):
        return []
    return [(line[0], line[1:]) for line in lines]


def _is_hour(cell: CellDraft) -> bool:
    return len(cell.lines) == 1 and _HOUR.fullmatch(cell.text) is not None


def _is_mark(cell: CellDraft) -> bool:
    return len(cell.lines) == 1 and _MARK.fullmatch(cell.text) is not None


def _write(hour: LineDraft, cell: CellDraft) -> None:
    line = cell.lines[0]
    sign = line.text if line.text[0] in f"*{SIGNS}" else ""
    line.text = f"{hour.text} {sign}".strip()
    cell.settle()
