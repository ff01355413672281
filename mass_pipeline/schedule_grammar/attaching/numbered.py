"""Numbers of a list before days: `1. Niedziela: 8.00` above `2. Dni powszednie: 18.00` is no first Sunday of the month."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from mass_pipeline.schedule_grammar.parsing.nodes import Cond, Days, InList, Node, NodeLine, Nth, OnDays

_NUMBER: Final = re.compile(r"\s*(\d{1,2})[.)]\s*[^\W\d]")
_INNER_NUMBER: Final = re.compile(r"(?:^|(?<=[.;!?] ))(\d{1,2})[.)] (?=[^\W\da-ząćęłńóśźż])")  # and a capital after it
_LEAST_NUMBERS: Final = 3
_NEAR: Final = 4  # lines


def without_numbers(lines: Sequence[NodeLine]) -> list[NodeLine]:
    """The lines, with the days of those that begin with a number of the list they stand in taken for every week's.

    Args:
        lines: of a notice, in order.
    """
    lines = [_without_inner_numbers(line) for line in lines]
    numbers = [_number_of(line) for line in lines]
    if not any(numbers):
        return lines
    return [
        _without_number(line, number) if number and _goes_on(numbers, at, number) else line
        for at, (line, number) in enumerate(zip(lines, numbers, strict=True))
    ]


def _without_inner_numbers(line: NodeLine) -> NodeLine:
    """`1. Dziś spotkanie. 2. Taca na remont. 3. W niedziele Msze św. o 8.00`: the sentences of a line are numbered."""
    if "1. " not in line.text:
        return line
    places = [(match.start(1), int(match[1])) for match in _INNER_NUMBER.finditer(line.text)]
    numbered = {place: number for at, (place, number) in enumerate(places, 1) if number == at}
    if len(numbered) < _LEAST_NUMBERS:
        return line
    nodes = [_plain(node, numbered[node.start]) if node.start in numbered else node for node in line.nodes]
    return NodeLine(line.index, tuple(nodes), line.text, line.heading)


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
    if not line.nodes:
        return line
    return NodeLine(line.index, (_plain(line.nodes[0], number), *line.nodes[1:]), line.text, line.heading)


def _plain(node: Node, number: int) -> Node:
    """The days of every week, where a node takes the number before them for that of a week."""
    if not isinstance(node, Cond) or not isinstance(node.value, Nth) or node.value.ordinals != (number,) or node.value.more:
        return node
    days = node.value.days
    made: type[InList | OnDays] = InList if days == {"Su"} else OnDays
    return made(Days(days, label=days == {"Su"}), node.start, node.end)
