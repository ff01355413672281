"""Open the annotation database, SQLite or PostgreSQL, and bring its tables up to date (alembic)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from mass_pipeline.annotation.schema import metadata
from mass_pipeline.model.errors import StorageError

PATIENT_SECONDS: Final = 30.0  # how long a command waits for the database
PROMPT_SECONDS: Final = 2.5  # how long a page does: its visitor is told within three seconds that it is busy
POOL_SIZE: Final = 16
MIGRATIONS: Final = Path(__file__).with_name("migrations")


def open_engine(url: str, *, busy_seconds: float = PATIENT_SECONDS) -> Engine:
    """An engine for `sqlite:///file`, `sqlite://` (memory) or `postgresql://...` (psycopg 3); does not migrate.

    Args:
        busy_seconds: how long a statement waits for a lock, and a caller for a connection; then it fails as `is_busy` knows.

    Raises:
        StorageError: the URL is none of these.
    """
    try:
        parsed = sa.make_url(url)
    except sa.exc.ArgumentError as error:
        raise StorageError(f"{url!r} is no database URL; use sqlite:///annotation.db or postgresql://user@host/name.") from error
    if parsed.get_backend_name() == "postgresql":
        return _open_postgresql(parsed, busy_seconds)
    if parsed.get_backend_name() == "sqlite":
        return _open_sqlite(parsed, busy_seconds)
    raise StorageError(f"{parsed.get_backend_name()} is not supported; use sqlite or postgresql.")


def _open_postgresql(url: sa.URL, busy_seconds: float) -> Engine:
    # Few statements, run again and again: planned once for each connection, on as few connections as the moment needs.
    # Left to itself the server plans the choice of a question anew every time, which takes longer than making it.
    settings = f"-c plan_cache_mode=force_generic_plan -c lock_timeout={round(1000 * busy_seconds)}"
    options = f"{url.query.get('options', '')} {settings}".strip()
    return sa.create_engine(
        url.set(drivername="postgresql+psycopg"),
        pool_size=POOL_SIZE,
        max_overflow=8,
        pool_timeout=busy_seconds,
        pool_use_lifo=True,
        connect_args={"options": options, "prepare_threshold": 0},
    )


def _open_sqlite(url: sa.URL, busy_seconds: float) -> Engine:
    if url.database and url.database != ":memory:":
        _make_private(Path(url.database))
        engine = sa.create_engine(url, connect_args={"timeout": busy_seconds}, pool_timeout=busy_seconds)
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

    @sa.event.listens_for(engine, "handle_error")
    def _name_damage(context: sa.ExceptionContext) -> None:
        reason = context.original_exception
        if getattr(reason, "sqlite_errorname", "").startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_IOERR")):
            raise _damaged(url, str(reason)) from reason

    return engine


def _damaged(url: sa.URL, reason: str) -> StorageError:
    return StorageError(
        f"{url.database}: the annotation database is damaged or cannot be read ({' '.join(reason.split())}). Restore a copy "
        "(mass-pipeline restore), or move it away with its -wal file: its answers are lost then."
    )


def _make_private(file: Path) -> None:
    """The database file for its owner alone, before SQLite makes it; its journal and index files take over its mode."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        file.chmod(0o600)
    except OSError as error:
        raise StorageError(f"{file}: cannot be opened ({error.strerror}). Check its folder and permissions.") from error


def is_busy(error: Exception) -> bool:
    """Whether the database is held by others, so that the same may succeed a moment later."""
    if isinstance(error, sa.exc.TimeoutError):  # no connection became free
        return True
    if not isinstance(error, sa.exc.OperationalError):
        return False
    state = getattr(error.orig, "sqlstate", None)
    return state == "55P03" or "database is locked" in str(error.orig)  # PostgreSQL: lock_not_available


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that only reads."""
    with engine.connect().execution_options(read_only=True) as connection, connection.begin():
        yield connection


def migrate(engine: Engine) -> None:
    """Create or upgrade the tables; does nothing when they are current.

    Raises:
        StorageError: the database is damaged, of another version, held by others for too long, or cannot be reached or upgraded.
    """
    from alembic import command
    from alembic.config import Config
    from alembic.migration import MigrationContext
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    try:
        with engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                connection.execute(sa.text("SET LOCAL lock_timeout = 0"))
                connection.execute(sa.text("SELECT pg_advisory_xact_lock(7366723)"))  # two servers starting at once
            else:
                (found,) = connection.execute(sa.text("PRAGMA quick_check(1)")).one()
                if found != "ok":
                    raise _damaged(engine.url, found)
            config.attributes["connection"] = connection
            if MigrationContext.configure(connection).get_current_revision() is None:
                metadata.create_all(connection, checkfirst=False)
                command.stamp(config, "head")
            else:
                command.upgrade(config, "head")
    except CommandError as error:
        raise StorageError(
            f"The annotation database is of another version of mass_pipeline ({error}). Take its votes along: "
            "`annotate export` of that version, then `annotate load --as votes` into a new database."
        ) from error
    except sa.exc.SQLAlchemyError as error:
        if is_busy(error):
            raise StorageError("The annotation database is held by another program. Try again when that is done.") from error
        raise StorageError(f"The annotation database cannot be opened or upgraded: {str(error).splitlines()[0]}") from error


def insert_ignoring(engine_name: str, table: sa.Table) -> Any:
    """INSERT ... ON CONFLICT, in the dialect at hand."""
    from sqlalchemy.dialects import postgresql, sqlite

    return (postgresql if engine_name == "postgresql" else sqlite).insert(table)


def aware(moment: datetime) -> datetime:
    """The moment in UTC; SQLite gives it back without its zone."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
