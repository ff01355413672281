"""What the chunker hands to the reader: times, conditions, operators, separators and bracketed groups.

Nothing here is changed once it is made. What a page makes by the thousand is nevertheless not declared frozen: a frozen
dataclass takes three times as long to fill, a tenth of the time in which a long page is read (docs/extraction.md).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, Literal, NamedTuple

from mass_pipeline.schedule_grammar.clock import ClockToken

YEAR: Final = frozenset(range(1, 13))
WEEK: Final = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
WORKING_WEEK: Final = frozenset(WEEK[:6])  # "dni powszednie" and "codziennie" beside a Sunday list: field guide H3, H4
WORKDAYS: Final = frozenset(WEEK[:5])  # "weekdays" in English
NTH: Final = (1, 2, 3, 4, 5)

Dimension = Literal["list", "days", "nth", "season", "place", "kind", "note", "date"]


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Season:
    """Part of the year.

    Attributes:
        months: the months; None for an overlay, which has no months of its own.
        name: token of `model.records.NAMED_SEASONS` where the words name one, several joined by `+`, else "".
        rest: the complement of the seasons named so far ("pozostałe miesiące").
    """

    months: frozenset[int] | None
    name: str = ""
    rest: bool = False


@dataclass(slots=True, unsafe_hash=True)
class Cond:
    """A condition in one dimension; `excluded` turns it round ("poza wakacjami", "z wyjątkiem środy")."""

    dim: Dimension
    value: Days | Nth | Season | str
    start: int
    end: int
    excluded: bool = False
    only: bool = False


@dataclass(slots=True, unsafe_hash=True)
class Time:
    """An hour in the text."""

    clock: ClockToken
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Op:
    """An operator word: also, only, without, instead, or, alternate, same, sometimes, thattime, evening."""

    name: str
    start: int
    end: int
    days: Days | None = None  # of "jak w niedzielę"


class Sep(NamedTuple):
    """A separator: comma, and, dash, colon, semicolon, stop, bar; `strong` ones end a clause."""

    name: str
    start: int
    end: int

    @property
    def strong(self) -> bool:
        """Whether a clause ends here."""
        return self.name in ("semicolon", "stop", "bar")


@dataclass(frozen=True, slots=True)
class Group:
    """What stands in brackets."""

    nodes: tuple[Node, ...]
    start: int
    end: int
    text: str = ""


class Word(NamedTuple):
    """A word without meaning to the grammar."""

    text: str
    start: int
    end: int
    marker: str = ""  # "hour" for godz./o, "number", "intention", "glue"


Node = Cond | Time | Op | Sep | Group | Word


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


def excluded(cond: Cond) -> Cond:
    """The condition turned round."""
    return replace(cond, excluded=not cond.excluded)
