"""Settings of the link bandits."""

from __future__ import annotations

from dataclasses import dataclass

from mass_pipeline.model.settings import setting


@dataclass(frozen=True, slots=True)
class LinkBanditConfig:
    """Budget and parameters of the policies; measured in docs/link-bandits.md."""

    policy: str = setting(
        "quantum",
        "Policy where the theme of the target set is unknown",
        choices=("sequential", "quantum", "r1", "r2", "r3", "thompson", "rotting"),
    )
    theme: str = setting("", "Theme of the target set: institutes, universities; any other is unknown")
    max_level: int = setting(5, "Most internal links between start page and page, default for all sites", unit="links", minimum=0)
    budget_pages: int = setting(2000, "Pages to fetch over all sites of a target set", unit="pages", minimum=1)
    quantum_pages: int = setting(10, "Pages per site and turn of the quantum policy", unit="pages", minimum=1)
    step_pages: int = setting(10, "Pages that a site is asked for in one turn", unit="pages", minimum=1)
    first_pages: int = setting(10, "Pages of every site before its index counts", unit="pages", minimum=1)
    thompson_site_memory_pages: float = setting(
        300.0, "Pages of a site after which the weight of an observation of it has fallen to 1/e", unit="pages", minimum=1
    )
    thompson_memory_pages: float = setting(1500.0, "Pages of all sites after which it has fallen so", unit="pages", minimum=1)
    rotting_confidence: float = setting(0.8, "Width of the confidence interval of the rotting policy", minimum=0.0)
