"""Lines that begin with an hour and say what is prayed then: `17.30 - maj: majowe, październik: różaniec` over `18.00 - Msza`.

Belongs here: telling them from the hours of Masses that such a devotion comes along with. Not here: devotions beside hours of
other forms (`labels`, `non_restrictive`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from mass_pipeline.reading.grammar.non_restrictive import comes_along
from mass_pipeline.reading.phrases.lines import flatten
from mass_pipeline.reading.phrases.nodes import InSeason, NodeLine, OfKind, Remark, Sep, Time

_PRAYED: Final = frozenset({"devotion", "adoration"})
_NEXT: Final = 2  # lines, as those of one hour each may have a blank one or a remark between them


def with_devotions_told(lines: Sequence[NodeLine]) -> list[NodeLine]:
    """The lines, those of an hour at which a devotion is held with the hour and its kind alone.

    Args:
        lines: of a notice, in order.
    """
    prayed = [_is_prayed(line) for line in lines]
    if not any(prayed):
        return list(lines)
    masses = [line.index for line in lines if _begins_with_hour(line) and "mass" in _kinds_of(line)]
    return [
        _of_devotion(line) if one and (_names_months(line) or _is_near(line.index, masses)) else line
        for line, one in zip(lines, prayed, strict=True)
    ]


def _begins_with_hour(line: NodeLine) -> bool:
    return bool(line.nodes) and isinstance(line.nodes[0], Time)


def _kinds_of(line: NodeLine) -> set[str]:
    return {str(node.value) for node in flatten(line.nodes) if isinstance(node, OfKind)}


def _is_prayed(line: NodeLine) -> bool:
    """Whether a line has one hour, a devotion in some season, and no word of a Mass or of what comes along with one."""
    if not _begins_with_hour(line):
        return False
    nodes, kinds = flatten(line.nodes), _kinds_of(line)
    if sum(isinstance(node, Time) for node in nodes) > 1 or not kinds & _PRAYED or kinds & {"mass", "anchor"}:
        return False
    along = any(isinstance(node, Remark) and comes_along(node) for node in nodes)
    return not along and any(isinstance(node, InSeason) for node in line.nodes)


def _names_months(line: NodeLine) -> bool:
    """`maj: majowe, październik: różaniec`: labels of seasons, as of a list."""
    return any(isinstance(one, InSeason) and isinstance(then, Sep) and then.name == "colon" for one, then in pairwise(line.nodes))


def _is_near(index: int, masses: Sequence[int]) -> bool:
    return any(abs(index - other) <= _NEXT for other in masses)


def _of_devotion(line: NodeLine) -> NodeLine:
    hour = line.nodes[0]
    kind = next(node for node in flatten(line.nodes) if isinstance(node, OfKind) and node.value in _PRAYED)
    return NodeLine(line.index, (hour, kind), line.text, line.heading)
