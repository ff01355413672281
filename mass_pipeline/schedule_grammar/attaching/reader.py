"""Read the nodes of lines and brackets in order: what each of them does to the hours before and after it.

Belongs here: lines, marks, and the named rules for conditions, words, hours and brackets where they stand, of which the first
that applies acts. Not here: what a bracket says (`brackets_reader`), how long what waits holds (`scopes`), which hours and days a
negation means (`removals`), what replaces what (`resolving`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from mass_pipeline.language.marks import EXPLAINED, mark_after
from mass_pipeline.language.parts_of_day import AFTERNOON
from mass_pipeline.schedule_grammar.attaching import labels, removals
from mass_pipeline.schedule_grammar.attaching.attachment import (
    belongs_to_time_before,
    closes_line_of_hours,
    is_substitution,
    look_ahead,
)
from mass_pipeline.schedule_grammar.attaching.bracket_conditions import attach, is_of_another_list, names_other_half
from mass_pipeline.schedule_grammar.attaching.brackets_reader import Bracket, spread_label
from mass_pipeline.schedule_grammar.attaching.effects import (
    ADDS,
    ONLY,
    STATES,
    TAKES_TURNS,
    Adds,
    Copies,
    Effect,
    Only,
    Removes,
    Replaces,
    States,
)
from mass_pipeline.schedule_grammar.attaching.rewording import reworded
from mass_pipeline.schedule_grammar.attaching.rules import Rule, always, leave
from mass_pipeline.schedule_grammar.attaching.runs import Item, Run
from mass_pipeline.schedule_grammar.attaching.scopes import INLINE, LABEL_LINE, Pending, ScopeStack, level_of, outliving_sentence
from mass_pipeline.schedule_grammar.doubts import Doubts
from mass_pipeline.schedule_grammar.parsing.chunker import VIGIL
from mass_pipeline.schedule_grammar.parsing.clues import (
    closes_season_pair,
    denies_time,
    goes_on_to_time,
    has_time,
    is_denied,
    is_remark,
    leads_to_time,
    names_days,
    names_days_before_hours,
    names_mass,
    names_only_lists,
    plain_words,
    said_from,
    starts_with_time,
    times_before_bracket,
)
from mass_pipeline.schedule_grammar.parsing.nodes import (
    DAYS_OF_LIST,
    NARROWING,
    AtPlace,
    Cond,
    Dated,
    Group,
    InList,
    InSeason,
    Node,
    NodeLine,
    OfKind,
    OnDays,
    OnNth,
    Op,
    Remark,
    Sep,
    Time,
    When,
    WhichDays,
    Word,
)

_LIMITING: Final = (OnNth, InSeason)
_LEADING: Final = (Op, OnNth, InSeason)


def bracket_below(runs: Sequence[Run], line: NodeLine) -> tuple[Group, Item, Run] | None:
    """`(oprócz stycznia i lutego)` on a line of its own right below an hour: the bracket, the hour and its run; else None."""
    run = runs[-1] if runs and runs[-1].items else None
    if run is None or run.items[-1].line != line.index - 1 or line.heading or run.removes or run.items[-1].restrictions:
        return None
    group = line.nodes[0] if len(line.nodes) == 1 else None
    if not isinstance(group, Group) and not line.text.endswith(":"):
        group = _bracket_without_marks(line)
    if not isinstance(group, Group) or any(isinstance(node, Time) for node in group.nodes):
        return None
    dims = {type(node) for node in group.nodes if isinstance(node, Cond)}
    return (group, run.items[-1], run) if dims and dims <= {InSeason, OnDays, OnNth, Remark} else None


def _bracket_without_marks(line: NodeLine) -> Group | None:
    """`oprócz lipca i sierpnia`, `tylko w wakacje` on a line of its own: only what leaves out or limits can be meant as one."""
    said = [node for node in line.nodes if not (isinstance(node, Word) and node.marker)]
    if not said or not isinstance(said[0], _LEADING):
        return None  # as most lines below an hour
    only = bool(said) and isinstance(said[0], Op) and said[0].name == "only"
    conds = said[1:] if only else said
    limits = all(isinstance(node, _LIMITING) and (only or node.excluded) for node in conds)
    return Group(line.nodes, 0, len(line.text), line.text) if conds and limits else None


def is_comment(line: NodeLine) -> bool:
    """`(takie, w które się pracuje, np. św. Józefa)`: a line in brackets that says neither hours nor when."""
    group = line.nodes[0] if len(line.nodes) == 1 and not line.heading else None
    if not isinstance(group, Group):
        return False
    if any(isinstance(node, (Time, Group)) for node in group.nodes):
        return False
    dims = {type(node) for node in group.nodes if isinstance(node, Cond)}
    return not any(issubclass(dim, When) for dim in dims) and (
        Dated in dims or AtPlace not in dims
    )  # "(Zalesie)" may head a list


Marked = tuple[str, Item, Run]


def note_mark(marked: list[Marked], text: str, item: Item, run: Run) -> None:
    """Remember an hour that has a mark after it."""
    if mark := mark_after(text, item.clock.end):
        marked.append((mark, item, run))


def footnotes_of(line: NodeLine, marked: list[Marked]) -> list[tuple[Group, list[Marked]]]:
    """A line that begins with the mark of hours above it: what it says of each mark, and the hours; empty for any other line.

    Those hours are taken out of `marked`: the next list begins its marks anew.
    """
    first = EXPLAINED.match(line.text)
    known = {mark for mark, _, _ in marked}
    if first is None or first[1] not in known or not line.nodes:
        return []
    marks = [match for match in EXPLAINED.finditer(line.text) if match[1] in known]
    found: list[tuple[Group, list[Marked]]] = []
    for match, end in zip(marks, [*(later.start() for later in marks[1:]), len(line.text)], strict=True):
        nodes = tuple(node for node in line.nodes if match.end() <= node.start < end)
        found.append((Group(nodes, match.end(), end, line.text[match.end() : end].strip()), _taken(marked, match[1])))
    return found


def _taken(marked: list[Marked], mark: str) -> list[Marked]:
    """The hours with a mark, which leave the others."""
    hours = [known for known in marked if known[0] == mark]
    marked[:] = [known for known in marked if known[0] != mark]
    return hours


_MOST_HOURS: Final = 500  # of one notice, brackets included; a table of intentions for a month has 200


class NodeReader:
    """Reads the nodes of a line or a bracket; `runs` holds what was read so far.

    Args:
        doubts: answers to what the text leaves open; notes which rule dealt with which node.
        stack: what governs the hours to come.
        parent: the hour in whose bracket we are, None for lines.
        siblings: the run of that hour.

    Attributes, of which these begin anew with every clause:
        last: the hour read last, None before the first one.
        gap: marks between it and what comes: "", "comma", "and", "dash", "colon".
        interlude: words stand between a comma after an hour and what follows.
        mode: how the hours to come stand beside those before.
        removing: the hours to come do not take place.
        victim: "" when the hour that is replaced comes next, then that hour; None outside "zamiast".
        uncertain, alternate: the hours to come are one of several readings, or take turns.
        turns: how the hours to come take turns, "" when they do not.
        either: the hour before "lub".
        notes: remarks that wait for their hour.
        denied: conditions of a negation, dealt with already.
        shared: days of the hour before, for the other half of a pair: "17.00 - pn., śr. (zimą); 18.00 (latem)".
    """

    def __init__(self, doubts: Doubts, stack: ScopeStack, parent: Item | None, siblings: Run | None) -> None:
        self.begin_clause()
        self.doubts = doubts
        self.stack = stack
        self.parent, self.siblings = parent, siblings
        self.runs: list[Run] = []
        self.pending: list[Pending] = []
        self.run: Run | None = None
        self.line = 0
        self.level = INLINE
        self.excepted: Cond | None = None
        self.time_first = False
        self.former = False  # until a new order is named or the sentence ends
        self.marked, self.text = list[Marked](), ""
        self.opened: tuple[Effect, bool] | None = None  # mode and removing of the run that is read; None after "zamiast"

    def begin_clause(self) -> None:
        """Forget the clause before."""
        self.last: Item | None = None
        self.gap = ""
        self.interlude = False
        self.mode: States | Adds | Only = STATES
        self.removing = False
        self.victim: str | None = None
        self.uncertain = False
        self.either: Item | None = None
        self.alternate, self.turns = False, ""
        self.notes: list[str] = []
        self.denied: tuple[object, ...] = ()
        self.shared: tuple[Cond, ...] = ()

    def effect(self) -> Effect:
        """What the next hour does to those before."""
        if self.removing:
            return Removes()
        if self.victim:
            return Replaces(self.victim)
        return TAKES_TURNS if self.alternate and not isinstance(self.mode, Adds) else self.mode

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

    def on_condition(self, cond: Cond, nodes: Sequence[Node], index: int) -> None:
        """Deal with the condition at a position by the first rule that applies."""
        if cond.value == "anchor" and self.last is None:  # "Porządek Mszy św.:" ends whatever earlier lines left pending
            self.pending = [other for other in self.pending if labels.is_of_months(other, self.line)]
            self.stack.drop(Dated)
        for rule in RULES_OF_CONDITIONS if self.last is not None or self.denied else _RULES_BEFORE_HOURS:
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
        """Tie a condition to the hour before it, or to the whole list where it closes one: `(7.15, 9.15 i 16.15 zimą)`."""
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
        whole = whole or (isinstance(cond, InSeason) and ends_clause and self.parent is not None and self.last.joined)
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
        if isinstance(cond, WhichDays) and self.last is not None and self.turns in self.last.notes:
            self.alternate = False  # "co dwa tygodnie 17.00, niedziela 9.00"
        if self.pending:
            if labels.adds_nothing(cond, self.pending, self.line, heading=self.level < INLINE):
                return
            cond = labels.told_apart(cond, self.pending, self.line, self.level)
            self.pending = labels.not_displaced(cond, self.pending, self.line)
        self.stack.note(cond, self.pending)
        self.pending.append(Pending(cond, self.line, self.level if level is None else level))

    def on_operator(self, op: Op, nodes: Sequence[Node], index: int) -> None:
        """Deal with the operator at a position by the first rule of its word that applies."""
        for rule in RULES_OF_WORDS.get(op.name, ()):
            if rule.applies(self, op, nodes, index):
                self.doubts.fired.append((self.line, op.start, rule.name))
                rule.act(self, op, nodes, index)
                return

    def substitute_for_excepted(self) -> None:
        """`18.00 z wyjątkiem piątku; 7.30`: the hour after the semicolon is that of the excepted day."""
        if self.excepted is not None:
            self.pending.append(Pending(self.excepted, self.line))
            self.mode = ONLY
            self.excepted = None

    def on_hour(self, node: Time, nodes: Sequence[Node], index: int) -> None:
        """Deal with the hour at a position by the first rule that applies; most are read into a run, by the rules of runs."""
        for rule in RULES_OF_HOURS:
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
        waited = any(not isinstance(item.cond, AtPlace) for item in self.pending)
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

    def _on_separator(self, sep: Sep, nodes: Sequence[Node], index: int) -> None:
        if sep.name == "colon":
            self.pending = [item if item.colon else Pending(item.cond, item.line, item.level, True) for item in self.pending]
        if not sep.strong:
            behind = nodes[index + 1] if index + 1 < len(nodes) else None
            if (self.gap, sep.name) != ("comma", "dash") or not isinstance(behind, WhichDays):  # "środa – 7.15, – piątek – 17.45"
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

        first = group.nodes[0] if group.nodes else None
        if isinstance(first, Time) and first.clock.time == item.clock.time:  # "15.30 (3.30 p.m. in English, IX-V)"
            group = replace(group, nodes=group.nodes[1:])
        bracket = Bracket(group, item, run, make_reader, pair=pair)
        bracket.read()
        self.runs.extend(bracket.runs)
        self.doubts.fired.extend([(self.line, group.start, name) for name in bracket.fired])


class Reader(NodeReader):
    """Reads lines in order; `runs` holds what was read so far.

    Args:
        doubts: answers to what the text leaves open.
    """

    def __init__(self, doubts: Doubts) -> None:
        super().__init__(doubts, ScopeStack(), None, None)
        self.last_heading = -2
        self.adds_below = -2  # line of a label with "dodatkowo"
        self.labelled: tuple[int, Cond] | None = None  # line of other services with a label, and the label

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
        self._go_on_with_services(line)
        self.read_nodes(reworded(line.nodes))
        if labels.adds_hours_below(line, below=self.adds_below, adds=isinstance(self.mode, Adds), label=self.level <= LABEL_LINE):
            self.adds_below = line.index
        self.excepted = None
        if self.pending:
            self.pending = labels.waiting_below(self.pending, line, words)

    def _go_on_with_services(self, line: NodeLine) -> None:
        """`Nabożeństwa majowe: w tygodniu po Mszy o 17.00` over `w niedziele o 16.00`: the sentence goes on below."""
        label = labels.label_of_services(line)
        above = self.labelled if label is None and line.text[:1].islower() else None
        if above is not None and above[0] == line.index - 1 and not names_mass(line.nodes):
            label = above[1]
            self.pend(label)
        self.labelled = (line.index, label) if label is not None else None

    def _begin_heading(self, line: NodeLine) -> None:
        """A heading ends what the headings of its level and below said, unless it follows one at once."""
        adjacent = self.last_heading == line.index - 1
        self.stack.begin_heading(line.heading, adjacent=adjacent, names_list=names_only_lists(line.nodes))
        if not adjacent:
            self.pending = [item for item in labels.raised(self.pending, line) if item.level < line.heading]
            self.run = None
        self.last_heading = line.index


def _is_dealt_with(reader: NodeReader, cond: Cond, nodes: Sequence[Node], index: int) -> bool:
    return bool(reader.denied) and any(cond is known for known in reader.denied)


def _breaks_clause(reader: NodeReader, cond: Cond, nodes: Sequence[Node], index: int) -> bool:
    return isinstance(cond, OfKind) and cond.value in labels.BREAKING_KINDS


def _break_clause(reader: NodeReader, cond: Cond, nodes: Sequence[Node], index: int) -> None:
    reader.begin_clause()
    reader.pend(cond)


def _begins_another_denied(reader: NodeReader, cond: Cond, nodes: Sequence[Node], index: int) -> bool:
    denied = reader.run if reader.removing and reader.last is not None else None
    return denied is not None and removals.begins_another_denied(denied, cond, nodes, index)


def _is_of_denied(reader: NodeReader, cond: Cond, nodes: Sequence[Node], index: int) -> bool:
    return reader.removing and reader.last is not None and reader.run is not None


def _restrict_denied(reader: NodeReader, cond: Cond, nodes: Sequence[Node], index: int) -> None:
    assert reader.run is not None
    removals.restrict_denied(reader.run, cond)


def _is_substituted(reader: NodeReader, cond: Cond, nodes: Sequence[Node], index: int) -> bool:
    is_exception = cond.excluded and isinstance(cond, WhichDays)
    return is_exception and reader.is_after_hour(nodes, index) and is_substitution(cond, nodes, index)


def _substitute(reader: NodeReader, cond: Cond, nodes: Sequence[Node], index: int) -> None:
    reader.exclude_and_substitute(cond)


def _has_another_hour_then(reader: NodeReader, cond: Cond, nodes: Sequence[Node], index: int) -> bool:
    is_exception = cond.excluded and isinstance(cond, DAYS_OF_LIST)
    return is_exception and reader.is_after_hour(nodes, index) and removals.other_then(nodes, index) != ""


def _substitute_then(reader: NodeReader, cond: Cond, nodes: Sequence[Node], index: int) -> None:
    reader.exclude_and_substitute(cond, only_last=removals.other_then(nodes, index) == "evening")


def _closes_line(reader: NodeReader, cond: Cond, nodes: Sequence[Node], index: int) -> bool:
    closes = reader.time_first and closes_line_of_hours(cond, reader.run, nodes, index)
    return closes and reader.is_after_hour(nodes, index)


def _govern_line(reader: NodeReader, cond: Cond, nodes: Sequence[Node], index: int) -> None:
    spread_label(reader.runs, (cond,), reader.line, None)


def _is_of_something_else(reader: NodeReader, cond: Cond, nodes: Sequence[Node], index: int) -> bool:
    if not isinstance(cond, OfKind) or reader.last is None:
        return False
    if not labels.is_of_something_else(cond, reader.last, reader.gap, nodes):
        return False
    return _belongs_to_hour_before(reader, cond, nodes, index)


def _belongs_to_hour_before(reader: NodeReader, cond: Cond, nodes: Sequence[Node], index: int) -> bool:
    if not reader.is_after_hour(nodes, index):
        return False
    return belongs_to_time_before(cond, reader.gap, nodes, index, time_first=reader.time_first, doubts=reader.doubts)


def _attach(reader: NodeReader, cond: Cond, nodes: Sequence[Node], index: int) -> None:
    reader.attach(cond, nodes, index)


def _pend(reader: NodeReader, cond: Cond, nodes: Sequence[Node], index: int) -> None:
    reader.pend(cond)


RULES_OF_CONDITIONS: Final[tuple[Rule[[NodeReader, Cond, Sequence[Node], int]], ...]] = (
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
_RULES_BEFORE_HOURS: Final = (RULES_OF_CONDITIONS[1], RULES_OF_CONDITIONS[-1])  # all others are of hours that were said


def _hold_alone(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> None:
    reader.mode = ONLY


def _expect_old_hour(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> None:
    reader.victim = ""


def _denies_hours(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> bool:
    return denies_time(nodes, index)


def _remove(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> None:
    reader.removing = True


def _has_waiting(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> bool:
    return any(isinstance(item.cond, (When, AtPlace)) for item in reader.pending)


def _remove_days(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> None:
    run = removals.run_of_line(reader.runs, reader.run, reader.line)
    whole_days = removals.removal_of_days(reader.pending, run, nodes, index)
    reader.pending = removals.drop_days(reader.pending, reader.run, nodes, index)
    elsewhere = removals.place_denied(whole_days, reader.run)
    reader.denied = (*elsewhere, *removals.main_mass_denied(nodes, index)) or reader.denied
    reader.runs.extend(whole_days)


def _has_nothing_before(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> bool:
    return reader.last is None or reader.run is None or not reader.run.items


def _is_of_other_half(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> bool:
    return reader.last is not None and names_other_half(reader.last, nodes[max(0, index - 3) : index + 6])


def _denies_on_days(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> bool:
    return bool(removals.denied_conditions(nodes, index))


def _restrict_before(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> None:
    denied = removals.denied_conditions(nodes, index)
    assert reader.run is not None
    reader.denied = denied
    removals.restrict_by_denial(reader.run, nodes, index, denied)


def _remove_before(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> None:
    assert reader.run is not None
    denied = removals.take_denied(reader.run, nodes, index)
    reader.denied = removals.single_days_ahead(nodes, index)
    scope = reader.stack.as_scope() | {type(day): day for day in reader.denied if isinstance(day, Dated)}
    reader.runs.append(Run(scope, denied, effect=Removes(), parent=reader.parent, siblings=reader.siblings))
    reader.run, reader.last = None, None


def _names_days_behind(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> bool:
    return reader.last is None and any(isinstance(cond, WhichDays) for cond in removals.denied_conditions(nodes, index))


def _remove_days_behind(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> None:
    reader.denied = removals.denied_conditions(nodes, index)
    waiting = [Pending(cond, reader.line) for cond in reader.denied]
    reader.runs.extend(removals.removal_of_days(waiting, reader.run, nodes, index))


def _names_two_lists(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> bool:
    return op.days is not None and any(isinstance(item.cond, InList) for item in reader.pending)


def _copy(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> None:
    assert op.days is not None
    reader.stack.apply(reader.pending, reader.line)
    reader.pending = []
    reader.runs.append(Run(reader.stack.as_scope(), effect=Copies(op.days)))
    reader.run, reader.last = None, None


def _begin_former(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> None:
    reader.former = True


def _end_former(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> None:
    reader.former = False


def _follows_denial(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> bool:
    return reader.run is not None and isinstance(reader.run.effect, Removes)


def _keep_elsewhere(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> None:
    if reader.run is not None and isinstance(reader.run.effect, Removes):
        reader.run.effect = replace(reader.run.effect, elsewhere=True)


def _add(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> None:
    reader.mode = ADDS


def _leave_open(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> None:
    reader.uncertain = True
    if reader.last is not None:
        reader.last.uncertain = True


def _follows_hour(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> bool:
    return reader.last is not None


def _joins_hours(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> bool:
    return reader.last is not None and has_time(nodes[index + 1 :])


def _expect_other(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> None:
    reader.either = reader.last


def _doubt_hour(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> None:
    assert reader.last is not None
    reader.last.uncertain = reader.last.uncertain or not reader.last.restrictions


def _take_turns(reader: NodeReader, op: Op, nodes: Sequence[Node], index: int) -> None:
    if reader.last is None or goes_on_to_time(nodes, index):
        reader.alternate, reader.turns = True, op.says
    if reader.last is None or leads_to_time(nodes, index):
        return
    items = reader.run.items if reader.run is not None else []
    joined = items[-2:-1] if reader.last.joined else []  # "8.15 i 10.15 na przemian"
    for item in (*joined, reader.last):
        item.notes.append(op.says)


_Rules = tuple[Rule[[NodeReader, Op, Sequence[Node], int]], ...]
RULES_OF_WORDS: Final[Mapping[str, _Rules]] = {  # by the name of the operator
    "instead": (
        Rule("the next hour gives way to another", always, _expect_old_hour),  # "zamiast 18.00 jest 17.00"
    ),
    "without": (
        Rule("denies the hours to come", _denies_hours, _remove),  # "bez Mszy o 8.30"
        Rule("denies the days that wait", _has_waiting, _remove_days),  # "w soboty nie ma"
        Rule("denies the days after it", _names_days_behind, _remove_days_behind),  # "Mszy nie ma we środy"
        Rule("denies no hour", _has_nothing_before, leave),
        Rule("denies the other half of the day", _is_of_other_half, leave),  # "7.00, wieczornej nie ma"
        Rule("denies the hours before on the days after", _denies_on_days, _restrict_before),  # "8.30 - nie ma w wakacje"
        Rule("denies the hours before", always, _remove_before),  # "Msza o 6.45 nie jest odprawiana"
    ),
    "same": (
        Rule("copies another list", _names_two_lists, _copy),  # "święta: jak w niedzielę"
    ),
    "former": (Rule("begins an old order", always, _begin_former),),  # "dotychczas o 7.30"
    "neworder": (Rule("begins the new order", always, _end_former),),
    "thattime": (  # "w tym czasie w kaplicy": on one page known, which is labelled so
        Rule("those denied take place elsewhere", _follows_denial, _keep_elsewhere),
    ),
    "also": (Rule("adds hours", always, _add),),
    "only": (Rule("only those to come hold", always, _hold_alone),),
    "sometimes": (Rule("leaves open when they hold", always, _leave_open),),
    "unread": (Rule("a word without a rule of its own leaves open when they hold", always, _leave_open),),
    "or": (
        Rule("leaves open which of two hours holds", _joins_hours, _expect_other),  # "17.00 lub 18.00"
        Rule("leaves open whether the hour holds", _follows_hour, _doubt_hour),
    ),
    "alternate": (Rule("takes turns", always, _take_turns),),
}


def _gives_way(reader: NodeReader, node: Time, nodes: Sequence[Node], index: int) -> bool:
    return reader.victim == ""


def _is_moved(reader: NodeReader, node: Time, nodes: Sequence[Node], index: int) -> bool:
    in_line = reader.victim is None and reader.parent is None
    return in_line and removals.is_moved(reader.runs, reader.pending, nodes, index)


def _give_way(reader: NodeReader, node: Time, nodes: Sequence[Node], index: int) -> None:
    reader.victim = node.clock.time


def _is_one_too_many(reader: NodeReader, node: Time, nodes: Sequence[Node], index: int) -> bool:
    return reader.doubts.hours >= _MOST_HOURS


def _is_below_saturday(reader: NodeReader, node: Time, waited: bool, changed: bool) -> bool:
    if waited or reader.last is not None or node.clock.time >= AFTERNOON:
        return False
    return reader.stack.saturday_in_sunday_list() and reader.stack.said_beside_hours_above(OnDays, reader.line)


def _is_earlier_than_saturday(reader: NodeReader, node: Time, waited: bool, changed: bool) -> bool:
    if waited or reader.last is None or not node.clock.time < min(AFTERNOON, reader.last.clock.time):
        return False
    return reader.stack.saturday_in_sunday_list()


def _leave_saturday(reader: NodeReader, node: Time, waited: bool, changed: bool) -> None:
    reader.stack.drop(OnDays)
    reader.begin_run()


def _is_first(reader: NodeReader, node: Time, waited: bool, changed: bool) -> bool:
    return reader.run is None


def _takes_place_of_another(reader: NodeReader, node: Time, waited: bool, changed: bool) -> bool:
    return reader.victim is not None


def _has_another_effect(reader: NodeReader, node: Time, waited: bool, changed: bool) -> bool:
    return reader.opened != (reader.mode, reader.removing)


def _is_under_others(reader: NodeReader, node: Time, waited: bool, changed: bool) -> bool:
    return changed or reader.run is None or reader.stack.as_scope() != reader.run.scope


def _begin_run(reader: NodeReader, node: Time, waited: bool, changed: bool) -> None:
    reader.begin_run()


RULES_OF_HOURS: Final[tuple[Rule[[NodeReader, Time, Sequence[Node], int]], ...]] = (
    Rule("gives way to the next hour", _gives_way, _give_way),  # "zamiast 18.00 jest 17.30"
    Rule("is moved to the next hour", _is_moved, _give_way),  # "latem Msze o 17.00 odprawiane są o 18.00"
    Rule("one too many", _is_one_too_many, leave),  # no schedule is that long, pages made to hurt are
)
RULES_OF_RUNS: Final[tuple[Rule[[NodeReader, Time, bool, bool]], ...]] = (
    Rule("ends the Saturday of a line above", _is_below_saturday, _leave_saturday),  # "Niedziela: sobota 18.00" over "8.00"
    Rule("ends Saturday, being earlier", _is_earlier_than_saturday, _leave_saturday),  # "Niedziela: sobota 18.00, 8.00"
    Rule("begins a list", _is_first, _begin_run),
    Rule("takes the place of another", _takes_place_of_another, _begin_run),
    Rule("does something else to those before", _has_another_effect, _begin_run),  # "18.00, także 20.00"
    Rule("stands under other conditions", _is_under_others, _begin_run),
    Rule("goes on with the list", always, leave),
)


def _is_of_none_before(reader: NodeReader, group: Group, nodes: Sequence[Node], index: int) -> bool:
    begins = reader.last is None or bool(reader.pending) or reader.run is None
    return begins or (reader.interlude and has_time(nodes[index:]))


def _heads(reader: NodeReader, group: Group, nodes: Sequence[Node], index: int) -> bool:
    return not has_time(group.nodes) and _is_of_none_before(reader, group, nodes, index)


def _pend_bracket(reader: NodeReader, group: Group, nodes: Sequence[Node], index: int) -> None:
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
    Rule("heads the hours to come", _heads, _pend_bracket),  # "(Zalesie) 9.00"
    Rule("has hours of its own", _is_of_none_before, _read_apart),  # "w soboty (18.00)"
    Rule("is of the hour before", always, _read_after_hour),  # "18.00 (w wakacje 20.00)"
)
