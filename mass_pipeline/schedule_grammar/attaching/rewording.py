"""What a line says in an unusual order, put in the usual one before it is read: named rules, one after the other.

Belongs here: rules over the nodes of a line or a bracket that change their order and nothing of what they say. Each returns
the nodes as they are where it does not fit. Not here: which words govern which hour (`reader`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from mass_pipeline.language.day_words import EVENING
from mass_pipeline.language.folding import fold
from mass_pipeline.language.parts_of_day import AFTERNOON
from mass_pipeline.language.parts_of_day import EVENING as EVENING_BEGINS
from mass_pipeline.schedule_grammar.parsing.nodes import YEAR, Cond, Days, Group, Node, Op, Season, Sep, Time, Word

_DAYS: Final = ("list", "days", "nth")  # dimensions
_SEASONS_APART_MINUTES: Final = 120  # field guide C: half an hour to two hours between winter and summer
_IS: Final = frozenset({"jest", "sa", "bedzie", "beda"})  # folded
_JOINING: Final = ("comma", "and")
_MOST_NODES: Final = 120  # longer lines are no single statement

Rule = Callable[[Sequence[Node]], Sequence[Node]]


def reworded(nodes: Sequence[Node]) -> Sequence[Node]:
    """The nodes of a line by all rules; each is tried only where the line has what it is about.

    Args:
        nodes: of a line or of what stands in a bracket.
    """
    if len(nodes) > _MOST_NODES:
        return nodes
    traits = _traits(nodes)
    if "time" not in traits:
        return nodes
    for needs, rule in _RULES:
        if needs <= traits:
            nodes = rule(nodes)
    return nodes


def _traits(nodes: Sequence[Node]) -> set[str]:
    """What a line has, in one look: kinds of nodes, names of operators, and "again" behind what it has several of."""
    found: set[str] = set()
    for node in nodes:
        kind = type(node)
        if kind is Time:
            name = "time"
        elif kind is Cond:
            name = _trait_of(node)  # type: ignore[arg-type]
        elif kind is Group:
            name = "group"
        elif kind is Op:
            name = node.name  # type: ignore[union-attr]
        else:
            continue
        if name == "days" and "time" in found and "days" not in found:
            found.add("hours first")
        found.add(f"{name} again" if name in found else name)
    if nodes and type(nodes[0]) is Time:
        found.add("begins with hour")
    return found


def _trait_of(cond: Cond) -> str:
    if cond.dim in _DAYS:
        return "days"
    if cond.dim != "season" or not isinstance(cond.value, Season):
        return "other"
    return "season" if cond.value.months else "movable season"


def _clauses(nodes: Sequence[Node]) -> list[list[Node]]:
    """Stretches between strong separators, each with the separator that ends it."""
    found: list[list[Node]] = [[]]
    for node in nodes:
        found[-1].append(node)
        if isinstance(node, Sep) and node.strong:
            found.append([])
    return [clause for clause in found if clause]


def _says_season(node: Node) -> bool:
    return isinstance(node, Cond) and node.dim == "season"


def _is_days(node: Node) -> bool:
    return isinstance(node, Cond) and node.dim in _DAYS and not node.excluded


def days_before_their_hours(nodes: Sequence[Node]) -> Sequence[Node]:
    """`o 8.30 i 19.00 w dni powszednie oraz o 9.00 i 16.00 w niedziele`: each group with its days first."""
    return [node for clause in _clauses(nodes) for node in _with_days_first(clause)]


def _with_days_first(clause: list[Node]) -> list[Node]:
    end: list[Node] = clause[-1:] if isinstance(clause[-1], Sep) and clause[-1].strong else []
    body = clause[: len(clause) - len(end)]
    first = next((at for at, node in enumerate(body) if isinstance(node, Time)), len(body))
    head, rest = body[:first], body[first:]
    plain = not any(isinstance(node, Group | Op) or _is_days(node) or _says_season(node) for node in head)
    groups = _groups_with_days_behind(rest) if plain else []
    labels = [days.value.label for _, days in groups if isinstance(days.value, Days)]
    if len(groups) < 2 or not any(labels):
        return clause
    found = list(head)
    for hours, days in groups:
        found += [days, Sep("colon", days.start, days.end), *hours, Sep("semicolon", hours[-1].end, hours[-1].end)]
    return [*found[:-1], *end]


def _groups_with_days_behind(nodes: Sequence[Node]) -> list[tuple[list[Node], Cond]]:
    """(hours, days) where a clause is nothing but hours with days right behind them; [] for any other."""
    groups: list[tuple[list[Node], Cond]] = []
    hours: list[Node] = []
    for before, node in pairwise([None, *nodes]):
        if isinstance(node, Time):
            hours.append(node)
        elif isinstance(node, Cond) and _is_days(node):
            if not hours or (isinstance(before, Sep) and before.name in _JOINING):
                return []
            groups.append((hours, node))
            hours = []
        elif isinstance(node, Sep) and node.name in _JOINING:
            hours += [node] if hours else []
        elif not (isinstance(node, Word) and node.marker):
            return []
    return groups if not hours else []


def evenings_of_the_list(nodes: Sequence[Node]) -> Sequence[Node]:
    """`w dni powszednie o 7.00, w środy o 8.30, oraz wieczorem o 17.30`: the evening is that of the list, 8.30 comes beside."""
    clauses = [_with_evening_of_list(clause) for clause in _clauses(nodes)]
    return [node for clause in clauses for node in clause]


def _with_evening_of_list(clause: list[Node]) -> list[Node]:
    conds = [at for at, node in enumerate(clause) if _is_days(node)]
    times = [at for at, node in enumerate(clause) if isinstance(node, Time)]
    if len(conds) != 2 or len(times) < 3:
        return clause
    label, days = (clause[at] for at in conds)
    joint = next((at for at in range(conds[1], len(clause) - 1) if _leads_evening(clause, at)), 0)
    within = isinstance(label, Cond) and isinstance(days, Cond) and _is_within(days, label)
    inside = [at for at in times if conds[1] < at < joint]
    behind = [at for at in times if at > joint]
    before = [at for at in times if conds[0] < at < conds[1]]
    if not (joint and within and inside and before and behind and all(_hour(clause[at]) >= AFTERNOON for at in behind)):
        return clause
    comma = max((at for at in range(before[-1], conds[1]) if isinstance(clause[at], Sep)), default=conds[1])
    end: list[Node] = clause[-1:] if isinstance(clause[-1], Sep) and clause[-1].strong else []
    evening = clause[joint : len(clause) - len(end)]
    stop = Sep("semicolon", clause[comma].start, clause[comma].start)
    saturday = isinstance(days, Cond) and isinstance(days.value, Days) and days.value.days == {"Sa"}
    also: list[Node] = [] if saturday else [Op("also", clause[comma].start, clause[comma].start)]
    lone = [node for node in clause[comma:joint] if not isinstance(node, Sep)]
    if saturday:  # "w dni powszednie o 7.00, w soboty o 8.00 i wieczorem o 18.00": only the morning of Saturday is another
        hours = [node for node in evening if isinstance(node, Time)]
        return [*clause[:comma], Sep("comma", stop.start, stop.end), *evening, stop, *lone, Sep("comma", 0, 0), *hours, *end]
    return [*clause[:comma], Sep("comma", stop.start, stop.end), *evening, stop, *also, *lone, *end]


def _leads_evening(clause: Sequence[Node], at: int) -> bool:
    node = clause[at]
    said = isinstance(node, Op) and node.name == "evening"
    said = said or (isinstance(node, Word) and fold(node.text).startswith(EVENING))
    return said and any(isinstance(other, Sep) and other.name in _JOINING for other in clause[max(0, at - 2) : at])


def _is_within(days: Cond, label: Cond) -> bool:
    inner, outer = days.value, label.value
    return label.dim == "list" and isinstance(inner, Days) and isinstance(outer, Days) and inner.days < outer.days


def _hour(node: Node) -> str:
    return node.clock.time if isinstance(node, Time) else ""


def seasons_behind_a_pair(nodes: Sequence[Node]) -> Sequence[Node]:
    """`17.00 zimą godz. 17.30 latem` is `17.00 (zimą), 17.30 (latem)`."""
    kept = list(nodes)
    said = [at for at, node in enumerate(kept) if not _is_passed_over(node)]
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


def _is_passed_over(node: Node) -> bool:
    return (isinstance(node, Word) and node.marker != "") or (isinstance(node, Sep) and node.name == "comma")


def _halves(first: Node, second: Node) -> bool:
    """Whether two conditions are seasons that make up the year."""
    if not (isinstance(first, Cond) and isinstance(second, Cond)):
        return False
    one, other = first.value, second.value
    if not (isinstance(one, Season) and isinstance(other, Season) and one.months and other.months):
        return False
    return not one.months & other.months and one.months | other.months == YEAR


def movable_seasons_apart(nodes: Sequence[Node]) -> Sequence[Node]:
    """`w Wielkim Poście i w październiku 15.00`: the hour once for the season without months, once for the months."""
    found: list[Node] = []
    skip = -1
    for at, node in enumerate(nodes):
        if at <= skip:
            continue
        joined = _season_joined(nodes, at)
        if joined is None:
            found.append(node)
            continue
        other, time = joined
        found += [node, nodes[time], Sep("comma", node.end, node.end), *nodes[other : time + 1]]
        skip = time
    return found


def _season_joined(nodes: Sequence[Node], at: int) -> tuple[int, int] | None:
    """Positions of the season with months and of the hour behind one without months that `i` or a comma joins to it."""
    if not _is_season(nodes[at], movable=True):
        return None
    rest = [i for i in range(at + 1, len(nodes)) if not (isinstance(nodes[i], Word) and nodes[i].marker)]  # type: ignore[union-attr]
    if len(rest) < 3 or not isinstance(nodes[rest[0]], Sep) or not _is_season(nodes[rest[1]], movable=False):
        return None
    colon = isinstance(nodes[rest[2]], Sep)
    time = rest[3] if colon and len(rest) > 3 else rest[2]
    return (rest[1], time) if isinstance(nodes[time], Time) else None


def _is_season(node: Node, *, movable: bool) -> bool:
    if not isinstance(node, Cond) or not isinstance(node.value, Season) or node.excluded or node.value.rest:
        return False
    return (node.value.months is None) == movable and node.value.name != "custom"


def hours_of_a_split_bracket(nodes: Sequence[Node]) -> Sequence[Node]:
    """`7.00 (w środę, piątek oraz w Adwencie)` is `7.00 (w środę, piątek), 7.00 (w Adwencie)`."""
    found: list[Node] = []
    for before, node in pairwise([None, *nodes]):
        parts = _split_bracket(node) if isinstance(node, Group) and isinstance(before, Time) else None
        if node is not None:
            found += [node] if parts is None else [parts[0], Sep("comma", node.end, node.end), before, parts[1]]  # type: ignore[list-item]
    return found


def _split_bracket(group: Group) -> tuple[Group, Group] | None:
    said = [node for node in group.nodes if isinstance(node, Cond | Op | Time | Group)]
    conds = [node for node in said if isinstance(node, Cond)]
    if len(said) != 2 or len(conds) != 2 or conds[0].dim != "days" or not _is_season(conds[1], movable=True):
        return None
    if conds[0].excluded or not any(isinstance(node, Sep) and node.name == "and" for node in group.nodes):
        return None
    return replace(group, nodes=(conds[0],)), replace(group, nodes=(conds[1],))


def stops_for_colons(nodes: Sequence[Node]) -> Sequence[Node]:
    """`16.00 (wakacje. 18.00)`: in a bracket a full stop behind the season stands for a colon."""
    return [replace(node, nodes=tuple(_with_colons(node.nodes))) if isinstance(node, Group) else node for node in nodes]


def _with_colons(nodes: Sequence[Node]) -> list[Node]:
    found = list(nodes)
    for at in range(1, len(found) - 1):
        before, stop, behind = found[at - 1 : at + 2]
        leads = isinstance(before, Cond) and before.dim in ("season", "days", "list")
        if leads and isinstance(stop, Sep) and stop.name == "stop" and isinstance(behind, Time):
            found[at] = Sep("colon", stop.start, stop.end)
    return found


def brackets_behind_a_comma(nodes: Sequence[Node]) -> Sequence[Node]:
    """`17:00, (19:00, latem)` is `17:00 (latem 19:00)`; `13:30, (15:00, w roku szkolnym)` one more Mass of the list."""
    found: list[Node] = []
    for node in nodes:
        hours = _hours_of_bracket(node) if isinstance(node, Group) else []
        comma = bool(found) and isinstance(found[-1], Sep) and found[-1].name == "comma"
        before = next((_hour(one) for one in reversed(found) if isinstance(one, Time)), "")
        if not (hours and comma and before and isinstance(node, Group)):
            found.append(node)
            continue
        while isinstance(found[-1], Sep) and found[-1].name == "comma":
            found.pop()
        season = [one for one in node.nodes if isinstance(one, Cond)]
        if len(hours) == 1 and _is_other_hour_of(before, _hour(hours[0])):
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
        node for node in group.nodes if not isinstance(node, Time | Cond | Sep) and not (isinstance(node, Word) and node.marker)
    ]
    plain = len(conds) <= 1 and all(cond.dim == "season" and not cond.excluded for cond in conds) and not rest
    return hours if plain and group.nodes and isinstance(group.nodes[0], Time) else []


def _is_other_hour_of(hour: str, other: str) -> bool:
    """Whether an hour in a bracket is that of the evening Mass before it in the other half of the year."""
    minutes = [int(one[:2]) * 60 + int(one[3:]) for one in (hour, other)]
    return min(hour, other) >= EVENING_BEGINS and 0 < abs(minutes[0] - minutes[1]) <= _SEASONS_APART_MINUTES


def hours_that_come_instead(nodes: Sequence[Node]) -> Sequence[Node]:
    """`w wakacje wypada o 13.00 a jest o 20.30`: behind "a jest" stands what is said in that season."""
    without = next((at for at, node in enumerate(nodes) if isinstance(node, Op) and node.name == "without"), len(nodes))
    season = next((node for node in reversed(nodes[:without]) if isinstance(node, Cond) and node.dim == "season"), None)
    times = [at for at in range(without, len(nodes)) if isinstance(nodes[at], Time)]
    if season is None or len(times) < 2:
        return nodes
    joint = next((at for at in range(times[0], times[1]) if isinstance(nodes[at], Sep) and _leads_is(nodes[at + 1])), 0)
    if not joint:
        return nodes
    at = nodes[joint].start
    return [*nodes[:joint], Sep("semicolon", at, at), replace(season), Op("also", at, at), *nodes[joint + 2 :]]


def _leads_is(node: Node) -> bool:
    return isinstance(node, Word) and fold(node.text).split()[0] in _IS


def remarks_behind_the_hour(nodes: Sequence[Node]) -> Sequence[Node]:
    """`18.00 | we wtorek litania, w środę nowenna`: what comes along with the Mass on some days restricts it to none."""
    last = max((at for at, node in enumerate(nodes) if isinstance(node, Time)), default=-1)
    if last < 0 or last + 1 >= len(nodes) or not isinstance(nodes[0], Time):
        return nodes
    mark, tail = nodes[last + 1], nodes[last + 2 :]
    if not isinstance(mark, Sep) or mark.name not in ("bar", "dash"):
        return nodes
    parts: list[list[Node]] = [[]]
    for node in tail:
        if isinstance(node, Sep):
            parts.append([])
        else:
            parts[-1].append(node)
    told = [_remark(part) for part in parts]
    several = len(told) > 1 or told[0] == "season" or mark.name == "bar"
    return nodes[: last + 1] if all(told) and several else nodes


def _remark(nodes: Sequence[Node]) -> str:
    """`days` or `season` of "w środę nowenna", "w maju z nabożeństwem": the time, and what comes along then; "" of others."""
    conds = [node for node in nodes if isinstance(node, Cond)]
    when = next((cond for cond in conds if cond.dim in ("days", "season", "nth") and not cond.excluded), None)
    if when is None or any(isinstance(node, Group | Op) for node in nodes):
        return ""
    what = any(cond.dim in ("note", "kind") for cond in conds if cond.start > when.start)
    plain = any(isinstance(node, Word) and not node.marker and node.start > when.start for node in nodes)
    return ("season" if when.dim == "season" else "days") if what or plain else ""


def sentences_of_old_hours(nodes: Sequence[Node]) -> Sequence[Node]:
    """`Msze o 6.00 łączymy z 8.00`: all hours of the sentence are old ones."""
    found: list[Node] = []
    for clause in _clauses(nodes):
        joins = next((node for node in clause if isinstance(node, Op) and node.name == "merged"), None)
        found += [Op("former", joins.start, joins.start), *clause] if joins is not None else clause
    return found


_RULES: Final[tuple[tuple[frozenset[str], Rule], ...]] = (  # what a line must have, and the rule
    (frozenset({"begins with hour"}), remarks_behind_the_hour),
    (frozenset({"merged"}), sentences_of_old_hours),
    (frozenset({"without", "season", "time again"}), hours_that_come_instead),
    (frozenset({"group"}), stops_for_colons),
    (frozenset({"group"}), brackets_behind_a_comma),
    (frozenset({"group"}), hours_of_a_split_bracket),
    (frozenset({"movable season", "season"}), movable_seasons_apart),
    (frozenset({"season again", "time again"}), seasons_behind_a_pair),
    (frozenset({"days again", "time again"}), evenings_of_the_list),
    (frozenset({"days again", "time again", "hours first"}), days_before_their_hours),
)
