"""Open the annotation database, SQLite or PostgreSQL, and bring its tables up to date (alembic)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from mass_pipeline.model.errors import StorageError

SQLITE_BUSY_SECONDS: Final = 30
POOL_SIZE: Final = 16
MIGRATIONS: Final = Path(__file__).with_name("migrations")


def open_engine(url: str) -> Engine:
    """An engine for `sqlite:///file`, `sqlite://` (memory) or `postgresql://...` (psycopg 3); does not migrate.

    Raises:
        StorageError: the URL is none of these.
    """
    try:
        parsed = sa.make_url(url)
    except sa.exc.ArgumentError as error:
        raise StorageError(f"{url!r} is no database URL; use sqlite:///annotation.db or postgresql://user@host/name.") from error
    if parsed.get_backend_name() == "postgresql":
        return sa.create_engine(parsed.set(drivername="postgresql+psycopg"), pool_size=POOL_SIZE, max_overflow=8)
    if parsed.get_backend_name() == "sqlite":
        return _open_sqlite(parsed)
    raise StorageError(f"{parsed.get_backend_name()} is not supported; use sqlite or postgresql.")


def _open_sqlite(url: sa.URL) -> Engine:
    if url.database and url.database != ":memory:":
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        engine = sa.create_engine(url, connect_args={"timeout": SQLITE_BUSY_SECONDS})
    else:
        engine = sa.create_engine(url, connect_args={"check_same_thread": False}, poolclass=sa.StaticPool)

    @sa.event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves, below
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")  # an acknowledged vote survives power loss
        connection.execute("PRAGMA foreign_keys=ON")

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # IMMEDIATE takes the write lock at once: two people reading the same free slot cannot both write it.
        mode = "DEFERRED" if connection.get_execution_options().get("read_only") else "IMMEDIATE"
        connection.exec_driver_sql(f"BEGIN {mode}")

    return engine


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that only reads."""
    with engine.connect().execution_options(read_only=True) as connection, connection.begin():
        yield connection


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction whose last statements may travel together with its COMMIT: see `send_together`."""
    with engine.connect() as connection, ExitStack() as until_committed:
        connection = connection.execution_options(until_committed=until_committed)
        with connection.begin():
            yield connection


def send_together(connection: Connection) -> None:
    """From here to the end of the transaction send statements without waiting for their answers (PostgreSQL's pipeline mode).

    None of them may return rows; the first that fails rolls all of them back. Each round trip costs as much processor time as
    the statement itself. Without effect on SQLite, and in a transaction not begun by `writing`.
    """
    until_committed = connection.get_execution_options().get("until_committed")
    if until_committed is not None and connection.dialect.name == "postgresql":
        driver: Any = connection.connection.driver_connection
        until_committed.enter_context(driver.pipeline())


def migrate(engine: Engine) -> None:
    """Create or upgrade the tables; does nothing when they are current."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    try:
        with engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                connection.execute(sa.text("SELECT pg_advisory_xact_lock(7366723)"))  # two servers starting at once
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except sa.exc.SQLAlchemyError as error:
        raise StorageError(f"The annotation database cannot be opened or upgraded: {str(error).splitlines()[0]}") from error


def insert_ignoring(engine_name: str, table: sa.Table) -> Any:
    """INSERT ... ON CONFLICT, in the dialect at hand."""
    from sqlalchemy.dialects import postgresql, sqlite

    return (postgresql if engine_name == "postgresql" else sqlite).insert(table)


def aware(moment: datetime) -> datetime:
    """The moment in UTC; SQLite gives it back without its zone."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
