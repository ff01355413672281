"""Figures of benchmarks: whatever a table of the docs states is recorded with its command and commit, and the other way round."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from mass_pipeline_tests.benchmarks.__main__ import benchmarks
from mass_pipeline_tests.benchmarks.compare import COMMAND, FIGURES, MEASURED, recorded
from mass_pipeline_tests.shared import ROOT

DOCS = ROOT / "docs"
NAMED = re.compile(rf"(?:NAME=|benchmarks[./]|`)({'|'.join(benchmarks())})\b")


def stated() -> Iterator[tuple[str, str, str, str]]:
    """Doc, figure, value and command of each row of a table that names the benchmark it comes from."""
    for path in sorted(set(DOCS.glob("*.md")) - {DOCS / "rows.md"}):  # which names where a promise is shown
        for line in path.read_text("utf-8").splitlines():
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] if line.startswith("|") else []
            commands = [cell for cell in cells[1:] if NAMED.search(cell)]
            values = [cell for cell in cells[1:] if re.search(r"\d", cell) and cell not in commands]
            if commands and values:
                yield path.name, cells[0], " | ".join(values), commands[0]


class TestFigures:
    def test_the_figures_of_the_docs_are_the_recorded_ones(self) -> None:
        kept = {(one["doc"], one["figure"], one["value"], one["command"]) for one in recorded() if one["doc"]}

        assert kept == set(stated()), "docs/figures.json: record the figure with its command and the commit that was measured"

    def test_each_names_the_commit_it_was_measured_at(self) -> None:
        assert [one["figure"] for one in recorded() if not re.fullmatch(r"[0-9a-f]{7,}", one["commit"])] == []

    def test_those_that_are_compared_at_each_landing_are_recorded_as_numbers(self) -> None:
        compared: dict[str, Any] = {one["figure"]: one["value"] for one in recorded() if one["command"] == COMMAND}

        assert compared.keys() == MEASURED.keys()
        assert all(value > 0 for value in compared.values())


@pytest.mark.soak
@pytest.mark.parametrize("name", ["crawl", "bare_loop"])
def test_both_crawls_of_the_comparison_get_every_page(name: str) -> None:
    from mass_pipeline_tests.benchmarks.compare import made_sites
    from mass_pipeline_tests.crawling.loopback import Loopback

    with Loopback(made_sites()) as server:
        command = [sys.executable, "-m", "mass_pipeline_tests.benchmarks.compare", "--only", name, str(server.port)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)

    assert json.loads(done.stdout)[0] == sum(map(len, made_sites().values()))
    assert FIGURES.is_file()
