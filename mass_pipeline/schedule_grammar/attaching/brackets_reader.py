"""What a bracket after an hour says: named rules for the whole bracket, for what its clauses begin with, and for each clause.

Belongs here: brackets with hours, and those of two hours. Not here: what conditions alone say of the hour (`bracket_conditions`),
where a bracket stands (`reader`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from mass_pipeline.language.parts_of_day import NOON
from mass_pipeline.schedule_grammar.attaching.bracket_conditions import LONGEST_REMARK, Said, attach, turned
from mass_pipeline.schedule_grammar.attaching.mere_remarks import hours_beside, is_mere_remark
from mass_pipeline.schedule_grammar.attaching.rules import Rule, always
from mass_pipeline.schedule_grammar.attaching.runs import Item, Run
from mass_pipeline.schedule_grammar.parsing.chunker import VIGIL
from mass_pipeline.schedule_grammar.parsing.clues import has_time
from mass_pipeline.schedule_grammar.parsing.nodes import (
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

_ANY: Final = ("comma", "and", "dash", "colon", "semicolon", "stop", "bar")  # marks
_LIGHT: Final = ("dash", "comma")


class ReadsNodes(Protocol):
    """What reads the nodes of a bracket that holds hours (`reader.NodeReader`)."""

    runs: list[Run]

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

    def __init__(self, group: Group, item: Item, run: Run, make_reader: Callable[[], ReadsNodes], *, pair: bool) -> None:
        self.group, self.item, self.run, self.make_reader, self.pair = group, item, run, make_reader, pair
        self.runs: list[Run] = []
        self.fired: list[str] = []

    def read(self) -> None:
        """Apply the bracket to the hour before it."""
        for rule in RULES:
            if rule.applies(self):
                self.fired.append(rule.name)
                rule.act(self)
                return

    def read_clause(self, clause: list[Node]) -> None:
        """Apply one clause; what it begins with is taken off the list."""
        for lead in RULES_OF_BEGINNINGS:
            if lead.applies(self, clause):
                self.fired.append(lead.name)
                lead.act(self, clause)
        for rule in RULES_OF_CLAUSES:
            if rule.applies(self, clause):
                self.fired.append(rule.name)
                rule.act(self, clause)
                return

    def read_hours(self, nodes: Sequence[Node]) -> Sequence[Run]:
        """Read hours inside the bracket."""
        reader = self.make_reader()
        reader.read_nodes(nodes)
        self.runs.extend(reader.runs)
        return reader.runs


def _is_mere_remark(bracket: Bracket) -> bool:
    return is_mere_remark(bracket.run, bracket.group.nodes)


def _note(bracket: Bracket) -> None:
    bracket.item.notes.append(bracket.group.text[:LONGEST_REMARK])
    beside = hours_beside(bracket.group.nodes)
    if beside:
        bracket.read_hours(beside)


def _read_clauses(bracket: Bracket) -> None:
    for clause in _clauses(bracket.group.nodes):
        bracket.read_clause(clause)


RULES: Final[tuple[Rule[[Bracket]], ...]] = (
    Rule("a mere remark", _is_mere_remark, _note),  # "18.00 (w środy z nowenną)"
    Rule("clause by clause", always, _read_clauses),
)


def _clauses(nodes: Sequence[Node]) -> list[list[Node]]:
    """The bracket cut at strong separators, but not within a list of hours ("w lipcu: 8.30; 10.30")."""
    clauses: list[list[Node]] = [[]]
    for index, node in enumerate(nodes):
        if isinstance(node, Sep) and node.strong and not _list_goes_on(clauses[-1], nodes[index + 1 :]):
            clauses.append([])
        elif isinstance(node, Sep) and node.strong:
            clauses[-1].append(Sep("comma", node.start, node.end))
        else:
            clauses[-1].append(node)
    return [clause for clause in clauses if clause]


def _list_goes_on(clause: Sequence[Node], rest: Sequence[Node]) -> bool:
    """`w lipcu: 8.30; 10.30`, and `w lipcu bez 12.30; wieczorna o 19.00`."""
    following = next((node for node in rest if not isinstance(node, Word)), None)
    goes_on = isinstance(following, Time) or (isinstance(following, Op) and following.name == "evening")
    return goes_on and any(isinstance(node, Time) for node in clause)


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
        attach(bracket.item, cond)
    del clause[: mark + 1]


def _begins_with_days(bracket: Bracket, clause: list[Node]) -> bool:
    _, conds = _begin(clause, _LIGHT)
    days = [cond for cond in conds if cond.value != VIGIL]
    return bool(days) and all(isinstance(cond, OnDays) and not cond.excluded for cond in days)


def _take_days(bracket: Bracket, clause: list[Node]) -> None:
    mark, conds = _begin(clause, _LIGHT)
    days = [cond for cond in conds if cond.value != VIGIL]
    for cond in days:
        attach(bracket.item, cond)
    clause[: mark + 1] = days
    is_vigil = any(isinstance(node, Cond) and node.value == VIGIL for node in bracket.group.nodes)
    bracket.item.vigil = bracket.item.vigil or is_vigil


RULES_OF_BEGINNINGS: Final[tuple[Rule[[Bracket, list[Node]]], ...]] = (  # each acts where it applies
    Rule("begins with what the hour is", _begins_with_remark, _take_remark),  # "18.00 (dla młodzieży, w wakacje 19.00)"
    Rule("begins with the days of the hour", _begins_with_days, _take_days),  # "18.00 (pn., śr. - zimą 17.00)"
)


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


def _qualify(bracket: Bracket, clause: list[Node]) -> None:
    items, item = bracket.run.items, bracket.item
    both = bracket.pair and item.joined and len(items) > 1 and not items[-2].restrictions
    for target in (items[-2], item) if both else (item,):
        said = Said(target, bracket.run, clause, bracket.group.text)
        said.qualify()
        bracket.fired.extend(said.fired)


RULES_OF_CLAUSES: Final[tuple[Rule[[Bracket, list[Node]]], ...]] = (
    Rule("says when another hour is", _holds_hours, _read_hours),  # "18.00 (w wakacje 20.00)"
    Rule("leaves only the evening", _leaves_the_evening, _take_mornings),  # "7.00, 18.00 (w poniedziałki tylko wieczorem)"
    Rule("speaks of its hour", always, _qualify),
)


def spread_label(runs: Sequence[Run], nodes: Sequence[Node], line: int, last: Item | None) -> None:
    """`7.00, 8.30, 10.00 (niedziela)`: a list that is named only after its hours governs all hours of its line."""
    label = next((node for node in nodes if isinstance(node, InList) and not node.excluded), None)
    for run in runs if label is not None else ():
        if not run.scope.keys() & {InList, OnDays, OnNth}:
            for item in run.items:
                if item.line == line and item is not last and label is not None:
                    item.restrictions.append(label)
