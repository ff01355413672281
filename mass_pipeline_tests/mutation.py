"""Do the tests see it when the code is changed? Mutants of some packages, drawn with a seed, each against the package's tests.

    python -m mass_pipeline_tests.mutation                    every package, 60 mutants of each
    python -m mass_pipeline_tests.mutation voting -n 20 --seed 3

Mutants are those of cosmic-ray. The checkout is copied and only the copy is changed; every run of the tests is a fork of one
process that has imported what is not the project's. Exit code 1 when fewer than 85 % of a package's mutants are noticed, those
left out that `equivalent_mutants` names with the reason; both shares are told.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import importlib
import io
import math
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn

import hypothesis
import pytest
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

from mass_pipeline_tests.equivalent_mutants import EQUIVALENT
from mass_pipeline_tests.shared import ROOT

LEAST: Final = 0.85
# What needs a server of its own is told by the same tests against a file.
_ARGUMENTS: Final = (
    "-x", "-q", "-p", "no:randomly", "--hypothesis-profile=mutation",
    "-m", "not soak and not slow and not service and not browser",
    "-W", "ignore::pytest.PytestAssertRewriteWarning",  # of plugins that are imported before the fork
)  # fmt: skip
_NO_SHRINKING: Final = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
_OF_SCHEDULES: Final = (
    "reading/test_conventions.py",
    "reading/test_ambiguity.py",
    "reading/test_notices.py",
    "reading/test_quotes.py",
    "reading/test_classes.py",
    "reading/formats",
    "evaluation/test_gate.py",
    "laws/test_laws.py",
)
# Package -> its modules and its tests, below mass_pipeline and mass_pipeline_tests.
PACKAGES: Final = {
    "schedules": (("schedules",), ("schedules",)),
    "polling": (("crawling/watching/polling.py",), ("crawling/watching/test_polling.py",)),
    "bandits": (("laboratory/bandits",), ("laboratory/bandits",)),
    "politeness": (
        ("crawling/fetching/politeness.py", "crawling/fetching/reservations.py"),
        ("crawling/fetching/test_politeness.py", "crawling/fetching/test_reservations.py"),
    ),
    "voting": (
        ("annotation/ballots.py", "annotation/voting.py", "annotation/labels.py"),
        (
            "annotation/test_ballots.py",
            "annotation/test_voting.py",
            "annotation/test_labels.py",
            "annotation/test_queue.py",
        ),
    ),
    "publishing": (
        ("publishing/orders.py", "schedules/standing_order.py"),
        ("schedules/test_standing_order.py", "publishing/test_orders.py", "publishing/test_decided_rows.py"),
    ),
    "ledger": (("gathering/ledger.py",), ("gathering/test_ledger.py",)),
    "grammar": (("reading/grammar",), ("reading/grammar", *_OF_SCHEDULES)),
    "phrases": (("reading/phrases", "reading/doubts.py"), _OF_SCHEDULES),
    "validity": (("reading/validity",), ("reading/validity", *_OF_SCHEDULES)),
    "regular": (("reading/regular",), (*_OF_SCHEDULES, "site_reading/test_new_orders.py", "site_reading/test_outline.py")),
    "ownership": (("site_reading/ownership",), ("site_reading",)),
    "announcements": (("reading/changes",), ("reading/changes", "laws/test_laws.py")),
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
            nodes = list(ast_nodes(get_ast(module.read_text(encoding="utf-8"))))
            for name in _operators():
                operator = get_operator(name)()
                places = sum(len(list(operator.mutation_positions(node))) for node in nodes)
                yield from (Mutant(module, name, number) for number in range(places))


def third_party(paths: Sequence[str]) -> list[str]:
    """Modules from outside the project that the tests import: the same for every mutant."""
    code = f"import pytest, sys; pytest.main(['--collect-only', '-qq', *{paths!r}]); print('\\n' + ' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in done.stdout.splitlines()[-1].split() if not _is_of_the_project(name)]


def _is_of_the_project(module: str) -> bool:
    return module.split(".")[0] in ("mass_pipeline", "mass_pipeline_tests", "conftest", "__main__")


def warm(modules: Iterable[str]) -> None:
    """Import what every run of the tests would import again; a run is a fork of this process."""
    hypothesis.settings.register_profile("mutation", deadline=None, derandomize=True, database=None, phases=_NO_SHRINKING)
    with contextlib.redirect_stderr(io.StringIO()):
        for name in modules:
            with contextlib.suppress(Exception):
                importlib.import_module(name)


def passes(copy: Path, paths: Sequence[str], cpu_seconds: float, seconds: float) -> tuple[bool, float]:
    """Whether the tests pass in the copy, and the CPU seconds they took.

    Args:
        copy: of the checkout.
        paths: tests and modules with examples, below it.
        cpu_seconds: most of these: a mutant that never ends is noticed, a busy machine is no reason.
        seconds: most of these on the clock, for one that waits for ever.
    """
    child = os.fork()
    if child == 0:
        _run(copy, paths, cpu_seconds)
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        ended, status, used = os.wait4(child, os.WNOHANG)
        if ended:
            return status == 0, used.ru_utime + used.ru_stime
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False, seconds


def _run(copy: Path, paths: Sequence[str], cpu_seconds: float) -> NoReturn:
    """In the forked process: the tests of the copy, which comes before the checkout."""
    code = 1
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(cpu_seconds), math.ceil(cpu_seconds) + 1))
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        os.chdir(copy)
        sys.dont_write_bytecode = True
        for name in [name for name in sys.modules if _is_of_the_project(name) and name != "__main__"]:
            del sys.modules[name]
        sys.path[:] = [str(copy), *(place for place in sys.path if Path(place or ".").resolve() != ROOT)]
        os.environ["PYTHONPATH"] = str(copy)
        code = int(pytest.main([*_ARGUMENTS, *paths]))
    finally:
        os._exit(code)


def paths_of(name: str) -> list[str]:
    """The tests of a package, the quickest first, and its modules, whose examples are tests."""
    modules, tests = PACKAGES[name]
    return [*(f"mass_pipeline_tests/{test}" for test in tests), *(f"mass_pipeline/{module}" for module in modules)]


def examine(name: str, copy: Path, count: int, seed: int) -> float:
    """Try a package's mutants and print those that nobody noticed; returns the share that was noticed."""
    every = list(mutants_of(PACKAGES[name][0]))
    drawn = random.Random(seed).sample(every, len(every))
    paths = paths_of(name)
    warm(third_party(paths))
    began = time.monotonic()
    healthy, cpu_seconds = passes(copy, paths, 600, 1800)
    if not healthy:
        raise SystemExit(f"{name}: the tests fail without any change")
    limits = 10 + 5 * cpu_seconds, 60 + 20 * (time.monotonic() - began)
    tried = noticed = equivalent = 0
    for mutant in drawn:
        changed = mutant.code() if tried < count else None
        if changed is None or any(mark in _difference(mutant, changed) for mark in _NO_BEHAVIOUR):
            continue
        place = copy / mutant.module.relative_to(ROOT)
        place.write_text(changed, encoding="utf-8")
        survived, _ = passes(copy, paths, *limits)
        shutil.copy(mutant.module, place)
        tried += 1
        noticed += not survived
        if survived:
            reason = EQUIVALENT.get(_lines(mutant, changed), "")
            equivalent += bool(reason)
            told = f"no difference, {reason}" if reason else "survived"
            print(f"{told}: {mutant.module.relative_to(ROOT)} {mutant.operator}\n{_difference(mutant, changed)}", flush=True)
    share = noticed / (tried - equivalent)
    print(
        f"{name}: {noticed} of {tried} noticed ({noticed / tried:.0%}); {share:.0%} without {equivalent} that make no difference;"
    )
    print(f"    {len(every)} mutants in all, seed {seed}", flush=True)
    return share


def _lines(mutant: Mutant, changed: str) -> tuple[str, str]:
    """The line before and after, without indentation; what takes several lines is joined."""
    lines = [line.strip() for line in _difference(mutant, changed).split("\n")]
    before, after = (" ".join(line[1:].strip() for line in lines if line[:1] == sign) for sign in "-+")
    return before, re.sub(r"- (?=\d)", "-", after) if "- " not in before else after  # a changed -1 comes as "- 2"


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
