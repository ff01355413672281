"""What a bracket after an hour says, clause by clause.

Belongs here: brackets with hours, and those of two hours. Not here: what conditions alone say of the hour (`bracket_conditions`),
where a bracket stands (`statements`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from mass_pipeline.reading.grammar.alternatives import are_halves
from mass_pipeline.reading.grammar.bracket_conditions import LONGEST_REMARK, Comment, attach, takes_part, turned
from mass_pipeline.reading.grammar.non_restrictive import hours_beside, is_mere_remark
from mass_pipeline.reading.grammar.rules import Rule, always
from mass_pipeline.reading.grammar.time_groups import TimeEntry, TimeGroup
from mass_pipeline.reading.phrases.chunker import VIGIL
from mass_pipeline.reading.phrases.nodes import (
    Cond,
    Group,
    InList,
    InSeason,
    Node,
    OnDays,
    OnNth,
    Op,
    Remark,
    Sep,
    Time,
    Word,
)
from mass_pipeline.reading.phrases.predicates import has_time
from mass_pipeline.reading.words.parts_of_day import NOON

_ANY: Final = ("comma", "and", "dash", "colon", "semicolon", "stop", "bar")  # marks
_SHORT: Final = 8  # nodes of "16.15 w okresie zimowym"
_LIGHT: Final = ("dash", "comma")


class ReadsNodes(Protocol):
    """What reads the nodes of a bracket that holds hours (`reader.Reader`)."""

    runs: list[TimeGroup]

    def read_nodes(self, nodes: Sequence[Node]) -> None:
        """Read nodes into `runs`."""


class Bracket:
    """A bracket after an hour.

    Args:
        group: the bracket.
        item: the hour before it.
        run: the run of that hour.
        make_reader: gives a reader whose runs know `item` as their parent.
        pair: the bracket closes an alternative ("17.00 i 18.00 (X-III) albo ..."), so it governs both joined hours.

    Attributes:
        runs: of the hours inside the bracket, in order.
        fired: names of the rules that acted.
    """

    def __init__(
        self, group: Group, item: TimeEntry, run: TimeGroup, make_reader: Callable[[], ReadsNodes], *, pair: bool
    ) -> None:
        self.group, self.item, self.run, self.make_reader, self.pair = group, item, run, make_reader, pair
        self.runs: list[TimeGroup] = []
        self.fired: list[str] = []

    def read(self) -> None:
        """Apply the bracket to the hour before it."""
        apart = takes_part([node for node in self.group.nodes if isinstance(node, Cond)])
        if not apart and is_mere_remark(self.run, self.group.nodes):  # "18.00 (w środy z nowenną)"
            self.fired.append("a mere remark")
            self.item.notes.append(self.group.text[:LONGEST_REMARK])
            self.read_hours(hours_beside(self.group.nodes))
            return
        for clause in _clauses(self.group.nodes):
            for rule in (*BEGINNINGS, *CLAUSES):
                if rule.pattern(self, clause):
                    self.fired.append(rule.name)
                    rule.produce(self, clause)
                    if rule not in BEGINNINGS:
                        break

    def read_hours(self, nodes: Sequence[Node]) -> Sequence[TimeGroup]:
        """Read hours inside the bracket."""
        if not nodes:
            return []
        reader = self.make_reader()
        reader.read_nodes(nodes)
        self.runs.extend(reader.runs)
        return reader.runs


def _clauses(nodes: Sequence[Node]) -> list[list[Node]]:
    """The bracket cut at strong separators, but not within a list of hours ("w lipcu: 8.30; 10.30")."""
    clauses: list[list[Node]] = [[]]
    for at, node in enumerate(nodes):
        if not (isinstance(node, Sep) and (node.strong or _parts_halves(clauses[-1], node, nodes[at + 1 :]))):
            clauses[-1].append(node)
        elif _list_goes_on(clauses[-1], nodes[at + 1 :]):
            clauses[-1].append(Sep("comma", node.start, node.end))
        elif node.name == "stop" and _leads_on(clauses[-1], nodes[at + 1 :]):
            clauses[-1].append(Sep("colon", node.start, node.end))
        else:
            clauses.append([])
    return [clause for clause in clauses if clause]


def _list_goes_on(clause: Sequence[Node], rest: Sequence[Node]) -> bool:
    """`w lipcu: 8.30; 10.30`, and `w lipcu bez 12.30; wieczorna o 19.00`."""
    following = next((node for node in rest if not isinstance(node, Word)), None)
    goes_on = isinstance(following, Time) or (isinstance(following, Op) and following.name == "evening")
    return goes_on and has_time(clause)


def _parts_halves(clause: Sequence[Node], mark: Sep, rest: Sequence[Node]) -> bool:
    """`18.15 (śr., pt. - latem, 16.15 zimą)`: each half of the year is a clause of its own."""
    if mark.name != "comma" or not clause or not isinstance(clause[-1], InSeason) or len(rest) > _SHORT or has_time(clause):
        return False
    behind = [node for node in rest if not isinstance(node, Word)]
    if len(behind) != 2 or not isinstance(behind[0], Time):
        return False
    return are_halves(clause[-1], behind[1])


def _leads_on(clause: Sequence[Node], rest: Sequence[Node]) -> bool:
    """`16.00 (wakacje. 18.00)`: in a bracket a full stop after the season stands for a colon."""
    return bool(clause and rest) and isinstance(clause[-1], (InList, OnDays, InSeason)) and isinstance(rest[0], Time)


def _begin(clause: Sequence[Node], marks: Sequence[str]) -> tuple[int, list[Cond]]:
    """Where the first of these marks stands in a clause, 0 for nowhere, and the conditions before it.

    None are given unless only they and words stand before it, and a season with an hour after it.
    """
    mark = next((at for at, node in enumerate(clause) if isinstance(node, Sep) and node.name in marks), 0)
    after = next((node for node in clause[mark + 1 :] if not isinstance(node, Word)), None)
    leads = isinstance(after, InSeason) and has_time(clause[mark:])
    if not leads or not all(isinstance(node, (Cond, Word)) for node in clause[:mark]):
        return 0, []
    return mark, [node for node in clause[:mark] if isinstance(node, Cond)]


def _begins_with_remark(bracket: Bracket, clause: list[Node]) -> bool:
    _, conds = _begin(clause, _ANY)
    return bool(conds) and all(isinstance(cond, Remark) for cond in conds)


def _take_remark(bracket: Bracket, clause: list[Node]) -> None:
    mark, conds = _begin(clause, _ANY)
    for cond in conds:
        attach(bracket.item, cond, bracket.run)
    del clause[: mark + 1]


def _begins_with_days(bracket: Bracket, clause: list[Node]) -> bool:
    _, conds = _begin(clause, _LIGHT)
    days = [cond for cond in conds if cond.value != VIGIL]
    return bool(days) and all(isinstance(cond, OnDays) and not cond.excluded for cond in days)


def _take_days(bracket: Bracket, clause: list[Node]) -> None:
    mark, conds = _begin(clause, _LIGHT)
    days = [cond for cond in conds if cond.value != VIGIL]
    for cond in days:
        attach(bracket.item, cond, bracket.run)
    clause[: mark + 1] = days
    is_vigil = any(isinstance(node, Cond) and node.value == VIGIL for node in bracket.group.nodes)
    bracket.item.vigil = bracket.item.vigil or is_vigil


def _holds_hours(bracket: Bracket, clause: list[Node]) -> bool:
    return has_time(clause)


def _read_hours(bracket: Bracket, clause: list[Node]) -> None:
    bare = all(isinstance(node, (Time, Sep)) or (isinstance(node, Word) and node.marker != "") for node in clause)
    for run in bracket.read_hours(clause):
        run.bare = bare


def _leaves_the_evening(bracket: Bracket, clause: list[Node]) -> bool:
    operators = {node.name for node in clause if isinstance(node, Op)}
    named = operators >= {"only", "evening"} and any(isinstance(node, Cond) for node in clause)
    return named and bracket.item.clock.time >= NOON


def _take_mornings(bracket: Bracket, clause: list[Node]) -> None:
    conds = [turned(node) for node in clause if isinstance(node, Cond)]
    for other in bracket.run.items:
        if other.clock.time < NOON:
            other.restrictions.extend(cond for cond in conds if cond.excluded)


def _comment(bracket: Bracket, clause: list[Node]) -> None:
    items, item = bracket.run.items, bracket.item
    for target in (items[-2], item) if bracket.pair and len(items) > 1 else (item,):
        comment = Comment(target, bracket.run, clause, bracket.group.text)
        comment.read()
        bracket.fired.extend(comment.fired)


_Rules = tuple[Rule[[Bracket, list[Node]]], ...]
BEGINNINGS: Final[_Rules] = (  # each takes what a clause begins with off it
    Rule(
        "begins with what the hour is",
        _begins_with_remark,
        _take_remark,
        ["Niedziele: 18.00 (dla młodzieży, w wakacje 19.00)"],
        ["Niedziele: 18.00 (dla młodzieży, 19.00)"],
    ),
    Rule(
        "begins with the days of the hour",
        _begins_with_days,
        _take_days,
        ["Dni powszednie: 18.00 (pn., śr. - zimą 17.00)"],
        ["Dni powszednie: 18.00 (zimą 17.00)"],
    ),
)
CLAUSES: Final[_Rules] = (
    Rule(
        "says when another hour is",
        _holds_hours,
        _read_hours,
        ["Niedziele: 18.00 (w wakacje 20.00)"],
        ["Niedziele: 18.00 (w wakacje)"],
    ),
    Rule(
        "leaves only the evening",
        _leaves_the_evening,
        _take_mornings,
        ["Dni powszednie: 7.00, 18.00 (w poniedziałki tylko wieczorem)"],
        ["Dni powszednie: 7.00, 18.00 (w poniedziałki tylko rano)"],
    ),
    Rule("speaks of its hour", always, _comment, ["Niedziele: 18.00 (w wakacje)"], ["Niedziele: 18.00 (w wakacje 20.00)"]),
)


def spread_label(runs: Sequence[TimeGroup], nodes: Sequence[Node], line: int, last: TimeEntry | None) -> None:
    """`7.00, 8.30, 10.00 (niedziela)`: a list that is named only after its hours governs all hours of its line."""
    label = next((node for node in nodes if isinstance(node, InList) and not node.excluded), None)
    for run in runs if label is not None else ():
        if not run.scope.keys() & {InList, OnDays, OnNth}:
            for item in run.items:
                if item.line == line and item is not last and label is not None:
                    item.restrictions.append(label)
