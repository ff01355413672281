"""Objects as plain files of a folder: written aside, synced, renamed. The store of one machine."""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.whole_files import replacing, sync
from mass_pipeline.storage.ports import Overtaken, Stamped


@dataclass(frozen=True, slots=True)
class FolderObjects:
    """Files below a folder, which the first write makes."""

    folder: Path

    def read(self, name: str) -> Stamped | None:
        """See `ObjectStore.read`."""
        path = self.folder / name
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            remedy = f" {self.folder} is no folder: set MASS_PIPELINE_DATA_FOLDER." if self.folder.is_file() else ""
            raise StorageError(f"{path} cannot be read ({error.strerror or error}).{remedy}") from error
        return Stamped(data, hashlib.sha256(data).hexdigest())

    def put(self, name: str, data: bytes) -> None:
        """See `ObjectStore.put`."""
        with self._writing(name) as path:
            write_file(path, data)

    def replace(self, name: str, data: bytes, stamp: str | None) -> None:
        """See `ObjectStore.replace`."""
        with self._writing(name) as path, _locked(path.parent):
            known = self.read(name)
            if (known.stamp if known else None) != stamp:
                raise Overtaken(f"{path} was replaced by somebody else meanwhile; nothing was written.")
            write_file(path, data)

    def append(self, name: str, lines: bytes) -> None:
        """See `ObjectStore.append`."""
        with self._writing(name) as path, path.open("ab+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            file.truncate(file.read().rfind(b"\n") + 1)
            file.write(lines)
            file.flush()
            os.fsync(file.fileno())

    def names(self, folder: str) -> list[str]:
        """See `ObjectStore.names`."""
        found = (path for path in (self.folder / folder).rglob("*") if path.is_file() and not path.name.startswith("."))
        return sorted(str(path.relative_to(self.folder)) for path in found)

    def place(self, name: str) -> str:
        """See `ObjectStore.place`."""
        return str(self.folder / name)

    @contextmanager
    def _writing(self, name: str) -> Iterator[Path]:
        path = self.folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            yield path
        except OSError as error:
            raise StorageError(f"Cannot write {path}: {error.strerror or error}. Check the folder and its rights.") from error


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """One after the other: comparing and renaming are two steps. The folder itself is locked, so that no file is left."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def write_file(path: Path, data: bytes) -> None:
    """Replace a file as a whole: write aside, sync, rename, sync the folder (hazards D4)."""
    with replacing(path) as aside:
        aside.write_bytes(data)
        sync(aside)
    sync(path.parent)
