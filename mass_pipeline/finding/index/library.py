"""The index in force, open for reading: a new generation takes over between requests, never within one."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Final

from mass_pipeline.finding.index.generations import Generation, Generations
from mass_pipeline.finding.index.schema import FORMAT
from mass_pipeline.model.errors import StorageError

_LOOK_AGAIN_SECONDS: Final = 1.0
_CACHE_KIB: Final = 8_192  # of one connection


@dataclass(slots=True)
class OpenIndex:
    """One generation with its connections; closed when it is retired and the last request has given its own back."""

    generation: Generation
    meta: dict[str, str]
    _idle: list[sqlite3.Connection] = field(default_factory=list)
    _users: int = 0
    _retired: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def name(self) -> str:
        """Name of the generation."""
        return self.generation.name

    @property
    def first_day(self) -> date:
        """First day laid out."""
        return date.fromisoformat(self.meta["first_day"])

    @property
    def days(self) -> int:
        """How many days are laid out."""
        return int(self.meta["days"])

    @property
    def built_at(self) -> datetime:
        """Moment the index speaks of."""
        return datetime.fromisoformat(self.meta["built_at"])

    @contextlib.contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """A connection for one request."""
        with self._lock:
            connection = self._idle.pop() if self._idle else None
            self._users += 1
        try:
            connection = connection or connect(self.generation.index)
            yield connection
        finally:
            with self._lock:
                self._users -= 1
                if connection is not None:
                    self._idle.append(connection)
            self._close_when_left()

    def retire(self) -> None:
        """Take no new requests; close when the last one is through."""
        self._retired = True
        self._close_when_left()

    def _close_when_left(self) -> None:
        with self._lock:
            if self._retired and not self._users:
                while self._idle:
                    self._idle.pop().close()


class Library:
    """The generation in force, looked for again at most once a second.

    A new generation that cannot be opened is passed over: the last good one serves on.
    """

    def __init__(self, folder: Path) -> None:
        self._generations = Generations(folder)
        self._lock = threading.Lock()
        self._open: OpenIndex | None = None
        self._looked = float("-inf")
        self.trouble = ""

    def present(self, now: float) -> OpenIndex:
        """The index to answer from.

        Args:
            now: seconds of a clock that does not run backwards.

        Raises:
            StorageError: none was ever put in force, or none can be opened.
        """
        with self._lock:
            if now - self._looked >= _LOOK_AGAIN_SECONDS or self._open is None:
                self._looked = now
                self._look()
            if self._open is None:
                raise StorageError(self.trouble or "No public index is in force: mass-pipeline public build.")
            return self._open

    def _look(self) -> None:
        try:
            named = self._generations.current()
            if named is None:
                self.trouble = "No public index is in force: mass-pipeline public build."
                return
            if self._open is None or named.name != self._open.name:
                fresh = open_index(named)
                old, self._open = self._open, fresh
                if old is not None:
                    old.retire()
            self.trouble = ""
        except StorageError as error:
            self.trouble = str(error)


def open_index(generation: Generation) -> OpenIndex:
    """Open a generation.

    Raises:
        StorageError: the file is damaged, or of another format.
    """
    try:
        with contextlib.closing(connect(generation.index)) as connection:
            meta = {row["key"]: row["value"] for row in connection.execute("SELECT key, value FROM meta")}
            pages = connection.execute("PRAGMA page_count").fetchone()[0] * connection.execute("PRAGMA page_size").fetchone()[0]
    except sqlite3.Error as error:
        raise StorageError(f"{generation.index}: is no readable public index ({error}).") from error
    if meta.get("format") != FORMAT or pages != generation.index.stat().st_size:
        raise StorageError(f"{generation.index}: is cut off or of another version: mass-pipeline public build.")
    return OpenIndex(generation, meta)


def connect(path: Path) -> sqlite3.Connection:
    """A read-only connection to a file that never changes, usable from any thread, one at a time."""
    connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    connection.execute("PRAGMA query_only = 1")
    return connection
