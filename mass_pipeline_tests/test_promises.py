"""The ledgers of promises and hazards name tests; each of them exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from mass_pipeline_tests.shared import ROOT

DOCS = ROOT / "docs"
_TESTS = ROOT / "mass_pipeline_tests"
_NAMED = re.compile(r"`([\w/]+\.py)(?:::(\w+))?(?:::(\w+))?`")
_ROWS = re.compile(r"^\| ([^|]+) \|", re.MULTILINE)


def _names(file: Path) -> set[tuple[str, str]]:
    """(class, test) of a file; ("", "") is the file, (class, "") a class."""
    classes = [node for node in ast.parse(file.read_text("utf-8")).body if isinstance(node, ast.ClassDef)]
    tests = {(one.name, test.name) for one in classes for test in one.body if isinstance(test, ast.FunctionDef)}
    return {("", ""), *((one.name, "") for one in classes), *tests}


@pytest.mark.parametrize(("page", "least"), [("promises.md", 30), ("hazards.md", 100)])
def test_what_a_ledger_names_is_there(page: str, least: int) -> None:
    named = set(_NAMED.findall((DOCS / page).read_text("utf-8")))
    there = {file: _names(_TESTS / file) for file, _, _ in named if (_TESTS / file).is_file()}

    assert len(named) >= least
    assert [one for one in sorted(named) if one[1:] not in there.get(one[0], ())] == []


def test_every_hazard_of_the_list_has_a_row() -> None:
    rows = set(re.findall(r"\b([SUGPTDL]\d+)\b", " ".join(_ROWS.findall((DOCS / "hazards.md").read_text("utf-8")))))
    last = {"S": 14, "U": 10, "G": 8, "P": 13, "T": 12, "L": 3}
    wanted = {f"{letter}{n}" for letter, n_rows in last.items() for n in range(1, n_rows + 1)}

    assert wanted | {f"D{n}" for n in (*range(1, 8), 11, 12, 13)} == rows
