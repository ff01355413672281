"""What a bracket after an hour says, clause by clause.

Belongs here: brackets with hours, those of two hours, and what conditions alone say of the hour. Not here: where a bracket stands
(`statements`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import dropwhile
from typing import Final

from mass_pipeline.reading.grammar.alternatives import add_season, are_halves, either, is_dated, is_movable, said_again
from mass_pipeline.reading.grammar.non_restrictive import is_mere_remark
from mass_pipeline.reading.grammar.rules import Rule, act, always
from mass_pipeline.reading.grammar.time_groups import (
    OF_WORD,
    ElsewhereOn,
    ForIntention,
    LeftOpen,
    OfBracket,
    OfWord,
    OnlyOn,
    SingleDates,
    SundayOnSaturday,
    TimeEntry,
    TimeGroup,
)
from mass_pipeline.reading.phrases.chunker import VIGIL
from mass_pipeline.reading.phrases.nodes import (
    DAYS_OF_LIST,
    AtPlace,
    Cond,
    Dated,
    Dimension,
    Group,
    InList,
    InSeason,
    Node,
    Nth,
    OfKind,
    OnDays,
    OnNth,
    Remark,
    Season,
    Sep,
    Time,
    When,
    WhichDays,
    Word,
    first_of,
    has,
    is_op,
    left_out,
    marks_in,
    operators_in,
    select,
)
from mass_pipeline.reading.phrases.predicates import half_named, has_time, hour_counted, only_adds_overlay
from mass_pipeline.reading.words.expressions import expression
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.parts_of_day import NOON

LONGEST_REMARK: Final = 120  # characters
EVENT: Final = "event"  # kind of an hour


class Comment:
    """What a clause of a bracket says of an hour.

    Attributes:
        item: the hour.
        run: the run of that hour.
        nodes: of the clause.
        text: of the bracket.
        conds: the conditions that are left to be dealt with.
        operators: names of those in the clause.
        taken: some conditions are dealt with.
    """

    def __init__(self, item: TimeEntry, run: TimeGroup, nodes: Sequence[Node], text: str) -> None:
        self.item, self.run, self.nodes, self.text = item, run, nodes, text
        self.conds = select(nodes, Cond)
        self.operators = operators_in(nodes)
        self.taken = False

    def first(self, dimension: Dimension, *, excluded: bool = True) -> Cond | None:
        """The first condition of a dimension, or only of those that are not turned round."""
        return next((one for one in self.conds if isinstance(one, dimension) and (excluded or not one.excluded)), None)

    def take(self, *conds: Cond) -> None:
        """Leave conditions that are dealt with out of what is left."""
        self.conds = [cond for cond in self.conds if cond not in conds]
        self.taken = True

    def note_words(self) -> None:
        """Keep the words of the bracket."""
        self.item.notes.append(self.text[:LONGEST_REMARK])


def _is_sunday(cond: Cond) -> bool:
    return cond.days == {"Su"} and not cond.excluded


def _is_sunday_of_saturday(said: Comment) -> bool:
    days = said.run.days()
    return days is not None and days.days == {"Sa"} and any(map(_is_sunday, said.conds))


def _make_vigil(said: Comment) -> None:
    said.conds = [Remark(VIGIL, cond.start, cond.end) if _is_sunday(cond) else cond for cond in said.conds]


def _is_denied(said: Comment) -> bool:
    denied = bool(said.operators & {"without", "not", "except"})
    return denied or ("only" in said.operators and names_other_half(said.item, said.nodes))


def _turn(said: Comment) -> None:
    said.conds = [left_out(cond) for cond in said.conds]


def _is_sometimes(said: Comment) -> bool:
    unread = said.operators & {"without", "not", "except"} and not has(said.nodes, (When, Remark))
    return bool(unread) or not said.operators.isdisjoint({"sometimes", "unread"})


def _is_remark_on_weeks(said: Comment) -> bool:
    dims = {type(cond) for cond in said.conds}
    return OnNth in dims and bool(dims & {Remark, OfKind}) and not _is_separate(said.nodes) and not takes_part(said.conds)


def takes_part(conds: Sequence[Cond]) -> bool:
    """`16.30 (w I piątek miesiąca z udziałem dzieci)`: on a weekday a Mass of its own, with those who take part."""
    weeks = select([cond.value for cond in conds], Nth)
    others = [cond for cond in conds if not isinstance(cond, OnNth)]
    if not others or not isinstance(conds[0], OnNth):
        return False
    return not any("Su" in nth.days for nth in weeks) and all(str(cond.value).startswith("z udział") for cond in others)


def _is_separate(nodes: Sequence[Node]) -> bool:
    """`(po łacinie, w I niedzielę miesiąca)` restricts the Mass, `(chrzty w I niedzielę)` only the remark."""
    nth = next(at for at, node in enumerate(nodes) if isinstance(node, OnNth))
    before = has(nodes[:nth], Sep)
    after = has(nodes[nth + 1 :], Sep)
    return after if has(nodes[nth + 1 :], (OfKind, Remark)) else before


def _is_elsewhere_on_days(said: Comment) -> bool:
    days = said.first(OnDays, excluded=False)
    if days is None or said.first(AtPlace) is None:
        return False
    return not _is_day_at_place(said.nodes) and not is_of_another_list(days, said.run)


def _split(said: Comment) -> None:
    days, place = said.first(OnDays, excluded=False), said.first(AtPlace)
    assert days is not None
    assert place is not None
    said.item.qualify(ElsewhereOn(days, place))
    said.take(days, place)


def _is_day_at_place(nodes: Sequence[Node]) -> bool:
    """`15.30 (wtorek w Lipiu)`, `17.00 (Lipie - wtorek)`: day and place; `7.00 (w poniedziałki w kaplicy)`: where on a day."""
    first, mark, last = (*nodes, None, None, None)[:3]
    if isinstance(first, AtPlace) and isinstance(mark, Sep):
        return isinstance(last, OnDays)
    return isinstance(first, OnDays) and len(first.days) == 1


def is_of_another_list(days: Cond, run: TimeGroup) -> bool:
    """`Niedziela: 16.00 (w sobotę, Jodłowo), 8.00`: the hour is that of the day before, at that place."""
    label = run.label()
    return label is not None and days.days.isdisjoint(label.days)


def _dated_season(conds: Sequence[Cond]) -> Cond | None:
    return next((cond for cond in conds if cond.dates and not cond.excluded), None)


def _is_of_days_in_season(said: Comment) -> bool:
    days, season = said.first(OnDays, excluded=False), _dated_season(said.conds)
    if said.taken or days is None or season is None or is_of_another_list(days, said.run):
        return False
    listed = any(one.name == "dash" and days.start < one.start < season.start for one in select(said.nodes, Sep))
    return not listed  # "(śr., pt. - latem)": the hour is of these days, and of that season


def _limit_season(said: Comment) -> None:
    days, season = said.first(OnDays, excluded=False), _dated_season(said.conds)
    assert days is not None
    assert season is not None
    said.item.qualify(OnlyOn(season, days))
    said.take(days, season)


def _attach_rest(said: Comment) -> None:
    movable = _movable_besides_days(said)
    if movable is not None:
        said_again(said.run, said.item, [movable])
    for cond in _days_together([cond for cond in said.conds if cond is not movable]):
        named = is_movable(cond) and any(map(is_dated, said.conds))
        if named or not only_adds_overlay(cond, said.conds):  # "(lipiec, sierpień oraz ferie)"
            attach(said.item, cond, said.run, by=OfBracket() if said.item.kind == "mass" else OF_WORD)


def _movable_besides_days(said: Comment) -> Cond | None:
    """`7.00 (we wtorki i w Adwencie)`: the season besides the days, not on them."""
    movable = next((cond for cond in said.conds if is_movable(cond)), None)
    days = any(not cond.excluded for cond in select(said.conds, OnDays))
    marks = set(marks_in(said.nodes))
    return movable if days and marks and marks <= {"and", "comma"} and len(said.conds) > 1 else None


def _days_together(conds: Sequence[Cond]) -> list[Cond]:
    """`(śr. z nowenną, pt.)`, `(I piątki miesiąca i święta zniesione)`: days named apart are days of one Mass."""
    found: list[Cond] = []
    weeks = has(conds, OnNth)
    for said in conds:
        cond = OnDays(said.value, said.start, said.end, said.excluded) if weeks and isinstance(said, InList) else said
        of_list = isinstance(cond, DAYS_OF_LIST)
        at = next((at for at, one in enumerate(found) if of_list and isinstance(one, DAYS_OF_LIST)), len(found))
        united = either(found[at], cond) if at < len(found) else None
        if united is not None:
            found[at] = united
        else:
            found.append(cond)
    return found


def _is_of_an_office(said: Comment) -> bool:
    kinds = {cond.value for cond in select(said.conds, OfKind)}
    return kinds == {"office"} and has(said.conds, When)


COMMENTS: Final[tuple[Rule[[Comment]], ...]] = (
    Rule("tells when an office is open", _is_of_an_office, Comment.note_words),
    Rule("what Sunday has on Saturday", _is_sunday_of_saturday, _make_vigil, goes_on=True),
    Rule("denied then", _is_denied, _turn, goes_on=True),
    Rule("holds at times", _is_sometimes, lambda said: said.item.qualify(LeftOpen()), goes_on=True),
    Rule("a remark on some weeks", _is_remark_on_weeks, Comment.note_words),
    Rule("elsewhere on these days", _is_elsewhere_on_days, _split, goes_on=True),
    Rule("in that season on these days only", _is_of_days_in_season, _limit_season, goes_on=True),
    Rule("limits its hour", lambda said: bool(said.conds), _attach_rest, goes_on=True),
    Rule("words that say nothing else", lambda said: not said.conds and not said.taken, Comment.note_words),
)


def names_other_half(item: TimeEntry | None, nodes: Sequence[Node]) -> bool:
    """`7.00 i 17.00 (w wakacje tylko poranna)` takes the evening Mass away."""
    return item is not None and half_named(nodes) == ("evening" if item.clock.time < NOON else "morning")


def attach(item: TimeEntry, cond: Cond, run: TimeGroup, *, by: OfWord | OfBracket = OF_WORD) -> None:
    """Tie a condition to one hour of a run, that words beside it or in a bracket say."""
    if isinstance(cond, Remark):
        if cond.value == VIGIL:
            item.qualify(SundayOnSaturday())
        if cond.value and not any(str(cond.value) in note for note in item.notes):
            item.notes.append(str(cond.value))
    elif isinstance(cond, OfKind):
        _attach_kind(item, str(cond.value), by, in_list=bool(run.scope.keys() & {InList, OnDays}))
    elif isinstance(cond, AtPlace):
        item.place = str(cond.value)
    elif isinstance(cond, Dated):
        item.qualify(SingleDates())
    elif not _only_explains_season(item, cond) and not (isinstance(cond, InSeason) and add_season(run, item, cond)):
        item.restrictions.append(cond)


def _only_explains_season(item: TimeEntry, cond: Cond) -> bool:
    """`16.00 - zimą (od października do Wielkanocy)`: the winter is that of its months, the movable border a remark."""
    custom = isinstance(cond.value, Season) and cond.has_no_dates and cond.value.name == "custom" and not cond.excluded
    return custom and any(one.dates for one in item.restrictions)


def _attach_kind(item: TimeEntry, kind: str, by: OfWord | OfBracket, *, in_list: bool) -> None:
    if isinstance(by, OfBracket) and kind == EVENT and in_list:
        return  # nobody can say whether it is a Mass for those who meet (`validity.account`)
    if kind == "intention":
        item.qualify(SingleDates() if by is OF_WORD else ForIntention())
    elif kind in ("baptism", "broadcast"):
        item.notes.append("chrzty" if kind == "baptism" else "transmisja")
    elif kind == "elsewhere":  # whatever it is called, it is the Mass of another parish
        item.kind, item.said_by = "event", by
    elif kind not in ("anchor", "reference") and item.kind != "reference" and not item.has_own_kind:
        item.kind, item.said_by = kind, by


# --- brackets ----------------------------------------------------------------------------------------------------------

_AFTER_SERVICE: Final = expression(r"(?:[a-z]+ )?(?:po|przed) <other_service>")
_ANY: Final = ("comma", "and", "dash", "colon", "semicolon", "stop", "bar")  # marks
_SHORT: Final = 8  # nodes of "16.15 w okresie zimowym"
_LIGHT: Final = ("dash", "comma")


@dataclass(eq=False, slots=True)
class Bracket:
    """A bracket after an hour.

    Attributes:
        group: the bracket.
        item: the hour before it.
        run: the run of that hour.
        read_nodes: reads hours inside the bracket into runs that know `item` as their parent.
        note: takes the names of the rules that act.
        pair: the bracket closes an alternative ("17.00 i 18.00 (X-III) albo ..."), so it governs both joined hours.
        runs: of the hours inside the bracket, in order.
    """

    group: Group
    item: TimeEntry
    run: TimeGroup
    read_nodes: Callable[[Sequence[Node]], Sequence[TimeGroup]]
    note: Callable[[str], None]
    pair: bool
    runs: list[TimeGroup] = field(default_factory=list)

    def read(self) -> None:
        """Apply the bracket to the hour before it."""
        apart = takes_part(select(self.group.nodes, Cond))
        if not apart and is_mere_remark(self.run, self.group.nodes):  # "18.00 (w środy z nowenną)"
            self.note("a mere remark")
            self.item.notes.append(self.group.text[:LONGEST_REMARK])
            return
        for clause in _clauses(self.group.nodes):
            act(CLAUSES, self.note, self, clause)

    def read_hours(self, nodes: Sequence[Node]) -> Sequence[TimeGroup]:
        """Read hours inside the bracket."""
        runs = self.read_nodes(nodes) if nodes else []
        self.runs.extend(runs)
        return runs


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
    goes_on = isinstance(following, Time) or is_op(following, "evening")
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
    return mark, select(clause[:mark], Cond)


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
    if any(node.value == VIGIL for node in select(bracket.group.nodes, Cond)):
        bracket.item.qualify(SundayOnSaturday())


def _are_hours_alone(clause: Sequence[Node]) -> bool:
    return all(isinstance(node, (Time, Sep)) or (isinstance(node, Word) and node.marker != "") for node in clause)


def _is_of_what_comes_before(bracket: Bracket, clause: list[Node]) -> bool:
    """`17.00 po Nieszporach (16.30)`: an hour alone behind the name of another service is that of the service."""
    name = bracket.item.notes[-1] if bracket.item.notes else ""
    return has_time(clause) and _are_hours_alone(clause) and _AFTER_SERVICE.match(fold(name)) is not None


def _tells_hour_of_left_out(bracket: Bracket, clause: list[Node]) -> bool:
    """`18.00 (oprócz środy, kiedy jest o 17.00)`, `18.00 (poza piątkiem - 16.00)`."""
    first = first_of(clause, (Cond, Time, Group))
    return isinstance(first, WhichDays) and first.excluded and has_time(clause)


def _put_in_place_of_left_out(bracket: Bracket, clause: list[Node]) -> None:
    at = next(at for at, node in enumerate(clause) if isinstance(node, WhichDays))
    days = clause[at]
    assert isinstance(days, WhichDays)
    attach(bracket.item, days, bracket.run)
    hours = [node for node in clause[at + 1 :] if not is_op(node, "then")]
    clause[:] = [replace(days, excluded=False), *dropwhile(lambda node: isinstance(node, Sep), hours)]


def _read_hours(bracket: Bracket, clause: list[Node]) -> None:
    bare = _are_hours_alone(clause)
    for run in bracket.read_hours(clause):
        run.bracket = replace(run.bracket, alone=bare) if run.bracket is not None else None


def _leaves_the_evening(bracket: Bracket, clause: list[Node]) -> bool:
    operators = operators_in(clause)
    named = operators >= {"only", "evening"} and has(clause, Cond)
    return named and bracket.item.clock.time >= NOON


def _take_mornings(bracket: Bracket, clause: list[Node]) -> None:
    conds = [left_out(node) for node in clause if isinstance(node, When)]
    for other in bracket.run.items:
        if other.clock.time < NOON:
            other.restrictions.extend(conds)


def _comment(bracket: Bracket, clause: list[Node]) -> None:
    items, item, said = bracket.run.items, bracket.item, operators_in(clause)
    counted = hour_counted(clause) if said else ""
    if counted == "unread":
        for one in items:
            one.qualify(LeftOpen())
    elif counted and "only" in said:  # "(w wakacje tylko pierwsza)"
        limit_counted(items, counted, select(clause, When), only=True)
        return
    elif counted:
        item = items[0 if counted == "first" else -1]
    for target in (items[-2], item) if bracket.pair and len(items) > 1 else (item,):
        act(COMMENTS, bracket.note, Comment(target, bracket.run, clause, bracket.group.text))


def limit_counted(items: Sequence[TimeEntry], counted: str, conds: Sequence[Cond], *, only: bool) -> None:
    """`w lipcu bez ostatniej`, `w lipcu tylko pierwsza`: the "first" or "last" of some hours is not then, or only it is."""
    meant = items[0 if counted == "first" else -1]
    for item in items:
        if (item is meant) is not only:
            item.restrictions.extend(left_out(cond) for cond in conds)


_Rules = tuple[Rule[[Bracket, list[Node]]], ...]
CLAUSES: Final[_Rules] = (
    Rule("begins with what the hour is", _begins_with_remark, _take_remark, goes_on=True),
    Rule("begins with the days of the hour", _begins_with_days, _take_days, goes_on=True),
    Rule("tells the hour of the days that it leaves out", _tells_hour_of_left_out, _put_in_place_of_left_out, goes_on=True),
    Rule("tells when what comes before begins", _is_of_what_comes_before, lambda *_: None),
    Rule("says when another hour is", lambda _, clause: has_time(clause), _read_hours),
    Rule("leaves only the evening", _leaves_the_evening, _take_mornings),
    Rule("speaks of its hour", always, _comment),
)


def spread_label(runs: Sequence[TimeGroup], nodes: Sequence[Node], line: int, last: TimeEntry | None) -> None:
    """`7.00, 8.30, 10.00 (niedziela)`: a list that is named only after its hours governs all hours of its line."""
    label = next((node for node in nodes if isinstance(node, InList) and not node.excluded), None)
    for run in runs if label is not None else ():
        if not run.scope.keys() & {InList, OnDays, OnNth}:
            for item in run.items:
                named = has(item.restrictions, InList)  # "7.00, 9.00 (niedziele); 17.00 (dni powszednie)"
                if item.line == line and item is not last and label is not None and not named:
                    item.restrictions.append(label)
