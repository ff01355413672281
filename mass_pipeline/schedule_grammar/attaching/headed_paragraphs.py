"""Paragraphs that begin with the name of a village and a full stop: `Borownica. Dojeżdżamy w niedziele na 11.00.`"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from mass_pipeline.schedule_grammar.parsing.nodes import AtPlace, Node, NodeLine, Sep, Time, WhichDays, Word

_LEAST: Final = 2  # of a notice: a single one may begin with any word
_MOST_WORDS: Final = 3


def with_places_at_the_head(lines: Sequence[NodeLine]) -> list[NodeLine]:
    """The lines, those that begin with a name and a full stop as if it were a label, where several of them do.

    Args:
        lines: of a notice, in order.
    """
    names = [_name_at_the_head(line.nodes) if line.nodes and type(line.nodes[0]) is Word else "" for line in lines]
    if sum(map(bool, names)) < _LEAST:
        return list(lines)
    return [_labelled(line, name) if name else line for line, name in zip(lines, names, strict=True)]


def _name_at_the_head(nodes: Sequence[Node]) -> str:
    """The name, "" of a line that begins otherwise or says neither days nor hours after it."""
    words = [node.text for node in takewhile(lambda node: isinstance(node, Word) and not node.marker, nodes)]  # type: ignore[union-attr]
    name = " ".join(words)
    stop = nodes[len(words)] if len(words) < len(nodes) else None
    if not name or len(name.split()) > _MOST_WORDS or not all(word[0].isupper() for word in name.split()):
        return ""
    if not (isinstance(stop, Sep) and stop.name == "stop"):
        return ""
    says = any(isinstance(node, Time) for node in nodes) and any(isinstance(node, WhichDays) for node in nodes)
    return name if says else ""


def _labelled(line: NodeLine, name: str) -> NodeLine:
    words = len(list(takewhile(lambda node: isinstance(node, Word), line.nodes)))
    stop = line.nodes[words]
    place = AtPlace(name, line.nodes[0].start, line.nodes[words - 1].end)
    nodes = (place, Sep("colon", stop.start, stop.end), *line.nodes[words + 1 :])
    return NodeLine(line.index, nodes, line.text, line.heading)
