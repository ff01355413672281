"""Lease stores for the tests: every promise holds in one file and in PostgreSQL."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mass_pipeline.crawling.fetching.leases.client import open_leases
from mass_pipeline.crawling.fetching.leases.ports import LeaseStore
from mass_pipeline_tests.postgres import fresh_database

OpenStore = Callable[[], LeaseStore]
PassTime = Callable[[float], None]
_MOMENTS = {
    "leases": ("until",),
    "lease_wants": ("since", "until"),
    "leased_hosts": ("not_before",),
    "leased_rules": ("robots_at", "mining_at"),
}


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
        for table in _MOMENTS:
            connection.execute(f"DELETE FROM {table}")


@pytest.fixture
def pass_time(place: str) -> PassTime:
    """Lets seconds of the store's clock pass: its moments lie so much further back."""

    def passed(seconds: float) -> None:
        statements = [
            f"UPDATE {table} SET " + ", ".join(f"{name} = {name} - {seconds}" for name in names)
            for table, names in _MOMENTS.items()
        ]
        if place.startswith("postgresql"):
            import psycopg

            with psycopg.connect(place) as connection:
                for statement in statements:
                    connection.execute(statement)
            return
        (path,) = Path(place).glob("*.sqlite")
        with contextlib.closing(sqlite3.connect(path, timeout=60)) as file, file:
            for statement in statements:
                file.execute(statement)

    return passed


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
