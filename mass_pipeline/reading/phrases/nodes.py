"""What the chunker hands to the reader: times, conditions, operators, separators and bracketed groups.

Nothing here is changed once it is made. What a page makes by the thousand is nevertheless not declared frozen: a frozen
dataclass takes three times as long to fill, a tenth of the time in which a long page is read, and a named tuple is slower to
make and to read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final, TypeGuard, TypeVar

from mass_pipeline.model.dates_of_year import NO_DATES, DatesOfYear
from mass_pipeline.reading.words.clock import ClockToken

WEEK: Final = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
WORKING_WEEK: Final = frozenset(WEEK[:6])  # "dni powszednie" and "codziennie" beside a Sunday list
WORKDAYS: Final = frozenset(WEEK[:5])  # "weekdays" in English
FEASTS: Final = frozenset({"PH", "AF"})
NTH: Final = (1, 2, 3, 4, 5)
_K = TypeVar("_K")


@dataclass(slots=True, unsafe_hash=True)
class Days:
    """A set of days.

    Attributes:
        days: codes of `model.records.DAYS`.
        label: it names a list ("niedziele i święta", "dni powszednie") rather than days within one.
        rest: the complement of the days named so far in the list ("pozostałe dni").
        daily: "codziennie": the meaning of Sunday depends on whether there is a Sunday list.
        feasts: bare "święta": PH or AF depending on what else is named.
    """

    days: frozenset[str] = frozenset()
    label: bool = False
    rest: bool = False
    daily: bool = False
    feasts: bool = False


@dataclass(slots=True, unsafe_hash=True)
class Nth:
    """Certain weekdays of a month.

    Attributes:
        ordinals, days: every one of the days in every one of the weeks.
        rest: the other ones ("w pozostałe czwartki").
        more: others named in the same breath ("I piątek i II niedziela").
    """

    ordinals: tuple[int, ...]
    days: frozenset[str]
    rest: bool = False
    more: tuple[Nth, ...] = ()


@dataclass(slots=True, unsafe_hash=True)
class Season:
    """Part of the year.

    Attributes:
        dates: the days of the year; None for an overlay, which has none of its own.
        name: token of `model.records.NAMED_SEASONS` where the words name one, several joined by `+`, else "".
        rest: the complement of the seasons named so far ("pozostałe miesiące").
        borders: of one that no dates fit: month or moment in which it begins, and in which it ends; else empty.
        says: the words of such a one, else "".
    """

    dates: DatesOfYear | None
    name: str = ""
    rest: bool = False
    borders: tuple[str, ...] = ()
    says: str = ""


@dataclass(slots=True, unsafe_hash=True)
class Cond:
    """A condition: of one of the classes below, which are its dimensions.

    Attributes:
        value: what is said: `Days` of lists and days, `Nth` of weeks, `Season` of seasons, words of all others.
        excluded: turned round ("poza wakacjami", "z wyjątkiem środy").
        only: nothing else holds ("tylko w wakacje").
    """

    value: Days | Nth | Season | str
    start: int
    end: int
    excluded: bool = False
    only: bool = False

    @property
    def days(self) -> frozenset[str]:
        """The days that it names; empty where it names none, or those of certain weeks."""
        return self.value.days if isinstance(self.value, Days) else frozenset()

    @property
    def dates(self) -> DatesOfYear:
        """The days of the year that its season has; none of another, or of one without dates of its own."""
        return (self.value.dates or NO_DATES) if isinstance(self.value, Season) else NO_DATES

    @property
    def is_rest(self) -> bool:
        """Whether it is what the list has not named: "pozostałe dni"."""
        return not isinstance(self.value, str) and self.value.rest

    @property
    def has_no_dates(self) -> bool:
        """Whether it is a season without dates of its own."""
        return isinstance(self.value, Season) and self.value.dates is None

    @property
    def is_of_feasts(self) -> bool:
        """Whether it names feasts alone."""
        return isinstance(self.value, Days) and self.value.days <= FEASTS


class When(Cond):
    """When hours hold."""

    __slots__ = ()


class WhichDays(When):
    """On which days."""

    __slots__ = ()


class InList(WhichDays):
    """A list by its name: "dni powszednie", "niedziele i święta"."""

    __slots__ = ()


class OnDays(WhichDays):
    """Days within a list: "w środy"."""

    __slots__ = ()


class OnNth(WhichDays):
    """Days of certain weeks of the month: "w pierwsze piątki"."""

    __slots__ = ()


class InSeason(When):
    """A part of the year: "latem", "w Adwencie"."""

    __slots__ = ()


class AtPlace(Cond):
    """A church or a village."""

    __slots__ = ()


class OfKind(Cond):
    """What happens: a Mass, a devotion, an office that is open."""

    __slots__ = ()


class Remark(Cond):
    """What is said beside: "dla dzieci"."""

    __slots__ = ()


class Dated(Cond):
    """A single date or feast."""

    __slots__ = ()


Dimension = type[Cond]
NARROWING: Final = (OnDays, OnNth, InSeason)  # what narrows a list; a tuple is looked at in a third of the time of a union
DAYS_OF_LIST: Final = (OnDays, OnNth)
LISTS_AND_DAYS: Final = (InList, OnDays)


@dataclass(slots=True, unsafe_hash=True)
class Time:
    """An hour in the text."""

    clock: ClockToken
    start: int
    end: int


@dataclass(slots=True, unsafe_hash=True)
class Op:
    """An operator word: also, only, without, instead, or, alternate, same, sometimes, thattime, evening."""

    name: str
    start: int
    end: int
    days: Days | None = None  # of "jak w niedzielę"
    says: str = ""  # of an alternation: in what turns; of one that no rule reads: its words


@dataclass(slots=True, unsafe_hash=True)
class Sep:
    """A separator: comma, and, dash, colon, semicolon, stop, bar; `strong` ones end a clause."""

    name: str
    start: int
    end: int

    @property
    def strong(self) -> bool:
        """Whether a clause ends here."""
        return self.name in ("semicolon", "stop", "bar")


@dataclass(slots=True, unsafe_hash=True)
class Group:
    """What stands in brackets."""

    nodes: tuple[Node, ...]
    start: int
    end: int
    text: str = ""


@dataclass(slots=True, unsafe_hash=True)
class Word:
    """A word without meaning to the grammar."""

    text: str
    start: int
    end: int
    marker: str = ""  # "hour" for godz./o, "number", "intention", "glue"


@dataclass(slots=True, unsafe_hash=True)
class Denial:
    """What a sentence takes out of the order; it stands in the place of its nodes, none of which governs an hour.

    Attributes:
        conds: when and where; empty when it names no time and no place.
        hours: those it names.
        half: "morning" or "evening" where it names that half of the day.
        words: that deny.
        unread: no rule reads the sentence: what it may reach waits.
        changes: False of a sentence that denies something else than a Mass.
        is_of_every_mass: it says of days that there is no Mass.
    """

    start: int
    end: int
    conds: tuple[Cond, ...] = ()
    hours: tuple[Time, ...] = ()
    half: str = ""
    words: str = ""
    unread: bool = False
    changes: bool = True
    is_of_every_mass: bool = False

    @property
    def is_of_hours_before(self) -> bool:
        """Whether it only says when the hours do not take place that it is beside."""
        return self.changes and not (self.hours or self.unread)


Node = Cond | Time | Op | Sep | Group | Word | Denial


@dataclass(slots=True, unsafe_hash=True)
class NodeLine:
    """The nodes of one line of the document.

    Attributes:
        index: position of the line in the document.
        nodes: in order.
        text: the line as written.
        heading: level of the heading, 0 for other lines.
    """

    index: int
    nodes: tuple[Node, ...]
    text: str = field(repr=False)
    heading: int = 0


# --- nodes of a kind ---------------------------------------------------------------------------------------------------


def select(nodes: Iterable[object], kinds: type[_K] | tuple[type[_K], ...]) -> list[_K]:
    """Those of some classes, in order."""
    return [node for node in nodes if isinstance(node, kinds)]


def first_of(nodes: Iterable[object], kinds: type[_K] | tuple[type[_K], ...]) -> _K | None:
    """The first of some classes; None where there is none."""
    return next((node for node in nodes if isinstance(node, kinds)), None)


def has(nodes: Iterable[object], kinds: type | tuple[type, ...]) -> bool:
    """Whether any is of some classes."""
    return any(isinstance(node, kinds) for node in nodes)


def is_op(node: object, *names: str) -> TypeGuard[Op]:
    """Whether a node is an operator of one of the names."""
    return type(node) is Op and node.name in names


def is_mark(node: object, *names: str) -> TypeGuard[Sep]:
    """Whether a node is a separator of one of the names."""
    return type(node) is Sep and node.name in names


def ends_clause(node: object) -> TypeGuard[Sep]:
    """Whether a clause ends at a node."""
    return type(node) is Sep and node.strong


def operators_in(nodes: Iterable[object]) -> set[str]:
    """The names of the operators."""
    return {node.name for node in select(nodes, Op)}


def marks_in(nodes: Iterable[object]) -> list[str]:
    """The names of the separators, in order."""
    return [node.name for node in select(nodes, Sep)]


def excluded(cond: Cond) -> Cond:
    """The condition turned round."""
    return replace(cond, excluded=not cond.excluded)


def left_out(cond: Cond) -> Cond:
    """A condition of time as one that leaves out; others as they are."""
    return replace(cond, excluded=True, only=False) if isinstance(cond, When) and not cond.excluded else cond
