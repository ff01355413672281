"""Generations of the index on disk: built aside, put in force with one rename, kept for a way back.

Layout: `<public>/gen-<UTC>-<sha8>/index.sqlite` with `manifest.json` and `dumps/`; `<public>/CURRENT` holds the name in force;
`<public>/HELD` is there while a person keeps it in force against newer ones.
A process killed at any point leaves the old name or the new one, and both folders whole.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

import orjson

from mass_pipeline.model.errors import StorageError, UsageError
from mass_pipeline.model.whole_files import replacing, sync

INDEX_NAME: Final = "index.sqlite"
MANIFEST_NAME: Final = "manifest.json"
_CURRENT: Final = "CURRENT"
_HELD: Final = "HELD"
_NAME: Final = re.compile(r"gen-\d{8}T\d{6}Z-[0-9a-f]{8}")
_BUILDING: Final = ".building-"


@dataclass(frozen=True, slots=True)
class Generation:
    """One generation.

    Attributes:
        number: in order of building, whatever the clock says.
    """

    name: str
    folder: Path
    number: int = 0

    @property
    def index(self) -> Path:
        """The index itself."""
        return self.folder / INDEX_NAME

    def manifest(self) -> dict[str, object]:
        """Figures, sizes and digests.

        Raises:
            StorageError: it is missing or damaged.
        """
        try:
            found = orjson.loads((self.folder / MANIFEST_NAME).read_bytes())
        except (OSError, orjson.JSONDecodeError) as error:
            raise StorageError(f"{self.folder}: its manifest cannot be read ({error}).") from error
        assert isinstance(found, dict)
        return found

    @property
    def is_fit(self) -> bool:
        """Whether it may be put in force: its manifest can be read and holds no objection."""
        with contextlib.suppress(StorageError):
            return not self.manifest().get("objections")
        return False


class Generations:
    """The folder of generations."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def all(self) -> list[Generation]:
        """Every whole generation, oldest first: by number, those of before there were numbers by name."""
        found = [path for path in self.folder.glob("gen-*") if _NAME.fullmatch(path.name) and (path / MANIFEST_NAME).is_file()]
        return sorted(map(_generation, found), key=lambda one: (one.number, one.name))

    def current(self) -> Generation | None:
        """The generation in force; None when none ever was.

        Raises:
            StorageError: CURRENT names no whole generation.
        """
        try:
            name = (self.folder / _CURRENT).read_text(encoding="ascii").strip()
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise StorageError(f"{self.folder / _CURRENT}: cannot be read ({error}).") from error
        if not _NAME.fullmatch(name) or not (self.folder / name / MANIFEST_NAME).is_file():
            raise StorageError(
                f"{self.folder / _CURRENT} names {name[:60]!r}, which is no whole generation: mass-pipeline public rollback."
            )
        return _generation(self.folder / name)

    def build(self, built_at: datetime, write: Callable[[Path], dict[str, object]]) -> Generation:
        """Write a new generation aside and give it its name; it is not in force yet.

        Args:
            built_at: moment in its name.
            write: fills the empty folder it is given and returns figures for the manifest.

        Returns:
            the new generation, or the one of the same moment and bytes that stands already.
        """
        for path in self.folder.glob(f"{_BUILDING}*"):
            if not Path("/proc", path.name.removeprefix(_BUILDING)).exists():  # of a process that died
                shutil.rmtree(path, ignore_errors=True)
        aside = self.folder / f"{_BUILDING}{os.getpid()}"
        try:
            shutil.rmtree(aside, ignore_errors=True)
            aside.mkdir(parents=True)
            figures = write(aside)
            files = {str(path.relative_to(aside)): _described(path) for path in sorted(aside.rglob("*")) if path.is_file()}
            digest = hashlib.sha256(orjson.dumps(files, option=orjson.OPT_SORT_KEYS)).hexdigest()[:8]
            name = f"gen-{built_at:%Y%m%dT%H%M%SZ}-{digest}"
            number = 1 + max((one.number for one in self.all()), default=0)
            manifest = {**figures, "generation": name, "number": number, "files": files}
            (aside / MANIFEST_NAME).write_bytes(orjson.dumps(manifest, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS))
            for path in (*aside.rglob("*"), aside):
                sync(path)
            target = self.folder / name
            if (target / MANIFEST_NAME).is_file():  # the same once more: it is the newest now, and judged anew
                if name != self._named_current():
                    (aside / MANIFEST_NAME).replace(target / MANIFEST_NAME)
                shutil.rmtree(aside)
            else:
                shutil.rmtree(target, ignore_errors=True)
                aside.rename(target)
                sync(self.folder)
        except OSError as error:
            shutil.rmtree(aside, ignore_errors=True)
            raise StorageError(f"{self.folder}: the new generation cannot be written ({error}); the last one stays.") from error
        except BaseException:
            shutil.rmtree(aside, ignore_errors=True)
            raise
        return _generation(target)

    @property
    def is_held(self) -> bool:
        """Whether a person went back to the generation in force, so that no newer one takes its place."""
        return (self.folder / _HELD).exists()

    def lift(self) -> None:
        """Newer generations are put in force again, from the next one on."""
        (self.folder / _HELD).unlink(missing_ok=True)

    def put_in_force(self, generation: Generation) -> None:
        """Name a generation as the one in force, with one rename."""
        try:
            with replacing(self.folder / _CURRENT) as aside:
                aside.write_text(generation.name + "\n", encoding="ascii")
                sync(aside)
            sync(self.folder)
        except OSError as error:
            raise StorageError(f"{self.folder / _CURRENT}: cannot be replaced ({error}); the last generation stays.") from error

    def rollback(self, name: str | None = None) -> Generation:
        """Put an earlier generation in force and hold it: the named one, else the newest before the present one that was fit.

        Raises:
            UsageError: there is none.
        """
        whole = self.all()
        if name is not None:
            wanted = [one for one in whole if one.name == name]
        else:
            present = self._named_current()
            names = [one.name for one in whole]
            earlier = whole[: names.index(present)] if present in names else whole
            wanted = [one for one in earlier if one.is_fit]
        if not wanted:
            known = ", ".join(one.name for one in whole) or "none"
            raise UsageError(f"There is no generation {name or 'before the present one'}; there are: {known}.")
        self.put_in_force(wanted[-1])
        (self.folder / _HELD).touch()
        return wanted[-1]

    def forget_old(self, keep: int) -> list[str]:
        """Remove all but the newest `keep` generations that were fit, and the last one that was not; never the one in force.

        Refused ones drive out none: a week of them would leave no way back.
        """
        whole, present = self.all(), self._named_current()
        fit, refused = ([one for one in whole if one.is_fit is is_fit] for is_fit in (True, False))
        old = [one for one in (*fit[:-keep], *refused[:-1]) if one.name != present]
        for one in old:
            (one.folder / MANIFEST_NAME).unlink()  # first: what is half removed is no generation any more
            shutil.rmtree(one.folder, ignore_errors=True)
        return [one.name for one in old]

    def _named_current(self) -> str | None:
        try:
            return (self.folder / _CURRENT).read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            return None


def _generation(folder: Path) -> Generation:
    number: object = 0
    with contextlib.suppress(StorageError):
        number = Generation(folder.name, folder).manifest().get("number")
    return Generation(folder.name, folder, number if isinstance(number, int) else 0)


def require_whole(generation: Generation, names: Collection[str] = ()) -> None:
    """Compare files with size and digest in the manifest.

    Args:
        generation: whose.
        names: files to compare; all of them by default.

    Raises:
        StorageError: one differs; the message names it.
    """
    files = generation.manifest().get("files")
    assert isinstance(files, dict)
    for name, said in files.items():
        if names and name not in names:
            continue
        path = generation.folder / name
        if not path.is_file() or _described(path) != said:
            raise StorageError(
                f"{path}: is not as the manifest says (size or digest); go back with mass-pipeline public rollback."
            )


def _described(path: Path) -> dict[str, object]:
    with path.open("rb") as file:
        return {"bytes": path.stat().st_size, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}
