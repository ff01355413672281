"""`mass-pipeline run`: a job in the foreground, and what is said when it fails. Commands without their extra."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mass_pipeline.cli.run import failure_reason
from mass_pipeline_tests.assets.running import FEW_DIOCESES

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
    def test_it_ends_with_code_1_and_says_what_why_and_where_the_log_is(self, tmp_path: Path) -> None:
        file = tmp_path / "dioceses.csv"
        file.write_text(FEW_DIOCESES, encoding="utf-8")
        environ = {
            "MASS_PIPELINE_DATA_FOLDER": str(tmp_path / "data"),
            "MASS_PIPELINE_DIOCESES_FILE": str(file),
            "PATH": "/usr/bin:/bin",
        }

        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", "from mass_pipeline.cli import main; main()", "run", "mass_schedules_job"],
            env=environ,
            capture_output=True,
            text=True,
            check=False,
        )

        assert done.returncode == 1
        assert len(done.stdout.splitlines()) + len(done.stderr.splitlines()) <= 10
        what, where = done.stderr.splitlines()
        assert what.startswith(
            "Error: parishes failed: parishes was not published, what was published before stays. known_dioceses: "
        )
        assert "Append: " in what
        assert where == f"The whole log: {tmp_path}/data/logs/mass_schedules_job.log"

    def test_a_job_or_table_that_does_not_exist_is_named(self, tmp_path: Path) -> None:
        for words, named in ((["no_job"], "no_job"), (["crawl_job", "--partition", "lodzka"], "Materialize parish_urls first")):
            done = subprocess.run(
                [sys.executable, "-W", "ignore", "-c", MAIN, "run", *words],
                env={"MASS_PIPELINE_DATA_FOLDER": str(tmp_path / "data"), "PATH": "/usr/bin:/bin"},
                capture_output=True,
                text=True,
                check=False,
            )

            assert done.returncode == 1
            assert named in done.stderr.splitlines()[0]
            assert len(done.stderr.splitlines()) <= 3


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
