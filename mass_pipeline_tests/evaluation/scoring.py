"""Precision, recall and F1 of schedules. A cell (day, time) is right only with its months where these are scored.

Views: `week` (day, time) for Mo..Su; `feast` (day, time) for PH and AF; `full` (day, time, nth) with its months.
A label marked optional is an admissible reading: neither required nor counted against. Held against the public scorer of
the labelled data by a test.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
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
    want, got = _cells(labelled, view), _cells(read, view)
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


def _cells(masses: Masses, view: str) -> dict[Cell, tuple[frozenset[int], frozenset[int]]]:
    """Cell -> (required months, admissible months)."""
    required: dict[Cell, set[int]] = defaultdict(set)
    admissible: dict[Cell, set[int]] = defaultdict(set)
    for mass in masses:
        hour, minute = mass["time"].split(":")[:2]
        time, season = f"{int(hour) % 24:02d}:{minute}", mass.get("season") or "all"
        for day in mass["days"]:
            if (view == "week" and day not in WEEK) or (view == "feast" and day in WEEK):
                continue
            cell: Cell = (day, time)
            months = _YEAR
            if view == "full":
                cell = (*cell, tuple(sorted(mass.get("nth") or ())))
                if season in _OUTSIDE_YEAR:
                    cell = (*cell, season)
                else:
                    months = season_months(season)
            admissible[cell] |= months
            if not mass.get("optional"):
                required[cell] |= months
    return {cell: (frozenset(required[cell]), frozenset(months)) for cell, months in admissible.items()}


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
