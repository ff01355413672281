"""One archive of an installation on one machine, written while it runs, and put back elsewhere.

Databases are copied by SQLite's own backup, whole at one moment each; other files are replaced as a whole by who writes them, and
logs of lines end at a line. Dagster's history comes first and tables after it, so that no table is older than what the history
says of it. The manifest comes last: an archive without it was cut off. Not here: PostgreSQL and object storage, which have
backups of their own.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import sqlite3
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Final

import zstandard

from mass_pipeline.model.errors import BadInput, UsageError

HOME: Final = "dagster_home"
_MANIFEST: Final = "manifest.json"
_FORMAT: Final = 1
_SQLITE: Final = b"SQLite format 3\0"
_BESIDE: Final = ("-wal", "-shm", "-journal")  # of a database: what they hold is in its copy
_OF_PROCESSES: Final = (".lock", ".tmp", ".pid", *_BESIDE)
_LINES: Final = (".jsonl", ".log")
_LEVEL: Final = 3
_BUSY_SECONDS: Final = 60.0
_CHUNK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Archive:
    """What an archive holds.

    Attributes:
        made_at: aware UTC, when it was begun.
        version: of the program that wrote it.
        digests: file -> SHA-256.
    """

    made_at: datetime
    version: str
    digests: dict[str, str]


def write_backup(
    data: Path, home: Path, out: Path, version: str, now: datetime, on_file: Callable[[int, int], None] = lambda *_: None
) -> Archive:
    """Write an archive of a data folder and a DAGSTER_HOME.

    Args:
        out: not in one of the two; replaced by the caller when this returns.
        on_file: told how many bytes of how many are done.

    Raises:
        OSError, sqlite3.Error: something cannot be read or written.
    """
    files = [*_files(home, HOME), *((name, path) for name, path in _files(data, "data") if not path.is_relative_to(home))]
    sizes = [path.stat().st_size if path.exists() else 0 for _, path in files]
    digests: dict[str, str] = {}
    done = 0
    with (
        out.open("wb") as raw,
        zstandard.ZstdCompressor(_LEVEL, write_checksum=True).stream_writer(raw) as packed,
        tarfile.open(fileobj=packed, mode="w|") as archive,
        tempfile.TemporaryDirectory(dir=out.parent, prefix=".backup-") as scratch,
    ):
        for (name, path), size in zip(files, sizes, strict=True):
            content = _content(path, Path(scratch))
            if content is not None:
                with content:
                    digests[name] = _add(archive, name, content, path)
            done += size
            on_file(done, sum(sizes))
        manifest = {"format": _FORMAT, "made_at": now.isoformat(), "version": version, "digests": digests}
        _add(archive, _MANIFEST, io.BytesIO(json.dumps(manifest).encode()), out)
    return Archive(now, version, digests)


def _files(folder: Path, name: str) -> Iterator[tuple[str, Path]]:
    """Files of a folder with their names in the archive, those that others point to after those that point."""
    for root, folders, names in os.walk(folder):
        folders.sort()
        for one in sorted(names):
            path = Path(root, one)
            if not one.endswith(_OF_PROCESSES) and not path.is_symlink() and path.is_file():
                yield str(PurePosixPath(name, path.relative_to(folder).as_posix())), path


def _content(path: Path, scratch: Path) -> io.BufferedIOBase | None:
    """A file as it is at one moment; None when it is gone by now."""
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return None
    if file.peek(len(_SQLITE)).startswith(_SQLITE):
        file.close()
        copy = scratch / "copy"
        copy.unlink(missing_ok=True)
        source = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=_BUSY_SECONDS)
        with closing(source), closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")
        return copy.open("rb")
    if path.name.endswith(_LINES):
        with file:
            whole = file.read()
        return io.BytesIO(whole[: whole.rfind(b"\n") + 1])
    return file


def _add(archive: tarfile.TarFile, name: str, content: io.BufferedIOBase, path: Path) -> str:
    """Add a file; its SHA-256."""
    size = content.seek(0, os.SEEK_END)
    content.seek(0)
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = size, 0o600
    entry.mtime = int(path.stat().st_mtime) if path.exists() else 0
    archive.addfile(entry, content)
    content.seek(0)
    return _digest(content)


def _digest(content: io.BufferedIOBase) -> str:
    digest = hashlib.sha256()
    while chunk := content.read(_CHUNK):
        digest.update(chunk)
    return digest.hexdigest()


def restore(archive: Path, data: Path, home: Path) -> Archive:
    """Put an archive in place of nothing: folders that hold something are refused, and a bad archive leaves none.

    Raises:
        UsageError: a folder is there. BadInput: no archive of ours, cut off, or damaged.
    """
    for folder in (data, home):
        if folder.exists() and any(folder.iterdir()):
            raise UsageError(f"{folder} holds something: restore into a new folder, or move that one away first.")
    data.parent.mkdir(parents=True, exist_ok=True)
    home.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(dir=data.parent, prefix=".restore-"))
    try:
        found = _unpacked(archive, aside)
        for name, folder in (("data", data), (HOME, home)):  # the second may lie in the first
            if (aside / name).exists():
                if folder.exists():
                    folder.rmdir()
                shutil.move(aside / name, folder)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return found


def _unpacked(archive: Path, folder: Path) -> Archive:
    try:
        with (
            archive.open("rb") as raw,
            zstandard.ZstdDecompressor().stream_reader(raw) as plain,
            tarfile.open(fileobj=plain, mode="r|") as entries,
        ):
            entries.extractall(folder, filter="data")
        manifest = json.loads((folder / _MANIFEST).read_text("utf-8"))
        digests = manifest["digests"]
        wrong = [name for name, digest in digests.items() if _digest_of(folder / name) != digest]
    except (tarfile.TarError, zstandard.ZstdError, OSError, ValueError, KeyError, EOFError) as error:
        raise BadInput(f"{archive} is no whole backup ({error}): nothing was restored. Take another copy of it.") from error
    if wrong or manifest["format"] != _FORMAT:
        raise BadInput(f"{archive} is damaged or of another version ({', '.join(wrong[:3])}): nothing was restored.")
    return Archive(datetime.fromisoformat(manifest["made_at"]), manifest["version"], digests)


def _digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return _digest(file)
