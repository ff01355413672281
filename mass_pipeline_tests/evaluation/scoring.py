"""Precision, recall and F1 of schedules. A cell (day, time) is right only with its months where these are scored.

Views: `week` (day, time) for Mo..Su; `feast` (day, time) for PH and AF; `full` (day, time, nth) with its months.
Where a label tells the days of a season inside months, the reading is compared day by day.
A label marked optional is an admissible reading: neither required nor counted against. Held against the public scorer of
the labelled data by a test.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

WEEK: Final = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
VIEWS: Final = ("week", "feast", "full")
_YEAR: Final = frozenset(range(1, 13))
_SUMMER: Final = frozenset(range(4, 11))
_MONTHS: Final[dict[str, frozenset[int]]] = {
    "all": _YEAR,
    "vacation": frozenset({7, 8}),
    "school": _YEAR - {7, 8},
    "summer": _SUMMER,
    "winter": _YEAR - _SUMMER,
    "may": frozenset({5}),
    "october": frozenset({10}),
}
_OUTSIDE_YEAR: Final = frozenset({"advent", "lent", "christmasvisits", "custom"})

Masses = Sequence[Mapping[str, Any]]
Cell = tuple[Any, ...]


@dataclass(slots=True)
class Score:
    """Counts over records; ratios derive from them.

    Attributes:
        hits, extras, misses: cells read rightly, wrongly, and not at all.
        records, perfect: scored records, and those without a fault.
    """

    hits: int = 0
    extras: int = 0
    misses: int = 0
    records: int = 0
    perfect: int = 0

    @property
    def precision(self) -> float:
        return self.hits / (self.hits + self.extras) if self.hits + self.extras else 0.0

    @property
    def recall(self) -> float:
        return self.hits / (self.hits + self.misses) if self.hits + self.misses else 0.0

    @property
    def f1(self) -> float:
        total = 2 * self.hits + self.extras + self.misses
        return 2 * self.hits / total if total else 0.0

    @property
    def perfect_share(self) -> float:
        return self.perfect / self.records if self.records else 0.0

    def add(self, difference: Difference) -> None:
        """Count one record."""
        self.hits += len(difference.hits)
        self.extras += len(difference.extras)
        self.misses += len(difference.misses)
        self.records += 1
        self.perfect += not difference.extras and not difference.misses


@dataclass(frozen=True, slots=True)
class Difference:
    """Cells of one record, by fate; `is_empty` when neither label nor reading has any cell in the view."""

    hits: frozenset[Cell] = field(default_factory=frozenset)
    extras: frozenset[Cell] = field(default_factory=frozenset)
    misses: frozenset[Cell] = field(default_factory=frozenset)
    is_empty: bool = False


def compare(labelled: Masses, read: Masses, view: str) -> Difference:
    """How the reading of one record differs from its label in one view."""
    to_the_day = (
        frozenset(key for mass in labelled if mass.get("season_days") for key in _keys(mass)) if view == "full" else frozenset()
    )
    want, got = _cells(labelled, view, to_the_day), _cells(read, view, to_the_day)
    if view == "full":
        vague = {cell[:3] for cell in want if cell[3:] == ("custom",)}
        want = {cell: spans for cell, spans in want.items() if cell[:3] not in vague}
        got = {cell: spans for cell, spans in got.items() if cell[:3] not in vague}
    hits, extras, misses = set(), set(), set()
    for cell in want.keys() | got.keys():
        required, admissible = want.get(cell, (frozenset(), frozenset()))
        have = got.get(cell, (frozenset(), frozenset()))[1]
        if required <= have <= admissible:
            if required:
                hits.add(cell)
            continue
        if have - admissible or (have and required - have):
            extras.add(cell)
        if required:
            misses.add(cell)
    return Difference(frozenset(hits), frozenset(extras), frozenset(misses), is_empty=not want and not got)


def _keys(mass: Mapping[str, Any]) -> Iterator[Cell]:
    hour, minute = mass["time"].split(":")[:2]
    yield from ((day, f"{int(hour) % 24:02d}:{minute}", tuple(sorted(mass.get("nth") or ()))) for day in mass["days"])


def _cells(masses: Masses, view: str, to_the_day: frozenset[Cell]) -> dict[Cell, tuple[frozenset[int], frozenset[int]]]:
    """Cell -> (required months, admissible months); days, as numbers MMDD, in place of months where the label tells them."""
    required: dict[Cell, set[int]] = defaultdict(set)
    admissible: dict[Cell, set[int]] = defaultdict(set)
    for mass in masses:
        season = mass.get("season") or "all"
        for day, time, nth in _keys(mass):
            if (view == "week" and day not in WEEK) or (view == "feast" and day in WEEK):
                continue
            cell: Cell = (day, time)
            months = _YEAR
            if (day, time, nth) in to_the_day:
                cell, months = (day, time, nth, "days"), _days(mass.get("season_days") or season)
            elif view == "full":
                cell = (day, time, nth)
                if season in _OUTSIDE_YEAR:
                    cell = (*cell, season)
                else:
                    months = season_months(season)
            admissible[cell] |= months
            if not mass.get("optional"):
                required[cell] |= months
    return {cell: (frozenset(required[cell]), frozenset(months)) for cell, months in admissible.items()}


def _days(when: str) -> frozenset[int]:
    """Days of a season as numbers MMDD."""
    every = frozenset(100 * month + day for month in _YEAR for day in range(1, 32))
    if "/" not in when:
        months = _YEAR if when in _OUTSIDE_YEAR else season_months(when)
        return frozenset(day for day in every if day // 100 in months)
    first, last = (int(end.replace("-", "")) for end in when.split("/"))
    return frozenset(day for day in every if (first <= day <= last if first <= last else day >= first or day <= last))


def season_months(season: str) -> frozenset[int]:
    """Months of a season token or of `MM-MM`, which may wrap the year.

    >>> sorted(season_months("11-02"))
    [1, 2, 11, 12]
    """
    if season in _MONTHS:
        return _MONTHS[season]
    first, last = (int(part) for part in season.split("-"))
    return frozenset(range(first, last + 1)) if first <= last else _YEAR - frozenset(range(last + 1, first))


def total(differences: Iterable[Difference], view: str) -> Score:
    """Score over records; in the feast view records without any feast do not count."""
    score = Score()
    for difference in differences:
        if view != "feast" or not difference.is_empty:
            score.add(difference)
    return score
