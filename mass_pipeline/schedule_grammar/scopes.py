"""The stack of conditions that govern the hours to come, outermost first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Final

from mass_pipeline.schedule_grammar.nodes import NTH, WORKING_WEEK, YEAR, Cond, Days, Nth, Season
from mass_pipeline.schedule_grammar.runs import Run, Scope

_LABELS: Final = frozenset({"list"})


@dataclass(frozen=True, slots=True)
class _Entry:
    cond: Cond
    line: int
    heading: bool  # it stood on a line of its own above what it governs
    colon: bool = False  # a colon stood behind it: it governs to the next of its kind
    mid_clause: bool = False  # hours stood before it in its clause: it ends with the clause


class ScopeStack:
    """Conditions in order of their nesting; a new one of a dimension ends the old one and everything inside it."""

    def __init__(self, entries: Sequence[_Entry] = ()) -> None:
        self._entries = list(entries)
        self._kind: _Entry | None = None
        self.named_days: set[str] = set()
        self.named_nth: dict[str, set[int]] = {}
        self.named_months: set[int] = set()

    def copy(self) -> ScopeStack:
        """An independent stack with the same conditions."""
        other = ScopeStack(self._entries)
        other._kind = self._kind
        other.named_days = set(self.named_days)
        other.named_nth = {day: set(nth) for day, nth in self.named_nth.items()}
        other.named_months = set(self.named_months)
        return other

    def as_scope(self) -> Scope:
        """The conditions by dimension."""
        return {entry.cond.dim: entry.cond for entry in self._entries}

    def kind(self) -> str:
        """What happens at the hours to come."""
        return str(self._kind.cond.value) if self._kind is not None else "mass"

    def apply(
        self,
        conds: Sequence[Cond],
        line: int,
        lines: Mapping[str, int],
        colon: Set[str] = frozenset(),
        *,
        mid_clause: bool = False,
    ) -> bool:
        """Put pending conditions on the stack, outermost first; True when the scope changed."""
        conds = [self._complement(cond) for cond in conds]
        for cond in [c for c in conds if c.dim == "kind"]:
            self._set_kind(cond, line, lines.get("kind", line))
            conds.remove(cond)
        if not conds:
            return False
        dims = {cond.dim for cond in conds}
        if dims & {"list", "days"}:
            self._drop_inline_of_other_lines(line)
        if ("list" in dims or "days" in dims) and "date" not in dims:
            self._entries = [entry for entry in self._entries if entry.cond.dim != "date"]
        if dims & {"days", "nth"} and "season" not in dims and self.named_months >= YEAR:
            self._entries = [entry for entry in self._entries if entry.cond.dim != "season" or not entry.mid_clause]
        if "list" in dims:
            dims |= {"days", "nth"}
        if dims & {"days", "nth"}:
            dims |= {"days", "nth"}
        positions = [i for i, entry in enumerate(self._entries) if entry.cond.dim in dims]
        if positions:
            del self._entries[positions[0] :]
        for cond in conds:
            heading = lines.get(cond.dim, line) != line
            ends = mid_clause and not heading and cond.dim != "list" and cond.dim not in colon
            self._entries.append(_Entry(cond, line, heading, cond.dim in colon, ends))
        return True

    def _set_kind(self, cond: Cond, line: int, said_on: int) -> None:
        if cond.value in ("mass", "anchor", "intention"):
            self._kind = _Entry(replace(cond, value="mass"), line, said_on != line) if cond.value != "intention" else self._kind
        else:
            self._kind = _Entry(cond, line, said_on != line)

    def _drop_inline_of_other_lines(self, line: int) -> None:
        """A label on a new line ends what a former line said in passing; headings above stay."""
        self._entries = [e for e in self._entries if e.heading or e.line == line or e.cond.dim in ("list", "days", "nth")]

    def leave_clause(self) -> bool:
        """A clause ends: what began in the middle of it ends too. True when something did."""
        kept = [entry for entry in self._entries if not entry.mid_clause]
        changed = len(kept) < len(self._entries)
        self._entries = kept
        return changed

    def drop(self, dim: str) -> None:
        """Take a dimension off the stack."""
        self._entries = [entry for entry in self._entries if entry.cond.dim != dim]

    def clear(self) -> None:
        """A new section begins."""
        self._entries = []
        self._kind = None
        self.named_days, self.named_nth, self.named_months = set(), {}, set()

    def saturday_in_sunday_list(self) -> bool:
        """Whether the hours to come are Saturday's within the list of Sunday."""
        scope = self.as_scope()
        label, days = scope.get("list"), scope.get("days")
        if label is None or days is None:
            return False
        return _days(label) >= {"Su"} and _days(days) == {"Sa"}

    def leave_inner(self, run: Run | None) -> None:
        """Behind a semicolon that an hour follows at once only the list goes on."""
        if self._entries and run is not None:
            scope = self.as_scope()
            if "days" in scope and not self.saturday_in_sunday_list() and len(run.items) > 0 and "list" not in scope:
                return
            labels = [i for i, entry in enumerate(self._entries) if entry.cond.dim in _LABELS]
            keep = labels[0] + 1 if labels else 0
            self._entries = [
                e for i, e in enumerate(self._entries) if i < keep or e.heading or (e.colon and e.cond.dim == "season")
            ]

    def name(self, cond: Cond) -> None:
        """Remember days and ordinals as named, for `pozostałe dni` and `pozostałe czwartki`."""
        value = cond.value
        if cond.dim == "list":
            self.named_days, self.named_nth, self.named_months = set(), {}, set()
        elif isinstance(value, Days) and not value.rest:
            self.named_days |= value.days
        elif isinstance(value, Season) and value.months:
            self.named_months |= value.months
        elif isinstance(value, Nth) and not value.rest:
            for day in value.days:
                self.named_nth.setdefault(day, set()).update(value.ordinals)

    def _complement(self, cond: Cond) -> Cond:
        """`pozostałe dni`, `w pozostałe czwartki`, `pozostałe miesiące` with what was named so far taken away."""
        value = cond.value
        if isinstance(value, Days) and value.rest:
            label = self.as_scope().get("list")
            universe = _days(label) & WORKING_WEEK if label is not None else WORKING_WEEK
            return replace(cond, value=replace(value, days=(universe or WORKING_WEEK) - self.named_days))
        if isinstance(value, Nth) and value.rest:
            return self._other_weeks(cond, value)
        if isinstance(value, Season) and value.rest:
            return replace(cond, value=Season(YEAR - self.named_months))
        return cond

    def _other_weeks(self, cond: Cond, value: Nth) -> Cond:
        named = set().union(*(self.named_nth.get(day, set()) for day in value.days))
        if not named or not named <= set(NTH):
            return replace(cond, dim="days", value=Days(value.days))
        return replace(cond, value=replace(value, ordinals=tuple(n for n in NTH if n not in named)))


def _days(cond: Cond) -> frozenset[str]:
    return cond.value.days if isinstance(cond.value, Days) else frozenset()
