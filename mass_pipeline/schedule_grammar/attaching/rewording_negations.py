"""What a line denies only to say the rest of it: put in the usual words before it is read.

Belongs here: rules of `rewording` about `nie ..., ale ...`, `bez względu na ...` and `jak w niedzielę, oprócz ...`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mass_pipeline.language.day_words import IN_THE_MORNING, MORNING
from mass_pipeline.language.folding import fold
from mass_pipeline.schedule_grammar.parsing.nodes import Cond, Node, Op, Sep, Time, Word

_BUT: Final = frozenset({"lecz", "ale", "tylko", "jeno"})  # folded
_MORNING: Final = (IN_THE_MORNING, "rann", MORNING, "z rana")  # folded
_NEAR: Final = 6  # nodes


def whatever_it_is(nodes: Sequence[Node]) -> Sequence[Node]:
    """`16.00, bez względu na wakacje`, `zawsze 16.00, niezależnie od pory roku`: what makes no difference is left out."""
    kept: list[Node] = []
    skipping = False
    for node in nodes:
        if isinstance(node, Op) and node.name == "regardless":
            skipping = True
        elif skipping and (isinstance(node, Time) or (isinstance(node, Sep) and node.name != "and")):
            skipping = False
        if not skipping:
            kept.append(node)
    return kept


def halves_set_right(nodes: Sequence[Node]) -> Sequence[Node]:
    """`w czwartki nie wieczorem, ale rano o 8.00` is `w czwartki tylko 8.00`; so is `nie rano, lecz wieczorem o 18.00`."""
    for at, node in enumerate(nodes):
        if not (isinstance(node, Op) and node.name == "not") or at + 1 >= len(nodes) or not _is_half(nodes[at + 1]):
            continue
        hour = next((i for i in range(at + 2, min(at + 2 + _NEAR, len(nodes))) if isinstance(nodes[i], Time)), at)
        between = nodes[at + 2 : hour]
        if any(isinstance(one, Word) and fold(one.text).split()[0] in _BUT for one in between) or any(
            isinstance(one, Op) and one.name == "only" for one in between
        ):
            return [*nodes[:at], Op("only", node.start, node.end), *nodes[hour:]]
    return nodes


def _is_half(node: Node) -> bool:
    if isinstance(node, Op):
        return node.name == "evening"
    return isinstance(node, Word) and fold(node.text).startswith(_MORNING)


def hours_that_sunday_has_alone(nodes: Sequence[Node]) -> Sequence[Node]:
    """`święta: jak w niedzielę, oprócz Mszy o 12.30 i 20.00`: those hours are taken out of what was copied."""
    same = next((at for at, node in enumerate(nodes) if isinstance(node, Op) and node.name == "same"), None)
    for at in range(same + 1, len(nodes)) if same is not None else ():
        node = nodes[at]
        if isinstance(node, Sep) and node.strong:
            return nodes
        if isinstance(node, Op) and node.name == "except":
            end = next((i for i in range(at, len(nodes)) if isinstance(nodes[i], Sep) and nodes[i].strong), len(nodes))  # type: ignore[union-attr]
            last = max((i for i in range(at, end) if isinstance(nodes[i], Time)), default=None)
            said = [one for one in nodes[at + 1 : (last or at) + 1] if isinstance(one, Cond) and one.dim != "kind"]
            if last is None or said:
                return nodes
            return [*nodes[:at], Op("without", node.start, node.end), *nodes[at + 1 : last + 1], *nodes[end:]]
    return nodes
