"""What a condition, a word or a bracket does where it stands: tables of rules, of which the first that applies acts.

Belongs here: statements within a clause, and which hours and days a negation means. Not here: what brackets say of their hour
(`brackets`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING, Final, TypeVar

from mass_pipeline.reading.grammar.alternatives import are_halves
from mass_pipeline.reading.grammar.brackets import limit_counted, names_other_half, spread_label
from mass_pipeline.reading.grammar.denials import names_something_else
from mass_pipeline.reading.grammar.non_restrictive import IN_HONOUR, comes_along, surrounds
from mass_pipeline.reading.grammar.outline import BESIDE_MASSES, BREAKING_KINDS, Said
from mass_pipeline.reading.grammar.rules import Rule, always, leave
from mass_pipeline.reading.grammar.sides import mark_after
from mass_pipeline.reading.grammar.time_groups import (
    ADDS,
    ONLY,
    STATES,
    Adds,
    ItsDays,
    ItsHours,
    Joined,
    Keeps,
    LeftOpen,
    OfWord,
    Only,
    OrElse,
    Removes,
    Replaces,
    SameAs,
    Scope,
    TimeEntry,
    TimeGroup,
    Unread,
)
from mass_pipeline.reading.phrases.chunker import ONE
from mass_pipeline.reading.phrases.nodes import (
    NARROWING,
    AtPlace,
    Cond,
    Dated,
    Days,
    Group,
    InList,
    InSeason,
    Node,
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
    ends_clause,
    excluded,
    first_of,
    has,
    is_mark,
    is_op,
    operators_in,
    select,
)
from mass_pipeline.reading.phrases.predicates import (
    denies_time,
    goes_on_to_time,
    half_named,
    has_time,
    hour_counted,
    is_denied,
    leads_to_time,
    rest_of_clause,
    times_before_bracket,
)
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.parts_of_day import (
    EVENING,
    SEASONS_APART_MINUTES,
    is_in_half,
    may_be_one_mass,
    may_be_seasonal_pair,
)

if TYPE_CHECKING:
    from mass_pipeline.reading.grammar.reader import Reader

_SEVERAL: Final = 2  # hours
_REST: Final = re.compile(r"pozostal|reszt|inn[aey]|drug")  # folded
_EVERY_MASS: Final = re.compile(r"\bkazd\w+ (?:\w+ )?(?:msz|mass)")  # folded
_BEFORE_MASSES: Final = frozenset({"confession", "from", "adoration"})  # kinds of an hour
_NEAR: Final = 8  # nodes before a bracket that say what its hours are
_NEAR_DENIAL: Final = 6  # nodes after a negation
_ONE_OF_THEM: Final = re.compile(r"\b(?!swiet|zadn|kazd|parafi|[tj]ej|niej)\w+ej\b")  # folded: "bez popołudniowej"
_MAIN: Final = re.compile(r"sum[aey]\b")  # folded
_BEFORE_NOON, _BEHIND_NOON = "11:00", "13:00"  # between which the main Mass of a Sunday begins
_FOR_EXAMPLE: Final = ("np", "m.in", "jak np")  # folded
_FARTHEST: Final = 80  # nodes and hours looked back on
Nodes = Sequence[Node]
AnyNode = TypeVar("AnyNode", bound=Node)
Rules = Sequence[Rule[["Reader", AnyNode, Nodes, int]]]


# --- conditions --------------------------------------------------------------------------------------------------------


def _break_clause(reader: Reader, cond: Cond, nodes: Nodes, at: int) -> None:
    reader.clause = type(reader.clause)()
    reader.say(cond)


def _is_after_hour(reader: Reader, cond: Cond, nodes: Nodes, at: int) -> bool:
    """Whether an hour stands before the condition in its clause, and neither others that wait nor a denial at its side."""
    return reader.clause.last is not None and reader.run is not None and not reader.block and not is_denied(nodes, at)


def _has_substitute(reader: Reader, cond: Cond, nodes: Nodes, at: int) -> bool:
    """`18.00 oprócz środy - 10.00`, `18.00, oprócz środy, gdy jest o 10.00`: an hour of the days that are left out follows."""
    if not (isinstance(cond, WhichDays) and cond.excluded and _is_after_hour(reader, cond, nodes, at)):
        return False
    clause = rest_of_clause(nodes, at)
    leads = mark_after(nodes, at, len(nodes)) in ("", "dash", "colon") or "then" in operators_in(clause)
    return leads and has_time(clause)


def _except(reader: Reader, cond: Cond, nodes: Nodes, at: int) -> None:
    evening = "evening" in operators_in(rest_of_clause(nodes, at))  # the other hours are as on all days
    reader.leave_out(cond, evening=evening)
    reader.substitute(cond, ADDS if evening else ONLY)


def _is_of_something_else(reader: Reader, cond: Cond, nodes: Nodes, at: int) -> bool:
    """Whether a kind after an hour is not what happens at it: a Mass after a comma, or what follows the Mass.

    `spowiedź od 16.30, Msza św. jak zwykle`; `17.30, po niej nabożeństwo majowe / różaniec`; `7.00 – przed Mszą godzinki`.
    """
    last = reader.clause.last
    if not isinstance(cond, OfKind) or last is None or not _belongs_to_hour_before(reader, cond, nodes, at):
        return False
    if cond.value == "mass":
        return reader.clause.gap == "comma" and last.kind in _BEFORE_MASSES and last.heading < 0
    behind = (node for node in nodes if last.clock.end <= node.start < cond.start)
    return last.kind == "mass" and cond.value in BESIDE_MASSES and any(map(surrounds, behind))


def _belongs_to_hour_before(reader: Reader, cond: Cond, nodes: Nodes, at: int) -> bool:
    return at in reader.before and _is_after_hour(reader, cond, nodes, at)


def _leaves_a_half(reader: Reader, cond: Cond, nodes: Nodes, at: int) -> bool:
    """`7.00, 18.00, w soboty tylko rano`: whether words without an hour say which half of the day is left then."""
    rest = rest_of_clause(nodes, at)
    only = "only" in operators_in(rest)
    return only and isinstance(cond, NARROWING) and reader.run is not None and not has_time(rest) and half_named(rest) != ""


def _leave_half(reader: Reader, cond: Cond, nodes: Nodes, at: int) -> None:
    assert reader.run is not None
    rest = rest_of_clause(nodes, at)
    for item in reader.run.items:
        if not is_in_half(item.clock.time, half_named(rest)):
            item.restrictions.append(replace(cond, excluded=True))  # also of "oprócz środy, gdy jest tylko wieczorna"
    reader.clause.denied = tuple(rest)


def _is_days_or_season(reader: Reader, cond: Cond, nodes: Nodes, at: int) -> bool:
    """`w soboty i wakacje`: days and a season joined by "i" are one or the other, or both at once: nobody can say."""
    near = [node for node in nodes[max(0, at - _NEAR_DENIAL) : at] if not isinstance(node, Word)]
    before, mark = (None, None, *near)[-2:]
    joined = is_mark(mark, "and") and isinstance(before, When) and isinstance(cond, When)
    return joined and isinstance(before, InSeason) != isinstance(cond, InSeason)


def _say_either(reader: Reader, cond: Cond, nodes: Nodes, at: int) -> None:
    reader.say(cond)
    scope: Scope = {type(said.cond): said.cond for said in reader.block if isinstance(said.cond, OnDays)}
    reader.runs.append(TimeGroup(scope, effect=Unread(ItsDays(""), "i")))
    reader.clause.said += (LeftOpen(),)


def _comes_along_then(reader: Reader, cond: Cond, nodes: Nodes, at: int) -> bool:
    told = reader.time_first or isinstance(cond, InSeason)
    if not told or not isinstance(cond, NARROWING) or not _belongs_to_hour_before(reader, cond, nodes, at):
        return False
    rest = rest_of_clause(nodes, at - 1)
    marks = [node.name for node in rest if isinstance(node, Sep) and node.name not in ("dash", "colon")]
    several = isinstance(cond, InSeason) or reader.clause.gap == "comma" or bool(marks)
    in_honour = any(str(node.value).startswith(IN_HONOUR) for node in select(rest, Remark))  # "o Matce Bożej"
    return (several or in_honour) and not has_time(rest) and comes_along(reader.run, rest)


def _leave_rest(reader: Reader, node: Node, nodes: Nodes, at: int) -> None:
    reader.clause.denied = tuple(rest_of_clause(nodes, at))


CONDITIONS: Final[Rules[Cond]] = (
    Rule("said by the negation before it", lambda reader, cond, *_: any(cond is known for known in reader.clause.denied), leave),
    Rule(
        "a person or an address begins something else",
        lambda _, cond, *rest: isinstance(cond, OfKind) and cond.value in BREAKING_KINDS,
        _break_clause,
    ),
    Rule("says which half of the day is left then", _leaves_a_half, _leave_half),
    Rule("left out, another hour follows", _has_substitute, _except),
    Rule("tells not what happens at the hour before", _is_of_something_else, leave),
    Rule("tells what comes along then", _comes_along_then, _leave_rest),
    Rule("belongs to the hour before", _belongs_to_hour_before, lambda reader, *given: reader.attach(*given)),
    Rule("days or a season govern the hours to come", _is_days_or_season, _say_either),
    Rule("governs the hours to come", always, lambda reader, cond, *_: reader.say(cond)),
)


# --- denials: "w soboty bez Mszy", "17.00 zamiast 18.00" ---------------------------------------------------------------


def drop_days(pending: Sequence[Said], run: TimeGroup | None, nodes: Sequence[Node], index: int) -> list[Said]:
    """`w soboty bez Mszy (wieczornej)`: the days and seasons that wait lose the hours of their list; the rest waits on.

    A season that a list follows within the clause holds for that list too: `zimą w tygodniu bez porannej, w niedziele o 7.30`.
    """
    by_run = removal_of_days(pending, run, nodes, index)
    elsewhere = place_denied(by_run, run)
    conds = [item.cond for item in pending if isinstance(item.cond, NARROWING) or item.cond in elsewhere]
    half = half_denied(nodes, index)
    if run is not None and not (by_run and half) and not elsewhere:
        op = nodes[index]
        single = isinstance(op, Op) and op.says == ONE and not half
        items = _main_of(run) if main_mass_denied(nodes, index) else run.items[-1:] if single else run.items
        for item in items:
            if is_in_half(item.clock.time, half):
                item.restrictions.extend(excluded(cond) for cond in conds)
    clause = rest_of_clause(nodes, index)
    goes_on = has_time(clause) and has(clause, InList)
    same_days = has_time(clause) and not has(clause, WhichDays)  # "wieczornej nie ma, jest rano o 8.00"
    kept = (InSeason, WhichDays) if same_days else InSeason if goes_on else ()
    return [item for item in pending if item.cond not in conds or isinstance(item.cond, kept)]


def place_denied(removed: Sequence[TimeGroup], run: TimeGroup | None) -> tuple[Cond, ...]:
    """The place of a removal that is another one than that of the hours before: `W wakacje nie ma Mszy w kaplicy`."""
    places = (one.scope[AtPlace] for one in removed if AtPlace in one.scope)
    return tuple(place for place in places if run is None or str(place.value) != run.place())


def half_denied(nodes: Sequence[Node], index: int) -> str:
    """Which half of the day the words after a negation name, or those before it: `morning`, `evening` or neither.

    `W soboty nie ma Mszy wieczornej`, `Sobotniej wieczornej u nas nie ma`.
    """
    before = takewhile(lambda node: not isinstance(node, (Time, Sep)), reversed(nodes[max(0, index - _NEAR_DENIAL) : index]))
    behind = takewhile(lambda node: not isinstance(node, Sep), nodes[index + 1 : index + _NEAR_DENIAL])
    return half_named(list(behind)) or half_named(list(before))


def main_mass_denied(nodes: Sequence[Node], index: int) -> tuple[Remark, ...]:
    """The word for the main Mass right after a negation, as in `w wakacje bez sumy`; empty where another word stands there."""
    said = takewhile(lambda node: not isinstance(node, (Time, Sep)), nodes[index + 1 : index + _NEAR_DENIAL])
    behind = first_of(said, Remark)
    return (behind,) if behind is not None and _MAIN.match(fold(str(behind.value))) else ()


def _main_of(run: TimeGroup) -> list[TimeEntry]:
    """The hour that is called the main Mass, or the only one about noon; [] where neither tells."""
    named = [item for item in run.items if any(_MAIN.match(fold(note)) for note in item.notes)]
    about_noon = [item for item in run.items if _BEFORE_NOON <= item.clock.time <= _BEHIND_NOON]
    return named or (about_noon if len(about_noon) == 1 else [])


def hours_before(run: TimeGroup, nodes: Sequence[Node], index: int) -> list[TimeEntry]:
    """The last hours of a run that a negation after them means.

    `W wakacje Msze o 10.00 i 12.00 nie są odprawiane` means both; `8.00, 10.00, 12.00 nie ma w lipcu` the last one.
    """
    last = run.items[-1]
    before = nodes[max(0, index - _FARTHEST) : index]
    names_list = has(before, InList)
    if InSeason not in run.scope or not (last.has(Joined) or not names_list):
        return [last]
    return list(reversed(list(takewhile(lambda item: item.line == last.line, reversed(run.items[-_FARTHEST:])))))


def conditions_after(nodes: Sequence[Node], index: int) -> tuple[Cond, ...]:
    """Seasons and days right after a negation: those of `8.30 - nie ma w wakacje`; empty when there are none."""
    found: list[Cond] = []
    for node in nodes[index + 1 :]:
        if isinstance(node, When):
            found.append(node)
        elif not (isinstance(node, (Word, OfKind)) or (found and is_mark(node, "and"))):
            break
    return tuple(found)


def removal_of_days(pending: Sequence[Said], run: TimeGroup | None, nodes: Sequence[Node], index: int) -> list[TimeGroup]:
    """`W poniedziałki nie ma Mszy (wieczornej)`: a run that takes the days out of every list of the place."""
    conds: Scope = {type(item.cond): item.cond for item in pending if isinstance(item.cond, (*NARROWING, AtPlace))}
    if InSeason in conds and AtPlace not in conds:
        behind = select(nodes[index + 1 : index + _NEAR_DENIAL], AtPlace)
        conds |= {AtPlace: behind[0]} if behind else {}
    named = conds.keys() & {OnDays, OnNth} or conds.keys() >= {InSeason, AtPlace}
    if not named or any(cond.excluded for cond in conds.values()) or main_mass_denied(nodes, index):
        return []
    if run is not None and AtPlace in run.scope:
        conds.setdefault(AtPlace, run.scope[AtPlace])
    return [TimeGroup(conds, effect=Removes(ItsDays(half_denied(nodes, index))))]


# --- words -------------------------------------------------------------------------------------------------------------


def _does(effect: Adds | Only | Removes) -> Callable[[Reader, Op, Nodes, int], None]:
    """What a word says that the hours to come in its clause do."""
    return lambda reader, op, nodes, at: reader.clause.does(effect)


def _replace_next(reader: Reader, op: Op, nodes: Nodes, at: int) -> None:
    reader.clause.replaces = Replaces("")


def _call_former(reader: Reader, op: Op, nodes: Nodes, at: int) -> None:
    reader.former = op.name == "former"  # the hours to come are those of an old order, until the sentence ends


def _denies_something_else(reader: Reader, op: Op, nodes: Nodes, at: int) -> bool:
    clause = list(takewhile(_is_of_clause, nodes[at + 1 :]))
    plain = all(isinstance(node, (Word, Sep)) for node in clause)
    counted = hour_counted(clause) or _names_one(clause)
    return bool(clause) and plain and not counted and names_something_else(nodes, at)


def _gives_way(reader: Reader, op: Op, nodes: Nodes, at: int) -> bool:
    """`w soboty nie o 8.00, lecz o 9.00`."""
    behind = select(rest_of_clause(nodes, at), (Time, Cond, Op))
    return len(select(behind, Time)) > 1 and isinstance(behind[0], Time)


def _denies_the_rest(reader: Reader, op: Op, nodes: Nodes, at: int) -> bool:
    since = takewhile(lambda node: not isinstance(node, Time), reversed(nodes[:at]))
    left = reader.run is not None and isinstance(reader.run.effect, Only)
    said = (node.text if isinstance(node, Word) else str(node.value) for node in since if isinstance(node, (Word, Cond)))
    return left and any(_REST.match(fold(words)) for words in said)


def _counted(reader: Reader, nodes: Nodes, at: int) -> str:
    """Which hour of the list before it a word speaks of: `first`, `last`, `unread`, or "" where none is counted."""
    before = list(takewhile(_is_of_clause, reversed(nodes[:at])))[::-1]
    behind = list(takewhile(_is_of_clause, nodes[at + 1 :]))
    if any(node.value in BESIDE_MASSES for node in select(behind, OfKind)):
        return ""  # "Po ostatniej Mszy nie ma spowiedzi"
    counted = hour_counted([*before, *behind]) or ("unread" if _names_one(behind) else "")
    run = reader.run
    if not counted or run is None or len(run.items) < _SEVERAL:
        return counted and "unread"
    of_list = has((*before, *behind), (InList, OnNth))
    below_several = run.items[-1].line != reader.line and len(reader.runs) > 1
    return "unread" if of_list or below_several else counted


def _names_one(behind: Nodes) -> bool:
    """`bez popołudniowej`, `nie ma Mszy dla dzieci`: whether one Mass of a list is denied by a word that no rule tells it by."""
    said = list(takewhile(lambda node: not isinstance(node, Sep), behind[:_NEAR_DENIAL]))
    if half_named(said) or any(isinstance(node, Remark) and _MAIN.match(fold(str(node.value))) for node in said):
        return False
    words = (fold(node.text) for node in said if isinstance(node, Word))
    return any(map(_ONE_OF_THEM.search, words)) or any(str(node.value).startswith("dla ") for node in select(said, Remark))


def _is_of_clause(node: Node) -> bool:
    return not isinstance(node, Time) and not ends_clause(node)


def _denies_counted(reader: Reader, op: Op, nodes: Nodes, at: int) -> bool:
    return bool(reader.runs) and _counted(reader, nodes, at) != ""


def _limit_counted(reader: Reader, op: Op, nodes: Nodes, at: int) -> None:
    counted, behind = _counted(reader, nodes, at), conditions_after(nodes, at)
    reader.clause.denied = behind
    conds = [*(said.cond for said in reader.block if isinstance(said.cond, NARROWING)), *behind]
    if counted == "unread" or reader.run is None or not conds:  # "bez dwóch ostatnich": a person reads which ones are meant
        reader.runs += [TimeGroup({}, effect=Unread(ItsHours(item), op.name)) for run in reader.runs for item in run.items]
    else:
        limit_counted(reader.run.items, counted, conds, only=op.name == "only")
    reader.block = [said for said in reader.block if not isinstance(said.cond, NARROWING)]


def _speaks_of_counted(reader: Reader, op: Op, nodes: Nodes, at: int) -> bool:
    return _denies_counted(reader, op, nodes, at) and not has_time(rest_of_clause(nodes, at))


def _leaves_out_of_copy(reader: Reader, op: Op, nodes: Nodes, at: int) -> bool:
    """`Święta: jak w niedzielę, oprócz Mszy o 12.30`."""
    return bool(reader.runs) and isinstance(reader.runs[-1].effect, SameAs) and denies_time(nodes, at)


def _names_another_service(reader: Reader, op: Op, nodes: Nodes, at: int) -> bool:
    """`10.00, oprócz zabaw`: whether something else than a Mass is left out, and no hour."""
    first = next((node for node in nodes[at + 1 :] if not isinstance(node, Word)), None)
    return isinstance(first, OfKind) and first.value != "mass" and not denies_time(nodes, at)


def _remove_days(reader: Reader, op: Op, nodes: Nodes, at: int) -> None:
    run, latest = reader.run, reader.runs[-1] if reader.runs and reader.runs[-1].items else None
    if run is None and latest is not None and latest.items[-1].line == reader.line:
        run = latest  # of an earlier sentence of the line
    removed = removal_of_days(reader.block, run, nodes, at)
    left = drop_days(reader.block, reader.run, nodes, at)
    if not removed and not has((said.cond for said in reader.block), NARROWING):
        # "w tygodniu bez Mszy dla dorosłych": nobody can say which ones
        scope = {type(said.cond): said.cond for said in left}
        removed = [TimeGroup(scope, effect=Unread(ItsDays(half_denied(nodes, at)), op.says or op.name))]
        left = left if has_time(rest_of_clause(nodes, at)) else []
    reader.block = left
    elsewhere = place_denied(removed, reader.run)
    reader.clause.denied = (*elsewhere, *main_mass_denied(nodes, at)) or reader.clause.denied
    reader.runs.extend(removed)


def _is_of_other_half(reader: Reader, op: Op, nodes: Nodes, at: int) -> bool:
    return names_other_half(reader.clause.last, nodes[max(0, at - 3) : at + 6])


def _remove_before(reader: Reader, op: Op, nodes: Nodes, at: int) -> None:
    assert reader.run is not None
    denied, conds = hours_before(reader.run, nodes, at), conditions_after(nodes, at)
    if conds:
        reader.clause.denied = conds
        for item in denied:
            item.restrictions.extend(excluded(cond) for cond in conds)
        return
    del reader.run.items[len(reader.run.items) - len(denied) :]
    taken = TimeGroup(reader.outline.scope(), denied, effect=Removes(), bracket=reader.bracket)
    reader.runs.append(taken)
    reader.run, reader.clause.last = None, None


def _copy(reader: Reader, op: Op, nodes: Nodes, at: int) -> None:
    assert op.days is not None
    reader.outline.enter(reader.block, reader.line)
    reader.block = []
    reader.runs.append(TimeGroup(reader.outline.scope(), effect=SameAs(op.days)))
    reader.run, reader.clause.last = None, None


def _keep_elsewhere(reader: Reader, op: Op, nodes: Nodes, at: int) -> None:
    assert reader.run is not None
    reader.run.effect = Keeps()


def _leave_open(reader: Reader, op: Op, nodes: Nodes, at: int) -> None:
    reader.clause.said += (LeftOpen(),)
    if reader.clause.last is not None:
        reader.clause.last.qualify(LeftOpen())


def _takes_place_of_next(reader: Reader, op: Op, nodes: Nodes, at: int) -> bool:
    """`jest o 8.45 zamiast o 6.30`: whether the hour before takes the place of the one behind, after which none stands."""
    behind = select(rest_of_clause(nodes, at), (Time, Op))
    last, run = reader.clause.last, reader.run
    if last is None or run is None or run.items[-1:] != [last] or [type(node) for node in behind] != [Time]:
        return False
    between = [node for node in nodes[:at] if node.start >= last.clock.end]
    return not any(isinstance(node, Cond if op.name == "not" else (Cond, Sep)) for node in between)


def _take_place_of_next(reader: Reader, op: Op, nodes: Nodes, at: int) -> None:
    assert reader.run is not None
    hour = next(node for node in rest_of_clause(nodes, at) if isinstance(node, Time))
    reader.runs.append(TimeGroup(reader.run.scope, [reader.run.items.pop()], effect=Replaces(hour.clock.time)))
    reader.clause.replaces = Replaces("")


def _takes_place_of_half(reader: Reader, op: Op, nodes: Nodes, at: int) -> bool:
    """`W piątki zamiast wieczornej o 15.00`: a half of the day stands in the place of the hour."""
    rest = rest_of_clause(nodes, at)
    named = list(takewhile(lambda node: not isinstance(node, Time), rest))
    return half_named(named) != "" and len(select(rest, Time)) == 1


def _take_place_of_half(reader: Reader, op: Op, nodes: Nodes, at: int) -> None:
    half = half_named(list(takewhile(lambda node: not isinstance(node, Time), rest_of_clause(nodes, at))))
    scope: Scope = {type(said.cond): said.cond for said in reader.block if isinstance(said.cond, NARROWING)}
    reader.runs.append(TimeGroup(scope, effect=Removes(ItsDays(half)) if scope else Unread(ItsDays(half), "zamiast")))
    reader.clause.does(ADDS)


def _join_or_doubt(reader: Reader, op: Op, nodes: Nodes, at: int) -> None:
    last = reader.clause.last
    assert last is not None
    if has_time(nodes[at + 1 :]):
        reader.clause.said += (OrElse(last),)
    elif not last.restrictions:
        last.qualify(LeftOpen())


def _take_turns(reader: Reader, op: Op, nodes: Nodes, at: int) -> None:
    last = reader.clause.last
    if last is None or goes_on_to_time(nodes, at):
        reader.clause.turns = op.says
    if last is None or leads_to_time(nodes, at):
        return
    items = reader.run.items if reader.run is not None else []
    joined = items[-2:-1] if last.has(Joined) else []  # "8.15 i 10.15 na przemian"
    for item in (*joined, last):
        item.notes.append(op.says)


def _is_within_list(reader: Reader, op: Op, nodes: Nodes, at: int) -> bool:
    """`w dni powszednie o 7.00, w środy też o 8.30, wieczorem o 17.30`: whether an hour of some days of a list stands before."""
    run, around = reader.run, reader.around
    if run is None or around is None or reader.block or len(run.items) != 1 or run.items[0].line != reader.line:
        return False
    leads = isinstance(first_of(nodes[at + 1 :], (Time, Cond, Group)), Time)
    marked = reader.clause.gap in ("comma", "and") or (reader.clause.last is None and isinstance(run.effect, Adds))
    inner, outer = run.days() or run.nth(), around.scope()
    whole = next((outer[dim].value for dim in (OnDays, InList) if dim in outer), None)
    return leads and marked and inner is not None and isinstance(whole, Days) and inner.days < whole.days


def _go_back_to_list(reader: Reader, op: Op, nodes: Nodes, at: int) -> None:
    assert reader.run is not None
    assert reader.around is not None
    reader.run.effect, reader.clause.effect, reader.outline = ADDS, STATES, reader.around


def _merge(reader: Reader, op: Op, nodes: Nodes, at: int) -> None:
    """`Msze o 6.00 łączymy z 8.00`: all hours of the sentence are old ones."""
    reader.former = True
    if reader.clause.last is not None:
        reader.clause.last.kind, reader.clause.last.said_by = "former", OfWord()


_OF_COUNTED: Final[Rule[[Reader, Op, Nodes, int]]] = Rule(
    "counts the hour of the list that is left, or left out", _speaks_of_counted, _limit_counted
)
WORDS: Final[Mapping[str, Rules[Op]]] = {  # by the name of the operator
    "instead": (
        Rule("the hour before takes the place of the next", _takes_place_of_next, _take_place_of_next),
        Rule("the next hour takes the place of a half of the day", _takes_place_of_half, _take_place_of_half),
        Rule("the next hour gives way to another", always, _replace_next),
    ),
    "without": (
        Rule("denies the rest, of which some are said to be left", _denies_the_rest, leave),
        Rule("denies something else", _denies_something_else, leave),
        Rule("denies the hours to come", lambda _, op, *where: denies_time(*where), _does(Removes())),
        Rule("denies the first or the last hour", _denies_counted, _limit_counted),
        Rule(
            "denies what was said before it",
            lambda reader, *_: has((said.cond for said in reader.block), (When, AtPlace)),
            _remove_days,
        ),
        Rule(
            "denies no hour", lambda reader, *_: reader.clause.last is None or reader.run is None or not reader.run.items, leave
        ),
        Rule("denies the other half of the day", _is_of_other_half, leave),
        Rule("denies the hours before", always, _remove_before),
    ),
    "same": (
        Rule(
            "copies another list",
            lambda reader, op, *_: op.days is not None and has((said.cond for said in reader.block), InList),
            _copy,
        ),
    ),
    "former": (Rule("begins an old order", always, _call_former),),
    "neworder": (Rule("begins the new order", always, _call_former),),
    "thattime": (
        Rule(
            "those denied take place elsewhere",
            lambda reader, *_: reader.run is not None and isinstance(reader.run.effect, Removes),
            _keep_elsewhere,
        ),
    ),
    "also": (Rule("adds hours", always, _does(ADDS)),),
    "except": (
        _OF_COUNTED,
        Rule("leaves out hours of another list", _leaves_out_of_copy, _does(Removes())),
        Rule("leaves out something else than a Mass", _names_another_service, _leave_rest),
    ),
    "not": (
        _OF_COUNTED,
        Rule("not at the next hour but at another", _gives_way, _replace_next),
        Rule("the hour before takes the place of the denied one", _takes_place_of_next, _take_place_of_next),
    ),
    "only": (_OF_COUNTED, Rule("only those to come hold", always, _does(ONLY))),
    "sometimes": (Rule("leaves open when they hold", always, _leave_open),),
    "unread": (Rule("a word without a rule of its own leaves open when they hold", always, _leave_open),),
    "or": (Rule("leaves open which of two hours holds", lambda reader, *_: reader.clause.last is not None, _join_or_doubt),),
    "alternate": (Rule("takes turns", always, _take_turns),),
    "evening": (Rule("goes back to the list", _is_within_list, _go_back_to_list),),
    "merged": (Rule("makes the hours of its sentence old ones", always, _merge),),
}


# --- brackets ----------------------------------------------------------------------------------------------------------


def _is_of_none_before(reader: Reader, group: Group, nodes: Nodes, at: int) -> bool:
    begins = reader.clause.last is None or bool(reader.block) or reader.run is None
    return begins or (reader.clause.interlude and has_time(nodes[at:]))


def _heads(reader: Reader, group: Group, nodes: Nodes, at: int) -> bool:
    if has_time(group.nodes):
        return False
    follows_bracket = at in reader.leading and (at != reader.leading[0] or Group in map(type, nodes[:at]))
    return follows_bracket or _is_of_none_before(reader, group, nodes, at)


def leading_brackets(nodes: Sequence[Node]) -> Sequence[int]:
    """`(wtorek, piątek) 18.00, (sobota) 9.00`: positions of the brackets of days, where all of them stand before their hours."""
    if Group not in map(type, nodes):
        return ()
    brackets = [at for at, node in enumerate(nodes) if _is_of_days(node)]
    return brackets if all(isinstance(_next(nodes, at), Time) for at in brackets) else ()


def _next(nodes: Sequence[Node], at: int) -> Node | None:
    return nodes[at + 1] if at + 1 < len(nodes) else None


def _is_of_days(node: Node) -> bool:
    said = [one for one in node.nodes if not isinstance(one, Sep)] if isinstance(node, Group) else []
    return bool(said) and all(isinstance(one, When) and not one.excluded for one in said)


def _is_of_next_alone(reader: Reader, group: Group, nodes: Nodes, at: int) -> bool:
    """`6.30, 8.00, (sobota) 9.00, 18.00`: days in a bracket before one hour of a list."""
    mark, hour = (nodes[at - 1], nodes[at - 2]) if at > 1 else (None, None)
    after = nodes[at + 2] if at + 2 < len(nodes) else None
    if not (is_mark(mark, "comma") and isinstance(hour, Time) and isinstance(after, Sep | None)):
        return False
    return at in reader.leading[:1] and Group not in map(type, nodes[:at])


def _keep_for_next(reader: Reader, group: Group, nodes: Nodes, at: int) -> None:
    reader.clause.own = tuple(node for node in group.nodes if isinstance(node, Cond))


def _say_bracket(reader: Reader, group: Group, nodes: Nodes, at: int) -> None:
    feasts = any(said.cond.is_of_feasts for said in reader.block)
    if feasts and has(group.nodes, InList):
        return  # "święta nakazane (gdy wypadają w dni robocze): 10.00": still feasts
    examples = feasts and (  # "święta zniesione (2 II, 3 V): 9.00", "(np. Matki Bożej Gromnicznej)"
        len(select(group.nodes, Dated)) > 1 or fold(group.text).startswith(_FOR_EXAMPLE)
    )
    for node in group.nodes:
        if isinstance(node, Cond) and not (examples and isinstance(node, Dated)):
            reader.say(node)
        elif is_op(node, "without") and not has(group.nodes, When):
            reader.clause.does(Removes())  # "Pn.–pt. (odwołane): 7.00, 18.00"
        elif isinstance(node, Op):
            reader.apply(WORDS.get(node.name, ()), node, (node, *group.nodes[1:]), 0)


def _read_apart(reader: Reader, group: Group, nodes: Nodes, at: int) -> None:
    inner = reader.apart()
    inner.read_nodes(group.nodes)
    reader.runs.extend(inner.runs)


def _read_after_hour(reader: Reader, group: Group, nodes: Nodes, at: int) -> None:
    last, run = reader.clause.last, reader.run
    assert last is not None
    assert run is not None
    pair = _is_of_pair(reader, group, nodes, at)
    left_out = nodes[at - 1]
    if hours_of_list(group) and isinstance(left_out, WhichDays) and left_out.excluded:  # "18.00 z wyjątkiem środy (17.00)"
        group = replace(group, nodes=(replace(left_out, excluded=False), *group.nodes))
    if not has_time(group.nodes):
        spread_label(reader.runs, group.nodes, reader.line, last)
        for node in group.nodes:
            if isinstance(node, Cond) and not node.excluded and isinstance(node, NARROWING):
                reader.outline.named.note(node)
        group = replace(group, nodes=tuple(reader.outline.resolved(n) if isinstance(n, Cond) else n for n in group.nodes))
    outline, line = reader.outline, reader.line
    reader.read_bracket(group, last, run, lambda: outline.below(last, run, line), pair=pair)


def _is_of_pair(reader: Reader, group: Group, nodes: Nodes, at: int) -> bool:
    """`7.00 lub 7.30 (w środy)`, `17.00 - zimą, 18.00 - latem (w sobotę)`: whether a bracket is about two hours.

    So it is in `17.00 i 18.00 (X-III) albo 19.00 i 20.00 (IV-IX)`.
    """
    run, following = reader.run, _next(nodes, at)
    if run is None or len(run.items) < 2 or has_time(group.nodes):
        return False
    one, other = run.items[-2:]
    if is_op(following, "or") and times_before_bracket(nodes, at + 2) > 1:
        return other.has(Joined) and not one.restrictions
    conds = select(group.nodes, Cond)
    if not conds or not all(isinstance(cond, WhichDays) and not cond.excluded for cond in conds):
        return False
    if any(said.other is one for said in other.said(OrElse)):
        only = has(group.nodes, Op)
        return only or may_be_one_mass(one.clock.time, other.clock.time, SEASONS_APART_MINUTES)  # "7.00 lub 7.30"
    return any(are_halves(first, second) for first in one.restrictions[-1:] for second in other.restrictions[-1:])


def _is_alternative(reader: Reader, group: Group, nodes: Nodes, at: int) -> bool:
    first = group.nodes[0] if group.nodes else None
    leads = has_time(group.nodes) and is_op(first, "or")
    return leads and reader.clause.last is not None


def _doubt_before(reader: Reader, group: Group, nodes: Nodes, at: int) -> None:
    assert reader.clause.last is not None
    reader.clause.last.qualify(LeftOpen())


def hours_of_list(group: Group) -> list[Time]:
    """The hours of a bracket that begins with one and says nothing else but when they are; [] of any other."""
    rest = [node for node in group.nodes if not isinstance(node, (Time, Sep)) and not (isinstance(node, Word) and node.marker)]
    plain = len(rest) <= 1 and all(isinstance(node, InSeason) and not node.excluded for node in rest)
    hours = select(group.nodes, Time)
    return hours if plain and hours and group.nodes[0] is hours[0] else []


def _goes_on_with_list(reader: Reader, group: Group, nodes: Nodes, at: int) -> bool:
    last = reader.clause.last
    if last is None or reader.clause.gap != "comma" or reader.block:
        return False
    hours = hours_of_list(group)
    if len(hours) != 1:
        return bool(hours)
    hour, other = last.clock.time, hours[0].clock.time
    return min(hour, other) < EVENING or not may_be_seasonal_pair(hour, other)  # else that of the other half of the year


def _read_with_list(reader: Reader, group: Group, nodes: Nodes, at: int) -> None:
    for hour in hours_of_list(group):
        reader.read_hour(hour, group.nodes, 0)
        assert reader.clause.last is not None
        reader.clause.last.restrictions.extend(node for node in group.nodes if isinstance(node, InSeason))


def _is_of_every_mass(reader: Reader, group: Group, nodes: Nodes, at: int) -> bool:
    """`Spowiedź w niedziele podczas każdej Mszy św. (7.00, 9.00)`: the bracket tells when the Masses are."""
    hours = select(group.nodes, Time)
    if len(hours) < _SEVERAL or reader.clause.last is not None:
        return False
    plain = all(isinstance(node, (Time, Sep)) or (isinstance(node, Word) and node.marker) for node in group.nodes)
    said = (node for node in nodes[max(0, at - _NEAR) : at] if isinstance(node, (Word, OfKind, Remark)))
    words = fold(" ".join(node.text if isinstance(node, Word) else str(node.value) for node in said))
    return plain and _EVERY_MASS.search(words) is not None


def _read_masses(reader: Reader, group: Group, nodes: Nodes, at: int) -> None:
    reader.say(OfKind("mass", group.start, group.start))
    for hour in (node for node in group.nodes if isinstance(node, Time)):
        reader.read_hour(hour, group.nodes, 0)
    reader.clause = type(reader.clause)()


BRACKETS: Final[Rules[Group]] = (
    Rule(
        "is the mark of a line below", lambda reader, group, *_: f"({group.text})" in [mark for mark, *_ in reader.marked], leave
    ),
    Rule("tells when the Masses are", _is_of_every_mass, _read_masses),
    Rule("is another hour of the same Mass", _is_alternative, _doubt_before),
    Rule("goes on with the list", _goes_on_with_list, _read_with_list),
    Rule("has the days of the next hour", _is_of_next_alone, _keep_for_next),
    Rule("heads the hours to come", _heads, _say_bracket),
    Rule("has hours of its own", _is_of_none_before, _read_apart),
    Rule("is of the hour before", always, _read_after_hour),
)
