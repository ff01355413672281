"""Crawl state that follows its diocese from machine to machine: a copy in object storage, taken when a crawl has ended.

    <url>/state/crawl/<diocese>/snapshot.json          which copy counts, and how many there were before
    <url>/state/crawl/<diocese>/crawl-<digest>.zst     the state file, compressed; never changed

The state itself is SQLite on the worker's own disk. A run fetches the copy when it is newer than what lies there; what a run
that was lost had learnt since the last copy is asked again. Two runs of one diocese at once: the second to end is refused.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import orjson
import zstandard

from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.state_file import lock_folder
from mass_pipeline.model.whole_files import replacing, sync
from mass_pipeline.resources.parts import storage_errors
from mass_pipeline.storage.opening import is_remote
from mass_pipeline.storage.pointed import PointedFile, Pointer
from mass_pipeline.storage.ports import Overtaken

if TYPE_CHECKING:
    from mass_pipeline.resources.settings import Settings
    from mass_pipeline.storage.cloud import CloudObjects

_ROOT: Final = "state/crawl"
_POINTER: Final = "snapshot.json"
_STATE: Final = "crawl.sqlite"


@dataclass(slots=True)
class CrawlSnapshots:
    """The copies of one installation.

    Attributes:
        objects: None on one machine, where nothing is copied.
        folder: crawl states of this machine, one folder per diocese.
    """

    objects: CloudObjects | None
    folder: Path
    _seen: dict[str, Pointer | None] = field(default_factory=dict)

    @classmethod
    def of(cls, settings: Settings) -> CrawlSnapshots:
        """The copies of these settings; nothing to do where the data folder is one."""
        objects = None
        if isinstance(settings.shared, str) and is_remote(settings.shared):
            from mass_pipeline.storage.cloud import CloudObjects

            objects = CloudObjects(settings.shared)
        return cls(objects, settings.data_folder / "state" / "crawl")

    def dioceses(self) -> list[str]:
        """Dioceses that have a copy, sorted."""
        names = self.objects.names(_ROOT) if self.objects else []
        return sorted(name.split("/")[-2] for name in names if name.endswith(f"/{_POINTER}"))

    def fetch(self, diocese: str) -> bool:
        """Put the copy in place of the local state when it is newer; whether it did.

        Raises:
            StorageError: the copy is damaged or cannot be read, or another process uses the local state.
        """
        if self.objects is None:
            return False
        file = _file(self.objects, diocese)
        known = self._seen[diocese] = file.read()
        folder = self.folder / diocese
        if known is None or (_generation(known) <= _local_generation(folder) and (folder / _STATE).is_file()):
            return False
        with _locked(folder), storage_errors(str(folder)):
            with replacing(folder / _STATE) as aside:
                with tempfile.TemporaryFile(dir=folder) as packed, aside.open("wb") as plain:
                    if fault := file.fetch(known, packed):
                        place = self.objects.place(f"{file.folder}/{known.content}")
                        raise StorageError(f"{place} is {fault}. Remove {_POINTER} beside it: {file.remedy}.")
                    zstandard.ZstdDecompressor().copy_stream(packed, plain)
                sync(aside)
                for ending in ("-wal", "-shm"):
                    (folder / f"{_STATE}{ending}").unlink(missing_ok=True)
            _note_generation(folder, _generation(known))
        return True

    def keep(self, diocese: str) -> None:
        """Copy the local state, which nobody uses now.

        Raises:
            StorageError: it cannot be written, or another run has copied its own since this one began.
        """
        folder = self.folder / diocese
        if self.objects is None or not (folder / _STATE).is_file():
            return
        file = _file(self.objects, diocese)
        before = self._seen[diocese] if diocese in self._seen else file.read()
        with _locked(folder), storage_errors(str(folder)), tempfile.NamedTemporaryFile(dir=folder, prefix=".packed-") as packed:
            with (folder / _STATE).open("rb") as plain:
                zstandard.ZstdCompressor(3, write_checksum=True).copy_stream(plain, packed)
            packed.flush()
            packed.seek(0)
            digest = hashlib.file_digest(packed, "sha256").hexdigest()
            content, generation = f"crawl-{digest[:32]}.zst", _generation(before) + 1
            file.put(content, Path(packed.name))
            try:
                file.point({"generation": generation, "name": f"{file.folder}/{content}", "sha256": digest}, before)
            except Overtaken as error:
                raise StorageError(
                    f"{diocese}: another run has crawled it since this one began; its state counts, this one publishes nothing."
                ) from error
            _note_generation(folder, generation)
        self._seen[diocese] = file.read()
        if before is not None and before.content != content:
            self.objects.delete([f"{file.folder}/{before.content}"])


def _file(objects: CloudObjects, diocese: str) -> PointedFile:
    return PointedFile(objects, f"{_ROOT}/{diocese}", _POINTER, "name", "the diocese is crawled anew")


def _generation(pointer: Pointer | None) -> int:
    return int(pointer.fields["generation"]) if pointer is not None else 0


def _local_generation(folder: Path) -> int:
    try:
        return int(orjson.loads((folder / _POINTER).read_bytes())["generation"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0


def _note_generation(folder: Path, generation: int) -> None:
    with replacing(folder / _POINTER) as aside:
        aside.write_bytes(orjson.dumps({"generation": generation}))


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    lock = lock_folder(folder)
    try:
        yield
    finally:
        os.close(lock)
