"""What the reader hands to `validity`: hours with the conditions they stand under and what they do to those before them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from mass_pipeline.reading.phrases.nodes import (
    AtPlace,
    Cond,
    Dated,
    Days,
    Dimension,
    InList,
    InSeason,
    Nth,
    OnDays,
    OnNth,
    Season,
)
from mass_pipeline.reading.words.clock import ClockKind, ClockToken

# --- effects: what hours do to those that stand before them, one of seven, never two (field guide H) ----------------------


@dataclass(frozen=True, slots=True)
class States:
    """`8.00; środa 18.00`: they stand side by side, by the rules of juxtaposition."""


@dataclass(frozen=True, slots=True)
class Adds:
    """`w niedziele także 20.00`: those before stay."""


@dataclass(frozen=True, slots=True)
class Only:
    """`w wakacje tylko 9.00`: they are the whole list there."""


@dataclass(frozen=True, slots=True)
class TakesTurns:
    """`na przemian 8.00 i 17.00`: none of them replaces any."""


@dataclass(frozen=True, slots=True)
class Replaces:
    """`zamiast 18.00 jest 17.30`.

    Attributes:
        time: the hour replaced.
    """

    time: str


@dataclass(frozen=True, slots=True)
class Removes:
    """`bez Mszy o 8.30`: the hours listed do not take place.

    Attributes:
        whole_days: every hour of the days, at the place of the run.
        half: of such days only the "morning" or "evening" hours; "" for all.
        elsewhere: "nie ma Mszy o 11.30, w tym czasie jest w ...": it takes place, but at another church.
        words: of a sentence of its own.
        of: the only hour meant, None for all that are so.
    """

    whole_days: bool = False
    half: str = ""
    elsewhere: bool = False
    words: str = ""
    of: TimeEntry | None = None


@dataclass(frozen=True, slots=True)
class Unread:
    """`Mszy o 8.30 chyba nie będzie`: what is said of them no rule reads, so they wait.

    Attributes:
        words: as written.
        half: of the days named only the "morning" or "evening" hours; "" for all.
        of: the only hour meant, None for all that are so.
    """

    words: str
    half: str = ""
    of: TimeEntry | None = None


@dataclass(frozen=True, slots=True)
class Copies:
    """`święta: jak w niedzielę`.

    Attributes:
        days: whose list is copied.
    """

    days: Days


Effect = States | Adds | Only | TakesTurns | Replaces | Removes | Unread | Copies

STATES: Final = States()
ADDS: Final = Adds()
ONLY: Final = Only()
TAKES_TURNS: Final = TakesTurns()

Scope = dict[Dimension, Cond]  # outermost first


@dataclass(slots=True)
class TimeEntry:
    """An hour as read.

    Attributes:
        clock: the token; `clock.time` is the hour.
        line: position of its line in the document.
        kind: what is said to happen: `mass`, `devotion`, `office`, `confession`, ...
        aside: only a bracket after it says that it is no Mass.
        restrictions: conditions tied to this hour alone.
        splits: `(days, place)`: on these days the Mass is elsewhere.
        partial: `(season, days)`: in this season only on these days.
        notes: remarks in order.
        place: place tied to this hour alone, "" when none.
        dated: it holds for single dates only.
        vigil: it is said to be the Sunday Mass on Saturday.
        uncertain: the source leaves open when it takes place.
        either: "or" stands between that hour and this one.
        joined: "and" stands between the hour before and this one.
        explicit_kind: a word beside it says what it is.
        heading: line of the heading above that alone says what it is, -1 when none does.
    """

    clock: ClockToken
    line: int
    kind: str = "mass"
    aside: bool = False
    restrictions: list[Cond] = field(default_factory=list)
    splits: list[tuple[Cond, Cond]] = field(default_factory=list)
    partial: list[tuple[Cond, Cond]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    place: str = ""
    dated: bool = False
    vigil: bool = False
    uncertain: bool = False
    joined: bool = False
    either: TimeEntry | None = None
    explicit_kind: bool = False
    heading: int = -1

    @property
    def is_live(self) -> bool:
        """Whether it counts as a Mass of the standing order."""
        return self.kind == "mass" and not self.dated and self.clock.kind is not ClockKind.RANGE

    @property
    def kind_of_heading(self) -> bool:
        """Whether only a heading above says what it is."""
        return self.heading >= 0


@dataclass(slots=True)
class TimeGroup:
    """Hours under one scope.

    Attributes:
        scope: conditions that govern all of them.
        items: in order.
        effect: what they do to the hours before.
        parent: the hour whose bracket holds this run, else None.
        siblings: for a bracket, the run of that hour.
        below_list: no word of its line names days, those of the list above hold.
        below_hours: those stand beside the hours of an earlier line, and head nothing else.
    """

    scope: Scope
    items: list[TimeEntry] = field(default_factory=list)
    effect: Effect = STATES
    parent: TimeEntry | None = None
    siblings: TimeGroup | None = None
    bare: bool = False  # of a bracket: nothing but an hour stands in it
    below_list: bool = False
    below_hours: bool = False

    @property
    def removes(self) -> bool:
        """Whether its hours do not take place, or nobody can say."""
        return isinstance(self.effect, (Removes, Unread))

    @property
    def is_dated(self) -> bool:
        """Whether it holds for single dates only."""
        return Dated in self.scope

    @property
    def stands_beside(self) -> bool:
        """Whether no word says what it does to the hours before."""
        return isinstance(self.effect, (States, TakesTurns))

    def days(self) -> Days | None:
        """Days named within the list, None when the whole list is meant."""
        cond = self.scope.get(OnDays)
        return cond.value if cond is not None and isinstance(cond.value, Days) else None

    def label(self) -> Days | None:
        """The list the run belongs to."""
        cond = self.scope.get(InList)
        return cond.value if cond is not None and isinstance(cond.value, Days) else None

    def nth(self) -> Nth | None:
        """The weekdays of the month, None for every week."""
        cond = self.scope.get(OnNth)
        return cond.value if cond is not None and isinstance(cond.value, Nth) else None

    def season(self) -> Season | None:
        """The season, None for the whole year."""
        cond = self.scope.get(InSeason)
        return cond.value if cond is not None and isinstance(cond.value, Season) else None

    def place(self) -> str:
        """The place, "" for the parish church."""
        cond = self.scope.get(AtPlace)
        return str(cond.value) if cond is not None else ""
