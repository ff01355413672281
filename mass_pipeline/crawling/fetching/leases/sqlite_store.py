"""Leases of one machine in one SQLite file. Only opening, transactions and the clock; the rules are in `statements`.

The clock is the machine's steady one, which nobody can set; its moments mean nothing after a restart of the machine. So every
start of the machine has a file of its own, and nothing need reach the disk: kill -9 loses nothing that was committed, and what
a power cut leaves behind is never read again. Rollback journal: several processes write (hazards 0.6).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Final

from mass_pipeline.crawling.fetching.leases import statements
from mass_pipeline.crawling.fetching.leases.ports import HOST, Heard, Said
from mass_pipeline.crawling.fetching.leases.statements import Row
from mass_pipeline.model.boot import boot_name, seconds_since_boot
from mass_pipeline.model.state_file import StateFormat, open_state, state_error, transaction

FORMAT: Final = StateFormat(
    1,
    "; ".join(statements.TABLES),
    journal="TRUNCATE",
    synchronous="OFF",
    is_shared=True,
    other="another data folder",
    name="leases of hosts",
)


class SqliteLeases:
    """A lease store (see `ports.LeaseStore`) of one machine.

    Args:
        folder: beside the data; made when absent. On a file system of this machine: other machines need PostgreSQL.

    Raises:
        StorageError: it cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / f"{boot_name() or 'unknown'}.sqlite"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _leave_others(folder, self.path)
        except OSError as error:
            raise state_error(self.path, error, FORMAT) from error
        self._db = open_state(self.path, FORMAT)
        with self._transaction():
            statements.tidy(self._execute, seconds_since_boot())

    def exchange(self, owner: str, said: Said, lease_seconds: float) -> Heard:
        """See `LeaseStore.exchange`."""
        with self._transaction():
            return statements.exchange(self._execute, seconds_since_boot(), owner, said, lease_seconds)

    def close(self) -> None:
        """See `LeaseStore.close`."""
        self._db.close()

    def _execute(self, statement: str, values: Sequence[object] = ()) -> Iterable[Row]:
        return self._db.execute(statement, values).fetchall()

    def _transaction(self) -> AbstractContextManager[sqlite3.Connection]:
        return transaction(self._db, self.path, FORMAT)


def erase_leases(folder: Path, covers: Callable[[str], bool]) -> Iterator[tuple[Path, int]]:
    """Forget the pace and the rules of hosts that are never asked again.

    Args:
        folder: as of `SqliteLeases`; it need not exist.
        covers: whether an address of a host is to be forgotten.

    Yields:
        Each file, and how many hosts of it were forgotten.
    """
    tables = ("leases", "lease_wants", "leased_hosts", "leased_rules")
    for path in sorted(folder.glob("*.sqlite")):
        with closing(open_state(path, FORMAT)) as database:
            database.execute("PRAGMA secure_delete=ON")
            known = database.execute(" UNION ".join(f"SELECT lease_key FROM {table}" for table in tables))  # noqa: S608
            keys = [(key,) for (key,) in known if key.startswith(HOST) and covers(f"http://{key.removeprefix(HOST)}/")]
            for table in tables:
                database.executemany(f"DELETE FROM {table} WHERE lease_key=?", keys)  # noqa: S608
        yield path, len(keys)


def _leave_others(folder: Path, mine: Path) -> None:
    """Files of earlier starts of the machine say nothing any more."""
    for path in folder.glob("*.sqlite*"):
        if not path.name.startswith(mine.name):
            path.unlink(missing_ok=True)
