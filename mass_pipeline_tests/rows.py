"""What the source documents ask, row by row, and the tests that show it.

A test names the rows it holds by `@pytest.mark.row("V11")`. Only tests that every run of the suite runs count: a row whose tests
all wait for `make soak` may stop being true unseen. `python -m mass_pipeline_tests.rows` writes docs/rows.md.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mass_pipeline_tests.shared import ROOT

PAGE = ROOT / "docs" / "rows.md"
_TESTS = ROOT / "mass_pipeline_tests"
_HEAD = """# What the source documents ask, and what works
Rows as in the requirements: P extraction of Mass times, V crawling techniques, J local crawler, B external links, C topical
crawler; the card names Dagster. Each row has tests, those marked with its id (paths below `mass_pipeline_tests/`), that
`make test` runs and that fail when its words stop being true. `python -m mass_pipeline_tests.rows` makes this page of
`mass_pipeline_tests/rows.toml` and of the tests themselves.

| row | asked | true | left out, or otherwise | shown by |
|---|---|---|---|---|
"""


@dataclass(frozen=True)
class Row:
    """One demand: its id, what is asked, what is true of it, what is left out or done otherwise ("" when nothing is)."""

    id: str
    asked: str
    true: str
    left_out: str = ""


def read_rows() -> list[Row]:
    """All rows, in the order of the documents."""
    table = tomllib.loads((_TESTS / "rows.toml").read_text("utf-8"))
    return [Row(identifier, **values) for identifier, values in table.items()]


def marked_tests() -> dict[str, list[str]]:
    """Of each row id the tests that carry it and run in every run of the suite, as `path::Class::test` below this package."""
    found: dict[str, list[str]] = {}
    for path in sorted(_TESTS.rglob("test_*.py")):
        source = path.read_text("utf-8")
        if "mark.row(" not in source:
            continue
        module = ast.parse(source)
        if _waits(_module_marks(module)):
            continue
        for name, marks in _tests(module.body, ""):
            for identifier in _row_ids(marks):
                found.setdefault(identifier, []).append(f"{path.relative_to(_TESTS)}::{name}")
    return found


def _module_marks(module: ast.Module) -> list[ast.expr]:
    return [
        mark
        for node in module.body
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == "pytestmark" for target in node.targets)
        for mark in (node.value.elts if isinstance(node.value, ast.List) else [node.value])
    ]


def _waits(marks: list[ast.expr]) -> bool:
    return any(ast.unparse(mark).startswith("pytest.mark.soak") for mark in marks)


def _tests(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, list[ast.expr]]]:
    """Names and marks of the classes and tests of a body; what waits for the soak, and what is inside it, is left out."""
    for node in body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef) or _waits(node.decorator_list):
            continue
        yield prefix + node.name, node.decorator_list
        if isinstance(node, ast.ClassDef):
            yield from _tests(node.body, f"{node.name}::")


def _row_ids(marks: list[ast.expr]) -> list[str]:
    return [
        argument.value
        for mark in marks
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.row"
        for argument in mark.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]


def page_of(rows: list[Row], tests: dict[str, list[str]]) -> str:
    """The text of docs/rows.md."""
    lines = []
    for row in rows:
        shown_by = ", ".join(f"`{one}`" for one in tests.get(row.id, []))
        lines.append(f"| {row.id} | {row.asked} | {row.true} | {row.left_out or '-'} | {shown_by} |\n")
    return _HEAD + "".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page_of(read_rows(), marked_tests()), "utf-8")
    print(Path(PAGE).relative_to(ROOT))
