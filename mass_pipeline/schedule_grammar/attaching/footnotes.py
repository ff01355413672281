"""Footnotes: `18.00*` in a list, and below it `* w czasie zimowym 17.00`, which says of that hour what a bracket would say.

Any sign will do, and one line may explain several: `● co tydzień, ○ w roku szkolnym`.
"""

from __future__ import annotations

from mass_pipeline.language.marks import EXPLAINED, mark_after
from mass_pipeline.schedule_grammar.attaching.runs import Item, Run
from mass_pipeline.schedule_grammar.parsing.nodes import Group, NodeLine

Marked = tuple[str, Item, Run]


def note_mark(marked: list[Marked], text: str, item: Item, run: Run) -> None:
    """Remember an hour that has a mark after it."""
    if mark := mark_after(text, item.clock.end):
        marked.append((mark, item, run))


def footnotes_of(line: NodeLine, marked: list[Marked]) -> list[tuple[Group, list[Marked]]]:
    """A line that begins with the mark of hours above it: what it says of each mark, and the hours; empty for any other line.

    Those hours are taken out of `marked`: the next list begins its marks anew.
    """
    first = EXPLAINED.match(line.text)
    known = {mark for mark, _, _ in marked}
    if first is None or first[1] not in known or not line.nodes:
        return []
    marks = [match for match in EXPLAINED.finditer(line.text) if match[1] in known]
    found: list[tuple[Group, list[Marked]]] = []
    for match, end in zip(marks, [*(later.start() for later in marks[1:]), len(line.text)], strict=True):
        nodes = tuple(node for node in line.nodes if match.end() <= node.start < end)
        found.append((Group(nodes, match.end(), end, line.text[match.end() : end].strip()), _taken(marked, match[1])))
    return found


def _taken(marked: list[Marked], mark: str) -> list[Marked]:
    """The hours with a mark, which leave the others."""
    hours = [known for known in marked if known[0] == mark]
    marked[:] = [known for known in marked if known[0] != mark]
    return hours
