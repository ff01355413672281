"""Which side of an hour: does a condition between two hours belong to the one before or to the one after it?

`18.00 - latem, 17.00 - zimą` against `latem 18.00, zimą 17.00`. What stands between two hours is cut once: what is before the
cut belongs to the hour before it. A log-linear model over named features tells how likely each cut is; where nothing else stands
between and both sides are possible, the text leaves it open (`doubts.NEAREST`). Belongs here: the choice. Not here: what becomes
of the condition (`statements`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import exp
from typing import Final, NamedTuple

from mass_pipeline.reading.doubts import NEAREST, Doubts, Question
from mass_pipeline.reading.grammar.alternatives import are_halves
from mass_pipeline.reading.phrases.nodes import (
    NARROWING,
    AtPlace,
    Cond,
    Group,
    InList,
    InSeason,
    Node,
    OfKind,
    OnDays,
    Op,
    Remark,
    Sep,
    Time,
    When,
    WhichDays,
    Word,
    has,
    is_mark,
    is_op,
    marks_in,
    operators_in,
    select,
)
from mass_pipeline.reading.phrases.predicates import has_time

# For the hour before. `python -m mass_pipeline_tests.benchmarks.sides`: fitted to the 338 choices of labelled records on which a
# fault depends: 331 right, log-loss .114; of choices never seen 331 are right, log-loss .123.
WEIGHTS: Final[Mapping[str, float]] = {
    "a dash before it": 0.74,
    "a comma before it": -3.06,
    "the hour after it follows at once": -1.74,
    "a dash after it": -0.59,
    "a comma after it": 2.33,
    "a colon after it": -8.75,
    "the clause ends with one like it": 2.34,
    "a remark": 2.53,
    "a kind of another service": 2.12,
    "a Mass": 1.0,
    "days follow it": -1.5,
    "a list": -3.67,
    "a list of its own follows it": 9.0,
    "the other days": -9.0,
    "what is left out": 2.06,
    "a place after a dash": 2.0,
    "the other half of the year closes the clause": 5.02,
    "led to by an addition": -9.0,
    "led to by a limit": 2.5,
}
_NEAR: Final = 8  # nodes from one half of the year to the other
_FARTHEST: Final = 80  # nodes looked ahead
_OPEN: Final = 0.12  # least chance of the less likely side that is asked about
_JOINING: Final = ("comma", "and")
_ENDING: Final = ("comma", "and", "end")
_OF_TIME: Final = (*NARROWING, InList)
_BEFORE: Final[Mapping[str, tuple[str, ...]]] = {
    "dash": ("a dash before it",),
    "comma": ("a comma before it",),
    "and": ("a comma before it",),
}
_AFTER: Final[Mapping[str, tuple[str, ...]]] = {
    "": ("the hour after it follows at once",),
    "colon": ("a colon after it",),
    "dash": ("a dash after it",),
    "comma": ("a comma after it",),
    "and": ("a comma after it",),
}


class Between(NamedTuple):
    """What is parted: the conditions between two hours.

    Attributes:
        line: position in the document.
        start: offset of the first condition.
        times: the two hours.
    """

    line: int
    start: int
    times: str


def before(nodes: Sequence[Node], start: int, end: int, doubts: Doubts, line: int = 0) -> Iterator[int]:
    """Positions of conditions of a clause that belong to the hour before them.

    Args:
        nodes: a line or a bracket; the clause is `nodes[start:end]`.
        start, end: of the clause.
        doubts: asked where two cuts are as likely; gets every choice with its features.
        line: position in the document.
    """
    hours = [at for at in range(start, end) if isinstance(nodes[at], Time)]
    if not hours:
        return
    lead = nodes[start : hours[0]]
    denial = max((at for at, node in enumerate(lead) if is_op(node, "without")), default=-1)
    time_first = all(map(_leads_to_hours, lead[denial + 1 :]))
    last = max(at for at in range(start, end) if isinstance(nodes[at], (Time, Cond)))
    paired = False  # an hour before has its days behind it
    for hour, then in zip(hours, [*hours[1:], -1], strict=True):
        block = [at for at in range(hour + 1, then if then >= 0 else end) if isinstance(nodes[at], Cond)]
        if not block:
            continue
        if then < 0:
            yield from _closing(nodes, hour, block, end, time_first=time_first, paired=paired)
        else:
            named = tuple(
                tuple(features(nodes, block, number, hour, (last, end), time_first=time_first)) for number in range(len(block))
            )
            times = " ".join(node.clock.time for node in (nodes[hour], nodes[then]) if isinstance(node, Time))
            between = Between(line, nodes[block[0]].start, times)
            cut = choose(between, named)
            doubts.cuts.append((*between, cut, named))
            is_bare = hour + 1 == block[0] == then - 1 and isinstance(nodes[block[0]], NARROWING)  # `8.00 wtorek 18.00`
            if is_bare and cut == 0 and time_first and chances(named)[1] > _OPEN:
                cut = int(doubts.answer(Question("nearest", times), NEAREST) == "before")
            paired = paired or any(isinstance(nodes[at], WhichDays) for at in block[:cut])
            yield from block[:cut]


def _leads_to_hours(node: Node) -> bool:
    """Whether a node before the first hour of a clause leaves it open on which days that is."""
    if isinstance(node, Op):
        return node.name == "then"  # "kto pyta, kiedy u nas Msza święta"
    return isinstance(node, (Word, Sep, AtPlace)) or (isinstance(node, OfKind) and node.value in ("mass", "anchor"))


def choose(between: Between, named: Sequence[Sequence[str]]) -> int:
    """How many of the conditions between two hours belong to the one before.

    Args:
        between: which conditions.
        named: the features of each.
    """
    likely = chances(named)
    return likely.index(max(likely))


def chances(named: Sequence[Sequence[str]]) -> list[float]:
    """How likely it is that none, the first one, the first two ... belong to the hour before; they make one."""
    scores = [*accumulate((sum(WEIGHTS[name] for name in one) for one in named), initial=0.0)]
    parts = [exp(score - max(scores)) for score in scores]
    return [part / sum(parts) for part in parts]


def features(
    nodes: Sequence[Node], block: Sequence[int], number: int, hour: int, ends: tuple[int, int], *, time_first: bool
) -> Iterator[str]:
    """What speaks for and against the hour before, of one condition of a block that hours surround.

    Args:
        nodes: a line or a bracket.
        block: positions of the conditions between two hours.
        number: of the condition among them.
        hour: position of the hour before.
        ends: position of the last hour or condition of the clause, and of its end.
        time_first: whether nothing before the first hour of the clause says when it is.
    """
    at, (last, end) = block[number], ends
    cond = nodes[at]
    assert isinstance(cond, Cond)
    since = block[number - 1] if number else hour
    gap, ahead = mark_between(nodes, since, at), mark_after(nodes, at, end)
    yield from _BEFORE.get(gap, ())
    yield from _AFTER.get(ahead, ())
    if isinstance(cond, _OF_TIME) and (time_first or gap == "dash") and at < last and type(nodes[last]) is type(cond):
        yield "the clause ends with one like it"
    yield from _of_dimension(cond, gap, time_first=time_first)
    following = block[number + 1] if number + 1 < len(block) else at
    if isinstance(cond, (Remark, OfKind)) and isinstance(nodes[following], WhichDays) and not mark_between(nodes, at, following):
        yield "days follow it"
    if time_first and isinstance(cond, InList) and isinstance(nodes[following], InList) and following != at:
        yield "a list of its own follows it"  # `18.00 w dni powszednie, w niedziele 9.00`: one each
    if isinstance(cond, InSeason) and _closes_with_other_half(nodes, at, last):
        yield "the other half of the year closes the clause"
    if cond.excluded and ahead in _JOINING:
        yield "what is left out"
    operators = operators_in(nodes[since + 1 : at])
    if "also" in operators and isinstance(cond, When):
        yield "led to by an addition"
    elif "only" in operators and isinstance(cond, InSeason) and time_first and gap == "":
        yield "led to by a limit"


def _of_dimension(cond: Cond, gap: str, *, time_first: bool) -> Iterator[str]:
    """What the dimension of a condition speaks for."""
    if isinstance(cond, Remark):
        yield "a remark"
    elif isinstance(cond, InList):
        yield "a list"
    elif isinstance(cond, AtPlace) and gap == "dash":
        yield "a place after a dash"
    elif isinstance(cond, OfKind) and cond.value == "mass":
        yield "a Mass"
    elif isinstance(cond, OfKind) and (time_first or gap == "dash"):
        yield "a kind of another service"
    if cond.is_rest:
        yield "the other days"


def _closing(
    nodes: Sequence[Node], hour: int, block: Sequence[int], end: int, *, time_first: bool, paired: bool
) -> Iterator[int]:
    """The conditions after the last hour of a clause that belong to it: all but those that lead on."""
    since = hour
    for at in block:
        cond = nodes[at]
        assert isinstance(cond, Cond)
        gap, ahead = mark_between(nodes, since, at), mark_after(nodes, at, end)
        if cond.is_rest:  # "w inne dni", but "17.00 - w inne dni"
            belongs = (time_first or paired) and gap in ("", "dash") and ahead == "end" and isinstance(cond, OnDays)
        elif isinstance(cond, InList) and not cond.excluded:
            belongs = (gap == "dash" and ahead != "colon") or (time_first and since == hour and gap == "" and ahead in _ENDING)
        elif isinstance(cond, AtPlace) and _leads_to_bracket(nodes, at):
            belongs = False
        else:
            belongs = ahead != "colon" or (gap == "dash" and time_first and _leads_to_days(nodes, at))
        if not belongs:
            return
        yield at
        since = at


def _leads_to_bracket(nodes: Sequence[Node], at: int) -> bool:
    """`7.00, w kościele św. Anny (sobota 16.45)`: the place is that of the hours in the bracket."""
    following = nodes[at + 1] if at + 1 < len(nodes) else None
    return isinstance(following, Group) and has_time(following.nodes) and has(following.nodes, WhichDays)


def _closes_with_other_half(nodes: Sequence[Node], at: int, last: int) -> bool:
    """`17.00 zimą, 18.00 latem`: a single hour follows, and after it the other half of the year."""
    if last - at > _NEAR or not are_halves(nodes[at], nodes[last]):
        return False
    between = select(nodes[at + 1 : last], (Time, Cond))
    return len(between) == 1 and isinstance(between[0], Time)


def _leads_to_days(nodes: Sequence[Node], at: int) -> bool:
    """`18.00 - w roku szkolnym: poniedziałek, środa`: the colon leads to the days of the same hour."""
    behind = [node for node in nodes[at + 1 : at + 4] if not (isinstance(node, Word) and node.marker)]
    days = behind[1] if len(behind) > 1 and isinstance(behind[0], Sep) else None
    return isinstance(nodes[at], InSeason) and isinstance(days, OnDays)


def mark_between(nodes: Sequence[Node], since: int, at: int) -> str:
    """The marks between two positions: "", "comma", "and", "dash" or "colon"; a dash counts more than a comma."""
    marks = marks_in(nodes[since + 1 : at])
    if "dash" not in marks:
        return marks[-1] if marks else ""
    return "comma" if marks[:2] == ["comma", "dash"] and isinstance(nodes[at], WhichDays) else "dash"


def mark_after(nodes: Sequence[Node], at: int, end: int) -> str:
    """The mark right after a condition and its companions: "" when an hour follows at once, "end" at the end of the clause."""
    position = at + 1
    while position < min(end, at + _FARTHEST) and _is_companion(nodes, position, end):
        position += 1
    if position >= end:
        return "end"
    node = nodes[position]
    if position + 1 == len(nodes) and is_mark(node, "comma"):
        return "end"  # "9.00, 11.00 – w niedziele," is an item of a list
    return node.name if isinstance(node, Sep) else ""


def _is_companion(nodes: Sequence[Node], position: int, end: int) -> bool:
    """Nodes that belong to the condition before them: further conditions, small words, brackets."""
    node = nodes[position]
    if isinstance(node, (Cond, Op, Group, Word)):
        return True
    following = nodes[position + 1] if position + 1 < end else None
    return is_mark(node, "and") and isinstance(following, Cond)
