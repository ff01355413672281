"""The whole chain, run twice by its real commands, once for all tests (and all test workers) of this folder."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from mass_pipeline.resources.lake import Lake
from mass_pipeline_tests.assets.running import digests

DEMO = [sys.executable, "-c", "from mass_pipeline.cli import main; main()", "demo"]
JOB = [sys.executable, "-m", "dagster", "job", "execute", "-m", "mass_pipeline.definitions", "-j", "mass_schedules_job"]


@dataclass(frozen=True, slots=True)
class DemoRun:
    """What the two runs left.

    Attributes:
        folder: data folder.
        printed: what `mass-pipeline demo` printed.
        first, second: file -> digest of the schedules after each run.
    """

    folder: Path
    printed: str
    first: Mapping[str, str]
    second: Mapping[str, str]

    @property
    def lake(self) -> Lake:
        """The published tables."""
        return Lake(self.folder / "lake")

    @property
    def home(self) -> Path:
        """DAGSTER_HOME."""
        return self.folder / "dagster_home"


@pytest.fixture(scope="session")
def demo_run(tmp_path_factory: pytest.TempPathFactory) -> DemoRun:
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    folder = shared / "demo-run"
    with (shared / "demo-run.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        report = folder / "report.json"
        if not report.exists():
            folder.mkdir()
            report.write_text(json.dumps(_run_twice(folder)), encoding="utf-8")
        found = json.loads(report.read_text(encoding="utf-8"))
    return DemoRun(folder, found["printed"], found["first"], found["second"])


def _run_twice(folder: Path) -> dict[str, object]:
    environ = {
        name: value for name, value in os.environ.items() if not name.startswith(("MASS_PIPELINE_", "DAGSTER_HOME", "PYTEST_"))
    }
    environ |= {"MASS_PIPELINE_DATA_FOLDER": str(folder), "PYTHONWARNINGS": "ignore", "DAGSTER_DISABLE_TELEMETRY": "1"}
    printed = _run(DEMO, environ)
    first = digests(folder / "lake" / "mass_schedules")
    _run(JOB, {**environ, "DAGSTER_HOME": str(folder / "dagster_home")})
    return {"printed": printed, "first": first, "second": digests(folder / "lake" / "mass_schedules")}


def _run(command: list[str], environ: Mapping[str, str]) -> str:
    done = subprocess.run(command, env=dict(environ), capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout
