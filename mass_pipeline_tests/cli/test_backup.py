"""`mass-pipeline backup` while a run crawls, and `restore` elsewhere: the rehearsal of a lost disk, by the real commands."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import dagster as dg
import pytest

from mass_pipeline.cli.run import open_instance, prepare_home
from mass_pipeline.crawling import read_pages
from mass_pipeline.resources.lake import Lake
from mass_pipeline.resources.settings import load_settings
from mass_pipeline_tests.defs.conftest import environment_of
from mass_pipeline_tests.defs.running import QUIET, digests
from mass_pipeline_tests.defs.tables import publish_directory
from mass_pipeline_tests.shared import comes_true

Busy = tuple[Path, "subprocess.Popen[bytes]"]  # a data folder, and what runs in it
COMMAND = [sys.executable, "-c", "from mass_pipeline.cli import main; main()"]
CRAWL = ["run", "crawl_job", "--partition", "elblaska"]
SITES = {f"p{place}": f"http://{host}/" for place, host in enumerate(("barciany.parafie.example", "nspj-krasnylas.example"))}


def call(folder: Path, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """A command over a data folder."""
    environment = environment_of(folder) | environ
    return subprocess.run([*COMMAND, *words], env=environment, capture_output=True, text=True, timeout=300, check=False)


@dg.asset
def made() -> None:
    """Succeeds."""


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Busy]:
    """A data folder in whose history a run has succeeded, in which another one crawls slowly."""
    folder = tmp_path_factory.mktemp("busy")
    with open_instance(prepare_home(load_settings({"MASS_PIPELINE_DATA_FOLDER": str(folder)}), {})) as instance:
        assert dg.materialize([made], instance=instance, run_config=QUIET).success
    publish_directory(Lake(folder / "lake"), SITES, diocese="elblaska")
    slow = {f"MASS_PIPELINE_CRAWL_{name}_SECONDS": "5" for name in ("HOST_GAP", "START_DELAY")}
    with subprocess.Popen([*COMMAND, *CRAWL], env=environment_of(folder) | slow, stdout=subprocess.DEVNULL) as running:
        try:
            log = folder / "state" / "crawl" / "elblaska" / "progress.log"  # written when pages are kept
            assert comes_true(lambda: log.exists() and log.stat().st_size)
            yield folder, running
        finally:
            running.terminate()
            running.wait(60)


def read_pages_of(folder: Path) -> list[str]:
    """Addresses of kept pages."""
    return sorted(page.url for page in read_pages(folder / "state" / "crawl" / "elblaska") if page.body)


@pytest.mark.slow
class TestARehearsal:
    def test_what_runs_is_copied_and_goes_on_elsewhere(self, busy: Busy, tmp_path: Path) -> None:
        """Tables byte by byte, databases sound, lineage there; the run that was under way is canceled, its pages are kept."""
        folder, running = busy
        kept = read_pages_of(folder)
        file, elsewhere = tmp_path / "backup.tar.zst", tmp_path / "elsewhere"
        written = call(folder, "backup", str(file))
        assert written.returncode == 0, written.stderr
        assert running.poll() is None, "the run had ended: nothing was rehearsed"

        restored = call(elsewhere, "restore", str(file))
        assert restored.returncode == 0, restored.stderr
        assert "1 runs that were under way are canceled" in restored.stdout
        assert digests(elsewhere / "lake") == digests(folder / "lake")
        for path in elsewhere.rglob("*.sqlite"):
            with closing(sqlite3.connect(path)) as connection:
                assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert set(kept) <= set(read_pages_of(elsewhere))
        with open_instance(elsewhere / "dagster_home") as instance:
            assert instance.get_latest_materialization_event(dg.AssetKey("made")) is not None
            assert {run.status for run in instance.get_runs()} == {dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.CANCELED}

        again = call(elsewhere, *CRAWL)
        assert again.returncode == 0, again.stderr
        assert len(read_pages_of(elsewhere)) > len(kept)

    def test_a_damaged_archive_and_a_folder_that_holds_something_are_refused_untouched(self, busy: Busy, tmp_path: Path) -> None:
        folder, _ = busy
        file, elsewhere = tmp_path / "backup.tar.zst", tmp_path / "elsewhere"
        assert call(folder, "backup", str(file)).returncode == 0
        whole = file.read_bytes()
        file.write_bytes(whole[: len(whole) // 2])
        cut = call(elsewhere, "restore", str(file))
        file.write_bytes(whole)
        taken = call(folder, "restore", str(file))
        inside = call(folder, "backup", str(folder / "backup.tar.zst"))

        assert [one.returncode for one in (cut, taken, inside)] == [1, 2, 2]
        assert "nothing was restored" in cut.stderr
        assert not elsewhere.exists() or not any(elsewhere.iterdir())
        assert "holds something" in taken.stderr
        assert "choose a file elsewhere" in inside.stderr
        assert not (folder / "backup.tar.zst").exists()
