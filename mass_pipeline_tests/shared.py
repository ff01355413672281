"""What tests use when it is there: labelled real pages and public test suites beside the checkout, programs of the system."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


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
