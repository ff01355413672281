"""Read the lines of a schedule in order: each goes down the outline, each hour is asserted under what governs it there.

Belongs here: lines, clauses and runs of hours. Not here: what a condition, a word or a bracket does (`statements`, `brackets`),
what governs and where it ends (`outline`), what replaces what (`reading.validity`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import Final

from mass_pipeline.reading.doubts import Doubts
from mass_pipeline.reading.grammar import sides, statements
from mass_pipeline.reading.grammar.alternatives import either, in_season, is_dated, is_movable, lists_by_season
from mass_pipeline.reading.grammar.brackets import EVENT, Bracket, attach, is_of_another_list, spread_label
from mass_pipeline.reading.grammar.denials import denial_in_bracket, with_denials
from mass_pipeline.reading.grammar.non_restrictive import comes_along
from mass_pipeline.reading.grammar.outline import (
    FEW_WORDS,
    LABEL,
    LINE,
    End,
    Marked,
    Outline,
    Said,
    adds_nothing,
    bracket_below,
    footnotes_of,
    is_comment,
    is_moved,
    not_displaced,
    outliving_sentence,
    told_apart,
    waiting_below,
)
from mass_pipeline.reading.grammar.rules import act
from mass_pipeline.reading.grammar.time_groups import (
    ADDS,
    ONLY,
    STATES,
    TAKES_TURNS,
    Adds,
    DaysFrom,
    Effect,
    ElsewhereOn,
    InBracket,
    ItsDays,
    ItsHours,
    Joined,
    OfHeading,
    OfWord,
    Only,
    OrElse,
    Qualifier,
    Removes,
    Replaces,
    SingleDates,
    States,
    SundayOnSaturday,
    TimeEntry,
    TimeGroup,
    Unread,
    What,
)
from mass_pipeline.reading.phrases.chunker import VIGIL
from mass_pipeline.reading.phrases.nodes import (
    DAYS_OF_LIST,
    AtPlace,
    Cond,
    Dated,
    Denial,
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
    WhichDays,
    Word,
    ends_clause,
    excluded,
    has,
    select,
)
from mass_pipeline.reading.phrases.predicates import (
    closes_season_pair,
    has_time,
    is_remark,
    names_days,
    names_only_lists,
    plain_words,
    said_from,
    starts_with_time,
)
from mass_pipeline.reading.words import weekday_patterns
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.marks import EXPLAINED, mark_after
from mass_pipeline.reading.words.parts_of_day import AFTERNOON, is_in_half

_MOST_HOURS: Final = 500  # of one notice, brackets included; a table of intentions for a month has 200
_DAYS: Final = frozenset({InList, OnDays, OnNth})
_MAY_BE_BESIDE: Final = frozenset({EVENT, "broadcast", "office", "opening"})  # kinds: of the hours below, or of something else
_LATE: Final = (weekday_patterns.EVENING, weekday_patterns.IN_THE_AFTERNOON, weekday_patterns.AFTERNOON)  # folded


@dataclass(slots=True)
class Clause:
    """What a clause has said so far.

    Attributes:
        last: the hour read last, None before the first one.
        group: position in its run from which hours wait for days after them.
        gap: marks between it and what comes: "", "comma", "and", "dash", "colon".
        joint: the mark after the condition said last.
        interlude: words stand between a comma after an hour and what follows.
        effect: what the hours to come do to those before.
        replaces: that of the next hour, in the place of a time that is "" until it is read; None outside "zamiast".
        said: of the hours to come.
        turns: how the hours to come take turns, None when they do not.
        notes: remarks that wait for their hour.
        denied: conditions of a negation, dealt with already.
        own: days in a bracket before the next hour, which are of that hour alone.
        season: another one, in which the hours to come hold as well: "w maju i w Wielkim Poście".
        shared: days of the hour before, for the other half of a pair: "17.00 - pn., śr. (zimą); 18.00 (latem)".
    """

    last: TimeEntry | None = None
    group: int = 0
    gap: str = ""
    joint: str = ""
    interlude: bool = False
    effect: States | Adds | Only | Removes = STATES
    replaces: Replaces | None = None
    said: tuple[Qualifier, ...] = ()
    turns: str | None = None
    notes: list[str] = field(default_factory=list)
    denied: tuple[object, ...] = ()
    own: tuple[Cond, ...] = ()
    season: Cond | None = None
    shared: tuple[Cond, ...] = ()

    def does(self, effect: States | Adds | Only | Removes) -> None:
        """A word says what the hours to come do; none takes back that they do not take place."""
        self.effect = self.effect if isinstance(self.effect, Removes) else effect

    def of_next(self) -> Effect:
        """What the next hour does to those before."""
        if self.replaces is not None and self.replaces.time and not isinstance(self.effect, Removes):
            return self.replaces
        return TAKES_TURNS if self.turns is not None and isinstance(self.effect, (States, Only)) else self.effect


class Reader:
    """Reads lines, or what stands in a bracket; `runs` holds what was read so far.

    Args:
        doubts: answers to what the text leaves open; notes which rule dealt with which node.
        outline: what governs the hours to come.
        bracket: in which we are, None for lines.

    Attributes:
        before: positions of conditions that belong to the hour before them.
        leading: positions of brackets of days that stand before their hours.
        block: conditions that no hour followed so far.
        run: the hours that go on, None where the next one begins anew.
        around: what governed before the days named last in the line, None before any.
    """

    def __init__(self, doubts: Doubts, outline: Outline | None = None, bracket: InBracket | None = None) -> None:
        self.doubts = doubts
        self.outline = outline or Outline()
        self.bracket = bracket
        self.clause = Clause()
        self.runs: list[TimeGroup] = []
        self.block: list[Said] = []
        self.run: TimeGroup | None = None
        self.line, self.level, self.text = 0, LINE, ""
        self.around: Outline | None = None
        self.before: frozenset[int] = frozenset()
        self.leading: Sequence[int] = ()
        self.labelled_after = False
        self.time_first = False
        self.former = False  # until a new order is named or the sentence ends
        self.again: list[tuple[TimeGroup, Cond]] = []  # runs, and another season in which they hold as well
        self.marked: list[Marked] = []
        self.opened: Effect | None = None
        self.last_heading = -2

    # --- lines -------------------------------------------------------------------------------------------------------

    def begin_list(self, label: Cond) -> None:
        """The lines to come belong to a list whose label stands elsewhere (a field of a directory)."""
        self.outline.named.note(label)
        self.outline.enter([Said(label, -1, level=1)], -1)

    def read_line(self, line: NodeLine) -> None:
        """Read one line; conditions without an hour govern the lines below."""
        self.line, self.former, self.clause = line.index, False, Clause(group=self._read_so_far())
        self.text = line.text
        nodes = line.nodes if self.marked and EXPLAINED.match(line.text) else with_denials(line.nodes, line.text)
        denials = select(nodes, Denial)
        line = replace(line, nodes=tuple(nodes)) if denials else line
        if not (denials and all(isinstance(node, (Denial, Word, Sep)) for node in line.nodes)):
            self._read_statements(line)
            return
        self.outline.begin_line(names_days=False, adds=False)
        for denial in denials:
            self._deny(denial)

    def _read_statements(self, line: NodeLine) -> None:
        """Read a line that says more than what there is not."""
        if (not line.nodes and not line.heading) or is_comment(line):
            self.outline.end(End.CLAUSE)
            return
        if (below := bracket_below(self.runs, line)) is not None:
            group, item, run = below
            self.read_bracket(group, item, run, partial(self.outline.below, item, self.run, self.line))
            return
        if self.marked and (footnotes := footnotes_of(line, self.marked)):
            for group, hours in footnotes:
                for _, item, run in hours:
                    self.read_bracket(group, item, run, partial(Outline.of, run.scope, item.line))
            return
        self.around = None
        words = plain_words(line.nodes)
        self.level = LINE if has_time(line.nodes) else line.heading or (LABEL if words <= FEW_WORDS else LINE)
        if self.level < LABEL or line.heading:
            self._begin_heading(line)
        else:
            adds = self.run is not None and isinstance(self.run.effect, Adds)
            self.outline.begin_line(names_days=names_days(line.nodes), adds=adds)
        self.read_nodes(line.nodes)
        if self.block:
            self.block = waiting_below(self.block, line, words)

    def _deny_in_bracket(self, denial: Denial, item: TimeEntry, run: TimeGroup) -> None:
        """What a bracket takes away: the hour before it, or others that it names."""
        hours, time = [hour.clock.time for hour in denial.hours], item.clock.time
        named = time in hours if hours else is_in_half(time, denial.half)
        if not named or (denial.is_of_every_mass and denial.unread):
            self._deny(denial)
        elif denial.is_of_every_mass and len(denial.conds) == 1:  # "7.00, 18.00 (w środy nie ma Mszy)"
            for one in run.items:
                one.restrictions += [excluded(cond) for cond in denial.conds if one.line == item.line]
        elif denial.changes:
            again = TimeEntry(item.clock, self.line)
            effect = Unread(ItsHours(item), denial.words) if denial.unread else Removes(ItsHours(item), denial.words)
            self.runs.append(TimeGroup({type(cond): cond for cond in denial.conds}, [again], effect=effect))

    def _deny(self, denial: Denial) -> None:
        """What a sentence takes out of the order: it binds to what it names, under the season and at the place of its heading."""
        named = {type(cond): cond for cond in denial.conds}
        items = [TimeEntry(hour.clock, self.line, kind="mass" if denial.changes else "reference") for hour in denial.hours]
        beside_hours = bool(self.runs and self.runs[-1].items and self.runs[-1].items[-1].line == self.line)
        of_list = not named.keys() & {*_DAYS, AtPlace} and (items or beside_hours)
        scope = self.outline.scope() | {type(said.cond): said.cond for said in self.block}
        scope = {dim: cond for dim, cond in scope.items() if dim not in _DAYS or of_list}
        what: What = ItsHours() if items else ItsDays(denial.half)
        effect: Effect = STATES
        if denial.unread or (denial.changes and not (items or beside_hours or named.keys() & {*_DAYS, AtPlace})):
            effect = Unread(what, denial.words)
        elif denial.changes:
            effect = Removes(what, denial.words)
        if items or denial.changes:
            days_from = DaysFrom.OWN_LINE if named.keys() & _DAYS else DaysFrom.LIST_ABOVE
            self.runs.append(TimeGroup(scope | named, items, effect=effect, days_from=days_from))
        for cond in denial.conds:
            self._note(cond, "denies what it names")
            # "W niedziele nie ma Mszy o 9.00. Pozostają: 8.00"
            if items and isinstance(cond, WhichDays) and not scope.keys() & _DAYS:
                self.block.append(Said(cond, self.line))

    def _begin_heading(self, line: NodeLine) -> None:
        """A heading ends what the headings of its level and below said, unless it follows one at once."""
        if self.last_heading != line.index - 1:
            self.outline.begin_heading(line.heading, names_list=names_only_lists(line.nodes))
            self.block = [said for said in self.block if said.level < line.heading]
            self.run = None
        self.last_heading = line.index

    # --- clauses -----------------------------------------------------------------------------------------------------

    def read_nodes(self, nodes: Sequence[Node]) -> None:
        """Read the nodes of a line or a bracket."""
        nodes = lists_by_season(nodes)
        if nodes and isinstance(nodes[0], Group) and statements.hours_of_list(nodes[0]):  # "(7,30) NIEDZIELE"
            nodes = [*nodes[0].nodes, *nodes[1:]]
        self.time_first = starts_with_time(nodes, 0)
        self.before = self._sides(nodes)
        self.leading = statements.leading_brackets(nodes)
        for at, node in enumerate(nodes):
            self._read_node(node, nodes, at)
        for run, season in self.again:
            self.runs.insert(self.runs.index(run) + 1, in_season(run, season))
        self.again = []

    def _read_node(self, node: Node, nodes: Sequence[Node], at: int) -> None:
        if isinstance(node, Time):
            self.read_hour(node, nodes, at)
        elif isinstance(node, Cond):
            if node.value == "anchor" and self.clause.last is None:  # "Porządek Mszy św.:" ends what earlier lines said
                self.block = [said for said in self.block if said.line == self.line]
                self.outline.drop(Dated)
            self.apply(statements.CONDITIONS, node, nodes, at)
        elif isinstance(node, Group):
            self.apply(statements.BRACKETS, node, nodes, at)
        elif isinstance(node, Op):
            self.apply(statements.WORDS.get(node.name, ()), node, nodes, at)
        elif isinstance(node, Denial):
            self._deny(node)
        elif isinstance(node, Sep):
            self._on_separator(node, nodes, at)
        elif fold(node.text).startswith(_LATE):
            self.apply(statements.WORDS["evening"], Op("evening", node.start, node.end), nodes, at)
        elif node.marker == "" and self.clause.gap == "comma":
            self.clause.interlude = True

    def _read_so_far(self) -> int:
        """How many hours the run has that goes on."""
        return len(self.run.items) if self.run is not None else 0

    def _sides(self, nodes: Sequence[Node]) -> frozenset[int]:
        """The conditions that belong to the hour before them."""
        if not has_time(nodes):
            return frozenset()
        self.labelled_after = False
        if not has(nodes, Cond):
            return frozenset()
        found: list[int] = []
        start = 0
        for at, node in enumerate((*nodes, None)):
            if node is None or ends_clause(node):
                found += sides.before(nodes, start, at, self.doubts, self.line)
                start = at + 1
        said = [node for node in select((nodes[at] for at in found), (InList, OnDays)) if not node.excluded]
        self.labelled_after = len(said) > 1 and has(said, InList)
        return frozenset(found)

    def apply(
        self, rules: statements.Rules[statements.AnyNode], node: statements.AnyNode, nodes: Sequence[Node], at: int
    ) -> None:
        """Deal with the node at a position by the first rule that applies."""
        act(rules, partial(self._note, node), self, node, nodes, at)

    def _note(self, node: Node, rule: str) -> None:
        """Remember which rule dealt with a node."""
        self.doubts.fired.append((self.line, node.start, rule))

    def _on_separator(self, sep: Sep, nodes: Sequence[Node], at: int) -> None:
        clause = self.clause
        if sep.strong:
            self._end_clause(sep, nodes, at)
            return
        if sep.name == "colon":
            self.block = [replace(said, colon=True) for said in self.block]
            kind, sort = nodes[:2] if at == 2 else (None, None)
            if isinstance(kind, OfKind) and kind.value == "mass" and isinstance(sort, Remark) and sort.value not in ("", VIGIL):
                clause.does(ADDS)  # "Msza św. szkolna: piątek 16.00" is one more, however near to those of every day
        clause.joint = sep.name
        if (clause.gap, sep.name) == ("comma", "dash") and isinstance(nodes[min(at + 1, len(nodes) - 1)], WhichDays):
            return  # "środa – 7.15, – piątek – 17.45"
        clause.gap = "dash" if "dash" in (clause.gap, sep.name) and clause.last is not None else sep.name

    def _end_clause(self, sep: Sep, nodes: Sequence[Node], at: int) -> None:
        """A semicolon, a full stop or a bar: what was said of hours in passing ends."""
        last, rest, stop = self.clause.last, nodes[at + 1 :], sep.name == "stop"
        if stop:
            self.former = False
            if self.block:
                self.block = outliving_sentence(self.block, self.line, rest, behind_hours=last is not None)
        pair = last is not None and closes_season_pair(last.restrictions, last.clock.time, nodes, at + 1)
        self.clause = Clause(shared=tuple(c for c in last.restrictions if isinstance(c, DAYS_OF_LIST)) if last and pair else ())
        if self.outline.end(End.SENTENCE if stop else End.CLAUSE):
            self.run = None
        self.clause.group = self._read_so_far()
        if last is not None and not has_time(rest) and comes_along(self.run, rest):
            self.clause.denied = tuple(rest)
        self.time_first = starts_with_time(nodes, at + 1)
        if sep.name != "bar" and self.time_first and not self.block and not pair:
            self.outline.leave_inner(self.run)
            days = nodes[at - 1]
            listed = any(ends_clause(one) and isinstance(then, Time) for one, then in pairwise(nodes[:at]))
            if isinstance(days, WhichDays) and days.excluded and last is not None and days in last.restrictions and not listed:
                self.substitute(days, ONLY)

    # --- conditions --------------------------------------------------------------------------------------------------

    def say(self, cond: Cond, level: int | None = None) -> None:
        """A condition of the hours to come; the latest of a dimension counts."""
        clause = self.clause
        if isinstance(cond, Remark):
            clause.notes.append(str(cond.value))
            return
        if cond.value in _MAY_BE_BESIDE and self.level < LINE and has((said.cond for said in self.block), WhichDays):
            return  # "W tygodniu / W asyście ministrantów / 7.00": nobody can say whose hours they are (`validity.account`)
        if isinstance(cond, WhichDays) and clause.last is not None and clause.turns in clause.last.notes:
            clause.turns = None  # "co dwa tygodnie 17.00, niedziela 9.00"
        if self.block:
            if self._holds_as_well(cond):
                return
            if adds_nothing(cond, self.block, self.line, heading=self.level < LINE):
                return
            cond = told_apart(cond, self.block, self.line, self.level)
            self.block = not_displaced(cond, self.block, self.line)
        self.outline.named.note(cond)
        if isinstance(cond, InList):  # a list begins anew but for the seasons that were said with it
            for said in self.block:
                if isinstance(said.cond, InSeason):
                    self.outline.named.note(said.cond)
        self.block.append(Said(cond, self.line, self.level if level is None else level))
        clause.joint = ""

    def _holds_as_well(self, cond: Cond) -> bool:
        """Whether a condition is named in one breath with the one before it: `wtorek, I piątek`, `w maju i w Wielkim Poście`."""
        last = self.block[-1]
        if last.cond.is_rest and cond.excluded and isinstance(cond, WhichDays):
            self.outline.named.note(replace(cond, excluded=False))  # "pozostałe dni (prócz środy)": those are named too
            return True
        if last.line != self.line or self.level < LINE or self.clause.joint not in ("comma", "and"):
            return False
        united = either(last.cond, cond) if isinstance(cond, DAYS_OF_LIST) else None
        if united is not None:
            self.block[-1] = replace(last, cond=united)
            self.clause.joint = ""
            return True
        if is_movable(last.cond) + is_movable(cond) == 1 and is_dated(last.cond) + is_dated(cond) == 1:
            self.clause.season = last.cond if is_movable(last.cond) else cond
            self.block[-1] = replace(last, cond=cond if is_movable(last.cond) else last.cond)
            return True
        return False

    def attach(self, cond: Cond, nodes: Sequence[Node], at: int) -> None:
        """Tie a condition to the hour before it, or to all hours of its group where it says their days."""
        clause, run = self.clause, self.run
        assert clause.last is not None
        assert run is not None
        cond, gap, clause.gap = self.outline.resolved(cond), clause.gap, ""
        clause.does(STATES)
        if not cond.excluded:
            self.outline.named.note(cond)
        if cond.excluded and isinstance(cond, WhichDays) and (gap == "comma" or len(run.items) == 1):
            self.leave_out(cond)
            return
        if self._says_days_of_group(cond):
            self._govern_group(cond)
            return
        ends = sides.mark_after(nodes, at, len(nodes)) in ("end", "semicolon", "stop", "bar")
        whole = isinstance(cond, OnDays) and not cond.excluded and ends and InList not in run.scope
        whole = whole or (isinstance(cond, InSeason) and ends and self.bracket is not None and clause.last.has(Joined))
        targets = run.items if whole and not any(item.restrictions for item in run.items) else [clause.last]
        if (isinstance(cond, OnNth) and is_remark(nodes, at)) or (cond.value == "intention" and OnNth in run.scope):
            cond = Remark("", cond.start, cond.end)  # "ostatnia sobota: Msza w intencji chorych" is no single date
        if cond.value == "mass" and not clause.last.has_own_kind:
            inherited = [item for item in run.items if item.heading >= 0]
            targets = [*targets, *inherited]  # "8.00, 10.00 Msze św."
            self.outline.head_masses()
        for item in [*targets, *(self._in_brackets_of(targets) if cond.excluded and isinstance(cond, WhichDays) else ())]:
            attach(item, cond, run)
        days = clause.last.restrictions[-1:]
        named = isinstance(cond, AtPlace) and bool(days) and isinstance(days[0], OnDays) and gap != "dash"
        if named and not is_of_another_list(days[0], run):  # "16.30 (w środę) - Zalesie": that day
            clause.last.qualify(ElsewhereOn(clause.last.restrictions.pop(), cond))
            clause.last.place = ""

    def _in_brackets_of(self, items: Sequence[TimeEntry]) -> list[TimeEntry]:
        """`18.00 (zimą 17.00), oprócz środy`: what a bracket puts in the place of a time is left out with it."""
        return [one for run in self.runs if any(run.bracket and run.bracket.hour is item for item in items) for one in run.items]

    def _says_days_of_group(self, cond: Cond) -> bool:
        """`7.00, 18.00 – dni powszednie; 8.00, 10.00 – niedziele`: whether the days after some hours are those of all of them."""
        if cond.excluded or not isinstance(cond, (InList, OnDays)) or self.run is None:
            return False
        if not isinstance(cond, InList):
            return self.labelled_after
        above = self.outline.days_from(self.line) is DaysFrom.HOURS_ABOVE
        return self.labelled_after or above or not self.run.scope.keys() & _DAYS

    def _govern_group(self, cond: Cond) -> None:
        run, group = self.run, self.clause.group
        assert run is not None
        items = run.items[group:]
        del run.items[group:]
        if not run.items:
            self.runs.remove(run)
        self.outline.enter([Said(cond, self.line)], self.line)
        effect = self.clause.effect
        self.clause.does(STATES)
        governed = self.begin_run()
        governed.items.extend(items)
        self.clause.effect, self.clause.group = effect, len(items)
        if isinstance(cond, InList):
            spread_label(self.runs, (cond,), self.line, None)

    def leave_out(self, days: Cond, *, evening: bool = False) -> None:
        """`7.00, 18.00, oprócz środy`: the hours of the run are not of these days, or only its last one in the evening."""
        items = self.run.items[-1 if evening else 0 :] if self.run is not None else []
        for item in [*items, *self._in_brackets_of(items)]:
            item.restrictions.append(days)

    def substitute(self, days: Cond, effect: Only | Adds) -> None:
        """`18.00 z wyjątkiem piątku - 7.30`: the hours to come are those of the days that the hours before leave out."""
        self.say(replace(days, excluded=False, only=False))
        self.clause.does(effect)

    # --- hours -------------------------------------------------------------------------------------------------------

    def read_hour(self, node: Time, nodes: Sequence[Node], at: int) -> None:
        """Assert an hour under what was said before it."""
        clause = self.clause
        if clause.replaces == Replaces("") or self._is_moved(node, nodes, at):
            clause.replaces = Replaces(node.clock.time)
            clause.notes = []
            return
        if self.doubts.hours >= _MOST_HOURS:
            return
        self.doubts.hours += 1
        run = self._run_of(node)
        kind = "former" if self.former else "from" if said_from(nodes, at) else self.outline.kind(self.line)
        said_by = OfWord() if self.former else OfHeading(self.outline.heading_of_kind())
        item = TimeEntry(node.clock, self.line, kind, said_by, qualifiers=tuple(self._qualifiers(run)))
        clause.said = tuple(one for one in clause.said if not isinstance(one, OrElse))
        item.restrictions.extend((*clause.shared, *clause.own))
        item.notes.extend(clause.notes)
        if clause.turns is not None and clause.turns not in item.notes:
            item.notes.append(clause.turns)
        clause.notes, clause.gap, clause.interlude, clause.own = [], "", False, ()
        run.items.append(item)
        clause.last = item
        if mark := mark_after(self.text, item.clock.end):
            self.marked.append((mark, item, run))

    def _qualifiers(self, run: TimeGroup) -> Iterator[Qualifier]:
        """What was said of the next hour, a member of a run, before it."""
        clause = self.clause
        if run.is_dated:
            yield SingleDates()
        yield from clause.said
        if clause.gap == "and":
            yield Joined()
        if VIGIL in clause.notes:
            yield SundayOnSaturday()

    def _is_moved(self, node: Time, nodes: Sequence[Node], at: int) -> bool:
        """`Latem Msze o 17.00 odprawiane są o 18.00`, `Msza z 13.00 przeniesiona na 12.30`: the next hour takes its place."""
        in_season = has((said.cond for said in self.block), InSeason)
        if self.clause.replaces is not None or self.bracket is not None or not is_moved(nodes, at, in_season=in_season):
            return False
        stated = any(node.clock.time == item.clock.time for run in self.runs for item in run.items)
        return stated or is_moved(nodes, at, in_season=False)  # of a list below, where a word says so by itself

    def _run_of(self, node: Time) -> TimeGroup:
        """The run that an hour belongs to; what was said before it governs it."""
        clause = self.clause
        said_days = any(not isinstance(said.cond, AtPlace) for said in self.block)
        if any(isinstance(said.cond, (OnDays, OnNth)) and said.level == LINE for said in self.block):
            self.around = self.outline.copy()
        changed = self.outline.enter(self.block, self.line, after_hours=clause.last is not None)
        self.block = []
        if not said_days and self._leaves_saturday(node):
            self.outline.drop(OnDays)
            changed = True
        goes_on = self.run is not None and clause.replaces is None and self.opened == clause.effect
        if changed or not goes_on or self.run is None or self.outline.scope() != self.run.scope:
            self.begin_run()
            clause.group = 0
        assert self.run is not None
        return self.run

    def _leaves_saturday(self, node: Time) -> bool:
        """`Niedziela: sobota 18.00, 8.00`: a morning hour after that of Saturday is one of Sunday."""
        last = self.clause.last
        if node.clock.time >= AFTERNOON:
            return False
        scope = self.outline.scope()
        days, label = scope.get(OnDays), scope.get(InList)
        if days is None or label is None or days.days != {"Sa"} or "Su" not in label.days:
            return False
        if last is not None:
            return node.clock.time < last.clock.time
        return any(type(s.cond) is OnDays and not s.above and s.line != self.line for s in self.outline.path)

    def begin_run(self) -> TimeGroup:
        """The hours to come stand under what governs now."""
        clause = self.clause
        days_from = self.outline.days_from(self.line)
        run = self.run = TimeGroup(self.outline.scope(), [], clause.of_next(), self.bracket, days_from)
        self.opened = None if clause.replaces and clause.replaces.time else clause.effect
        clause.replaces = None
        self.runs.append(run)
        if clause.season is not None:
            self.again.append((run, clause.season))
            clause.season = None
        return run

    def apart(self) -> Reader:
        """A reader of hours that stand in a bracket of their own."""
        inner = Reader(self.doubts, self.outline.copy())
        inner.line, inner.block = self.line, list(self.block)
        return inner

    # --- brackets ----------------------------------------------------------------------------------------------------

    def read_bracket(
        self, group: Group, item: TimeEntry, run: TimeGroup, make_outline: Callable[[], Outline], *, pair: bool = False
    ) -> None:
        """Apply a bracket to an hour.

        Args:
            group: the bracket.
            item: the hour.
            run: the run of that hour.
            make_outline: gives what governs the hours of a clause of the bracket.
            pair: it governs the hour before as well.
        """

        def read_nodes(nodes: Sequence[Node]) -> Sequence[TimeGroup]:
            reader = Reader(self.doubts, make_outline(), InBracket(item, run))
            reader.line = self.line
            reader.read_nodes(nodes)
            return reader.runs

        if (denial := denial_in_bracket(group.nodes, self.text)) is not None:
            self._note(group, "a bracket that denies")
            self._deny_in_bracket(denial, item, run)
            return
        first = group.nodes[0] if group.nodes else None
        if isinstance(first, Time) and (named := _hour_named_again(first, item, run, group.nodes)) is not None:
            item, group = named, replace(group, nodes=group.nodes[1:])
        note = partial(self._note, group)
        bracket = Bracket(group, item, run, read_nodes, note, pair)
        bracket.read()
        self.runs.extend(bracket.runs)


def _hour_named_again(hour: Time, item: TimeEntry, run: TimeGroup, nodes: Sequence[Node]) -> TimeEntry | None:
    """`15.30 (3.30 p.m. in English, IX-V)`, `7.30, 18.00 (7.30 w kaplicy)`: the hour before it of which a bracket speaks."""
    if hour.clock.time == item.clock.time:
        return item
    elsewhere = has(nodes, AtPlace) and not has(nodes, InSeason)
    alone = elsewhere and len(select(nodes, Time)) == 1
    return next((one for one in run.items if alone and one.clock.time == hour.clock.time), None)
