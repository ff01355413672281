"""One connection to a state file, alike for crawl, watch and link collection: lock, run, transactions, hosts. No other rows."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final, Self

from mass_pipeline.crawling.fetching.hosts import Grant, HostNote, RulesNote
from mass_pipeline.crawling.state import schema
from mass_pipeline.model import state_file
from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.state_file import state_error

_CLEAN: Final = "clean"  # "0" while a run goes on, and after one that was killed: hosts may have been asked a moment ago
_PUT_META: Final = "INSERT OR REPLACE INTO meta VALUES(?,?)"
PUT_HOST: Final = "INSERT OR REPLACE INTO hosts VALUES(?,?,?,?,?,?,?,?,?,?,?,?)"


class StateDatabase:
    """The state of one folder; a context manager that closes it. Remembers hosts over restarts (`hosts.HostStore`).

    Args:
        folder: made when absent.
        file: a key of `schema.FORMATS`.
        user: what the one process does that works here, for people; "" where several do.

    Raises:
        StorageError: not writable, in use, damaged or newer; nothing is changed then.

    Attributes:
        was_killed: the last run ended without a word: it may have asked any host a moment before this one began.
    """

    was_killed = False

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

    def begin_run(self) -> None:
        """Hosts are asked from now on."""
        self.was_killed = self.meta().get(_CLEAN) == "0"
        self.put_meta({_CLEAN: "0"})

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

    def load_host(self, origin: str, wall: float) -> Grant:
        """See `HostStore`; whoever asked the origin before has asked it until this run began."""
        row = self.connection.execute("SELECT * FROM hosts WHERE origin=?", (origin,)).fetchone()
        if row is None:
            return Grant(was_lost=self.was_killed)
        wait = max(row["not_before"] - wall, 0.0)
        rules = RulesNote(
            origin, row["robots_state"], row["robots_reason"] or "", row["robots_text"] or "", wall - (row["robots_at"] or 0.0),
            row["mining_text"], wall - (row["mining_at"] or 0.0),
        )  # fmt: skip
        return Grant(HostNote(wait, row["delay"], row["crawl_delay"], row["failures"], row["asked"]), (rules,), was_lost=True)

    def put_host(self, note: HostNote, rules: RulesNote, wall: float) -> None:
        """See `HostStore`."""
        with self.transaction() as db:
            db.execute(PUT_HOST, host_row(note, rules, wall))

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)


def host_row(note: HostNote, rules: RulesNote, wall: float) -> tuple[object, ...]:
    """What is remembered of an origin, for `PUT_HOST`; moments are those of the wall clock."""
    ages = (rules.robots_age, rules.mining_age)
    robots_at, mining_at = (None if age is None else wall - age for age in ages)
    return (
        rules.origin, rules.robots_state, rules.robots_reason, rules.robots_text, robots_at, note.delay, note.crawl_delay,
        wall + note.wait_seconds, note.failures, rules.mining_text, mining_at, note.asked_seconds,
    )  # fmt: skip
