"""Parts of tables in object storage, for several machines.

    <url>/lake/<table>[/diocese=<key>]/part-<digest>.parquet   never changed once it stands
    <url>/lake/<table>[/diocese=<key>]/manifest.json           which part counts, and the fence of the run that said so

A part is written to a local file first. A reader that began before a replacement goes on with the part it began with, and a run
that was taken for lost publishes nothing behind its successor's back.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import IO, Final

from mass_pipeline.model.errors import StorageError
from mass_pipeline.resources.parts import Part, WrittenPart, overtaken, storage_errors
from mass_pipeline.storage.cloud import CloudObjects
from mass_pipeline.storage.pointed import PointedFile, Pointer
from mass_pipeline.storage.ports import Overtaken

_ROOT: Final = "lake"
_MANIFEST: Final = "manifest.json"
_KEPT: Final = timedelta(days=1)  # replaced parts: longer than any run reads one
_TRIES: Final = 5


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
        file = self._file(name)
        known = file.read()
        if known is None:
            return None
        fence = int(known.fields["fence"])
        made_at = datetime.fromtimestamp(fence / 1e6, UTC) if fence else None
        place = self._objects.place(f"{file.folder}/{known.content}")
        return Part(place, made_at, lambda: int(known.fields["rows"]), partial(_copy, file, known, place), known.stamp)

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
    def asides(self) -> Iterator[Callable[[str], Path]]:
        """See `PartStore.asides`."""
        with storage_errors(str(self._outgoing)):
            self._outgoing.mkdir(parents=True, exist_ok=True)
            folder = tempfile.TemporaryDirectory(dir=self._outgoing, prefix="part-")
        with folder:
            yield lambda name: Path(folder.name, f"{name.replace('/', '-')}.parquet")

    def replace(self, parts: Mapping[str, tuple[Path, WrittenPart]], before: Mapping[str, str], fence: int | None) -> None:
        """See `PartStore.replace`."""
        for name, (path, part) in parts.items():
            self._file(name).put(_content(part), path)
        present = {name: self._present(name, before[name], fence) for name in parts}  # all, before the first is replaced
        for name, (_, part) in parts.items():
            self._point(name, part, present[name], before[name], fence)
        for name, (_, part) in parts.items():
            self._tidy(name, _content(part))

    def _file(self, name: str) -> PointedFile:
        return PointedFile(self._objects, f"{_ROOT}/{name}", _MANIFEST, "part", "and materialize that partition again")

    def _present(self, name: str, before: str, fence: int | None) -> Pointer | None:
        """The pointer now, when this run may replace it: what it saw in the beginning, or what an older run slipped in."""
        known = self._file(name).read()
        is_other = (known.stamp if known else "") != before
        if (is_other and fence is None) or (known is not None and fence is not None and int(known.fields["fence"]) > fence):
            raise overtaken(self.place(name))
        return known

    def _point(self, name: str, part: WrittenPart, present: Pointer | None, before: str, fence: int | None) -> None:
        fields = {"part": _content(part), "sha256": part.sha256, "rows": part.rows, "bytes": part.size_bytes, "fence": fence or 0}
        for _ in range(_TRIES):
            with contextlib.suppress(Overtaken):
                return self._file(name).point(fields, present)
            present = self._present(name, before, fence)
        raise overtaken(self.place(name))

    def _tidy(self, name: str, content: str) -> None:
        """Parts that were replaced long ago go; the moments are the server's."""
        folder = f"{_ROOT}/{name}"
        found = self._objects.moments(folder)
        now = max(moment for _, moment in found)  # the manifest was written just now
        old = [one for one, moment in found if one.startswith(f"{folder}/part-") and now - moment > _KEPT]
        self._objects.delete([one for one in old if one != f"{folder}/{content}"])


def _content(part: WrittenPart) -> str:
    return f"part-{part.sha256[:32]}.parquet"


@contextlib.contextmanager
def _copy(file: PointedFile, pointer: Pointer, place: str) -> Iterator[IO[bytes]]:
    """A local copy without a name, gone when it is closed: columns are read from it as from any file."""
    with tempfile.TemporaryFile(prefix="mass-pipeline-") as copy:
        fault = file.fetch(pointer, copy)
        if fault == "gone":
            raise StorageError(f"{place} is gone: its partition was replaced more than a day ago. Run again.")
        if fault:
            raise OSError("its content is not what its name says")
        yield copy
