"""The state of discovery: quota ledger, answers of Places, decisions, raw pages. One text for a file and for several machines.

One SQLite file, or PostgreSQL. Writers follow one another: a transaction sees nothing that changes under it. In the file every
transaction is on the disk before the next step (rollback journal, synchronous=FULL), and the WAL-reset bug of SQLite before
3.51.3 cannot touch what several processes write. In PostgreSQL writers take turns under an advisory lock, moments of the ledger
are the server's (a machine whose clock is wrong spends nothing twice), and every wait has an end.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable, ExecutableDDLElement

from mass_pipeline.model import state_file
from mass_pipeline.model.errors import StorageAway, StorageError
from mass_pipeline.model.state_file import StateFormat

_TABLES: Final = sa.MetaData()
_WHOLE: Final = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_MOMENT: Final[sa.types.TypeEngine[float]] = sa.Double().with_variant(sa.REAL(), "sqlite")  # seconds since the epoch


def _text(name: str, *, null: bool = False, key: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.Text, nullable=null, primary_key=key)


def _whole(name: str, *, key: bool = False, default: str | None = None) -> sa.Column[Any]:
    return sa.Column(name, _WHOLE, nullable=False, primary_key=key, server_default=default)


def _moment(name: str, *, null: bool = False) -> sa.Column[Any]:
    return sa.Column(name, _MOMENT, nullable=null)


CALLS: Final = sa.Table(
    "calls", _TABLES, _whole("call_id", key=True), _text("question"), _whole("units"), _moment("reserved_at"),
    _moment("settled_at", null=True), _text("outcome"), _whole("bucket"),
)  # fmt: skip
SPENT: Final = sa.Table(
    "spent", _TABLES, _whole("bucket", key=True), _whole("minute"), _text("boot"), _moment("uptime"), _whole("units"),
    sa.UniqueConstraint("minute", "boot"),
)  # fmt: skip
ANSWERS: Final = sa.Table(
    "answers", _TABLES, _text("question", key=True), _moment("answered_at"), _text("place_ids"), _text("content", null=True),
    _moment("content_until", null=True),
)  # fmt: skip
DECISIONS: Final = sa.Table(
    "decisions", _TABLES, _text("parish_id", key=True), _text("fingerprint"), _moment("decided_at"),
    _whole("dead_runs", default="0"), _moment("valid_until", null=True), _text("result"),
)  # fmt: skip
EDITIONS: Final = sa.Table(
    "editions", _TABLES, _text("name", key=True), _text("start_url"), _moment("started_at"), _moment("finished_at", null=True)
)
RAW_PAGES: Final = sa.Table(
    "raw_pages", _TABLES, _text("edition", key=True), _text("url", key=True), _text("final_url"), _whole("status"),
    _text("content_type", null=True), _moment("fetched_at"), sa.Column("body", sa.LargeBinary, nullable=False),
)  # fmt: skip
_OPEN, _KEPT = CALLS.c.outcome == "open", ANSWERS.c.content.is_not(None)
_INDEXES: Final = (
    sa.Index("calls_open", CALLS.c.question, sqlite_where=_OPEN, postgresql_where=_OPEN),
    sa.Index("answers_by_expiry", ANSWERS.c.content_until, sqlite_where=_KEPT, postgresql_where=_KEPT),
)


def _sqlite_text() -> str:
    made: list[ExecutableDDLElement] = [CreateTable(table, if_not_exists=True) for table in _TABLES.sorted_tables]
    made += [CreateIndex(index, if_not_exists=True) for index in _INDEXES]
    return ";".join(str(one.compile(dialect=sqlite.dialect())) for one in made)


FORMAT: Final = StateFormat(
    1,
    _sqlite_text(),
    journal="TRUNCATE",  # a persistent journal would keep removed content
    busy_seconds=60.0,
    secure_delete=True,  # removed Places content must not stay in free pages
    is_shared=True,
    other="another file, and wait a day before Places is asked again: units spent in the last 24 hours are unknown then",
    name="state of discovery",
    damaged="Restore a copy: it holds the ledger of paid look-ups. Without one, move it away and wait a day before Places is "
    "asked again (unset MASS_PIPELINE_PLACES_API_KEY): units spent in the last 24 hours are unknown then",
)
_SCHEMA: Final = "discovery"  # in PostgreSQL, a schema of its own: the names of the tables are plain words
_TURN: Final = {"sqlite": "BEGIN IMMEDIATE", "postgresql": "SELECT pg_advisory_xact_lock(7312240912)"}  # locked by nothing else
_LIMITS: Final = "-c statement_timeout=60000 -c lock_timeout=60000 -c idle_in_transaction_session_timeout=120000"


class DiscoveryState:
    """One state, shared by the threads of this process through one connection; other processes may have it open too.

    Args:
        place: a file, made with its folder when missing, or `postgresql://user@host/name`.

    Attributes:
        has_own_clock: moments of the ledger are the store's, because those who share it have clocks of their own.

    Raises:
        StorageError: it cannot be opened, or is no such state: guessing at the meaning of a ledger could overspend.
        StorageAway: the server does not answer.
    """

    def __init__(self, place: Path | str) -> None:
        self._lock = threading.RLock()
        self._place = place
        self.has_own_clock = isinstance(place, str)
        if isinstance(place, str):
            url = sa.make_url(place).set(drivername="postgresql+psycopg")
            options = {"connect_timeout": 5, "options": f"{_LIMITS} -c search_path={_SCHEMA}", "tcp_user_timeout": 60_000}
            self._engine = sa.create_engine(url, connect_args=options, pool_size=1, max_overflow=0, pool_pre_ping=True)
            try:
                with self.transaction() as connection:
                    _set_up(connection)
            except StorageError:
                self.close()
                raise
        else:
            database = state_file.open_state(place, FORMAT, check=_refuse_a_damaged_ledger)
            self._engine = sa.create_engine("sqlite://", creator=lambda: database, poolclass=sa.StaticPool)

    @contextmanager
    def transaction(self) -> Iterator[sa.Connection]:
        """A write transaction: all or nothing, and on the disk when the block is left.

        Raises:
            StorageError: the disk is full, the store is taken for a minute, gone, or broken; nothing was changed.
        """
        with self._lock, self._errors(), self._engine.begin() as connection:
            connection.exec_driver_sql(_TURN[connection.dialect.name])
            yield connection

    def rows(self, query: sa.Select[Any] | str) -> list[tuple[Any, ...]]:
        """Rows of a reading query.

        Raises:
            StorageError: the store is gone or broken.
        """
        with self._lock, self._errors(), self._engine.connect() as connection:
            found = connection.execute(sa.text(query) if isinstance(query, str) else query)
            return [tuple(row) for row in found]

    def now(self, connection: sa.Connection, now: datetime) -> datetime:
        """The moment that counts inside a transaction: the caller's, or the server's own."""
        if not self.has_own_clock:
            return now
        moment = connection.exec_driver_sql("SELECT extract(epoch FROM clock_timestamp())::float8").scalar_one()
        return datetime.fromtimestamp(moment, UTC)

    def close(self) -> None:
        """Close the connection; committed work stays."""
        with self._lock:
            self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sa.exc.DBAPIError, UnicodeDecodeError, json.JSONDecodeError) as error:  # SQLite quotes the damage
            cause = error.orig if isinstance(error, sa.exc.DBAPIError) else error
            assert isinstance(cause, Exception)
            if isinstance(self._place, Path):
                raise state_file.state_error(self._place, cause, FORMAT) from error
            line = (str(cause).splitlines() or [type(cause).__name__])[0]
            kind = StorageAway if isinstance(error, sa.exc.OperationalError) else StorageError
            raise kind(f"The state of discovery in PostgreSQL cannot be read or written ({line}).") from error


def put(connection: sa.Connection, table: sa.Table, values: Mapping[str, object]) -> None:
    """Write a row; it replaces what is known of its key, in the columns given."""
    insert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    new = insert(table).values(values)
    others = {name: new.excluded[name] for name in values if not table.c[name].primary_key}
    connection.execute(new.on_conflict_do_update(index_elements=list(table.primary_key), set_=others))


def _set_up(connection: sa.Connection) -> None:
    """Make what is absent in PostgreSQL, while every other program waits."""
    connection.exec_driver_sql(f"CREATE SCHEMA IF NOT EXISTS {_SCHEMA}")
    connection.exec_driver_sql("CREATE TABLE IF NOT EXISTS version (one INTEGER PRIMARY KEY, version INTEGER NOT NULL)")
    row = sa.text("INSERT INTO version VALUES (1, :version) ON CONFLICT (one) DO NOTHING")
    connection.execute(row, {"version": FORMAT.version})
    known = connection.exec_driver_sql("SELECT version FROM version").scalar_one()
    if known > FORMAT.version:
        raise StorageError(
            f"The state of discovery in PostgreSQL has version {known}, not {FORMAT.version}: update this program."
        )
    _TABLES.create_all(connection)


def _refuse_a_damaged_ledger(connection: sqlite3.Connection, path: Path) -> None:
    """The units alone: an index that does not fit its table adds them up wrongly without a word."""
    (found,) = connection.execute("PRAGMA integrity_check(spent)").fetchone()
    if found != "ok":
        raise state_file.state_error(path, sqlite3.DatabaseError(" ".join(found.split())), FORMAT)
