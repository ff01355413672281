"""Every command that the documentation shows is run: here as it stands, on the data of the demo, or by a test that is named."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from mass_pipeline.cli import cli
from mass_pipeline.definitions import defs
from mass_pipeline_tests.defs.conftest import DemoRun
from mass_pipeline_tests.shared import ROOT
from mass_pipeline_tests.test_docs import PAGES, shown

_COMMAND = re.compile(r"(?:mass-pipeline|make|dagster|dg|curl|python|systemctl|docker|kubectl|celery) ")
_ENVIRONMENT = re.compile(r"^\.venv/bin/")
# What takes a process, a server or a web of its own, and the test that runs it.
ELSEWHERE = {
    "mass-pipeline demo": "defs/test_chain.py",
    "mass-pipeline run": "cli/test_run.py",
    "mass-pipeline ui": "defs/test_ui.py",
    "mass-pipeline automation": "defs/test_ui.py",
    "mass-pipeline public serve": "deploy/test_starts.py",
    "mass-pipeline public ask --records": "cli/test_public_ask.py",
    "mass-pipeline serve-demo-web": "demo_web/test_command.py",
    "mass-pipeline crawl": "cli/test_crawl.py",
    "mass-pipeline lab crawl": "laboratory/test_crawl_command.py",
    "mass-pipeline lab evaluate-crawl": "laboratory/test_evaluate_crawl.py",
    "mass-pipeline watch": "cli/test_watch.py",
    "mass-pipeline lab links": "laboratory/test_links.py",
    "mass-pipeline annotate operator": "annotation/test_command.py",
    "mass-pipeline annotate load --parish": "publishing/test_decided_rows.py",  # the page names no parish of the demo
    "mass-pipeline announcements": "cli/test_announcements.py",
    "mass-pipeline backup": "cli/test_backup.py",
    "mass-pipeline restore": "cli/test_backup.py",
    "mass-pipeline schedules approve": "cli/test_schedules.py",
    "mass-pipeline schedules reject": "cli/test_schedules.py",
    "dagster job execute": "defs/conftest.py",
    "curl http://127.0.0.1:8095/api/v1/masses": "public_web/test_one_oracle.py",
    "make laws": "laws/test_laws.py",
    "make release": "test_release.py",
    "systemctl": "deploy/test_files.py",
}
ALONE = "mass-pipeline annotate"  # serves until it is stopped; what stands after it is run here
BY_CI = {"make demo", "make developer", "make docs", "make fix lint", "make setup", "make test"}
BY_HAND = {
    "make evaluate",
    "make golden-accept",
    "make dist",
    "make image",
}  # minutes, tools, a choice


def commands() -> list[str]:
    """The commands of all pages, each once, without the folder of the environment."""
    lines = (_ENVIRONMENT.sub("", line).strip() for page in PAGES for line in shown(page))
    return sorted({line for line in lines if _COMMAND.match(line + " ")})


def elsewhere(line: str) -> str:
    """The test that runs a command; "" when it is run here."""
    if line == ALONE:
        return "annotation/test_command.py"
    plain = line.replace("'", "")
    return next((test for start, test in ELSEWHERE.items() if f"{plain} ".startswith((f"{start} ", f"{start}?"))), "")


def run_here() -> list[str]:
    """Commands that nothing else runs."""
    return [line for line in commands() if line.startswith("mass-pipeline ") and not elsewhere(line)]


@pytest.mark.parametrize("line", run_here())
def test_it_runs_as_shown(line: str, demo_run: DemoRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command on the data of the demo, as who follows the pages has them by then."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "parish.txt").write_text("Msze św. w niedziele: 8.00, 10.00", encoding="utf-8")
    (tmp_path / "page.html").write_text("<h1>Msze święte</h1><p>Niedziele: 8.00, 10.00</p>", encoding="utf-8")
    monkeypatch.setenv("MASS_PIPELINE_DATA_FOLDER", str(demo_run.folder))
    monkeypatch.setenv("MASS_PIPELINE_ANNOTATION_DATABASE", f"sqlite:///{tmp_path / 'votes.db'}")
    result = CliRunner().invoke(cli, shlex.split(line.replace("data/demo-run", str(demo_run.folder)))[1:])

    assert result.exit_code == 0, result.output
    assert result.output.strip()


def test_what_is_not_run_here_has_a_test_that_is_named() -> None:
    others = {line for line in commands() if not elsewhere(line) and line not in run_here()}
    ours = {line for line in others if not line.startswith(tuple(BY_CI | BY_HAND))}

    assert {line for line in ours if not _is_a_tool_of_tests(line)} == set()


def test_each_job_that_a_page_runs_exists() -> None:
    named = {shlex.split(line)[2] for line in commands() if line.startswith("mass-pipeline run ")}
    jobs = {job.name for job in defs.resolve_all_job_defs()}

    assert "mass_schedules_job" in named
    assert named <= jobs


def _is_a_tool_of_tests(line: str) -> bool:
    """`python -m mass_pipeline_tests.…`: a module that is there to be run; what it prints is a figure for people."""
    words = shlex.split(line)
    path = ROOT.joinpath(*words[2].split(".")) if words[:2] == ["python", "-m"] else ROOT
    found = [one for one in (path.with_suffix(".py"), path / "__main__.py") if one.exists()]
    return bool(found) and "__main__" in found[0].read_text(encoding="utf-8") + found[0].name


@pytest.mark.parametrize(("start", "test"), list(ELSEWHERE.items()))
def test_the_named_test_runs_it(start: str, test: str) -> None:
    """The words of the command stand in it."""
    text = (ROOT / "mass_pipeline_tests" / test).read_text(encoding="utf-8")
    words = [word.removeprefix("http://127.0.0.1:8095") for word in start.split()[1:]]

    assert [word for word in words if word not in text] == []
    assert any(elsewhere(line) == test for line in commands()), "no page shows it any more"
