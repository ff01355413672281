"""Do the tests see it when the code is changed? Mutants of some packages, drawn with a seed, each against the package's tests.

    python -m mass_pipeline_tests.mutation                    every package, 60 mutants of each
    python -m mass_pipeline_tests.mutation voting -n 20 --seed 3

Mutants are those of cosmic-ray. The checkout is copied and only the copy is changed. Exit code 1 when fewer than 85 % of a
package's mutants are noticed.
"""

from __future__ import annotations

import argparse
import difflib
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

from mass_pipeline_tests.shared import ROOT

LEAST: Final = 0.85
# Package -> its modules and its tests, below mass_pipeline and mass_pipeline_tests.
PACKAGES: Final = {
    "schedules": (("schedules",), ("schedules",)),
    "polling": (("crawler/watching/polling",), ("crawler/watching/polling",)),
    "bandits": (("crawler/link_collection/bandits",), ("crawler/link_collection/bandits",)),
    "politeness": (
        ("crawler/fetching/politeness.py", "crawler/fetching/reservations.py"),
        ("crawler/fetching/test_politeness.py", "crawler/fetching/test_reservations.py"),
    ),
    "voting": (
        ("annotation/ballots.py", "annotation/voting.py", "annotation/settling.py", "annotation/skill.py"),
        ("annotation/test_ballots.py", "annotation/test_voting.py", "annotation/test_labels.py", "annotation/test_queue.py"),
    ),
    "ledger": (("discovery/ledger.py",), ("discovery/test_ledger.py",)),
}
# Of the arithmetic ones, another operator tells no more than the opposite one; two need arguments; `is` names no value.
_ARITHMETIC: Final = (("Add", "Sub"), ("Sub", "Add"), ("Mul", "Div"), ("Div", "Mul"), ("FloorDiv", "Mul"), ("Mod", "Add"))
_LEFT_OUT: Final = ("core/Variable", "_Is", "Delete_USub", "RemoveDecorator")


_NO_BEHAVIOUR: Final = ("TYPE_CHECKING", "@dataclass(")


def _operators() -> list[str]:
    names = [name for name in operator_names() if not any(part in name for part in _LEFT_OUT)]
    wanted = tuple(f"ReplaceBinaryOperator_{one}_{other}" for one, other in _ARITHMETIC)
    return [name for name in names if "ReplaceBinaryOperator" not in name or name.endswith(wanted)]


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: module, operator, and which of its places."""

    module: Path
    operator: str
    occurrence: int

    def code(self) -> str | None:
        """The changed module; None when the change is none."""
        before = self.module.read_text(encoding="utf-8")
        after = mutate_code(before, get_operator(self.operator)(), self.occurrence)
        return after if after != before else None


def mutants_of(modules: tuple[str, ...]) -> Iterator[Mutant]:
    """Every mutant of some modules."""
    for entry in modules:
        place = ROOT / "mass_pipeline" / entry
        for module in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            if module.name == "config.py":  # defaults are choices, not behaviour
                continue
            tree = get_ast(module.read_text(encoding="utf-8"))
            for name in _operators():
                operator = get_operator(name)()
                places = sum(len(list(operator.mutation_positions(node))) for node in ast_nodes(tree))
                yield from (Mutant(module, name, number) for number in range(places))


def passes(copy: Path, tests: tuple[str, ...], seconds: float) -> bool:
    """Whether the tests pass in the copy within a time."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "not soak and not slow", "-p", "no:randomly"]
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(copy)}
    try:
        done = subprocess.run(
            [*command, *(f"mass_pipeline_tests/{test}" for test in tests)],
            cwd=copy, env=environ, capture_output=True, timeout=seconds, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def examine(name: str, copy: Path, count: int, seed: int) -> float:
    """Try a package's mutants and print those that nobody noticed; returns the share that was noticed."""
    modules, tests = PACKAGES[name]
    every = list(mutants_of(modules))
    drawn = random.Random(seed).sample(every, len(every))
    began = time.monotonic()
    if not passes(copy, tests, 600):
        raise SystemExit(f"{name}: the tests fail without any change")
    patience = 30 + 10 * (time.monotonic() - began)
    tried = noticed = 0
    for mutant in drawn:
        changed = mutant.code() if tried < count else None
        if changed is None or any(mark in _difference(mutant, changed) for mark in _NO_BEHAVIOUR):
            continue
        place = copy / mutant.module.relative_to(ROOT)
        place.write_text(changed, encoding="utf-8")
        survived = passes(copy, tests, patience)
        shutil.copy(mutant.module, place)
        tried += 1
        noticed += not survived
        if survived:
            print(f"survived: {mutant.module.relative_to(ROOT)} {mutant.operator}\n{_difference(mutant, changed)}", flush=True)
    print(f"{name}: {noticed} of {tried} noticed ({noticed / tried:.0%}), {len(every)} in all", flush=True)
    return noticed / tried


def _difference(mutant: Mutant, changed: str) -> str:
    lines = difflib.unified_diff(mutant.module.read_text(encoding="utf-8").split("\n"), changed.split("\n"), lineterm="", n=0)
    return "\n".join(f"    {line}" for line in list(lines)[2:])


def main() -> None:
    """Read the arguments, copy the checkout, examine the packages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", choices=[[], *PACKAGES], default=[])
    parser.add_argument("-n", "--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        copy = Path(folder) / "copy"
        left_out = shutil.ignore_patterns(".venv*", ".git", "build", "__pycache__", ".hypothesis", "demo-run", "*.egg-info")
        shutil.copytree(ROOT, copy, ignore=left_out)
        shares = [examine(name, copy, given.count, given.seed) for name in given.packages or PACKAGES]
    sys.exit(min(shares) < LEAST)


if __name__ == "__main__":
    main()
