"""The whole chain, run by its real command, once for all tests (and all test workers) of this folder.

It takes a minute of the machine, so it begins with the tests and runs beside them; who needs it comes last and waits for it.
All of it twice is a matter of the long tests.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from mass_pipeline.resources.lake import Lake
from mass_pipeline_tests.defs.running import digests

DEMO = [sys.executable, "-c", "from mass_pipeline.cli import main; main()", "demo"]
DAGSTER = [sys.executable, "-m", "dagster"]
JOB = [*DAGSTER, "job", "execute", "-m", "mass_pipeline.definitions", "-j", "full_pipeline_job"]
ONE_DIOCESE = "elblaska"


@dataclass(frozen=True, slots=True)
class DemoRun:
    """What the chain left.

    Attributes:
        folder: data folder.
        printed: what `mass-pipeline demo` printed.
    """

    folder: Path
    printed: str

    @property
    def lake(self) -> Lake:
        """The published tables."""
        return Lake(self.folder / "lake")

    @property
    def home(self) -> Path:
        """DAGSTER_HOME."""
        return self.folder / "dagster_home"


_running: list[subprocess.Popen[str]] = []


def _needs_the_demo(item: pytest.Item) -> bool:
    return "demo_run" in getattr(item, "fixturenames", ())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of the demo's results come last."""
    items.sort(key=_needs_the_demo)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """One process of the tests begins the demo at once."""
    is_first = os.environ.get("PYTEST_XDIST_WORKER", "gw0") == "gw0"
    if is_first and not session.config.option.collectonly and any(map(_needs_the_demo, session.items)):
        threading.Thread(target=_try, args=(_shared_folder(session.config),), daemon=True).start()


def pytest_sessionfinish() -> None:
    """Tests that end early take the demo with them."""
    for process in _running:
        process.kill()


@pytest.fixture(scope="session")
def demo_run(request: pytest.FixtureRequest) -> DemoRun:
    return _once(_shared_folder(request.config))


def _shared_folder(config: pytest.Config) -> Path:
    base: Path = config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]  # as the fixture tmp_path_factory has it
    return base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base


def _try(shared: Path) -> None:
    with suppress(AssertionError, OSError, subprocess.SubprocessError):
        # The first test that asks for it runs it anew and tells what is wrong.
        _once(shared)


def _once(shared: Path) -> DemoRun:
    folder = shared / "demo-run"
    with (shared / "demo-run.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        report = folder / "report.json"
        if not report.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            environ = {name: value for name, value in environment_of(folder).items() if name != "DAGSTER_HOME"}
            report.write_text(json.dumps(run_command(DEMO, environ)), encoding="utf-8")
        return DemoRun(folder, json.loads(report.read_text(encoding="utf-8")))


def environment_of(folder: Path) -> dict[str, str]:
    """What commands over a data folder are started with."""
    environ = {
        name: value for name, value in os.environ.items() if not name.startswith(("MASS_PIPELINE_", "DAGSTER_HOME", "PYTEST_"))
    }
    told = {"MASS_PIPELINE_DATA_FOLDER": str(folder), "DAGSTER_HOME": str(folder / "dagster_home")}
    return {**environ, **told, "PYTHONWARNINGS": "ignore", "DAGSTER_DISABLE_TELEMETRY": "1"}


def schedules_of(folder: Path) -> dict[str, str]:
    """File -> digest of the published schedules."""
    return digests(folder / "lake" / "mass_schedules")


def run_command(command: list[str], environ: Mapping[str, str]) -> str:
    with subprocess.Popen(command, env=dict(environ), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        _running.append(process)
        try:
            printed, told = process.communicate(timeout=1200)
        finally:
            process.kill()
            _running.remove(process)
    assert process.returncode == 0, f"{printed[-3000:]}\n{told[-3000:]}"
    return printed
