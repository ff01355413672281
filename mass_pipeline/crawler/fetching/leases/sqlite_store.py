"""Leases of one machine in one SQLite file. Only opening, transactions and the clock; the rules are in `statements`.

The clock is the machine's steady one, which nobody can set; its moments mean nothing after a restart of the machine. So every
start of the machine has a file of its own, and nothing need reach the disk: kill -9 loses nothing that was committed, and what
a power cut leaves behind is never read again. Rollback journal: several processes write (hazards 0.6).
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from mass_pipeline.crawler.fetching.leases import statements
from mass_pipeline.crawler.fetching.leases.ports import Heard, Said
from mass_pipeline.crawler.fetching.leases.statements import Row
from mass_pipeline.model.boot import boot_name, seconds_since_boot
from mass_pipeline.model.errors import DiskFull, StorageError

_BUSY_SECONDS: Final = 5.0
_VERSION: Final = 1


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
            self._db = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode=TRUNCATE")
            self._db.execute("PRAGMA synchronous=OFF")
        except (OSError, sqlite3.Error) as error:
            raise StorageError(f"{self.path}: cannot be opened for the leases of hosts ({error}).") from error
        with self._transaction():
            for table in statements.TABLES:
                self._db.execute(table)
            statements.tidy(self._execute, seconds_since_boot())
            self._db.execute(f"PRAGMA user_version={_VERSION}")

    def exchange(self, owner: str, said: Said, lease_seconds: float) -> Heard:
        """See `LeaseStore.exchange`."""
        with self._transaction():
            return statements.exchange(self._execute, seconds_since_boot(), owner, said, lease_seconds)

    def close(self) -> None:
        """See `LeaseStore.close`."""
        self._db.close()

    def _execute(self, statement: str, values: Sequence[object] = ()) -> Iterable[Row]:
        return self._db.execute(statement, values).fetchall()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except BaseException as error:
            with contextlib.suppress(sqlite3.Error):
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                kind = DiskFull if "full" in str(error) else StorageError
                raise kind(f"{self.path}: the leases of hosts cannot be written ({error}).") from error
            raise


def _leave_others(folder: Path, mine: Path) -> None:
    """Files of earlier starts of the machine say nothing any more."""
    for path in folder.glob("*.sqlite*"):
        if not path.name.startswith(mine.name):
            path.unlink(missing_ok=True)
