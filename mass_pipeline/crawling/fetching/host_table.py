"""One row for each host and address that any process of an installation asks: who asks it until when, and how it stands.

A file of this machine, or PostgreSQL for several; one text of SQL. Moments are those of the store's own clock (seconds since the
machine started, or the server's), so that neither a clock that is set nor one that is wrong counts. Who dies keeps what it held
until `until`. What a power cut leaves in the file is never read again: it is named by the start of the machine.

Belongs here: rows and transactions. Not here: who takes what and how long (`host_turns`), how long a host is left alone.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mass_pipeline.crawling.fetching.hosts import Grant, HostNote, RulesNote
from mass_pipeline.model.boot import boot_name, seconds_since_boot
from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.state_file import StateFormat, open_state, state_error, transaction

if TYPE_CHECKING:
    import psycopg

HOST: Final = "host:"
ADDRESS: Final = "address:"
# until, wanted, not_before: moments. `moment()` is the clock of the store.
_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS hosts(key TEXT PRIMARY KEY, owner TEXT NOT NULL, until DOUBLE PRECISION NOT NULL, "
    "wanted DOUBLE PRECISION NOT NULL DEFAULT 0, not_before DOUBLE PRECISION NOT NULL DEFAULT 0, delay DOUBLE PRECISION, "
    "crawl_delay DOUBLE PRECISION NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0, rules TEXT NOT NULL DEFAULT '{}')"
)
_TIDY: Final = "DELETE FROM hosts WHERE until < moment() - 172800 AND not_before < moment() - 172800"  # two days
_KNOW: Final = "INSERT INTO hosts(key, owner, until) VALUES(?, '', 0) ON CONFLICT(key) DO NOTHING"
_LOOK: Final = (
    "SELECT owner, until > moment(), not_before - moment(), delay, crawl_delay, failures, rules, moment() "
    "FROM hosts WHERE key = ?"
)
_TAKE: Final = "UPDATE hosts SET owner = ?, until = moment() + ? WHERE key = ?"
_WANT: Final = "UPDATE hosts SET wanted = moment() WHERE key = ?"
_NOTE: Final = "UPDATE hosts SET not_before = moment() + ?, delay = ?, crawl_delay = ?, failures = ? WHERE key = ? AND owner = ?"
_FREE: Final = "UPDATE hosts SET owner = '', until = 0 WHERE key = ? AND owner = ?"
_RENEW: Final = (  # who waits asks again each second
    "UPDATE hosts SET until = moment() + ? WHERE owner = ? AND until > moment() RETURNING key, wanted > moment() - 5"
)
_RULES: Final = "UPDATE hosts SET rules = ? WHERE key = ?"

FORMAT: Final = StateFormat(
    1, _TABLE, journal="TRUNCATE", synchronous="OFF", is_shared=True, other="another data folder", name="table of hosts"
)


class HostTable:
    """The table in a file of this machine; each process opens it for itself, and uses it from one thread at a time.

    Args:
        folder: made when absent; on a file system of this machine.

    Raises:
        StorageError: it cannot be read or written; so for every method, and nothing was changed then.
    """

    is_near = True

    def __init__(self, folder: Path) -> None:
        self.path = folder / f"hosts-{boot_name() or 'unknown'}.sqlite"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for path in folder.glob("*.sqlite*"):  # of earlier starts of the machine: they say nothing any more
                if not path.name.startswith(self.path.name):
                    path.unlink(missing_ok=True)
        except OSError as error:
            raise state_error(self.path, error, FORMAT) from error
        self._db = open_state(self.path, FORMAT)
        self._db.create_function("moment", 0, seconds_since_boot)
        with self._transaction():
            self._execute(_TIDY)

    def take(self, key: str, owner: str, seconds: float) -> Grant | None:
        """A host or address for so long; None while another has it, who is told that it is wanted."""
        with self._transaction():
            row = self._look(key)
            if row is None:
                self._execute(_KNOW, (key,))
                row = self._look(key)
                assert row is not None
            holder, is_held, wait, delay, crawl_delay, failures, rules, now = row
            if holder not in ("", owner) and is_held:
                self._execute(_WANT, (key,))
                return None
            self._execute(_TAKE, (owner, seconds, key))
        note = None if delay is None else HostNote(max(wait, 0.0), delay, crawl_delay, failures)
        known = tuple(RulesNote(**note).aged(now) for note in json.loads(rules).values())
        return Grant(note, known, was_lost=holder not in ("", owner))

    def beat(self, owner: str, seconds: float, notes: Mapping[str, HostNote], leaving: Sequence[str] = ()) -> dict[str, bool]:
        """Say how hosts stand, give back, keep the rest for so long; what is kept, and whether others want it."""
        with self._transaction():
            for key, note in notes.items():
                self._execute(_NOTE, (note.wait_seconds, note.delay, note.crawl_delay, note.failures, key, owner))
            for key in leaving:
                self._execute(_FREE, (key, owner))
            return {str(key): bool(wanted) for key, wanted in self._execute(_RENEW, (seconds, owner))}

    def put_rules(self, key: str, note: RulesNote) -> None:
        """Remember robots.txt and the reservations of a host's origin."""
        with self._transaction():
            row = self._look(key)
            if row is not None:
                rules = json.loads(row[6]) | {note.origin: asdict(note.aged(-row[7]))}
                text = json.dumps(rules, ensure_ascii=False).replace("\\u0000", "")  # no text of PostgreSQL holds a NUL
                self._execute(_RULES, (text.encode("utf-8", "replace").decode(), key))

    def close(self) -> None:
        """Let go of the table; what is still held ends by itself."""
        self._db.close()

    def _look(self, key: str) -> tuple[Any, ...] | None:
        return next(iter(self._execute(_LOOK, (key,))), None)

    def _execute(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        return self._db.execute(statement, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with transaction(self._db, self.path, FORMAT):
            yield


class PostgresHostTable(HostTable):
    """The same for any number of machines, in PostgreSQL; a server that is gone or stuck gives an error after seconds.

    Args:
        url: `postgresql://user@host/name`; the table is made when absent.
    """

    is_near = False
    _LIMITS = "-c statement_timeout=5000 -c lock_timeout=4000 -c idle_in_transaction_session_timeout=8000"
    _MAKING = 7_312_240_911  # any number that nothing else in the database locks

    def __init__(self, url: str) -> None:
        self._url = url.replace("postgresql+psycopg://", "postgresql://", 1)
        self._connection: psycopg.Connection[Any] | None = None
        with self._transaction():
            self._execute("SELECT pg_advisory_xact_lock(?)", (self._MAKING,))
            self._execute(_TABLE)
            self._execute(_TIDY)

    def close(self) -> None:
        """Let go of the server."""
        if self._connection is not None:
            self._connection.close()

    def _look(self, key: str) -> tuple[Any, ...] | None:
        return next(iter(self._execute(f"{_LOOK} FOR UPDATE", (key,))), None)

    def _execute(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        assert self._connection is not None
        text = statement.replace("?", "%s").replace("moment()", "extract(epoch FROM clock_timestamp())::float8")
        cursor = self._connection.execute(text, values)
        return cursor.fetchall() if cursor.description else []

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        import psycopg  # one machine alone needs no driver

        try:
            if self._connection is None or self._connection.closed:
                self._connection = psycopg.connect(self._url, connect_timeout=5, options=self._LIMITS, tcp_user_timeout=5000)
            with self._connection.transaction():
                yield
        except psycopg.Error as error:
            if self._connection is not None:
                self._connection.close()  # the next call begins anew
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            raise StorageError(f"The table of hosts cannot be read or written in PostgreSQL ({reason}).") from error


def open_hosts(place: str) -> HostTable:
    """The table: of PostgreSQL for a URL, in a file for a folder.

    Raises:
        StorageError: it cannot be opened.
    """
    return PostgresHostTable(place) if place.startswith("postgresql") else HostTable(Path(place))


def erase_hosts(folder: Path, covers: Callable[[str], bool]) -> Iterator[tuple[Path, int]]:
    """Forget hosts that are never asked again.

    Args:
        folder: as of `HostTable`; it need not exist.
        covers: whether an address of a host is to be forgotten.

    Yields:
        Each file, and how many hosts of it were forgotten.
    """
    for path in sorted(folder.glob("hosts-*.sqlite")):
        with suppress(sqlite3.DatabaseError), closing(open_state(path, FORMAT)) as database:
            database.execute("PRAGMA secure_delete=ON")
            known = [key for (key,) in database.execute("SELECT key FROM hosts")]
            gone = [(key,) for key in known if key.startswith(HOST) and covers(f"http://{key.removeprefix(HOST)}/")]
            database.executemany("DELETE FROM hosts WHERE key = ?", gone)
            yield path, len(gone)
