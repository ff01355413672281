"""The lake: Parquet files, one folder per partition, replaced as a whole or not at all. Knows no Dagster.

Layout: `<root>/<table>/part-0.parquet` for whole tables, `<root>/<table>/diocese=<key>/part-0.parquet` for partitioned
ones (names that every Parquet reader takes for Hive partitions). Belongs here: paths, explicit schemas, order, atomic
publication, lazy reading. Not here: what the rows mean.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import pyarrow as pa
import pyarrow.parquet as pq

from mass_pipeline.model.columns import Table
from mass_pipeline.model.errors import BadInput, StorageError

if TYPE_CHECKING:
    import pandas as pd

_FILE: Final = "part-0.parquet"
_SUFFIX: Final = ".tmp"
_FULL: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_ROWS_PER_CHUNK: Final = 2_000

Chunks = Iterable[pa.Table]
PartitionKey = str | None  # None: the table is not partitioned


@dataclass(frozen=True, slots=True)
class PublishedPart:
    """One file that now stands in the lake.

    Attributes:
        key: partition, None for a whole table.
        path: the file.
        rows: number of rows.
        size_bytes: size of the file.
        sha256: digest of the file; equal inputs give equal digests.
        preview: the first rows.
    """

    key: PartitionKey
    path: Path
    rows: int
    size_bytes: int
    sha256: str
    preview: pa.Table


def table_of(table: Table, rows: Iterable[Mapping[str, object]]) -> pa.Table:
    """An Arrow table with exactly the columns of `table`, sorted by its key; no rows give an empty typed table.

    Raises:
        BadInput: a value does not fit its column, or a column that may not be empty is.
    """
    kept = [{name: row.get(name) for name in table.names} for row in rows]
    kept.sort(key=lambda row: _comparable(tuple(row[name] for name in table.key)))
    try:
        made = pa.Table.from_pylist(kept, schema=table.schema)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as error:
        raise BadInput(f"{table.name}: a value does not fit its column: {error}") from error
    _require_values(table, made)
    return made


def _require_values(table: Table, chunk: pa.Table) -> None:
    for column in table.columns:
        if not column.nullable and chunk.column(column.name).null_count:
            raise BadInput(f"{table.name}: column {column.name} ({column.meaning}) is empty in some rows.")


def _comparable(value: object) -> tuple[Any, ...]:
    """Order of key values: nothing first, then by value; sequences element by element."""
    if value is None:
        return (0,)
    if isinstance(value, tuple | list):
        return (1, tuple(_comparable(part) for part in value))
    return (1, value)


class Lake:
    """The folder of published tables."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def path(self, table: Table, key: PartitionKey = None) -> Path:
        """Where a table, or one partition of it, stands."""
        folder = self.root / table.name
        return (folder if key is None else folder / f"diocese={key}") / _FILE

    def publish(self, table: Table, parts: Mapping[PartitionKey, Chunks]) -> list[PublishedPart]:
        """Write all parts aside, sync them to disk, then put each in its place with one rename.

        Args:
            table: names, types and key of the rows.
            parts: partition -> its rows in chunks, sorted by the key over all chunks; consumed one after the other.

        Returns:
            One entry per part, in the order given.

        Raises:
            BadInput: rows out of order, a key used twice, or values that do not fit; no file was replaced.
            StorageError: the disk is full or refuses; no file was replaced.
        """
        staged: list[tuple[Path, PublishedPart]] = []
        with contextlib.ExitStack() as cleanup:
            for key, chunks in parts.items():
                target = self.path(table, key)
                aside = _aside(target)
                cleanup.callback(_forget, aside)
                staged.append((aside, _write(table, key, chunks, aside, target)))
            for aside, part in staged:
                with _storage_errors(part.path):
                    aside.replace(part.path)
                    _sync_folder(part.path.parent)
        return [part for _, part in staged]

    def reader(self, table: Table, keys: Sequence[str] | None = None) -> TableReader:
        """Rows of a whole table (`keys` None) or of some partitions; nothing is opened yet.

        Raises:
            StorageError: a part is missing.
        """
        files = [self.path(table, key) for key in keys] if keys is not None else [self.path(table)]
        for file in files:
            if not file.is_file():
                raise StorageError(
                    f"{table.name}: {file} is missing. Materialize {table.name} first (for that diocese), "
                    "or run mass_schedules_job, which makes the whole chain."
                )
        return TableReader(table, tuple(files))

    def partitions(self, table: Table) -> list[str]:
        """Keys of the published partitions of a table, sorted; empty when there are none."""
        found = (self.root / table.name).glob(f"diocese=*/{_FILE}")
        return sorted(file.parent.name.removeprefix("diocese=") for file in found)


