"""What the cells to the right of hours say to happen: another service, an intention, what comes along with one of the Masses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import takewhile
from typing import Final

from mass_pipeline.model.document import Document, Line
from mass_pipeline.schedule_grammar.attaching.mere_remarks import surrounds
from mass_pipeline.schedule_grammar.parsing.lines import PageLine, flatten
from mass_pipeline.schedule_grammar.parsing.nodes import Cond, OfKind, Time

_NEAR: Final = 40  # lines on either side, a week of several hours a day
_MASS: Final = frozenset({"mass", "anchor"})
_SEVERAL: Final = 2  # hours of a cell


def services(beside: Sequence[PageLine]) -> list[Cond]:
    """`17.45 | Nowenna`: what else than a Mass the cells after an hour say to happen."""
    kinds: list[Cond] = [
        node
        for other in beside
        if other.kinds and not surrounds(other.nodes[0])
        for node in flatten(other.nodes)
        if isinstance(node, OfKind) and node.value != "person"
    ]  # `18.00 | ks. proboszcz` says who celebrates, `8.00 | po Mszy kancelaria` what comes after
    return [] if any(kind.value in _MASS for kind in kinds) else kinds


def tells_of_no_intention(beside: Sequence[PageLine]) -> bool:
    """Whether no cell names the intention of the hours before it; `po Mszy modlitwa za zmarłych` is none."""
    return not any("intention" in other.kinds and not (other.nodes and surrounds(other.nodes[0])) for other in beside)


def is_of_a_column_of_masses(lines: Sequence[PageLine], document: Document, position: int) -> bool:
    """Whether the cell of a line holds several hours, one of which another row of its column has too.

    `środa | 7.00, 18.00 | nowenna` beside `czwartek | 7.00, 18.00`: the novena comes along with one of the Masses.
    """
    cell = document.lines[lines[position].index]
    before, behind = lines[max(0, position - _NEAR) : position], lines[position : position + _NEAR]
    here = [
        time
        for part in (before[::-1], behind)
        for one in takewhile(partial(_is_in, document, cell), part)
        for time in _hours_of(one)
    ]
    if len(here) < _SEVERAL:
        return False  # as most cells: nothing is looked for in the column
    near = [(one, document.lines[one.index]) for one in (*before, *behind) if one.has_hour]
    column = [one for one, other in near if (other.table, other.column) == (cell.table, cell.column) and other.row != cell.row]
    return any(time in here for one in column for time in _hours_of(one))


def _is_in(document: Document, cell: Line, line: PageLine) -> bool:
    other = document.lines[line.index]
    return (other.table, other.row, other.column) == (cell.table, cell.row, cell.column)


def _hours_of(line: PageLine) -> list[str]:
    return [node.clock.time for node in line.nodes if isinstance(node, Time)]
