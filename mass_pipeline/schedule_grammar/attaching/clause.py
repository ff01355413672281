"""What the reader remembers while it reads a clause."""

from __future__ import annotations

from mass_pipeline.schedule_grammar.attaching.effects import (
    STATES,
    TAKES_TURNS,
    Adds,
    Effect,
    Only,
    Removes,
    Replaces,
    States,
)
from mass_pipeline.schedule_grammar.attaching.runs import Item
from mass_pipeline.schedule_grammar.parsing.nodes import Cond


class Clause:
    """State that begins anew with every clause.

    Attributes:
        last: the hour read last, None before the first one.
        gap: marks between it and what comes: "", "comma", "and", "dash", "colon".
        interlude: words stand between a comma after an hour and what follows.
        mode: how the hours to come stand beside those before.
        removing: the hours to come do not take place.
        victim: "" when the hour that is replaced comes next, then that hour; None outside "zamiast".
        uncertain, alternate: the hours to come are one of several readings, or take turns.
        turns: how the hours to come take turns, "" when they do not.
        either: the hour before "lub".
        notes: remarks that wait for their hour.
        denied: conditions of a negation, dealt with already.
        shared: days of the hour before, for the other half of a pair: "17.00 - pn., śr. (zimą); 18.00 (latem)".
    """

    def __init__(self) -> None:
        self.begin_clause()

    def begin_clause(self) -> None:
        """Forget the clause before."""
        self.last: Item | None = None
        self.gap = ""
        self.interlude = False
        self.mode: States | Adds | Only = STATES
        self.removing = False
        self.victim: str | None = None
        self.uncertain = False
        self.either: Item | None = None
        self.alternate, self.turns = False, ""
        self.notes: list[str] = []
        self.denied: tuple[object, ...] = ()
        self.shared: tuple[Cond, ...] = ()

    def effect(self) -> Effect:
        """What the next hour does to those before."""
        if self.removing:
            return Removes()
        if self.victim:
            return Replaces(self.victim)
        return TAKES_TURNS if self.alternate and not isinstance(self.mode, Adds) else self.mode
