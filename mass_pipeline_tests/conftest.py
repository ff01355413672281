"""What holds for every test."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator

import hypothesis
import pytest

# Examples have no deadline: on a busy machine one of 200 ms is no fault, and speed is a matter of benchmarks.
hypothesis.settings.register_profile("suite", deadline=None)
hypothesis.settings.load_profile("suite")
# A background shell starts programs with SIGINT ignored and children inherit that: those that a test starts could not be
# interrupted. A handler of this process is reset to the default in them.
signal.signal(signal.SIGINT, signal.default_int_handler)
os.environ.setdefault("MASS_PIPELINE_OPERATION_MAX_RETRIES", "0")  # what fails in a test fails at once
gc.disable()  # collecting the tests makes a million objects that all stay: no use looking for garbage among them


def pytest_collection_finish() -> None:
    """From here on garbage is looked for, but never among what the modules and the list of tests hold."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def _storage_environment() -> Iterator[dict[str, str]]:
    from mass_pipeline_tests.object_storage import storage_server

    with storage_server() as environment:
        yield environment


@pytest.fixture
def cloud(_storage_environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> str:
    """An empty place in object storage, and the environment that reaches it."""
    from mass_pipeline_tests.object_storage import fresh_address

    for name, value in _storage_environment.items():
        monkeypatch.setenv(name, value)
    return fresh_address()
