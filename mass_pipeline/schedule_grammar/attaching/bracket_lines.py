"""Lines of their own that are brackets, with or without marks: of the hour right above, or a mere comment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mass_pipeline.schedule_grammar.attaching.runs import Item, Run
from mass_pipeline.schedule_grammar.parsing.nodes import (
    AtPlace,
    Cond,
    Dated,
    Group,
    InSeason,
    NodeLine,
    OnDays,
    OnNth,
    Op,
    Remark,
    Time,
    When,
    Word,
)

_LIMITING: Final = (OnNth, InSeason)
_LEADING: Final = (Op, OnNth, InSeason)


def bracket_below(runs: Sequence[Run], line: NodeLine) -> tuple[Group, Item, Run] | None:
    """`(oprócz stycznia i lutego)` on a line of its own right below an hour: the bracket, the hour and its run; else None."""
    run = runs[-1] if runs and runs[-1].items else None
    if run is None or run.items[-1].line != line.index - 1 or line.heading or run.removes or run.items[-1].restrictions:
        return None
    group = line.nodes[0] if len(line.nodes) == 1 else None
    if not isinstance(group, Group) and not line.text.endswith(":"):
        group = _bracket_without_marks(line)
    if not isinstance(group, Group) or any(isinstance(node, Time) for node in group.nodes):
        return None
    dims = {type(node) for node in group.nodes if isinstance(node, Cond)}
    return (group, run.items[-1], run) if dims and dims <= {InSeason, OnDays, OnNth, Remark} else None


def _bracket_without_marks(line: NodeLine) -> Group | None:
    """`oprócz lipca i sierpnia`, `tylko w wakacje` on a line of its own: only what leaves out or limits can be meant as one."""
    said = [node for node in line.nodes if not (isinstance(node, Word) and node.marker)]
    if not said or not isinstance(said[0], _LEADING):
        return None  # as most lines below an hour
    only = bool(said) and isinstance(said[0], Op) and said[0].name == "only"
    conds = said[1:] if only else said
    limits = all(isinstance(node, _LIMITING) and (only or node.excluded) for node in conds)
    return Group(line.nodes, 0, len(line.text), line.text) if conds and limits else None


def is_comment(line: NodeLine) -> bool:
    """`(takie, w które się pracuje, np. św. Józefa)`: a line in brackets that says neither hours nor when."""
    group = line.nodes[0] if len(line.nodes) == 1 and not line.heading else None
    if not isinstance(group, Group):
        return False
    if any(isinstance(node, (Time, Group)) for node in group.nodes):
        return False
    dims = {type(node) for node in group.nodes if isinstance(node, Cond)}
    return not any(issubclass(dim, When) for dim in dims) and (
        Dated in dims or AtPlace not in dims
    )  # "(Zalesie)" may head a list
