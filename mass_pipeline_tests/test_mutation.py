"""The tool behind `make mutation`: a run that passes, one that fails, one without end; mutants that make no difference."""

from __future__ import annotations

from pathlib import Path

import pytest

from mass_pipeline_tests.equivalent_mutants import EQUIVALENT
from mass_pipeline_tests.mutation import PACKAGES, mutants_of, passes, warm
from mass_pipeline_tests.shared import ROOT


@pytest.mark.soak
@pytest.mark.parametrize(
    ("body", "cpu_seconds", "passed"),
    [("assert 1 + 1 == 2", 20, True), ("assert 1 + 1 == 3", 20, False), ("while True:\n        pass", 1, False)],
)
def test_a_run_of_the_tests_is_a_fork_that_ends(tmp_path: Path, body: str, cpu_seconds: float, passed: bool) -> None:
    (tmp_path / "test_sums.py").write_text(f"def test_sum() -> None:\n    {body}\n", encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n", encoding="utf-8")  # as the project has it
    warm(())

    assert passes(tmp_path, ["test_sums.py"], cpu_seconds, 300)[0] is passed


def test_a_mutant_is_the_module_with_one_change() -> None:
    [first, *_] = mutants_of(("crawling/watching/polling.py",))
    changed = first.code()

    assert changed is not None
    assert changed != first.module.read_text(encoding="utf-8")


def test_those_that_make_no_difference_are_of_lines_that_are_still_there() -> None:
    modules = [ROOT / "mass_pipeline" / entry for modules, _ in PACKAGES.values() for entry in modules]
    files = [file for entry in modules for file in ([entry] if entry.is_file() else entry.rglob("*.py"))]
    lines = {line.strip() for file in files for line in file.read_text(encoding="utf-8").splitlines()}

    assert {before for before, _ in EQUIVALENT} <= lines
