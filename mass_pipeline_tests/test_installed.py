"""The wheel runs without the checkout: its own data, its own model, a data folder of the user's."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from mass_pipeline_tests.shared import ROOT

pytestmark = pytest.mark.soak
_SOURCES = ("mass_pipeline", "data", "deploy")
_FILES = ("pyproject.toml", "setup.py", "setup.cfg", "README.md", "LICENSE", "MANIFEST.in")


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel, and with the packages of this one but the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    sources = folder / "sources"
    derived = ("*-run", "live", "dagster_home", "state")
    for name in _SOURCES:
        kept_out = ("__pycache__", *derived) if name == "data" else ("__pycache__",)
        shutil.copytree(ROOT / name, sources / name, ignore=shutil.ignore_patterns(*kept_out))
    for name in _FILES:
        shutil.copy(ROOT / name, sources / name)
    for words in (["init", "-q"], ["add", "pyproject.toml"], ["commit", "-q", "-m", "one"], ["tag", "v7.8.9"]):
        own = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false", "-c", "tag.gpgsign=false"]
        subprocess.run(["git", *own, *words], cwd=sources, check=True, capture_output=True)
    build = [sys.executable, "-m", "pip", "wheel", "-qq", "--no-build-isolation", "--no-deps", "-w", str(folder), str(sources)]
    subprocess.run(build, check=True, capture_output=True, timeout=300)
    (wheel,) = folder.glob("*.whl")
    environment = folder / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True, timeout=120)
    site = environment / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    borrowed = [path for path in sys.path if path.endswith("site-packages")] or [sysconfig.get_path("purelib")]
    (site / "borrowed.pth").write_text("\n".join(borrowed) + "\n")
    return environment / "bin" / "python"


def run(python: Path, folder: Path, *words: str) -> str:
    """What a command of the installed package prints, in a folder of its own with a home of its own."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("MASS_PIPELINE_", "PYTHON", "DAGSTER_"))}
    environ |= {"HOME": str(folder), "XDG_DATA_HOME": str(folder / "share")}
    command = [str(python), "-P", *words]
    done = subprocess.run(command, env=environ, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


_FACTS = """
import json
import mass_pipeline
from mass_pipeline.definitions import defs
from mass_pipeline.demo_web.source import load_sites
from mass_pipeline.resources.settings import load_settings
graph = defs.resolve_asset_graph()
(pages,) = (key for key in graph.get_all_asset_keys() if key.to_user_string() == "crawled_pages")
print(json.dumps({
    "file": mass_pipeline.__file__,
    "assets": len(defs.get_repository_def().assets_defs_by_key),
    "dioceses": len(graph.get(pages).partitions_def.get_partition_keys()),
    "data_folder": str(load_settings({}).data_folder),
    "sites": len(load_sites()),
}))
"""


@dataclass(frozen=True, slots=True)
class Told:
    """What the installed package tells of itself, and the home it was started in."""

    home: Path
    file: str
    assets: int
    dioceses: int
    data_folder: str
    sites: int


@pytest.fixture(scope="module")
def told(python: Path, tmp_path_factory: pytest.TempPathFactory) -> Told:
    """Asked in one process: loading the definitions takes seconds."""
    home: Path = tmp_path_factory.mktemp("home")
    return Told(home, **json.loads(run(python, home, "-W", "ignore", "-c", _FACTS).splitlines()[-1]))


class TestInstalledPackage:
    def test_it_is_the_wheel_that_runs(self, python: Path, told: Told) -> None:
        assert Path(told.file).is_relative_to(python.parents[1])

    def test_its_definitions_load_with_all_dioceses(self, told: Told) -> None:
        assert told.assets >= 10
        assert told.dioceses == 46

    def test_a_page_is_read_with_the_shipped_model(self, python: Path, tmp_path: Path) -> None:
        (tmp_path / "page.html").write_text("<h1>Msze Święte</h1><p>Niedziele: 8.00, 10.00</p><p>Dni powszednie: 18.00</p>")

        shown = run(python, tmp_path, "-c", "from mass_pipeline.cli import main; main()", "extract", "page.html")

        assert "8:00" in shown

    def test_derived_data_lie_in_the_users_own_folder(self, told: Told) -> None:
        assert told.data_folder == str(told.home / "share" / "mass_pipeline" / "demo-run")

    def test_the_demo_web_is_there(self, told: Told) -> None:
        assert told.sites >= 40
