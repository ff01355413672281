"""Rules with names: what can become of a node, tried in order, of which the first that applies acts.

Belongs here: what a rule is. Not here: the rules, whose tables are next to what they deal with: conditions, words, hours and
places of brackets (`reader`), what brackets say (`brackets_reader`, `bracket_conditions`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, ParamSpec

_Given = ParamSpec("_Given")


class Rule(Generic[_Given]):
    """What becomes of a node; not a dataclass, because mypyc compiles none that is generic.

    Attributes:
        name: for people (`--explain`).
        applies: whether it is this rule that deals with what is given.
        act: deals with it.
    """

    __slots__ = ("act", "applies", "name")

    def __init__(self, name: str, applies: Callable[_Given, bool], act: Callable[_Given, None]) -> None:
        self.name = name
        self.applies = applies
        self.act = act


def always(*given: object) -> bool:
    """Of the last rule of a table."""
    return True


def leave(*given: object) -> None:
    """Nothing is left to do."""
