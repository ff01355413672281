"""A rule is one value: what it is about, what becomes of it, and texts that show when it acts and when it does not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, ParamSpec

_Given = ParamSpec("_Given")


class Rule(Generic[_Given]):
    """What becomes of a node, tried in the order of its table, of which the first that applies acts.

    Attributes:
        name: for people (`--explain`).
        pattern: whether it is this rule that deals with what is given.
        produce: deals with it.
        examples: lines in which it acts.
        near: lines that look like them, in which it does not.
    """

    __slots__ = ("examples", "name", "near", "pattern", "produce")

    def __init__(
        self,
        name: str,
        pattern: Callable[_Given, bool],
        produce: Callable[_Given, None],
        examples: Sequence[str],
        near: Sequence[str] = (),
    ) -> None:
        self.name = name
        self.pattern = pattern
        self.produce = produce
        self.examples = examples
        self.near = near


def always(*given: object) -> bool:
    """Of the last rule of a table."""
    return True


def leave(*given: object) -> None:
    """Nothing is left to do."""
