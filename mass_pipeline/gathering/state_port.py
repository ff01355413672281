"""The state of discovery as a port: transactions over quota ledger, answers of Places, decisions, raw pages.

Two stores keep it: one SQLite file (`state`), or PostgreSQL for several machines (`postgres_state`). Statements are SQL that both
understand, with `?` where values go. Writers follow one another: a transaction sees nothing that changes under it.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from datetime import datetime
from functools import partial
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

from mass_pipeline.model.errors import MassPipelineError


class Cursor(Protocol):
    """What a statement gave."""

    @property
    def rowcount(self) -> int:
        """Rows it touched."""

    def fetchone(self) -> Any:
        """The next row, None when there is none."""


class Connection(Protocol):
    """Statements inside an open transaction."""

    def execute(self, statement: str, values: Sequence[object] = (), /) -> Cursor:
        """Run a statement."""

    def executemany(self, statement: str, values: Iterable[Sequence[object]], /) -> object:
        """Run a statement once per row of values."""


T = TypeVar("T")


class StateStore(ABC):
    """One state, shared by the threads of this process; other processes may have it open too.

    Attributes:
        has_own_clock: moments of the ledger are the store's, because those who share it have clocks of their own.
    """

    has_own_clock = False

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._waiting: deque[tuple[Callable[[Connection], Any], Future[Any]]] = deque()

    @abstractmethod
    def transaction(self) -> AbstractContextManager[Connection]:
        """A write transaction: all or nothing, and on the disk when the block is left.

        Raises:
            StorageError: the disk is full, the store is taken for a minute, gone, or broken; nothing was changed.
        """

    @abstractmethod
    def rows(self, query: str, values: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
        """Rows of a reading query.

        Raises:
            StorageError: the store is gone or broken.
        """

    @abstractmethod
    def close(self) -> None:
        """Close the connection; committed work stays."""

    def now(self, connection: Connection, now: datetime) -> datetime:
        """The moment that counts inside a transaction: the caller's, or the store's own."""
        return now

    def write(self, work: Callable[[Connection], T]) -> T:
        """Do one piece of work in a transaction that threads share: whoever gets the file commits for all who wait.

        A thousand commits a minute are mostly waiting for the disk; threads that look parishes up wait together. Work that
        raises is undone alone and raises here; the others are not touched.

        Raises:
            StorageError: the transaction could not be committed; none of its work counts.
        """
        mine: Future[T] = Future()
        self._waiting.append((work, mine))
        with self._lock:
            if not mine.done():
                self._commit_together()
        return mine.result()

    def _commit_together(self) -> None:
        """Commit everything that waits; called with the lock held."""
        batch = [self._waiting.popleft() for _ in range(len(self._waiting))]
        settle: list[Callable[[], None]] = []
        try:
            with self.transaction() as connection:
                settle = [_behind_savepoint(connection, work, outcome) for work, outcome in batch]
        except BaseException as error:
            settle = [partial(outcome.set_exception, error) for _, outcome in batch]
            if not isinstance(error, Exception):
                raise
        finally:
            for tell in settle:
                tell()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _behind_savepoint(connection: Connection, work: Callable[[Connection], T], outcome: Future[T]) -> Callable[[], None]:
    """Do one piece of work, whose error undoes it alone; how it ended is reported when the transaction is committed."""
    connection.execute("SAVEPOINT work")
    try:
        tell = partial(outcome.set_result, work(connection))
    except MassPipelineError as error:
        connection.execute("ROLLBACK TO work")
        tell = partial(outcome.set_exception, error)
    connection.execute("RELEASE work")
    return tell
