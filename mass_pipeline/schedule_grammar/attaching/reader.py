"""Read nodes line by line into runs: a stack of scopes, pending conditions, and what stands after an hour.

Belongs here: which words govern which hour. Not here: what replaces what (`resolver`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mass_pipeline.language.parts_of_day import AFTERNOON
from mass_pipeline.schedule_grammar.attaching import labels, removals
from mass_pipeline.schedule_grammar.attaching.bracket_lines import bracket_below, is_comment
from mass_pipeline.schedule_grammar.attaching.brackets_reader import (
    lead_with_seasons,
    names_other_half,
    read_bracket,
    spread_label,
)
from mass_pipeline.schedule_grammar.attaching.conditions import Attaching
from mass_pipeline.schedule_grammar.attaching.effects import ADDS, ONLY, Adds, Copies, Effect, Removes
from mass_pipeline.schedule_grammar.attaching.footnotes import Marked, footnotes_of, note_mark, read_footnote
from mass_pipeline.schedule_grammar.attaching.rewording import reworded
from mass_pipeline.schedule_grammar.attaching.runs import Item, Run
from mass_pipeline.schedule_grammar.attaching.scopes import LABEL_LINE, Pending, ScopeStack, level_of, outliving_sentence
from mass_pipeline.schedule_grammar.doubts import Doubts
from mass_pipeline.schedule_grammar.parsing.chunker import VIGIL
from mass_pipeline.schedule_grammar.parsing.clues import (
    closes_season_pair,
    denies_time,
    has_time,
    hours_follow_colon,
    lone_time_ahead,
    names_days,
    names_only_lists,
    said_from,
    starts_with_time,
    times_before_bracket,
)
from mass_pipeline.schedule_grammar.parsing.nodes import (
    DAYS_OF_LIST,
    NARROWING,
    Cond,
    Group,
    InList,
    Node,
    NodeLine,
    OnDays,
    Op,
    Sep,
    Time,
)

_MOST_HOURS: Final = 500  # of one notice, brackets included; a table of intentions for a month has 200


class Reader(Attaching):
    """Reads lines in order; `runs` holds what was read so far.

    Args:
        scope: the stack to begin with.
        parent: the hour in whose bracket we are, None for lines.
        siblings: the run of that hour.
        doubts: answers to what the text leaves open.
    """

    def __init__(
        self, doubts: Doubts, scope: ScopeStack | None = None, parent: Item | None = None, siblings: Run | None = None
    ) -> None:
        super().__init__(doubts, scope or ScopeStack())
        self.parent, self.siblings = parent, siblings
        self.marked, self.text = list[Marked](), ""
        self.last_heading = -2
        self._opened: tuple[Effect, bool] | None = None  # mode and removing of the run that is read; None after "zamiast"
        self.adds_below = -2  # line of a label with "dodatkowo"
        self.former = False  # former: until a new order is named or the sentence ends

    # --- entry points ------------------------------------------------------------------------------------------------

    def begin_list(self, label: Cond) -> None:
        """The lines to come belong to a list whose label stands elsewhere (a field of a directory)."""
        self.stack.named.note(label)
        self.stack.apply([Pending(label, -1, level=1)], -1)

    def read_line(self, line: NodeLine) -> None:
        """Read one line; conditions without an hour stay pending for the lines below."""
        self.line, self.former = line.index, False
        self.begin_clause()
        if (not line.nodes and not line.heading) or is_comment(line):
            self.stack.leave_clause()
            return
        if (below := bracket_below(self.runs, line)) is not None:
            self.runs.extend(read_bracket(*below, self._bracket_reader, pair=False))
            return
        if self.marked and (footnotes := footnotes_of(line, self.marked)):
            self.runs.extend(run for footnote in footnotes for run in read_footnote(*footnote, self.reader_behind))
            return
        self.text = line.text
        self.level = level_of(line)
        if self.level < LABEL_LINE or line.heading:
            self._begin_heading(line)
        else:
            self.stack.begin_line(names_days=names_days(line.nodes), behind=self.run)
        if self.adds_below == line.index - 1 and has_time(line.nodes):
            self.mode = ADDS  # "Od maja do października dodatkowo" over "15.00"
        self.read_nodes(reworded(lead_with_seasons(line.nodes)))
        if labels.adds_hours_below(line, below=self.adds_below, adds=isinstance(self.mode, Adds), label=self.level <= LABEL_LINE):
            self.adds_below = line.index
        self.excepted = None
        if self.pending:
            self.pending = labels.waiting_below(self.pending, line)

    def _begin_heading(self, line: NodeLine) -> None:
        """A heading ends what the headings of its level and below said, unless it follows one at once."""
        adjacent = self.last_heading == line.index - 1
        self.stack.begin_heading(line.heading, adjacent=adjacent, names_list=names_only_lists(line.nodes))
        if not adjacent:
            self.pending = [item for item in labels.raised(self.pending, line) if item.level < line.heading]
            self.run = None
        self.last_heading = line.index

    def read_nodes(self, nodes: Sequence[Node]) -> None:
        """Read the nodes of a line or a bracket."""
        self.time_first = starts_with_time(nodes, 0)
        for index, node in enumerate(nodes):
            if isinstance(node, Time):
                self._on_time(node, nodes, index)
            elif isinstance(node, Cond):
                self.on_condition(node, nodes, index)
            elif isinstance(node, Group):
                self._on_group(node, nodes, index)
            elif isinstance(node, Op):
                self._on_operator(node, nodes, index)
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
            self.pending = self.pending and outliving_sentence(self.pending, self.line, behind_hours=self.last is not None)
        last = self.last
        season_pair = last is not None and closes_season_pair(last.restrictions, last.clock.time, nodes, index + 1)
        self.begin_clause()
        self.shared = tuple(cond for cond in last.restrictions if isinstance(cond, DAYS_OF_LIST)) if last and season_pair else ()
        if self.stack.leave_clause(sentence=sep.name == "stop"):
            self.run = None
        self.time_first = starts_with_time(nodes, index + 1)
        if sep.name != "bar" and self.time_first and not self.pending and not season_pair:
            self.stack.leave_inner(self.run)
            self._substitute_for_excepted()

    def _substitute_for_excepted(self) -> None:
        """`18.00 z wyjątkiem piątku; 7.30`: the hour after the semicolon is that of the excepted day."""
        if self.excepted is not None:
            self.pending.append(Pending(self.excepted, self.line))
            self.mode = ONLY
            self.excepted = None

    def _on_time(self, node: Time, nodes: Sequence[Node], index: int) -> None:
        if self.denied and any(node is known for known in self.denied):
            return
        if self.victim == "" or (
            self.victim is None and self.parent is None and removals.is_moved(self.runs, self.pending, nodes, index)
        ):
            self.victim = node.clock.time
            return
        self.doubts.hours += 1
        if self.doubts.hours > _MOST_HOURS:
            return  # no schedule is that long; a table of numbers may be
        run = self._current_run(node)
        kind = "from" if said_from(nodes, index) else self.stack.kind(self.line)
        item = Item(
            node.clock, self.line, kind="former" if self.former else kind, explicit_kind=self.former, joined=self.gap == "and"
        )
        item.heading = self.stack.heading_of_kind()
        item.dated = run.is_dated
        item.uncertain = self.uncertain
        item.either, self.either = self.either, None
        item.restrictions.extend(self.shared)
        item.notes.extend(note for note in self.notes)
        item.vigil = VIGIL in self.notes
        if self.alternate and self.turns not in item.notes:
            item.notes.append(self.turns)
        self.notes, self.gap, self.interlude = [], "", False
        run.items.append(item)
        self.last = item
        note_mark(self.marked, self.text, item, run)

    def _current_run(self, node: Time) -> Run:
        """The run the next hour belongs to: a new one when the scope or the mode changes."""
        saturday = self.stack.saturday_in_sunday_list() and node.clock.time < AFTERNOON and not self.pending
        above = saturday and self.last is None and self.stack.said_beside_hours_above(OnDays, self.line)
        if above or (saturday and self.last is not None and node.clock.time < self.last.clock.time):
            self.stack.drop(OnDays)
            self.run = None
        mid_clause = self.last is not None
        changed = self.stack.apply(self.pending, self.line, mid_clause=mid_clause)
        self.pending = []
        fresh = self.run is None or changed or self._opened != (self.mode, self.removing)
        if fresh or self.victim is not None or self.stack.as_scope() != (self.run.scope if self.run else None):
            self.run = Run(self.stack.as_scope(), effect=self.effect(), parent=self.parent, siblings=self.siblings)
            self.run.everywhere = self.everywhere
            self.run.below_list = not self.stack.says_days_in(self.line)
            self.run.below_hours = self.run.below_list and self.stack.names_days_beside_hours_above(self.line)
            self._opened = None if self.victim else (self.mode, self.removing)
            self.victim = None
            self.runs.append(self.run)
        assert self.run is not None
        return self.run

    # --- brackets and operators --------------------------------------------------------------------------------------

    def _on_group(self, group: Group, nodes: Sequence[Node], index: int) -> None:
        if self.last is None or self.pending or self.run is None or (self.interlude and has_time(nodes[index:])):
            if not has_time(group.nodes):
                for node in group.nodes:
                    if isinstance(node, Cond) and not labels.is_example(node, group.nodes, self.pending):
                        self.pend(node)
                    elif isinstance(node, Op):
                        self._on_operator(node, group.nodes, 0)
                return
            inner = Reader(self.doubts, self.stack.copy())
            inner.line = self.line
            inner.pending = list(self.pending)
            inner.read_nodes(group.nodes)
            self.runs.extend(inner.runs)
            return
        if self.excepted is not None and has_time(group.nodes):
            self._substitute_for_excepted()
            self.read_nodes(group.nodes)
            return
        following = nodes[index + 1] if index + 1 < len(nodes) else None
        alternative = isinstance(following, Op) and following.name == "or" and times_before_bracket(nodes, index + 2) > 1
        if not has_time(group.nodes):
            spread_label(self.runs, group.nodes, self.line, self.last)
            for node in group.nodes:
                if isinstance(node, Cond) and not node.excluded and isinstance(node, NARROWING):
                    self.stack.named.note(node)
        self.runs.extend(
            read_bracket(self.stack.others_named(group), self.last, self.run, self._bracket_reader, pair=alternative)
        )

    def _bracket_reader(self) -> Reader:
        """A reader for what stands in a bracket after the last hour."""
        return self.reader_behind(self.last, self.run, labels.stack_of_bracket(self.stack, self.last, self.run, self.line))

    def reader_behind(self, item: Item | None, run: Run | None, stack: ScopeStack) -> Reader:
        inner = Reader(self.doubts, stack, parent=item, siblings=run)
        inner.line = self.line
        return inner

    def _on_operator(self, op: Op, nodes: Sequence[Node], index: int) -> None:
        if op.name == "instead":
            self._on_instead(nodes, index)
        elif op.name == "without":
            self._on_without(nodes, index)
        elif op.name == "same":
            self._on_same(op, nodes, index)
        elif op.name in ("former", "neworder"):
            self.former = op.name == "former"
        elif op.name == "then":
            self._substitute_for_excepted()  # "z wyjątkiem środy, kiedy Msza jest o 17.00"
        elif op.name == "thattime" and self.run is not None:
            if isinstance(self.run.effect, Removes):
                self.run.effect = replace(self.run.effect, elsewhere=True)
        else:
            self.on_word(op, nodes, index)

    def _on_instead(self, nodes: Sequence[Node], index: int) -> None:
        """`zamiast 18.00 jest 17.00`, and `17.00 zamiast 18.00`."""
        if removals.names_half_ahead(nodes, index) and any(isinstance(item.cond, DAYS_OF_LIST) for item in self.pending):
            self.mode = ONLY  # "w czwartki zamiast wieczornej 8.00"
            return
        victim = lone_time_ahead(nodes, index) if self.last is not None and not self.gap else None
        if victim is None or self.run is None or not self.run.items:
            self.victim = ""
            return
        self.denied = (victim,)
        self.runs.append(removals.swap_last(self.run, victim))

    def _on_without(self, nodes: Sequence[Node], index: int) -> None:
        """`bez Mszy o 8.30`, `w soboty nie ma`, `Msza o 6.45 nie jest odprawiana`, `8.30 - nie ma w wakacje`."""
        if denies_time(nodes, index):
            self.removing = True
        elif self.pending:
            whole_days = removals.removal_of_days(
                self.pending, removals.run_of_line(self.runs, self.run, self.line), nodes, index
            )
            self.pending = removals.drop_days(self.pending, self.run, nodes, index)
            self.runs.extend(whole_days)
        elif (
            self.last is not None
            and self.run is not None
            and self.run.items
            and not names_other_half(self.last, nodes[max(0, index - 3) : index + 6])
        ):
            self.denied = removals.denied_conditions(nodes, index)
            if self.denied:
                removals.restrict_by_denial(self.run, nodes, index, self.denied)
                return
            denied = removals.take_denied(self.run, nodes, index)
            self.runs.append(Run(self.stack.as_scope(), denied, effect=Removes(), parent=self.parent, siblings=self.siblings))
            self.run, self.last = None, None

    def _on_same(self, op: Op, nodes: Sequence[Node], index: int) -> None:
        if op.days is None or not any(isinstance(item.cond, InList) for item in self.pending):
            return
        if hours_follow_colon(nodes, index) and not any(
            (label := run.label()) and label.days & op.days.days for run in self.runs
        ):
            self.pending = labels.joined_by_days(self.pending, op.days)
            return
        self.stack.apply(self.pending, self.line)
        self.pending = []
        self.runs.append(Run(self.stack.as_scope(), effect=Copies(op.days)))
        self.run, self.last = None, None
