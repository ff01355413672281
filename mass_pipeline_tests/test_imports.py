"""Every module can be imported, also those that no test and no other module asks for."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from mass_pipeline_tests.shared import ROOT


def modules(package: str) -> Iterator[str]:
    """Names of a package's modules but what pytest imports itself and what runs when it is imported."""
    for path in sorted((ROOT / package).rglob("*.py")):
        if not path.name.startswith(("test_", "conftest.", "__main__.")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize(
    ("package", "least"), [("mass_pipeline", 500), pytest.param("mass_pipeline_tests", 100, marks=pytest.mark.soak)]
)
def test_every_module_can_be_imported(package: str, least: int) -> None:
    found = list(modules(package))

    assert len(found) > least
    for name in found:
        importlib.import_module(name)


def test_the_definitions_load_nothing_that_only_runs_need() -> None:
    """Each process of Dagster loads them: what reads, crawls and learns is imported by the assets that use it."""
    heavy = [
        "pandas",
        "scipy",
        "sklearn",
        "aiohttp",
        "bs4",
        "matplotlib",
        "mass_pipeline.reading.grammar",
        "mass_pipeline.crawling.sites.engine",
    ]
    code = f"import sys, mass_pipeline.definitions; print([name for name in {heavy} if name in sys.modules])"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)

    assert ended.stdout.strip() == "[]"


def test_workers_load_what_runs_need_before_they_fork() -> None:
    """Each run would import it for itself otherwise."""
    names = [
        "pandas",
        "mass_pipeline.reading.grammar.reader",
        "mass_pipeline.crawling.sites.engine",
        "mass_pipeline.publishing.orders",
    ]
    code = f"import sys, mass_pipeline.operations.engine.celery_app; print([name for name in {names} if name not in sys.modules])"
    environ = {**os.environ, "MASS_PRELOAD": "1"}
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT, env=environ)

    assert ended.stdout.strip() == "[]"
