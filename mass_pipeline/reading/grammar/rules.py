"""A rule is one value: what it is about, and what becomes of it. Lines that show when it acts and when not are its tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, ParamSpec

_Given = ParamSpec("_Given")


@dataclass(eq=False, slots=True)
class Rule(Generic[_Given]):
    """What becomes of a node, tried in the order of its table.

    Attributes:
        name: for people (`--explain`).
        pattern: whether it is this rule that deals with what is given.
        produce: deals with it.
        goes_on: the rules after it are tried too; else the first that applies is the last.
    """

    name: str
    pattern: Callable[_Given, bool]
    produce: Callable[_Given, None]
    goes_on: bool = False


def act(rules: Sequence[Rule[_Given]], note: Callable[[str], None], *given: _Given.args, **named: _Given.kwargs) -> None:
    """Deal with what is given by the rules of a table; `note` takes the names of those that act."""
    for rule in rules:
        if rule.pattern(*given, **named):
            note(rule.name)
            rule.produce(*given, **named)
            if not rule.goes_on:
                return


def always(*given: object) -> bool:
    """Of the last rule of a table."""
    return True


def leave(*given: object) -> None:
    """Nothing is left to do."""
