"""Lease stores for the tests: every promise holds in one file and in PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mass_pipeline.crawler.fetching.leases.opening import open_leases
from mass_pipeline.crawler.fetching.leases.ports import LeaseStore
from mass_pipeline_tests.postgres import fresh_database

OpenStore = Callable[[], LeaseStore]


@pytest.fixture(scope="session")
def lease_database() -> Iterator[str]:
    with fresh_database() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.service)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where the leases lie: an empty store of each kind."""
    if request.param == "sqlite":
        yield str(tmp_path / "leases")
        return
    import psycopg

    url: str = request.getfixturevalue("lease_database")
    open_leases(url).close()
    yield url
    with psycopg.connect(url, autocommit=True) as connection:
        for table in ("leases", "lease_wants", "leased_hosts", "leased_rules"):
            connection.execute(f"DELETE FROM {table}")


@pytest.fixture
def opened(place: str) -> Iterator[OpenStore]:
    """Opens the store once more, as another process would."""
    stores: list[LeaseStore] = []

    def another() -> LeaseStore:
        stores.append(open_leases(place))
        return stores[-1]

    yield another
    for store in stores:
        store.close()
