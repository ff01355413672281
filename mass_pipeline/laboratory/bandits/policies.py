"""Every policy by name, and the choice of one by the theme of a target set (B10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from mass_pipeline.laboratory.bandits.classic import R1, R2, R3, Quantum, QuantumOfTime, Sequential
from mass_pipeline.laboratory.bandits.config import LinkBanditConfig
from mass_pipeline.laboratory.bandits.statistics import Policy
from mass_pipeline.model.errors import UsageError

Maker = Callable[[LinkBanditConfig, int], Policy]

POLICIES: Final[Mapping[str, Maker]] = {
    "sequential": lambda config, seed: Sequential(),
    "quantum": lambda config, seed: Quantum(config.quantum_pages),
    "time": lambda config, seed: QuantumOfTime(config.quantum_seconds),
    "r1": lambda config, seed: R1(config.budget_pages),
    "r2": lambda config, seed: R2(config.step_pages),
    "r3": lambda config, seed: R3(config.first_pages),
}

_THEMES: Final[Mapping[str, str]] = {"institutes": "r2", "universities": "r3"}


def make_policy(name: str, config: LinkBanditConfig, *, seed: int) -> Policy:
    """A new policy for one run.

    Raises:
        UsageError: for an unknown name.
    """
    maker = POLICIES.get(name)
    if maker is None:
        raise UsageError(f"policy {name!r}: there are {', '.join(POLICIES)}")
    return maker(config, seed)


def policy_for_theme(theme: str, config: LinkBanditConfig) -> str:
    """Name of the policy for a target set: by its theme where that is known, else the configured one (B10).

    >>> policy_for_theme("universities", LinkBanditConfig()), policy_for_theme("", LinkBanditConfig())
    ('r3', 'quantum')
    """
    return _THEMES.get(theme, config.policy)
