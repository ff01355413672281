"""The stack of conditions that govern the hours to come, outermost first."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final

from mass_pipeline.model.dates_of_year import YEAR
from mass_pipeline.schedule_grammar.attaching.effects import Adds
from mass_pipeline.schedule_grammar.attaching.lifetimes import END_WITH_BOX, Boundary, Manner, lifetime_of
from mass_pipeline.schedule_grammar.attaching.runs import Run, Scope
from mass_pipeline.schedule_grammar.parsing.clues import has_time, names_building, names_several_buildings
from mass_pipeline.schedule_grammar.parsing.named import Named
from mass_pipeline.schedule_grammar.parsing.nodes import (
    LISTS_AND_DAYS,
    AtPlace,
    Cond,
    Dated,
    Days,
    Dimension,
    Group,
    InList,
    InSeason,
    NodeLine,
    OfKind,
    OnDays,
    OnNth,
    Season,
    WhichDays,
)

_OF_OFFICES: Final = frozenset({"office", "opening", "baptism"})  # they are not kept in a chapel on Sundays
_WHICH_DAYS: Final[frozenset[Dimension]] = frozenset({InList, OnDays, OnNth})
_WITHIN_LIST: Final[frozenset[Dimension]] = frozenset({OnDays, OnNth})
INLINE: Final = 9  # level of what is said in the line of the hours themselves
LABEL_LINE: Final = 6  # level of a line that is no heading but reads like one ("Spowiedź:")
CELL_HEADER: Final = 8
FEW_WORDS: Final = 6  # a line of conditions with more plain words than these is prose, no label


@dataclass(slots=True, init=False, unsafe_hash=True)  # not frozen, like the nodes: made by the thousand
class Pending:
    """A condition that waits for the hours it governs.

    Attributes:
        cond: the condition.
        line: where it stands.
        level: 1..7 in a heading of that level, `LABEL_LINE`, `CELL_HEADER` or `INLINE`.
        colon: a colon stands after it: it governs to the next of its kind.
    """

    cond: Cond
    line: int
    level: int
    colon: bool

    def __init__(self, cond: Cond, line: int, level: int = INLINE, colon: bool = False) -> None:
        self.cond = cond
        self.line = line
        self.level = level
        self.colon = colon


def outliving_sentence(pending: Sequence[Pending], line: int, *, behind_hours: bool, names_days: bool = False) -> list[Pending]:
    """What goes on waiting when a sentence ends.

    A place or a date that no hour followed governs none in the next sentence, nor do the days of such a date, nor what is
    said to happen after the last hour of the sentence, nor weeks where the next sentence names days of its own.
    """
    dated = any(isinstance(item.cond, Dated) and item.line == line for item in pending)
    ended: set[Dimension] = {Dated, *((OnDays, OnNth, InList) if dated else ()), *((OfKind,) if behind_hours else ())}
    ended |= {OnNth} if names_days else set()
    said = [i for i in pending if i.line == line and (type(i.cond) in ended or _is_passing_place(i, behind_hours=behind_hours))]
    return [item for item in pending if item not in said]


def _is_passing_place(item: Pending, *, behind_hours: bool) -> bool:
    """A village named without a colon, and after the hours of the sentence a church too."""
    return isinstance(item.cond, AtPlace) and not item.colon and (behind_hours or not names_building(item.cond))


def level_of(line: NodeLine, words: int) -> int:
    """The level at which a line governs: that of its heading, of a label, or of words beside their hours.

    Args:
        words: plain ones of the line.
    """
    if has_time(line.nodes):
        return INLINE
    return line.heading or (LABEL_LINE if words <= FEW_WORDS else INLINE)


@dataclass(slots=True, init=False, unsafe_hash=True)
class _Entry:
    cond: Cond
    line: int
    level: int
    colon: bool
    mid_clause: bool  # hours stood before it in its clause
    over_list: bool  # a heading right above that of a list, of the same level
    lifetime: Boundary  # the first one that ends it

    def __init__(
        self, cond: Cond, line: int, level: int, colon: bool = False, mid_clause: bool = False, over_list: bool = False
    ) -> None:
        self.cond = cond
        self.line = line
        self.level = level
        self.colon = colon
        self.mid_clause = mid_clause
        self.over_list = over_list
        self.lifetime = lifetime_of(cond, self._manner())

    @property
    def heading(self) -> bool:
        """Whether it stood on a line of its own above what it governs."""
        return self.level < INLINE

    def _manner(self) -> Manner:
        if self.level < INLINE:
            return Manner.ABOVE
        if self.mid_clause:
            return Manner.MID_CLAUSE
        return Manner.COLON if self.colon else Manner.PASSING


class ScopeStack:
    """Conditions in order of their nesting; a new one of a dimension ends the old one and everything inside it."""

    def __init__(self, entries: Sequence[_Entry] = ()) -> None:
        self._entries = list(entries)
        self._kind: _Entry | None = None
        self.named = Named()

    @classmethod
    def of(cls, scope: Scope, line: int) -> ScopeStack:
        """A stack of what governs some hours already read."""
        return cls([_Entry(cond, line, INLINE) for cond in scope.values()])

    def copy(self) -> ScopeStack:
        """An independent stack with the same conditions."""
        other = ScopeStack(self._entries)
        other._kind = self._kind
        other.named = self.named.copy()
        return other

    def as_scope(self) -> Scope:
        """The conditions by dimension."""
        return {type(entry.cond): entry.cond for entry in self._entries}

    def kind(self, line: int) -> str:
        """What happens at the hours to come in a line."""
        kind = str(self._kind.cond.value) if self._kind is not None else "mass"
        if kind in _OF_OFFICES and self.heading_of_kind() >= 0 and self.names_church_and_list(line):
            self._kind = None  # so are the other hours of that church
            return "mass"
        return kind

    def heading_of_kind(self) -> int:
        """The line of the heading above that said so, -1 for none ("Nabożeństwa" may head Masses too)."""
        return self._kind.line if self._kind is not None and self._kind.heading else -1

    def note(self, cond: Cond, pending: Sequence[Pending]) -> None:
        """Remember what a condition names; a list begins anew but for the seasons that wait with it."""
        self.named.note(cond)
        if isinstance(cond, InList):
            for item in pending:
                if isinstance(item.cond, InSeason):
                    self.named.note(item.cond)

    def others_named(self, group: Group) -> Group:
        """`8.00 (wtorek), 18.00 (pozostałe dni)`: the bracket with the days that are meant by the others."""
        if not any(isinstance(node, Cond) and isinstance(node.value, Days) and node.value.rest for node in group.nodes):
            return group
        return replace(group, nodes=tuple(self.resolved(node) if isinstance(node, Cond) else node for node in group.nodes))

    def resolved(self, cond: Cond) -> Cond:
        """`pozostałe dni` with the days that are meant; other conditions as they are."""
        label = self._label()
        return self.named.resolve(cond, _days(label) if label is not None else None)

    def _label(self) -> Cond | None:
        """The list that is read."""
        return next((entry.cond for entry in reversed(self._entries) if type(entry.cond) is InList), None)

    # --- putting on --------------------------------------------------------------------------------------------------

    def apply(self, pending: Sequence[Pending], line: int, *, mid_clause: bool = False) -> bool:
        """Put pending conditions on the stack, outermost first; True when the scope changed."""
        label = self._label()
        fresh: list[Pending] = []
        for item in pending:
            if isinstance(item.cond, OfKind):
                self._set_kind(item)
                continue
            cond = self.named.resolve(item.cond, _days(label) if label is not None else None)
            fresh.append(item if cond is item.cond else replace(item, cond=cond))
        if not fresh:
            return False
        dims: set[Dimension] = {type(item.cond) for item in fresh}
        if AtPlace in dims and len(fresh) > 1:
            fresh.sort(key=lambda item: names_several_buildings(item.cond))  # "w filiach (niedziele): Gaj 8.00; Lipie 9.30"
        if label is not None and any(_leaves_list(item.cond, _days(label)) for item in fresh):
            dims.add(InList)
        if dims == {OnNth} and not mid_clause and self.named.dates == YEAR:  # "latem 18.00; zimą 17.00; I piątek 8.00"
            self._entries = [e for e in self._entries if not isinstance(e.cond, InSeason) or e.heading or e.colon]
        if mid_clause and dims in ({AtPlace}, {InSeason}) and not any(item.colon for item in fresh):
            self._change(type(fresh[0].cond))
        else:
            if AtPlace in dims:
                self._leave_places_above(fresh)
            self._make_room(dims, line, heading=all(item.level < INLINE for item in fresh))
        for item in fresh:
            ends = mid_clause and item.level == INLINE and not isinstance(item.cond, InList) and not item.colon
            self._entries.append(_Entry(item.cond, item.line, item.level, item.colon, ends, _heads_list(item, fresh)))
        return True

    def _leave_places_above(self, fresh: Sequence[Pending]) -> None:
        """The heading of a village ends the name of the parish over it, but not what stands between them, as a season."""
        level = min((item.level for item in fresh if isinstance(item.cond, AtPlace) and item.level < INLINE), default=0)
        self._entries = [e for e in self._entries if not isinstance(e.cond, AtPlace) or e.level >= level]

    def _make_room(self, dims: set[Dimension], line: int, *, heading: bool) -> None:
        """Take off what the new conditions end."""
        days = not dims.isdisjoint(_WHICH_DAYS)
        if days:
            self._drop_inline_of_other_lines(line)
            if Dated not in dims:
                self.drop(Dated)
            if InSeason not in dims and self.named.dates == YEAR:
                self._entries = [e for e in self._entries if not isinstance(e.cond, InSeason) or not e.mid_clause]
            if InSeason not in dims and heading:
                self._entries = [e for e in self._entries if not _labels_few_weeks(e) or e.over_list or e.line >= line - 1]
        if dims == {AtPlace} and not heading and any(isinstance(e.cond, AtPlace) and e.heading for e in self._entries):
            # A place named in passing within a list under the heading of another place leaves the list as it is.
            self._entries = [e for e in self._entries if not isinstance(e.cond, AtPlace) or e.heading]
            return
        ended = dims | _WITHIN_LIST if days else dims
        first = next((i for i, entry in enumerate(self._entries) if type(entry.cond) in ended), None)
        if first is not None:
            del self._entries[first:]

    def _change(self, dim: Dimension) -> None:
        """`u nas w niedziele o 9.00, w kaplicy o 10.15`, `latem w tygodniu o 19.00, zimą o 17.00`: the list goes on."""
        first = next((i for i, entry in enumerate(self._entries) if type(entry.cond) is dim), len(self._entries))
        self._entries = [e for i, e in enumerate(self._entries) if i < first or isinstance(e.cond, WhichDays)]

    def _set_kind(self, item: Pending) -> None:
        if item.cond.value == "intention":
            return
        kind = replace(item.cond, value="mass") if item.cond.value == "anchor" else item.cond
        self._kind = _Entry(kind, item.line, item.level)

    def head_masses(self) -> None:
        """A line below the heading `Nabożeństwa` says that its hours are Masses: so are those to come that say nothing."""
        if self._kind is not None and self._kind.heading and self._kind.cond.value == "devotion":
            self._kind = _Entry(replace(self._kind.cond, value="mass"), self._kind.line, self._kind.level)

    # --- taking off --------------------------------------------------------------------------------------------------

    def begin_line(self, *, names_days: bool, behind: Run | None = None) -> None:
        """A new line ends what began in mid-clause, a season said in passing, and, once days are named, a kind.

        It also ends the weeks of what the run before it only added: `Sobota`, `w I sobotę także 9.00`, `8.00`.
        """
        self.leave_clause(sentence=True)
        added = behind is not None and isinstance(behind.effect, Adds)
        if added and any(e.heading and isinstance(e.cond, LISTS_AND_DAYS) for e in self._entries):
            self._entries = [e for e in self._entries if not isinstance(e.cond, OnNth) or e.heading or e.colon]
        if self._kind is not None and self._kind.lifetime <= Boundary.LABEL and names_days:
            self._kind = None

    def begin_heading(self, level: int, *, adjacent: bool, names_list: bool = False) -> None:
        """A heading ends what headings of its level and below said, unless it directly follows them.

        The season and the church whose heading stood right over that of a list of its level go on over the next list.
        """
        if adjacent:
            return
        self._entries = [e for e in self._entries if e.level < level or (names_list and e.over_list and e.level == level)]
        if self._kind is not None and self._kind.level >= level:
            self._kind = None
        self.named.clear()

    def leave_headings(self, lines: AbstractSet[int]) -> None:
        """The boxes of headings end: their seasons, places and what they say to happen end too.

        Days go on: an hour below the box of `Niedziela` that names no other days has no reading without them.
        """
        self._entries = [e for e in self._entries if not (e.line in lines and e.heading and type(e.cond) in END_WITH_BOX)]
        if self._kind is not None and self._kind.heading and self._kind.line in lines:
            self._kind = None

    def leave_clause(self, *, sentence: bool = False) -> bool:
        """A clause ends: what began in the middle of it ends too, and Advent or Lent. True when something did.

        With `sentence` every season said in passing ends.
        """
        boundary = Boundary.SENTENCE if sentence else Boundary.CLAUSE
        if sentence and self._kind is not None and self._kind.lifetime <= boundary:
            self._kind = None
        if not self._entries:
            return False
        dated = [e.line for e in self._entries if isinstance(e.cond, Dated) and e.level >= INLINE] if sentence else []
        kept = [e for e in self._entries if e.lifetime > boundary and (e.level < INLINE or e.line not in dated)]
        changed = len(kept) < len(self._entries)
        self._entries = kept
        return changed

    def leave_inner(self, run: Run | None) -> None:
        """After a semicolon that an hour follows at once, only the list, headings and labels with a colon go on."""
        if not self._entries or run is None:
            return
        scope = self.as_scope()
        if OnDays in scope and InList not in scope and run.items:
            return
        labels = [i for i, entry in enumerate(self._entries) if isinstance(entry.cond, InList)]
        keep = labels[0] + 1 if labels else 0
        self._entries = [e for i, e in enumerate(self._entries) if i < keep or e.heading or e.colon]

    def drop(self, dim: Dimension) -> None:
        """Take a dimension off the stack."""
        self._entries = [entry for entry in self._entries if type(entry.cond) is not dim]

    def _drop_inline_of_other_lines(self, line: int) -> None:
        """A label on a new line ends what a former line said in passing; headings above stay."""
        self._entries = [
            e for e in self._entries if e.lifetime > Boundary.LABEL or e.line == line or isinstance(e.cond, WhichDays)
        ]

    # --- looking -----------------------------------------------------------------------------------------------------

    def names_church_and_list(self, line: int) -> bool:
        """`Kaplica w Zalesiu niedziela 9.30`: whether a line itself names both."""
        own = [entry.cond for entry in self._entries if entry.line == line]
        return any(isinstance(cond, InList) for cond in own) and any(names_building(cond) for cond in own)

    def names_days_since(self, line: int) -> bool:
        """Whether a label on a line of its own, from `line` on, names days."""
        return any(e.line >= line and e.level == LABEL_LINE and isinstance(e.cond, WhichDays) for e in self._entries)

    def says_days_in(self, line: int) -> bool:
        """Whether days that govern the hours to come are named in a line."""
        return any(e.line == line and isinstance(e.cond, WhichDays) for e in self._entries)

    def said_beside_hours_above(self, dim: Dimension, line: int) -> bool:
        """Whether a condition was said in passing, beside hours of an earlier line."""
        return any(type(e.cond) is dim and e.level == INLINE and e.line != line for e in self._entries)

    def names_days_beside_hours_above(self, line: int) -> bool:
        """Whether the days that govern the hours to come head the hours of an earlier line: `Wtorek: 18.00`, no heading."""
        own = [e for e in self._entries if isinstance(e.cond, WhichDays)]
        return bool(own) and all(e.level == INLINE and e.line != line for e in own)

    def saturday_in_sunday_list(self) -> bool:
        """Whether the hours to come are Saturday's within the list of Sunday."""
        scope = self.as_scope()
        label, days = scope.get(InList), scope.get(OnDays)
        if label is None or days is None:
            return False
        return _days(label) >= {"Su"} and _days(days) == {"Sa"}


def _labels_few_weeks(entry: _Entry) -> bool:
    """`W Adwencie` in a line of its own, no heading: the label of the next list ends it."""
    season = entry.cond.value
    return entry.level == LABEL_LINE and isinstance(season, Season) and season.dates is None and not season.rest


def _heads_list(item: Pending, others: Sequence[Pending]) -> bool:
    """Whether the heading of a season or a place stands right above that of a list, of the same level."""
    if not isinstance(item.cond, (InSeason, AtPlace)) or item.level >= INLINE:
        return False
    return any(isinstance(o.cond, LISTS_AND_DAYS) and (o.level, o.line) == (item.level, item.line + 1) for o in others)


def _leaves_list(cond: Cond, days: frozenset[str]) -> bool:
    """`nd: 8.00, 10.00; w wakacje pn-sb: 18.30`: other days than those of the list end it; a lone Saturday is the vigil."""
    value = cond.value
    if not isinstance(cond, OnDays) or not isinstance(value, Days) or cond.excluded or value.days == {"Sa"}:
        return False
    return not value.days & days


def _days(cond: Cond) -> frozenset[str]:
    return cond.value.days if isinstance(cond.value, Days) else frozenset()
