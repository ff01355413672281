"""Two orders in one text for the same days that differ: an old one above a new one, the words of another parish, a slip.

Whatever their words, nobody can say which holds, so the hours wait that only one of them has. Belongs here: plain lists of all
the year. Not here: what replaces what (`overrides`), orders of other pages and blocks (`reading.regular.combining`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from mass_pipeline.reading.grammar.time_groups import States, TimeEntry, TimeGroup
from mass_pipeline.reading.phrases.nodes import WORKDAYS, Dated, Days, InList, InSeason, OnDays, OnNth

_MOST_LISTS: Final = 60  # of one text, each of which is compared with each
_SUNDAY: Final = frozenset({"Su"})


@dataclass(slots=True)
class _List:
    """The hours that a text states together for some days: of every week and all the year, and all of them."""

    label: object
    line: int
    days: frozenset[str]
    place: str
    plain: list[TimeEntry]
    hours: set[str]


def contradicted_hours(
    runs: Sequence[TimeGroup], days_of: Callable[[TimeGroup], frozenset[str]], unexplained: Collection[int]
) -> frozenset[int]:
    """The identities of hours that another list of the same days lacks.

    Args:
        runs: of one text, in order.
        days_of: the days of a run.
        unexplained: the identities of hours beside words that nothing accounts for, on a line that names no Mass: their list
            may be of anything.
    """
    found: set[int] = set()
    for one, other in combinations(_lists(runs, days_of, unexplained)[:_MOST_LISTS], 2):
        here = one.place == other.place and one.line != other.line  # in one line villages take turns
        if here and lists_in_common(one.days, other.days) and are_rivals(one.hours, other.hours):
            found |= {id(item) for item in one.plain if item.clock.time not in other.hours}
            found |= {id(item) for item in other.plain if item.clock.time not in one.hours}
    return frozenset(found)


def are_rivals(one: Collection[str], other: Collection[str]) -> bool:
    """Whether two lists of hours for the same days differ; a lone hour before or after all others goes on with them.

    >>> are_rivals({"08:00", "10:00"}, {"08:00", "11:00"}), are_rivals({"07:00", "08:00"}, {"18:00"})
    (True, False)
    """
    if not one or not other or set(one) == set(other):
        return False
    goes_on = min(len(one), len(other)) == 1 and (max(one) < min(other) or max(other) < min(one))
    return not goes_on


def _lists(
    runs: Sequence[TimeGroup], days_of: Callable[[TimeGroup], frozenset[str]], unexplained: Collection[int]
) -> list[_List]:
    lists: list[_List] = []
    for run in runs:
        items = [item for item in run.items if item.is_live]
        if not items or any(id(item) in unexplained for item in items) or run.scope.keys() & {OnNth, Dated}:
            continue
        holder = run.bracket.group if run.bracket is not None else run
        label = _label_of(holder, days_of)
        known = next((one for one in lists if one.label is label and one.place == run.place()), None)
        if known is None:
            known = _List(label, items[0].line, days_of(run), run.place(), [], set())
            lists.append(known)
        known.hours |= {item.clock.time for item in items}
        if run.bracket is None and isinstance(run.effect, States) and InSeason not in run.scope:
            known.plain += [item for item in items if not (item.restrictions or item.notes or item.place or item.is_vigil)]
    return [one for one in lists if one.plain]


def _label_of(run: TimeGroup, days_of: Callable[[TimeGroup], frozenset[str]]) -> object:
    """What heads the list of a group: days that are named below it head another one where they are as many."""
    label, days = run.scope.get(InList), run.scope.get(OnDays)
    named = label.value if label is not None else None
    again = days is not None and isinstance(named, Days) and days_of(run) >= named.days
    return (days if again else label) or run


def lists_in_common(one: AbstractSet[str], other: AbstractSet[str]) -> frozenset[str]:
    """The days of which both state a list: Sundays, or working days where both have all; a single day has an order of its own."""
    working = WORKDAYS if one >= WORKDAYS and other >= WORKDAYS else frozenset()
    return working | (_SUNDAY & one & other)
