"""The house stays one that can be read: small modules, small functions. Complexity is a rule of ruff (C90, at most 10)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mass_pipeline_tests.shared import ROOT

_LONGEST_MODULE = 400  # lines
_LONGEST_FUNCTION = 40  # lines, its docstring not counted
# Each with its reason; the list may only shrink.
_LONGER_FUNCTIONS: dict[str, str] = {}


def _functions(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """(name, lines without docstring) of every function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            first = node.body[0]
            described = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and first.end_lineno is not None
            docstring = first.end_lineno - first.lineno + 1 if described and first.end_lineno else 0
            yield node.name, node.end_lineno - node.lineno + 1 - docstring


class TestLimits:
    def test_no_module_is_longer_than_400_lines(self) -> None:
        """House style 5: split by concept."""
        lengths = {
            str(file.relative_to(ROOT)): len(file.read_text(encoding="utf-8").splitlines())
            for folder in ("mass_pipeline", "mass_pipeline_tests")
            for file in (ROOT / folder).rglob("*.py")
        }

        assert {name: length for name, length in lengths.items() if length > _LONGEST_MODULE} == {}

    def test_no_function_is_longer_than_40_lines(self) -> None:
        """House style 5: a function that does not fit on a screen does several things."""
        found: dict[str, int] = {}
        for file in sorted((ROOT / "mass_pipeline").rglob("*.py")):
            source = file.read_text(encoding="utf-8")
            if source.count("\n") > _LONGEST_FUNCTION:
                where = str(file.relative_to(ROOT / "mass_pipeline"))
                found |= {f"{where}:{name}": lines for name, lines in _functions(ast.parse(source)) if lines > _LONGEST_FUNCTION}

        assert set(_LONGER_FUNCTIONS) == set(found), found
