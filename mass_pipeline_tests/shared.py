"""What tests use when it is there: labelled real pages and public test suites beside the checkout, programs of the system."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PATIENCE_SECONDS = 300  # for what comes at once on a quiet machine: past them it does not come at all


def comes_true(found: Callable[[], object]) -> bool:
    """Whether something comes true that other threads or processes bring about, however late on a busy machine."""
    ends = time.monotonic() + PATIENCE_SECONDS
    while not found():
        if time.monotonic() >= ends:
            return False
        time.sleep(0.02)
    return True


def shared_folder(*parts: str) -> Path:
    """A file or folder beside the checkout; skips the test, with a word, where it is absent."""
    path = ROOT.parent.joinpath("shared", *parts)
    if not path.exists():
        pytest.skip(f"needs {'/'.join(('../shared', *parts))}, which is not beside this checkout")
    return path


def needs(program: str, *check: str) -> None:
    """Skips the test where a program is missing, or has no right to do what a call of it tries out."""
    if shutil.which(program) is None or subprocess.run([program, *check], capture_output=True, check=False).returncode:
        pytest.skip(f"needs {program} with the right to {' '.join(check[:2])}")
