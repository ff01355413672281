"""One connection to a state file, alike for crawl, watch and link collection: lock, run, transactions, hosts. No other rows."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Final, Self

from mass_pipeline.crawling.state import schema
from mass_pipeline.model import state_file
from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.state_file import state_error

_CLEAN: Final = "clean"  # "0" while a run goes on, and after one that was killed: hosts may have been asked a moment ago
_PUT_META: Final = "INSERT OR REPLACE INTO meta VALUES(?,?)"
PUT_HOST: Final = "INSERT OR REPLACE INTO hosts VALUES(?,?,?,?,?,?,?,?,?,?,?,?)"


@dataclass(slots=True)
class HostRow:
    """What is remembered of an origin; moments are wall-clock seconds. In the order of the columns of `hosts`.

    Attributes:
        asked: seconds of rest the host itself still asked for when the row was written; None where nobody wrote it down.
    """

    origin: str
    robots_state: str | None
    robots_reason: str | None
    robots_text: str | None
    robots_at: float | None
    delay: float
    crawl_delay: float
    not_before: float
    failures: int
    mining_text: str | None = None
    mining_at: float | None = None
    asked: float | None = None

    @property
    def values(self) -> tuple[object, ...]:
        """For `PUT_HOST`."""
        return astuple(self)


class StateDatabase:
    """The state of one folder; a context manager that closes it.

    Args:
        folder: made when absent.
        file: a key of `schema.FORMATS`.
        user: what the one process does that works here, for people; "" where several do.

    Raises:
        StorageError: not writable, in use, damaged or newer; nothing is changed then.
    """

    def __init__(self, folder: Path, file: str, *, user: str = "") -> None:
        self.folder, self.path, self._kind = folder, folder / file, schema.FORMATS[file]
        self._lock = state_file.lock_folder(folder, self._kind.lock, user=user) if user else None
        try:
            self.connection = schema.open_for_writing(folder, file, is_checked=bool(user))
        except BaseException:
            self._unlock()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of file and lock."""
        self.connection.close()
        self._unlock()

    def begin_run(self) -> bool:
        """Hosts are asked from now on; whether the last run was killed, which may have asked any host a moment ago."""
        was_killed = self.meta().get(_CLEAN) == "0"
        self.put_meta({_CLEAN: "0"})
        return was_killed

    def end_run(self) -> None:
        """The run ended in order."""
        self.put_meta({_CLEAN: "1"})

    def transaction(self) -> AbstractContextManager[sqlite3.Connection]:
        """All or nothing.

        Raises:
            StorageError: the file is damaged or locked, nothing of the transaction is kept; `DiskFull` without room.
        """
        return state_file.transaction(self.connection, self.path, self._kind)

    @contextmanager
    def errors_told(self) -> Iterator[None]:
        """Errors of SQLite and of damaged values as ours; whatever the error, an open transaction is rolled back."""
        try:
            yield
        except BaseException as error:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error | json.JSONDecodeError):
                raise self.damaged(error) from error
            raise

    def damaged(self, error: Exception) -> StorageError:
        """The error to raise when a statement fails: what is wrong and what helps."""
        return state_error(self.path, error, self._kind)

    def meta(self) -> dict[str, str]:
        """What is said of the state as a whole."""
        with self.errors_told():
            return {str(key): str(value) for key, value in self.connection.execute("SELECT key,value FROM meta")}

    def put_meta(self, values: dict[str, str]) -> None:
        """Say something of the state as a whole."""
        with self.transaction() as db:
            db.executemany(_PUT_META, values.items())

    async def written(self) -> None:
        """Return when nothing that was gathered waits for a transaction; here nothing ever does."""

    def load_host(self, origin: str) -> HostRow | None:
        """What is remembered of an origin, None when nothing is."""
        row = self.connection.execute("SELECT * FROM hosts WHERE origin=?", (origin,)).fetchone()
        return HostRow(*row) if row else None

    def put_host(self, host: HostRow) -> None:
        """Remember an origin."""
        with self.transaction() as db:
            db.execute(PUT_HOST, host.values)

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
