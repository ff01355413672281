"""The index in force, open for reading: a new generation takes over between requests, never within one."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Final

from mass_pipeline.finding.index.generations import INDEX_NAME, Generation, Generations, require_whole
from mass_pipeline.finding.index.schema import FORMAT
from mass_pipeline.model.errors import StorageError

log = logging.getLogger(__name__)

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

    A new generation is compared with its manifest and opened beside the requests; one that is damaged is passed over: the last
    good one serves on. When the process begins and the one in force is damaged, the newest whole one before it serves.
    """

    def __init__(self, folder: Path) -> None:
        self._generations = Generations(folder)
        self._lock = threading.Lock()
        self._open: OpenIndex | None = None
        self._looked = float("-inf")
        self._coming: threading.Thread | None = None
        self._passed_over = ""
        self.trouble = ""

    def present(self, now: float) -> OpenIndex:
        """The index to answer from.

        Args:
            now: seconds of a clock that does not run backwards.

        Raises:
            StorageError: none was ever put in force, or none can be opened.
        """
        with self._lock:
            if self._open is None:
                self._open = self._first()
                self._looked = now
            elif now - self._looked >= _LOOK_AGAIN_SECONDS and not (self._coming and self._coming.is_alive()):
                self._looked = now
                self._look(self._open.name)
            return self._open

    def settle(self) -> None:
        """Wait until a generation that is being opened serves or was passed over."""
        coming = self._coming
        if coming is not None:
            coming.join()

    def _first(self) -> OpenIndex:
        """The generation in force, else the newest whole one that was."""
        named = None
        try:
            named = self._generations.current()
            if named is not None:
                return _open_whole(named)
            self.trouble = "No public index is in force: mass-pipeline public build."
        except StorageError as error:
            self.trouble = str(error)
            for former in reversed(self._generations.all()):
                with contextlib.suppress(StorageError):
                    if former != named and former.is_fit:
                        return _open_whole(former)
        raise StorageError(self.trouble)

    def _look(self, present: str) -> None:
        try:
            named = self._generations.current()
        except StorageError as error:
            self.trouble = str(error)
            return
        if named is not None and named.name not in (present, self._passed_over):
            self._coming = threading.Thread(target=self._take_over, args=(named,), daemon=True)
            self._coming.start()

    def _take_over(self, named: Generation) -> None:
        try:
            fresh = _open_whole(named)
        except (StorageError, OSError) as error:
            self._passed_over, self.trouble = named.name, str(error)
            log.error("public.generation_passed_over", extra={"generation": named.name, "reason": str(error)})
            return
        with self._lock:
            old, self._open, self.trouble = self._open, fresh, ""
        if old is not None:
            old.retire()


class Unreleased(Library):
    """An index that is not in force: what is asked of it, nobody else sees."""

    def __init__(self, path: Path) -> None:
        super().__init__(path.parent)
        self._open = open_index(Generation(path.parent.name, path.parent))

    def present(self, now: float) -> OpenIndex:
        """The index itself, at any time."""
        assert self._open is not None
        return self._open


def _open_whole(generation: Generation) -> OpenIndex:
    """Open a generation whose files are as its manifest says; StorageError for any other."""
    require_whole(generation, (INDEX_NAME,))
    return open_index(generation)


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
