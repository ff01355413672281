"""Does a condition between two hours belong to the one before or to the one after it? (field guide D, E, H)

`18.00 - latem, 17.00 - zimą` against `latem 18.00, zimą 17.00`: separators decide, then the shape of the whole clause.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mass_pipeline.schedule_grammar.attaching.runs import Run
from mass_pipeline.schedule_grammar.doubts import NEAREST, Doubts, Question
from mass_pipeline.schedule_grammar.parsing.nodes import (
    NARROWING,
    Cond,
    Days,
    Group,
    InList,
    InSeason,
    Node,
    Nth,
    OfKind,
    OnDays,
    OnNth,
    Op,
    Remark,
    Season,
    Sep,
    Time,
    Word,
)

_FARTHEST: Final = 80  # nodes looked ahead
_JOINING: Final = frozenset({"comma", "and"})


@dataclass(slots=True, init=False, unsafe_hash=True)
class Outlook:
    """What follows a condition in its clause.

    Attributes:
        separator: the mark right after the condition and its companions: "" when the next hour follows at once, "end"
            at the end of the clause.
        time_follows: whether an hour follows before the clause ends.
        ends_with_condition: whether the clause ends with a condition of the same dimension.
    """

    separator: str
    time_follows: bool
    ends_with_condition: bool

    def __init__(self, separator: str, time_follows: bool, ends_with_condition: bool) -> None:
        self.separator = separator
        self.time_follows = time_follows
        self.ends_with_condition = ends_with_condition


def belongs_to_time_before(
    cond: Cond, before: str, nodes: Sequence[Node], index: int, *, time_first: bool, doubts: Doubts
) -> bool:
    """Whether the condition at `index` qualifies the hour before it.

    Args:
        cond: the condition.
        before: the marks between the last hour and it: "", "comma", "and", "dash", "colon".
        nodes: the line; `nodes[index]` is the condition.
        index: its position.
        time_first: whether the clause began with an hour.
        doubts: asked where the condition stands as near to the hour after it.
    """
    ahead = look_ahead(cond, nodes, index)
    if (
        isinstance(cond.value, (Days, Nth, Season)) and cond.value.rest
    ):  # "w inne dni" begins something new, but "17.00 - w inne dni"
        closes = time_first and before in ("", "dash") and ahead.separator == "end" and not ahead.time_follows
        return closes and isinstance(cond, OnDays)
    if isinstance(cond, InSeason) and before == "" and ahead.separator == "" and time_first and _follows_only(nodes, index):
        return True  # "6.30 7.15 tylko w roku szkolnym 18.00"
    if isinstance(cond, InList):
        return before == "dash" and ahead.separator != "colon" and not ahead.time_follows
    if not ahead.time_follows:
        return ahead.separator != "colon" or (before == "dash" and time_first and _leads_to_days(cond, nodes, index))
    if ahead.separator == "colon":
        return False
    if ahead.separator == "":
        touches = index + 1 < len(nodes) and isinstance(nodes[index + 1], Time)  # no "o godz." that leads on
        if touches and before == "" and time_first and not ahead.ends_with_condition and isinstance(cond, NARROWING):
            return doubts.answer(Question("nearest", _between(nodes, index)), NEAREST) == "before"
        return _before_direct_time(cond, before, ahead, time_first=time_first)
    if ahead.separator == "dash":
        return before == "dash"
    if before in _JOINING:
        return isinstance(cond, (OfKind, Remark))
    return True


def _leads_to_days(cond: Cond, nodes: Sequence[Node], index: int) -> bool:
    """`18.00 - w roku szkolnym: poniedziałek, środa`: the colon leads to the days of the same hour."""
    behind = [node for node in nodes[index + 1 : index + 4] if not (isinstance(node, Word) and node.marker)]
    days = behind[1] if len(behind) > 1 and isinstance(behind[0], Sep) else None
    return isinstance(cond, InSeason) and isinstance(days, OnDays)


def _follows_only(nodes: Sequence[Node], index: int) -> bool:
    """Whether `tylko` leads to a condition."""
    before = next((node for node in reversed(nodes[:index]) if not isinstance(node, Word)), None)
    return isinstance(before, Op) and before.name == "only"


def _before_direct_time(cond: Cond, before: str, ahead: Outlook, *, time_first: bool) -> bool:
    """`A <cond> B` with nothing between the condition and B."""
    if before in _JOINING:
        return False
    if before == "dash" and isinstance(cond, NARROWING):
        return ahead.ends_with_condition  # "18.30 - latem 17.30 - zimą", but "18.00 - w wakacje 20.00"
    if before == "dash":
        return True
    if isinstance(cond, Remark):
        return True
    if isinstance(cond, OfKind):
        return time_first and cond.value != "mass"
    return time_first and ahead.ends_with_condition


def closes_line_of_hours(cond: Cond, run: Run | None, nodes: Sequence[Node], index: int) -> bool:
    """`9.00 niedziela`, `18.00 niedziela, dni powszednie`: a line that begins with hours ends with their list."""
    if not isinstance(cond, InList) or cond.excluded or run is None or run.scope.keys() & {InList, OnDays, OnNth}:
        return False
    if any(isinstance(node, Op) and node.name == "same" for node in nodes[index + 1 :]):
        return False  # "8.00, 10.00. W święta jest tak samo jak w niedzielę"
    ahead = look_ahead(cond, nodes, index)
    return ahead.separator == "end" and not ahead.time_follows


def is_substitution(cond: Cond, nodes: Sequence[Node], index: int) -> bool:
    """`18.30 z wyjątkiem piątku - 16.30`: an hour follows at once."""
    ahead = look_ahead(cond, nodes, index)
    return ahead.time_follows and ahead.separator in ("", "dash", "colon")


def _between(nodes: Sequence[Node], index: int) -> str:
    """The hours on both sides, to name the question by."""
    hours = [node.clock.time for node in nodes[:index] if isinstance(node, Time)][-1:]
    hours += [node.clock.time for node in nodes[index:] if isinstance(node, Time)][:1]
    return " ".join(hours)


def look_ahead(cond: Cond, nodes: Sequence[Node], index: int) -> Outlook:
    """What follows a condition up to the end of its clause."""
    position = index + 1
    while position < len(nodes) and _is_companion(nodes, position):
        position += 1
    separator = _separator_at(nodes, position)
    time_follows = False
    last: Node | None = None
    for node in nodes[index + 1 : index + 1 + _FARTHEST]:
        if isinstance(node, Sep) and node.strong:
            break
        time_follows = time_follows or isinstance(node, Time)
        if isinstance(node, (Time, Cond)):
            last = node
    ends = last is not None and type(last) is type(cond)
    return Outlook(separator, time_follows, ends)


def _separator_at(nodes: Sequence[Node], position: int) -> str:
    node = nodes[position] if position < len(nodes) else None
    if node is None or (position + 1 == len(nodes) and isinstance(node, Sep) and node.name == "comma"):
        return "end"  # "9.00, 11.00 – w niedziele," is an item of a list
    if isinstance(node, Sep):
        return "end" if node.strong else node.name
    return ""


def _is_companion(nodes: Sequence[Node], position: int) -> bool:
    """Nodes that belong to the condition before them: further conditions, small words, brackets."""
    node = nodes[position]
    if isinstance(node, (Cond, Op, Group)):
        return True
    if isinstance(node, Word):
        return True
    following = nodes[position + 1] if position + 1 < len(nodes) else None
    return isinstance(node, Sep) and node.name == "and" and isinstance(following, Cond)
