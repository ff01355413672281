"""Which files pytest looks into for doctests."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Only modules that hold examples: looking for some imports a module, in every process of the tests, and goes through it.

    That all others can be imported is the law of test_imports.py, once in a run.
    """
    found = yield
    if file_path.suffix != ".py" or b">>> " in file_path.read_bytes():
        return found
    return [one for one in found if not isinstance(one, DoctestModule)]
