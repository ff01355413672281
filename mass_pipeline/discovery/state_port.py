"""The state of discovery as a port: transactions over quota ledger, answers of Places, decisions, raw pages.

Two stores keep it: one SQLite file (`state`), or PostgreSQL for several machines (`postgres_state`). Statements are SQL that both
understand, with `?` where values go. Writers follow one another: a transaction sees nothing that changes under it.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from types import TracebackType
from typing import Any, Generic, Protocol, Self, TypeVar

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


class _Work(Generic[T]):
    """A piece of work of one thread inside a shared transaction, and how it ended."""

    __slots__ = ("_error", "_result", "_work", "is_done")

    def __init__(self, work: Callable[[Connection], T]) -> None:
        self._work = work
        self._result: list[T] = []
        self._error: BaseException | None = None
        self.is_done = False

    def run(self, connection: Connection) -> None:
        """Do it behind a savepoint; an error undoes this work alone."""
        connection.execute("SAVEPOINT work")
        try:
            self._result.append(self._work(connection))
        except MassPipelineError as error:
            connection.execute("ROLLBACK TO work")
            self._error = error
        connection.execute("RELEASE work")

    def fail(self, error: BaseException) -> None:
        """The transaction failed: whatever this work did does not count."""
        self._error = error

    def outcome(self) -> T:
        """The result, or the error raised anew."""
        if self._error is not None:
            raise self._error
        return self._result[0]


class StateStore(ABC):
    """One state, shared by the threads of this process; other processes may have it open too.

    Attributes:
        has_own_clock: moments of the ledger are the store's, because those who share it have clocks of their own.
    """

    has_own_clock = False

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._waiting: deque[_Work[Any]] = deque()

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
        mine: _Work[T] = _Work(work)
        self._waiting.append(mine)
        with self._lock:
            if not mine.is_done:
                self._commit_together()
        return mine.outcome()

    def _commit_together(self) -> None:
        """Commit everything that waits; called with the lock held."""
        batch = [self._waiting.popleft() for _ in range(len(self._waiting))]
        try:
            with self.transaction() as connection:
                for piece in batch:
                    piece.run(connection)
        except BaseException as error:
            for piece in batch:
                piece.fail(error)
            if not isinstance(error, Exception):
                raise
        for piece in batch:
            piece.is_done = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
