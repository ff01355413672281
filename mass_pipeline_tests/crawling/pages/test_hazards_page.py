"""docs/hazards.md names tests; each of them exists."""

from __future__ import annotations

import ast
import re

from mass_pipeline_tests.shared import ROOT

PAGE = (ROOT / "docs" / "hazards.md").read_text("utf-8")
NAMED = sorted(set(re.findall(r"`([\w/]+\.py)::(\w+)(?:::(\w+))?`", PAGE)))


class TestPage:
    def test_it_has_a_row_for_every_hazard(self) -> None:
        rows = set(re.findall(r"\b([SUGPTDL]\d+)\b", " ".join(re.findall(r"^\| ([^|]+) \|", PAGE, re.MULTILINE))))
        wanted = {f"S{n}" for n in range(1, 15)} | {f"U{n}" for n in range(1, 11)} | {f"G{n}" for n in range(1, 9)}
        wanted |= (
            {f"P{n}" for n in range(1, 14)} | {f"T{n}" for n in range(1, 13)} | {f"D{n}" for n in (*range(1, 8), 11, 12, 13)}
        )

        assert wanted | {"L1", "L2", "L3"} == rows

    def test_what_it_names_is_there(self) -> None:
        there = {
            (file, node.name, promise)
            for file in {file for file, _, _ in NAMED}
            for node in ast.parse((ROOT / "mass_pipeline_tests" / file).read_text("utf-8")).body
            if isinstance(node, ast.ClassDef)
            for promise in ("", *(one.name for one in node.body if isinstance(one, ast.FunctionDef)))
        }

        assert len(NAMED) > 100
        assert set(NAMED) - there == set()
