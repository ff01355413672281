"""`mass-pipeline run`: a job in the foreground, and what is said when it fails. Commands without their extra."""

from __future__ import annotations

import re
import shlex
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from dagster import AssetKey, DagsterRunStatus

from mass_pipeline.cli.run import open_instance, prepare_home
from mass_pipeline.crawling import read_pages
from mass_pipeline.model.errors import StorageError
from mass_pipeline.resources.lake import Lake
from mass_pipeline.resources.settings import load_settings
from mass_pipeline_tests.cli.conftest import Command
from mass_pipeline_tests.defs.conftest import environment_of
from mass_pipeline_tests.defs.running import FEW_DIOCESES
from mass_pipeline_tests.defs.tables import publish_directory
from mass_pipeline_tests.shared import comes_true, needs

MAIN = "from mass_pipeline.cli import main; main()"


@pytest.mark.slow
class TestFailedRun:
    def test_it_ends_with_code_1_and_says_what_why_and_where_the_log_is(self, command: Command, tmp_path: Path) -> None:
        file = tmp_path / "dioceses.csv"
        file.write_text(FEW_DIOCESES, encoding="utf-8")
        code, shown, told = command("run mass_schedules_job", DIOCESES_FILE=str(file))

        assert code == 1
        assert len(shown.splitlines()) + len(told) <= 10
        what, where = told
        assert what.startswith(
            "Error: parishes failed: parishes was not published, what was published before stays. known_dioceses: "
        )
        assert "Append: " in what
        (log,) = (tmp_path / "data" / "logs").iterdir()
        assert re.fullmatch(r"mass_schedules_job-\d{8}T\d{6}Z-\d+\.log", log.name)
        assert where == f"The whole log: {log}"


@pytest.mark.slow
class TestAFullDisk:
    @pytest.mark.parametrize("size", ["8k", pytest.param("300k", marks=pytest.mark.soak), "900k"])
    def test_one_line_says_so_wherever_it_is_met(self, tmp_path: Path, size: str) -> None:
        """Before the databases are made, while they are, and in the middle of the run; the log may lie on the same disk."""
        needs("unshare", "-m", "true")
        small = (
            f"mount -t tmpfs -o size={size} none {tmp_path} && exec {shlex.join([sys.executable, '-c', MAIN])} run directory_job"
        )
        environ = environment_of(tmp_path / "data")
        done = subprocess.run(["unshare", "-m", "sh", "-c", small], env=environ, capture_output=True, text=True, check=False)

        error, *where = done.stderr.splitlines()
        assert done.returncode == 1
        assert "the disk is full. Free space" in error
        assert len(where) <= 1


@pytest.mark.slow
class TestARuinedHome:
    def test_what_to_move_away_is_told(self, tmp_path: Path) -> None:
        """A home whose databases an older version let two commands make at once."""
        home = prepare_home(load_settings({"MASS_PIPELINE_DATA_FOLDER": str(tmp_path)}), {})
        with open_instance(home):
            pass
        with closing(sqlite3.connect(home / "history" / "runs.db")) as connection, connection:
            connection.execute("INSERT INTO alembic_version VALUES('5e139331e376')")

        with pytest.raises(StorageError, match=r"Move its folders history, runs and schedules away"), open_instance(home):
            pytest.fail("opened")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.soak), signal.SIGHUP])
class TestAStoppedRun:
    def test_it_is_canceled_and_nobody_is_asked_after_it(self, tmp_path: Path, number: signal.Signals) -> None:
        """Ctrl-C, a service manager, a terminal that is closed: what was gathered is kept, and the next run goes on from it."""
        sites = {
            f"p{place}": f"http://{host}/" for place, host in enumerate(("barciany.parafie.example", "nspj-krasnylas.example"))
        }
        publish_directory(Lake(tmp_path / "lake"), sites, diocese="elblaska")
        home, log = tmp_path / "dagster_home", tmp_path / "state" / "crawl" / "elblaska" / "progress.log"
        slow = {f"MASS_PIPELINE_CRAWL_{name}_SECONDS": "2" for name in ("HOST_GAP", "START_DELAY")}
        command = [sys.executable, "-c", MAIN, "run", "crawl_job", "--partition", "elblaska"]
        with subprocess.Popen(
            command, env=environment_of(tmp_path) | slow, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            try:
                assert comes_true(lambda: log.exists() and log.read_text() and any(home.rglob("runs.db")))
                process.send_signal(number)
                asked = log.read_text().splitlines()
                _, told = process.communicate(timeout=60)
            finally:
                process.kill()

        assert process.returncode == 130, told
        assert "Interrupted." in told
        assert len(log.read_text().splitlines()) <= len(asked) + len(sites)  # those under way
        with open_instance(home) as instance:
            (run,) = instance.get_runs()
            observed = instance.fetch_observations(AssetKey("opt_outs"), 1).records
        assert run.status is DagsterRunStatus.CANCELED
        assert observed, "what is first seen after a run makes its assets old"
        assert {page.url for page in read_pages(log.parent) if page.outcome == "ok"} >= {
            line.split()[2] for line in asked if " ok " in line
        }


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
