"""Figures beside what is wanted of them: each printed as met or short, and whether all were met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Targets:
    """What was wanted and what came; printed as it comes.

    Attributes:
        short: names of the figures that fell short.
    """

    short: list[str] = field(default_factory=list)

    def at_most(self, name: str, figure: float, wanted: float, unit: str = "") -> None:
        """A figure that should be no greater."""
        self._say(name, figure, wanted, unit, figure <= wanted, "at most")

    def at_least(self, name: str, figure: float, wanted: float, unit: str = "") -> None:
        """A figure that should be no smaller."""
        self._say(name, figure, wanted, unit, figure >= wanted, "at least")

    def end(self) -> int:
        """The exit code: 0 when all were met, else 1; says which were not."""
        print(f"SHORT OF WHAT IS WANTED: {'; '.join(self.short)}" if self.short else "all targets met")
        return 1 if self.short else 0

    def _say(self, name: str, figure: float, wanted: float, unit: str, is_met: bool, bound: str) -> None:
        print(f"  {'met  ' if is_met else 'SHORT'} {name}: {figure:,.4g}{unit} ({bound} {wanted:,.4g}{unit})")
        if not is_met:
            self.short.append(name)


@dataclass(frozen=True)
class Quantiles:
    """Of durations in milliseconds: the middle, 95 and 99 of a hundred, and how many went into a second of their sum."""

    p50: float
    p95: float
    p99: float
    per_second: float

    @classmethod
    def of(cls, spent: Sequence[float]) -> Quantiles:
        """Of some durations in milliseconds, at least one.

        >>> Quantiles.of([1.0, 2.0, 3.0]).p50
        2.0
        """
        ordered = sorted(spent)
        p50, p95, p99 = (ordered[int(len(ordered) * share)] for share in (0.5, 0.95, 0.99))
        return cls(p50, p95, p99, 1000 * len(ordered) / sum(ordered))

    def __str__(self) -> str:
        return f"p50 {self.p50:.2f} ms, p99 {self.p99:.2f} ms, {self.per_second:.0f} per core-second"
