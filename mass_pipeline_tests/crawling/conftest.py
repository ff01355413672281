"""Fixtures of the crawler's tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from mass_pipeline_tests.crawling.loopback import Loopback
from mass_pipeline_tests.crawling.made import Crawl, Crawled, Sites, crawled


@pytest.fixture
def no_loopback(monkeypatch: pytest.MonkeyPatch) -> str:
    """The one address where a test's own sites may be: whatever listens on others of loopback is an internal service (G4)."""
    monkeypatch.setattr("mass_pipeline.crawling.fetching.gate.is_own", lambda address: str(address) == "127.0.0.77")
    return "127.0.0.77"


@pytest.fixture
def crawl(tmp_path: Path) -> Crawl:
    """`crawl(sites, *seeds, state="state", ...)`: see `made.crawled`."""

    def run(sites: Sites | Loopback, *arguments: object, state: str = "state", **options: object) -> Crawled:
        return crawled(tmp_path / state, sites, *arguments, **options)  # type: ignore[arg-type]

    return run
