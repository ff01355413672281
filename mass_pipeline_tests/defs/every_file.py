"""Look for words in every file of a folder, unpacked: Parquet, gzip, zstd, and databases with what they hold packed."""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pyarrow.parquet as pq
import zstandard

_ZSTD = b"\x28\xb5\x2f\xfd"


def files_with(folder: Path, words: Iterable[bytes]) -> dict[str, set[bytes]]:
    """File, relative to the folder -> those of the words that it holds."""
    wanted = frozenset(words)
    found: dict[str, set[bytes]] = {}
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        held = {word for piece in _pieces(path) for word in wanted if word in piece}
        if held:
            found[str(path.relative_to(folder))] = held
    return found


def _pieces(path: Path) -> Iterator[bytes]:
    content = path.read_bytes()
    yield content
    if content.startswith(b"\x1f\x8b"):
        yield gzip.decompress(content)
    elif content.startswith(_ZSTD):
        yield _unpacked(content)
    elif content.startswith(b"PAR1"):
        table = pq.read_table(path)
        yield from (_bytes(value) for name in table.column_names for value in table.column(name).to_pylist())
    elif content.startswith(b"SQLite format 3"):
        yield from _cells(path)


def _cells(path: Path) -> Iterator[bytes]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        connection.text_factory = bytes
        names = connection.execute("SELECT name FROM sqlite_master WHERE type='table' AND sql NOT LIKE '%VIRTUAL%'").fetchall()
        for (name,) in names:
            for row in connection.execute(f'SELECT * FROM "{name.decode()}"'):
                for value in row:
                    yield _bytes(value)
                    if isinstance(value, bytes) and value.startswith(_ZSTD):
                        with suppress(zstandard.ZstdError):  # packed with a dictionary of the file, which is looked at itself
                            yield _unpacked(value)


def _unpacked(content: bytes) -> bytes:
    return zstandard.ZstdDecompressor().decompressobj().decompress(content)


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()
