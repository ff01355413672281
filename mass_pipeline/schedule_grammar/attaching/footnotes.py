"""Footnotes: `18.00*` in a list, and below it `* w czasie zimowym 17.00`, which says of that hour what a bracket would say."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from mass_pipeline.schedule_grammar.attaching.brackets_reader import NodeReader, read_bracket
from mass_pipeline.schedule_grammar.attaching.runs import Item, Run
from mass_pipeline.schedule_grammar.attaching.scopes import ScopeStack
from mass_pipeline.schedule_grammar.parsing.nodes import Group, NodeLine

_MARK: Final = re.compile(r" ?(\*{1,4})(?!\w)")
_FOOTNOTE: Final = re.compile(r"\(?(\*{1,4})\)?[\s–-]*(?=\S)")

Marked = tuple[str, Item, Run]


def mark_behind(text: str, position: int) -> str:
    """The asterisks after an hour, "" when there are none.

    >>> mark_behind("9.00, 18.00**, 20.00", 11)
    '**'
    """
    match = _MARK.match(text, position)
    return match[1] if match is not None else ""


def footnote_of(line: NodeLine, marked: list[Marked]) -> tuple[Group, list[Marked]] | None:
    """A line that begins with the mark of hours above it: what it says and the hours; None for any other line.

    Those hours are taken out of `marked`: the next list begins its marks anew.
    """
    match = _FOOTNOTE.match(line.text)
    hours = [known for known in marked if known[0] == match[1]] if match is not None else []
    if match is None or not hours or not line.nodes:
        return None
    marked[:] = [known for known in marked if known[0] != match[1]]
    return Group(line.nodes, match.end(), len(line.text), line.text[match.end() :]), hours


def read_footnote(
    group: Group, hours: Sequence[Marked], reader_behind: Callable[[Item, Run, ScopeStack], NodeReader]
) -> list[Run]:
    """Apply a footnote to the hours with its mark; returns the runs of the hours it names itself."""
    runs: list[Run] = []
    for _, item, run in hours:
        make_reader = partial(reader_behind, item, run, ScopeStack.of(run.scope, item.line))
        runs.extend(read_bracket(group, item, run, make_reader, pair=False))
    return runs
