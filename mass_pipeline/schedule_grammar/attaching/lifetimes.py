"""How long what was said governs the hours to come: one table, by what it is and how it was said.

Belongs here: the boundaries that end it. Not here: what a new condition ends (`scopes`): one of a dimension always ends the one
before it, and everything inside.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Final

from mass_pipeline.schedule_grammar.parsing.nodes import (
    AtPlace,
    Cond,
    Dated,
    Dimension,
    InList,
    InSeason,
    OfKind,
    OnDays,
    OnNth,
    Season,
)


class Boundary(IntEnum):
    """Where conditions end; each boundary ends also what those before it would have ended."""

    CLAUSE = 1  # a semicolon, a full stop, a bar
    SENTENCE = 2  # a full stop, and every new line
    LABEL = 3  # a new line that names days
    HEADING = 4  # a heading of its level or above


class Manner(IntEnum):
    """How a condition was said."""

    MID_CLAUSE = 0  # after hours of its clause: "18.00, w środę 8.00"
    PASSING = 1  # in the line of its hours: "latem 18.00"
    COLON = 2  # there, and before a colon: "latem: 18.00"
    ABOVE = 3  # on a line of its own: a heading, a label, the head of a cell


_C, _S, _L, _H = Boundary.CLAUSE, Boundary.SENTENCE, Boundary.LABEL, Boundary.HEADING
_MOVABLE: Final = "movable season"
_OF_ANOTHER: Final = "kind of another Mass"
LIFETIMES: Final[Mapping[Dimension | str, tuple[Boundary, Boundary, Boundary, Boundary]]] = {
    # what, and where it ends:     mid-clause, passing, colon, above
    InList: (_C, _H, _H, _H),
    OnDays: (_C, _H, _H, _H),
    OnNth: (_C, _H, _H, _H),
    InSeason: (_C, _S, _L, _H),
    _MOVABLE: (_C, _C, _L, _H),  # Advent, Lent: without months of its own
    AtPlace: (_C, _L, _L, _H),
    Dated: (_C, _S, _S, _H),
    OfKind: (_L, _L, _L, _H),
    _OF_ANOTHER: (_S, _S, _S, _H),  # "w sąsiednim Lipniku Msza o 12.00. U nas ..."
}
_OF_ANOTHER_MASS: Final = frozenset({"reference", "elsewhere"})  # kinds
END_WITH_BOX: Final = frozenset({InSeason, AtPlace, OfKind})  # said above: they end also with the box of their heading


def lifetime_of(cond: Cond, manner: Manner) -> Boundary:
    """The first boundary that ends a condition.

    >>> lifetime_of(InSeason(Season(frozenset({7, 8})), 0, 9), Manner.PASSING).name
    'SENTENCE'
    """
    return LIFETIMES[_what(cond)][manner]


def _what(cond: Cond) -> Dimension | str:
    if isinstance(cond, InSeason) and isinstance(cond.value, Season) and cond.value.dates is None:
        return _MOVABLE
    return _OF_ANOTHER if isinstance(cond, OfKind) and cond.value in _OF_ANOTHER_MASS else type(cond)
