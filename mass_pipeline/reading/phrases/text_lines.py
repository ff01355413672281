"""Lines of a plain text, with columns set off by bars as table cells and minutes that slipped to the next line put back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mass_pipeline.model.document import Line, LineKind

_BAR: Final = re.compile(r"[ \t]*\|[ \t]*|\t+")
_FALLEN_MINUTES: Final = re.compile(r"(?m)(?<=[ ,])(\d{1,2})[ \t]*\n[ \t]*(00|15|30|45)[ \t]*(?=\n|$|,)")


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
        cells = _BAR.split(written)
        if len(cells) < 2:
            headers = []
            if written:
                yield Line(" ".join(written.split()))
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
