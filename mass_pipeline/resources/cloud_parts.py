"""Parts of tables in object storage, for several machines.

    <url>/lake/<table>[/diocese=<key>]/part-<digest>.parquet   never changed once it stands
    <url>/lake/<table>[/diocese=<key>]/manifest.json           which part counts, and the fence of the run that said so

A part is written to a local file first and put with one request under the name of its digest; then the manifest is replaced,
provided that nobody else has replaced it since. So a part counts as a whole or not at all, a reader that began before goes on
with the part it found, and a run that was taken for lost publishes nothing behind its successor's back.
"""

from __future__ import annotations

import contextlib
import hashlib
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import IO, Final

import orjson

from mass_pipeline.model.errors import StorageError
from mass_pipeline.resources.parts import Part, Publication, PublishedPart, storage_errors
from mass_pipeline.storage.cloud import CloudObjects
from mass_pipeline.storage.ports import Overtaken

_ROOT: Final = "lake"
_MANIFEST: Final = "manifest.json"
_KEPT: Final = timedelta(days=1)  # replaced parts: longer than any run reads one
_TRIES: Final = 5


@dataclass(frozen=True, slots=True)
class _Manifest:
    """Which part counts.

    Attributes:
        stamp: of the manifest as it was read.
        fence: of the run that published it; 0 where it gave none.
    """

    stamp: str
    part: str
    sha256: str
    rows: int
    fence: int


class CloudParts:
    """Parts below `s3://bucket/prefix`.

    Args:
        url: of all the project's objects; parts lie in `lake/`.
        outgoing: folder of this machine for files on their way.
    """

    is_fenced = True

    def __init__(self, url: str, outgoing: Path) -> None:
        self._url = url.rstrip("/")
        self._outgoing = outgoing
        self._opened: CloudObjects | None = None

    @property
    def _objects(self) -> CloudObjects:
        """Opened late: the client's threads do not live on in a fork, and definitions are loaded before runs are forked."""
        if self._opened is None:
            self._opened = CloudObjects(self._url)
        return self._opened

    def find(self, name: str) -> Part | None:
        """See `PartStore.find`; made when the run was that published it."""
        known = self.manifest(name)
        if known is None:
            return None
        made_at = datetime.fromtimestamp(known.fence / 1e6, UTC) if known.fence else None
        part = f"{_ROOT}/{name}/{known.part}"
        return Part(self._objects.place(part), made_at, lambda: known.rows, partial(self._copy, part, known.sha256))

    @contextlib.contextmanager
    def _copy(self, name: str, sha256: str) -> Iterator[IO[bytes]]:
        """A local copy without a name, gone when it is closed: columns are read from it as from any file."""
        with tempfile.TemporaryFile(prefix="mass-pipeline-") as file:
            if not self._objects.fetch(name, file):
                raise StorageError(
                    f"{self._objects.place(name)} is gone: its partition was replaced more than a day ago. Run again."
                )
            file.seek(0)
            if hashlib.file_digest(file, "sha256").hexdigest() != sha256:
                raise OSError("its content is not what its name says")
            file.seek(0)
            yield file

    def partitions(self, table: str) -> list[str]:
        """See `PartStore.partitions`."""
        ending = f"/{_MANIFEST}"
        names = self._objects.names(f"{_ROOT}/{table}")
        found = (name.removeprefix(f"{_ROOT}/").removesuffix(ending) for name in names if name.endswith(ending))
        return sorted(name for name in found if name != table)

    def place(self, name: str) -> str:
        """See `PartStore.place`."""
        return f"{self._url}/{_ROOT}/{name}"

    @contextlib.contextmanager
    def publication(self, fence: int | None) -> Iterator[Publication]:
        """See `PartStore.publication`."""
        with storage_errors(str(self._outgoing)):
            self._outgoing.mkdir(parents=True, exist_ok=True)
            folder = tempfile.TemporaryDirectory(dir=self._outgoing, prefix="part-")
        with folder:
            yield _Replacements(self, self._objects, Path(folder.name), fence)

    def manifest(self, name: str) -> _Manifest | None:
        """What counts of a part now.

        Raises:
            StorageError: it cannot be read, or is damaged.
        """
        place = f"{_ROOT}/{name}/{_MANIFEST}"
        known = self._objects.read(place)
        if known is None:
            return None
        try:
            told = orjson.loads(known.data)
            return _Manifest(known.stamp, str(told["part"]), str(told["sha256"]), int(told["rows"]), int(told["fence"]))
        except (ValueError, KeyError, TypeError) as error:
            raise StorageError(
                f"{self._objects.place(place)} is no manifest ({error}). Remove it and materialize that partition again."
            ) from error


@dataclass(slots=True)
class _Replacements:
    """See `Publication`.

    Attributes:
        before: what counted when the part was begun.
        after: the parts that are put, by name.
    """

    store: CloudParts
    objects: CloudObjects
    folder: Path
    fence: int | None
    before: dict[str, _Manifest | None] = field(default_factory=dict)
    after: dict[str, PublishedPart] = field(default_factory=dict)

    def aside(self, name: str) -> Path:
        self.before[name] = self._admitted(name)
        return self.folder / f"{len(self.before)}.parquet"

    def written(self, name: str, part: PublishedPart) -> None:
        path = self.folder / f"{len(self.before)}.parquet"
        self.objects.put_file(f"{_ROOT}/{name}/{_part_name(part)}", path)
        path.unlink()
        self.after[name] = part

    def commit(self) -> None:
        for name in self.after:  # all are looked at before the first is replaced
            self.before[name] = self._present(name)
        for name, part in self.after.items():
            self._replace(name, part)
        for name in self.after:
            self._tidy(name)

    def _replace(self, name: str, part: PublishedPart) -> None:
        told = {"part": _part_name(part), "sha256": part.sha256, "rows": part.rows, "bytes": part.size_bytes}
        data = orjson.dumps({**told, "fence": self.fence or 0})
        for turn in range(_TRIES):
            known = self.before[name]
            try:
                return self.objects.replace(f"{_ROOT}/{name}/{_MANIFEST}", data, known.stamp if known else None)
            except Overtaken:
                if turn == _TRIES - 1:
                    raise
                self.before[name] = self._present(name)
        return None

    def _present(self, name: str) -> _Manifest | None:
        """What counts now, when this run may replace it: what it saw in the beginning, or what an older run slipped in."""
        known, before = self._admitted(name), self.before[name]
        if self.fence is None and known != before:
            raise self._refused(name)
        return known

    def _admitted(self, name: str) -> _Manifest | None:
        known = self.store.manifest(name)
        if known is not None and self.fence is not None and known.fence > self.fence:
            raise self._refused(name)
        return known

    def _refused(self, name: str) -> StorageError:
        return StorageError(
            f"{self.store.place(name)} was published by somebody else while this run worked on it: theirs stays, and nothing "
            "was replaced. Run again if it is needed."
        )

    def _tidy(self, name: str) -> None:
        """Parts that were replaced long ago go; the moments are the server's."""
        found = self.objects.moments(f"{_ROOT}/{name}")
        now = max(moment for _, moment in found)  # the manifest was written just now
        mine = {f"{_ROOT}/{name}/{_part_name(self.after[name])}", f"{_ROOT}/{name}/{_MANIFEST}"}
        folder = f"{_ROOT}/{name}/part-"
        self.objects.delete([one for one, moment in found if one.startswith(folder) and one not in mine and now - moment > _KEPT])


def _part_name(part: PublishedPart) -> str:
    return f"part-{part.sha256[:32]}.parquet"
