"""Tables of hosts for the tests: every promise holds in one file and in PostgreSQL."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mass_pipeline.crawling.fetching.host_table import HostTable, open_hosts
from mass_pipeline_tests.postgres import fresh_database

Open = Callable[[], HostTable]
PassTime = Callable[[float], None]


@pytest.fixture(scope="session")
def hosts_database() -> Iterator[str]:
    with fresh_database() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.service)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where the table lies: an empty one of each kind."""
    if request.param == "sqlite":
        yield str(tmp_path / "leases")
        return
    import psycopg

    url: str = request.getfixturevalue("hosts_database")
    open_hosts(url).close()
    yield url
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DELETE FROM hosts")


@pytest.fixture
def pass_time(place: str) -> PassTime:
    """Lets seconds of the table's clock pass: its moments lie so much further back."""

    def passed(seconds: float) -> None:
        moved = ", ".join(f"{name} = {name} - {seconds}" for name in ("until", "wanted", "not_before"))
        statement = f"UPDATE hosts SET {moved}"
        if place.startswith("postgresql"):
            import psycopg

            with psycopg.connect(place) as connection:
                connection.execute(statement)
            return
        (path,) = Path(place).glob("*.sqlite")
        with contextlib.closing(sqlite3.connect(path, timeout=60)) as file, file:
            file.execute(statement)

    return passed


@pytest.fixture
def opened(place: str) -> Iterator[Open]:
    """Opens the table once more, as another process would."""
    tables: list[HostTable] = []

    def another() -> HostTable:
        tables.append(open_hosts(place))
        return tables[-1]

    yield another
    for table in tables:
        table.close()
