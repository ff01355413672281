"""Processes side by side: one that dies comes back alone, and all end together. Real processes, real kills."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from mass_pipeline.operations.operator_ui.supervisor import Child, Supervisor
from mass_pipeline_tests.shared import comes_true

LIVES = [sys.executable, "-c", "import time; time.sleep(600)"]
DIES = [sys.executable, "-c", "import sys; sys.exit(3)"]


def tended(running: Supervisor, until: Callable[[], bool]) -> bool:
    """Look after the processes until something holds."""
    return comes_true(lambda: (running.tend(), until())[-1])


def pid_of(one: Child) -> int:
    assert one.child is not None
    return one.child.pid


class TestSupervisor:
    def test_a_killed_process_comes_back_alone(self, tmp_path: Path) -> None:
        kept, said = [Child("The daemon", LIVES), Child("The web server", LIVES)], list[str]()
        with Supervisor(kept, os.environ, tmp_path / "log", said.append) as running:
            first, other = pid_of(kept[0]), pid_of(kept[1])
            os.kill(first, signal.SIGKILL)

            assert tended(running, lambda: kept[0].child is None)
            assert tended(running, lambda: kept[0].child is not None)
            assert pid_of(kept[0]) != first
            assert pid_of(kept[1]) == other
        assert "The daemon ended with code -9; it starts again in 1 s" in said[0]

    def test_pauses_grow_while_a_process_dies_at_once(self, tmp_path: Path) -> None:
        kept, said = [Child("The daemon", DIES)], list[str]()
        with Supervisor(kept, os.environ, tmp_path / "log", said.append) as running:
            assert tended(running, lambda: len(said) == 2)

        assert [line.partition("again in ")[2][:3] for line in said] == ["1 s", "2 s"]

    def test_the_end_leaves_no_process(self, tmp_path: Path) -> None:
        """Also one that ignores SIGTERM is gone with its group at the end."""
        kept = [Child("The daemon", LIVES)]
        with Supervisor(kept, os.environ, tmp_path / "log", print):
            pid = pid_of(kept[0])

        assert not Path(f"/proc/{pid}").exists()
