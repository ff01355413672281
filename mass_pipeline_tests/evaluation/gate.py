"""The quality gate: bounds of every set, pinned together with a hash of its inputs and labels.

Watched is what is published (precision), what waits (rows withheld, of which there may not be more) and what gets lost. A
bound holds for one state of the data: when inputs or labels change, the bounds of the set must be pinned anew. Loosening one
needs `--allow-regression` and a line in CHANGELOG.md that names the set; tightening needs nothing but `--pin`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

FLOORS_FILE: Final = Path(__file__).with_name("floors.json")
_SLACK: Final = 0.0005  # rounding of the pinned figures
_CHANGELOG_WORDS: Final = "quality floor"

_CEILINGS: Final = frozenset({"withheld rows", "share with a wrong row published"})  # figures that may not rise

Figures = dict[str, float]  # "week precision" -> 0.991
Floors = dict[str, dict[str, object]]


def load_floors() -> Floors:
    """Pinned floors by set; empty before the first pinning."""
    return json.loads(FLOORS_FILE.read_text("utf-8")) if FLOORS_FILE.exists() else {}


def faults(name: str, fingerprint: str, figures: Mapping[str, float], floors: Floors) -> list[str]:
    """What speaks against accepting these figures of a set, in words; empty when the gate is passed.

    A set without floors is a fault too: an unpinned set guards nothing.
    """
    pinned = floors.get(name)
    if pinned is None:
        return [f"{name}: no floors are pinned; run `python -m mass_pipeline_tests.evaluation --pin`."]
    if pinned["fingerprint"] != fingerprint:
        return [f"{name}: inputs or labels changed since the floors were pinned; review them and run with --pin."]
    found = []
    for figure, floor in _figures_of(pinned).items():
        now = figures.get(figure, 0.0)
        if _is_worse(figure, now, floor):
            bound = "above its ceiling" if figure in _CEILINGS else "below its floor"
            found.append(f"{name}: {figure} is {now:.4f}, {bound} {floor:.4f}.")
    return found


def _is_worse(figure: str, now: float, bound: float) -> bool:
    return now - _SLACK > bound if figure in _CEILINGS else now + _SLACK < bound


def pin(
    name: str, fingerprint: str, figures: Mapping[str, float], floors: Floors, *, allow_regression: bool, changelog: str
) -> Floors:
    """Floors with the present figures of one set.

    Raises:
        ValueError: a floor would sink without `allow_regression`, or without a changelog line that says "quality floor"
            and names the set.
    """
    old = _figures_of(floors[name]) if name in floors else {}
    sunk = [figure for figure, bound in old.items() if figure in figures and _is_worse(figure, figures[figure], bound)]
    if sunk and not allow_regression:
        raise ValueError(
            f"{name}: {', '.join(sunk)} would sink. Mend the reading, or give --allow-regression and tell why in CHANGELOG.md."
        )
    if sunk and not any(_CHANGELOG_WORDS in line.lower() and name in line for line in changelog.splitlines()):
        raise ValueError(
            f'{name}: lowering needs a line in CHANGELOG.md with the words "{_CHANGELOG_WORDS}" and the name of the set.'
        )
    entry: dict[str, object] = {"fingerprint": fingerprint, "figures": {k: round(v, 4) for k, v in sorted(figures.items())}}
    return {**floors, name: entry}


def save_floors(floors: Floors) -> None:
    """Write the floors, sorted, so that a change shows in review."""
    FLOORS_FILE.write_text(json.dumps(dict(sorted(floors.items())), indent=1) + "\n", "utf-8")


def _figures_of(entry: Mapping[str, object]) -> dict[str, float]:
    figures = entry["figures"]
    assert isinstance(figures, dict)
    return figures
