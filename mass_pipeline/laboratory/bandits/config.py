"""Budget and parameters of the policies."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LinkBanditConfig:
    """What policies need besides their statistics; the values were measured (docs/link-bandits.md).

    Attributes:
        policy: where the theme of the target set is unknown.
        max_level: most internal links between start page and page.
        budget_pages: over all sites of a target set.
        quantum_pages: per site and turn of the quantum policy. quantum_seconds: the same of the policy `time`.
        step_pages: that R2 asks a site for in one turn. first_pages: of every site before the index of R3 counts.
    """

    policy: str = "quantum"
    max_level: int = 5
    budget_pages: int = 2000
    quantum_pages: int = 10
    quantum_seconds: float = 10.0
    step_pages: int = 10
    first_pages: int = 10
