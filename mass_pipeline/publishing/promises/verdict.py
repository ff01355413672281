"""What a validator says: passed or not, in one sentence, with figures and the rows that speak against it. No Dagster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

Finding = Mapping[str, str | int | float | bool]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Outcome of one validator.

    Attributes:
        passed: whether the promise holds.
        summary: one sentence that names the promise, what was found and, on failure, the remedy.
        figures: numbers that the UI plots over time.
        findings: the worst rows, at most twenty.
    """

    passed: bool
    summary: str
    figures: Mapping[str, int | float] = field(default_factory=dict)
    findings: Sequence[Finding] = ()
