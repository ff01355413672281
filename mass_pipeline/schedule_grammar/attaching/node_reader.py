"""Read the nodes of a line or a bracket in order: what each of them does to the hours before and after it.

Belongs here: marks, and where a bracket stands. Not here: conditions, words and hours, which have modules of their own; what a
bracket says (`brackets_reader`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from mass_pipeline.schedule_grammar.attaching import labels
from mass_pipeline.schedule_grammar.attaching.brackets_reader import Bracket, spread_label
from mass_pipeline.schedule_grammar.attaching.hours import HourReading
from mass_pipeline.schedule_grammar.attaching.rules import Rule, always
from mass_pipeline.schedule_grammar.attaching.runs import Item, Run
from mass_pipeline.schedule_grammar.attaching.scopes import Pending, ScopeStack, outliving_sentence
from mass_pipeline.schedule_grammar.parsing.clues import (
    closes_season_pair,
    has_time,
    names_days_before_hours,
    starts_with_time,
    times_before_bracket,
)
from mass_pipeline.schedule_grammar.parsing.nodes import (
    DAYS_OF_LIST,
    NARROWING,
    Cond,
    Group,
    Node,
    Op,
    Sep,
    Time,
)


class NodeReader(HourReading):
    """Reads nodes; `runs` holds what was read so far."""

    def read_nodes(self, nodes: Sequence[Node]) -> None:
        """Read the nodes of a line or a bracket."""
        self.time_first = starts_with_time(nodes, 0)
        for index, node in enumerate(nodes):
            if isinstance(node, Time):
                self.on_hour(node, nodes, index)
            elif isinstance(node, Cond):
                self.on_condition(node, nodes, index)
            elif isinstance(node, Group):
                self._on_group(node, nodes, index)
            elif isinstance(node, Op):
                self.on_operator(node, nodes, index)
            elif isinstance(node, Sep):
                self._on_separator(node, nodes, index)
            elif node.marker == "" and self.gap == "comma":
                self.interlude = True

    def _on_separator(self, sep: Sep, nodes: Sequence[Node], index: int) -> None:
        if sep.name == "colon":
            self.pending = [item if item.colon else Pending(item.cond, item.line, item.level, True) for item in self.pending]
        if not sep.strong:
            self.gap = "dash" if "dash" in (self.gap, sep.name) and self.last is not None else sep.name
            return
        if sep.name == "stop":
            self.former = False
            if self.pending:
                days = names_days_before_hours(nodes[index + 1 :])
                self.pending = outliving_sentence(self.pending, self.line, behind_hours=self.last is not None, names_days=days)
        last = self.last
        season_pair = last is not None and closes_season_pair(last.restrictions, last.clock.time, nodes, index + 1)
        self.begin_clause()
        self.shared = tuple(cond for cond in last.restrictions if isinstance(cond, DAYS_OF_LIST)) if last and season_pair else ()
        if self.stack.leave_clause(sentence=sep.name == "stop"):
            self.run = None
        self.time_first = starts_with_time(nodes, index + 1)
        if sep.name != "bar" and self.time_first and not self.pending and not season_pair:
            self.stack.leave_inner(self.run)
            self.substitute_for_excepted()

    def _on_group(self, group: Group, nodes: Sequence[Node], index: int) -> None:
        for rule in RULES_OF_PLACES:
            if rule.applies(self, group, nodes, index):
                self.doubts.fired.append((self.line, group.start, rule.name))
                rule.act(self, group, nodes, index)
                return

    def stack_of_bracket(self) -> ScopeStack:
        """What governs the hours of a bracket after the last hour."""
        return labels.stack_of_bracket(self.stack, self.last, self.run, self.line)

    def read_bracket(
        self, group: Group, item: Item, run: Run, make_stack: Callable[[], ScopeStack], *, pair: bool = False
    ) -> None:
        """Apply a bracket to an hour.

        Args:
            group: the bracket.
            item: the hour.
            run: the run of that hour.
            make_stack: gives what governs the hours of a clause of the bracket.
            pair: it governs the hour before as well.
        """

        def make_reader() -> NodeReader:
            reader = NodeReader(self.doubts, make_stack(), item, run)
            reader.line = self.line
            return reader

        bracket = Bracket(group, item, run, make_reader, pair=pair)
        bracket.read()
        self.runs.extend(bracket.runs)
        self.doubts.fired.extend([(self.line, group.start, name) for name in bracket.fired])


def _is_of_none_before(reader: NodeReader, group: Group, nodes: Sequence[Node], index: int) -> bool:
    begins = reader.last is None or bool(reader.pending) or reader.run is None
    return begins or (reader.interlude and has_time(nodes[index:]))


def _heads(reader: NodeReader, group: Group, nodes: Sequence[Node], index: int) -> bool:
    return not has_time(group.nodes) and _is_of_none_before(reader, group, nodes, index)


def _pend(reader: NodeReader, group: Group, nodes: Sequence[Node], index: int) -> None:
    for node in group.nodes:
        if isinstance(node, Cond) and not labels.is_example(node, group.nodes, reader.pending):
            reader.pend(node)
        elif isinstance(node, Op):
            reader.on_operator(node, group.nodes, 0)


def _read_apart(reader: NodeReader, group: Group, nodes: Sequence[Node], index: int) -> None:
    inner = NodeReader(reader.doubts, reader.stack.copy(), None, None)
    inner.line = reader.line
    inner.pending = list(reader.pending)
    inner.read_nodes(group.nodes)
    reader.runs.extend(inner.runs)


def _read_after_hour(reader: NodeReader, group: Group, nodes: Sequence[Node], index: int) -> None:
    assert reader.last is not None
    assert reader.run is not None
    following = nodes[index + 1] if index + 1 < len(nodes) else None
    alternative = isinstance(following, Op) and following.name == "or" and times_before_bracket(nodes, index + 2) > 1
    if not has_time(group.nodes):
        spread_label(reader.runs, group.nodes, reader.line, reader.last)
        for node in group.nodes:
            if isinstance(node, Cond) and not node.excluded and isinstance(node, NARROWING):
                reader.stack.named.note(node)
    group = reader.stack.others_named(group)
    reader.read_bracket(group, reader.last, reader.run, reader.stack_of_bracket, pair=alternative)


RULES_OF_PLACES: Final[tuple[Rule[[NodeReader, Group, Sequence[Node], int]], ...]] = (
    Rule("heads the hours to come", _heads, _pend),  # "(Zalesie) 9.00"
    Rule("has hours of its own", _is_of_none_before, _read_apart),  # "w soboty (18.00)"
    Rule("is of the hour before", always, _read_after_hour),  # "18.00 (w wakacje 20.00)"
)
