"""Stores for the tests: every promise about storage holds on SQLite and on PostgreSQL, and the app is asked over either."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.database import open_engine
from mass_pipeline.annotation.schema import metadata
from mass_pipeline.annotation.store import Store, open_store
from mass_pipeline_tests.annotation.browsing import Live, chromium
from mass_pipeline_tests.annotation.support import Clock
from mass_pipeline_tests.postgres import fresh_database

# Of what only asks the app, a database tells nothing that these do not tell.
_OF_STORAGE = ("test_store", "test_voting", "test_queue", "test_labels", "test_exchange", "test_busy_database")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The app itself is asked over PostgreSQL in the long tests alone."""
    for item in items:
        kind = item.callspec.params.get("database") if isinstance(item, pytest.Function) and hasattr(item, "callspec") else None
        if kind == "postgresql" and item.path.stem not in _OF_STORAGE:
            item.add_marker(pytest.mark.soak)


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """URL of a fresh database on the loopback PostgreSQL, dropped in the end."""
    with fresh_database() as url:
        yield url


@pytest.fixture(scope="session")
def empty_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file to copy: cheaper than migrating for every test."""
    path: Path = tmp_path_factory.mktemp("template") / "empty.db"
    open_store(f"sqlite:///{path}").close()
    return path


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.service)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """URL of an empty database of each kind."""
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("empty_sqlite"), tmp_path / "annotation.db")
        yield f"sqlite:///{tmp_path / 'annotation.db'}"
        return
    url: str = request.getfixturevalue("postgres_url")
    yield url
    engine = open_engine(url)
    with engine.begin() as connection:
        for table in reversed(metadata.sorted_tables):
            if sa.inspect(connection).has_table(table.name):
                connection.execute(sa.delete(table))
    engine.dispose()


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """An open store with default thresholds."""
    opened = open_store(database, AnnotationConfig())
    yield opened
    opened.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as launched:
        yield launched


@pytest.fixture
def live(store: Store) -> Iterator[Live]:
    running = Live(store)
    yield running
    running.stop()
