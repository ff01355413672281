"""Plans of a week: `Wtorek 20:00 – spotkanie`, `Piątek 20:00 – planszówki` in one list, of which only some are Masses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mass_pipeline.schedule_grammar.attaching.runs import Item, Run
from mass_pipeline.schedule_grammar.parsing.nodes import Cond, NodeLine, Sep, Time, Word

_NEAR: Final = 4  # lines on either side
_LEAST: Final = 2  # other events near by that make a plan
_NO_MASS: Final = frozenset({"event", "devotion", "adoration", "office", "confession"})


def leave_other_events(runs: Sequence[Run], lines: Sequence[NodeLine]) -> None:
    """What a line of such a plan names in other words is no Mass unless it says so.

    Args:
        runs: of a notice; kinds of their items are changed.
        lines: of the notice.
    """
    rows = {line.index for line in lines if _is_row(line)}
    if len(rows) <= _LEAST:
        return
    items: dict[int, list[Item]] = {}
    for item in (item for run in runs for item in run.items if item.line in rows):
        items.setdefault(item.line, []).append(item)
    events = [line for line, found in items.items() if all(item.kind in _NO_MASS for item in found)]
    for line, found in items.items():
        if sum(abs(line - event) <= _NEAR for event in events) < _LEAST:
            continue
        for item in found:
            if item.is_live and not item.explicit_kind:
                item.kind = "event"


def _is_row(line: NodeLine) -> bool:
    """Whether a line is a day, an hour, a dash and words."""
    first = next((node for node in line.nodes if not (isinstance(node, Word) and node.marker)), None)
    if not isinstance(first, Cond) or first.dim != "days":
        return False
    said = [node for node in line.nodes if not (isinstance(node, Word) and node.marker)]
    if len(said) < 4 or not isinstance(said[1], Time):
        return False
    dash = isinstance(said[2], Sep) and said[2].name in ("dash", "bar", "colon")
    return dash and isinstance(said[3], Word | Cond)
