"""What a line says in an unusual order, put in the usual one before it is read: named rules, one after the other.

Belongs here: rules over the nodes of a line or a bracket that change their order and nothing of what they say. Each returns
the nodes as they are where it does not fit. A rule stays while real records need it (docs/rules.md). Not here: which words govern
which hour (`reader`), remarks that limit no hour (`mere_remarks`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import dropwhile, pairwise
from typing import Final

from mass_pipeline.language import day_words
from mass_pipeline.language.folding import fold
from mass_pipeline.language.parts_of_day import AFTERNOON
from mass_pipeline.language.parts_of_day import EVENING as EVENING_BEGINS
from mass_pipeline.model.dates_of_year import NO_DATES, YEAR, DatesOfYear
from mass_pipeline.schedule_grammar.attaching.mere_remarks import remarks_behind_the_hour
from mass_pipeline.schedule_grammar.parsing.chunker import VIGIL
from mass_pipeline.schedule_grammar.parsing.clues import are_seasons_apart, has_time
from mass_pipeline.schedule_grammar.parsing.nodes import (
    AtPlace,
    Cond,
    Dated,
    Days,
    Group,
    InList,
    InSeason,
    Node,
    Nth,
    OfKind,
    OnDays,
    OnNth,
    Op,
    Remark,
    Season,
    Sep,
    Time,
    WhichDays,
    Word,
)

_OF_TYPES: Final[dict[type, tuple[str, ...]]] = {
    Time: ("time",),
    InList: ("days", "list"),
    OnDays: ("days",),
    OnNth: ("days", "weeks"),
    AtPlace: ("other", "place"),
    Remark: ("other", "remark"),
    Dated: ("other", "dated"),
    Word: (),
}
_OF_MARKS: Final = {"comma": ("comma",), "dash": ("mark",), "bar": ("mark",), "semicolon": ("stop",), "stop": ("stop",)}
_OF_KINDS: Final[dict[str, tuple[str, ...]]] = {"mass": ("other", "mass"), "person": ("other", "person")}
_OTHER: Final[tuple[str, ...]] = ("other",)
_DAYS: Final = frozenset({InList, OnDays, OnNth})


def traits_of(nodes: Sequence[Node]) -> set[str]:
    """What a line has: kinds of nodes and marks, names of operators, and "again" after what it has several of.

    `stop` is what ends a clause, `mark` a dash or a bar; what stands in brackets is followed by "in brackets".
    """
    found: set[str] = set()
    for node in nodes:
        names = _OF_TYPES.get(type(node))
        if names is None:
            names = _names_of(node)
        for name in names:
            found.add(f"{name} again" if name in found else name)
    if nodes and type(nodes[0]) is Time:
        found.add("begins with hour")
    return found


def _names_of(node: Node) -> tuple[str, ...]:
    """The traits of a node whose type does not tell them."""
    kind = type(node)
    if kind is Sep:
        return _OF_MARKS.get(node.name, ())  # type: ignore[union-attr]
    if kind is Group:
        return _names_of_bracket(node.nodes)  # type: ignore[union-attr]
    if kind is Op:
        return (node.name,)  # type: ignore[union-attr]
    if kind is OfKind:
        return _OF_KINDS.get(str(node.value), _OTHER)  # type: ignore[union-attr]
    return (_season(node),) if isinstance(node, InSeason) else ("days",) if isinstance(node, Cond) else ()


def _names_of_bracket(nodes: Sequence[Node]) -> tuple[str, ...]:
    found = ["group"]
    for node in nodes:
        kind = type(node)
        if kind is Time:
            found.append("hour in brackets")
        elif kind in _DAYS:
            found.append("days in brackets")
        elif kind is Op or kind is InSeason:
            found.append(f"{node.name if kind is Op else _season(node)} in brackets")  # type: ignore[union-attr, arg-type]
    return tuple(found)


def _season(cond: InSeason) -> str:
    if not isinstance(cond.value, Season):
        return "other"
    return "season" if cond.value.dates else "movable season"


JOINING: Final = ("comma", "and")
_Named = tuple[list[Node], list[Node]]  # hours, and the days after them with what belongs to the days
_Read = tuple[list[Node], list[_Named]]  # what stands before the first hour of a clause, and its groups
_LATE: Final = (day_words.EVENING, day_words.IN_THE_AFTERNOON, day_words.AFTERNOON)  # folded
_EITHER_APART_MINUTES: Final = 120  # "7.00 lub 7.30": the same Mass, earlier or later
_DURING: Final = ("podczas", "w czasie", "czasie", "w trakcie", "trakcie", "na", "przed", "po")  # folded
_NEAR: Final = 8  # nodes before a bracket that say what its hours are
_MOST_NODES: Final = 120  # longer lines are no single statement
Rule = Callable[[Sequence[Node]], Sequence[Node]]


def reworded(nodes: Sequence[Node]) -> Sequence[Node]:
    """The nodes of a line by all rules; each is tried only where the line has what it is about.

    Args:
        nodes: of a line or of what stands in a bracket.
    """
    if len(nodes) > _MOST_NODES or not (has_time(nodes) or Group in map(type, nodes)):
        return nodes
    for rule in _rules_for(frozenset(traits_of(nodes))):
        nodes = rule(nodes)
    return nodes


@lru_cache(maxsize=4096)
def _rules_for(traits: frozenset[str]) -> tuple[Rule, ...]:
    """The rules that are tried on a line with these traits."""
    return tuple(rule for needs, rule in RULES if needs <= traits)


def rules_fired(nodes: Sequence[Node]) -> list[str]:
    """Names of the rules that change a line, in the order in which they do; empty where it says things in the usual order.

    Args:
        nodes: as for `reworded`.
    """
    if len(nodes) > _MOST_NODES:
        return []
    traits = traits_of(nodes)
    fired = []
    for rule in _rules_for(frozenset(traits)):
        changed = rule(nodes)
        if list(changed) != list(nodes):
            fired.append(name_of(rule))
        nodes = changed
    return fired


def name_of(rule: Rule) -> str:
    """The name of a rule, for people."""
    return str(getattr(rule, "__name__", "")).replace("_", " ")


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


def days_and_weeks_of_one_list(nodes: Sequence[Node]) -> Sequence[Node]:
    """`poniedziałek, środa, I piątek miesiąca 17.00`: the hours are said of the days, and once more of the weeks of the month."""
    if not any(isinstance(node, Cond) and isinstance(node.value, Nth) for node in nodes):
        return nodes
    found: list[Node] = []
    for clause in clauses(nodes):
        said = [at for at, node in enumerate(clause) if is_days(node)]
        days = [clause[at] for at in said if isinstance(clause[at], Cond) and isinstance(clause[at].value, Days)]  # type: ignore[union-attr]
        weeks = [clause[at] for at in said if isinstance(clause[at], OnNth)]
        end = end_of(clause)
        hours = clause[said[-1] + 1 : len(clause) - len(end)] if said else []
        joined = all(_are_joined(clause[one + 1 : other]) for one, other in pairwise(said))
        if not (days and len(weeks) == 1 and joined and _only_hours(hours) and all(_are_apart(one, weeks[0]) for one in days)):
            found += clause
            continue
        joint = clause[said[-1]].start
        found += [*clause[: said[0]], _together(days), *hours, Sep("semicolon", joint, joint), weeks[0], *hours, *end]
    return found


def _together(days: Sequence[Node]) -> Node:
    """Days named apart as one condition."""
    first, named = days[0], [one.value.days for one in days if isinstance(one, Cond) and isinstance(one.value, Days)]
    return OnDays(Days(frozenset[str]().union(*named)), first.start, first.end) if len(days) > 1 else first


def _are_apart(days: Node, weeks: Node) -> bool:
    """Whether the second names weeks of the month on days that the first does not name."""
    if not (isinstance(days, Cond) and isinstance(weeks, Cond) and isinstance(days.value, Days) and isinstance(weeks.value, Nth)):
        return False
    return not (days.value.rest or weeks.value.rest or days.value.days & weeks.value.days)


def _are_joined(nodes: Sequence[Node]) -> bool:
    joint = [node for node in nodes if not (isinstance(node, Word) and node.marker)]
    return bool(joint) and all(isinstance(node, Sep) and node.name in JOINING for node in joint)


def _only_hours(nodes: Sequence[Node]) -> bool:
    """Whether there is nothing but hours and brackets about them, and the marks that lead to them."""
    hours = any(isinstance(node, Time) for node in nodes)
    return hours and not any(isinstance(node, (Cond, Op)) or (isinstance(node, Word) and not node.marker) for node in nodes)


def bracketed_days_before_hours(nodes: Sequence[Node]) -> Sequence[Node]:
    """`(wtorek, piątek) 18:00, (sobota) 9:00`: brackets that open a line and stand before hours are days like any other."""
    said = [node for node in nodes if not isinstance(node, Sep)]
    labels = [at for at, node in enumerate(said) if _is_bracket_of_days(node)]
    if not labels or labels[-1] == len(said) - 1 or not all(isinstance(said[at + 1], Time) for at in labels):
        return nodes
    begins = len(labels) > 1 and not any(isinstance(node, (Time, Group)) for node in said[: labels[0]])
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


def masses_of_a_sort(nodes: Sequence[Node]) -> Sequence[Node]:
    """`Msza św. szkolna: piątek 16.00` is one more Mass, however near to those of every day."""
    first, sort, mark = (*nodes, None, None, None)[:3]
    is_label = isinstance(first, Cond) and first.value == "mass" and isinstance(mark, Sep) and mark.name == "colon"
    if not is_label or not isinstance(sort, Cond) or not isinstance(sort, Remark) or sort.value in ("", VIGIL):
        return nodes
    return [*nodes[:3], Op("also", mark.end, mark.end), *nodes[3:]] if mark is not None else nodes


def evenings_of_the_list(nodes: Sequence[Node]) -> Sequence[Node]:
    """`w dni powszednie o 7.00, w środy o 8.30, oraz wieczorem o 17.30`: the evening is that of the list, 8.30 comes beside.

    So is 18.00 in `o 7.00, w czwartki dodatkowo o 9.00, i o 18.00`, and in `7.00; w czwartki też 9.00; wieczorem 18.00`.
    """
    return [node for clause in _joined_at_evenings(clauses(nodes)) for node in _with_evening_of_list(clause)]


def _joined_at_evenings(parts: list[list[Node]]) -> list[list[Node]]:
    """The clauses, where semicolons cut one: a list, what some of its days have besides, and an evening without days."""
    found: list[list[Node]] = []
    while parts:
        first, rest = parts[0], parts[1:]
        if len(rest) > 1 and _goes_on(first, rest[0], rest[1]):
            commas = [Sep("comma", clause[-1].start, clause[-1].end) for clause in (first, rest[0])]
            found.append([*first[:-1], commas[0], *rest[0][:-1], commas[1], *rest[1]])
            parts = rest[2:]
        else:
            found.append(first)
            parts = rest
    return found


def _goes_on(label: Sequence[Node], some: Sequence[Node], evening: Sequence[Node]) -> bool:
    named = [[node for node in clause if is_days(node)] for clause in (label, some, evening)]
    if [len(days) for days in named] != [1, 1, 0]:
        return False
    of_list, within = named[0][0], named[1][0]
    adds = any(isinstance(node, Op) and node.name == "also" for node in some)
    return adds and _is_within(within, of_list) and _is_late(evening[0])  # type: ignore[arg-type]


def _is_late(node: Node) -> bool:
    if isinstance(node, Op):
        return node.name == "evening"
    return isinstance(node, Word) and fold(node.text).startswith(_LATE)


def _with_evening_of_list(clause: list[Node]) -> list[Node]:
    conds = [at for at, node in enumerate(clause) if is_days(node)]
    last = (list_at_end(clause) or _denial_at_end(clause)) if len(conds) == 3 else 0
    if last:
        weekdays, end = _with_evening_of_list(clause[:last]), clause[last].start
        return clause if weekdays == clause[:last] else [*weekdays, Sep("semicolon", end, end), *clause[last:]]
    times = [at for at, node in enumerate(clause) if isinstance(node, Time)]
    if len(conds) != 2 or len(times) < 3:
        return clause
    label, days = (clause[at] for at in conds)
    added = any(isinstance(node, Op) and node.name == "also" for node in clause[times[0] : times[-1]])
    joint = next((at for at in range(conds[1], len(clause) - 1) if _leads_evening(clause, at, conds[1], added=added)), 0)
    within = isinstance(label, Cond) and isinstance(days, Cond) and _is_within(days, label)
    inside = [at for at in times if conds[1] < at < joint]
    behind = [at for at in times if at > joint]
    before = [at for at in times if conds[0] < at < conds[1]]
    if not (joint and within and inside and before and behind and all(hour_of(clause[at]) >= AFTERNOON for at in behind)):
        return clause
    return _reordered(clause, before[-1], conds[1], joint)


def _denial_at_end(clause: Sequence[Node]) -> int:
    """Where the comma stands before `z tym że w poniedziałek nie ma Mszy`, 0 when there is none."""
    denial = next((at for at, node in enumerate(clause) if isinstance(node, Op) and node.name == "without"), 0)
    days = max((at for at in range(denial) if is_days(clause[at])), default=0)
    if not days or any(isinstance(node, Time) for node in clause[days:]):
        return 0
    return max((at for at in range(days) if isinstance(clause[at], Sep)), default=0)


def _reordered(clause: list[Node], last: int, days: int, joint: int) -> list[Node]:
    """The clause with its evening moved to the list.

    Args:
        clause: the clause.
        last: position of the last hour of the list before the days.
        days: position of the days within the list.
        joint: position of the word that leads to the evening.
    """
    comma = max((at for at in range(last, days) if isinstance(clause[at], Sep)), default=days)
    end = end_of(clause)
    evening = clause[joint : len(clause) - len(end)]
    at = clause[comma].start
    stop = Sep("semicolon", at, at)
    lone = [node for node in clause[comma:joint] if not isinstance(node, Sep)]
    kept = [*clause[:comma], Sep("comma", at, at), *evening, stop]
    return [*kept, Op("also", at, at), *lone, *end]


def _leads_evening(clause: Sequence[Node], at: int, days: int, *, added: bool) -> bool:
    """Whether the words at a position go on with the hours of the list.

    Args:
        clause: the clause.
        at: the position.
        days: position of the days within the list.
        added: a word tells that these have their hours besides.
    """
    node = clause[at]
    before = [other.name for other in clause[max(0, at - 2) : at] if isinstance(other, Sep) and other.name in JOINING]
    goes_on = added and isinstance(node, Word) and node.marker == "hour" and before == ["comma", "and"]
    if isinstance(node, Op) and node.name == "also":  # "dla szkół w środę o 16.15, jak również o 18.00"
        goes_on = any(isinstance(other, Remark) for other in clause[max(0, days - 2) : days])
    return bool(before) and (goes_on or _is_late(node))


def _is_within(days: Cond, label: Cond) -> bool:
    inner, outer = days.value, label.value
    if not isinstance(inner, (Days, Nth)) or inner.rest or not isinstance(outer, Days) or not inner.days < outer.days:
        return False
    return isinstance(label, InList) or len(outer.days) > 2


def brackets_of_a_pair(nodes: Sequence[Node]) -> Sequence[Node]:
    """`7.00 lub 7.30 (w środy)`, `17.00 - zimą, 18.00 - latem (w sobotę)`: the days are those of both hours."""
    found = list(nodes)
    for at in range(len(found) - 1, 1, -1):
        group = found[at]
        if not isinstance(group, Group) or not _says_days_alone(group):
            continue
        first = _first_of_alternatives(found, at) or _first_of_seasons(found, at)
        if first:
            found.insert(first, replace(group))
    return found


def _says_days_alone(group: Group) -> bool:
    """Whether a bracket names days, and nothing else but that it is on these alone."""
    conds = [node for node in group.nodes if isinstance(node, Cond)]
    others = [node for node in group.nodes if not isinstance(node, (Cond, Sep)) and not (isinstance(node, Word) and node.marker)]
    only = all(isinstance(node, Op) and node.name == "only" for node in others)
    return bool(conds) and only and all(isinstance(cond, WhichDays) and not cond.excluded for cond in conds)


def _first_of_alternatives(nodes: Sequence[Node], at: int) -> int:
    """The position after the first hour of `7.00 lub 7.30 (...)`, 0 of anything else."""
    said = [i for i in range(max(0, at - 6), at) if not (isinstance(nodes[i], Word) and nodes[i].marker)]  # type: ignore[union-attr]
    if len(said) < 3:
        return 0
    one, joint, other = (nodes[i] for i in said[-3:])
    if not (isinstance(one, Time) and isinstance(joint, Op) and joint.name == "or" and isinstance(other, Time)):
        return 0
    group = nodes[at]
    only = isinstance(group, Group) and any(isinstance(node, Op) for node in group.nodes)
    return said[-3] + 1 if only or _minutes_between(one, other) <= _EITHER_APART_MINUTES else 0


def _minutes_between(one: Node, other: Node) -> int:
    first, second = (int(hour[:2]) * 60 + int(hour[3:]) for hour in (hour_of(one), hour_of(other)))
    return abs(first - second)


def _first_of_seasons(nodes: Sequence[Node], at: int) -> int:
    """The position after the first season of `17.00 - zimą, 18.00 - latem (...)`, 0 of anything else."""
    second = _hour_and_season(nodes, at)
    before = second - 1
    if second <= 0 or not isinstance(nodes[before], Sep) or nodes[before].name not in ("comma", "semicolon", "and"):  # type: ignore[union-attr]
        return 0
    if _hour_and_season(nodes, before) < 0:
        return 0
    dates = [_dates_of(nodes[i - 1]) for i in (before, at)]
    return before if not dates[0] & dates[1] else 0


def _hour_and_season(nodes: Sequence[Node], end: int) -> int:
    """Where the hour of `17.00 - zimą` or `17.00 (zimą)` stands that ends before a position; -1 of anything else."""
    if end < 2 or not _dates_of(nodes[end - 1]):
        return -1
    at = next((i for i in range(end - 2, -1, -1) if not _is_passed_over(nodes[i])), -1)
    return at if at >= 0 and isinstance(nodes[at], Time) else -1


def _is_passed_over(node: Node) -> bool:
    """A dash or a small word."""
    return (isinstance(node, Sep) and node.name == "dash") or (isinstance(node, Word) and node.marker != "")


def _dates_of(node: Node) -> DatesOfYear:
    """The dates of a season, in brackets or not."""
    if isinstance(node, Group):
        conds = [inner for inner in node.nodes if not (isinstance(inner, Word) and inner.marker)]
        return _dates_of(conds[0]) if len(conds) == 1 else NO_DATES
    named = isinstance(node, Cond) and not node.excluded and isinstance(node.value, Season)
    return (node.value.dates or NO_DATES) if named else NO_DATES  # type: ignore[union-attr]


def movable_seasons_apart(nodes: Sequence[Node]) -> Sequence[Node]:
    """`w Wielkim Poście i w październiku 15.00`: the hour once for the season without months, once for the months.

    So are hours before them: `16.00 (Wielki Post, maj)`, `14.30 - Wielki Post, październik`.
    """
    found: list[Node] = []
    at = 0
    while at < len(nodes):
        node = nodes[at]
        if isinstance(node, Group):
            found += _bracket_apart(node, found)
            at += 1
            continue
        end, seasons = _seasons_in_a_row(nodes, at)
        hours = _hours_ahead(nodes, end) if seasons else 0
        behind = len(found) - 1 if seasons and not hours else -1
        if hours:
            also = [one for one in nodes[end:hours] if isinstance(one, Op)]
            found += _each_with_hours(seasons, [*also, *nodes[_hours_begin(nodes, end) : hours]])
            at = hours
        elif behind >= 0 and _ends_clause(nodes, end) and (time := _hour_behind(found)) is not None:
            found += _hours_of_seasons(time, seasons, found)
            at = end
        else:
            found.append(node)
            at += 1
    return found


def _bracket_apart(group: Group, before: Sequence[Node]) -> list[Node]:
    """The bracket once for each of its seasons; as it is where it says anything else."""
    end, seasons = _seasons_in_a_row(group.nodes, 0)
    lead = group.nodes[:end]
    if not seasons or (end < len(group.nodes) and not _hours_ahead(group.nodes, end)):
        inner = movable_seasons_apart(group.nodes) if any(isinstance(one, Time) for one in group.nodes) else group.nodes
        return [replace(group, nodes=tuple(inner))]
    if end < len(group.nodes):
        return [replace(group, nodes=tuple(movable_seasons_apart(group.nodes)))]
    time = before[-1] if before else None
    if not isinstance(time, Time):
        return [group]
    first, *rest = (Group((season,), lead[0].start, lead[-1].end, group.text) for season in seasons)
    found: list[Node] = [first]
    for one in rest:
        found += [Sep("comma", group.end, group.end), time, one]
    return found


def _seasons_in_a_row(nodes: Sequence[Node], at: int) -> tuple[int, list[Cond]]:
    """The next position and the seasons named in one breath, with months and without; none where all are of one sort."""
    seasons: list[Cond] = []
    end = at
    for index in range(at, len(nodes)):
        node = nodes[index]
        if _is_named_season(node):
            seasons.append(node)  # type: ignore[arg-type]
            end = index + 1
        elif not ((isinstance(node, Sep) and node.name in JOINING and seasons) or (isinstance(node, Word) and node.marker)):
            break
    movable = [season for season in seasons if not _dates_of(season)]
    return (end, seasons) if movable and len(movable) < len(seasons) else (at, [])


def _is_named_season(node: Node) -> bool:
    if not isinstance(node, Cond) or not isinstance(node.value, Season) or node.excluded or node.value.rest:
        return False
    return bool(node.value.dates) or node.value.name not in ("", "custom")


def _hours_begin(nodes: Sequence[Node], at: int) -> int:
    """The position of the hour that follows at once, after a mark at most."""
    while at < len(nodes):
        node = nodes[at]
        small = (isinstance(node, Word) and node.marker != "") or (isinstance(node, Op) and node.name == "also")
        if not ((isinstance(node, Sep) and not node.strong and node.name != "and") or small):
            break
        at += 1
    return at


def _hours_ahead(nodes: Sequence[Node], at: int) -> int:
    """The position after the hours that follow at once; 0 when none does."""
    end = 0
    for index in range(_hours_begin(nodes, at), len(nodes)):
        node = nodes[index]
        if isinstance(node, Time):
            end = index + 1
        elif not (end and isinstance(node, Sep) and node.name in JOINING) and not (isinstance(node, Word) and node.marker):
            break
    return end


def _each_with_hours(seasons: Sequence[Cond], hours: Sequence[Node]) -> list[Node]:
    found: list[Node] = []
    for season in seasons:
        found += [season, Sep("colon", season.end, season.end), *hours, Sep("semicolon", season.end, season.end)]
    return found[:-1]


def _ends_clause(nodes: Sequence[Node], at: int) -> bool:
    following = nodes[at] if at < len(nodes) else None
    return following is None or (isinstance(following, Sep) and following.strong)


def _hour_behind(nodes: Sequence[Node]) -> Time | None:
    """The hour before what comes next, with a dash or small words between at most."""
    for node in reversed(nodes):
        if isinstance(node, Time):
            return node
        if not _is_passed_over(node):
            return None
    return None


def _hours_of_seasons(time: Time, seasons: Sequence[Cond], before: list[Node]) -> list[Node]:
    while before[-1] is not time:
        before.pop()
    groups = [Group((season,), season.start, season.end, "") for season in seasons]
    found: list[Node] = [groups[0]]
    for group in groups[1:]:
        found += [Sep("comma", group.start, group.start), time, group]
    return found


def alternatives_in_brackets(nodes: Sequence[Node]) -> Sequence[Node]:
    """`7.30 - (lub 18.00) latem, (lub 17.00) zimą; 17.00 - (lub 7.30) zimą`: it is said when there is no other hour that day.

    A season of its own limits the hour, two of them are the whole year.
    """
    if not any(_is_alternative(node) for node in nodes):
        return nodes
    found: list[Node] = []
    for clause in clauses(nodes):
        groups = sum(_is_alternative(node) for node in clause)
        first = next((at for at, node in enumerate(clause) if _is_alternative(node)), 0)
        if not groups or not any(isinstance(node, Time) for node in clause[:first]) or _hours_ahead(clause, first + 1):
            found += clause
            continue
        seasons = [node for node in clause[first:] if isinstance(node, InSeason)]
        end = [clause[-1]] if isinstance(clause[-1], Sep) and clause[-1].strong else []
        at = clause[first].start
        lead = [node for node in clause[:first] if not (isinstance(node, Sep) and node.name == "dash")]
        found += [*lead, *(seasons if len(seasons) == 1 else ()), Op("sometimes", at, at), *end]
    return found


def _is_alternative(node: Node) -> bool:
    first = node.nodes[0] if isinstance(node, Group) and node.nodes else None
    return isinstance(first, Op) and first.name == "or"


def hours_of_a_split_bracket(nodes: Sequence[Node]) -> Sequence[Node]:
    """`7.00 (w środę, piątek oraz w Adwencie)` is `7.00 (w środę, piątek), 7.00 (w Adwencie)`."""
    found: list[Node] = []
    for before, node in pairwise([None, *nodes]):
        parts = _split_bracket(node) if isinstance(node, Group) and isinstance(before, Time) else None
        if node is not None:
            found += [node] if parts is None else [parts[0], Sep("comma", node.end, node.end), before, parts[1]]  # type: ignore[list-item]
    return found


def _split_bracket(group: Group) -> tuple[Group, Group] | None:
    said = [node for node in group.nodes if isinstance(node, (Cond, Op, Time, Group))]
    conds = [node for node in said if isinstance(node, Cond)]
    if (
        len(said) != 2
        or len(conds) != 2
        or not isinstance(conds[0], OnDays)
        or _dates_of(conds[1])
        or not _is_named_season(conds[1])
    ):
        return None
    if conds[0].excluded or not any(isinstance(node, Sep) and node.name == "and" for node in group.nodes):
        return None
    return replace(group, nodes=(conds[0],)), replace(group, nodes=(conds[1],))


def churches_and_their_brackets(nodes: Sequence[Node]) -> Sequence[Node]:
    """`7.00, 18.00, w kościele filialnym (sobota 16.00)`: after a comma the hours in the bracket are those of that church."""
    found: list[Node] = []
    for at, node in enumerate(nodes):
        before = [one for one in nodes[max(0, at - 3) : at] if not (isinstance(one, Word) and one.marker)]
        led = len(before) > 1 and isinstance(before[-2], Sep) and before[-2].name == "comma"
        church = before[-1] if led else None
        days = node.nodes[0] if isinstance(node, Group) and node.nodes else None
        own = isinstance(church, AtPlace) and isinstance(days, OnDays)
        ends = at + 1 == len(nodes) or isinstance(nodes[at + 1], Sep)
        found += (
            node.nodes
            if own and ends and isinstance(node, Group) and any(isinstance(one, Time) for one in node.nodes)
            else [node]
        )
    return found


def weeks_of_one_hour(nodes: Sequence[Node]) -> Sequence[Node]:
    """`16.30 (w I piątek miesiąca z udziałem dzieci), 18.00`: beside the other evening Mass the bracket limits the hour.

    Of the only Mass of its half of the day it tells who takes part in it then.
    """
    hours = [(node, nodes[at + 1 : at + 2]) for at, node in enumerate(nodes) if isinstance(node, Time)]
    found: list[Node] = []
    for before, node in pairwise([None, *nodes]):
        weeks = _weeks_with_people(node) if isinstance(node, Group) and isinstance(before, Time) else None
        if weeks is None or not isinstance(before, Time) or not isinstance(node, Group):
            found += [node] if node is not None else []
            continue
        late = before.clock.time >= AFTERNOON
        plain = [one for one, behind in hours if not any(isinstance(other, Group) for other in behind)]
        beside = any((one.clock.time >= AFTERNOON) == late for one in plain)
        found.append(replace(node, nodes=(weeks,)) if beside else node)
    return found


def _weeks_with_people(group: Group) -> Cond | None:
    """The weekday of the month in a bracket that goes on with who takes part, None of another bracket."""
    said = [node for node in group.nodes if not (isinstance(node, Word) and node.marker)]
    weeks, people = said if len(said) == 2 else (None, None)
    if not (isinstance(weeks, Cond) and isinstance(people, Cond) and isinstance(weeks.value, Nth)):
        return None
    takes_part = isinstance(people, Remark) and str(people.value).startswith("z udział")
    return weeks if takes_part and "Su" not in weeks.value.days and not weeks.excluded else None


def seasons_that_close_their_lists(nodes: Sequence[Node]) -> Sequence[Node]:
    """`18.00, w środę 8.00 (latem), 17.00, w środę 8.00 (zimą)`: seasons that close two equally long lists, put before them."""
    closing = [index for index, node in enumerate(nodes) if type(node) is Group and season_alone(node) is not None]
    if len(closing) != 2:
        return nodes
    first, second = closing
    seasons = [season for index in closing if (season := season_alone(nodes[index])) is not None]
    dates = [cond.value.dates or NO_DATES for cond in seasons if isinstance(cond.value, Season)]
    strong = [index for index, node in enumerate(nodes[:first]) if isinstance(node, Sep) and node.strong]
    parts = (range(max(strong, default=0), first), range(first, second))
    hours = [[index for index in part if isinstance(nodes[index], Time)] for part in parts]
    if dates[0] & dates[1] or dates[0] | dates[1] != YEAR or len(hours[0]) != len(hours[1]) or len(hours[0]) < 2:
        return nodes
    names_days = any(isinstance(node, OnDays) for node in nodes[first:second])
    if not names_days and not _begins_anew([nodes[i] for i in hours[0]], [nodes[i] for i in hours[1]]):
        return nodes
    opening, behind = hours[0][0], first + 1
    while isinstance(nodes[behind], Sep):
        behind += 1
    at = nodes[first].start
    lead = [(season, Sep("colon", season.start, season.end)) for season in seasons]
    lists = (*nodes[:opening], *lead[0], *nodes[opening:first], Sep("semicolon", at, at), *lead[1], *nodes[behind:second])
    return (*lists, *nodes[second + 1 :])


def _begins_anew(first: Sequence[Node], second: Sequence[Node]) -> bool:
    """`7.00, 11.00, 18.00 (IV-X), 7.30, 11.00, 17.00 (XI-III)`: three hours in order, and again from the morning."""
    times = [[node.clock.time for node in part if isinstance(node, Time)] for part in (first, second)]
    ordered = all(part == sorted(part) for part in times)
    return ordered and len(times[0]) > 2 and times[1][0] <= times[0][1]


def season_alone(node: Node | None) -> Cond | None:
    """The season of a bracket that says nothing else; None of any other node."""
    if not isinstance(node, Group) or any(isinstance(inner, (Time, Op, Sep)) for inner in node.nodes):
        return None
    conds = [inner for inner in node.nodes if isinstance(inner, Cond)]
    alone = len(conds) == 1 and isinstance(conds[0], InSeason) and not conds[0].excluded
    return conds[0] if alone and isinstance(conds[0].value, Season) and conds[0].value.dates else None


def seasons_behind_a_pair(nodes: Sequence[Node]) -> Sequence[Node]:
    """`17.00 zimą godz. 17.30 latem` is `17.00 (zimą), 17.30 (latem)`."""
    kept = list(nodes)
    said = [at for at, node in enumerate(kept) if not _is_word_or_comma(node)]
    for one, two, three, four in zip(said, said[1:], said[2:], said[3:], strict=False):
        first, second = kept[two], kept[four]
        pair = (
            isinstance(kept[one], Time) and isinstance(kept[three], Time) and isinstance(first, Cond) and isinstance(second, Cond)
        )
        ends = four == said[-1] or isinstance(kept[four + 1], Sep)
        commas = [isinstance(kept[at], Sep) for at in (one + 1, three + 1)]  # "17:00, latem, 16:00, zimą"
        near = (one + 1 == two and three + 1 == four) or (all(commas) and one + 2 == two and three + 2 == four)
        if pair and ends and _halves(first, second) and near:
            kept[two] = Group((kept[two],), kept[two].start, kept[two].end)
            kept[four] = Group((kept[four],), kept[four].start, kept[four].end)
            return [node for at, node in enumerate(kept) if not (all(commas) and at in (one + 1, three + 1))]
    return nodes


def _is_word_or_comma(node: Node) -> bool:
    return (isinstance(node, Word) and node.marker != "") or (isinstance(node, Sep) and node.name == "comma")


def _halves(first: Node, second: Node) -> bool:
    """Whether two conditions are seasons that make up the year."""
    if not (isinstance(first, Cond) and isinstance(second, Cond)):
        return False
    one, other = first.value, second.value
    if not (isinstance(one, Season) and isinstance(other, Season) and one.dates and other.dates):
        return False
    return not one.dates & other.dates and one.dates | other.dates == YEAR


def stops_for_colons(nodes: Sequence[Node]) -> Sequence[Node]:
    """`16.00 (wakacje. 18.00)`: in a bracket a full stop after the season stands for a colon."""
    return [replace(node, nodes=tuple(_with_colons(node.nodes))) if isinstance(node, Group) else node for node in nodes]


def _with_colons(nodes: Sequence[Node]) -> list[Node]:
    found = list(nodes)
    for at in range(1, len(found) - 1):
        before, stop, behind = found[at - 1 : at + 2]
        leads = isinstance(before, (InList, OnDays, InSeason))
        if leads and isinstance(stop, Sep) and stop.name == "stop" and isinstance(behind, Time):
            found[at] = Sep("colon", stop.start, stop.end)
    return found


def brackets_behind_a_comma(nodes: Sequence[Node]) -> Sequence[Node]:
    """`17:00, (19:00, latem)` is `17:00 (latem 19:00)`; `13:30, (15:00, w roku szkolnym)` one more Mass of the list."""
    found: list[Node] = []
    for node in nodes:
        hours = _hours_of_bracket(node) if isinstance(node, Group) else []
        comma = bool(found) and isinstance(found[-1], Sep) and found[-1].name == "comma"
        before = next((hour_of(one) for one in reversed(found) if isinstance(one, Time)), "")
        if not (hours and comma and before and isinstance(node, Group)):
            found.append(node)
            continue
        while isinstance(found[-1], Sep) and found[-1].name == "comma":
            found.pop()
        season = [one for one in node.nodes if isinstance(one, Cond)]
        if len(hours) == 1 and _is_other_hour_of(before, hour_of(hours[0])):
            lead: list[Node] = [*season, Sep("colon", node.start, node.start)] if season else []
            found.append(replace(node, nodes=(*lead, *hours)))
            continue
        for hour in hours:
            found += [Sep("comma", node.start, node.start), hour]
            found += [Group(tuple(season), season[0].start, season[0].end)] if season else []
    return found


def _hours_of_bracket(group: Group) -> list[Node]:
    """The hours of a bracket that begins with one and says nothing else but when they are; [] of any other."""
    hours: list[Node] = [node for node in group.nodes if isinstance(node, Time)]
    conds = [node for node in group.nodes if isinstance(node, Cond)]
    rest = [
        node for node in group.nodes if not isinstance(node, (Time, Cond, Sep)) and not (isinstance(node, Word) and node.marker)
    ]
    plain = len(conds) <= 1 and all(isinstance(cond, InSeason) and not cond.excluded for cond in conds) and not rest
    return hours if plain and group.nodes and isinstance(group.nodes[0], Time) else []


def _is_other_hour_of(hour: str, other: str) -> bool:
    """Whether an hour in a bracket is that of the evening Mass before it in the other half of the year."""
    return min(hour, other) >= EVENING_BEGINS and are_seasons_apart(hour, other)


def exceptions_said_twice(nodes: Sequence[Node]) -> Sequence[Node]:
    """`8.15 (oprócz piątków - w piątki o 15.15)` is `8.15 (w piątki o 15.15)`: the days left out are those of another hour."""
    return [replace(node, nodes=_said_once(node.nodes)) if isinstance(node, Group) else node for node in nodes]


def _said_once(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    for at, node in enumerate(nodes):
        without = isinstance(node, Op) and node.name == "without"  # "(bez wtorków, we wtorki o 16.15)"
        left_out = _behind_marks(nodes[at + 1 :])[:1] if without else (node,)
        rest = _behind_marks(nodes[at + 1 + without :])
        if without or (isinstance(node, WhichDays) and node.excluded):
            again = rest[0] if rest and has_time(rest) else None
            if isinstance(again, WhichDays) and [one.value for one in left_out if isinstance(one, WhichDays)] == [again.value]:
                return (*nodes[:at], *rest)
    return nodes


def _behind_marks(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    return tuple(dropwhile(lambda one: isinstance(one, Sep) or is_marked(one), nodes))


def seasons_of_a_bracket(nodes: Sequence[Node]) -> Sequence[Node]:
    """`18.15 (śr., pt. - latem, 16.15 zimą)`: each half of the year is a clause of its own."""
    return [replace(node, nodes=_with_halves_apart(node.nodes)) if isinstance(node, Group) else node for node in nodes]


def _with_halves_apart(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    said = [at for at, node in enumerate(nodes) if not is_marked(node)]
    if len(said) < 4:
        return nodes
    season, comma, hour, other = (nodes[at] for at in said[-4:])
    if isinstance(comma, Sep) and comma.name == "comma" and isinstance(hour, Time) and _halves(season, other):
        return (*nodes[: said[-3]], Sep("semicolon", comma.start, comma.end), *nodes[said[-3] + 1 :])
    return nodes


def is_marked(node: Node) -> bool:
    """Whether a node is a small word without a meaning of its own."""
    return isinstance(node, Word) and node.marker != ""


def hours_of_every_mass(nodes: Sequence[Node]) -> Sequence[Node]:
    """`spowiadamy w dni powszednie podczas każdej Mszy św. (6.30, 18.00)`: the bracket tells when the Masses are."""
    for at, node in enumerate(nodes):
        if not isinstance(node, Group) or not _holds_hours_alone(node):
            continue
        near = nodes[max(0, at - _NEAR) : at]
        words = [fold(one.text) for one in near if isinstance(one, Word)]
        words += [word for one in near if isinstance(one, Remark) for word in fold(str(one.value)).split()]
        during = any(word.startswith(_DURING) for word in words) and any(word.startswith("kazd") for word in words)
        if not during or not any(word.startswith("msz") for word in words):
            continue
        start = max((i + 1 for i, other in enumerate(nodes[:at]) if isinstance(other, Sep) and other.strong), default=0)
        if any(isinstance(other, Time) for other in nodes[start:at]):
            return nodes
        if {hour_of(one) for one in node.nodes} - {""} <= {hour_of(one) for one in nodes[:start]}:
            return [*nodes[:at], *nodes[at + 1 :]]  # of Masses that were named before
        lead = [other for other in nodes[start:at] if not (isinstance(other, OfKind))]
        mass = OfKind("mass", node.start, node.start)
        hours = [one for one in node.nodes if isinstance(one, (Time, Sep))]
        hours = [Sep("comma", one.start, one.end) if isinstance(one, Sep) else one for one in hours]  # "(6.45; 18.15)"
        return [*nodes[:start], *lead, mass, *hours, Sep("semicolon", node.end, node.end), *nodes[at + 1 :]]
    return nodes


def _holds_hours_alone(group: Group) -> bool:
    times = sum(isinstance(node, Time) for node in group.nodes)
    rest = [node for node in group.nodes if not isinstance(node, (Time, Sep)) and not (isinstance(node, Word) and node.marker)]
    return times > 1 and not rest


def _left_out(nodes: Sequence[Node], time: int) -> list[Node]:
    """An old hour as it stays in its line: not at all, or as the one that another hour takes the place of in a season."""
    in_season = any(isinstance(node, InSeason) for node in nodes)
    return [Op("instead", nodes[time].start, nodes[time].start), nodes[time]] if in_season else []


def hours_moved(nodes: Sequence[Node]) -> Sequence[Node]:
    """`Msza z godz. 13.00 została przeniesiona na 12.30`: the one before is old."""
    found: list[Node] = []
    for clause in clauses(nodes):
        verb = next((at for at, node in enumerate(clause) if isinstance(node, Op) and node.name == "moved"), 0)
        old = [at for at, node in enumerate(clause[:verb]) if isinstance(node, Time)]
        new = [at for at in range(verb, len(clause)) if isinstance(clause[at], Time)]
        leads = new and any(_leads_on(node) for node in clause[verb : new[0]])
        if leads and len(old) == len(new) == 1:
            found += [*clause[: old[0]], *_left_out(clause, old[0]), *clause[old[0] + 1 :]]
        else:
            found += clause
    return found


def _leads_on(node: Node) -> bool:
    return isinstance(node, Word) and fold(node.text).split()[-1] == "na"


def sentences_of_old_hours(nodes: Sequence[Node]) -> Sequence[Node]:
    """`Msze o 6.00 łączymy z 8.00`: all hours of the sentence are old ones."""
    found: list[Node] = []
    for clause in clauses(nodes):
        joins = next((node for node in clause if isinstance(node, Op) and node.name == "merged"), None)
        found += [Op("former", joins.start, joins.start), *clause] if joins is not None else clause
    return found


RULES: Final[tuple[tuple[frozenset[str], Rule], ...]] = (  # what a line must have, and the rule
    (frozenset({"group again", "time again"}), seasons_that_close_their_lists),
    (frozenset({"begins with hour", "mark"}), remarks_behind_the_hour),
    (frozenset({"hour in brackets again"}), hours_of_every_mass),
    (frozenset({"merged"}), sentences_of_old_hours),
    (frozenset({"days in brackets", "hour in brackets"}), exceptions_said_twice),
    (frozenset({"hour in brackets", "season in brackets", "time"}), seasons_of_a_bracket),
    (frozenset({"moved", "time again"}), hours_moved),
    (frozenset({"remark", "days", "time"}), masses_of_a_sort),
    (frozenset({"days in brackets", "time"}), bracketed_days_before_hours),
    (frozenset({"days in brackets", "time again"}), bracketed_days_behind_their_hour),
    (frozenset({"hour in brackets", "place", "time"}), churches_and_their_brackets),
    (frozenset({"days in brackets", "time again"}), weeks_of_one_hour),
    (frozenset({"days again", "time"}), days_and_weeks_of_one_list),
    (frozenset({"hour in brackets"}), stops_for_colons),
    (frozenset({"hour in brackets", "time"}), brackets_behind_a_comma),
    (frozenset({"or in brackets", "time"}), alternatives_in_brackets),
    (frozenset({"days in brackets", "movable season in brackets", "time"}), hours_of_a_split_bracket),
    (frozenset({"days in brackets", "time again"}), brackets_of_a_pair),
    (frozenset({"movable season", "season"}), movable_seasons_apart),
    (frozenset({"movable season in brackets"}), movable_seasons_apart),
    (frozenset({"season again", "time again"}), seasons_behind_a_pair),
    (frozenset({"days again", "time again"}), evenings_of_the_list),
    (frozenset({"days again", "time again"}), days_before_their_hours),
)
