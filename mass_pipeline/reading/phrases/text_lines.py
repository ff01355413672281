"""Short texts: lines of one, with columns set off by bars as cells and fallen minutes put back; the fields of a directory.

The column of a directory says more than the words in it: its numbers are hours, and its days those of the column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from mass_pipeline.model.document import LONGEST_LINE, Line, LineKind, end_of_line
from mass_pipeline.reading.phrases.nodes import Node, OnDays, Sep, Time, Word

_TABS: Final = re.compile(r"\t+")
_FALLEN_MINUTES: Final = re.compile(r"(?m)(?<=[ ,])(\d{1,2})[ \t]*\n[ \t]*(00|15|30|45)[ \t]*(?=\n|$|,)")
_LIKE_A_DATE: Final = re.compile(  # "9.05, 10.10": an hour with odd minutes, where the list of a field has its hours
    r"((?:^|[,;] ?|godz\. ?)(?:0?[6-9]|1\d|2[0-1]))\.(05)(?=$|,|;| (?:i|oraz|godz)\b| [(/]| - [A-ZŁŚŻ])"
)
_FEWEST: Final = 2  # hours before a day that closes their field


def lines_of_text(text: str) -> Iterator[Line]:
    """The lines that are not empty.

    Consecutive lines with the same number of bars form a table whose first row, when it holds no digit, is its header.

    >>> [line.column_header for line in lines_of_text("Niedziele | Dni powszednie\\n8.00 | 7.00")][2:]
    ['Niedziele', 'Dni powszednie']
    >>> [line.text for line in lines_of_text("w niedzielę: 8 00, 17\\n00")]
    ['w niedzielę: 8 00, 17 00']
    """
    rows = [line.strip() for line in _FALLEN_MINUTES.sub(r"\1 \2", text).splitlines()]
    headers: list[str] = []
    table = row = -1
    for written in rows:
        cells = [cell.strip() for part in written.split("|") for cell in _TABS.split(part.strip())]
        if len(cells) < 2:
            headers = []
            words = " ".join(written.split())
            while words:
                end = end_of_line(words, LONGEST_LINE) or LONGEST_LINE
                yield Line(words[:end])
                words = words[end:]
            continue
        if len(cells) != len(headers):
            table, row = table + 1, -1
            headers = ["" if any(c.isdigit() for c in written) else cell for cell in cells]
            is_header = any(headers)
        else:
            is_header = False
        row += 1
        for column, cell in enumerate(cells):
            if cell:
                header = "" if is_header else headers[column]
                yield Line(cell, LineKind.CELL, table=table, row=row, column=column, column_header=header)


def hours_for_dates(field: str) -> str:
    """A field in which no hour looks like a date, of the same length.

    >>> hours_for_dates("7.30, 9.05 (Rudno), 11.00")
    '7.30, 9:05 (Rudno), 11.00'
    """
    return _LIKE_A_DATE.sub(r"\1:\2", field) if ".05" in field else field


def days_of_the_column(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """`17:00, 18:30 sobota` in the column of weekdays: nothing but hours and the day that closes them, which is that of all."""
    said = [node for node in nodes if not isinstance(node, Sep) and not (isinstance(node, Word) and node.marker)]
    hours, last = said[:-1], said[-1] if said else None
    days = isinstance(last, OnDays) and not last.excluded
    plain = all(isinstance(node, Time) for node in hours) and all(
        node.name in ("comma", "and") for node in nodes if isinstance(node, Sep)
    )
    if last is None or not (days and plain and len(hours) >= _FEWEST):
        return tuple(nodes)
    return (last, Sep("colon", last.start, last.start), *hours)
