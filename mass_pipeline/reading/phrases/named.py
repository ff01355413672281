"""What a list has named so far, so that "the other days", "the other Thursdays", "the other months" can be worked out."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mass_pipeline.model.dates_of_year import NO_DATES, YEAR, DatesOfYear
from mass_pipeline.reading.phrases.nodes import (
    NTH,
    WORKING_WEEK,
    Cond,
    Days,
    InList,
    InSeason,
    Nth,
    OnDays,
    Season,
)


@dataclass(slots=True, init=False)
class Named:
    """Days, weeks of the month and dates named in the current list."""

    days: set[str]
    weeks: dict[str, set[int]]
    dates: DatesOfYear
    overlay: bool  # Advent, Lent or another season without dates was named
    custom: tuple[str, ...]  # borders of one of which nothing else is known
    earlier: DatesOfYear  # those named in the last list that named any

    def __init__(
        self,
        days: set[str] | None = None,
        weeks: dict[str, set[int]] | None = None,
        dates: DatesOfYear = NO_DATES,
        overlay: bool = False,
        custom: tuple[str, ...] = (),
        earlier: DatesOfYear = NO_DATES,
    ) -> None:
        self.days = set() if days is None else days
        self.weeks = {} if weeks is None else weeks
        self.dates = dates
        self.overlay = overlay
        self.custom = custom
        self.earlier = earlier

    def copy(self) -> Named:
        """An independent copy."""
        weeks = {day: set(weeks) for day, weeks in self.weeks.items()}
        return Named(set(self.days), weeks, self.dates, self.overlay, self.custom, self.earlier)

    def clear(self) -> None:
        """A new list begins."""
        self.earlier = self.dates or self.earlier
        self.days.clear()
        self.weeks.clear()
        self.dates = NO_DATES
        self.overlay, self.custom = False, ()

    def note(self, cond: Cond) -> None:
        """Remember what a condition names."""
        value = cond.value
        if isinstance(cond, InList):
            self.clear()
        elif isinstance(value, Days) and not value.rest:
            self.days |= value.days
        elif isinstance(value, Season) and not value.rest:
            self.dates |= value.dates or NO_DATES
            self.overlay = self.overlay or value.dates is None
            self.custom = self.custom or value.borders
        elif isinstance(value, Nth) and not value.rest:
            for nth in (value, *value.more):
                for day in nth.days:
                    self.weeks.setdefault(day, set()).update(nth.ordinals)

    def resolve(self, cond: Cond, label: frozenset[str] | None) -> Cond:
        """`pozostałe dni` with what was named taken away; other conditions as they are.

        Args:
            cond: any condition.
            label: days of the list, None outside lists.
        """
        value = cond.value
        if isinstance(value, Days) and value.rest and not self.days and (self.dates or self.overlay):
            return InSeason(
                Season(YEAR & ~self.dates), cond.start, cond.end, cond.excluded, cond.only
            )  # "w Wielkim Poście 17.00, poza tym 18.00"
        if isinstance(value, Days) and value.rest:
            universe = (label or WORKING_WEEK) & WORKING_WEEK or WORKING_WEEK
            return replace(cond, value=replace(value, days=universe - self.days))
        if isinstance(value, Nth) and value.rest:
            return self._other_weeks(cond, value)
        if isinstance(value, Season) and value.rest:
            if self.custom and not self.dates:
                return replace(cond, value=Season(None, "custom", borders=self.custom[::-1]))
            return replace(cond, value=Season(YEAR & ~(self.dates or self.earlier)))
        return cond

    def _other_weeks(self, cond: Cond, value: Nth) -> Cond:
        named: set[int] = set().union(*(self.weeks.get(day, set()) for day in value.days))
        if not named or not named <= set(NTH):
            return OnDays(Days(value.days), cond.start, cond.end, cond.excluded, cond.only)
        return replace(cond, value=replace(value, ordinals=tuple(n for n in NTH if n not in named)))
