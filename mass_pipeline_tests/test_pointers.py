"""Module docstrings point to modules that exist: "Not here: the pace (politeness)"."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from mass_pipeline_tests.shared import ROOT

_PACKAGE: Final = ROOT / "mass_pipeline"
_ELSEWHERE: Final = re.compile(r"Not here:(.*)", re.S)
_POINTER: Final = re.compile(r"\((?:see )?(`?[a-z][a-z_.]*`?(?:, `?[a-z][a-z_.]*`?)*)\)")


def pointers() -> Iterator[tuple[str, str]]:
    """(module, name it points to)."""
    for path in sorted(_PACKAGE.rglob("*.py")):
        words = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        elsewhere = _ELSEWHERE.search(words)
        for group in _POINTER.findall(elsewhere[1] if elsewhere else ""):
            yield from ((str(path.relative_to(ROOT)), name.strip(" `")) for name in group.split(","))


class TestPointers:
    def test_lead_to_modules_that_exist(self) -> None:
        """A reader who is sent elsewhere must find something there."""
        places = [*_PACKAGE.rglob("*"), *(ROOT / "mass_pipeline_tests").glob("*")]
        known = {path.stem for path in places} | {path.name for path in ROOT.iterdir()}
        found = list(pointers())

        assert len(found) > 100
        assert [(module, name) for module, name in found if name.rpartition(".")[2] not in known] == []
