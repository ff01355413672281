"""Numbers of a list before days: `1. Niedziela: 8.00` above `2. Dni powszednie: 18.00` is no first Sunday of the month."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from mass_pipeline.schedule_grammar.parsing.nodes import Cond, Days, NodeLine, Nth

_NUMBER: Final = re.compile(r"\s*(\d{1,2})[.)]\s*[^\W\d]")
_NEAR: Final = 4  # lines


def without_numbers(lines: Sequence[NodeLine]) -> list[NodeLine]:
    """The lines, with the days of those that begin with a number of the list they stand in taken for every week's.

    Args:
        lines: of a notice, in order.
    """
    numbers = [_number_of(line) for line in lines]
    if not any(numbers):
        return list(lines)
    return [
        _without_number(line, number) if number and _goes_on(numbers, at, number) else line
        for at, (line, number) in enumerate(zip(lines, numbers, strict=True))
    ]


def _number_of(line: NodeLine) -> int:
    if not line.text[:1].isdigit():
        return 0
    match = _NUMBER.match(line.text)
    return int(match[1]) if match else 0


def _goes_on(numbers: Sequence[int], at: int, number: int) -> bool:
    """Whether a line near by has the number before or after."""
    near = (*numbers[max(0, at - _NEAR) : at], *numbers[at + 1 : at + 1 + _NEAR])
    return any(other in (number - 1, number + 1) for other in near if other)


def _without_number(line: NodeLine, number: int) -> NodeLine:
    first = line.nodes[0] if line.nodes else None
    if not isinstance(first, Cond) or not isinstance(first.value, Nth) or first.value.ordinals != (number,) or first.value.more:
        return line
    days = first.value.days
    plain = Cond("list" if days == {"Su"} else "days", Days(days, label=days == {"Su"}), first.start, first.end)
    return NodeLine(line.index, (plain, *line.nodes[1:]), line.text, line.heading)
