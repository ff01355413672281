"""A large file in object storage that is replaced as a whole: contents named by their digest, and a pointer to the one in force.

A content is put first and never changed; then the pointer is replaced, provided that nobody else has replaced it since it was
read. So a file is replaced as a whole or not at all, and who read the earlier pointer goes on with its content.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

import orjson

from mass_pipeline.model.errors import StorageError

if TYPE_CHECKING:  # one machine alone has no client of object storage
    from mass_pipeline.storage.cloud import CloudObjects


@dataclass(frozen=True, slots=True)
class Pointer:
    """What a pointer says.

    Attributes:
        stamp: of the pointer as it was read.
        content: name of the object it points to, below the folder.
        fields: all that it says; `sha256` among them.
    """

    stamp: str
    content: str
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PointedFile:
    """One such file.

    Attributes:
        folder: where its contents and its pointer lie.
        pointer: name of the pointer in the folder.
        key: field of the pointer that names the content.
        remedy: what helps when the pointer is damaged.
    """

    objects: CloudObjects
    folder: str
    pointer: str
    key: str
    remedy: str

    def read(self) -> Pointer | None:
        """The pointer now; None when nothing was ever put.

        Raises:
            StorageError: it cannot be read, or is damaged.
        """
        name = f"{self.folder}/{self.pointer}"
        known = self.objects.read(name)
        if known is None:
            return None
        try:
            fields = orjson.loads(known.data)
            return Pointer(known.stamp, str(fields[self.key]).rpartition("/")[2], {"sha256": str(fields["sha256"]), **fields})
        except (ValueError, KeyError, TypeError) as error:
            raise StorageError(f"{self.objects.place(name)} is damaged ({error}). Remove it: {self.remedy}.") from error

    def put(self, content: str, path: Path) -> None:
        """Put a content under a name that has its digest; it is not in force yet."""
        self.objects.put_file(f"{self.folder}/{content}", path)

    def point(self, fields: Mapping[str, object], before: Pointer | None) -> None:
        """Put a content in force.

        Args:
            fields: what the pointer is to say.
            before: the pointer that it replaces.

        Raises:
            Overtaken: another pointer stands there; nothing was replaced.
        """
        self.objects.replace(f"{self.folder}/{self.pointer}", orjson.dumps(fields), before.stamp if before else None)

    def fetch(self, pointer: Pointer, to: IO[bytes]) -> Literal["gone", "damaged"] | None:
        """Copy the content that a pointer names into an open file, and go to its beginning; what is wrong with it."""
        if not self.objects.fetch(f"{self.folder}/{pointer.content}", to):
            return "gone"
        to.seek(0)
        digest = hashlib.file_digest(to, "sha256").hexdigest()  # type: ignore[arg-type]  # any seekable file
        to.seek(0)
        return None if digest == pointer.fields["sha256"] else "damaged"
