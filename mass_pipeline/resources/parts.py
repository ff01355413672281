"""Where the parts of tables lie and how they are replaced: the port, and its store in a folder.

Layout of the folder: `<root>/<table>/part-0.parquet` for whole tables, `<root>/<table>/diocese=<key>/part-0.parquet` for
partitioned ones. A part is named by its folder: `table`, or `table/diocese=key`. Belongs here: names, replacing, leftovers. Not
here: schemas and rows (`lake`), object storage (`cloud_parts`).
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, Protocol

import pyarrow.parquet as pq

from mass_pipeline.model.errors import NO_ROOM, StorageError
from mass_pipeline.model.whole_files import sync

if TYPE_CHECKING:
    import pyarrow as pa

FILE: Final = "part-0.parquet"
_SUFFIX: Final = ".tmp"
_FENCE: Final = ".fence"  # beside a part: the fence of the run that published it, and the lock of those who replace it
_LEFT_SECONDS: Final = 86_400.0  # longer than any run writes one part


@dataclass(frozen=True, slots=True)
class WrittenPart:
    """One part that was written; once it is published it stands in the lake.

    Attributes:
        key: partition, None for a whole table.
        place: where it lies, for people; a path where the lake is a folder.
        rows: number of rows.
        size_bytes: size of the file.
        sha256: digest of the file; equal inputs give equal digests.
        preview: the first rows.
    """

    key: str | None
    place: str
    rows: int
    size_bytes: int
    sha256: str
    preview: pa.Table

    @property
    def path(self) -> Path:
        """The file, where the lake is a folder."""
        return Path(self.place)


@dataclass(frozen=True, slots=True)
class Part:
    """One published part that can be read.

    Attributes:
        place: where it lies, for people.
        made_at: when it was put in its place, aware UTC; None when nobody wrote that down.
        rows: counts its rows. Raises OSError, pyarrow.ArrowException: it cannot be read.
        opened: its file, to be read at any position. Raises StorageError, OSError: it is gone, damaged, or cannot be read.
        stamp: another one when it was replaced, where that is known.
    """

    place: str
    made_at: datetime | None
    rows: Callable[[], int]
    opened: Callable[[], AbstractContextManager[IO[bytes]]]
    stamp: str = ""


class PartStore(Protocol):
    """A place for the parts of all tables."""

    @property
    def is_fenced(self) -> bool:
        """Whether an older fence is refused, and without one who published meanwhile wins."""

    def find(self, name: str) -> Part | None:
        """A published part, None when there is none.

        Raises:
            StorageError: the store cannot be asked.
        """

    def partitions(self, table: str) -> list[str]:
        """Names of the published partitions of a table, sorted."""

    def place(self, name: str) -> str:
        """Where a part lies or would lie, for people."""

    def asides(self) -> AbstractContextManager[Callable[[str], Path]]:
        """Part -> a file of this machine to write it to, which nobody else has; what was not published is gone afterwards."""

    def replace(self, parts: Mapping[str, tuple[Path, WrittenPart]], before: Mapping[str, str], fence: int | None) -> None:
        """Put every part in its place, each with one step.

        Args:
            parts: name -> file, complete and synced, and what is known of it.
            before: name -> `Part.stamp` when the publication began, "" where there was none.
            fence: see `Lake.publish`.

        Raises:
            StorageError: refused; nothing was replaced.
        """


@contextlib.contextmanager
def storage_errors(place: str) -> Iterator[None]:
    """A refusal of the disk as the error that names place and remedy."""
    try:
        yield
    except OSError as error:
        full = error.errno in NO_ROOM
        remedy = "Free space there or point MASS_PIPELINE_DATA_FOLDER elsewhere" if full else "Check the folder and its rights"
        raise StorageError(
            f"Cannot write {place}: {error.strerror or error}. {remedy}, then run again; the earlier data are untouched."
        ) from error


def file_part(path: Path) -> Part:
    """A part as a file of this machine."""
    made_at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return Part(str(path), made_at, lambda: int(pq.read_metadata(path).num_rows), lambda: path.open("rb"))


@dataclass(frozen=True, slots=True)
class FolderParts:
    """Parts as files: written aside in the same folder, synced, renamed. The last writer wins, but an older fence never does."""

    root: Path
    is_fenced = False

    def find(self, name: str) -> Part | None:
        """See `PartStore.find`."""
        path = self.root / name / FILE
        return file_part(path) if path.is_file() else None

    def partitions(self, table: str) -> list[str]:
        """See `PartStore.partitions`."""
        return sorted(f"{table}/{file.parent.name}" for file in (self.root / table).glob(f"diocese=*/{FILE}"))

    def place(self, name: str) -> str:
        """See `PartStore.place`."""
        return str(self.root / name / FILE)

    @contextlib.contextmanager
    def asides(self) -> Iterator[Callable[[str], Path]]:
        """See `PartStore.asides`; the folders made for what was not published go too, when they hold nothing else."""
        given: list[Path] = []

        def aside(name: str) -> Path:
            given.append(_aside(self.root / name / FILE))
            return given[-1]

        try:
            yield aside
        finally:
            for path in given:
                _forget(path)

    def replace(self, parts: Mapping[str, tuple[Path, WrittenPart]], before: Mapping[str, str], fence: int | None) -> None:
        """See `PartStore.replace`."""
        targets = {self.root / name / FILE: path for name, (path, _) in parts.items()}
        with _fenced(list(targets), fence):
            for target, aside in targets.items():
                with storage_errors(str(target)):
                    aside.replace(target)
                    sync(target.parent)


def overtaken(place: str) -> StorageError:
    """What a run is answered whose successor was quicker."""
    return StorageError(
        f"{place} was published by somebody else while this run worked on it: theirs stays, and nothing was replaced. Run again "
        "if it is needed."
    )


@contextlib.contextmanager
def _fenced(targets: Sequence[Path], fence: int | None) -> Iterator[None]:
    """Hold all parts, and let nobody pass whose fence is older than that of one of them; None writes nothing down.

    A fence is written before its part is replaced: who dies in between has kept out older ones only.
    """
    with contextlib.ExitStack() as stack:
        marks = []
        for target in sorted(targets) if fence is not None else ():  # sorted: two who hold several never wait for each other
            with storage_errors(str(target)):
                mark = stack.enter_context(os.fdopen(os.open(target.parent / _FENCE, os.O_RDWR | os.O_CREAT, 0o644), "r+b", 0))
                fcntl.flock(mark, fcntl.LOCK_EX)
            if int(mark.read() or b"0") > (fence or 0):
                raise overtaken(str(target))
            marks.append((target, mark))
        for target, mark in marks:
            with storage_errors(str(target)):
                os.pwrite(mark.fileno(), f"{fence:020}".encode(), 0)  # always as long: a later one covers it whole
        yield


def _aside(target: Path) -> Path:
    """A name no other writer uses, in the same folder so that the rename is atomic; leftovers of dead writers go.

    It names the machine: processes of other machines that share the folder cannot be seen from here.
    """
    for stale in target.parent.glob(f".{FILE}.*{_SUFFIX}"):
        if _is_left(stale):
            _forget(stale)
    return target.parent / f".{FILE}.{_host()}.{os.getpid()}.{secrets.token_hex(4)}{_SUFFIX}"


def _host() -> str:
    return socket.gethostname().replace(".", "-").replace("/", "-") or "unknown"


def _is_left(aside: Path) -> bool:
    host, pid = aside.name.split(".")[-4:-2]
    if host == _host() and Path("/proc").is_dir():
        return not Path("/proc", pid).exists()
    try:
        return time.time() - aside.stat().st_mtime > _LEFT_SECONDS
    except FileNotFoundError:
        return False


def _forget(aside: Path) -> None:
    with contextlib.suppress(OSError):
        aside.unlink(missing_ok=True)
        aside.parent.rmdir()
        aside.parent.parent.rmdir()
