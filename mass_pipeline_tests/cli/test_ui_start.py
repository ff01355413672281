"""Several commands at once on a new data folder: one UI, and Dagster's databases made once. Real processes, nothing shown."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from mass_pipeline.cli.ui import _only_one
from mass_pipeline.model.errors import UsageError
from mass_pipeline_tests.shared import PATIENCE_SECONDS, comes_true

COMMAND = [sys.executable, "-u", "-c", "from mass_pipeline.cli import main; main()"]


def start(folder: Path, *words: str, **own: str) -> subprocess.Popen[str]:
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("MASS_PIPELINE_", "DAGSTER_HOME"))}
    environ |= {"MASS_PIPELINE_DATA_FOLDER": str(folder), **own}
    return subprocess.Popen(
        [*COMMAND, *words], env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


class TestANewDataFolder:
    @pytest.mark.soak
    def test_the_second_of_two_uis_is_told_of_the_first(self, tmp_path: Path) -> None:
        """One ended in Dagster's own traceback, and two daemons on one folder would each start what is due."""
        ports = [free_port(), free_port()]
        both = [start(tmp_path, "ui", "--port", port) for port in ports]
        assert comes_true(lambda: any(one.poll() is not None for one in both))
        refused = next(one for one in both if one.poll() is not None)
        other = both[1 - both.index(refused)]
        still_there = other.poll() is None
        other.send_signal(signal.SIGINT)
        out, _ = refused.communicate(timeout=PATIENCE_SECONDS)[::-1]
        _, said = other.communicate(timeout=PATIENCE_SECONDS)

        assert (refused.returncode, out.count("\n")) == (2, 1)
        assert f"open http://127.0.0.1:{ports[both.index(other)]}, or stop it first" in out
        assert still_there
        assert other.returncode == 0
        assert said.splitlines()[-1] == "Stopped."

    def test_a_folder_that_has_a_ui_lets_no_second_one_in(self, tmp_path: Path) -> None:
        """Wherever DAGSTER_HOME lies: both daemons would crawl the same sites and write the same tables."""
        told = f"The Dagster UI of {tmp_path} runs already: open http://127.0.0.1:3000, or stop it"
        with (
            _only_one(tmp_path, "http://127.0.0.1:3000"),
            pytest.raises(UsageError, match=re.escape(told)),
            _only_one(tmp_path, "http://127.0.0.1:3001"),
        ):
            pytest.fail("two at once")

    @pytest.mark.soak
    def test_commands_at_once_make_its_databases_once(self, tmp_path: Path) -> None:
        """Each made the same tables: all but one failed with "table secondary_indexes already exists"."""
        several = [start(tmp_path, "automation", "pools") for _ in range(2)]
        ended = [one.communicate(timeout=PATIENCE_SECONDS) for one in several]

        assert ended == [("crawler: 2\nplaces_api: 1\n", "")] * 2
