"""Boxes of a page: what a heading says ends with the box that holds it and the hours it governs.

Many pages wrap a heading alone in a box of its own, so its box is the innermost one that also holds the first hour below it.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from mass_pipeline.model.document import DEEPEST_BOX, Document, LineKind, common_box
from mass_pipeline.reading.phrases.nodes import AtPlace, InSeason, Node, NodeLine
from mass_pipeline.reading.phrases.predicates import has_time, names_building

_NONE: AbstractSet[int] = frozenset()
_MOST_OPEN: Final = 20  # boxes watched at a time


def innermost_common(document: Document, one: int, other: int) -> int:
    """The innermost box that holds two lines, 0 for the page itself. A box is numbered after the one around it."""
    return common_box(document.parents, document.lines[one].block, document.lines[other].block)


def holds(document: Document, box: int, line: int) -> bool:
    """Whether a line stands in a box; so it is taken where it is nested too deep to tell."""
    parents = document.parents
    block = document.lines[line].block
    if block >= len(parents):
        return box == 0
    for _ in range(DEEPEST_BOX):
        if block <= box:
            return block == box
        block = parents[block]
    return True


def governs(document: Document, heading: int, line: int) -> bool:
    """Whether a heading is still open at a line: so long as the box goes on that holds it and what stands below it."""
    below = heading + 1
    if below >= line:
        return True
    box = innermost_common(document, heading, below)
    return box == 0 or holds(document, box, line)


def with_heads_of_boxes(lines: Sequence[NodeLine], document: Document) -> list[NodeLine]:
    """The lines, a label alone in a box as the heading over those of the box right below it, as cards have one.

    `<div>Wrzesień – czerwiec</div><div><h5>Niedziele</h5>...<h5>Soboty</h5>...</div>`: the second heading ends no season.

    Args:
        lines: of a notice, in order.
        document: the page they stand on.
    """
    return [line if line.heading or not _heads_a_box(line, document) else _raised(line, document) for line in lines]


def _heads_a_box(line: NodeLine, document: Document) -> bool:
    at, around = line.index, document.lines
    if at + 1 >= len(around) or around[at + 1].kind is not LineKind.HEADING or around[at + 1].level <= 1 or has_time(line.nodes):
        return False
    box, below = around[at].block, around[at + 1].block
    if box == below or (at and around[at - 1].block == box) or max(box, below) >= len(document.parents):
        return False
    return document.parents[box] == document.parents[below] and any(map(_is_of_a_box, line.nodes))


def _is_of_a_box(node: Node) -> bool:
    return isinstance(node, InSeason) or (isinstance(node, AtPlace) and names_building(node))


def _raised(line: NodeLine, document: Document) -> NodeLine:
    return NodeLine(line.index, line.nodes, line.text, document.lines[line.index + 1].level - 1)


class OpenHeadings:
    """The headings above, and when their boxes end."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._waiting: list[int] = []  # headings without an hour below them so far
        self._boxes: dict[int, list[int]] = {}  # box -> its headings
        self._block = -1

    def add(self, line: int) -> None:
        """A heading, or a label that governs the lines below it."""
        self._waiting.append(line)

    def ended_before(self, line: int, *, has_hour: bool) -> AbstractSet[int]:
        """Go on to a line; says which headings ended with their box before it."""
        ended = _NONE
        block = self._document.lines[line].block
        if block != self._block and self._boxes:
            left = [box for box in self._boxes if not holds(self._document, box, line)]
            ended = {heading for box in left for heading in self._boxes.pop(box)} if left else _NONE
        self._block = block
        if has_hour and self._waiting:
            for heading in self._waiting:
                box = innermost_common(self._document, heading, line)
                if box:
                    self._boxes.setdefault(box, []).append(heading)
            self._waiting = []
            while len(self._boxes) > _MOST_OPEN:
                del self._boxes[next(iter(self._boxes))]  # the outermost goes on
        return ended
