"""`mass-pipeline run`: a job in the foreground, and what is said when it fails. Commands without their extra."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mass_pipeline.cli import main
from mass_pipeline.cli.run import failure_reason
from mass_pipeline_tests.defs.running import FEW_DIOCESES

MAIN = "from mass_pipeline.cli import main; main()"


class TestFailureReason:
    def test_a_blocking_check_is_quoted(self) -> None:
        log = (
            "Asset check 'x' on 'parishes' did not pass. Description: 'Append: a,b,c'\n"
            "dagster._core.errors.DagsterAssetCheckFailedError: 1 blocking asset check failed\n"
        )

        assert failure_reason(log) == "Append: a,b,c"

    def test_an_error_of_the_project_is_quoted(self) -> None:
        assert (
            failure_reason("mass_pipeline.model.errors.StorageError: Cannot write x. Free space.")
            == "Cannot write x. Free space."
        )

    def test_any_other_error_is_quoted_and_no_longer_than_some_lines(self) -> None:
        assert failure_reason("x\nValueError: wrong\n") == "wrong"
        assert len(failure_reason(f"KeyError: {'a' * 5000}")) < 700


@pytest.mark.slow
class TestFailedRun:
    @pytest.fixture
    def ended(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> Callable[..., tuple[list[str], list[str]]]:
        """`ended(*words)`: what the failed command printed, on standard output and on standard error; the job is a process."""
        monkeypatch.setenv("MASS_PIPELINE_DATA_FOLDER", str(tmp_path / "data"))
        monkeypatch.setenv("PYTHONWARNINGS", "ignore")
        monkeypatch.delenv("DAGSTER_HOME", raising=False)

        def run(*words: str) -> tuple[list[str], list[str]]:
            monkeypatch.setattr(sys, "argv", ["mass-pipeline", "run", *words])
            with pytest.raises(SystemExit) as found:
                main()
            assert found.value.code == 1
            printed = capsys.readouterr()
            return printed.out.splitlines(), printed.err.splitlines()

        return run

    def test_it_ends_with_code_1_and_says_what_why_and_where_the_log_is(
        self, ended: Callable[..., tuple[list[str], list[str]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file = tmp_path / "dioceses.csv"
        file.write_text(FEW_DIOCESES, encoding="utf-8")
        monkeypatch.setenv("MASS_PIPELINE_DIOCESES_FILE", str(file))
        shown, told = ended("mass_schedules_job")

        assert len(shown) + len(told) <= 10
        what, where = told
        assert what.startswith(
            "Error: parishes failed: parishes was not published, what was published before stays. known_dioceses: "
        )
        assert "Append: " in what
        assert where == f"The whole log: {tmp_path}/data/logs/mass_schedules_job.log"

    @pytest.mark.soak
    @pytest.mark.parametrize(
        ("words", "named"), [(["no_job"], "no_job"), (["crawl_job", "--partition", "lodzka"], "Materialize parish_urls first")]
    )
    def test_a_job_or_table_that_does_not_exist_is_named(
        self, ended: Callable[..., tuple[list[str], list[str]]], words: list[str], named: str
    ) -> None:
        _, told = ended(*words)

        assert named in told[0]
        assert len(told) <= 3


class TestMissingExtras:
    @pytest.mark.parametrize(
        ("words", "package", "extra"),
        [(["annotate"], "uvicorn", "annotation"), (["public", "serve"], "uvicorn", "public")],
    )
    def test_the_one_line_names_the_extra(self, tmp_path: Path, words: list[str], package: str, extra: str) -> None:
        absent = f"import sys; sys.modules[{package!r}] = None; {MAIN}"
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", absent, *words],
            env={"MASS_PIPELINE_DATA_FOLDER": str(tmp_path), "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
        )

        assert done.returncode == 1
        line = done.stderr.splitlines()[-1]
        assert "Traceback" not in done.stderr
        assert package in line
        assert line.endswith(f"pip install 'mass_pipeline[{extra}]'.")
