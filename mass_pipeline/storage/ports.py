"""The port of a store of small objects.

A stamp stands for the content somebody has seen; replacing it shows that stamp, so that of two who change one object at the same
time the second is told, and whoever was cut off for a while overwrites nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from mass_pipeline.model.errors import StorageError

_TRIES: Final = 20  # of a change that others keep overtaking; each round at least one of them succeeds


class Overtaken(StorageError):
    """Somebody else has made or replaced the object meanwhile; nothing was written."""


@dataclass(frozen=True, slots=True)
class Stamped:
    """An object as it was read.

    Attributes:
        data: all of it.
        stamp: shown when it is replaced.
    """

    data: bytes
    stamp: str


class ObjectStore(Protocol):
    """Objects by names like `models/champion.json`; every write is on the disk, or with the server, when it returns."""

    def read(self, name: str) -> Stamped | None:
        """An object, None when there is none.

        Raises:
            StorageError: the store cannot be read.
        """

    def put(self, name: str, data: bytes) -> None:
        """Write an object as a whole, whatever stands there.

        Raises:
            StorageError: it cannot be written; what stood there stays.
        """

    def replace(self, name: str, data: bytes, stamp: str | None) -> None:
        """Write an object unless somebody else has written it since it was read.

        Args:
            stamp: of what is replaced; None: there was nothing.

        Raises:
            Overtaken: somebody has; nothing was written.
            StorageError: it cannot be written; what stood there stays.
        """

    def append(self, name: str, lines: bytes) -> None:
        """Add whole lines to an object that may not exist yet; several may do so at once, and no line is lost.

        A last line without its end, cut off by a crash, is no line: it goes.

        Raises:
            StorageError: they cannot be written; what stood there stays.
        """

    def names(self, folder: str) -> list[str]:
        """Names of all objects below a folder, sorted; [] when there are none."""

    def place(self, name: str) -> str:
        """Where an object lies, for people."""


def change(store: ObjectStore, name: str, work: Callable[[bytes | None], bytes]) -> bytes:
    """Replace an object by what is made of the present one, again when somebody was quicker.

    Args:
        work: present content (None: there is none) -> new content; may run several times.

    Returns:
        The new content.

    Raises:
        Overtaken: others kept being quicker.
        StorageError: the store cannot be read or written.
    """
    for turn in range(_TRIES):
        known = store.read(name)
        made = work(known.data if known else None)
        if known is not None and made == known.data:
            return made
        try:
            store.replace(name, made, known.stamp if known else None)
        except Overtaken:
            if turn == _TRIES - 1:
                raise
        else:
            return made
    raise AssertionError("unreachable")
