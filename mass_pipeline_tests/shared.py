"""Where the labelled real pages and public test suites lie, for tests that use them when they are there."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def shared_folder(*parts: str) -> Path:
    """A file or folder beside the checkout; skips the test, with a word, where it is absent."""
    path = ROOT.parent.joinpath("shared", *parts)
    if not path.exists():
        pytest.skip(f"needs {'/'.join(('../shared', *parts))}, which is not beside this checkout")
    return path
