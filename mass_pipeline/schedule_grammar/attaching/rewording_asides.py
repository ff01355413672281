"""What a line says by the way and what governs none of its hours: rules of `rewording`.

Belongs here: reasons, how one gets into a chapel, feasts on which a Mass has something of its own, a second Mass of a day. Not
here: what comes along with a Mass on some days (`mere_remarks`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from mass_pipeline.language.folding import fold
from mass_pipeline.schedule_grammar.parsing.clues import has_time, names_building
from mass_pipeline.schedule_grammar.parsing.nodes import (
    AtPlace,
    Cond,
    Dated,
    Group,
    Node,
    OfKind,
    OnDays,
    Op,
    Remark,
    Sep,
    Time,
    WhichDays,
    Word,
)

_BECAUSE: Final = frozenset({"bo", "gdyz", "poniewaz", "albowiem", "jako ze"})  # folded
_OF_A_MASS: Final = ("po lacin", "z ", "ze ", "spiew")  # folded beginnings of remarks
_SECOND: Final = frozenset({"druga", "trzecia"})  # folded, as "drugą"
_BEFORE_DATES: Final = frozenset({"w", "we", "na"})


def reasons_left_out(nodes: Sequence[Node]) -> Sequence[Node]:
    """`we wtorki o 7.30, bo po południu uczę w szkole`: where the priest is then is no place of the Mass."""
    for at in range(1, len(nodes) - 1):
        comma, because = nodes[at], nodes[at + 1]
        if not (isinstance(because, Word) and isinstance(comma, Sep) and comma.name == "comma"):
            continue
        if fold(because.text).split()[0] not in _BECAUSE:
            continue
        end = next((i for i in range(at + 1, len(nodes)) if _is_strong(nodes[i])), len(nodes))
        if not has_time(nodes[at:end]):
            return [*nodes[:at], *reasons_left_out(nodes[end:])]
    return nodes


def _is_strong(node: Node) -> bool:
    return isinstance(node, Sep) and node.strong


def ways_into_a_chapel(nodes: Sequence[Node]) -> Sequence[Node]:
    """`Kaplica w koszarach (wejście przez biuro przepustek)` heads Masses, no office hours."""
    if has_time(nodes) or not any(isinstance(node, AtPlace) and names_building(node) for node in nodes):
        return nodes
    return [node for node in nodes if not (isinstance(node, Group) and _tells_the_way(node))]


def _tells_the_way(group: Group) -> bool:
    first = group.nodes[0] if group.nodes else None
    conds = [node for node in group.nodes if isinstance(node, Cond)]
    offices = [cond for cond in conds if isinstance(cond, OfKind) and cond.value == "office"]
    return isinstance(first, Word) and bool(offices) and not any(isinstance(cond, WhichDays) for cond in conds)


def feasts_of_a_remark(nodes: Sequence[Node]) -> Sequence[Node]:
    """`10.00 – po łacinie w Wielkanoc i Zesłanie Ducha Świętego`: on these days the Mass of every Sunday is in Latin."""
    at = next((i for i in range(2, len(nodes)) if _begins_remark_on_feasts(nodes, i)), 0)
    behind = nodes[at:]
    if not at or any(isinstance(node, (Time, Group, Op)) for node in behind):
        return nodes
    return nodes[:at]


def _begins_remark_on_feasts(nodes: Sequence[Node], at: int) -> bool:
    """Whether a feast stands right behind a remark on what a Mass has."""
    said = nodes[at]
    if not isinstance(said, Remark) or not fold(str(said.value)).startswith(_OF_A_MASS):
        return False
    behind = next((node for node in nodes[at + 1 :] if not (isinstance(node, Word) and fold(node.text) in _BEFORE_DATES)), None)
    return isinstance(behind, Dated)


def second_masses(nodes: Sequence[Node]) -> Sequence[Node]:
    """`We wtorki mamy drugą Mszę, o 17.00`: one more than on other days."""
    at = next((i for i in range(1, len(nodes)) if _is_mass(nodes[i]) and _counts(nodes[i - 1]) and _is_of_one_day(nodes[:i])), 0)
    return [*nodes[:at], Op("also", nodes[at].start, nodes[at].start), *nodes[at:]] if at else nodes


def _is_of_one_day(before: Sequence[Node]) -> bool:
    """Whether days, and not a list, are named since the last hour or sentence."""
    begin = next((i + 1 for i in range(len(before) - 1, -1, -1) if _is_strong(before[i]) or has_time(before[i : i + 1])), 0)
    days = [node for node in before[begin:] if isinstance(node, WhichDays)]
    return len(days) == 1 and isinstance(days[0], OnDays)


def _is_mass(node: Node) -> bool:
    return isinstance(node, OfKind) and node.value == "mass"


def _counts(node: Node) -> bool:
    return isinstance(node, Word) and fold(node.text).split()[-1] in _SECOND


Rule = Callable[[Sequence[Node]], Sequence[Node]]

ASIDE_RULES: Final[tuple[tuple[frozenset[str], Rule], ...]] = (  # what a line must have, and the rule
    (frozenset({"time", "other", "comma"}), reasons_left_out),
    (frozenset({"group", "place"}), ways_into_a_chapel),
    (frozenset({"begins with hour", "remark", "dated"}), feasts_of_a_remark),
    (frozenset({"days", "time", "mass"}), second_masses),
)
