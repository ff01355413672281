"""What becomes of an hour where it stands, and which hours it belongs together with: named rules.

Belongs here: whether an hour is one of its own, and when a run of hours ends. Not here: what its words say of it
(`conditions`, `operators`), what replaces what (`resolving`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mass_pipeline.language.parts_of_day import AFTERNOON
from mass_pipeline.schedule_grammar.attaching import removals
from mass_pipeline.schedule_grammar.attaching.effects import Effect
from mass_pipeline.schedule_grammar.attaching.footnotes import Marked, note_mark
from mass_pipeline.schedule_grammar.attaching.operators import Operating
from mass_pipeline.schedule_grammar.attaching.rules import Rule, always, leave
from mass_pipeline.schedule_grammar.attaching.runs import Item, Run
from mass_pipeline.schedule_grammar.attaching.scopes import ScopeStack
from mass_pipeline.schedule_grammar.doubts import Doubts
from mass_pipeline.schedule_grammar.parsing.chunker import VIGIL
from mass_pipeline.schedule_grammar.parsing.clues import said_from
from mass_pipeline.schedule_grammar.parsing.nodes import Node, OnDays, Time

_MOST_HOURS: Final = 500  # of one notice, brackets included; a table of intentions for a month has 200


class HourReading(Operating):
    """Puts hours into runs."""

    def __init__(self, doubts: Doubts, stack: ScopeStack, parent: Item | None, siblings: Run | None) -> None:
        super().__init__(doubts, stack, parent, siblings)
        self.marked, self.text = list[Marked](), ""
        self.opened: tuple[Effect, bool] | None = None  # mode and removing of the run that is read; None after "zamiast"

    def on_hour(self, node: Time, nodes: Sequence[Node], index: int) -> None:
        """Deal with the hour at a position by the first rule that applies; most are read into a run, by the rules of runs."""
        for rule in RULES:
            if rule.applies(self, node, nodes, index):
                self.doubts.fired.append((self.line, node.start, rule.name))
                rule.act(self, node, nodes, index)
                return
        self._read(node, nodes, index)

    def _read(self, node: Time, nodes: Sequence[Node], index: int) -> None:
        """Read an hour with what was said before it."""
        self.doubts.hours += 1
        run = self._run_of(node)
        kind = "from" if said_from(nodes, index) else self.stack.kind(self.line)
        item = Item(
            node.clock, self.line, kind="former" if self.former else kind, explicit_kind=self.former, joined=self.gap == "and"
        )
        item.heading = self.stack.heading_of_kind()
        item.dated = run.is_dated
        item.uncertain = self.uncertain
        item.either, self.either = self.either, None
        item.restrictions.extend(self.shared)
        item.notes.extend(self.notes)
        item.vigil = VIGIL in self.notes
        if self.alternate and self.turns not in item.notes:
            item.notes.append(self.turns)
        self.notes, self.gap, self.interlude = [], "", False
        run.items.append(item)
        self.last = item
        note_mark(self.marked, self.text, item, run)

    def _run_of(self, node: Time) -> Run:
        """The run that an hour belongs to, by the first rule that applies; what waited governs it."""
        waited = bool(self.pending)
        changed = self.stack.apply(self.pending, self.line, mid_clause=self.last is not None)
        self.pending = []
        for rule in RULES_OF_RUNS:
            if rule.applies(self, node, waited, changed):
                self.doubts.fired.append((self.line, node.start, rule.name))
                rule.act(self, node, waited, changed)
                break
        assert self.run is not None
        return self.run

    def begin_run(self) -> None:
        """The hours to come stand under what governs now."""
        self.run = Run(self.stack.as_scope(), effect=self.effect(), parent=self.parent, siblings=self.siblings)
        self.run.below_list = not self.stack.says_days_in(self.line)
        self.run.below_hours = self.run.below_list and self.stack.names_days_beside_hours_above(self.line)
        self.opened = None if self.victim else (self.mode, self.removing)
        self.victim = None
        self.runs.append(self.run)


def _gives_way(reader: HourReading, node: Time, nodes: Sequence[Node], index: int) -> bool:
    return reader.victim == ""


def _is_moved(reader: HourReading, node: Time, nodes: Sequence[Node], index: int) -> bool:
    in_line = reader.victim is None and reader.parent is None
    return in_line and removals.is_moved(reader.runs, reader.pending, nodes, index)


def _give_way(reader: HourReading, node: Time, nodes: Sequence[Node], index: int) -> None:
    reader.victim = node.clock.time


def _is_one_too_many(reader: HourReading, node: Time, nodes: Sequence[Node], index: int) -> bool:
    return reader.doubts.hours >= _MOST_HOURS


RULES: Final[tuple[Rule[[HourReading, Time, Sequence[Node], int]], ...]] = (
    Rule("gives way to the next hour", _gives_way, _give_way),  # "zamiast 18.00 jest 17.30"
    Rule("is moved to the next hour", _is_moved, _give_way),  # "latem Msze o 17.00 odprawiane są o 18.00"
    Rule("one too many", _is_one_too_many, leave),  # no schedule is that long, pages made to hurt are
)


def _is_below_saturday(reader: HourReading, node: Time, waited: bool, changed: bool) -> bool:
    if waited or reader.last is not None or node.clock.time >= AFTERNOON:
        return False
    return reader.stack.saturday_in_sunday_list() and reader.stack.said_beside_hours_above(OnDays, reader.line)


def _is_earlier_than_saturday(reader: HourReading, node: Time, waited: bool, changed: bool) -> bool:
    if waited or reader.last is None or not node.clock.time < min(AFTERNOON, reader.last.clock.time):
        return False
    return reader.stack.saturday_in_sunday_list()


def _leave_saturday(reader: HourReading, node: Time, waited: bool, changed: bool) -> None:
    reader.stack.drop(OnDays)
    reader.begin_run()


def _is_first(reader: HourReading, node: Time, waited: bool, changed: bool) -> bool:
    return reader.run is None


def _takes_place_of_another(reader: HourReading, node: Time, waited: bool, changed: bool) -> bool:
    return reader.victim is not None


def _has_another_effect(reader: HourReading, node: Time, waited: bool, changed: bool) -> bool:
    return reader.opened != (reader.mode, reader.removing)


def _is_under_others(reader: HourReading, node: Time, waited: bool, changed: bool) -> bool:
    return changed or reader.run is None or reader.stack.as_scope() != reader.run.scope


def _begin_run(reader: HourReading, node: Time, waited: bool, changed: bool) -> None:
    reader.begin_run()


RULES_OF_RUNS: Final[tuple[Rule[[HourReading, Time, bool, bool]], ...]] = (
    Rule("ends the Saturday of a line above", _is_below_saturday, _leave_saturday),  # "Niedziela: sobota 18.00" over "8.00"
    Rule("ends Saturday, being earlier", _is_earlier_than_saturday, _leave_saturday),  # "Niedziela: sobota 18.00, 8.00"
    Rule("begins a list", _is_first, _begin_run),
    Rule("takes the place of another", _takes_place_of_another, _begin_run),
    Rule("does something else to those before", _has_another_effect, _begin_run),  # "18.00, także 20.00"
    Rule("stands under other conditions", _is_under_others, _begin_run),
    Rule("goes on with the list", always, leave),
)
