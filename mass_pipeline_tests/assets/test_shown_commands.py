"""The commands of the tutorial run as it shows them, on the data of the demo."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from mass_pipeline.cli import cli
from mass_pipeline_tests.assets.conftest import DemoRun
from mass_pipeline_tests.shared import ROOT
from mass_pipeline_tests.test_docs import shown

TUTORIAL = ROOT / "docs" / "tutorial.md"
# Commands of the tutorial that another test runs as they stand, in processes of their own.
RUN_ELSEWHERE = {
    "make setup": "test_installed.py, and every checkout",
    "mass-pipeline demo": "assets/test_chain.py",
    "dagster job execute": "assets/test_chain.py",
    "mass-pipeline ui": "assets/test_ui.py",
    "mass-pipeline public serve": "cli/test_public.py",
    "mass-pipeline annotate": "annotation/test_command.py",
    "mass-pipeline automation on": "test_automation.py",
    "curl": "public_web/test_openapi.py",
}
_RUN_WITH_ARGUMENTS = ("dagster job execute ", "curl ")
_OF_THE_SHELL = ("export ", "git clone", "cd ", "echo ")


def in_tutorial() -> Iterator[str]:
    """Commands of the tutorial that are run here."""
    for line in shown(TUTORIAL):
        elsewhere = any(
            line == each or (each != "mass-pipeline annotate" and line.startswith(each + " ")) for each in RUN_ELSEWHERE
        )
        if not elsewhere and not line.startswith(_OF_THE_SHELL):
            yield line


@pytest.mark.parametrize("line", list(in_tutorial()))
def test_the_tutorial_runs(line: str, demo_run: DemoRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command on the data of the demo, as the tutorial has them by then."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "parish.txt").write_text("Msze św. w niedziele: 8.00, 10.00", encoding="utf-8")
    monkeypatch.setenv("MASS_PIPELINE_DATA_FOLDER", str(demo_run.folder))
    monkeypatch.setenv("MASS_PIPELINE_ANNOTATION_DATABASE", f"sqlite:///{tmp_path / 'votes.db'}")
    words = shlex.split(line.replace("data/demo-run", str(demo_run.folder)))
    assert words[0] == "mass-pipeline"
    result = CliRunner().invoke(cli, words[1:])

    assert result.exit_code == 0, result.output
    assert result.output.strip()


@pytest.mark.parametrize("where", sorted({name for name in RUN_ELSEWHERE.values() if name.endswith(".py")}))
def test_the_others_are_run_where_it_says(where: str) -> None:
    assert (ROOT / "mass_pipeline_tests" / where).exists()
