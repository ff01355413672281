"""What a negation takes away from the hours read so far: "w soboty bez Mszy", "Msze o 10.00 i 12.00 nie są odprawiane"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mass_pipeline.schedule_grammar.nodes import Cond, Node
from mass_pipeline.schedule_grammar.runs import Item, Run
from mass_pipeline.schedule_grammar.scopes import Pending

_WHEN = frozenset({"days", "nth", "season"})
_WHICH_LIST = frozenset({"list", "days", "nth"})


def drop_days(pending: Sequence[Pending], run: Run | None) -> list[Pending]:
    """`w soboty bez Mszy`: the days that wait lose every hour of their list; what goes on waiting is returned."""
    conds = [item.cond for item in pending if item.cond.dim in _WHEN]
    if run is not None:
        for item in run.items:
            item.restrictions.extend(replace(cond, excluded=not cond.excluded) for cond in conds)
    return [item for item in pending if item.cond not in conds]


def take_denied(run: Run, nodes: Sequence[Node], index: int) -> list[Item]:
    """Take the hours that a negation behind them means out of their run.

    Args:
        run: the run of the last hour; it keeps the others.
        nodes: the line; `nodes[index]` is the negation.
        index: its position.

    Returns:
        `W wakacje Msze o 10.00 i 12.00 nie są odprawiane` gives both; `8.00, 10.00, 12.00 nie ma w lipcu` the last one.
    """
    last = run.items[-1]
    names_list = any(isinstance(node, Cond) and node.dim == "list" for node in nodes[:index])
    together = "season" in run.scope and (last.joined or not names_list)
    denied = [item for item in run.items if item is last or (together and item.line == last.line)]
    run.items[:] = [item for item in run.items if item not in denied]
    return denied


def restrict_denied(run: Run, cond: Cond) -> None:
    """`bez Mszy o 8.00 i 10.00 w niedziele`: the days hold for all hours since the last one that has its own."""
    for item in reversed(run.items):
        if item is not run.items[-1] and any(own.dim in _WHICH_LIST for own in item.restrictions):
            break
        item.restrictions.append(cond)
