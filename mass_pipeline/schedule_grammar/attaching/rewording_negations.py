"""What a line denies only to say the rest of it: put in the usual words before it is read.

Belongs here: rules of `rewording` about `nie ..., ale ...`, `bez względu na ...` and `jak w niedzielę, oprócz ...`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mass_pipeline.language.day_words import IN_THE_MORNING, MORNING
from mass_pipeline.language.folding import fold
from mass_pipeline.schedule_grammar.parsing.chunker import VIGIL
from mass_pipeline.schedule_grammar.parsing.nodes import (
    LISTS_AND_DAYS,
    Cond,
    Days,
    Group,
    InList,
    InSeason,
    Node,
    OfKind,
    OnDays,
    Op,
    Sep,
    Time,
    Word,
)

_BUT: Final = frozenset({"lecz", "ale", "tylko", "jeno"})  # folded
_MORNING: Final = (IN_THE_MORNING, "rann", MORNING, "z rana")  # folded
_NEAR: Final = 6  # nodes
_LAST_ONE: Final = ("ta ostatnia", "tej ostatniej", "ostatnia", "ta msza")  # folded


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


def hour_denied_by_a_pronoun(nodes: Sequence[Node]) -> Sequence[Node]:
    """`8.30, 18.00; w wakacje ta ostatnia wypada, a jest o 20.00`: the hour before is the one that is left out."""
    for at, node in enumerate(nodes):
        if not (isinstance(node, Op) and node.name == "without") or not at:
            continue
        clause = next((i for i in range(at, 0, -1) if isinstance(nodes[i - 1], Sep)), 0)
        meant = [one for one in nodes[clause:at] if isinstance(one, Word) and fold(one.text).endswith(_LAST_ONE)]
        last = next((one for one in reversed(nodes[:clause]) if isinstance(one, Time)), None)
        if meant and last is not None and not any(isinstance(one, Time) for one in nodes[clause:at]):
            said = replace(last, start=node.end, end=node.end)
            return [*nodes[: at + 1], said, *nodes[at + 1 :]]
    return nodes


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


def halves_denied_besides(nodes: Sequence[Node]) -> Sequence[Node]:
    """`w wakacje nie ma niedzielnej Mszy o 12.00 oraz porannych w dni powszednie`: two things, each on its own days."""
    without = next((at for at, node in enumerate(nodes) if isinstance(node, Op) and node.name == "without"), None)
    if without is None:
        return nodes
    found = [_of_sunday(node) if _is_of_sunday(nodes, at, without) else node for at, node in enumerate(nodes)]
    last = max((at for at, node in enumerate(found) if isinstance(node, Time)), default=0)
    if last < without or last + 2 >= len(found) or not _joins(found[last + 1]) or not _is_half(found[last + 2]):
        return found
    end = next((at for at in range(last + 2, len(found)) if isinstance(found[at], Sep) and found[at].strong), len(found))  # type: ignore[union-attr]
    days = [node for node in found[last + 3 : end] if isinstance(node, LISTS_AND_DAYS)]
    season = [node for node in found[:without] if isinstance(node, InSeason)]
    if len(days) != 1:
        return found
    at = found[last + 1].start
    named = OnDays(days[0].value, days[0].start, days[0].end, days[0].excluded, days[0].only)
    half = [Sep("stop", at, at), *(replace(one) for one in season), named, found[without], found[last + 2]]
    return [*found[: last + 1], *half, *found[end:]]


def _joins(node: Node) -> bool:
    return isinstance(node, Sep) and node.name in ("and", "comma")


def _is_of_sunday(nodes: Sequence[Node], at: int, without: int) -> bool:
    """Whether a word for "of Sunday" stands between a negation and the Mass: `nie ma niedzielnej Mszy o 12.00`."""
    after = nodes[at + 1] if at + 1 < len(nodes) else None
    told = at > without and isinstance(nodes[at], Cond) and nodes[at].value == VIGIL  # type: ignore[union-attr]
    return told and isinstance(after, Cond) and after.value == "mass"


def _of_sunday(node: Node) -> Node:
    return InList(Days(frozenset({"Su"}), label=True), node.start, node.end)


def copies_in_brackets(nodes: Sequence[Node]) -> Sequence[Node]:
    """`9.00 11.00 (w święta jak w niedziele)` is `9.00 11.00; w święta jak w niedziele`."""
    last = nodes[-1]
    inner = [node for node in last.nodes if not (isinstance(node, Word) and node.marker)] if isinstance(last, Group) else []
    copies = len(inner) == 2 and isinstance(inner[0], Cond) and isinstance(inner[1], Op) and inner[1].name == "same"
    return [*nodes[:-1], Sep("semicolon", last.start, last.start), *inner] if copies else nodes


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
            said = [one for one in nodes[at + 1 : (last or at) + 1] if isinstance(one, Cond) and not isinstance(one, OfKind)]
            if last is None or said:
                return nodes
            return [*nodes[:at], Op("without", node.start, node.end), *nodes[at + 1 : last + 1], *nodes[end:]]
    return nodes
