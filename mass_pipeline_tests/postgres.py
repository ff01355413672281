"""A fresh database on the loopback PostgreSQL, for tests that promise something about it."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import sqlalchemy as sa

from mass_pipeline.annotation.database import open_engine

POSTGRES = os.environ.get("MASS_TESTS_POSTGRES", "postgresql://postgres@127.0.0.1:5432/postgres")


@contextmanager
def fresh_database() -> Iterator[str]:
    """Its URL; dropped in the end. Skips the test where no server answers, unless services are required."""
    admin = open_engine(POSTGRES).execution_options(isolation_level="AUTOCOMMIT")
    name = f"mass_tests_{uuid.uuid4().hex[:12]}"
    try:
        with admin.connect() as connection:
            connection.execute(sa.text(f'CREATE DATABASE "{name}"'))
    except sa.exc.OperationalError as error:
        if os.environ.get("MASS_TESTS_REQUIRE_SERVICES") == "1":
            raise
        pytest.skip(f"no PostgreSQL answers at {POSTGRES} ({str(error).splitlines()[0]})")
    yield sa.make_url(POSTGRES).set(database=name).render_as_string(hide_password=False)
    with admin.connect() as connection:
        connection.execute(sa.text(f'DROP DATABASE "{name}" WITH (FORCE)'))
    admin.dispose()
