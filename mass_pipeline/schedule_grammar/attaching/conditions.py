"""What becomes of a condition where it stands: named rules, tried in order, of which the first that applies acts.

Belongs here: whether it governs the hours before it, the one before it or those to come. Not here: how lines are read
(`reader`), how long what waits holds (`scopes`), what replaces what (`resolving`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mass_pipeline.schedule_grammar.attaching import labels, removals
from mass_pipeline.schedule_grammar.attaching.attachment import (
    belongs_to_time_before,
    closes_line_of_hours,
    is_substitution,
    look_ahead,
)
from mass_pipeline.schedule_grammar.attaching.bracket_conditions import attach, is_of_another_list
from mass_pipeline.schedule_grammar.attaching.brackets_reader import spread_label
from mass_pipeline.schedule_grammar.attaching.clause import Clause
from mass_pipeline.schedule_grammar.attaching.effects import ADDS, ONLY, STATES
from mass_pipeline.schedule_grammar.attaching.rules import Rule, always, leave
from mass_pipeline.schedule_grammar.attaching.runs import Run
from mass_pipeline.schedule_grammar.attaching.scopes import INLINE, Pending, ScopeStack
from mass_pipeline.schedule_grammar.doubts import Doubts
from mass_pipeline.schedule_grammar.parsing.clues import is_denied, is_remark
from mass_pipeline.schedule_grammar.parsing.nodes import (
    DAYS_OF_LIST,
    AtPlace,
    Cond,
    Dated,
    InList,
    Node,
    OfKind,
    OnDays,
    OnNth,
    Remark,
    WhichDays,
)


class Attaching(Clause):
    """Ties the conditions of a clause to hours.

    Args:
        doubts: answers to what the text leaves open; notes which rule dealt with which condition.
        stack: what governs the hours to come.
    """

    def __init__(self, doubts: Doubts, stack: ScopeStack) -> None:
        super().__init__()
        self.doubts = doubts
        self.stack = stack
        self.runs: list[Run] = []
        self.pending: list[Pending] = []
        self.run: Run | None = None
        self.line = 0
        self.level = INLINE
        self.excepted: Cond | None = None
        self.time_first = False

    def on_condition(self, cond: Cond, nodes: Sequence[Node], index: int) -> None:
        """Deal with the condition at a position by the first rule that applies."""
        if cond.value == "anchor" and self.last is None:  # "Porządek Mszy św.:" ends whatever earlier lines left pending
            self.pending = [other for other in self.pending if labels.is_of_months(other, self.line)]
            self.stack.drop(Dated)
        for rule in RULES if self.last is not None or self.denied else _RULES_BEFORE_HOURS:
            if rule.applies(self, cond, nodes, index):
                self.doubts.fired.append((self.line, cond.start, rule.name))
                rule.act(self, cond, nodes, index)
                return

    def is_after_hour(self, nodes: Sequence[Node], index: int) -> bool:
        """Whether an hour stands before the condition in its clause, and neither others that wait nor a denial at its side."""
        return self.last is not None and self.run is not None and not self.pending and not is_denied(nodes, index)

    def exclude_and_substitute(self, cond: Cond, *, only_last: bool = False) -> None:
        """The hours before do not take place then; what comes is said of that time."""
        assert self.run is not None
        removals.exclude_from(self.run.items[-1:] if only_last else self.run.items, cond)
        self.pend(replace(cond, excluded=False, only=False))
        self.mode = ADDS if only_last else ONLY

    def attach(self, cond: Cond, nodes: Sequence[Node], index: int) -> None:
        """Tie a condition to the hour before it, or to the whole list where it closes one."""
        assert self.last is not None
        assert self.run is not None
        cond, before, self.gap, self.mode = self.stack.resolved(cond), self.gap, "", STATES
        if not cond.excluded:
            self.stack.named.note(cond)
        ends_clause = look_ahead(cond, nodes, index).separator == "end"
        if cond.excluded and isinstance(cond, DAYS_OF_LIST) and (before == "comma" or len(self.run.items) == 1):
            removals.exclude_from(self.run.items, cond)
            self.excepted = replace(cond, excluded=False, only=False)
            return
        whole = isinstance(cond, OnDays) and not cond.excluded and ends_clause and InList not in self.run.scope
        targets = self.run.items if whole and not any(i.restrictions for i in self.run.items) else [self.last]
        if (isinstance(cond, OnNth) and is_remark(nodes, index)) or (cond.value == "intention" and OnNth in self.run.scope):
            cond = Remark("", cond.start, cond.end)  # "ostatnia sobota: Msza w intencji chorych" is no single date
        if cond.value == "mass" and not self.last.explicit_kind:
            inherited = [i for i in self.run.items if i.kind_of_heading and not i.explicit_kind]
            targets = [*targets, *inherited]  # "8.00, 10.00 Msze św."
            self.stack.head_masses()
        for item in targets:
            attach(item, cond)
        days = self.last.restrictions[-1:]
        named = isinstance(cond, AtPlace) and bool(days) and isinstance(days[0], OnDays) and before != "dash"
        if named and not is_of_another_list(days[0], self.run):  # "16.30 (w środę) - Zalesie": that day
            self.last.splits.append((self.last.restrictions.pop(), cond))
            self.last.place = ""

    def pend(self, cond: Cond, level: int | None = None) -> None:
        """Keep a condition for the hours to come; the latest of a dimension counts."""
        if isinstance(cond, Remark):
            self.notes.append(str(cond.value))
            return
        if self.pending:
            if labels.adds_nothing(cond, self.pending, self.line, heading=self.level < INLINE):
                return
            cond = labels.told_apart(cond, self.pending, self.line, self.level)
            self.pending = labels.not_displaced(cond, self.pending, self.line)
        self.stack.note(cond, self.pending)
        self.pending.append(Pending(cond, self.line, self.level if level is None else level))


def _is_dealt_with(reader: Attaching, cond: Cond, nodes: Sequence[Node], index: int) -> bool:
    return bool(reader.denied) and any(cond is known for known in reader.denied)


def _breaks_clause(reader: Attaching, cond: Cond, nodes: Sequence[Node], index: int) -> bool:
    return isinstance(cond, OfKind) and cond.value in labels.BREAKING_KINDS


def _break_clause(reader: Attaching, cond: Cond, nodes: Sequence[Node], index: int) -> None:
    reader.begin_clause()
    reader.pend(cond)


def _begins_another_denied(reader: Attaching, cond: Cond, nodes: Sequence[Node], index: int) -> bool:
    denied = reader.run if reader.removing and reader.last is not None else None
    return denied is not None and removals.begins_another_denied(denied, cond, nodes, index)


def _is_of_denied(reader: Attaching, cond: Cond, nodes: Sequence[Node], index: int) -> bool:
    return reader.removing and reader.last is not None and reader.run is not None


def _restrict_denied(reader: Attaching, cond: Cond, nodes: Sequence[Node], index: int) -> None:
    assert reader.run is not None
    removals.restrict_denied(reader.run, cond)


def _is_substituted(reader: Attaching, cond: Cond, nodes: Sequence[Node], index: int) -> bool:
    is_exception = cond.excluded and isinstance(cond, WhichDays)
    return is_exception and reader.is_after_hour(nodes, index) and is_substitution(cond, nodes, index)


def _substitute(reader: Attaching, cond: Cond, nodes: Sequence[Node], index: int) -> None:
    reader.exclude_and_substitute(cond)


def _has_another_hour_then(reader: Attaching, cond: Cond, nodes: Sequence[Node], index: int) -> bool:
    is_exception = cond.excluded and isinstance(cond, DAYS_OF_LIST)
    return is_exception and reader.is_after_hour(nodes, index) and removals.other_then(nodes, index) != ""


def _substitute_then(reader: Attaching, cond: Cond, nodes: Sequence[Node], index: int) -> None:
    reader.exclude_and_substitute(cond, only_last=removals.other_then(nodes, index) == "evening")


def _closes_line(reader: Attaching, cond: Cond, nodes: Sequence[Node], index: int) -> bool:
    closes = reader.time_first and closes_line_of_hours(cond, reader.run, nodes, index)
    return closes and reader.is_after_hour(nodes, index)


def _govern_line(reader: Attaching, cond: Cond, nodes: Sequence[Node], index: int) -> None:
    spread_label(reader.runs, (cond,), reader.line, None)


def _is_of_something_else(reader: Attaching, cond: Cond, nodes: Sequence[Node], index: int) -> bool:
    if not isinstance(cond, OfKind) or reader.last is None:
        return False
    if not labels.is_of_something_else(cond, reader.last, reader.gap, nodes):
        return False
    return _belongs_to_hour_before(reader, cond, nodes, index)


def _belongs_to_hour_before(reader: Attaching, cond: Cond, nodes: Sequence[Node], index: int) -> bool:
    if not reader.is_after_hour(nodes, index):
        return False
    return belongs_to_time_before(cond, reader.gap, nodes, index, time_first=reader.time_first, doubts=reader.doubts)


def _attach(reader: Attaching, cond: Cond, nodes: Sequence[Node], index: int) -> None:
    reader.attach(cond, nodes, index)


def _pend(reader: Attaching, cond: Cond, nodes: Sequence[Node], index: int) -> None:
    reader.pend(cond)


RULES: Final[tuple[Rule[[Attaching, Cond, Sequence[Node], int]], ...]] = (
    Rule("said by the negation before it", _is_dealt_with, leave),  # "8.30 - nie ma w wakacje"
    Rule("a person or an address begins something else", _breaks_clause, _break_clause),  # "18.00, ks. Jan, tel."
    Rule("leads to other hours that do not take place", _begins_another_denied, _pend),
    Rule("limits the hours that do not take place", _is_of_denied, _restrict_denied),  # "bez Mszy o 8.00 w niedziele"
    Rule("left out, another hour follows", _is_substituted, _substitute),  # "18.30 z wyjątkiem piątku - 16.30"
    Rule("left out, another hour is said of that time", _has_another_hour_then, _substitute_then),  # "..., kiedy Msza o 17.00"
    Rule("closes a line of hours", _closes_line, _govern_line),  # "9.00, 11.00 niedziela"
    Rule("tells not what happens at the hour before", _is_of_something_else, leave),  # "spowiedź od 16.30, Msza św. jak zwykle"
    Rule("belongs to the hour before", _belongs_to_hour_before, _attach),  # "18.00 - latem"
    Rule("waits for the hours to come", always, _pend),  # "latem 18.00"
)
_RULES_BEFORE_HOURS: Final = (RULES[1], RULES[-1])  # all others are of hours that were said
