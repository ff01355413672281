"""What a list has named so far, so that "the other days", "the other Thursdays", "the other months" can be worked out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from mass_pipeline.schedule_grammar.nodes import NTH, WORKING_WEEK, YEAR, Cond, Days, Nth, Season


@dataclass(slots=True)
class Named:
    """Days, weeks of the month and months named in the current list."""

    days: set[str] = field(default_factory=set)
    weeks: dict[str, set[int]] = field(default_factory=dict)
    months: set[int] = field(default_factory=set)
    overlay: bool = False  # Advent, Lent or another season without months was named
    earlier: set[int] = field(default_factory=set)  # months named in the last list that named any

    def copy(self) -> Named:
        """An independent copy."""
        weeks = {day: set(weeks) for day, weeks in self.weeks.items()}
        return Named(set(self.days), weeks, set(self.months), self.overlay, set(self.earlier))

    def clear(self) -> None:
        """A new list begins."""
        self.earlier = set(self.months or self.earlier)
        self.days.clear()
        self.weeks.clear()
        self.months.clear()
        self.overlay = False

    def note(self, cond: Cond) -> None:
        """Remember what a condition names."""
        value = cond.value
        if cond.dim == "list":
            self.clear()
        elif isinstance(value, Days) and not value.rest:
            self.days |= value.days
        elif isinstance(value, Season) and not value.rest:
            self.months |= value.months or frozenset()
            self.overlay = self.overlay or value.months is None
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
        if isinstance(value, Days) and value.rest and not self.days and (self.months or self.overlay):
            return replace(cond, dim="season", value=Season(YEAR - self.months))  # "w Wielkim Poście 17.00, poza tym 18.00"
        if isinstance(value, Days) and value.rest:
            universe = (label or WORKING_WEEK) & WORKING_WEEK or WORKING_WEEK
            return replace(cond, value=replace(value, days=universe - self.days))
        if isinstance(value, Nth) and value.rest:
            return self._other_weeks(cond, value)
        if isinstance(value, Season) and value.rest:
            return replace(cond, value=Season(YEAR - (self.months or self.earlier)))
        return cond

    def _other_weeks(self, cond: Cond, value: Nth) -> Cond:
        named: set[int] = set().union(*(self.weeks.get(day, set()) for day in value.days))
        if not named or not named <= set(NTH):
            return replace(cond, dim="days", value=Days(value.days))
        return replace(cond, value=replace(value, ordinals=tuple(n for n in NTH if n not in named)))
