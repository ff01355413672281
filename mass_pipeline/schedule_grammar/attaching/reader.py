"""Read nodes line by line into runs: what headings and lines begin and end, footnotes, brackets on lines of their own.

Belongs here: lines. Not here: what stands in them (`node_reader`), what replaces what (`resolving`).
"""

from __future__ import annotations

from functools import partial

from mass_pipeline.schedule_grammar.attaching import labels
from mass_pipeline.schedule_grammar.attaching.bracket_lines import bracket_below, is_comment
from mass_pipeline.schedule_grammar.attaching.effects import ADDS, Adds
from mass_pipeline.schedule_grammar.attaching.footnotes import footnotes_of
from mass_pipeline.schedule_grammar.attaching.node_reader import NodeReader
from mass_pipeline.schedule_grammar.attaching.rewording import reworded
from mass_pipeline.schedule_grammar.attaching.scopes import LABEL_LINE, Pending, ScopeStack, level_of
from mass_pipeline.schedule_grammar.doubts import Doubts
from mass_pipeline.schedule_grammar.parsing.clues import has_time, names_days, names_only_lists, plain_words
from mass_pipeline.schedule_grammar.parsing.nodes import Cond, NodeLine


class Reader(NodeReader):
    """Reads lines in order; `runs` holds what was read so far.

    Args:
        doubts: answers to what the text leaves open.
    """

    def __init__(self, doubts: Doubts) -> None:
        super().__init__(doubts, ScopeStack(), None, None)
        self.last_heading = -2
        self.adds_below = -2  # line of a label with "dodatkowo"

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
            self.read_bracket(*below, self.stack_of_bracket)
            return
        if self.marked and (footnotes := footnotes_of(line, self.marked)):
            for group, hours in footnotes:
                for _, item, run in hours:
                    self.read_bracket(group, item, run, partial(ScopeStack.of, run.scope, item.line))
            return
        self.text = line.text
        words = plain_words(line.nodes)
        self.level = level_of(line, words)
        if self.level < LABEL_LINE or line.heading:
            self._begin_heading(line)
        else:
            self.stack.begin_line(names_days=names_days(line.nodes), behind=self.run)
        if self.adds_below == line.index - 1 and has_time(line.nodes):
            self.mode = ADDS  # "Od maja do października dodatkowo" over "15.00"
        self.read_nodes(reworded(line.nodes))
        if labels.adds_hours_below(line, below=self.adds_below, adds=isinstance(self.mode, Adds), label=self.level <= LABEL_LINE):
            self.adds_below = line.index
        self.excepted = None
        if self.pending:
            self.pending = labels.waiting_below(self.pending, line, words)

    def _begin_heading(self, line: NodeLine) -> None:
        """A heading ends what the headings of its level and below said, unless it follows one at once."""
        adjacent = self.last_heading == line.index - 1
        self.stack.begin_heading(line.heading, adjacent=adjacent, names_list=names_only_lists(line.nodes))
        if not adjacent:
            self.pending = [item for item in labels.raised(self.pending, line) if item.level < line.heading]
            self.run = None
        self.last_heading = line.index
