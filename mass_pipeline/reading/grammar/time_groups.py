"""What the reader hands to `validity`: hours with the conditions they stand under and what they do to those before them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final, TypeVar

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

# --- effects: what hours do to those that stand before them, one of nine, never two ----------------------


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


# what is removed


@dataclass(frozen=True, slots=True)
class ItsHours:
    """The hours listed, whoever has them.

    Attributes:
        of: the only one meant, None for all that are at such an hour.
    """

    of: TimeEntry | None = None


@dataclass(frozen=True, slots=True)
class ItsDays:
    """Every hour of the days, at the place of the group.

    Attributes:
        half: of such days only the "morning" or "evening" hours; "" for all.
    """

    half: str = ""


What = ItsHours | ItsDays


@dataclass(frozen=True, slots=True)
class Removes:
    """`bez Mszy o 8.30`: what is listed does not take place.

    Attributes:
        what: hours or days.
        words: of a sentence of its own.
    """

    what: What = ItsHours()
    words: str = ""


@dataclass(frozen=True, slots=True)
class Keeps:
    """`nie ma Mszy o 11.30, w tym czasie jest w ...`: it takes place, but at another church."""


@dataclass(frozen=True, slots=True)
class Unread:
    """`Mszy o 8.30 chyba nie będzie`: what is said of them no rule reads, so they wait.

    Attributes:
        what: hours or days.
        words: as written.
    """

    what: What
    words: str


@dataclass(frozen=True, slots=True)
class SameAs:
    """`święta: jak w niedzielę`.

    Attributes:
        days: whose list it is.
    """

    days: Days


Effect = States | Adds | Only | TakesTurns | Replaces | Removes | Keeps | Unread | SameAs

STATES: Final = States()
ADDS: Final = Adds()
ONLY: Final = Only()
TAKES_TURNS: Final = TakesTurns()

Scope = dict[Dimension, Cond]  # outermost first


# --- qualifiers: what is said of one hour besides when and where it is ----------------------------------------------------


@dataclass(frozen=True, slots=True)
class SundayOnSaturday:
    """It is the Sunday Mass on Saturday."""


@dataclass(frozen=True, slots=True)
class SingleDates:
    """It holds for single dates only."""


@dataclass(frozen=True, slots=True)
class ForIntention(SingleDates):
    """An intention in a bracket says so: a remark in a list whose other hours have none."""


@dataclass(frozen=True, slots=True)
class LeftOpen:
    """Nobody can say when it takes place."""


@dataclass(frozen=True, slots=True)
class Joined:
    """ "and" stands between the hour before and this one."""


@dataclass(frozen=True, slots=True)
class OrElse:
    """ "or" stands between that hour and this one.

    Attributes:
        other: that hour.
    """

    other: TimeEntry


@dataclass(frozen=True, slots=True)
class ElsewhereOn:
    """On these days the Mass is at that place."""

    days: Cond
    place: Cond


@dataclass(frozen=True, slots=True)
class OnlyOn:
    """In this season it is only on these days."""

    season: Cond
    days: Cond


Qualifier = SundayOnSaturday | SingleDates | LeftOpen | Joined | OrElse | ElsewhereOn | OnlyOn
_Q = TypeVar("_Q", bound=Qualifier)
_V = TypeVar("_V")


# --- who says what an hour is -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OfHeading:
    """A heading above alone, in that line of the document; -1 where none does."""

    line: int = -1


@dataclass(frozen=True, slots=True)
class OfWord:
    """A word beside it."""


@dataclass(frozen=True, slots=True)
class OfBracket:
    """Only a bracket after it."""


OF_WORD: Final = OfWord()


class DaysFrom(Enum):
    """Where the days of a group are named."""

    OWN_LINE = "in its line"
    LIST_ABOVE = "above its line, as those of a list"
    HOURS_ABOVE = "beside the hours of an earlier line, and nowhere else"


@dataclass(slots=True)
class TimeEntry:
    """An hour as read.

    Attributes:
        clock: the token; `clock.time` is the hour.
        line: position of its line in the document.
        kind: what is said to happen: `mass`, `devotion`, `office`, `confession`, ...
        said_by: what says so.
        restrictions: conditions tied to this hour alone.
        qualifiers: what else is said of it alone, in order.
        notes: remarks in order.
        place: place tied to this hour alone, "" when none.
    """

    clock: ClockToken
    line: int
    kind: str = "mass"
    said_by: OfHeading | OfWord | OfBracket = OfHeading()
    restrictions: list[Cond] = field(default_factory=list)
    qualifiers: tuple[Qualifier, ...] = ()
    notes: list[str] = field(default_factory=list)
    place: str = ""

    def qualify(self, *qualifiers: Qualifier) -> None:
        """Say something more of it, each thing once."""
        self.qualifiers += tuple(one for one in qualifiers if one not in self.qualifiers)

    def of_single_dates(self) -> TimeEntry:
        """The same hour, said to hold for single dates only."""
        return self if SingleDates() in self.qualifiers else replace(self, qualifiers=(*self.qualifiers, SingleDates()))

    def has(self, *types: type[Qualifier]) -> bool:
        """Whether something of one of these types is said of it."""
        return any(isinstance(one, types) for one in self.qualifiers)

    def said(self, of: type[_Q]) -> list[_Q]:
        """What is said of it of one type."""
        return [one for one in self.qualifiers if isinstance(one, of)]

    @property
    def is_live(self) -> bool:
        """Whether it counts as a Mass of the standing order."""
        return self.kind == "mass" and not self.has(SingleDates) and self.clock.kind is not ClockKind.RANGE

    @property
    def is_vigil(self) -> bool:
        """Whether it is said to be the Sunday Mass on Saturday."""
        return self.has(SundayOnSaturday)

    @property
    def has_own_kind(self) -> bool:
        """Whether a word of its own says what it is, beside it or in a bracket."""
        return not isinstance(self.said_by, OfHeading)

    @property
    def heading(self) -> int:
        """The line of the heading above that alone says what it is, -1 when none does."""
        return self.said_by.line if isinstance(self.said_by, OfHeading) else -1


@dataclass(frozen=True, slots=True)
class InBracket:
    """Where a group stands that is in a bracket after an hour.

    Attributes:
        hour: before the bracket.
        group: of that hour.
        alone: nothing but hours stands in the bracket.
    """

    hour: TimeEntry
    group: TimeGroup
    alone: bool = False


@dataclass(slots=True)
class TimeGroup:
    """Hours under one scope.

    Attributes:
        scope: conditions that govern all of them.
        items: in order.
        effect: what they do to the hours before.
        bracket: that they stand in, else None.
        days_from: where its days are named.
    """

    scope: Scope
    items: list[TimeEntry] = field(default_factory=list)
    effect: Effect = STATES
    bracket: InBracket | None = None
    days_from: DaysFrom = DaysFrom.OWN_LINE

    @property
    def removes(self) -> bool:
        """Whether its hours do not take place, or nobody can say."""
        return isinstance(self.effect, (Removes, Keeps, Unread))

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
        return self._value(OnDays, Days)

    def label(self) -> Days | None:
        """The list the run belongs to."""
        return self._value(InList, Days)

    def nth(self) -> Nth | None:
        """The weekdays of the month, None for every week."""
        return self._value(OnNth, Nth)

    def season(self) -> Season | None:
        """The season, None for the whole year."""
        return self._value(InSeason, Season)

    def _value(self, dimension: Dimension, kind: type[_V]) -> _V | None:
        value = self.scope[dimension].value if dimension in self.scope else None
        return value if isinstance(value, kind) else None

    def place(self) -> str:
        """The place, "" for the parish church."""
        cond = self.scope.get(AtPlace)
        return str(cond.value) if cond is not None else ""
