"""The state of discovery in PostgreSQL, for several machines: one ledger of Places, one set of decisions. See `state_port`.

Writers take turns under an advisory lock, as under the lock of the file, and moments of the ledger are the server's: a
machine whose clock is wrong spends nothing twice. Every wait has an end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Final

import psycopg

from mass_pipeline.gathering.state import SCHEMA
from mass_pipeline.gathering.state_port import Connection, Cursor, StateStore
from mass_pipeline.model.errors import StorageAway, StorageError

_CONNECT_SECONDS: Final = 5
_LIMITS: Final = "-c statement_timeout=60000 -c lock_timeout=60000 -c idle_in_transaction_session_timeout=120000"
_LOCK: Final = 7_312_240_912  # any number that nothing else in the database locks
_VERSION: Final = 1
_UPGRADES: Final[Mapping[int, Sequence[str]]] = {}  # version -> the statements that lead from it to the next
_PREFIX: Final = "discovery"  # a schema of its own: the names of the tables are plain words
_NOW: Final = "SELECT extract(epoch FROM clock_timestamp())::float8"


class PostgresState(StateStore):
    """See `StateStore`.

    Args:
        url: `postgresql://user@host/name`; schema and tables are made when absent.

    Raises:
        StorageAway: the server does not answer.
        StorageError: the tables are those of a newer version.
    """

    has_own_clock = True

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url.replace("postgresql+psycopg://", "postgresql://", 1)
        self._connection: psycopg.Connection[Any] | None = None
        try:
            self._set_up()
        except StorageError:
            self.close()
            raise

    def _set_up(self) -> None:
        with self.transaction() as connection:
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {_PREFIX}")
            connection.execute("CREATE TABLE IF NOT EXISTS version (one INTEGER PRIMARY KEY, version INTEGER NOT NULL)")
            connection.execute("INSERT INTO version VALUES (1, ?) ON CONFLICT (one) DO NOTHING", (_VERSION,))
            _bring_up_to_date(connection)

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """See `StateStore.transaction`."""
        with self._lock, self._errors(), self._opened().transaction():
            inside = _Inside(self._opened())
            inside.execute("SELECT pg_advisory_xact_lock(?)", (_LOCK,))
            yield inside

    def now(self, connection: Connection, now: datetime) -> datetime:
        """The server's moment: those who share the ledger have clocks of their own."""
        return datetime.fromtimestamp(float(connection.execute(_NOW).fetchone()[0]), UTC)

    def rows(self, query: str, values: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
        """See `StateStore.rows`."""
        with self._lock, self._errors(), self._opened().transaction():
            return list(self._opened().execute(query.replace("?", "%s"), values).fetchall())

    def close(self) -> None:
        """See `StateStore.close`."""
        if self._connection is not None:
            self._connection.close()

    def _opened(self) -> psycopg.Connection[Any]:
        if self._connection is None or self._connection.closed:
            options = f"{_LIMITS} -c search_path={_PREFIX}"
            self._connection = psycopg.connect(
                self._url, connect_timeout=_CONNECT_SECONDS, options=options, tcp_user_timeout=60_000
            )
        return self._connection

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            self.close()  # the next call begins anew
            line = (str(error).splitlines() or [type(error).__name__])[0]
            kind = StorageAway if isinstance(error, psycopg.OperationalError) else StorageError
            raise kind(f"The state of discovery in PostgreSQL cannot be read or written ({line}).") from error


class _Inside:
    """See `Connection`."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def execute(self, statement: str, values: Sequence[object] = (), /) -> Cursor:
        return self._connection.execute(statement.replace("?", "%s"), values)

    def executemany(self, statement: str, values: Iterable[Sequence[object]], /) -> object:
        with self._connection.cursor() as cursor:
            cursor.executemany(statement.replace("?", "%s"), list(values))
        return None


def _bring_up_to_date(connection: Connection) -> None:
    """Make what is absent, and lead an older version to this one; in one transaction, while every other program waits."""
    (version,) = connection.execute("SELECT version FROM version").fetchone()
    if version > _VERSION:
        raise StorageError(f"The state of discovery in PostgreSQL has version {version}, not {_VERSION}: update this program.")
    for statement in (*(one for step in range(version, _VERSION) for one in _UPGRADES[step]), *_tables()):
        connection.execute(statement)
    connection.execute("UPDATE version SET version = ?", (_VERSION,))


def _tables() -> list[str]:
    """The tables of the file in PostgreSQL's types."""
    made = SCHEMA.replace("call_id INTEGER PRIMARY KEY", "call_id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY")
    made = made.replace("bucket INTEGER PRIMARY KEY", "bucket BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY")
    made = made.replace("INTEGER", "BIGINT").replace("REAL", "DOUBLE PRECISION").replace("BLOB", "BYTEA")
    return [statement for statement in made.split(";") if statement.strip()]
