"""Days that stand after their hours: put before the hours they govern.

Belongs here: rules over the nodes of a line (`rewording` tells when each is tried). Not here: what words mean (`parsing`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from mass_pipeline.language.folding import fold
from mass_pipeline.schedule_grammar.parsing.chunker import VIGIL
from mass_pipeline.schedule_grammar.parsing.nodes import (
    AtPlace,
    Cond,
    Days,
    Group,
    InList,
    InSeason,
    Node,
    Nth,
    OfKind,
    OnDays,
    Op,
    Remark,
    Sep,
    Time,
    WhichDays,
    Word,
)

_IS_SAID: Final = ("jest", "sa", "odprawi", "sprawow", "celebr", "odbywa")  # folded
JOINING: Final = ("comma", "and")
_Named = tuple[list[Node], list[Node]]  # hours, and the days after them with what belongs to the days
_Read = tuple[list[Node], list[_Named]]  # what stands before the first hour of a clause, and its groups


def clauses(nodes: Sequence[Node]) -> list[list[Node]]:
    """Stretches between strong separators, each with the separator that ends it."""
    found: list[list[Node]] = [[]]
    for node in nodes:
        found[-1].append(node)
        if isinstance(node, Sep) and node.strong:
            found.append([])
    return [clause for clause in found if clause]


def hour_of(node: Node) -> str:
    """`HH:MM`, "" of what is no hour."""
    return node.clock.time if isinstance(node, Time) else ""


def _says_season(node: Node) -> bool:
    return isinstance(node, InSeason)


def is_days(node: Node) -> bool:
    """Whether days are named, and not left out."""
    return isinstance(node, WhichDays) and not node.excluded


def days_before_their_hours(nodes: Sequence[Node]) -> Sequence[Node]:
    """`o 8.30 i 19.00 w dni powszednie oraz o 9.00 i 16.00 w niedziele`: each group with its days first.

    So it is with `7.00, 18.00 – dni powszednie; 8.00, 10.00 – niedziele`, and with the last clause of
    `Niedziela: 8.00, 10.00; 17.00 sobota`.
    """
    parts = clauses(nodes)
    read = [_head_and_groups(clause) for clause in parts]
    whole = len(parts)
    parts, read = _with_lists_apart(parts, read)
    several = sum(len(groups) for _, groups in read) > 1
    labelled = len(parts) > whole or any(_names_list(days) for _, groups in read for _, days in groups)
    found: list[Node] = []
    earlier: frozenset[str] = frozenset()
    for clause, (head, groups) in zip(parts, read, strict=True):
        alone = len(groups) == 1 and not head and not earlier.isdisjoint({"Su"}) and is_saturday(groups[0][1])
        if groups and ((several and labelled) or alone):
            found += [*head, *_turned(groups), *_tail_of(clause)]
        else:
            found += clause
        named = [node.value.days for node in clause if isinstance(node, Cond) and isinstance(node.value, Days)]
        earlier = earlier.union(*named)
    return found


def _with_lists_apart(parts: list[list[Node]], read: list[_Read]) -> tuple[list[list[Node]], list[_Read]]:
    """`o 7.30 we wtorki, o 17.00 w pozostałe dni, a w niedziele o 8.30`: what a list heads at the end is a clause of its own."""
    found: list[list[Node]] = []
    for clause, (_, groups) in zip(parts, read, strict=True):
        at = 0 if groups else list_at_end(clause)
        if at and len(_head_and_groups(clause[:at])[1]) > 1:
            joint = clause[at].start
            found += [[*clause[:at], Sep("semicolon", joint, joint)], clause[at:]]
        else:
            found.append(clause)
    return (parts, read) if len(found) == len(parts) else (found, [_head_and_groups(clause) for clause in found])


def list_at_end(clause: Sequence[Node]) -> int:
    """Where the joint before the last list of a clause stands that begins with hours, 0 when there is none."""
    lists = [at for at, node in enumerate(clause) if isinstance(node, InList)]
    if not lists or not any(isinstance(node, Time) or _refers_to_list(node) for node in clause[lists[-1] :]):
        return 0
    at = lists[-1] - 1
    while at > 0 and isinstance(clause[at], Word) and clause[at].marker:  # type: ignore[union-attr]
        at -= 1
    while at > 0 and isinstance(clause[at], Sep) and isinstance(clause[at - 1], Sep):
        at -= 1
    joint = clause[at]
    return at if isinstance(joint, Sep) and joint.name in JOINING else 0


def _refers_to_list(node: Node) -> bool:
    """`a w święta nakazane jak w niedzielę`."""
    return isinstance(node, Op) and node.name == "same"


def end_of(clause: Sequence[Node]) -> list[Node]:
    """The separator that ends a clause, if any."""
    return list(clause[-1:]) if isinstance(clause[-1], Sep) and clause[-1].strong else []


def _tail_of(clause: list[Node]) -> list[Node]:
    """The end of a clause, with an invitation to Mass before it: `o 8.00 i 10.00 w niedziele zapraszamy na Mszę świętą`."""
    end = end_of(clause)
    at = len(clause) - len(end)
    while at and (isinstance(clause[at - 1], Word) or _is_mass(clause[at - 1])):
        at -= 1
    tail = clause[at:]
    return tail if any(map(_is_mass, tail)) else end


def _is_mass(node: Node) -> bool:
    return isinstance(node, OfKind) and node.value == "mass"


def _names_list(days: Sequence[Node]) -> bool:
    return any(isinstance(node, Cond) and isinstance(node.value, Days) and node.value.label for node in days)


def is_saturday(days: Sequence[Node]) -> bool:
    """Whether Saturday alone is named."""
    return any(isinstance(node, Cond) and isinstance(node.value, Days) and node.value.days == {"Sa"} for node in days)


def _turned(groups: Sequence[_Named]) -> list[Node]:
    found: list[Node] = []
    for hours, days in groups:
        end = hours[-1].end
        found += [*days, Sep("colon", days[0].start, days[0].end), *hours, Sep("semicolon", end, end)]
    return found[:-1]


def _head_and_groups(clause: list[Node]) -> tuple[list[Node], list[_Named]]:
    """What stands before the first hour, and the groups of hours with days after; no groups where the clause is another."""
    body = clause[: len(clause) - len(_tail_of(clause))]
    first = next((at for at, node in enumerate(body) if isinstance(node, Time)), len(body))
    head, rest = body[:first], body[first:]
    asks = [node for node in head if isinstance(node, Op) and node.name == "then"]  # "kto pyta, kiedy u nas Msza święta"
    plain = not any(isinstance(node, (Group, Op)) or is_days(node) or _says_season(node) for node in head if node not in asks)
    return head, _groups_with_days_behind(rest) if plain else []


def _groups_with_days_behind(nodes: Sequence[Node]) -> list[_Named]:
    """(hours, days) where a clause is nothing but hours with days right after them; [] for any other."""
    groups: list[_Named] = []
    hours: list[Node] = []
    for before, node in pairwise([None, *nodes]):
        if isinstance(node, Time):
            if isinstance(before, Sep) and before.name == "dash":
                return []
            hours.append(node)
        elif isinstance(node, Cond) and is_days(node):
            if not hours or (isinstance(before, Sep) and before.name in JOINING):
                return []
            groups.append((hours, [node]))
            hours = []
        elif groups and not hours and _belongs_to_days(node):
            groups[-1][1].append(node)  # type: ignore[arg-type]
        elif isinstance(node, Sep) and node.name in JOINING:
            hours += [node] if hours else []
        elif not (isinstance(node, Sep) and node.name == "dash" and hours) and not (isinstance(node, Word) and node.marker):
            return []
    return groups if not hours else []


def _belongs_to_days(node: Node | None) -> bool:
    """`w soboty (wigilia niedzieli)`, `sobota kaplica w Borku`."""
    if isinstance(node, Group):
        return not any(isinstance(inner, (Time, Op, Group)) for inner in node.nodes)
    return isinstance(node, (AtPlace, Remark))


def place_of_all_hours(nodes: Sequence[Node]) -> Sequence[Node]:
    """`Msza św. o 16.00 w soboty i o 10.00 w niedziele odprawiana jest w kaplicy`: the place is that of both."""
    found: list[Node] = []
    for clause in clauses(nodes):
        body = clause[: len(clause) - len(end_of(clause))]
        verb, place = body[-2:] if len(body) > 2 else (None, None)
        said = isinstance(verb, Word) and fold(verb.text).startswith(_IS_SAID)
        several = sum(map(is_days, clause)) > 1 and isinstance(place, AtPlace)
        if said and several and place is not None and not any(isinstance(node, AtPlace) for node in clause if node is not place):
            found += [place, *(node for node in clause if node is not verb and node is not place)]
        else:
            found += clause
    return found


def days_and_weeks_of_one_list(nodes: Sequence[Node]) -> Sequence[Node]:
    """`poniedziałek, środa, I piątek miesiąca 17.00`: the hours are said of the days, and once more of the weeks of the month."""
    if not any(isinstance(node, Cond) and isinstance(node.value, Nth) for node in nodes):
        return nodes
    found: list[Node] = []
    for clause in clauses(nodes):
        said = [at for at, node in enumerate(clause) if is_days(node)]
        at = said[1] if len(said) == 2 else 0
        end = end_of(clause)
        hours = clause[at + 1 : len(clause) - len(end)]
        if (
            not at
            or not _are_apart(clause[said[0]], clause[at])
            or not _only_hours(hours)
            or not _joined(clause[said[0] + 1 : at])
        ):
            found += clause
            continue
        joint = clause[at].start
        found += [*clause[: said[0] + 1], *hours, Sep("semicolon", joint, joint), *clause[at:]]
    return found


def _are_apart(days: Node, weeks: Node) -> bool:
    """Whether the second names weeks of the month on days that the first does not name."""
    if not (isinstance(days, Cond) and isinstance(weeks, Cond) and isinstance(days.value, Days) and isinstance(weeks.value, Nth)):
        return False
    return not (days.value.rest or weeks.value.rest or days.value.days & weeks.value.days)


def _joined(nodes: Sequence[Node]) -> bool:
    joint = [node for node in nodes if not (isinstance(node, Word) and node.marker)]
    return bool(joint) and all(isinstance(node, Sep) and node.name in JOINING for node in joint)


def _only_hours(nodes: Sequence[Node]) -> bool:
    """Whether there is nothing but hours and brackets about them, and the marks that lead to them."""
    hours = any(isinstance(node, Time) for node in nodes)
    return hours and not any(isinstance(node, (Cond, Op)) or (isinstance(node, Word) and not node.marker) for node in nodes)


def days_that_close_a_bracket(nodes: Sequence[Node]) -> Sequence[Node]:
    """`(17.00 - X-IV, 19.00 - V-IX - sobota)`: the days at the end of a bracket are those of all its hours."""
    return [_with_days_leading(node) if isinstance(node, Group) else node for node in nodes]


def bracketed_days_before_hours(nodes: Sequence[Node]) -> Sequence[Node]:
    """`(wtorek, piątek) 18:00, (sobota) 9:00`: brackets that open a line and stand before hours are days like any other."""
    said = [node for node in nodes if not isinstance(node, Sep)]
    labels = [at for at, node in enumerate(said) if _is_bracket_of_days(node)]
    if not labels or labels[-1] == len(said) - 1 or not all(isinstance(said[at + 1], Time) for at in labels):
        return nodes
    begins = len(labels) > 1 and labels[0] == 0
    if not begins and not all(_stands_between(nodes, said[at]) for at in labels if at):
        return nodes
    if labels == [0]:
        return nodes
    found: list[Node] = []
    for node in nodes:
        if not isinstance(node, Group) or not _is_bracket_of_days(node):
            found.append(node)
            continue
        if found and isinstance(found[-1], Sep):
            found[-1] = Sep("semicolon", found[-1].start, found[-1].end)
        elif found:
            found.append(Sep("semicolon", node.start, node.start))
        found += node.nodes
    return found


def bracketed_days_behind_their_hour(nodes: Sequence[Node]) -> Sequence[Node]:
    """`6.30, 8.00, (sobota) 9.00, 18.00` is `6.30, 8.00, 9.00 (sobota), 18.00`."""
    labels = [at for at, node in enumerate(nodes) if _is_bracket_of_days(node)]
    at = labels[0] if len(labels) == 1 else 0
    if at < 2 or at + 1 >= len(nodes) or not isinstance(nodes[at + 1], Time) or not isinstance(nodes[at - 2], Time):
        return nodes
    mark, following = nodes[at - 1], nodes[at + 2] if at + 2 < len(nodes) else None
    if not (isinstance(mark, Sep) and mark.name == "comma") or not isinstance(following, Sep | None):
        return nodes
    return [*nodes[:at], nodes[at + 1], nodes[at], *nodes[at + 2 :]]


def _stands_between(nodes: Sequence[Node], bracket: Node) -> bool:
    """`18.00 (porządek zimowy: 17.00) (sobota) 16.00`: right after another bracket, and an hour right after it."""
    at = next(at for at, node in enumerate(nodes) if node is bracket)
    return isinstance(nodes[at - 1], Group) and isinstance(nodes[at + 1], Time)


def _is_bracket_of_days(node: Node) -> bool:
    if not isinstance(node, Group):
        return False
    return all(is_days(one) or isinstance(one, Sep) for one in node.nodes) and any(is_days(one) for one in node.nodes)


def _with_days_leading(group: Group) -> Group:
    days = [node for node in group.nodes if is_days(node)]
    rest = list(group.nodes)
    while rest and _closes_saturday(rest[-1]):
        rest.pop()
    vigil = [node for node in group.nodes[len(rest) :] if isinstance(node, Remark)]
    if len(days) != 1 or not rest or days[0] is not rest.pop() or sum(isinstance(node, Time) for node in rest) < 2:
        return group
    if sum(_says_season(node) for node in rest) < 2 or any(isinstance(node, (Op, Group)) for node in rest):
        return group
    while rest and isinstance(rest[-1], Sep):
        rest.pop()
    colon = Sep("colon", group.start, group.start)
    return Group((days[0], *vigil, colon, *rest), group.start, group.end, group.text)


def _closes_saturday(node: Node) -> bool:
    """`sobota wieczór`, `w sobotę wieczorem`: what is said of the day at the end of a bracket."""
    return (isinstance(node, Remark) and node.value == VIGIL) or (isinstance(node, Op) and node.name == "evening")


def masses_of_a_sort(nodes: Sequence[Node]) -> Sequence[Node]:
    """`Msza św. szkolna: piątek 16.00` is one more Mass, however near to those of every day."""
    first, sort, mark = (*nodes, None, None, None)[:3]
    is_label = isinstance(first, Cond) and first.value == "mass" and isinstance(mark, Sep) and mark.name == "colon"
    if not is_label or not isinstance(sort, Cond) or not isinstance(sort, Remark) or sort.value in ("", VIGIL):
        return nodes
    return [*nodes[:3], Op("also", mark.end, mark.end), *nodes[3:]] if mark is not None else nodes


def days_each_at_its_place(nodes: Sequence[Node]) -> Sequence[Node]:
    """`we wtorek w Gaju, w czwartek w Lipiu. Godzina 17.00`: what follows the days and their places holds for each of them."""
    first = next((at for at, node in enumerate(nodes) if isinstance(node, OnDays)), len(nodes))
    hour = next((at for at, node in enumerate(nodes) if isinstance(node, Time)), len(nodes))
    said = [at for at in range(first, hour) if isinstance(nodes[at], (OnDays, AtPlace))]
    pairs = list(zip(said[::2], said[1::2], strict=False))
    even = len(said) % 2 == 0 and all(isinstance(nodes[day], OnDays) and isinstance(nodes[at], AtPlace) for day, at in pairs)
    if len(pairs) < 2 or not even:
        return nodes
    tail = nodes[said[-1] + 1 :]
    between = [node for node in nodes[first:hour] if not isinstance(node, (OnDays, AtPlace, Sep)) and not _is_marker(node)]
    apart = bool(tail) and isinstance(tail[0], Sep) and not any(isinstance(node, (WhichDays, AtPlace, Group)) for node in tail)
    if between or not apart:
        return nodes
    found = list(nodes[:first])
    for day, at in pairs:
        found += [nodes[day], nodes[at], *tail[1:], Sep("semicolon", nodes[-1].end, nodes[-1].end)]
    return found


def _is_marker(node: Node) -> bool:
    return isinstance(node, Word) and node.marker != ""
