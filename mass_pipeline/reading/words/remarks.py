"""Remarks of the grammar that take a season out of an hour which else holds all the year, and the seasons they mean."""

from __future__ import annotations

import re
from typing import Final

_NOT_IN_MAY: Final = "poza majem"
_NOT_IN_OCTOBER: Final = "poza październikiem"
_NOT_IN_EITHER: Final = "poza majem i październikiem"
REMARK_OF_MONTHS: Final = {  # months left out -> words
    frozenset({5}): _NOT_IN_MAY,
    frozenset({10}): _NOT_IN_OCTOBER,
    frozenset({5, 10}): _NOT_IN_EITHER,
}
REMARK_OF_SEASON: Final = {"advent": "poza Adwentem", "lent": "poza Wielkim Postem", "christmasvisits": "nie w czasie kolędy"}
AS_ON_SUNDAY: Final = "jak w niedzielę"  # of a day whose Masses are those of another
AS_ON_WORKING_DAY: Final = "jak w dzień powszedni"
# As `reading.validity` writes them; the longer one first.
_LEFT_OUT: Final = (
    *((words, (season,)) for season, words in REMARK_OF_SEASON.items()),
    (_NOT_IN_EITHER, ("may", "october")),
    (_NOT_IN_MAY, ("may",)),
    (_NOT_IN_OCTOBER, ("october",)),
)


_IN_TURNS: Final = re.compile(
    r"\bco (?:\d|drug|trzec|czwart|pi[ąa]t|dwa|trzy|cztery|par[ęe]|kilka)|na przemian|parzyst", re.IGNORECASE
)


def tells_turns(note: str) -> bool:
    """Whether a remark says that a Mass is not said every week.

    >>> tells_turns("co drugi tydzień"), tells_turns("dla dzieci")
    (True, False)
    """
    return _IN_TURNS.search(note) is not None


def left_out_seasons(note: str) -> tuple[str, ...]:
    """Seasons in which a Mass with this note is not said.

    >>> left_out_seasons("poza majem i październikiem, poza Adwentem"), left_out_seasons("suma")
    (('advent', 'may', 'october'), ())
    """
    found: list[str] = []
    for words, seasons in _LEFT_OUT:
        if words in note:
            found.extend(season for season in seasons if season not in found)
    return tuple(found)
