"""What the column of a directory says beyond the words in it: its numbers are hours, and its days those of the column.

Belongs here: fields of Sundays, weekdays and feasts. Not here: texts and pages, where a number may be a date.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from mass_pipeline.reading.phrases.nodes import Node, OnDays, Sep, Time, Word

_LIKE_A_DATE: Final = re.compile(  # "9.05, 10.10": an hour with odd minutes, where the list of a field has its hours
    r"((?:^|[,;] ?|godz\. ?)(?:0?[6-9]|1\d|2[0-1]))\.(05)(?=$|,|;| (?:i|oraz|godz)\b| [(/]| - [A-ZŁŚŻ])"
)
_FEWEST: Final = 2  # hours before a day that closes their field


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