@dataclass(frozen=True, slots=True)
class TableReader:
    """Published rows, read when asked for: columns are projected in the file, chunks stay small."""

    table: Table
    files: tuple[Path, ...]

    def chunks(self, columns: Sequence[str] | None = None, rows_per_chunk: int = _ROWS_PER_CHUNK) -> Iterator[pa.Table]:
        """The rows in order of the files, at most `rows_per_chunk` at once.

        A part written before a column was added holds nothing in it, where the column may be empty.

        Raises:
            StorageError: a file is damaged (page checksums are verified) or cannot be read.
        """
        for file in self.files:
            try:
                with pq.ParquetFile(file, page_checksum_verification=True) as parquet:
                    for batch in parquet.iter_batches(rows_per_chunk, columns=list(columns) if columns else None):
                        yield _with_new_columns(self.table, pa.Table.from_batches([batch]), columns)
            except (pa.ArrowException, OSError) as error:
                raise StorageError(
                    f"{self.table.name}: {file} cannot be read ({' '.join(str(error).split())}). "
                    "Materialize that partition again; others are not affected."
                ) from error

    def arrow(self, columns: Sequence[str] | None = None) -> pa.Table:
        """All rows at once; the empty table keeps its columns."""
        chunks = list(self.chunks(columns))
        if chunks:
            return pa.concat_tables(chunks).cast(self._schema(columns))
        return self._schema(columns).empty_table()

    def frame(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """All rows as a data frame; the empty frame keeps its columns."""
        return cast("pd.DataFrame", self.arrow(columns).to_pandas())

    def rows(self, columns: Sequence[str] | None = None) -> Iterator[dict[str, object]]:
        """Row after row as dictionaries, chunk by chunk."""
        for chunk in self.chunks(columns):
            yield from chunk.to_pylist()

    def __len__(self) -> int:
        return sum(pq.read_metadata(file).num_rows for file in self.files)

    def _schema(self, columns: Sequence[str] | None) -> pa.Schema:
        schema = self.table.schema
        return schema if columns is None else pa.schema([schema.field(name) for name in columns])


def _with_new_columns(table: Table, chunk: pa.Table, columns: Sequence[str] | None) -> pa.Table:
    """The chunk with those columns empty that an earlier version of the table had not yet."""
    wanted = table.names if columns is None else columns
    for column in table.columns:
        if column.name in wanted and column.nullable and column.name not in chunk.schema.names:
            chunk = chunk.append_column(table.schema.field(column.name), pa.nulls(chunk.num_rows, column.type))
    return chunk.select([name for name in wanted if name in chunk.schema.names])


def _write(table: Table, key: PartitionKey, chunks: Chunks, aside: Path, target: Path) -> PublishedPart:
    rows, preview = 0, table.schema.empty_table()
    last: tuple[Any, ...] | None = None
    with _storage_errors(target):
        aside.parent.mkdir(parents=True, exist_ok=True)
        with aside.open("wb") as file, pq.ParquetWriter(file, table.schema, compression="zstd", write_page_checksum=True) as to:
            for chunk in chunks:
                fitting = _fit(table, chunk)
                last = _require_order(table, fitting, last)
                rows += fitting.num_rows
                if preview.num_rows == 0:
                    preview = fitting.slice(0, 5)
                to.write_table(fitting)
        with aside.open("rb") as written:
            os.fsync(written.fileno())
            digest = hashlib.file_digest(written, "sha256").hexdigest()
        return PublishedPart(key, target, rows, aside.stat().st_size, digest, preview)


def _fit(table: Table, chunk: pa.Table) -> pa.Table:
    try:
        fitting = chunk.select(table.names).cast(table.schema)
    except (KeyError, pa.ArrowException, ValueError) as error:
        raise BadInput(f"{table.name}: the rows have not the columns of model/columns.py: {error}") from error
    _require_values(table, fitting)
    return fitting


def _require_order(table: Table, chunk: pa.Table, last: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
    keys = zip(*(chunk.column(name).to_pylist() for name in table.key), strict=True)
    for key in keys:
        comparable = _comparable(key)
        if last is not None and not last < comparable:
            fault = "twice" if last == comparable else "out of order"
            raise BadInput(f"{table.name}: the key {dict(zip(table.key, key, strict=True))} stands {fault}.")
        last = comparable
    return last


@contextlib.contextmanager
def _storage_errors(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        full = error.errno in _FULL
        remedy = "Free space there or point MASS_PIPELINE_DATA_FOLDER elsewhere" if full else "Check the folder and its rights"
        raise StorageError(
            f"Cannot write {target}: {error.strerror or error}. {remedy}, then run again; the earlier data are untouched."
        ) from error


def _aside(target: Path) -> Path:
    """A name no other writer uses, in the same folder so that the rename is atomic; leftovers of dead writers go."""
    for stale in target.parent.glob(f".{_FILE}.*{_SUFFIX}"):
        if not _is_alive(stale.name.split(".")[-3]):
            _forget(stale)
    return target.parent / f".{_FILE}.{os.getpid()}.{secrets.token_hex(4)}{_SUFFIX}"


def _is_alive(pid: str) -> bool:
    return Path("/proc", pid).exists() if Path("/proc").is_dir() else True


def _forget(aside: Path) -> None:
    """Remove what was written aside, and the folders made for it when they hold nothing else."""
    with contextlib.suppress(OSError):
        aside.unlink(missing_ok=True)
        aside.parent.rmdir()
        aside.parent.parent.rmdir()


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
