"""One connection to a state file, alike for crawl, watch and link collection: lock, run, transactions, hosts. No other rows."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Self

from mass_pipeline.crawling.fetching.hosts import Grant, HostNote, RulesNote
from mass_pipeline.crawling.state import schema
from mass_pipeline.model import state_file
from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.state_file import state_error

_CLEAN: Final = "clean"  # "0" while a run goes on, and after one that was killed: hosts may have been asked a moment ago
_PUT_META: Final = "INSERT OR REPLACE INTO meta VALUES(?,?)"
_PUT_HOST: Final = "INSERT OR REPLACE INTO hosts VALUES(?,?,?,?,?,?,?,?,?,?,?,?)"


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
        self._hosts: dict[str, tuple[Any, ...]] = {}  # rows to be written with the next transaction, by origin
        self._lock = state_file.lock_folder(folder, self._kind.lock, user=user) if user else None
        try:
            self.connection = schema.open_for_writing(folder, file, is_checked=bool(user))
        except BaseException:
            self._unlock()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        try:
            if not isinstance(error[1], StorageError | sqlite3.Error):  # an interrupted run leaves hosts their pauses too
                self._write_hosts()
        finally:
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

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing; hosts that changed go with it.

        Raises:
            StorageError: the file is damaged or locked, nothing of the transaction is kept; `DiskFull` without room.
        """
        with state_file.transaction(self.connection, self.path, self._kind) as db:
            db.executemany(_PUT_HOST, self._hosts.values())
            yield db
        self._hosts.clear()

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
        """See `HostStore`."""
        self._write_hosts()

    def _write_hosts(self) -> None:
        if self._hosts:
            with self.transaction():
                pass

    def load_host(self, origin: str, wall: float) -> Grant:
        """See `HostStore`; whoever asked the origin before has asked it until this run began."""
        row = self._hosts.get(origin) or self.connection.execute("SELECT * FROM hosts WHERE origin=?", (origin,)).fetchone()
        if row is None:
            return Grant(was_lost=self.was_killed)
        _, state, reason, text, robots_at, delay, crawl_delay, not_before, failures, mining, mining_at, asked = row
        robots_age, mining_age = (wall - (at or 0.0) for at in (robots_at, mining_at))
        rules = RulesNote(origin, state, reason or "", text or "", robots_age, mining, mining_age)
        return Grant(HostNote(max(not_before - wall, 0.0), delay, crawl_delay, failures, asked), (rules,), was_lost=True)

    def put_host(self, note: HostNote, rules: RulesNote, wall: float) -> None:
        """See `HostStore`; moments are those of the wall clock."""
        robots_at, mining_at = (None if age is None else wall - age for age in (rules.robots_age, rules.mining_age))
        self._hosts[rules.origin] = (
            rules.origin, rules.robots_state, rules.robots_reason, rules.robots_text, robots_at, note.delay, note.crawl_delay,
            wall + note.wait_seconds, note.failures, rules.mining_text, mining_at, note.asked_seconds,
        )  # fmt: skip

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
