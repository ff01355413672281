"""Plans of a week: `Wtorek 20:00 – spotkanie`, `Piątek 20:00 – planszówki` in one list, of which only some are Masses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mass_pipeline.reading.grammar.time_groups import DaysFrom, TimeEntry, TimeGroup
from mass_pipeline.reading.phrases.nodes import Cond, NodeLine, OnDays, Sep, Time, Word
from mass_pipeline.reading.phrases.predicates import plain_words_of

_NEAR: Final = 4  # lines on either side
_LEAST_WORDS: Final = 2  # that lead to an hour
_LEAST_NODES: Final = 4  # of a row: day, hour, dash, words
_LEAST: Final = 2  # other events near by that make a plan
_NO_MASS: Final = frozenset({"event", "devotion", "adoration", "office", "confession"})


def leave_other_events(runs: Sequence[TimeGroup], lines: Sequence[NodeLine]) -> None:
    """What a line of such a plan names in other words is no Mass unless it says so.

    Args:
        runs: of a notice; kinds of their items are changed.
        lines: of the notice.
    """
    rows = {line.index for line in lines if _is_row(line)}
    if len(rows) <= _LEAST:
        return
    items: dict[int, list[TimeEntry]] = {}
    for item in (item for run in runs for item in run.items if item.line in rows):
        items.setdefault(item.line, []).append(item)
    events = [line for line, found in items.items() if all(item.kind in _NO_MASS for item in found)]
    for line, found in items.items():
        if sum(abs(line - event) <= _NEAR for event in events) < _LEAST:
            continue
        for item in found:
            if item.is_live and not item.has_own_kind:
                item.kind = "event"


def leave_other_sentences(runs: Sequence[TimeGroup], lines: Sequence[NodeLine]) -> None:
    """`Powrót ostatnim wyciągiem o 17.30.` below a sentence on Sunday's Mass: other words lead to the hour, and no day or Mass.

    Args:
        runs: of a notice; kinds of their items are changed.
        lines: of the notice.
    """
    below = [(run, item) for run in runs if run.stands_beside for item in run.items if _is_below_hours(run, item)]
    held = {item.line for _, item in below}
    telling = {line.index for line in lines if line.index in held and _tells_of_something_else(line)}
    for _, item in below if telling else ():
        if item.line in telling and item.is_live and not item.has_own_kind:
            item.kind = "event"


def _is_below_hours(run: TimeGroup, item: TimeEntry) -> bool:
    """Whether the days that govern an hour stand beside the hours of an earlier line, and head no list."""
    if run.days_from is DaysFrom.OWN_LINE:
        return item.line != run.items[0].line
    return run.days_from is DaysFrom.HOURS_ABOVE


def _tells_of_something_else(line: NodeLine) -> bool:
    """Whether several words that mean nothing to the grammar, and nothing else, lead to the first hour of a line."""
    first = next((at for at, node in enumerate(line.nodes) if isinstance(node, Time)), 0)
    before = line.nodes[:first]
    words = sum(plain_words_of(node) for node in before if isinstance(node, Word))
    return words >= _LEAST_WORDS and all(isinstance(node, Word) for node in before)


def _is_row(line: NodeLine) -> bool:
    """Whether a line is a day, an hour, a dash and words."""
    if len(line.nodes) < _LEAST_NODES:
        return False
    first = next((node for node in line.nodes if not (isinstance(node, Word) and node.marker)), None)
    if not isinstance(first, Cond) or not isinstance(first, OnDays):
        return False
    said = [node for node in line.nodes if not (isinstance(node, Word) and node.marker)]
    if len(said) < _LEAST_NODES or not isinstance(said[1], Time):
        return False
    dash = isinstance(said[2], Sep) and said[2].name in ("dash", "bar", "colon")
    return dash and isinstance(said[3], (Word, Cond))
