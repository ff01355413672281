"""What hours do to those that stand before them: one of seven effects, never two (field guide H).

Belongs here: the values. Not here: which words mean which (`statements`, `denials`), what becomes of the hours (`validity`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mass_pipeline.reading.phrases.nodes import Days


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
    """

    whole_days: bool = False
    half: str = ""
    elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class Copies:
    """`święta: jak w niedzielę`.

    Attributes:
        days: whose list is copied.
    """

    days: Days


Effect = States | Adds | Only | TakesTurns | Replaces | Removes | Copies

STATES: Final = States()
ADDS: Final = Adds()
ONLY: Final = Only()
TAKES_TURNS: Final = TakesTurns()
