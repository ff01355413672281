"""Leases of several machines in PostgreSQL. Only connections, transactions and the clock; the rules are in `statements`.

The clock is the server's. Every wait has an end: a server that is gone or stuck gives an error after seconds, not a hang.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import psycopg

from mass_pipeline.crawling.fetching.leases import statements
from mass_pipeline.crawling.fetching.leases.ports import Heard, Said
from mass_pipeline.crawling.fetching.leases.statements import Execute, Row, as_float
from mass_pipeline.model.errors import StorageError

_CONNECT_SECONDS: Final = 5
_LIMITS: Final = "-c statement_timeout=5000 -c lock_timeout=4000 -c idle_in_transaction_session_timeout=8000"
SET_UP_LOCK: Final = 7_312_240_911  # any number that nothing else in the database locks
# One is served after the other, and reads the clock when its turn has come.
_MY_TURN: Final = "SELECT fence FROM lease_fences WHERE one = 1 FOR UPDATE"
_NOW: Final = "SELECT extract(epoch FROM clock_timestamp())::float8"


class PostgresLeases:
    """A lease store (see `ports.LeaseStore`) of any number of machines.

    Args:
        url: `postgresql://user@host/name`; the tables are made when absent.

    Raises:
        StorageError: the server does not answer or refuses.
    """

    def __init__(self, url: str) -> None:
        self._url = url.replace("postgresql+psycopg://", "postgresql://", 1)
        self._connection: psycopg.Connection[Any] | None = None
        with self._transaction():
            if _is_empty(self._execute):
                self._execute("SELECT pg_advisory_xact_lock(?)", (SET_UP_LOCK,))
                for table in statements.TABLES if _is_empty(self._execute) else ():
                    self._execute(table)
        with self._transaction():
            self._execute(_MY_TURN)
            statements.tidy(self._execute, self._now())

    def exchange(self, owner: str, said: Said, lease_seconds: float) -> Heard:
        """See `LeaseStore.exchange`."""
        with self._transaction():
            self._execute(_MY_TURN)
            return statements.exchange(self._execute, self._now(), owner, said, lease_seconds)

    def close(self) -> None:
        """See `LeaseStore.close`."""
        if self._connection is not None:
            self._connection.close()

    def _now(self) -> float:
        return as_float(next(iter(self._execute(_NOW)))[0])

    def _execute(self, statement: str, values: Sequence[object] = ()) -> Iterable[Row]:
        assert self._connection is not None
        cursor = self._connection.execute(statement.replace("?", "%s"), values)
        rows: list[Row] = cursor.fetchall() if cursor.description else []
        return rows

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            if self._connection is None or self._connection.closed:
                self._connection = psycopg.connect(
                    self._url, connect_timeout=_CONNECT_SECONDS, options=_LIMITS, tcp_user_timeout=1000 * _CONNECT_SECONDS
                )
            with self._connection.transaction():
                yield
        except psycopg.Error as error:
            if self._connection is not None:
                self._connection.close()  # the next call begins anew
            raise StorageError(f"The leases of hosts cannot be read or written in PostgreSQL ({_first_line(error)}).") from error


def _is_empty(execute: Execute) -> bool:
    """Making tables that are there already would lock them against those who use them.

    The catalogue is read as a table: `to_regclass` may answer from what this connection remembers, and then a store that waited
    while another made the tables would make them again, in the middle of exchanges (a deadlock).
    """
    made = (
        "SELECT count(*) FROM pg_catalog.pg_tables WHERE tablename = 'leased_rules' AND schemaname = ANY(current_schemas(false))"
    )
    return next(iter(execute(made)))[0] == 0


def _first_line(error: psycopg.Error) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
